// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/kmeanscluster/kmeanscluster.spl.
#include "../Common.cuh"

extern "C" __global__ void assign(const float *__restrict__ points, Index n, Index features,
                                  const float *__restrict__ centres, Index numCentres,
                                  int *__restrict__ labels) {
  const Index i = globalX();
  if (i >= n)
    return;
  const float *point = points + i * features;
  int best = 0;
  float least = INFINITY;
  for (int c = 0; c < static_cast<int>(numCentres); ++c) {
    const float *centre = centres + c * features;
    float distance = 0;
    for (Index k = 0; k < features; ++k) {
      const float difference = point[k] - centre[k];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  labels[i] = best;
}

extern "C" __global__ void accumulate(const float *__restrict__ points, Index n, Index features,
                                      const int *__restrict__ labels, float *__restrict__ sums,
                                      int *__restrict__ counts) {
  for (Index i = globalX(); i < n; i += gridSize()) {
    const int c = labels[i];
    const float *point = points + i * features;
    float *sum = sums + c * features;
    atomicAdd(&counts[c], 1);
    for (Index k = 0; k < features; ++k)
      atomicAdd(&sum[k], point[k]);
  }
}

extern "C" __global__ void update(float *__restrict__ sums, int *__restrict__ counts,
                                  float *__restrict__ centres, Index numCentres, Index features) {
  const Index c = globalX();
  if (c >= numCentres)
    return;
  const int count = counts[c];
  for (Index k = 0; k < features; ++k) {
    const Index at = c * features + k;
    if (count > 0)
      centres[at] = sums[at] / count;
    sums[at] = 0;
  }
  counts[c] = 0;
}
