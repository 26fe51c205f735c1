// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpenMpBaseline.h"

void openMpVectorAdd(const float *a, const float *b, float *out, std::int64_t n) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = a[i] + b[i];
}

void openMpSaxpy(float alpha, const float *x, float *y, std::int64_t n) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i)
    y[i] += alpha * x[i];
}
