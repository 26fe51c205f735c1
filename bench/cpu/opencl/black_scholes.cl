// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REAL is float or double.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

static inline __attribute__((always_inline)) REAL normal_cdf(REAL x) {
  return (REAL)0.5 * erfc(-x * (REAL)0.70710678118654752440);
}

kernel void black_scholes(global const REAL *restrict spots, global const REAL *restrict strikes,
                          global const REAL *restrict times, global REAL *restrict calls,
                          global REAL *restrict puts, REAL rate, REAL volatility, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  REAL spot = spots[i], strike = strikes[i], years = times[i];
  REAL root = sqrt(years);
  REAL d1 = (log(spot / strike) + (rate + (REAL)0.5 * volatility * volatility) * years) /
            (volatility * root);
  REAL d2 = d1 - volatility * root;
  REAL discounted = strike * exp(-rate * years);
  REAL call = spot * normal_cdf(d1) - discounted * normal_cdf(d2);
  calls[i] = call;
  puts[i] = call - spot + discounted;
}
