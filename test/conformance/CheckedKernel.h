// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a check that fails. Its PTX is written by hand in the form that the compiler emits.
#pragma once

namespace spl::test {

/// Work-item `at` fails; the others of its group synchronise without it, and add 1 to their
/// element.
inline constexpr const char *checkedPtx = R"(
// spl.kernel #[faults] checked(at: i64, out: &mut [i32])
.version 6.3
.target sm_75
.address_size 64
.visible .global .align 4 .b8 spl$faults[32] = {
  116, 115, 70, 83, 1, 0, 0, 0, 1, 0, 0, 7, 12, 0, 1, 2, 11, 3, 99,
  104, 101, 99, 107, 101, 100, 46, 115, 112, 108, 111, 117, 116};
.visible .entry checked(.param .u64 at, .param .u64 out, .param .u64 len, .param .u64 record)
{
.reg .pred %p<5>; .reg .b32 %r<12>; .reg .b64 %rd<9>;
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, %tid.x;
mul.wide.u32 %rd1, %r1, %r2;
cvt.u64.u32 %rd2, %r3;
add.s64 %rd1, %rd1, %rd2;
ld.param.u64 %rd3, [at];
ld.param.u64 %rd4, [len];
setp.eq.s64 %p1, %rd1, %rd3;
@%p1 bra FAULT;
bar.sync 0;
setp.ge.s64 %p2, %rd1, %rd4;
@%p2 ret;
ld.param.u64 %rd5, [out];
shl.b64 %rd6, %rd1, 2;
add.s64 %rd5, %rd5, %rd6;
ld.global.b32 %r4, [%rd5];
add.s32 %r4, %r4, 1;
st.global.b32 [%rd5], %r4;
ret;
FAULT:
ld.param.u64 %rd7, [record];
setp.eq.s64 %p4, %rd7, 0;
@%p4 bra TRAP;
atom.relaxed.gpu.global.cas.b32 %r5, [%rd7+4], 0, 1;
setp.ne.b32 %p3, %r5, 0;
@%p3 bra END;
st.global.b32 [%rd7+8], 0;
st.global.b64 [%rd7+16], %rd1;
st.global.b64 [%rd7+24], %rd4;
st.global.b32 [%rd7+32], %r3;
mov.u32 %r6, %tid.y;
st.global.b32 [%rd7+36], %r6;
mov.u32 %r7, %tid.z;
st.global.b32 [%rd7+40], %r7;
st.global.b32 [%rd7+44], %r1;
mov.u32 %r8, %ctaid.y;
st.global.b32 [%rd7+48], %r8;
mov.u32 %r9, %ctaid.z;
st.global.b32 [%rd7+52], %r9;
mov.b32 %r10, 0xfa017001;
st.release.sys.global.b32 [%rd7], %r10;
END:
exit;
TRAP:
brkpt;
exit;
}
)";

} // namespace spl::test
