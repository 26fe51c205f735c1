// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests branches, calls, special registers, printing and launches.
#include "test/ptxsim/Snippet.h"

#include <cstring>
#include <numeric>

namespace ptxsim::test {
namespace {

Words counting(std::size_t count) {
  Words words(count);
  std::iota(words.begin(), words.end(), 1);
  return words;
}

TEST(PtxsimControl, BranchesByATable) {
  const Words out = run(R"(
rem.u32 %r0, %t, 3;
targets: .branchtargets zero, one, two;
mov.u64 %l0, 7;
brx.idx %r0, targets;
zero: mov.u64 %l0, 100; bra.uni done;
one: mov.u64 %l0, 200; bra done;
two: add.s64 %l0, %l0, 300;
done:
st.global.b64 [%out], %l0;)",
                        counting(35))
                        .out;
  for (unsigned i = 0; i != 35; ++i)
    EXPECT_EQ(out[i], (Words{100, 200, 307})[i % 3]);
}

TEST(PtxsimControl, GuardsAndScopes) {
  const Words out = run(R"(
setp.lt.u32 %p0, %t, 3;
mov.u64 %l0, 1;
@%p0 add.s64 %l0, %l0, 10;
@!%p0 add.s64 %l0, %l0, 20;
{
  .reg .b64 %l0;
  mov.u64 %l0, 999;
}
.pragma "nounroll";
nanosleep.u32 10;
pmevent 1;
st.global.b64 [%out], %l0;)",
                        counting(5))
                        .out;
  EXPECT_EQ(out, (Words{11, 11, 11, 21, 21}));
}

TEST(PtxsimControl, LabelsBelongToTheirBlock) {
  const Words out = run(R"(
cvt.u64.u32 %l0, %t;
{
  setp.lt.u64 %p0, %l0, 2;
  @%p0 bra END;
  add.s64 %l0, %l0, 10;
END:
}
{
  @%p0 bra NEXT;
  bra.uni END;
NEXT:
  add.s64 %l0, %l0, 100;
END:
}
END:
st.global.b64 [%out], %l0;)",
                        counting(4))
                        .out;
  EXPECT_EQ(out, (Words{100, 101, 12, 13}));
}

/// A function with a parameter in memory calls another function. Only some threads make the call.
TEST(PtxsimControl, Calls) {
  const std::string top = R"(
.func (.param .b64 result) top_twice(.param .b64 value) {
  .reg .b64 %l<2>;
  ld.param.b64 %l0, [value];
  add.s64 %l1, %l0, %l0;
  st.param.b64 [result], %l1;
  ret;
}
.func (.param .align 8 .b8 pair[16]) top_both(.param .align 8 .b8 input[16]) {
  .reg .b64 %l<4>; .reg .pred %p;
  ld.param.v2.b64 {%l0, %l1}, [input];
  setp.gt.u64 %p, %l0, 5;
  @%p bra large;
  { .param .b64 param0; .param .b64 retval0;
    st.param.b64 [param0], %l1;
    call.uni (retval0), top_twice, (param0);
    ld.param.b64 %l1, [retval0];
  }
  large:
  st.param.b64 [pair+8], %l0;
  st.param.b64 [pair], %l1;
  ret;
}
.func top_nothing() { ret; })";
  const Words out = run(R"(
ld.global.b64 %l0, [%in];
mov.u64 %l3, 0; mov.u64 %l4, 0;
rem.u64 %l1, %l0, 2;
setp.eq.u64 %p0, %l1, 0;
@%p0 bra skip;
{ .param .align 8 .b8 param0[16]; .param .align 8 .b8 retval0[16];
  st.param.b64 [param0], %l0;
  st.param.b64 [param0+8], 70;
  call (retval0), top_both, (param0);
  ld.param.b64 %l3, [retval0];
  ld.param.b64 %l4, [retval0+8];
}
call.uni top_nothing;
skip:
mad.lo.s64 %l3, %l4, 1000, %l3;
st.global.b64 [%out], %l3;)",
                        counting(9), top)
                        .out;
  EXPECT_EQ(out, (Words{1140, 0, 3140, 0, 5140, 0, 7070, 0, 9070}));
}

