// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests warp collectives on the CPU, in all kinds of control flow.
#include "test/unit/codegen/GroupHarness.h"

namespace spl::test {
namespace {

class Warps : public Groups {};
INSTANTIATE_TEST_SUITE_P(, Warps, everyShape);

TEST_P(Warps, VoteAndReduce) {
  expect(R"mir(
    %isOdd0 = arith.andi %mine, %c1 : i64
    %isOdd = arith.cmpi ne, %isOdd0, %c0 : i64
    %ballot = spl.intrinsic "gpu.ballot"(%isOdd) : (i1) -> i32
    %any = spl.intrinsic "gpu.any"(%isOdd) : (i1) -> i1
    %all = spl.intrinsic "gpu.all"(%isOdd) : (i1) -> i1
    %sum = spl.intrinsic "gpu.warp_sum"(%mine) : (i64) -> i64
    %max = spl.intrinsic "gpu.warp_max"(%mine) : (i64) -> i64
    %scan = spl.intrinsic "gpu.warp_scan"(%mine) {exclusive} : (i64) -> i64
    %b = arith.extui %ballot : i32 to i64
    %p = arith.extui %any : i1 to i64
    %q = arith.extui %all : i1 to i64
    %s0 = arith.xori %b, %sum : i64
    %s1 = arith.addi %s0, %max : i64
    %s2 = arith.addi %s1, %scan : i64
    %s3 = arith.addi %s2, %p : i64
    %q2 = arith.shli %q, %c2 : i64
    %result = arith.addi %s3, %q2 : i64)mir",
         [](const Group &group, int64_t flat) {
           int64_t ballot = 0, max = INT64_MIN, scan = 0;
           bool all = true;
           for (int64_t id : group.warp(flat)) {
             ballot |= (group.in[id] & 1) << id % 32;
             all &= group.in[id] & 1;
             max = std::max(max, group.in[id]);
             scan += id < flat ? group.in[id] : 0;
           }
           return (ballot ^ group.sum(group.warp(flat))) + max + scan + (ballot != 0) + 4 * all;
         });
}

TEST_P(Warps, Shuffle) {
  expect(R"mir(
    %up = spl.intrinsic "gpu.shuffle_up"(%mine, %c3) : (i64, i64) -> i64
    %far = arith.muli %lane, %c5 : i64
    %none = spl.intrinsic "gpu.shuffle_up"(%mine, %far) : (i64, i64) -> i64
    %xor = spl.intrinsic "gpu.shuffle_xor"(%mine, %c0) : (i64, i64) -> i64
    %low = arith.shrui %lane, %c1 : i64
    %m = spl.intrinsic "gpu.shuffle"(%mine, %low) : (i64, i64) -> i64
    %five = arith.remsi %mine, %c5 : i64
    %match = spl.intrinsic "gpu.match_any"(%five) : (i64) -> i32
    %w = arith.extui %match : i32 to i64
    %s0 = arith.addi %up, %none : i64
    %s1 = arith.xori %s0, %w : i64
    %s2 = arith.addi %s1, %xor : i64
    %s3 = arith.muli %m, %c3 : i64
    %result = arith.addi %s2, %s3 : i64)mir",
         [](const Group &group, int64_t flat) {
           int64_t lane = flat % 32, first = flat - lane, match = 0;
           for (int64_t id : group.warp(flat))
             match |= int64_t(group.in[id] % 5 == group.in[flat] % 5) << id % 32;
           int64_t up = lane >= 3 ? group.in[flat - 3] : group.in[flat];
           // five times the lane may exceed the last lane
           return ((up + group.in[flat]) ^ match) + group.in[flat] + 3 * group.in[first + lane / 2];
         });
}

// The lanes that took the same path synchronise in nested branches. All lanes synchronise after
// them.
TEST_P(Warps, MeetInBranches) {
  expect(R"mir(
    %third = arith.remui %lane, %c3 : i64
    %isThird = arith.cmpi eq, %third, %c0 : i64
    %a = scf.if %isThird -> i64 {
      %s = spl.intrinsic "gpu.warp_sum"(%mine) : (i64) -> i64
      scf.yield %s : i64
    } else {
      %isPositive = arith.cmpi sgt, %mine, %c0 : i64
      %inner = scf.if %isPositive -> i64 {
        %s = spl.intrinsic "gpu.warp_scan"(%mine) : (i64) -> i64
        scf.yield %s : i64
      } else {
        %m = spl.intrinsic "gpu.warp_min"(%mine) : (i64) -> i64
        scf.yield %m : i64
      }
      %t = arith.constant true
      %all = spl.intrinsic "gpu.ballot"(%t) : (i1) -> i32
      %b = arith.extui %all : i32 to i64
      %s = arith.addi %inner, %b : i64
      scf.yield %s : i64
    }
    %whole = spl.intrinsic "gpu.warp_sum"(%c1) : (i64) -> i64
    %result = arith.addi %a, %whole : i64)mir",
         [](const Group &group, int64_t flat) {
           int64_t count = int64_t(group.warp(flat).size());
           auto isThird = [](int64_t id) { return id % 32 % 3 == 0; };
           if (isThird(flat))
             return group.sum(group.warp(flat, isThird)) + count;
           int64_t ballot = 0, inner = 0;
           for (int64_t id : group.warp(flat, [&](int64_t id) { return !isThird(id); })) {
             ballot |= int64_t(1) << id % 32;
             bool isLike = (group.in[id] > 0) == (group.in[flat] > 0);
             if (isLike && group.in[flat] > 0)
               inner += id <= flat ? group.in[id] : 0;
             else if (isLike)
               inner = std::min(inner, group.in[id]);
           }
           return inner + ballot + count;
         });
}

