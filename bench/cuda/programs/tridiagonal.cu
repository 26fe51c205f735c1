// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/tridiagonal/tridiagonal.spl.
#include "../Common.cuh"

constexpr int MOST = 128;

struct Equation {
  float lower, diagonal, upper, right;
};

extern "C" __global__ void __launch_bounds__(MOST)
    solve(const float *__restrict__ lower, const float *__restrict__ diagonal,
          const float *__restrict__ upper, const float *__restrict__ right, float *__restrict__ x,
          Index size) {
  constexpr Equation TRIVIAL = {0, 1, 0, 0};
  __shared__ Equation all[MOST];
  const int me = threadIdx.x;
  const Index at = static_cast<Index>(blockIdx.x) * size + me;
  Equation mine = TRIVIAL;
  if (me < size)
    mine = {lower[at], diagonal[at], upper[at], right[at]};

  for (int distance = 1; distance < size; distance *= 2) {
    all[me] = mine;
    __syncthreads();
    const Equation before = me >= distance ? all[me - distance] : TRIVIAL;
    const Equation after = me + distance < MOST ? all[me + distance] : TRIVIAL;
    const float a = mine.lower / before.diagonal;
    const float b = mine.upper / after.diagonal;
    mine = {-a * before.lower, mine.diagonal - a * before.upper - b * after.lower, -b * after.upper,
            mine.right - a * before.right - b * after.right};
    __syncthreads();
  }
  if (me < size)
    x[at] = mine.right / mine.diagonal;
}
