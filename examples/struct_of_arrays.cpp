// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes a C++ struct of arrays to a kernel whose parameter is a struct with slices.
#include "examples/Example.h"

#include <cstdio>
#include <spl/spl.h>
#include <vector>

const char *const source = R"(
struct Grid:
    cells: &[f32]
    out: &mut [f32]
    n: i32

#[gpu]
fn step(grid: Grid, by: f32):
    for i in gpu.grid_stride(grid.cells.len()):
        grid.out[i] = grid.cells[i] * by + grid.n as f32
)";

struct Grid {
  spl::Array<float> &cells;
  spl::Array<float> &out;
  std::int32_t n;
  SPL_FIELDS(cells, out, n)
};

int main(int argc, char **argv) try {
  example::readNoOptions(
      argc, argv,
      "struct_of_arrays: passes a struct of arrays to a kernel, and shows the error for\n"
      "arrays that share memory");
  auto ctx = spl::Context::makeDefault(); // CUDA, else the CPU
  auto cells = ctx.allocUpload<float>({1, 2, 3, 4});
  auto out = ctx.alloc<float>(4);
  auto kernels = spl::jit::loadSource(ctx, source, "step.spl");
  ctx.launch(kernels["step"], {.global = {4}}, Grid{cells, out, 3}, 0.5f);
  for (float value : out.download()) // 3.5 4 4.5 5
    std::printf("%g ", value);
  std::printf("\n");
  std::printf("The next launch passes one array twice on purpose. Its error:\n");
  try {
    ctx.launch(kernels["step"], {.global = {4}}, Grid{cells, cells, 3}, 0.5f);
  } catch (const spl::Error &error) {
    std::printf("%s\n", error.what());
  }
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
