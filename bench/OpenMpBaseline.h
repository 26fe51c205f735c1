// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element-wise examples in C++ with OpenMP. They are the baseline of the throughput benchmark
// of the CPU backend.
#pragma once

#include <cstdint>

void openMpVectorAdd(const float *a, const float *b, float *out, std::int64_t n);
void openMpSaxpy(float alpha, const float *x, float *y, std::int64_t n);
