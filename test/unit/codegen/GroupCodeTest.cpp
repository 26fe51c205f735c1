// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the code of kernels with barriers on the CPU: each parallel region is vectorised.
#include "test/unit/codegen/Harness.h"
#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>

namespace spl::test {
namespace {

// A parallel region is an ordinary loop over the work-items.
TEST(GroupCode, HasVectorsInEachStretch) {
  codegen::Options options = optionsFor("cpu:x86-64-v3");
  options.checks = mir::CheckKinds::none();
  std::string code = llvmIr(R"mir(
    spl.kernel @k(%a: !spl.slice<f32>, %out: !spl.slice<f32, mut>)
        attributes {signature = #spl.signature<"k(a: &[f32], out: &mut [f32])">} {
      %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
      %x = spl.load %a[%i] : <f32>
      %y = arith.mulf %x, %x : f32
      %sum = spl.intrinsic "gpu.group_sum"(%y) : (f32) -> f32
      %z = arith.divf %x, %sum : f32
      spl.store %z, %out[%i] : <f32, mut>
      spl.return
    })mir",
                            options);
  for (const char *part : {"fmul <8 x float>", "fadd reassoc <8 x float>", "fdiv <8 x float>"})
    EXPECT_NE(code.find(part), std::string::npos) << part << " is not in\n" << code;
}

} // namespace
} // namespace spl::test
