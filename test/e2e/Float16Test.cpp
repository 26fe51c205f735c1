// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests f16 and bf16 bit for bit against LLVM's software floats. Functions of one operand are
// tested on every value. Others are tested on all combinations of special values and on random
// values.
#include "test/e2e/Float16.h"

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
  // In x * x * x + x the product to the left of the + is fused.
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

TEST(Float16, EveryValue) {
  forEachHalf([]<class Half>(Half, const Build &build) {
    const std::vector<Half> a = everyValue<Half>();
    std::vector<Half> out(a.size() * 10);
    build.run("unary", {.global = {std::int64_t(a.size())}}, a, out);
    expectRecords<10>(out, [&](std::size_t i) { return unary(a[i]); }, "unary");
  });
}

TEST(Float16, PairsOfOperands) {
  forEachHalf([]<class Half>(Half, const Build &build) {
    const auto [a, b] = operands<Half, 2>(20011);
    std::vector<Half> out(a.size() * 10);
    build.run("binary", {.global = {std::int64_t(a.size())}}, a, b, out);
    expectRecords<10>(out, [&](std::size_t i) { return binary(a[i], b[i]); }, "binary");
  });
}

TEST(Float16, FusedProducts) {
  forEachHalf([]<class Half>(Half, const Build &build) {
    const auto [a, b, c] = operands<Half, 3>(80021);
    std::vector<Half> out(a.size() * 5);
    build.run("ternary", {.global = {std::int64_t(a.size())}}, a, b, c, out);
    expectRecords<5>(out, [&](std::size_t i) { return ternary(a[i], b[i], c[i]); }, "ternary");
  });
}

// Tests that no text with fewer digits, which would be an adjacent decimal number, reads back as
// the value.
TEST(Float16, AreShownInTheFewestDigits) {
  const auto test = []<class Half>(Half) {
    for (Half value : everyValue<Half>()) {
      if (!exact(value).isFinite() || exact(value).isZero())
        continue;
      const auto readsBack = [&](const std::string &text) {
        return halfOf<Half>(APFloat(semanticsOf<Half>(), text)) == value;
      };
      const std::string text = toString(value);
      ASSERT_TRUE(readsBack(text)) << text;
      std::string digits;
      for (char c : text.substr(0, text.find('e')))
        if (std::isdigit(static_cast<unsigned char>(c)) && (c != '0' || !digits.empty()))
          digits += c;
      if (digits.size() < 2 || text.find_first_of(".e") == std::string::npos)
        continue;
      char nearest[64];
      std::snprintf(nearest, sizeof nearest, "%.*e", static_cast<int>(digits.size()) - 2,
                    static_cast<double>(static_cast<float>(value)));
      const std::string shorter = nearest;
      const std::size_t last = shorter.find('e') - 1;
      ASSERT_FALSE(readsBack(shorter)) << text;
      for (int step : {-1, 1}) {
        std::string beside = shorter;
        beside[last] = static_cast<char>(beside[last] + step);
        if (std::isdigit(static_cast<unsigned char>(beside[last])))
          ASSERT_FALSE(readsBack(beside)) << text << " and " << beside;
      }
    }
  };
  test(spl::f16{});
  test(spl::bf16{});
}
