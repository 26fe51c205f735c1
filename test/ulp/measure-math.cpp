// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the functions of Functions.def and prints a row of intrinsics/Measured.def for each.
// Fails if an error exceeds the limit of the language or the value in docs/math.md.
//
// The project's own functions return the same bits on every target, so they are measured on the CPU
// only. --same-bits compares these bits.
#include "codegen/OwnMath.h"
#include "test/ulp/Measure.h"
#include <CLI/CLI.hpp>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

namespace {

using namespace spl;
using namespace spl::ulp;

struct Row {
  const char *target, *function, *type;
  double distance;
};
constexpr Row page[] = {
#define MEASURED(Library, Function, Type, Distance, ...) {Library, Function, Type, Distance},
#include "intrinsics/Measured.def"
};

/// The error in docs/math.md, or a negative number if it has none.
double pageDistance(const std::string &target, const char *function, const char *type) {
  for (const Row &row : page)
    if (target == row.target && std::string(function) == row.function &&
        std::string(type) == row.type)
      return row.distance;
  return -1;
}

const std::map<std::string, Library> libraries = {
    {"cpu", Library::Host}, {"libdevice", Library::Libdevice}, {"libclc", Library::Libclc}};

struct Asked {
  std::string target = "cpu", only;
  std::uint64_t sample = 1000003;
  bool everyValue = false, checks = false, sameBits = false;
};

/// The name of the target in the row of a function.
std::string targetOf(const Asked &asked, const Function &function) {
  return codegen::isOwnMath(function.name) ? "every" : asked.target;
}

template <class T> bool measureAll(const Context &context, const Asked &asked, const char *type) {
  bool isFine = true;
  const Kernels<T> kernels(context, libraries.at(asked.target));
  for (std::size_t i = 0; i != functions().size(); ++i) {
    const Function &function = functions()[i];
    if (!asked.only.empty() && asked.only != function.name)
      continue;
    const std::string target = targetOf(asked, function);
    if (target == "every" && asked.target != "cpu")
      continue;
    const bool isEvery = asked.everyValue && sizeof(T) == 4 && function.operands == 1;
    const Worst worst = isEvery ? kernels.onEveryValue(i) : kernels.onSample(i, asked.sample);
    std::printf("MEASURED(\"%s\", \"%s\", \"%s\", %.0f, %.3f, \"%a\", \"%a\", %llu)\n",
                target.c_str(), function.name, type, worst.error.distance, worst.error.ulps,
                worst.x, worst.y, static_cast<unsigned long long>(worst.values));
    std::fflush(stdout);
    const int limit = function.limit<T>();
    if (limit >= 0 && worst.error.distance > limit) {
      std::fprintf(stderr, "%s of %s is %.0f ulp off at %a, %a; the language allows %d\n",
                   function.name, type, worst.error.distance, worst.x, worst.y, limit);
      isFine = false;
    }
    if (asked.checks && worst.error.distance > pageDistance(target, function.name, type)) {
      std::fprintf(stderr, "%s of %s is %.0f ulp off at %a, %a; docs/math.md says less\n",
                   function.name, type, worst.error.distance, worst.x, worst.y);
      isFine = false;
    }
  }
  return isFine;
}

/// Whether the own functions return the same bits on the CPU and as PTX. A NaN may have any bits.
template <class T> bool compareBits(const Asked &asked, const char *type) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const Context host = Context::make(Backend::Cpu), device = Context::make(Backend::Cuda);
  const Kernels<T> onHost(host, Library::Host), onDevice(device, libraries.at(asked.target));
  bool isFine = true;
  for (std::size_t i = 0; i != functions().size(); ++i) {
    const Function &function = functions()[i];
    if (!codegen::isOwnMath(function.name))
      continue;
    const std::vector<T> a = onHost.resultsOfSample(i, asked.sample),
                         b = onDevice.resultsOfSample(i, asked.sample);
    std::uint64_t different = 0;
    for (std::size_t at = 0; at != a.size(); ++at)
      if (std::bit_cast<Bits>(a[at]) != std::bit_cast<Bits>(b[at]) &&
          !(std::isnan(a[at]) && std::isnan(b[at]))) {
        if (different++ == 0)
          std::fprintf(stderr, "%s of %s is %a on the CPU and %a as PTX\n", function.name, type,
                       double(a[at]), double(b[at]));
        isFine = false;
      }
    std::printf("%s of %s: %llu of %zu results differ\n", function.name, type,
                static_cast<unsigned long long>(different), a.size());
  }
  return isFine;
}

} // namespace

int main(int argc, char **argv) try {
  Asked asked;
  CLI::App app{"Measures the errors of math functions"};
  app.add_option("--target", asked.target, "cpu, or PTX with libdevice or libclc")
      ->check(CLI::IsMember(libraries));
  app.add_option("--sample", asked.sample, "how many operands of each function");
  app.add_option("--function", asked.only, "that function alone");
  app.add_flag("--every", asked.everyValue, "every f32 for functions of one operand");
  app.add_flag("--check", asked.checks, "fail where an error is larger than docs/math.md says");
  app.add_flag("--same-bits", asked.sameBits,
               "compare the own functions on the CPU with PTX, instead of measuring");
  CLI11_PARSE(app, argc, argv);

  if (asked.sameBits) {
    const bool isSame32 = compareBits<float>(asked, "f32");
    return compareBits<double>(asked, "f64") && isSame32 ? 0 : 1;
  }
  const Context context = Context::make(asked.target == "cpu" ? Backend::Cpu : Backend::Cuda);
  const bool isFine32 = measureAll<float>(context, asked, "f32");
  const bool isFine64 = measureAll<double>(context, asked, "f64");
  return isFine32 && isFine64 ? 0 : 1;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
