// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One work-item per pixel. The real axis is from -2.2 to 0.8.
kernel void mandelbrot(int width, int height, int limit, global int *restrict out) {
  int column = get_global_id(0), row = get_global_id(1);
  if (column >= width || row >= height)
    return;
  float scale = 3.0f / width;
  float cx = (column + 0.5f) * scale - 2.2f, cy = (row + 0.5f - height * 0.5f) * scale;
  float x = 0, y = 0;
  int steps = 0;
  while (steps < limit) {
    float xx = x * x, yy = y * y;
    if (xx + yy > 4)
      break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
    ++steps;
  }
  out[row * width + column] = steps;
}
