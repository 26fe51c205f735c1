// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests integer instructions at the limits of their types.
#include "test/ptxsim/Snippet.h"

namespace ptxsim::test {
namespace {

constexpr std::uint64_t m32 = 0xffffffff, m64 = ~0ULL;

TEST(PtxsimInteger, Sums) {
  check({{"add.s32", "rrr", {m32, 2}, 1},
         {"add.u16", "hhh", {0xffff, 3}, 2},
         {"add.s64", "lll", {m64, 5}, 4},
         {"add.sat.s32", "rrr", {0x7fffffff, 1}, 0x7fffffff},
         {"add.sat.s32", "rrr", {0x80000000, m32}, 0x80000000},
         {"add.sat.s32", "rrr", {5, 6}, 11},
         {"add.u16x2", "rrr", {0x0001ffff, 0x00020001}, 0x00030000},
         {"sub.s32", "rrr", {1, 2}, m32},
         {"sub.s64", "lll", {1, 2}, m64},
         {"sub.u16", "hhh", {1, 2}, 0xffff},
         {"sub.sat.s32", "rrr", {0x80000000, 1}, 0x80000000},
         {"sad.s32", "rrrr", {m32, 3, 10}, 14},
         {"sad.u32", "rrrr", {m32, 3, 10}, m32 + 7 - 0x100000000},
         {"abs.s32", "rr", {m32}, 1},
         {"abs.s32", "rr", {0x80000000}, 0x80000000},
         {"abs.s64", "ll", {m64 - 6}, 7},
         {"neg.s32", "rr", {1}, m32},
         {"neg.s16", "hh", {0x8000}, 0x8000},
         {"min.s32", "rrr", {m32, 1}, m32},
         {"min.u32", "rrr", {m32, 1}, 1},
         {"max.s64", "lll", {m64, 1}, 1},
         {"max.u16", "hhh", {0xffff, 1}, 0xffff},
         {"min.s16x2", "rrr", {0xffff0005, 0x00010002}, 0xffff0002},
         {"max.u16x2", "rrr", {0xffff0005, 0x00010002}, 0xffff0005},
         {"max.relu.s32", "rrr", {m32, m32 - 1}, 0},
         {"max.relu.s32", "rrr", {m32, 7}, 7},
         {"min.relu.s32", "rrr", {m32, 1}, 0},
         {"min.relu.s16x2", "rrr", {0xffff0005, 0x00010002}, 2}});
}

TEST(PtxsimInteger, Products) {
  check({{"mul.lo.s32", "rrr", {0x10001, 0x10001}, 0x20001},
         {"mul.lo.u16", "hhh", {0x101, 0x101}, 0x0201},
         {"mul.lo.s64", "lll", {m64, 7}, m64 - 6},
         {"mul.hi.s32", "rrr", {m32, 2}, m32},
         {"mul.hi.u32", "rrr", {m32, 2}, 1},
         {"mul.hi.s16", "hhh", {0x4000, 0x10}, 4},
         {"mul.hi.u64", "lll", {m64, 16}, 15},
         {"mul.hi.s64", "lll", {m64, 16}, m64},
         {"mul.wide.s32", "lrr", {m32, 3}, m64 - 2},
         {"mul.wide.u32", "lrr", {m32, m32}, 0xfffffffe00000001},
         {"mul.wide.s16", "rhh", {0xffff, 5}, m32 - 4},
         {"mad.lo.s32", "rrrr", {3, 5, m32}, 14},
         {"mad.hi.u32", "rrrr", {m32, 16, 100}, 115},
         {"mad.hi.sat.s32", "rrrr", {0x7fffffff, 0x7fffffff, 0x7fffffff}, 0x7fffffff},
         {"mad.wide.s32", "lrrl", {m32, 3, 10}, 7},
         {"mad.wide.u16", "rhhr", {0xffff, 0xffff, 1}, 0xfffe0002},
         {"mul24.lo.s32", "rrr", {0x00ffffff, 2}, m32 - 1},
         {"mul24.hi.u32", "rrr", {0x01ffffff, 0x00ffffff}, 0xfffffe00},
         {"mad24.lo.u32", "rrrr", {0x00ffffff, 3, 7}, 0x03000004}});
}

TEST(PtxsimInteger, Quotients) {
  check({{"div.s32", "rrr", {m32 - 6, 2}, m32 - 2},
         {"div.u32", "rrr", {m32 - 6, 2}, 0x7ffffffc},
         {"div.s32", "rrr", {0x80000000, m32}, 0x80000000},
         {"div.s64", "lll", {1ULL << 63, m64}, 1ULL << 63},
         {"div.u16", "hhh", {100, 7}, 14},
         {"rem.s32", "rrr", {m32 - 6, 2}, m32},
         {"rem.u32", "rrr", {m32 - 6, 7}, 4},
         {"rem.s32", "rrr", {0x80000000, m32}, 0},
         {"rem.s64", "lll", {m64 - 9, 7}, m64 - 2}});
}

TEST(PtxsimInteger, DotProducts) {
  check({{"dp4a.u32.u32", "rrrr", {0x01020304, 0xff020304, 5}, 255 + 4 + 9 + 16 + 5},
         {"dp4a.s32.u32", "rrrr", {0xff000000, 0x02000000, 5}, 3},
         {"dp2a.lo.s32.s32", "rrrr", {0xffff0002, 0x0000ff03, 10}, 10 + 6 + 1},
         {"dp2a.hi.u32.u32", "rrrr", {0x00010002, 0x0405ffff, 0}, 4 + 10}});
}

TEST(PtxsimInteger, CarriesGoOn) {
  // Adds 1 to 0xffffffff'ffffffff by halves, carries into a third word, and subtracts it again.
  const Words out = run(R"(
ld.global.b64 %l0, [%in];
mov.b64 {%r0, %r1}, %l0;
add.cc.u32 %r2, %r0, 1;
addc.cc.u32 %r3, %r1, 0;
addc.u32 %r4, 0, 10;
sub.cc.u32 %r5, %r2, 1;
subc.cc.u32 %r6, %r3, 0;
subc.u32 %r7, %r4, 0;
mov.b64 %l1, {%r2, %r4};
mov.b64 %l2, {%r6, %r7};
xor.b64 %l1, %l1, %l2;
st.global.b64 [%out], %l1;)",
                        {m64})
                        .out;
  EXPECT_EQ(out[0],
            0x00000001ffffffffULL ^ (Words{0x0000000bULL << 32}[0]) ^ (10ULL << 32) ^ (1ULL << 32));
  // The square of a number of two words modulo 2^64.
  const Words square = run(R"(
ld.global.b64 %l0, [%in];
mov.b64 {%r0, %r1}, %l0;
mul.lo.u32 %r2, %r0, %r0;
mad.lo.cc.u32 %r3, %r0, %r1, 0;
madc.hi.u32 %r3, %r0, %r0, %r3;
mad.lo.u32 %r3, %r1, %r0, %r3;
mov.b64 %l1, {%r2, %r3};
st.global.b64 [%out], %l1;)",
                           {0x123456789abcdef1})
                           .out;
  EXPECT_EQ(square[0], 0x123456789abcdef1ULL * 0x123456789abcdef1ULL);
}

