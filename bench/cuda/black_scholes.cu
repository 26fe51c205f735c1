// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/black_scholes.spl.
#include "Common.cuh"

template <typename T> __device__ T normalCdf(T x) {
  return T(0.5) * erfc(-x * T(0.70710678118654752440));
}

template <typename T>
__device__ void blackScholes(const T *__restrict__ spot, const T *__restrict__ strike,
                             const T *__restrict__ years, T *__restrict__ call, T *__restrict__ put,
                             Index n, T rate, T volatility) {
  const Index i = globalX();
  if (i >= n)
    return;
  const T root = sqrt(years[i]);
  const T d1 = (log(spot[i] / strike[i]) + (rate + T(0.5) * volatility * volatility) * years[i]) /
               (volatility * root);
  const T d2 = d1 - volatility * root;
  const T discounted = strike[i] * exp(-rate * years[i]);
  const T price = spot[i] * normalCdf(d1) - discounted * normalCdf(d2);
  call[i] = price;
  put[i] = price - spot[i] + discounted;
}

extern "C" __global__ void black_scholes__f32(const float *__restrict__ spot,
                                              const float *__restrict__ strike,
                                              const float *__restrict__ years,
                                              float *__restrict__ call, float *__restrict__ put,
                                              Index n, float rate, float volatility) {
  blackScholes(spot, strike, years, call, put, n, rate, volatility);
}

extern "C" __global__ void black_scholes__f64(const double *__restrict__ spot,
                                              const double *__restrict__ strike,
                                              const double *__restrict__ years,
                                              double *__restrict__ call, double *__restrict__ put,
                                              Index n, double rate, double volatility) {
  blackScholes(spot, strike, years, call, put, n, rate, volatility);
}
