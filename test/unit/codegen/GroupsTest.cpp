// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose work-items meet, run on the CPU in groups of every shape, beside what each
// work-item should have found, computed here one by one.
#include "test/unit/codegen/Harness.h"
#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>

namespace spl::test {
namespace {

using Ints = std::vector<int64_t>;
using Shape = std::array<int64_t, 3>;

/// Of every kernel: %in and %out have an element for each work-item of the launch. %flat is its
/// place in the group, %id in the launch, %size the group's; %lane its place in its warp.
constexpr const char *opening = R"mir(
    (%in: !spl.slice<i64> {spl.name = "in"}, %out: !spl.slice<i64, mut> {spl.name = "out"}, %n: i64)
    attributes {signature = "k(in: &[i64], out: &mut [i64], n: i64)"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c5 = arith.constant 5 : i64
  %x = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %y = spl.intrinsic "gpu.local_id" axis 1 : () -> i64
  %z = spl.intrinsic "gpu.local_id" axis 2 : () -> i64
  %sx = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  %sy = spl.intrinsic "gpu.local_size" axis 1 : () -> i64
  %sz = spl.intrinsic "gpu.local_size" axis 2 : () -> i64
  %zy = arith.muli %z, %sy : i64
  %yz = arith.addi %zy, %y : i64
  %rows = arith.muli %yz, %sx : i64
  %flat = arith.addi %rows, %x : i64
  %szy = arith.muli %sz, %sy : i64
  %size = arith.muli %szy, %sx : i64
  %group = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  %first = arith.muli %group, %size : i64
  %id = arith.addi %first, %flat : i64
  %lane = spl.intrinsic "gpu.lane_id" : () -> i64
  %mine = spl.load %in[%id] : <i64>
)mir";
constexpr const char *closing = R"mir(
  spl.store %result, %out[%id] : <i64, mut>
  spl.return
})mir";

constexpr int64_t groups = 3;

/// One group's work-items, as the reference sees them.
struct Group {
  Shape shape;
  const int64_t *in; ///< of its first work-item
  int64_t n;
  int64_t size() const { return shape[0] * shape[1] * shape[2]; }

  /// The flat ids in the warp of that one.
  std::vector<int64_t> warp(int64_t flat) const {
    std::vector<int64_t> ids;
    for (int64_t id = flat / 32 * 32; id < std::min(size(), flat / 32 * 32 + 32); ++id)
      ids.push_back(id);
    return ids;
  }
  /// Those of them for which it holds.
  std::vector<int64_t> warp(int64_t flat, const std::function<bool(int64_t)> &holds) const {
    std::vector<int64_t> ids = warp(flat);
    std::erase_if(ids, [&](int64_t id) { return !holds(id); });
    return ids;
  }
  int64_t sum(const std::vector<int64_t> &ids) const {
    int64_t total = 0;
    for (int64_t id : ids)
      total += in[id];
    return total;
  }
};

using Reference = std::function<int64_t(const Group &, int64_t flat)>;

