// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that the options of a compilation reach the compiler, and launches of what it compiles.
#include "test/capi/Fixture.h"

#include <gtest/gtest.h>

namespace spl::capi::test {
namespace {

/// Adds 1 to a number too large for it, and subtracts that number again. Fast math cancels the
/// number, so that 1 is left.
float leftOfOne(const Fixture &fixture, const spl_jit_options &options) {
  const std::int64_t extent[] = {1};
  float x = 1;
  const float big = 1e9f;
  spl_array array;
  expectOk(spl_array_alloc_upload(fixture["context"], "f32", 1, extent, &x, &array));
  spl_module module;
  expectOk(spl_jit_load_source(
      fixture["context"], "#[gpu]\nfn f(x: &mut [f32], big: f32):\n    x[0] = (x[0] + big) - big\n",
      "left.spl", &options, &module));
  spl_kernel kernel;
  expectOk(spl_module_kernel(module, "f", &kernel));
  const spl_launch_config config = {1, {1}, {1}, 0, 0};
  const spl_argument arguments[] = {{nullptr, array, 0, nullptr, nullptr},
                                    {nullptr, 0, 0, "f32", &big}};
  expectOk(spl_launch(fixture["context"], kernel, &config, arguments, 2));
  expectOk(spl_array_download(array, &x, sizeof x));
  expectOk(spl_kernel_free(kernel));
  expectOk(spl_module_free(module));
  expectOk(spl_array_free(array));
  return x;
}

TEST(CJit, FastMathIsWhatTheCallerAllows) {
  Fixture fixture;
  spl_jit_options options;
  expectOk(spl_jit_default_options(&options));
  EXPECT_EQ(leftOfOne(fixture, options), 0.0f);
  options.fast_math = 1;
  EXPECT_EQ(leftOfOne(fixture, options), 1.0f);
}

// The parameters of a struct with slices have the names of its fields.
TEST(CJit, FieldsOfStructsWithSlicesAreParameters) {
  Fixture fixture;
  const std::int64_t four[] = {4};
  const float values[] = {1, 2, 3, 4};
  const std::int32_t by = 3;
  spl_array in, out;
  expectOk(spl_array_alloc_upload(fixture["context"], "f32", 1, four, values, &in));
  expectOk(spl_array_alloc_zeros(fixture["context"], "f32", 1, four, &out));
  spl_module module;
  expectOk(spl_jit_load_source(fixture["context"],
                               "struct Grid:\n    cells: &[f32]\n    out: &mut [f32]\n    n: i32\n"
                               "#[gpu]\nfn scale(grid: Grid, rows: [&[f32]; 1]):\n"
                               "    for i in gpu.grid_stride(grid.out.len()):\n"
                               "        grid.out[i] = grid.cells[i] * grid.n as f32 + rows[0][i]\n",
                               "grid.spl", nullptr, &module));
  spl_kernel kernel;
  expectOk(spl_module_kernel(module, "scale", &kernel));
  const spl_launch_config config = {1, {4}, {4}, 0, 0};
  spl_argument named[] = {{"rows[0]", in, 0, nullptr, nullptr},
                          {"grid.n", 0, 0, "i32", &by},
                          {"grid.out", out, 0, nullptr, nullptr},
                          {"grid.cells", in, 0, nullptr, nullptr}};
  expectOk(spl_launch(fixture["context"], kernel, &config, named, 4));
  float found[4];
  expectOk(spl_array_download(out, found, sizeof found));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(found[i], 4 * values[i]);
  named[3].name = "grid.cell";
  EXPECT_EQ(spl_launch(fixture["context"], kernel, &config, named, 4), SPL_INVALID_ARGUMENT);
  EXPECT_NE(std::string(spl_last_error())
                .find("scale has no parameter 'grid.cell'; did you mean 'grid.cells'?"),
            std::string::npos)
      << spl_last_error();
  const spl_argument ordered[] = {{nullptr, in, 0, nullptr, nullptr},
                                  {nullptr, in, 0, nullptr, nullptr},
                                  {nullptr, 0, 0, "i32", &by},
                                  {nullptr, in, 0, nullptr, nullptr}};
  EXPECT_EQ(spl_launch(fixture["context"], kernel, &config, ordered, 4), SPL_OVERLAPPING_ARGUMENTS);
  EXPECT_NE(std::string(spl_last_error()).find("'grid.cells' and 'grid.out' of scale share memory"),
            std::string::npos)
      << spl_last_error();
  expectOk(spl_kernel_free(kernel));
  expectOk(spl_module_free(module));
  expectOk(spl_array_free(in));
  expectOk(spl_array_free(out));
}

} // namespace
} // namespace spl::capi::test