// Lanes leave loops at different times, by the bounds and by a condition.
TEST_P(Warps, MeetInLoops) {
  expect(R"mir(
    %turns = arith.remui %flat, %c5 : i64
    %a:2 = scf.for %k = %c0 to %turns step %c1 iter_args(%sum = %c0, %last = %n)
        -> (i64, i64) : i64 {
      %here = spl.intrinsic "gpu.warp_sum"(%c1) : (i64) -> i64
      %weighted = arith.muli %here, %k : i64
      %next = arith.addi %sum, %weighted : i64
      scf.yield %next, %here : i64, i64
    }
    %b = scf.while (%v = %mine) : (i64) -> (i64) {
      %max = spl.intrinsic "gpu.warp_max"(%v) : (i64) -> i64
      %isLess = arith.cmpi slt, %v, %max : i64
      %distance = arith.subi %max, %v : i64
      %isFar = arith.cmpi sgt, %distance, %c5 : i64
      %more = arith.andi %isLess, %isFar : i1
      scf.condition(%more) %v : i64
    } do {
    ^bb0(%v: i64):
      %half = arith.addi %v, %c5 : i64
      scf.yield %half : i64
    }
    %s0 = arith.muli %a#0, %c3 : i64
    %s1 = arith.addi %s0, %a#1 : i64
    %result = arith.addi %s1, %b : i64)mir",
         [](const Group &group, int64_t flat) {
           int64_t sum = 0, last = group.n;
           for (int64_t k = 0; k < flat % 5; ++k) {
             last = int64_t(group.warp(flat, [&](int64_t id) { return k < id % 5; }).size());
             sum += last * k;
           }
           auto values = std::vector<int64_t>(group.in, group.in + group.size());
           auto lanes = group.warp(flat);
           for (;;) {
             int64_t max = INT64_MIN;
             for (int64_t id : lanes)
               max = std::max(max, values[id]);
             std::erase_if(lanes, [&](int64_t id) { return max - values[id] <= 5; });
             if (std::find(lanes.begin(), lanes.end(), flat) == lanes.end())
               return 3 * sum + last + values[flat];
             for (int64_t id : lanes)
               values[id] += 5;
           }
         });
}

// Warp and group collectives alternate. Values of both kinds live across them.
TEST_P(Warps, AndTheGroupTakeTurns) {
  expect(R"mir(
    %parts = spl.shared "parts"[32] : !spl.slice<i64, mut>
    %sum = spl.intrinsic "gpu.warp_sum"(%mine) : (i64) -> i64
    %warp = spl.intrinsic "gpu.warp_id" : () -> i64
    %isFirst = arith.cmpi eq, %lane, %c0 : i64
    scf.if %isFirst {
      spl.store %sum, %parts[%warp] : <i64, mut>
    }
    %scan = spl.intrinsic "gpu.warp_scan"(%mine) : (i64) -> i64
    spl.intrinsic "gpu.barrier" : () -> ()
    %up = arith.constant 31 : i64
    %most = arith.addi %size, %up : i64
    %warps = arith.shrui %most, %c5 : i64
    %isFew = arith.cmpi sgt, %warps, %c0 : i64
    %total = scf.if %isFew -> i64 {
      %all = scf.for %k = %c0 to %warps step %c1 iter_args(%t = %c0) -> (i64) : i64 {
        %part = spl.load %parts[%k] : <i64, mut>
        %both = arith.addi %t, %part : i64
        %swapped = spl.intrinsic "gpu.shuffle_xor"(%both, %c0) : (i64, i64) -> i64
        spl.intrinsic "gpu.barrier" : () -> ()
        scf.yield %swapped : i64
      }
      scf.yield %all : i64
    } else {
      scf.yield %c0 : i64
    }
    %s = arith.muli %scan, %c3 : i64
    %result = arith.addi %total, %s : i64)mir",
         [](const Group &group, int64_t flat) {
           int64_t total = 0, scan = 0;
           for (int64_t id = 0; id < group.size(); ++id) {
             total += group.in[id];
             scan += id / 32 == flat / 32 && id <= flat ? group.in[id] : 0;
           }
           return total + 3 * scan;
         });
}

} // namespace
} // namespace spl::test
