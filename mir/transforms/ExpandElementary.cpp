// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands functions to exp, log and similar functions, and expands the gamma functions.
#include "mir/transforms/Expansion.h"

using namespace mlir;

namespace spl::mir {
namespace {

class Elementary : public Expansion {
public:
  explicit Elementary(const Expansion &expansion) : Expansion(expansion) {}
  Value run();

private:
  Value hyperbolicSine();
  Value hyperbolicCosine();
  Value inverseHyperbolic(Value magnitude, Value smaller);
  Value gelu();
};

class Gamma : public Expansion {
public:
  explicit Gamma(const Expansion &expansion) : Expansion(expansion) {}
  Value run();

private:
  Value tgamma();
  Value lgamma();
};

} // namespace

Value Elementary::run() {
  Value x = operand(0);
  switch (op.getRow().id) {
  case Id::Rsqrt:
    return div(number(1), call(Id::Sqrt, x));
  case Id::Log1p: {
    // The library's log1p returns infinity for large x.
    Value isLarge = less(number(isDouble() ? 1e300 : 1e30), x);
    return select(isLarge, call(Id::Log, x), call(Id::RawLog1p, x));
  }
  case Id::Sinh:
    return hyperbolicSine();
  case Id::Cosh:
    return hyperbolicCosine();
  case Id::Asinh: {
    // log(a + sqrt(a * a + 1)) = log1p(a + a * a / (1 + sqrt(a * a + 1)))
    Value a = abs(x), square = mul(a, a), one = number(1);
    Value root = call(Id::Sqrt, add(square, one));
    Value result = inverseHyperbolic(a, add(a, div(square, add(one, root))));
    return call(Id::Copysign, {result, x});
  }
  case Id::Acosh: {
    // log(x + sqrt(x * x - 1)) = log1p(t + sqrt(t * (x + 1))) where t = x - 1
    Value one = number(1), t = sub(x, one);
    Value result = inverseHyperbolic(x, add(t, call(Id::Sqrt, mul(t, add(x, one)))));
    return select(less(x, one), nan(), result);
  }
  case Id::Sigmoid: {
    // exp of a number that is not positive does not overflow.
    Value one = number(1), t = call(Id::Exp, neg(abs(x)));
    return div(select(less(x, number(0)), t, one), add(one, t));
  }
  case Id::Gelu:
    return gelu();
  default:
    return {};
  }
}

namespace {
// e / 2 as a sum of two parts, for each type.
constexpr double halfE = 0x1.5bf0a8b145769p+0, halfERest = 0x1.4d57ee2b1013ap-54;
constexpr float halfEFloat = 0x1.5bf0a8p+0f;
} // namespace

// exp overflows for smaller numbers than cosh. Therefore large a use e^a / 2 = e^(a - 1) * (e / 2),
// where a - 1 is exact.
Value Elementary::hyperbolicCosine() {
  Value a = abs(operand(0)), zero = number(0);
  Value isLarge = less(number(isDouble() ? 512 : 64), a);
  Value power = call(Id::Exp, sub(a, select(isLarge, number(1), zero)));
  Value factor = select(isLarge, number(isDouble() ? halfE : halfEFloat), number(0.5));
  Value rest = select(isLarge, number(isDouble() ? halfERest : halfE - halfEFloat), zero);
  Value half = fma(power, factor, mul(power, rest));
  return add(half, div(number(0.25), half));
}

// sinh(a) is (t + t / (t + 1)) / 2 with t = e^a - 1, which is accurate for small a too.
Value Elementary::hyperbolicSine() {
  Value x = operand(0), a = abs(x), one = number(1);
  Value isLarge = less(number(isDouble() ? 512 : 64), a);
  Value t = call(Id::Expm1, sub(a, select(isLarge, one, number(0))));
  Value small = mul(number(0.5), add(t, div(t, add(t, one))));
  Value rest = number(isDouble() ? halfERest : halfE - halfEFloat);
  Value large = fma(t, number(isDouble() ? halfE : halfEFloat), mul(t, rest));
  return call(Id::Copysign, {select(isLarge, large, small), x});
}

// Returns log1p(smaller), or log(2 * magnitude) if the square of the magnitude would overflow.
Value Elementary::inverseHyperbolic(Value magnitude, Value smaller) {
  Value isLarge = less(number(isDouble() ? 0x1p500 : 0x1p60), magnitude);
  Value large = add(call(Id::Log, magnitude), number(0x1.62e42fefa39efp-1)); // log(2)
  return select(isLarge, large, call(Id::Log1p, smaller));
}

// Uses 1 + erf(z) = erfc(-z), which is accurate where erf is near -1. z is x / sqrt(2), and y is
// -z. The slope of erfc corrects the rounding error of z. It is about erfc(y) times (y + sqrt(y * y
// + 2)). Below -100, x is replaced by -100, so that the result is -0 and not the product of
// infinity and 0.
Value Elementary::gelu() {
  constexpr double whole = 0x1.6a09e667f3bcdp-1, rest = -0x1.bdd3413b26456p-55; // 1 / sqrt(2)
  constexpr float single = 0x1.6a09e6p-1f;
  Value x = operand(0), least = number(-100);
  Value bounded = select(less(x, least), least, x);
  Value factor = number(isDouble() ? whole : single);
  Value factorRest = number(isDouble() ? rest : whole - single);
  Value z = mul(bounded, factor), y = neg(z);
  Value lost = fma(bounded, factorRest, fma(bounded, factor, y));
  Value slope = add(y, call(Id::Sqrt, fma(y, y, number(2))));
  Value tail = call(Id::Erfc, y);
  Value corrected = fma(tail, mul(lost, slope), tail);
  Value result = mul(mul(number(0.5), bounded), corrected);
  return select(less(number(100), x), x, result); // y * y may overflow
}

//===-- The gamma function --===//

Value Gamma::run() {
  switch (op.getRow().id) {
  case Id::Tgamma:
    return tgamma();
  case Id::Lgamma:
    return lgamma();
  default:
    return {};
  }
}

// The library's tgamma overflows early, is inaccurate for subnormal results, and loses the sign of
// 0.
Value Gamma::tgamma() {
  Value x = operand(0), zero = number(0), one = number(1);
  Value isLarge = less(number(isDouble() ? 170 : 34), x);
  Value argument = select(isLarge, sub(x, one), x);
  Value result = mul(call(Id::RawTgamma, argument), select(isLarge, argument, one));

  // gamma(x) = gamma(x + n) / (x * (x + 1) * ... * (x + n - 1)); the sums x + n are exact in the
  // range of x where this is used.
  const int steps = isDouble() ? 16 : 10, high = isDouble() ? -170 : -34;
  Value product = x;
  for (int step = 1; step != steps; ++step)
    product = mul(product, add(x, number(step)));
  Value shifted = div(call(Id::RawTgamma, add(x, number(steps))), product);
  Value isBetween = make<arith::AndIOp>(less(x, number(high)), less(number(high - steps), x));
  result = select(isBetween, shifted, result);

  // Between two poles the sign of the result is that of (-1)^floor(x).
  Value below = call(Id::Floor, x), half = mul(below, number(0.5));
  Value isEven = same(half, call(Id::Floor, half));
  Value signedZero = select(isEven, zero, number(-0.0));
  Value isFar = less(x, number(high - steps));
  Value isPole = make<arith::AndIOp>(same(below, x), less(x, zero));
  Value isGone = make<arith::OrIOp>(isFar, same(result, zero));
  result = select(isGone, signedZero, result);
  return select(isPole, nan(), result);
}

// The library's lgamma overflows early. For large x the result is x * (log(x) - 1) (Stirling's
// series).
Value Gamma::lgamma() {
  Value x = operand(0);
  Value large = mul(x, sub(call(Id::Log, x), number(1)));
  Value isLarge = less(number(isDouble() ? 1e300 : 1e30), x);
  return select(isLarge, large, call(Id::RawLgamma, x));
}

Value expandElementary(const Expansion &expansion) { return Elementary(expansion).run(); }
Value expandGamma(const Expansion &expansion) { return Gamma(expansion).run(); }

} // namespace spl::mir