class Groups : public testing::TestWithParam<std::tuple<Shape, unsigned>> {
protected:
  void expect(const std::string &body, const Reference &reference, int64_t sharedBytes = 0) {
    auto [shape, level] = GetParam();
    codegen::Options options = optionsFor("cpu");
    options.optLevel = level;
    HostCode code("spl.kernel @k" + (opening + body) + closing, options);
    int64_t size = shape[0] * shape[1] * shape[2], n = 7;
    Ints in(groups * size), out(groups * size, -1);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = int64_t(i * 2654435761u % 1000) - 300;
    void *inData = in.data(), *outData = out.data();
    int64_t extent = int64_t(in.size());
    spl_cpu_launch launch{{groups, 1, 1}, {shape[0], shape[1], shape[2]}, nullptr, sharedBytes};
    auto fault = code.run("k", {&inData, &extent, &outData, &extent, &n}, launch, 0, groups);
    ASSERT_EQ(fault, nullptr) << fault->site.line;
    for (int64_t id = 0; id < extent; ++id) {
      Group group{shape, in.data() + id / size * size, n};
      ASSERT_EQ(out[id], reference(group, id % size)) << "work-item " << id;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, Groups,
                         testing::Combine(testing::Values(Shape{1, 1, 1}, Shape{31, 1, 1},
                                                          Shape{33, 1, 1}, Shape{64, 1, 1},
                                                          Shape{255, 1, 1}, Shape{1024, 1, 1},
                                                          Shape{5, 7, 3}, Shape{3, 1, 11}),
                                          testing::Values(0u, 3u)));

//===-- The group --===//

TEST_P(Groups, ValuesLiveAcrossABarrier) {
  expect(R"mir(
    %tile = spl.shared "tile"[1024] : !spl.slice<i64, mut>
    %double = arith.muli %mine, %c2 : i64
    spl.store %mine, %tile[%flat] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
    %last = arith.subi %size, %c1 : i64
    %other = arith.subi %last, %flat : i64
    %theirs = spl.load %tile[%other] : <i64, mut>
    %sum = arith.addi %theirs, %double : i64
    %result = arith.addi %sum, %y : i64)mir",
         [](const Group &group, int64_t flat) {
           return group.in[group.size() - 1 - flat] + 2 * group.in[flat] +
                  flat / group.shape[0] % group.shape[1];
         });
}

// A loop of uniform bounds around barriers, in which each work-item carries values of its own.
TEST_P(Groups, LoopsAroundBarriersCarryValues) {
  expect(R"mir(
    %tile = spl.shared "tile"[1024] : !spl.slice<i64, mut>
    %r:3 = scf.for %k = %c1 to %n step %c2 iter_args(%a = %mine, %b = %c0, %u = %n) -> (i64, i64, i64) : i64 {
      spl.intrinsic "gpu.barrier" : () -> ()
      spl.store %a, %tile[%flat] : <i64, mut>
      spl.intrinsic "gpu.barrier" : () -> ()
      %next = arith.addi %flat, %k : i64
      %wrapped = arith.remui %next, %size : i64
      %theirs = spl.load %tile[%wrapped] : <i64, mut>
      %sum = arith.addi %b, %a : i64
      %v = arith.addi %u, %k : i64
      scf.yield %theirs, %sum, %v : i64, i64, i64
    }
    %s = arith.addi %r#0, %r#1 : i64
    %result = arith.addi %s, %r#2 : i64)mir",
         [](const Group &group, int64_t flat) {
           std::vector<int64_t> now(group.in, group.in + group.size()), sums(now.size(), 0);
           int64_t u = group.n;
           for (int64_t k = 1; k < group.n; k += 2) {
             std::vector<int64_t> next(now.size());
             for (int64_t id = 0; id < group.size(); ++id) {
               sums[id] += now[id];
               next[id] = now[(id + k) % group.size()];
             }
             now = next;
             u += k;
           }
           return now[flat] + sums[flat] + u;
         });
}

// A tree of sums, whose loop goes on while a uniform value says so.
TEST_P(Groups, WhileLoopsReduce) {
  expect(R"mir(
    %tile = spl.shared "tile"[1024] : !spl.slice<i64, mut>
    spl.store %mine, %tile[%flat] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
    %left:2 = scf.while (%k = %size, %own = %c0) : (i64, i64) -> (i64, i64) {
      %more = arith.cmpi sgt, %k, %c1 : i64
      scf.condition(%more) %k, %own : i64, i64
    } do {
    ^bb0(%k: i64, %own: i64):
      %up = arith.addi %k, %c1 : i64
      %half = arith.shrui %up, %c1 : i64
      %partner = arith.addi %flat, %half : i64
      %isLow = arith.cmpi slt, %partner, %k : i64
      scf.if %isLow {
        %a = spl.load %tile[%flat] : <i64, mut>
        %b = spl.load %tile[%partner] : <i64, mut>
        %s = arith.addi %a, %b : i64
        spl.store %s, %tile[%flat] : <i64, mut>
      }
      spl.intrinsic "gpu.barrier" : () -> ()
      %rounds = arith.addi %own, %lane : i64
      scf.yield %half, %rounds : i64, i64
    }
    %all = spl.load %tile[%c0] : <i64, mut>
    %result = arith.addi %all, %left#1 : i64)mir",
         [](const Group &group, int64_t flat) {
           int64_t sum = 0, rounds = 0;
           for (int64_t id = 0; id < group.size(); ++id)
             sum += group.in[id];
           for (int64_t k = group.size(); k > 1; k = (k + 1) / 2)
             ++rounds;
           return sum + rounds * (flat % 32);
         });
}

TEST_P(Groups, ReduceScanAndVote) {
  expect(R"mir(
    %sum = spl.intrinsic "gpu.group_sum"(%mine) : (i64) -> i64
    %min = spl.intrinsic "gpu.group_min"(%mine) : (i64) -> i64
    %umax = spl.intrinsic "gpu.group_max"(%mine) {isUnsigned} : (i64) -> i64
    %to = spl.intrinsic "gpu.group_scan"(%mine) : (i64) -> i64
    %below = spl.intrinsic "gpu.group_scan"(%to) {exclusive} : (i64) -> i64
    %mid = arith.shrui %size, %c1 : i64
    %told = spl.intrinsic "gpu.group_broadcast"(%below, %mid) : (i64, i64) -> i64
    %isNegative = arith.cmpi slt, %mine, %c0 : i64
    %any = spl.intrinsic "gpu.group_any"(%isNegative) : (i1) -> i1
    %all = spl.intrinsic "gpu.group_all"(%isNegative) : (i1) -> i1
    %p = arith.extui %any : i1 to i64
    %q = arith.extui %all : i1 to i64
    %pq0 = arith.shli %p, %c5 : i64
    %pq = arith.addi %pq0, %q : i64
    %s0 = arith.addi %sum, %min : i64
    %s1 = arith.xori %s0, %umax : i64
    %s2 = arith.addi %s1, %told : i64
    %s3 = arith.addi %s2, %below : i64
    %result = arith.addi %s3, %pq : i64)mir",
         [](const Group &group, int64_t flat) {
           int64_t sum = 0, min = INT64_MAX, told = 0, below = 0, own = 0;
           uint64_t max = 0;
           bool any = false, all = true;
           for (int64_t id = 0; id < group.size(); ++id) {
             if (id == group.size() / 2)
               told = below;
             if (id == flat)
               own = below;
             sum += group.in[id];
             below += sum;
             min = std::min(min, group.in[id]);
             max = std::max(max, uint64_t(group.in[id]));
             any |= group.in[id] < 0;
             all &= group.in[id] < 0;
           }
           return ((sum + min) ^ int64_t(max)) + told + own + any * 32 + all;
         });
}