TEST(PtxsimInteger, Logic) {
  check({{"and.b32", "rrr", {0xf0f0, 0xff00}, 0xf000},
         {"or.b64", "lll", {0xf0, 0xf00}, 0xff0},
         {"xor.b16", "hhh", {0xff, 0xf0}, 0xf},
         {"not.b32", "rr", {0xf}, 0xfffffff0},
         {"not.b16", "hh", {0}, 0xffff},
         {"cnot.b32", "rr", {0}, 1},
         {"cnot.b32", "rr", {7}, 0},
         {"and.pred", "ppp", {1, 0}, 0},
         {"or.pred", "ppp", {1, 0}, 1},
         {"xor.pred", "ppp", {1, 1}, 0},
         {"not.pred", "pp", {0}, 1},
         {"lop3.b32", "rrrr", {0xf0f0, 0xff00, 0x1234}, 0xf0f0 ^ 0xff00 ^ 0x1234, "0x96"},
         {"lop3.b32", "rrrr", {0xff, 0x0f, 0x1234}, 0x0f | (0x1234 & ~0xffULL), "0xca"}});
}

TEST(PtxsimInteger, Shifts) {
  check({{"shl.b32", "rrr", {1, 31}, 0x80000000},
         {"shl.b32", "rrr", {1, 32}, 0},
         {"shl.b64", "llr", {1, 63}, 1ULL << 63},
         {"shl.b16", "hhr", {3, 15}, 0x8000},
         {"shr.u32", "rrr", {0x80000000, 31}, 1},
         {"shr.s32", "rrr", {0x80000000, 31}, m32},
         {"shr.s32", "rrr", {0x80000000, 300}, m32},
         {"shr.u32", "rrr", {0x80000000, 32}, 0},
         {"shr.s64", "llr", {1ULL << 63, 62}, m64 - 1},
         {"shr.b16", "hhr", {0x8000, 15}, 1},
         {"shr.s16", "hhr", {0x8000, 15}, 0xffff},
         {"shf.l.wrap.b32", "rrrr", {0x80000001, 0x12345678, 4}, 0x23456788},
         {"shf.l.clamp.b32", "rrrr", {0x80000001, 0x12345678, 40}, 0x80000001},
         {"shf.r.wrap.b32", "rrrr", {0x80000001, 0x12345678, 36}, 0x88000000},
         {"shf.r.clamp.b32", "rrrr", {0x80000001, 0x12345678, 33}, 0x12345678}});
}

