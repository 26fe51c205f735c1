// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with two grid barriers, meet(at: i64, a: &mut [i32]), for launches along one axis of
// a.len() work-items. Its PTX is written by hand in the form that the compiler emits.
#pragma once

#include <string>

namespace spl::test {

inline constexpr const char *gridBarrierPtx = R"(
{
.reg .pred first, go, wait;
.reg .b32 x, y, add, old, now;
barrier.sync 0;
mov.u32 x, %tid.x;
setp.eq.u32 first, x, 0;
setp.ne.u32 go, x, x;
@!first bra MEET;
mov.u32 x, %nctaid.x;
sub.u32 x, x, 1;
shl.b32 x, x, 1;
sub.u32 x, 0x80000000, x;
mov.u32 y, %ctaid.x;
setp.eq.u32 wait, y, 0;
selp.b32 add, x, 2, wait;
atom.global.acq_rel.gpu.add.u32 old, [%counter], add;
SPIN:
ld.global.acquire.gpu.u32 now, [%counter];
and.b32 x, now, 1;
setp.eq.u32 go, x, 0;
xor.b32 y, now, old;
setp.lt.u32 wait, y, 0x80000000;
and.pred wait, wait, go;
@wait bra SPIN;
MEET:
barrier.red.or.pred go, 0, go;
@!go exit;
}
)";

/// Each work-item adds 1 to its element of a, and after the first barrier the element at the other
/// end of a, which all have read before any adds. Work-item `at` fails between the two.
inline const std::string meetingPtx = std::string(R"(
// spl.kernel #[faults] #[cooperative] meet(at: i64, a: &mut [i32])
.version 6.3
.target sm_75
.address_size 64
.visible .global .align 4 .b8 spl$faults[27] = {
  116, 115, 70, 83, 1, 0, 0, 0, 1, 0, 0, 7, 12, 0, 1, 2, 8, 1,
  109, 101, 101, 116, 46, 115, 112, 108, 97};
.visible .entry meet(.param .u64 at, .param .u64 a, .param .u64 len, .param .u64 counter,
  .param .u64 record)
{
.reg .pred %p<5>; .reg .b32 %r<12>; .reg .b64 %rd<12>, %counter;
ld.param.u64 %counter, [counter];
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, %tid.x;
mad.lo.u32 %r4, %r1, %r2, %r3;
cvt.u64.u32 %rd1, %r4;
ld.param.u64 %rd3, [at];
ld.param.u64 %rd4, [len];
ld.param.u64 %rd5, [a];
shl.b64 %rd6, %rd1, 2;
add.s64 %rd6, %rd5, %rd6;
ld.global.b32 %r5, [%rd6];
add.s32 %r5, %r5, 1;
st.global.b32 [%rd6], %r5;
)") + gridBarrierPtx + R"(
setp.eq.s64 %p1, %rd1, %rd3;
@%p1 bra FAULT;
sub.s64 %rd8, %rd4, 1;
sub.s64 %rd8, %rd8, %rd1;
shl.b64 %rd8, %rd8, 2;
add.s64 %rd8, %rd5, %rd8;
ld.global.b32 %r6, [%rd8];
)" + gridBarrierPtx + R"(
add.s32 %r5, %r5, %r6;
st.global.b32 [%rd6], %r5;
ret;
FAULT:
ld.param.u64 %rd7, [record];
setp.eq.s64 %p4, %rd7, 0;
@%p4 bra TRAP;
atom.relaxed.gpu.global.cas.b32 %r7, [%rd7+4], 0, 1;
setp.ne.b32 %p3, %r7, 0;
@%p3 bra END;
st.global.b32 [%rd7+8], 0;
st.global.b64 [%rd7+16], %rd1;
st.global.b64 [%rd7+24], %rd4;
st.global.b32 [%rd7+32], %r3;
st.global.b32 [%rd7+36], 0;
st.global.b32 [%rd7+40], 0;
st.global.b32 [%rd7+44], %r1;
st.global.b32 [%rd7+48], 0;
st.global.b32 [%rd7+52], 0;
mov.b32 %r10, 0xfa017001;
st.release.sys.global.b32 [%rd7], %r10;
END:
ld.global.u64 %rd9, [%rd7+312];
red.relaxed.gpu.global.or.b32 [%rd9], 1;
exit;
TRAP:
brkpt;
exit;
}
)";

} // namespace spl::test
