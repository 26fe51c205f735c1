// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests loads and stores in every space, variables, and atomics.
#include "test/ptxsim/Snippet.h"

#include <numeric>

namespace ptxsim::test {
namespace {

Words counting(std::size_t count) {
  Words words(count);
  std::iota(words.begin(), words.end(), 1);
  return words;
}

TEST(PtxsimMemory, SizesAndSigns) {
  const Words out = run(R"(
ld.global.s8 %r0, [%in+1];
ld.global.u8 %h0, [%in];
ld.global.s16 %l0, [%in+2];
ld.global.u16 %r1, [%in+2];
ld.global.s32 %l1, [%in+4];
st.global.u8 [%out], %r0;
st.global.b8 [%out+1], %h0;
st.global.b16 [%out+2], %l0;
st.global.u32 [%out+4], %r1;
shr.u64 %l0, %l0, 48;
shr.u64 %l1, %l1, 32;
xor.b64 %l0, %l0, %l1;
ld.global.b64 %l2, [%out];
xor.b64 %l0, %l0, %l2;
st.global.b64 [%out], %l0;)",
                        {0x80000000fffe8179})
                        .out;
  // s32 and s16 loads extend the sign. The last word was put together in memory.
  EXPECT_EQ(out[0], (0xffffULL ^ 0xffffffffULL) ^ 0x0000fffefffe7981ULL);
}

TEST(PtxsimMemory, Vectors) {
  const Words out = run(R"(
ld.global.v2.b32 {%r0, %r1}, [%in];
st.global.v2.b32 [%out], {%r1, %r0};
ld.global.v4.u16 {%h0, %h1, %h2, _}, [%in];
st.global.v2.u16 [%out], {%h2, %h1};)",
                        {0x4444333322221111})
                        .out;
  EXPECT_EQ(out[0], 0x2222111122223333ULL);
}

TEST(PtxsimMemory, EveryCacheOperatorAndOrder) {
  const Words out = run(R"(
createpolicy.fractional.L2::evict_first.b64 %l9, 1.0;
ld.global.nc.b64 %l0, [%in];
ld.global.nc.L1::no_allocate.b64 %l1, [%in];
ld.global.ca.b64 %l2, [%in]; ld.global.cg.b64 %l2, [%in]; ld.global.cs.b64 %l2, [%in];
ld.global.lu.b64 %l2, [%in]; ld.global.cv.b64 %l2, [%in];
ld.volatile.global.b64 %l3, [%in];
ld.relaxed.gpu.global.b64 %l4, [%in];
ld.acquire.sys.global.b64 %l5, [%in];
ld.weak.global.b64 %l6, [%in];
ld.global.L2::cache_hint.b64 %l7, [%in], %l9;
ld.global.L1::evict_last.L2::128B.b64 %l8, [%in];
ldu.global.b64 %l2, [%in];
add.s64 %l0, %l0, %l1; add.s64 %l2, %l2, %l3; add.s64 %l4, %l4, %l5; add.s64 %l6, %l6, %l7;
add.s64 %l0, %l0, %l2; add.s64 %l4, %l4, %l6; add.s64 %l0, %l0, %l4; add.s64 %l0, %l0, %l8;
prefetch.global.L2 [%in];
prefetchu.L1 [%in];
membar.gl; membar.cta; membar.sys; fence.acq_rel.gpu; fence.sc.cta;
st.global.wb.b64 [%out], %l1; st.global.cg.b64 [%out], %l1; st.global.cs.b64 [%out], %l1;
st.global.wt.b64 [%out], %l1; st.release.cta.global.b64 [%out], %l1;
st.relaxed.sys.global.b64 [%out], %l1; st.volatile.global.b64 [%out], %l1;
st.global.L1::no_allocate.b64 [%out], %l0;)",
                        {7})
                        .out;
  EXPECT_EQ(out[0], 63);
}

