// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that the options of a compilation reach the compiler.
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

} // namespace
} // namespace spl::capi::test
