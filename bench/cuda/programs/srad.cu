// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/srad/srad.spl.
#include "../Common.cuh"

struct Region {
  int top, left, rows, cols;
};

struct Gradient {
  float north, south, west, east;
};

extern "C" __global__ void add_region(const float *__restrict__ image, Index cols, Region region,
                                      float *__restrict__ sums) {
  __shared__ float partsOfSum[WARP], partsOfSquares[WARP];
  float sum = 0;
  float squares = 0;
  const Index size = static_cast<Index>(region.rows) * region.cols;
  for (Index i = globalX(); i < size; i += gridSize()) {
    const Index row = region.top + i / region.cols;
    const Index col = region.left + i % region.cols;
    const float pixel = image[row * cols + col];
    sum += pixel;
    squares += pixel * pixel;
  }
  sum = reduceBlock(sum, partsOfSum);
  squares = reduceBlock(squares, partsOfSquares);
  if (threadIdx.x == 0) {
    atomicAdd(&sums[0], sum);
    atomicAdd(&sums[1], squares);
  }
}

extern "C" __global__ void __launch_bounds__(256)
    find_coefficients(const float *__restrict__ image, Index rows, Index cols, float speckle,
                      Gradient *__restrict__ gradient, float *__restrict__ coefficient) {
  const Index row = globalY();
  const Index col = globalX();
  if (row >= rows || col >= cols)
    return;
  const Index at = row * cols + col;
  const float pixel = image[at];
  const float north = image[max(row - 1, Index(0)) * cols + col] - pixel;
  const float south = image[min(row + 1, rows - 1) * cols + col] - pixel;
  const float west = image[row * cols + max(col - 1, Index(0))] - pixel;
  const float east = image[row * cols + min(col + 1, cols - 1)] - pixel;
  gradient[at] = {north, south, west, east};

  const float slope = (north * north + south * south + west * west + east * east) / (pixel * pixel);
  const float laplacian = (north + south + west + east) / pixel;
  const float root = 1 + 0.25f * laplacian;
  const float variation = (0.5f * slope - 0.0625f * laplacian * laplacian) / (root * root);
  const float excess = (variation - speckle) / (speckle * (1 + speckle));
  coefficient[at] = fminf(fmaxf(1 / (1 + excess), 0), 1);
}

extern "C" __global__ void __launch_bounds__(256)
    diffuse(const Gradient *__restrict__ gradient, const float *__restrict__ coefficient,
            float rate, float *__restrict__ image, Index rows, Index cols) {
  const Index row = globalY();
  const Index col = globalX();
  if (row >= rows || col >= cols)
    return;
  const Index at = row * cols + col;
  const Gradient g = gradient[at];
  const float here = coefficient[at];
  const float south = coefficient[min(row + 1, rows - 1) * cols + col];
  const float east = coefficient[row * cols + min(col + 1, cols - 1)];
  image[at] += 0.25f * rate * (here * g.north + south * g.south + here * g.west + east * g.east);
}