// Memory of a work-item's own that lives across a barrier, and the dynamic shared memory.
TEST_P(Groups, LocalMemoryLivesAcrossABarrier) {
  expect(R"mir(
    %own = spl.local 2 : !spl.slice<!spl.struct<i32, i64>, mut>
    %field = spl.part %own[%c1] field 1 : !spl.slice<!spl.struct<i32, i64>, mut> -> !spl.slice<i64, mut>
    spl.store %mine, %field[%c0] : <i64, mut>
    %tile = spl.shared_dyn %c0 : !spl.slice<i64, mut>
    %twice = arith.addi %mine, %mine : i64
    spl.store %twice, %tile[%flat] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
    %before = spl.load %field[%c0] : <i64, mut>
    %next = arith.addi %flat, %c1 : i64
    %wrapped = arith.remui %next, %size : i64
    %theirs = spl.load %tile[%wrapped] : <i64, mut>
    %sum = arith.addi %before, %theirs : i64
    spl.store %sum, %field[%c0] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
    %after = spl.load %field[%c0] : <i64, mut>
    %extent = spl.extent %tile, 0 : <i64, mut>
    %result = arith.addi %after, %extent : i64)mir",
         [](const Group &group, int64_t flat) {
           return group.in[flat] + 2 * group.in[(flat + 1) % group.size()] + 1025;
         },
         1025 * 8 + 3);
}

//===-- Warps --===//

TEST_P(Groups, WarpsVoteAndReduce) {
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

TEST_P(Groups, WarpsShuffle) {
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
           // five times the lane is past the end, or none at all
           return ((up + group.in[flat]) ^ match) + group.in[flat] + 3 * group.in[first + lane / 2];
         });
}

// The lanes that came the same way: through nested branches, and past them again all.
TEST_P(Groups, WarpsMeetInBranches) {
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

// Loops that lanes leave at different times, by their bounds and by a condition.
TEST_P(Groups, WarpsMeetInLoops) {
  expect(R"mir(
    %turns = arith.remui %flat, %c5 : i64
    %a:2 = scf.for %k = %c0 to %turns step %c1 iter_args(%sum = %c0, %last = %n) -> (i64, i64) : i64 {
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

// Warps and the group by turns, with values of each kind going on to the other.
TEST_P(Groups, WarpsAndTheGroupTakeTurns) {
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

//===-- Code --===//

//===-- Faults --===//

// A check behind a barrier, and one between operations of the warp, name the work-item that failed.
TEST(GroupFaults, NameTheWorkItem) {
  for (const char *meeting : {R"mir(spl.intrinsic "gpu.barrier" : () -> ())mir",
                              R"mir(%w = spl.intrinsic "gpu.warp_sum"(%mine) : (i64) -> i64)mir"}) {
    HostCode code("spl.kernel @k" + (opening + std::string(meeting)) + R"mir(
      %at = arith.constant 16 : i64
      %isAt = arith.cmpi eq, %flat, %at : i64
      %far = arith.constant 1000000 : i64
      %place = arith.select %isAt, %far, %id : i64
      %result = spl.load %in[%place] : <i64>)mir" +
                      closing,
                  optionsFor("cpu"));
    Ints data(60);
    void *pointer = data.data();
    int64_t extent = 60, n = 0;
    auto fault = code.run("k", {&pointer, &extent, &pointer, &extent, &n},
                          {{2, 1, 1}, {5, 3, 2}, nullptr, 0}, 1, 2);
    ASSERT_NE(fault, nullptr);
    EXPECT_EQ(fault->value, 1000000);
    EXPECT_EQ(fault->workItem[0], 5 + 1); // 16 = 1 + 5 * (0 + 3 * 1)
    EXPECT_EQ(fault->workItem[1], 0);
    EXPECT_EQ(fault->workItem[2], 1);
  }
}

} // namespace
} // namespace spl::test
