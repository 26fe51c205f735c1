// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replacements for the functions of libclc for nvptx64 whose results are not those of
// docs/language.md. codegen/targets/nvptx/DeviceMath.cpp lists them.

// The functions of libclc: overloads of OpenCL, with the name mangling of C++.
double clcCosh(double) __asm__("_Z4coshd");
double clcExp2(double) __asm__("_Z4exp2d");
double clcExpOfDouble(double) __asm__("_Z3expd");
double clcFmod(double, double) __asm__("_Z4fmoddd");
double clcLgamma(double) __asm__("_Z6lgammad");
double clcLog(double) __asm__("_Z3logd");
double clcPow(double, double) __asm__("_Z3powdd");
double clcSinh(double) __asm__("_Z4sinhd");
double clcSinpi(double) __asm__("_Z5sinpid");

// The f32 versions of libclc flush subnormals or have wrong results below 0. The f64 versions are
// correct.
float spl_clc_exp2f(float x) { return (float)clcExp2(x); }
float spl_clc_fmodf(float x, float y) { return (float)clcFmod(x, y); }
float spl_clc_lgammaf(float x) {
  return __builtin_isinf(x) ? __builtin_inff() : (float)clcLgamma(x);
}

// libclc's versions of these functions lose the sign of 0.
#define KEEPING_ZERO(name, symbol)                                                                 \
  double clc_##name(double) __asm__(symbol);                                                       \
  double spl_clc_##name(double x) { return x == 0 ? x : clc_##name(x); }
KEEPING_ZERO(asin, "_Z4asind")
KEEPING_ZERO(atan, "_Z4atand")
KEEPING_ZERO(expm1, "_Z5expm1d")
KEEPING_ZERO(tan, "_Z3tand")

// libclc's cosh and sinh read beyond the end of their tables if the result is not finite.
static int isTabled(double x) { return __builtin_fabs(x) < 711; }
double spl_clc_cosh(double x) {
  const double result = clcCosh(isTabled(x) ? x : 0);
  return isTabled(x) ? result : x * x * __builtin_inf();
}
double spl_clc_sinh(double x) {
  const double result = clcSinh(isTabled(x) ? x : 0);
  return isTabled(x) ? result : x * __builtin_inf();
}

// libclc's tgamma loses 10 bits and has wrong results below 0. These functions replace it.
//
// Stirling's series for x >= 23 (NIST Digital Library of Mathematical Functions, 5.11.1). The power
// is split into two factors, because it alone would overflow.
static double stirling(double x) {
  const double x2 = x * x;
  const double series =
      (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / x2) / x2) / x2) / x2) / x;
  const double half = clcPow(x, x / 2 - 0.25);
  return half * (clcExpOfDouble(-x) * (clcExpOfDouble(series) * 0x1.40d931ff62706p+1)) * half;
}

/// A number as an unevaluated sum: low is smaller than the rounding error of high.
typedef struct {
  double high, low;
} Sum;

static Sum exactSum(double a, double b) {
  const double high = a + b, part = high - a;
  const Sum sum = {high, (a - (high - part)) + (b - part)};
  return sum;
}

// gamma(x) is gamma(x + n) / (x (x + 1) ... (x + n - 1)). x + n and the product are values of type
// Sum, because rounding errors would grow with n.
// gamma(z + low) is approximately gamma(z) * (1 + low * digamma(z)).
static double positiveGamma(double x) {
  Sum product = {1, 0};
  int n = 0;
  for (; x + n < 23; ++n) {
    const Sum factor = exactSum(x, n);
    const double high = product.high * factor.high;
    product.low = __builtin_fma(product.high, factor.high, -high) + product.high * factor.low +
                  product.low * factor.high;
    product.high = high;
  }
  const Sum z = exactSum(x, n);
  const double digamma = clcLog(z.high) - 0.5 / z.high;
  return stirling(z.high) * (1 + (z.low * digamma - product.low / product.high)) / product.high;
}

// For x below 0: gamma(x) gamma(1 - x) = pi / sin(pi x), which is 5.5.3 of the same library.
static double reflected(double x) {
  return 0x1.921fb54442d18p+1 / (clcSinpi(x) * (-x * positiveGamma(-x)));
}
double spl_clc_tgamma(double x) {
  if (x >= 172 || x != x)
    return x * __builtin_inf();
  if (x > 0)
    return x < 0x1p-1022 ? 1 / x : positiveGamma(x);
  if (x > -0x1p-60)
    return 1 / x; // infinity of the sign of 0
  if (x == __builtin_floor(x))
    return __builtin_nan(""); // a pole, or -infinity
  if (x >= -170)
    return reflected(x);
  if (x < -200) // 0, with a sign
    return clcSinpi(x) * 0x1p-1074 * 0x1p-1;
  // gamma(-x) overflows. Starts from x + 32 and uses gamma(x) = gamma(x + 1) / x.
  double result = reflected(x + 32);
  for (int k = 31; k >= 0; --k)
    result /= x + k;
  return result;
}
float spl_clc_tgammaf(float x) { return (float)spl_clc_tgamma(x); }
