// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/canny/canny.spl.
#include "../Common.cuh"

constexpr int TILE = 16;
constexpr int HALO = TILE + 2;

using Byte = std::uint8_t;
enum State : Byte { None, Weak, Strong };
enum Axis { Horizontal, Falling, Vertical, Rising };

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    blur(const Byte *__restrict__ image, Byte *__restrict__ blurred, Index rows, Index cols) {
  constexpr int WEIGHTS[5][5] = {
      {2, 4, 5, 4, 2}, {4, 9, 12, 9, 4}, {5, 12, 15, 12, 5}, {4, 9, 12, 9, 4}, {2, 4, 5, 4, 2}};
  const Index row = globalY();
  const Index col = globalX();
  if (row >= rows || col >= cols)
    return;
  int sum = 0;
#pragma unroll
  for (int dy = 0; dy < 5; ++dy)
#pragma unroll
    for (int dx = 0; dx < 5; ++dx) {
      const Index y = min(max(row + dy - 2, Index(0)), rows - 1);
      const Index x = min(max(col + dx - 2, Index(0)), cols - 1);
      sum += WEIGHTS[dy][dx] * image[y * cols + x];
    }
  blurred[row * cols + col] = static_cast<Byte>(sum / 159);
}

__device__ Axis axisOf(int gx, int gy) {
  if (12 * abs(gy) <= 5 * abs(gx))
    return Horizontal;
  if (12 * abs(gx) <= 5 * abs(gy))
    return Vertical;
  return (gx > 0) == (gy > 0) ? Falling : Rising;
}

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    gradient(const Byte *__restrict__ image, int *__restrict__ magnitude, Axis *__restrict__ axis,
             Index rows, Index cols) {
  const Index y = globalY();
  const Index x = globalX();
  if (y >= rows || x >= cols)
    return;
  const Index at = y * cols + x;
  if (y == 0 || x == 0 || y == rows - 1 || x == cols - 1) {
    magnitude[at] = 0;
    axis[at] = Horizontal;
    return;
  }
  const Byte *above = image + at - cols;
  const Byte *here = image + at;
  const Byte *below = image + at + cols;
  const int left = above[-1] + 2 * here[-1] + below[-1];
  const int right = above[1] + 2 * here[1] + below[1];
  const int up = above[-1] + 2 * above[0] + above[1];
  const int down = below[-1] + 2 * below[0] + below[1];
  const int gx = right - left;
  const int gy = down - up;
  magnitude[at] = abs(gx) + abs(gy);
  axis[at] = axisOf(gx, gy);
}

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    thin(const int *__restrict__ magnitude, const Axis *__restrict__ axis, int low, int high,
         Byte *__restrict__ state, Index rows, Index cols) {
  const Index y = globalY();
  const Index x = globalX();
  if (y >= rows || x >= cols)
    return;
  const Index at = y * cols + x;
  const int here = magnitude[at];
  Byte result = None;
  if (here >= low && y > 0 && x > 0 && y < rows - 1 && x < cols - 1) {
    Index step = 0;
    switch (axis[at]) {
    case Horizontal:
      step = 1;
      break;
    case Vertical:
      step = cols;
      break;
    case Falling:
      step = cols + 1;
      break;
    case Rising:
      step = cols - 1;
      break;
    }
    if (here >= magnitude[at + step] && here >= magnitude[at - step])
      result = here >= high ? Strong : Weak;
  }
  state[at] = result;
}

__device__ bool besideStrong(const Byte (&tile)[HALO][HALO], int y, int x) {
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (tile[y + dy][x + dx] == Strong)
        return true;
  return false;
}

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    hysteresis(const Byte *__restrict__ src, Byte *__restrict__ dst, Index rows, Index cols,
               unsigned *__restrict__ changed) {
  __shared__ Byte tile[HALO][HALO];
  const Index top = static_cast<Index>(blockIdx.y) * TILE - 1;
  const Index left = static_cast<Index>(blockIdx.x) * TILE - 1;
  for (int k = threadIdx.y * TILE + threadIdx.x; k < HALO * HALO; k += TILE * TILE) {
    const int y = k / HALO;
    const int x = k % HALO;
    const bool inside = top + y >= 0 && top + y < rows && left + x >= 0 && left + x < cols;
    tile[y][x] = inside ? src[(top + y) * cols + left + x] : None;
  }
  __syncthreads();

  const int y = threadIdx.y + 1;
  const int x = threadIdx.x + 1;
  const Byte before = tile[y][x];
  bool more = true;
  while (more) {
    const bool promoted = tile[y][x] == Weak && besideStrong(tile, y, x);
    __syncthreads();
    if (promoted)
      tile[y][x] = Strong;
    more = __syncthreads_or(promoted);
  }

  if (top + y < rows && left + x < cols) {
    dst[(top + y) * cols + left + x] = tile[y][x];
    if (tile[y][x] != before)
      *changed = 1;
  }
}

extern "C" __global__ void edges(const Byte *__restrict__ state, Byte *__restrict__ image,
                                 Index rows, Index cols) {
  const Index y = globalY();
  const Index x = globalX();
  if (y < rows && x < cols)
    image[y * cols + x] = state[y * cols + x] == Strong ? 255 : 0;
}