TEST(PtxsimControl, SpecialRegisters) {
  LaunchOptions options;
  options.groups = {2, 3, 2};
  options.threads = {5, 4, 3};
  // Each thread of the last group checks its own special registers. The sum of all differences is
  // 0.
  const Words out = run(R"(
mov.u32 %r0, %tid.y; mov.u32 %r1, %tid.z; mov.u32 %r2, %ntid.x; mov.u32 %r3, %ntid.y;
mad.lo.u32 %r4, %r1, %r3, %r0;
mad.lo.u32 %r4, %r4, %r2, %t;
mov.u32 %r5, %laneid; mov.u32 %r6, %warpid;
mad.lo.u32 %r5, %r6, 32, %r5;
sub.s32 %r4, %r4, %r5;
mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ctaid.y; mov.u32 %r9, %ctaid.z;
mov.u32 %r10, %nctaid.x; mov.u32 %r11, %nctaid.y; mov.u32 %r12, %nctaid.z; mov.u32 %r13, %ntid.z;
mad.lo.u32 %r9, %r9, %r11, %r8;
mad.lo.u32 %r9, %r9, %r10, %r7;
setp.ne.u32 %p0, %r9, 7;
@%p0 ret;
mov.u32 %r5, %lanemask_lt; mov.u32 %r6, %lanemask_eq; add.s32 %r5, %r5, %r6;
mov.u32 %r7, %lanemask_le; sub.s32 %r5, %r5, %r7; or.b32 %r4, %r4, %r5;
mov.u32 %r5, %lanemask_gt; add.s32 %r5, %r5, %r6; mov.u32 %r7, %lanemask_ge;
sub.s32 %r5, %r5, %r7; or.b32 %r4, %r4, %r5;
mov.u32 %r5, %lanemask_le; not.b32 %r5, %r5; mov.u32 %r6, %lanemask_gt; sub.s32 %r5, %r5, %r6;
or.b32 %r4, %r4, %r5;
mul.lo.u32 %r12, %r12, 10;
add.s32 %r13, %r13, %r12;
mul.lo.u32 %r4, %r4, 1000;
add.s32 %r4, %r4, %r13;
mov.u64 %l1, %clock64; mov.u32 %r5, %clock; mov.u64 %l2, %globaltimer;
setp.eq.u64 %p0, %l2, 0;
@%p0 trap;
cvt.u64.u32 %l0, %r4;
st.global.b64 [%out], %l0;)",
                        counting(60), "", options)
                        .out;
  EXPECT_EQ(Words(out.begin(), out.begin() + 5), Words(5, 23));
}

TEST(PtxsimControl, Prints) {
  const std::string top = R"(
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments);
.const .align 1 .b8 top_text[32] = {105, 61, 37, 100, 32, 37, 108, 108, 117, 32, 37, 46, 50, 102,
  32, 37, 99, 32, 37, 37, 32, 37, 115, 32, 37, 120, 10, 0};