TEST(PtxsimMemory, SharedIsOneForEachGroup) {
  // Thread i reads what thread n-1-i of the group wrote, through every kind of address.
  const std::string body = R"(
.shared .align 8 .b8 mine[512];
ld.global.b64 %l0, [%in];
mov.u32 %r1, mine;
cvt.u32.u64 %r2, %o;
add.s32 %r1, %r1, %r2;
st.shared.b64 [%r1], %l0;
bar.sync 0;
mov.u32 %r3, %ntid.x;
not.b32 %r4, %t;
add.s32 %r3, %r3, %r4;
mul.wide.u32 %l1, %r3, 8;
mov.u64 %l2, mine;
cvta.shared.u64 %l2, %l2;
add.s64 %l1, %l1, %l2;
ld.b64 %l3, [%l1];
isspacep.shared %p0, %l1;
isspacep.global %p1, %l1;
isspacep.global %p2, %in;
cvta.to.shared.u64 %l4, %l1;
ld.shared.b64 %l5, [%l4];
add.s64 %l3, %l3, %l5;
@!%p0 mov.u64 %l3, 0;
@%p1 mov.u64 %l3, 0;
@!%p2 mov.u64 %l3, 0;
mov.u64 %l6, top_other;
add.s64 %l7, %l6, 4;
@%p0 st.shared.b32 [%l7], 5;
st.shared.b32 [top_other], 6;
st.global.b64 [%out], %l3;)";
  const Words in = counting(61);
  const Words out = run(body, in, ".shared .align 4 .b32 top_other[2];").out;
  for (std::size_t i = 0; i != in.size(); ++i)
    EXPECT_EQ(out[i], 2 * in[in.size() - 1 - i]);
}

TEST(PtxsimMemory, SharedAddressesWrap) {
  const Words out = run(R"(
.shared .align 4 .b8 mine[20];
mov.u32 %r0, 7;
st.shared.b32 [mine], %r0;
mov.u32 %r1, mine;
sub.s32 %r1, %r1, 8;
ld.shared.b32 %r2, [%r1+8];
cvt.u64.u32 %l0, %r2;
st.global.b64 [%out], %l0;)",
                        {1})
                        .out;
  EXPECT_EQ(out[0], 7);
}

TEST(PtxsimMemory, DynamicSharedFollowsTheStatic) {
  LaunchOptions options;
  options.dynamicSharedBytes = 40;
  const Words out = run(R"(
.shared .align 4 .b8 mine[20];
mov.u32 %r0, %dynamic_smem_size;
mov.u32 %r1, %total_smem_size;
mov.u32 %r2, top_rest;
st.shared.b32 [top_rest+36], 1234;
ld.shared.b32 %r3, [%r2+36];
mov.b64 %l0, {%r0, %r2};
mov.b64 %l1, {%r3, 0};
add.s64 %l0, %l0, %l1;
st.shared.b32 [mine], %r1;
st.global.b64 [%out], %l0;)",
                        {1}, ".extern .shared .align 16 .b8 top_rest[];", options)
                        .out;
  EXPECT_EQ(out[0], (32ULL << 32) + 40 + 1234);
}