TEST(PtxsimInteger, PermutedBytes) {
  constexpr std::uint64_t a = 0x83828180, b = 0x07060504;
  check({{"prmt.b32", "rrrr", {a, b, 0x7450}, 0x07040580},
         {"prmt.b32", "rrrr", {a, b, 0x8c00}, 0xff008080},
         {"prmt.b32.f4e", "rrrr", {a, b, 1}, 0x04838281},
         {"prmt.b32.b4e", "rrrr", {a, b, 1}, 0x06078081},
         {"prmt.b32.rc8", "rrrr", {a, b, 2}, 0x82828282},
         {"prmt.b32.ecl", "rrrr", {a, b, 2}, 0x83828282},
         {"prmt.b32.ecr", "rrrr", {a, b, 1}, 0x81818180},
         {"prmt.b32.rc16", "rrrr", {a, b, 1}, 0x83828382}});
}

// prmt may select bytes of a register that was never written. The byte 5 is a byte of b.
TEST(PtxsimInteger, PermutedBytesBesideUndefinedOnes) {
  EXPECT_EQ(run(R"(
ld.global.b64 %l0, [%in];
cvt.u32.u64 %r0, %l0;
prmt.b32 %r1, %r2, %r0, 0x0540;
cvt.u64.u32 %l1, %r1;
cvt.u64.u16 %l2, %h0;
shl.b64 %l2, %l2, 32;
or.b64 %l1, %l1, %l2;
st.global.b64 [%out], %l1;)",
                {0x1234})
                .out[0],
            0xcbcb'cb12'34cb);
}

TEST(PtxsimInteger, Counts) {
  check({{"popc.b32", "rr", {0xf0f00001}, 9},
         {"popc.b64", "rl", {m64}, 64},
         {"clz.b32", "rr", {1}, 31},
         {"clz.b32", "rr", {0}, 32},
         {"clz.b64", "rl", {0}, 64},
         {"bfind.u32", "rr", {0x00100000}, 20},
         {"bfind.u32", "rr", {0}, m32},
         {"bfind.s32", "rr", {m32}, m32},
         {"bfind.s64", "rl", {m64 - 255}, 7},
         {"bfind.shiftamt.u32", "rr", {0x00100000}, 11},
         {"brev.b32", "rr", {0x80000001}, 0x80000001},
         {"brev.b32", "rr", {0x12}, 0x48000000},
         {"brev.b64", "ll", {1}, 1ULL << 63}});
}

TEST(PtxsimInteger, Fields) {
  check({{"bfe.u32", "rrrr", {0xabcdef01, 8, 12}, 0xdef},
         {"bfe.s32", "rrrr", {0xabcdef01, 8, 12}, 0xfffffdef},
         {"bfe.s32", "rrrr", {0x80000000, 28, 12}, 0xfffffff8},
         {"bfe.u32", "rrrr", {0xabcdef01, 8, 0}, 0},
         {"bfe.u32", "rrrr", {0xabcdef01, 40, 8}, 0},
         {"bfe.s32", "rrrr", {0xabcdef01, 40, 8}, m32},
         {"bfe.u64", "llrr", {0xabcdef0123456789, 60, 8}, 0xa},
         {"bfe.s64", "llrr", {0xabcdef0123456789, 56, 8}, 0xffffffffffffffab},
         {"bfi.b32", "rrrrr", {0xfff, 0, 8, 4}, 0xf00},
         {"bfi.b32", "rrrrr", {0, m32, 30, 8}, 0x3fffffff},
         {"bfi.b64", "lllrr", {0xab, 0, 60, 8}, 0xbULL << 60}});
}

} // namespace
} // namespace ptxsim::test