.const .align 1 .b8 top_word[4] = {104, 105, 0};)";
  std::string text;
  LaunchOptions options;
  options.print = [&](std::string_view line) { text += line; };
  const Words out = run(R"(
.local .align 8 .b8 depot[48];
mov.u64 %l0, depot;
cvta.local.u64 %l1, %l0;
neg.s32 %r0, %t;
st.local.b32 [%l0], %r0;
st.local.b64 [%l0+8], 12345678901;
st.local.b64 [%l0+16], 0d400A000000000000;
st.local.b32 [%l0+24], 65;
mov.u64 %l2, top_word;
cvta.const.u64 %l2, %l2;
st.local.b64 [%l0+32], %l2;
st.local.b32 [%l0+40], 255;
mov.u64 %l3, top_text;
cvta.const.u64 %l3, %l3;
{ .param .b64 param0; .param .b64 param1; .param .b32 retval0;
  st.param.b64 [param0], %l3;
  st.param.b64 [param1], %l1;
  call.uni (retval0), vprintf, (param0, param1);
  ld.param.b32 %r1, [retval0];
}
cvt.u64.u32 %l4, %r1;
st.global.b64 [%out], %l4;)",
                        {0, 0}, top, options)
                        .out;
  EXPECT_EQ(text, "i=0 12345678901 3.25 A % hi ff\ni=-1 12345678901 3.25 A % hi ff\n");
  EXPECT_EQ(out, (Words{31, 32}));
}

TEST(PtxsimLaunch, ParametersLieByTheirAlignment) {
  Memory memory;
  Module module(R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u8 a, .param .align 8 .b8 s[12], .param .u32 pad,
    .param .u64 .ptr .global .align 4 out)
.maxntid 64, 2, 1
{
.reg .b64 %l<4>; .reg .b32 %r<4>; .loc 1 4 0
ld.param.u8 %r0, [a];
ld.param.b32 %r1, [s+8];
mov.b64 %l0, s;
cvta.param.u64 %l0, %l0;
ld.b32 %r2, [%l0+4];
ld.param.b64 %l1, [out];
add.s32 %r0, %r0, %r1;
add.s32 %r0, %r0, %r2;
st.global.b32 [%l1], %r0;
}
)",
                memory);
  EXPECT_EQ(module.version, 78);
  EXPECT_EQ(module.target, 90);
  const Kernel &kernel = *module.kernel("k");
  EXPECT_EQ(module.kernel("other"), nullptr);
  ASSERT_EQ(kernel.parameters.size(), 4);
  EXPECT_EQ(kernel.parameters[1].offset, 8);
  EXPECT_EQ(kernel.parameters[2].offset, 20);
  EXPECT_EQ(kernel.parameters[3].offset, 24);
  const std::uint8_t a = 200;
  const std::uint32_t s[] = {1, 20, 300};
  const std::uint64_t out = memory.allocate(4);
  const void *params[] = {&a, s, s, &out};
  LaunchOptions options;
  options.threads = {64, 2, 1};
  launch(kernel, memory, options, params);
  std::uint32_t result;
  std::memcpy(&result, memory.find(out, 4), 4);
  EXPECT_EQ(result, 520);
  options.threads = {129, 1, 1};
  EXPECT_EQ(errorOf([&] { launch(kernel, memory, options, params); }), ErrorKind::BadLaunch);
}

TEST(PtxsimLaunch, GroupsOfACooperativeLaunchRunAtOnce) {
  // Each group adds 1 to a counter and waits for all nine.
  const std::string body = R"(
mov.u64 %l0, counter;
atom.global.add.u32 %r0, [%l0], 1;
SPIN:
ld.acquire.gpu.global.u32 %r1, [%l0];
setp.lt.u32 %p0, %r1, 9;
@%p0 bra SPIN;
cvt.u64.u32 %l1, %r1;
st.global.b64 [%out], %l1;)";
  LaunchOptions options;
  options.groups = {3, 3, 1};
  options.budget = 1 << 20;
  EXPECT_EQ(errorOf([&] { run(body, {0}, ".global .b32 counter = 0;", options); }),
            ErrorKind::Budget);
  for (std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), {1}, {2}}) {
    options.isCooperative = true;
    options.seed = seed;
    EXPECT_EQ(run(body, {0}, ".global .b32 counter = 0;", options).out, Words{9});
  }
}

TEST(PtxsimLaunch, CountsInstructionsOfThreads) {
  EXPECT_EQ(run("", counting(40)).result.instructions, 40 * 9);
}

} // namespace
} // namespace ptxsim::test
