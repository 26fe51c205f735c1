// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/runtime/scenarios/Scenario.h"

namespace spl::test {

std::vector<Scenario> &scenarios() {
  static std::vector<Scenario> all;
  return all;
}

Outcome outcomeOf(const Scenario &scenario, FakeDriver &fake) {
  Outcome outcome;
  try {
    scenario.run(fake);
  } catch (const Error &error) {
    outcome.error = error;
  } catch (const std::exception &other) {
    outcome.other = other.what();
  } catch (...) {
    outcome.other = "what is no std::exception";
  }
  return outcome;
}

const char *const scenarioPtx = R"(// spl.kernel add(x: &mut [i32], by: i32)
// spl.kernel fail(x: &mut [i32])
.version 6.3
.target sm_75
.address_size 64
.visible .entry add(.param .u64 x, .param .u64 length, .param .u32 by)
{
.reg .pred %p; .reg .b32 %r<6>; .reg .b64 %rd<5>;
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, %tid.x;
mad.lo.s32 %r4, %r1, %r2, %r3;
cvt.s64.s32 %rd1, %r4;
ld.param.b64 %rd2, [length];
setp.ge.s64 %p, %rd1, %rd2;
@%p ret;
ld.param.b64 %rd3, [x];
ld.param.b32 %r5, [by];
shl.b64 %rd4, %rd1, 2;
add.s64 %rd3, %rd3, %rd4;
ld.global.b32 %r1, [%rd3];
add.s32 %r1, %r1, %r5;
st.global.b32 [%rd3], %r1;
ret;
}
.visible .entry fail(.param .u64 x, .param .u64 length)
{
trap;
}
)";

} // namespace spl::test
