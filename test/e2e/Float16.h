// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the tests of f16 and bf16: operands, exact values by LLVM's software floats, and
// comparisons of results.
#pragma once

#include "test/e2e/Harness.h"

#include "llvm/ADT/APFloat.h"

namespace spl::e2e {

constexpr auto nearest = llvm::APFloat::rmNearestTiesToEven;

template <class Half> const llvm::fltSemantics &semanticsOf() {
  return std::is_same_v<Half, f16> ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
}
template <class Half> Half ofBits(std::uint16_t bits) {
  Half half;
  half.bits = bits;
  return half;
}
template <class Half> llvm::APFloat exact(Half value) {
  return {semanticsOf<Half>(), llvm::APInt(16, value.bits)};
}
template <class Half> Half halfOf(const llvm::APFloat &value) {
  return ofBits<Half>(static_cast<std::uint16_t>(value.bitcastToAPInt().getZExtValue()));
}

/// Rounds the value once to T.
template <class Half> Half rounded(llvm::APFloat value) {
  bool losesInfo;
  value.convert(semanticsOf<Half>(), nearest, &losesInfo);
  return halfOf<Half>(value);
}

template <class Half> bool isNan(Half value) {
  return exact(value).isNaN();
}

template <class Half> std::vector<Half> everyValue() {
  std::vector<Half> values(1 << 16);
  for (unsigned bits = 0; bits != values.size(); ++bits)
    values[bits].bits = static_cast<std::uint16_t>(bits);
  return values;
}

/// Values at the limits of the format: zeros, the smallest and largest number of each class, and
/// factors whose product is halfway between two numbers.
template <class Half> std::vector<Half> specialHalves() {
  const bool isF16 = std::is_same_v<Half, f16>;
  const int one = isF16 ? 0x3c00 : 0x3f80, least = isF16 ? 0x0400 : 0x0080,
            infinity = isF16 ? 0x7c00 : 0x7f80;
  std::vector<Half> values;
  for (int bits : {0, 1, 2, 3, least - 1, least, least + 1, 2 * least, one - 1, one, one + 1,
                   one + 3, one + least / 2, one + (isF16 ? 0x1ae : 0x2e), one + least,
                   one - least, one / 2, infinity - 1, infinity - least, infinity, infinity + 1})
    for (int sign : {0, 0x8000})
      values.push_back(ofBits<Half>(static_cast<std::uint16_t>(bits | sign)));
  return values;
}

/// Every combination of special values, followed by random bits up to \p n operands.
template <class Half, std::size_t N> std::array<std::vector<Half>, N> operands(std::size_t count) {
  std::mt19937_64 generator(count);
  const std::vector<Half> special = specialHalves<Half>();
  std::array<std::vector<Half>, N> result;
  for (std::size_t i = 0; i != count; ++i) {
    std::size_t rest = i;
    for (std::vector<Half> &values : result) {
      values.push_back(special[rest % special.size()]);
      rest /= special.size();
    }
    if (rest != 0 || i % 7 == 3)
      for (std::vector<Half> &values : result)
        values.back().bits = static_cast<std::uint16_t>(generator());
  }
  return result;
}

/// Compares groups of \p N results. All NaN are equal.
template <std::size_t N, class Half, class F>
void expectRecords(const std::vector<Half> &actual, F &&expected, const char *what) {
  std::size_t differing = 0;
  for (std::size_t i = 0; i != actual.size() / N; ++i) {
    const std::array<llvm::APFloat, N> record = expected(i);
    for (std::size_t k = 0; k != N; ++k) {
      const Half want = halfOf<Half>(record[k]), got = actual[i * N + k];
      if (got == want || (isNan(got) && isNan(want)) || differing++ >= 5)
        continue;
      ADD_FAILURE() << what << ": result " << k << " of element " << i << " is " << std::hex
                    << got.bits << ", not " << want.bits;
    }
  }
  EXPECT_EQ(differing, 0u) << what;
}

/// A CPU without instructions that convert f16.
#ifdef __x86_64__
constexpr const char *oldCpu = "cpu:x86-64";
#else
constexpr const char *oldCpu = nullptr;
#endif

/// One target for each instruction set that is relevant for f16 and bf16.
inline std::vector<jit::Options> halfOptions() {
  std::vector<jit::Options> options = extremeOptions();
  options.push_back({.optLevel = 2, .checks = "all"});
  options.push_back({.optLevel = 2, .checks = "none"});
  return options;
}

/// Runs a test on the kernels for both types.
template <class F>
void forEachHalf(F &&f, const char *file = "float16.spl",
                 const std::vector<jit::Options> &options = halfOptions()) {
  auto test = [&](auto zero, const std::string &name) {
    Source source{file, {{"f16", name}}};
    for (const char *lanes : {"x2", "x4", "x8"})
      source.replacements.emplace_back(std::string("f16") + lanes, name + lanes);
    forEachBuild(source, options,
                 [&](const Build &build) { f(zero, build); }, oldCpu);
  };
  test(f16{}, "f16");
  test(bf16{}, "bf16");
}

} // namespace spl::e2e
