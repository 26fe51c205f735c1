// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests warp instructions, divergence and barriers.
#include "test/ptxsim/Snippet.h"

#include <numeric>

namespace ptxsim::test {
namespace {

Words counting(std::size_t count) {
  Words words(count);
  std::iota(words.begin(), words.end(), 1);
  return words;
}

/// Runs a body in which thread t starts with %r0 = t + 1 and puts its result into %r1.
Words lanes(const std::string &body, std::size_t threads = 32, LaunchOptions options = {}) {
  return run("ld.global.b64 %l0, [%in];\ncvt.u32.u64 %r0, %l0;\n" + body +
                 "\ncvt.u64.u32 %l1, %r1;\nst.global.b64 [%out], %l1;",
             counting(threads), "", options)
      .out;
}

TEST(PtxsimWarp, Shuffles) {
  struct {
    const char *instruction;
    unsigned (*source)(unsigned);
  } rows[] = {
      {"shfl.sync.idx.b32 %r1|%p0, %r0, 5, 31, -1;", [](unsigned) { return 5U; }},
      {"shfl.sync.idx.b32 %r1, %r0, 37, 31, -1;", [](unsigned) { return 5U; }},
      {"shfl.sync.up.b32 %r1|%p0, %r0, 3, 0, -1;",
       [](unsigned lane) { return lane < 3 ? lane : lane - 3; }},
      {"shfl.sync.down.b32 %r1|%p0, %r0, 3, 31, -1;",
       [](unsigned lane) { return lane > 28 ? lane : lane + 3; }},
      {"shfl.sync.bfly.b32 %r1|%p0, %r0, 9, 31, -1;", [](unsigned lane) { return lane ^ 9; }},
      // Segments of 8 lanes: 0x1800 keeps the upper two bits of a lane.
      {"shfl.sync.idx.b32 %r1, %r0, 5, 0x181f, -1;", [](unsigned lane) { return (lane & 24) + 5; }},
      {"shfl.sync.down.b32 %r1, %r0, 3, 0x181f, -1;",
       [](unsigned lane) { return lane % 8 > 4 ? lane : lane + 3; }},
      {"shfl.sync.up.b32 %r1, %r0, 3, 0x1800, -1;",
       [](unsigned lane) { return lane % 8 < 3 ? lane : lane - 3; }},
      {"shfl.sync.bfly.b32 %r1, %r0, 8, 0x181f, -1;",
       [](unsigned lane) { return lane & 8 ? lane ^ 8 : lane; }},
  };
  for (const auto &row : rows) {
    const Words out = lanes(row.instruction);
    for (unsigned lane = 0; lane != 32; ++lane)
      EXPECT_EQ(out[lane], row.source(lane) + 1) << row.instruction << " lane " << lane;
  }
  const Words inRange =
      lanes("shfl.sync.down.b32 %r2|%p0, %r0, 3, 31, -1;\nselp.b32 %r1, 1, 0, %p0;");
  for (unsigned lane = 0; lane != 32; ++lane)
    EXPECT_EQ(inRange[lane], lane < 29);
}

TEST(PtxsimWarp, ShuffleFromALaneOutsideIsPoisonAndNoted) {
  const auto result = run(R"(
ld.global.b64 %l0, [%in];
cvt.u32.u64 %r0, %l0;
setp.ge.u32 %p0, %t, 16;
@%p0 ret;
shfl.sync.bfly.b32 %r1, %r0, 16, 31, 0xffff;
cvt.u64.u32 %l1, %r1;
st.global.b64 [%out], %l1;)",
                          counting(32));
  EXPECT_EQ(result.out[3], 0xcbcbcbcb);
  ASSERT_EQ(result.result.notes.size(), 1);
  EXPECT_NE(result.result.notes[0].find("takes no part"), std::string::npos);
}

TEST(PtxsimWarp, Votes) {
  const std::string compare = "setp.lt.u32 %p0, %r0, 6;\n";
  EXPECT_EQ(lanes(compare + "vote.sync.ballot.b32 %r1, %p0, -1;"), Words(32, 0x1f));
  EXPECT_EQ(lanes(compare + "vote.sync.ballot.b32 %r1, !%p0, -1;"), Words(32, 0xffffffe0));
  EXPECT_EQ(lanes(compare + "vote.sync.any.pred %p1, %p0, -1;\nselp.b32 %r1, 1, 0, %p1;"),
            Words(32, 1));
  EXPECT_EQ(lanes(compare + "vote.sync.all.pred %p1, %p0, -1;\nselp.b32 %r1, 1, 0, %p1;"),
            Words(32, 0));
  EXPECT_EQ(lanes(compare + "vote.sync.uni.pred %p1, %p0, -1;\nselp.b32 %r1, 1, 0, %p1;"),
            Words(32, 0));
  EXPECT_EQ(lanes("setp.lt.u32 %p0, %r0, 99;\nvote.sync.all.pred %p1, %p0, -1;\n"
                  "selp.b32 %r1, 1, 0, %p1;",
                  5),
            Words(5, 1)); // lanes beyond the group do not count
}

TEST(PtxsimWarp, MatchesReductionsElection) {
  const std::string third = "rem.u32 %r2, %r0, 3;\n";
  Words out = lanes(third + "match.any.sync.b32 %r1, %r2, -1;");
  for (unsigned lane = 0; lane != 32; ++lane)
    EXPECT_EQ(out[lane], (lane + 1) % 3 == 0   ? 0x24924924U
                         : (lane + 1) % 3 == 1 ? 0x49249249U
                                               : 0x92492492U);
  EXPECT_EQ(
      lanes("and.b64 %l2, %l0, 0;\nmatch.all.sync.b64 %r1|%p0, %l2, -1;\n@!%p0 mov.u32 %r1, 7;"),
      Words(32, 0xffffffff));
  EXPECT_EQ(lanes("match.all.sync.b32 %r1|%p0, %r0, -1;\n@%p0 mov.u32 %r1, 7;"), Words(32, 0));
  EXPECT_EQ(lanes("redux.sync.add.u32 %r1, %r0, -1;"), Words(32, 528));
  EXPECT_EQ(lanes("neg.s32 %r2, %r0;\nredux.sync.min.s32 %r1, %r2, -1;"), Words(32, 0xffffffe0));
  EXPECT_EQ(lanes("neg.s32 %r2, %r0;\nredux.sync.max.u32 %r1, %r2, -1;"), Words(32, 0xffffffff));
  EXPECT_EQ(lanes("or.b32 %r2, %r0, 64;\nredux.sync.and.b32 %r1, %r2, -1;"), Words(32, 64));
  EXPECT_EQ(lanes("redux.sync.or.b32 %r1, %r0, -1;"), Words(32, 63));
  EXPECT_EQ(lanes("redux.sync.xor.b32 %r1, %r0, -1;"), Words(32, 32));
  out = lanes("elect.sync %r1|%p0, -1;\n@%p0 mov.u32 %r1, 99;");
  EXPECT_EQ(out[0], 99);
  EXPECT_EQ(out[1], 0);
}

TEST(PtxsimWarp, LanesDivergeAndMeetAgain) {
  // Each lane loops as often as its index says. The active mask shrinks in the loop and is full
  // again after it.
  const Words out = lanes(R"(
mov.u32 %r1, 0;
mov.u32 %r2, %r0;
loop:
activemask.b32 %r3;
popc.b32 %r3, %r3;
add.s32 %r1, %r1, %r3;
sub.s32 %r2, %r2, 1;
setp.ne.u32 %p0, %r2, 0;
@%p0 bra loop;
activemask.b32 %r3;
popc.b32 %r3, %r3;
mad.lo.s32 %r1, %r3, 10000, %r1;)");
  for (unsigned lane = 0; lane != 32; ++lane) {
    unsigned sum = 0;
    for (unsigned i = 0; i <= lane; ++i)
      sum += 32 - i;
    EXPECT_EQ(out[lane], 320000 + sum);
  }
}

TEST(PtxsimWarp, SyncWaitsForLanesOnOtherPaths) {
  // Odd lanes take a branch. The .sync names all lanes, so all reconverge there in any order.
  for (std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), {1}, {2}, {3}}) {
    LaunchOptions options;
    options.seed = seed;
    const Words out = lanes(R"(
and.b32 %r2, %r0, 1;
setp.eq.u32 %p0, %r2, 0;
@%p0 bra even;
mul.lo.u32 %r0, %r0, 100;
bra.uni join;
even:
add.s32 %r0, %r0, 5000;
join:
bar.warp.sync -1;
shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;)",
                            32, options);
    for (unsigned lane = 0; lane != 32; ++lane)
      EXPECT_EQ(out[lane], lane % 2 ? lane * 100 : lane + 2 + 5000);
  }
}

