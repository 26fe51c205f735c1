// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element-wise examples as a C++ programmer writes them with OpenMP: the peer of the CPU
// backend's throughput bench.
#pragma once

#include <cstdint>

void openMpVectorAdd(const float *a, const float *b, float *out, std::int64_t n);
void openMpSaxpy(float alpha, const float *x, float *y, std::int64_t n);
