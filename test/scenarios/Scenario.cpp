// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/scenarios/Scenario.h"

#include "test/conformance/Kernels.h"

namespace spl::test {

std::vector<Scenario> &scenarios() {
  static std::vector<Scenario> all;
  return all;
}

RunResult outcomeOf(const Scenario &scenario, FakeDriver &fake) {
  RunResult result;
  try {
    scenario.run(fake);
  } catch (const Error &error) {
    result.error = error;
  } catch (const std::exception &other) {
    result.other = other.what();
  } catch (...) {
    result.other = "what is no std::exception";
  }
  return result;
}

const std::string &scenarioPtx() {
  static const std::string text = R"(// spl.kernel add(x: &mut [i32], by: i32)
// spl.kernel fail(x: &mut [i32])
.version 6.3
.target sm_75
.address_size 64
)" + elementEntry("add", ".param .u64 out, .param .u64 out_len, .param .u32 by", R"(
ld.param.b32 %r1, [by];
ld.global.b32 %r2, [%rd3];
add.s32 %r2, %r2, %r1;
st.global.b32 [%rd3], %r2;
)") + R"(
.visible .entry fail(.param .u64 x, .param .u64 length)
{
trap;
}
)";
  return text;
}

} // namespace spl::test