TEST(PtxsimWarp, LanesThatWaitForOthersLetThemRun) {
  // Lane 0 spins until lane 31, whose code comes later in the program, has stored.
  const Words out = run(R"(
setp.ne.u32 %p0, %t, 0;
@%p0 bra others;
spin:
ld.volatile.shared.u32 %r1, [top_flag];
setp.ne.u32 %p1, %r1, 7;
@%p1 bra spin;
bra done;
others:
setp.eq.u32 %p2, %t, 31;
@%p2 st.volatile.shared.u32 [top_flag], 7;
mov.u32 %r1, 1;
done:
cvt.u64.u32 %l1, %r1;
st.global.b64 [%out], %l1;)",
                        counting(32), ".shared .align 4 .u32 top_flag;")
                        .out;
  EXPECT_EQ(out[0], 7);
  EXPECT_EQ(out[30], 1);
}

//===-- Barriers --===//

TEST(PtxsimBarrier, ReductionsOverTheGroup) {
  const std::string compare = "setp.gt.u32 %p0, %r0, 50;\n";
  EXPECT_EQ(lanes(compare + "bar.red.popc.u32 %r1, 0, %p0;", 77), Words(77, 27));
  EXPECT_EQ(lanes(compare + "bar.red.popc.u32 %r1, 0, !%p0;", 77), Words(77, 50));
  EXPECT_EQ(lanes(compare + "barrier.red.or.pred %p1, 0, %p0;\nselp.b32 %r1, 1, 0, %p1;", 77),
            Words(77, 1));
  EXPECT_EQ(
      lanes(compare + "barrier.cta.red.and.aligned.pred %p1, 0, %p0;\nselp.b32 %r1, 1, 0, %p1;",
            77),
      Words(77, 0));
}

