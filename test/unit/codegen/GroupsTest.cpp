// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests barriers and group collectives on the CPU.
#include "test/unit/codegen/GroupHarness.h"

namespace spl::test {
namespace {

INSTANTIATE_TEST_SUITE_P(, Groups, everyShape);

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

// A loop with uniform bounds contains barriers. Each work-item carries its own values through it.
TEST_P(Groups, LoopsAroundBarriersCarryValues) {
  expect(R"mir(
    %tile = spl.shared "tile"[1024] : !spl.slice<i64, mut>
    %r:3 = scf.for %k = %c1 to %n step %c2 iter_args(%a = %mine, %b = %c0, %u = %n)
        -> (i64, i64, i64) : i64 {
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

// A tree reduction in a loop whose condition is uniform.
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

// Local memory that lives across a barrier, and dynamic shared memory.
TEST_P(Groups, LocalMemoryLivesAcrossABarrier) {
  expect(
      R"mir(
    %own = spl.local 2 : !spl.slice<!spl.struct<i32, i64>, mut>
    %field = spl.part %own[%c1] field 1
        : !spl.slice<!spl.struct<i32, i64>, mut> -> !spl.slice<i64, mut>
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

//===-- Code --===//

//===-- Faults --===//

// A fault after a barrier, or between warp collectives, names the work-item that failed.
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
