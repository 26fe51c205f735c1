// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/binomial/binomial.spl.
#include "../Common.cuh"

constexpr int BLOCK = 128;
constexpr int STEPS = 126;

enum Style { European, American };

struct Option {
  float spot, strike, years;
  Style style;

  __device__ float exercised(float move, int ups, int steps) const {
    return fmaxf(strike - spot * expf(move * (2 * ups - steps)), 0);
  }
};

extern "C" __global__ void __launch_bounds__(BLOCK)
    price(const Option *__restrict__ options, float rate, float volatility,
          float *__restrict__ prices) {
  __shared__ float values[STEPS + 1];
  const int node = threadIdx.x;
  const Option option = options[blockIdx.x];
  const float years = option.years / STEPS;
  const float move = volatility * sqrtf(years);
  const float discount = expf(-rate * years);
  const float down = expf(-move);
  const float up = expf(move);
  const float pUp = (expf(rate * years) - down) / (up - down);

  if (node <= STEPS)
    values[node] = option.exercised(move, node, STEPS);
  for (int step = STEPS - 1; step >= 0; --step) {
    __syncthreads();
    float value = 0;
    if (node <= step) {
      value = discount * (pUp * values[node + 1] + (1 - pUp) * values[node]);
      if (option.style == American)
        value = fmaxf(value, option.exercised(move, node, step));
    }
    __syncthreads();
    if (node <= step)
      values[node] = value;
  }
  if (node == 0)
    prices[blockIdx.x] = values[0];
}