TEST(PtxsimBarrier, DoesNotWaitForThreadsThatEnded) {
  const Words out = lanes(R"(
setp.gt.u32 %p0, %r0, 40;
@%p0 exit;
bar.sync 0;
barrier.sync 1;
mov.u32 %r1, 3;)",
                          70);
  EXPECT_EQ(out[39], 3);
  EXPECT_NE(out[40], 3);
}

TEST(PtxsimBarrier, OfEachKindCountsThreadsThatEndedMeanwhile) {
  // In each of three rounds another thread of each warp ends between two barriers. In round 2 the
  // whole third warp ends.
  const std::string end = R"(
setp.eq.u32 %p0, %r4, %r3;
setp.ge.u32 %p1, %t, 64;
setp.eq.and.u32 %p1, %r3, 2, %p1;
or.pred %p0, %p0, %p1;
@%p0 exit;)";
  for (const char *barrier : {"bar.sync 0;", "barrier.sync 0;", "barrier.sync.aligned 0;",
                              "bar.red.popc.u32 %r5, 0, %p2;"})
    for (std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), {1}, {2}}) {
      LaunchOptions options;
      options.seed = seed;
      const std::string body = std::string("and.b32 %r4, %t, 31;\nmov.u32 %r3, 0;\n") +
                               "setp.eq.u32 %p2, %r3, 0;\nround:\n" + barrier + end + barrier +
                               "\nadd.s32 %r3, %r3, 1;\nsetp.lt.u32 %p3, %r3, 3;\n"
                               "@%p3 bra round;\nadd.s32 %r1, %r3, 4;";
      const Words out = lanes(body, 96, options);
      for (unsigned thread = 0; thread != 96; ++thread)
        EXPECT_EQ(out[thread] == 7, thread % 32 >= 3 && thread < 64) << barrier << thread;
    }
}