TEST(PtxsimMemory, VariablesHaveTheirInitialValues) {
  const Words out = run(R"(
ld.const.b32 %r0, [top_table+8];
mov.u64 %l0, top_table;
cvta.const.u64 %l0, %l0;
ld.b32 %r1, [%l0+4];
ld.global.b64 %l1, [top_pointer];
ld.b16 %r2, [%l1];
ld.global.f32 %f0, [top_real];
cvt.rzi.s32.f32 %r3, %f0;
ld.const.b8 %r4, [top_bytes+2];
isspacep.const %p0, %l0;
isspacep.const %p1, %l1;
selp.b32 %r5, 100000, 0, %p0;
selp.b32 %r6, 900000, 0, %p1;
ld.global.b32 %r7, [top_zero];
add.s32 %r0, %r0, %r1; add.s32 %r2, %r2, %r3; add.s32 %r0, %r0, %r2; add.s32 %r0, %r0, %r4;
add.s32 %r0, %r0, %r5; add.s32 %r0, %r0, %r6; add.s32 %r0, %r0, %r7;
cvt.u64.u32 %l2, %r0;
st.global.b64 [%out], %l2;)",
                        {0}, R"(
.const .align 4 .u32 top_table[3] = {10, 20, 30};
.const .align 1 .b8 top_bytes[3] = {1, 2, 0x03};
.global .align 2 .u16 top_halves[2] = {400, 500};
.global .align 8 .u64 top_pointer = generic(top_halves)+2;
.global .align 4 .f32 top_real = 0f44FA0000;
.global .align 4 .u32 top_zero;)")
                        .out;
  EXPECT_EQ(out[0], 30 + 20 + 500 + 2000 + 3 + 100000);
}

TEST(PtxsimMemory, LocalIsEachThreadsOwn) {
  const Words in = counting(40);
  const Words out = run(R"(
.local .align 8 .b8 depot[16];
ld.global.b64 %l0, [%in];
mov.u64 %l1, depot;
cvta.local.u64 %l2, %l1;
st.local.b64 [%l1], %l0;
bar.sync 0;
ld.b64 %l3, [%l2];
st.local.b64 [depot+8], %l3;
ld.local.b64 %l4, [depot+8];
isspacep.local %p0, %l2;
@!%p0 mov.u64 %l4, 0;
st.global.b64 [%out], %l4;)",
                        in)
                        .out;
  EXPECT_EQ(out, in);
}

//===-- Atomics --===//

/// The final value of a cell that starts as \p initial, after 40 threads each applied \p
/// instruction with their number from 1. An @ in the instruction is the address of the cell.
std::uint64_t together(std::string instruction, std::uint64_t initial,
                       const std::string &space = "shared", std::optional<int> seed = {}) {
  LaunchOptions options;
  if (seed)
    options.seed = *seed;
  // The cell in global memory is the input of the first thread.
  const std::string cell = space == "shared" ? "[top_cell]" : "[%l5]";
  instruction.replace(instruction.find('@'), 1, cell);
  const std::string body = R"(
ld.global.b64 %l0, [%in];
cvt.u32.u64 %r0, %l0;
cvt.rn.f32.u32 %f0, %r0;
cvt.rn.f64.u32 %d0, %r0;
cvt.rn.f16.u32 %h0, %r0;
cvt.rn.bf16.u32 %h1, %r0;
mov.b32 %r1, {%h0, %h0};
mov.b32 %r2, {%h1, %h1};
sub.s64 %l5, %in, %o;
setp.eq.u32 %p0, %t, 0;
bar.sync 0;
@%p0 st.)" + space + ".b64 " +
                           cell + ", " + std::to_string(initial) + ";\nbar.sync 0;\n" +
                           instruction + ";\nbar.sync 0;\nld." + space + ".b64 %l1, " + cell +
                           ";\nst.global.b64 [%out], %l1;";
  return run(body, counting(40), ".shared .align 8 .b64 top_cell;", options).out[7];
}

