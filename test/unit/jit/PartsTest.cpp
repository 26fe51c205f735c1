// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests code for the CPU that is compiled in several parts (codegen/Parts.h): loaded from source
// and from a bundle.
#include "driver/Compilation.h"
#include "spl/abi/SignatureText.h"
#include "llvm/Object/Archive.h"
#include <cmath>
#include <gtest/gtest.h>
#include <sched.h>
#include <spl/spl.h>

using namespace spl;

namespace {

constexpr int count = 20;

/// The source of kernels k0, k1, ..., some of which share a function or a table.
std::string source() {
  std::string text = "#[noinline]\n"
                     "fn halved(x: f64) -> f64:\n"
                     "    return 0.5 * x\n";
  for (int number = 0; number != count; ++number) {
    const std::string own = std::to_string(number), shared = std::to_string(number / 2);
    if (number % 2 == 0)
      text += "const TABLE" + shared + ": [f64; 3] = [" + shared + ".0, 1.0, 0.5]\n";
    text += "#[gpu]\n"
            "fn k" +
            own +
            "(x: &[f64], at: &[i32], out: &mut [f64]):\n"
            "    val i = gpu.global_id()\n"
            "    val tile = gpu.shared[f64](64)\n"
            "    tile[gpu.local_id()] = x[at[i]]\n"
            "    gpu.barrier()\n"
            "    assert at[i] < 2, \"kernel " +
            own +
            ": {at[i]}\"\n"
            "    val y = tile[1 - gpu.local_id()] * TABLE" +
            shared + "[at[i] % 3]\n    out[i] = math.sin(" +
            (number % 7 == 3 ? "halved(2.0 * y)" : "y") + ") + " + own + ".0\n";
  }
  return text;
}

void expectResults(const Context &context, const Module &module) {
  auto x = context.allocUpload<double>({2, 3, 4});
  auto at = context.allocUpload<std::int32_t>({1, 0}), wrong = context.allocUpload({1, 2});
  auto out = context.alloc<double>(2);
  for (int number = 0; number != count; ++number) {
    const std::string name = "k" + std::to_string(number);
    context.launch(module[name], {.global = {2}, .local = {2}}, x, at, out);
    const std::vector<double> result = out.download();
    EXPECT_NEAR(result[0], std::sin(2.0 * 1.0) + number, 1e-12) << name;
    EXPECT_NEAR(result[1], std::sin(3.0 * (number / 2)) + number, 1e-12) << name;
    try {
      context.launch(module[name], {.global = {2}, .local = {2}}, x, wrong, out);
      ADD_FAILURE() << name << " has no fault";
    } catch (const Error &error) {
      const std::string message = "kernel " + std::to_string(number) + ": 2";
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

/// The code for a use of the target, and the signatures.
BundleImage compile(const std::string &target, codegen::Output::Use use) {
  driver::CompileOptions options;
  options.codegen.target = llvm::cantFail(codegen::TargetSpec::parse(target));
  driver::Compilation compilation(std::move(options));
  llvm::SmallVector<char, 0> code;
  EXPECT_TRUE(compilation.setText("many.spl", source()) && compilation.emitFor(use, code));
  for (const auto &message : compilation.diagnostics().all())
    ADD_FAILURE() << message.text;
  BundleImage image{target, {code.begin(), code.end()}, {}};
  for (const driver::KernelInfo &kernel : compilation.kernels())
    image.signatures.push_back(writeSignature(kernel.signature));
  return image;
}

std::string lowestLevel() {
  static constexpr const char *levels[] = {
#define SPL_CPU_LEVEL(NAME) "cpu:" NAME,
#include "spl/CpuLevels.def"
  };
  return levels[0];
}

/// Limits this process to one processor while it exists.
class OneProcessor {
public:
  OneProcessor() {
    sched_getaffinity(0, sizeof before, &before);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int number = 0; CPU_COUNT(&one) == 0; ++number)
      if (CPU_ISSET(number, &before))
        CPU_SET(number, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof before, &before); }

private:
  cpu_set_t before;
};

} // namespace

TEST(Parts, LoadFromSource) {
  const Context context = Context::make(Backend::Cpu);
  expectResults(context, jit::loadSource(context, source(), "many.spl"));
}

TEST(Parts, LoadFromABundle) {
  const Context context = Context::make(Backend::Cpu);
  const BundleImage image = compile(lowestLevel(), codegen::Output::Bundled);
  expectResults(context, Module::load(context, writeBundle({&image, 1})));
}

TEST(Parts, AreObjectsOfAnArchiveThatDoesNotDependOnTheThreads) {
  const std::string code = compile("cpu", codegen::Output::Loaded).bytes;
  auto archive = llvm::cantFail(llvm::object::Archive::create({code, "many"}));
  llvm::Error error = llvm::Error::success();
  int parts = 0;
  for ([[maybe_unused]] const auto &part : archive->children(error))
    ++parts;
  EXPECT_FALSE(bool(error));
  EXPECT_GT(parts, 5);
  const OneProcessor limit;
  EXPECT_EQ(code, compile("cpu", codegen::Output::Loaded).bytes);
}
