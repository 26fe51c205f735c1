// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/kmeans.spl.
#include "Common.cuh"

extern "C" __global__ void assign(const float2 *__restrict__ points, Index n,
                                  const float2 *__restrict__ centres, int numCentres,
                                  int *__restrict__ label) {
  const Index i = globalX();
  if (i >= n)
    return;
  const float2 point = points[i];
  int best = 0;
  float least = INFINITY;
  for (int k = 0; k < numCentres; ++k) {
    const float x = point.x - centres[k].x;
    const float y = point.y - centres[k].y;
    const float distance = x * x + y * y;
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  label[i] = best;
}

struct Cluster {
  double x, y;
  unsigned count;
};

extern "C" __global__ void accumulate(const float2 *__restrict__ points, Index n,
                                      const int *__restrict__ label,
                                      Cluster *__restrict__ clusters) {
  for (Index i = globalX(); i < n; i += gridSize()) {
    Cluster &cluster = clusters[label[i]];
    const float2 point = points[i];
    atomicAdd(&cluster.x, static_cast<double>(point.x));
    atomicAdd(&cluster.y, static_cast<double>(point.y));
    atomicAdd(&cluster.count, 1u);
  }
}

extern "C" __global__ void new_centres(const Cluster *__restrict__ clusters,
                                       float2 *__restrict__ centres, Index numCentres) {
  const Index k = globalX();
  if (k < numCentres && clusters[k].count > 0) {
    const double n = clusters[k].count;
    centres[k] =
        make_float2(static_cast<float>(clusters[k].x / n), static_cast<float>(clusters[k].y / n));
  }
}