TEST(PtxsimAtomic, EveryOperation) {
  EXPECT_EQ(together("red.shared.add.u32 @, %r0", 5), 825);
  EXPECT_EQ(together("red.shared.add.u64 @, %l0", 1ULL << 40), (1ULL << 40) + 820);
  EXPECT_EQ(together("red.global.add.s32 @, %r0", 5, "global"), 825);
  EXPECT_EQ(together("red.shared.min.s32 @, %r0", 0xffffffff), 0xffffffff);
  EXPECT_EQ(together("red.shared.min.u32 @, %r0", 0xffffffff), 1);
  EXPECT_EQ(together("red.shared.max.s64 @, %l0", ~0ULL), 40);
  EXPECT_EQ(together("red.shared.max.u64 @, %l0", ~0ULL), ~0ULL);
  EXPECT_EQ(together("red.shared.and.b32 @, %r0", 0xfff0), 0);
  EXPECT_EQ(together("red.shared.or.b32 @, %r0", 0x100), 0x13f);
  EXPECT_EQ(together("red.shared.xor.b64 @, %l0", 0), 40);
  EXPECT_EQ(together("red.shared.inc.u32 @, 9", 7), 7);
  EXPECT_EQ(together("red.shared.dec.u32 @, 9", 7), 7);
  EXPECT_EQ(together("red.shared.add.f32 @, %f0", bits(0.5F)), bits(820.5F));
  EXPECT_EQ(together("red.global.add.f64 @, %d0", bits(0.5), "global"), bits(820.5));
  EXPECT_EQ(together("red.global.add.noftz.f16 @, %h0", 0x0001, "global"), 0x6268);
  EXPECT_EQ(together("red.global.add.noftz.f16x2 @, %r1", 0, "global"), 0x62686268);
  EXPECT_EQ(together("red.global.add.noftz.bf16 @, %h1", 0, "global") >> 8, 0x44);
  EXPECT_EQ(together("red.global.add.noftz.bf16x2 @, %r2", 0, "global") >> 24, 0x44);
  EXPECT_EQ(together("red.relaxed.gpu.global.add.u32 @, %r0", 5, "global"), 825);
  EXPECT_EQ(together("red.release.sys.global.max.u32 @, %r0", 5, "global"), 40);
}

TEST(PtxsimAtomic, FlushesSubnormalsInGlobalMemoryOnly) {
  EXPECT_EQ(together("red.shared.add.f32 @, 0f00000001", 1), 41);
  EXPECT_EQ(together("red.global.add.f32 @, 0f00000001", 1, "global"), 0);
}

TEST(PtxsimAtomic, ReturnsTheOldValue) {
  const Words out = run(R"(
ld.global.b64 %l0, [%in];
mov.b64 {%r0, %r1}, %l0;
mov.b64 {%h0, %h1, %h2, %h3}, %l0;
st.shared.b64 [top_cell], %l0;
atom.shared.exch.b32 %r2, [top_cell], 77;
atom.shared.cas.b32 %r3, [top_cell], 77, 78;
atom.shared.cas.b32 %r4, [top_cell], 77, 79;
atom.shared.cas.b16 %h4, [top_cell+4], %h2, %h0;
atom.acq_rel.cta.shared.add.u32 %r5, [top_cell], 2;
atom.shared.cas.b64 %l1, [top_cell], 0, 1;
atom.shared.exch.b64 %l2, [top_cell], 5;
mov.b64 %l3, {%r2, %r3};
mov.b64 %l4, {%r4, %r5};
xor.b64 %l3, %l3, %l4;
cvt.u64.u16 %l5, %h4;
xor.b64 %l3, %l3, %l5;
xor.b64 %l1, %l1, %l2;
add.s64 %l3, %l3, %l1;
st.global.b64 [%out], %l3;)",
                        {0x4444333322221111}, ".shared .align 8 .b64 top_cell;")
                        .out;
  const std::uint64_t olds = (77ULL << 32 | 0x22221111) ^ (78ULL << 32 | 78) ^ 0x3333;
  EXPECT_EQ(out[0], olds);
}

TEST(PtxsimAtomic, TakesLanesInAnyOrder) {
  // The seed changes which thread is last. It does not change the result.
  std::vector<std::uint64_t> last;
  for (int seed = 0; seed != 6; ++seed) {
    last.push_back(together("red.shared.max.u32 @, %r0", 0, "shared", seed));
    EXPECT_EQ(last.back(), 40);
    last.back() = together("atom.shared.exch.b32 %r3, @, %r0", 0, "shared", seed);
  }
  EXPECT_NE(last, std::vector<std::uint64_t>(6, last[0]));
}

} // namespace
} // namespace ptxsim::test
