// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests cvt, comparisons, selections and moves.
#include "test/ptxsim/Snippet.h"

#include <cmath>

namespace ptxsim::test {
namespace {

constexpr std::uint64_t m32 = 0xffffffff, m64 = ~0ULL;
const std::uint64_t nan32 = 0x7fffffff, nan64 = bits(std::nan(""));

TEST(PtxsimConvert, Integers) {
  check({{"cvt.s64.s32", "lr", {0x80000000}, 0xffffffff80000000},
         {"cvt.u64.u32", "lr", {m32}, m32},
         {"cvt.u32.u64", "rl", {0x123456789}, 0x23456789},
         {"cvt.s32.s8", "rr", {0x1ff}, m32},
         {"cvt.u16.u8", "hh", {0x1ff}, 0xff},
         {"cvt.s16.s8", "hh", {0x80}, 0xff80},
         {"cvt.u8.u32", "hr", {0x1ff}, 0xff},
         {"cvt.s8.s32", "rr", {0x180}, 0xffffff80},
         {"cvt.sat.s8.s32", "rr", {0x180}, 0x7f},
         {"cvt.sat.u8.s32", "rr", {m32}, 0},
         {"cvt.sat.u16.u32", "hr", {0x12345}, 0xffff},
         {"cvt.sat.s32.u32", "rr", {m32}, 0x7fffffff}});
}

TEST(PtxsimConvert, FloatsToIntegers) {
  check({{"cvt.rzi.s32.f32", "rr", {bits(-2.75F)}, m32 - 1},
         {"cvt.rni.s32.f32", "rr", {bits(2.5F)}, 2},
         {"cvt.rmi.s32.f32", "rr", {bits(-2.25F)}, m32 - 2},
         {"cvt.rpi.s32.f32", "rr", {bits(2.25F)}, 3},
         {"cvt.rzi.u32.f32", "rr", {bits(-1.0F)}, 0},
         {"cvt.rzi.u32.f32", "rr", {bits(5e9F)}, m32},
         {"cvt.rzi.s32.f32", "rr", {bits(-5e9F)}, 0x80000000},
         {"cvt.rzi.s32.f32", "rr", {nan32}, 0},
         {"cvt.rzi.s64.f32", "lr", {nan32}, 1ULL << 63},
         {"cvt.rzi.s32.f64", "rd", {nan64}, 0x80000000},
         {"cvt.rzi.u64.f64", "ld", {bits(1e300)}, m64},
         {"cvt.rzi.u64.f64", "ld", {bits(0x1p63)}, 1ULL << 63},
         {"cvt.rzi.s64.f64", "ld", {bits(-1e300)}, 1ULL << 63},
         {"cvt.rzi.s16.f32", "hr", {bits(70000.0F)}, 0x7fff},
         {"cvt.rzi.u8.f32", "hr", {bits(300.0F)}, 0xff},
         {"cvt.rni.s32.f16", "rh", {0x4500}, 5},
         {"cvt.rzi.ftz.s32.f32", "rr", {1}, 0}});
}

TEST(PtxsimConvert, IntegersToFloats) {
  check({{"cvt.rn.f32.s32", "rr", {m32}, bits(-1.0F)},
         {"cvt.rn.f32.u32", "rr", {m32}, bits(0x1p32F)},
         {"cvt.rz.f32.u32", "rr", {m32}, bits(0x1.fffffep31F)},
         {"cvt.rp.f32.s32", "rr", {0x01000001}, bits(0x1000002p0F)},
         {"cvt.rm.f32.s32", "rr", {m32 - 0x01000000}, bits(-0x1000002p0F)},
         {"cvt.rn.f64.u64", "dl", {m64}, bits(0x1p64)},
         {"cvt.rz.f64.s64", "dl", {0x7fffffffffffffff}, bits(0x1.fffffffffffffp62)},
         {"cvt.rn.f32.u64", "rl", {(1ULL << 40) + (1 << 16) + 1}, bits(0x1.000002p40F)},
         {"cvt.rn.f16.s32", "hr", {100000}, 0x7c00},
         {"cvt.rn.f16.u16", "hh", {2049}, 0x6800},
         {"cvt.rn.bf16.s32", "hr", {257}, 0x4380},
         {"cvt.rn.f32.s8", "rh", {0xff}, bits(-1.0F)}});
}

TEST(PtxsimConvert, BetweenFloats) {
  check({{"cvt.rn.f32.f64", "rd", {bits(0.1)}, bits(0.1F)},
         {"cvt.rz.f32.f64", "rd", {bits(1e300)}, 0x7f7fffff},
         {"cvt.rn.f32.f64", "rd", {bits(1e-46)}, 0},
         {"cvt.rn.f32.f64", "rd", {nan64}, nan32},
         {"cvt.f64.f32", "dr", {bits(-0.1F)}, bits(double(-0.1F))},
         {"cvt.rn.f16.f32", "hr", {bits(65520.0F)}, 0x7c00},
         {"cvt.rn.f16.f32", "hr", {bits(65519.0F)}, 0x7bff},
         {"cvt.rn.f16.f32", "hr", {bits(0x1p-25F)}, 0},
         {"cvt.rn.f16.f32", "hr", {bits(0x1.8p-24F)}, 2},
         {"cvt.rz.f16.f32", "hr", {bits(65535.0F)}, 0x7bff},
         {"cvt.f32.f16", "rh", {0x0001}, bits(0x1p-24F)},
         {"cvt.f32.f16", "rh", {0xfc00}, bits(-INFINITY)},
         {"cvt.rn.f16.f64", "hd", {bits(1 + 0x1p-11 + 0x1p-40)}, 0x3c01},
         {"cvt.f32.bf16", "rh", {0x3f81}, bits(0x1.02p0F)},
         {"cvt.rn.bf16.f32", "hr", {bits(0x1.01p0F)}, 0x3f80},
         {"cvt.rn.bf16.f32", "hr", {bits(0x1.03p0F)}, 0x3f82},
         {"cvt.rn.f16x2.f32", "rrr", {bits(1.0F), bits(2.0F)}, 0x3c004000},
         {"cvt.rn.bf16x2.f32", "rrr", {bits(1.0F), bits(2.0F)}, 0x3f804000},
         {"cvt.rn.relu.f16x2.f32", "rrr", {bits(-1.0F), bits(2.0F)}, 0x4000},
         {"cvt.rni.f32.f32", "rr", {bits(-0.5F)}, bits(-0.0F)},
         {"cvt.rpi.f32.f32", "rr", {bits(1.25F)}, bits(2.0F)},
         {"cvt.rmi.f64.f64", "dd", {bits(-1.25)}, bits(-2.0)},
         {"cvt.sat.f32.f32", "rr", {bits(1.5F)}, bits(1.0F)},
         {"cvt.sat.f32.f32", "rr", {nan32}, 0},
         {"cvt.rn.sat.f16.f32", "hr", {bits(-3.0F)}, 0},
         {"cvt.rzi.ftz.f32.f32", "rr", {1}, 0}});
}

TEST(PtxsimCompare, Predicates) {
  const std::uint64_t one = bits(1.0F), two = bits(2.0F);
  check({{"setp.eq.s32", "prr", {1, 1}, 1},
         {"setp.ne.b64", "pll", {1, 1}, 0},
         {"setp.lt.s32", "prr", {m32, 1}, 1},
         {"setp.lt.u32", "prr", {m32, 1}, 0},
         {"setp.le.s64", "pll", {m64, m64}, 1},
         {"setp.gt.u16", "phh", {0xffff, 1}, 1},
         {"setp.ge.s16", "phh", {0xffff, 1}, 0},
         {"setp.lo.u32", "prr", {1, m32}, 1},
         {"setp.ls.u32", "prr", {2, 1}, 0},
         {"setp.hi.u64", "pll", {m64, 1}, 1},
         {"setp.hs.u32", "prr", {1, 1}, 1},
         {"setp.eq.f32", "prr", {bits(0.0F), bits(-0.0F)}, 1},
         {"setp.eq.f32", "prr", {nan32, nan32}, 0},
         {"setp.ne.f32", "prr", {nan32, one}, 0},
         {"setp.lt.f32", "prr", {one, two}, 1},
         {"setp.le.f64", "pdd", {bits(1.0), nan64}, 0},
         {"setp.gt.f32", "prr", {one, two}, 0},
         {"setp.ge.f32", "prr", {two, two}, 1},
         {"setp.equ.f32", "prr", {nan32, one}, 1},
         {"setp.equ.f32", "prr", {two, one}, 0},
         {"setp.neu.f32", "prr", {nan32, one}, 1},
         {"setp.ltu.f32", "prr", {two, one}, 0},
         {"setp.leu.f32", "prr", {nan32, one}, 1},
         {"setp.gtu.f64", "pdd", {bits(2.0), bits(1.0)}, 1},
         {"setp.geu.f32", "prr", {one, two}, 0},
         {"setp.num.f32", "prr", {one, nan32}, 0},
         {"setp.nan.f32", "prr", {one, nan32}, 1},
         {"setp.gt.ftz.f32", "prr", {1, 0}, 0},
         {"setp.gt.f32", "prr", {1, 0}, 1},
         {"setp.lt.f16", "phh", {0xbc00, 0x3c00}, 1},
         {"setp.gt.bf16", "phh", {0x7fc0, 0x3f80}, 0},
         {"setp.lt.and.s32", "prrp", {1, 2, 0}, 0},
         {"setp.lt.or.s32", "prrp", {3, 2, 1}, 1},
         {"setp.lt.xor.s32", "prrp", {1, 2, 1}, 0},
         {"setp.lt.and.s32", "prr", {1, 2}, 1, "!%p7"}});
}

TEST(PtxsimCompare, BothPredicates) {
  // p is the comparison and q its opposite, each combined with a predicate. For two halves, p and q
  // are the results of the halves.
  const Words out = run(R"(
ld.global.u32 %r0, [%in];
setp.ne.u32 %p3, %r0, 100;
setp.lt.s32 %p0|%p1, %r0, 5;
selp.b32 %r1, 1, 0, %p0;
selp.b32 %r2, 2, 0, %p1;
setp.lt.and.s32 %p0|%p1, %r0, 5, !%p3;
selp.b32 %r3, 4, 0, %p0;
selp.b32 %r4, 8, 0, %p1;
mov.b32 %r8, 0x3c004000;
mov.b32 %r9, 0x40003c00;
setp.lt.f16x2 %p0|%p1, %r8, %r9;
selp.b32 %r5, 16, 0, %p0;
selp.b32 %r6, 32, 0, %p1;
or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3; or.b32 %r1, %r1, %r4;
or.b32 %r1, %r1, %r5; or.b32 %r1, %r1, %r6;
cvt.u64.u32 %l0, %r1;
st.global.b64 [%out], %l0;)",
                        {3, 7, 100})
                        .out;
  EXPECT_EQ(out, (Words{1 + 32, 2 + 32, 2 + 8 + 32}));
}

TEST(PtxsimCompare, Values) {
  check({{"set.lt.u32.s32", "rrr", {m32, 1}, m32},
         {"set.lt.f32.s32", "rrr", {m32, 1}, bits(1.0F)},
         {"set.gt.s32.f32", "rrr", {bits(1.0F), nan32}, 0},
         {"set.eq.and.u32.u32", "rrrp", {1, 1, 0}, 0},
         {"set.lt.f16x2.f16x2", "rrr", {0x3c004000, 0x40003c00}, 0x3c000000},
         {"selp.b32", "rrrp", {5, 6, 1}, 5},
         {"selp.b64", "lllp", {5, 6, 0}, 6},
         {"selp.f32", "rrrp", {5, 6, 0}, 6},
         {"selp.b16", "hhhp", {5, 6, 1}, 5},
         {"slct.b32.s32", "rrrr", {5, 6, 0}, 5},
         {"slct.b32.s32", "rrrr", {5, 6, m32}, 6},
         {"slct.f32.f32", "rrrr", {5, 6, bits(-0.0F)}, 5},
         {"slct.u64.f32", "lllr", {5, 6, nan32}, 6},
         {"slct.ftz.b32.f32", "rrrr", {5, 6, 0x80000001}, 5}});
}

TEST(PtxsimMove, Values) {
  check({{"mov.b32", "rr", {7}, 7},
         {"mov.b64", "ll", {m64}, m64},
         {"mov.pred", "pp", {1}, 1},
         {"mov.f64", "dd", {nan64}, nan64},
         {"mov.u16", "hh", {65535}, 65535},
         {"mov.u32", "r", {}, 32, "WARP_SZ"},
         {"mov.f32", "r", {}, bits(1.5F), "0f3FC00000"},
         {"mov.f64", "d", {}, bits(1.5), "0d3FF8000000000000"},
         {"mov.f32", "r", {}, bits(0.25F), "0.25"},
         {"mov.b32", "r", {}, m32 - 4, "-5"},
         {"mov.b32", "r", {}, 8, "010"},
         {"mov.b32", "r", {}, 5, "0b101"},
         {"mov.b64", "l", {}, 0xabcdef, "0xABCDEF"},
         {"mov.b32", "r", {}, 0x3340, "0x3340U"},
         {"add.s32", "rr", {5}, 2, "-3"}});
}

TEST(PtxsimMove, PacksAndUnpacks) {
  const Words out = run(R"(
ld.global.b64 %l0, [%in];
mov.b64 {%r0, %r1}, %l0;
mov.b64 {%h0, %h1, %h2, %h3}, %l0;
mov.b64 {_, %r2}, %l0;
mov.b32 {%h4, %h5}, %r0;
mov.b32 %r3, {%h5, %h4};
mov.b64 %l1, {%r1, %r3};
mov.b64 %l2, {%h3, %h2, %h1, %h0};
mov.b64 %l3, {%r2, %r0};
xor.b64 %l1, %l1, %l2;
xor.b64 %l1, %l1, %l3;
st.global.b64 [%out], %l1;)",
                        {0x1111222233334444})
                        .out;
  EXPECT_EQ(out[0], 0x4444333311112222ULL ^ 0x4444333322221111ULL ^ 0x3333444411112222ULL);
}

} // namespace
} // namespace ptxsim::test
