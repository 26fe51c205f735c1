// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f16 and bf16 bit for bit, against LLVM's arithmetic in software: of one operand every value, of more
// the special ones with each other and random ones.
#include "test/e2e/Halves.h"

#include "runtime/cpu/CpuPrint.h"
#include "spl/cpu_abi.h"

#include <array>

using namespace spl::e2e;
using llvm::APFloat;

namespace {

using Unary = std::array<APFloat, 10>;

template <class Half> Unary unary(Half x) {
  const APFloat v = exact(x), zero = APFloat::getZero(v.getSemantics());
  auto toIntegral = [&](APFloat::roundingMode mode) {
    APFloat result = v;
    result.roundToIntegral(mode);
    return result;
  };
  APFloat negated = v, magnitude = v, sign = v;
  negated.changeSign(), magnitude.clearSign();
  if (!v.isZero() && !v.isNaN())
    sign = APFloat::copySign(APFloat::getOne(v.getSemantics()), v);
  // x * x * x + x: the product on the left of the sign is fused.
  APFloat cube = v * v;
  cube.fusedMultiplyAdd(v, v, nearest);
  return {negated,
          magnitude,
          exact(Half(std::sqrt(static_cast<double>(static_cast<float>(x))))),
          toIntegral(APFloat::rmTowardNegative),
          toIntegral(APFloat::rmTowardPositive),
          toIntegral(APFloat::rmTowardZero),
          toIntegral(APFloat::rmNearestTiesToAway),
          toIntegral(nearest),
          sign,
          cube};
}

using Binary = std::array<APFloat, 10>;

template <class Half> Binary binary(Half x, Half y) {
  const APFloat a = exact(x), b = exact(y);
  APFloat remainder = a;
  remainder.mod(b);
  const APFloat::cmpResult order = a.compare(b);
  const bool less = order == APFloat::cmpLessThan, equal = order == APFloat::cmpEqual;
  const int mask = less + 2 * (less || equal) + 4 * equal + 8 * !equal;
  return {a + b,
          a - b,
          a * b,
          a / b,
          remainder,
          llvm::minimumnum(a, b),
          llvm::maximumnum(a, b),
          APFloat::copySign(a, b),
          exact(Half(mask)),
          (a + b) + b};
}

using Ternary = std::array<APFloat, 5>;

template <class Half> Ternary ternary(Half x, Half y, Half z) {
  const APFloat a = exact(x), b = exact(y), c = exact(z);
  auto fused = [&](APFloat product, const APFloat &addend) {
    product.fusedMultiplyAdd(b, addend, nearest);
    return product;
  };
  return {fused(a, c), fused(a, c), fused(-a, c), fused(a, -c),
          llvm::minimumnum(llvm::maximumnum(a, b), c)};
}

} // namespace

TEST(Halves, EveryValue) {
  forEachHalf([]<class Half>(Half, const Build &build) {
    const std::vector<Half> a = everyValue<Half>();
    std::vector<Half> out(a.size() * 10);
    build.run("unary", {.global = {std::int64_t(a.size())}}, a, out);
    expectRecords<10>(out, [&](std::size_t i) { return unary(a[i]); }, "unary");
  });
}

TEST(Halves, PairsOfOperands) {
  forEachHalf([]<class Half>(Half, const Build &build) {
    const auto [a, b] = operands<Half, 2>(20011);
    std::vector<Half> out(a.size() * 10);
    build.run("binary", {.global = {std::int64_t(a.size())}}, a, b, out);
    expectRecords<10>(out, [&](std::size_t i) { return binary(a[i], b[i]); }, "binary");
  });
}

TEST(Halves, FusedProducts) {
  forEachHalf([]<class Half>(Half, const Build &build) {
    const auto [a, b, c] = operands<Half, 3>(80021);
    std::vector<Half> out(a.size() * 5);
    build.run("ternary", {.global = {std::int64_t(a.size())}}, a, b, c, out);
    expectRecords<5>(out, [&](std::size_t i) { return ternary(a[i], b[i], c[i]); }, "ternary");
  });
}

// What print writes reads back, and with a digit less nothing does.
TEST(Halves, AreShownInTheFewestDigits) {
  const auto test = []<class Half>(Half, const char *format) {
    for (Half value : everyValue<Half>()) {
      if (isNan(value))
        continue;
      const std::uint64_t bits = value.bits;
      spl_cpu_print(nullptr, format, 3, &bits, /*isMessage=*/1);
      const std::string text = spl::detail::assertionMessage();
      ASSERT_EQ(halfOf<Half>(APFloat(semanticsOf<Half>(), text)), value) << text;
      const std::string mantissa = text.substr(0, text.find('e'));
      std::string digits;
      for (char c : mantissa)
        if (std::isdigit(static_cast<unsigned char>(c)) && (c != '0' || !digits.empty()))
          digits += c;
      if (text.find('.') == std::string::npos) // zeros at the end of a whole number say no more
        digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.size() < 2)
        continue;
      char shorter[64];
      std::snprintf(shorter, sizeof shorter, "%.*e", static_cast<int>(digits.size()) - 2,
                    static_cast<double>(static_cast<float>(value)));
      ASSERT_NE(halfOf<Half>(APFloat(semanticsOf<Half>(), shorter)), value) << text;
    }
  };
  test(spl::f16{}, "\1h");
  test(spl::bf16{}, "\1t");
}