TEST(PtxsimBarrier, CountsOnlyThePredicatesOfThreadsThatGoOn) {
  const Words out = lanes(R"(
setp.gt.u32 %p0, %r0, 40;
@%p0 exit;
setp.gt.u32 %p1, %r0, 30;
bar.red.popc.u32 %r1, 0, %p1;)",
                          70);
  EXPECT_EQ(out[0], 10);
  EXPECT_EQ(out[39], 10);
}

TEST(PtxsimWarp, CollectivesLeaveOutLanesThatEnded) {
  const std::string end = "and.b32 %r2, %t, 3;\nsetp.eq.u32 %p0, %r2, 1;\n@%p0 exit;\n"
                          "setp.ne.u32 %p1, %r0, 0;\n";
  const struct {
    const char *instruction;
    unsigned expected;
  } rows[] = {
      {"vote.sync.ballot.b32 %r1, %p1, -1;", 0xdddddddd},
      {"vote.sync.all.pred %p2, %p1, -1;\nselp.b32 %r1, 8, 9, %p2;", 8},
      {"vote.sync.any.pred %p2, !%p1, -1;\nselp.b32 %r1, 8, 9, %p2;", 9},
      {"match.any.sync.b32 %r1, 5, -1;", 0xdddddddd},
      {"match.all.sync.b32 %r1, 5, -1;", 0xdddddddd},
      {"redux.sync.add.s32 %r1, %r0, -1;", 528 - (2 + 6 + 10 + 14 + 18 + 22 + 26 + 30)},
      {"redux.sync.max.u32 %r1, %r0, -1;", 32},
      {"bar.warp.sync -1;\nactivemask.b32 %r1;", 0xdddddddd},
      {"shfl.sync.bfly.b32 %r1, %r0, 2, 31, -1;\nmov.u32 %r1, 3;", 3},
  };
  for (const auto &[instruction, expected] : rows)
    for (std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), {1}, {2}}) {
      LaunchOptions options;
      options.seed = seed;
      const Words out = lanes(end + instruction, 32, options);
      for (unsigned lane = 0; lane != 32; ++lane)
        if (lane % 4 != 1)
          EXPECT_EQ(out[lane], expected) << instruction << " lane " << lane;
    }
}

TEST(PtxsimBarrier, OfSomeWarpsOnly) {
  // The first warp produces and arrives. The second waits and consumes. The third does not take
  // part.
  const Words out = run(R"(
ld.global.b64 %l0, [%in];
shl.b32 %r5, %t, 3;
mov.u32 %r6, top_box;
setp.ge.u32 %p0, %t, 32;
@%p0 bra second;
add.s32 %r5, %r5, %r6;
st.shared.b64 [%r5], %l0;
bar.arrive 2, 64;
bra done;
second:
setp.ge.u32 %p0, %t, 64;
@%p0 bra done;
bar.sync 2, 64;
sub.s32 %r5, %r5, 256;
add.s32 %r5, %r5, %r6;
ld.shared.b64 %l0, [%r5];
done:
st.global.b64 [%out], %l0;)",
                        counting(96), ".shared .align 8 .b8 top_box[256];")
                        .out;
  EXPECT_EQ(out[40], 9);
  EXPECT_EQ(out[3], 4);
  EXPECT_EQ(out[80], 81);
}

} // namespace
} // namespace ptxsim::test
