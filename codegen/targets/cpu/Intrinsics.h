// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the CPU lowers each intrinsic (Intrinsics.def), as a constexpr table.
#pragma once

#include "codegen/IntrinsicLowering.h"

namespace spl::codegen::cpu {

/// The values of IntrinsicLowering::own for the CPU.
enum class OwnLowering : uint8_t { WorkItemLoop, GroupIndex, LocalSize, NumGroups, LaunchBarrier };

namespace words {
using namespace codegen::words;

constexpr IntrinsicLowering WorkItemLoop{Kind::Own, "loops over work-items",           "", "",
                                         "",        uint8_t(OwnLowering::WorkItemLoop)};
constexpr IntrinsicLowering GroupIndex{Kind::Own, "launch", "",
                                       "",        "",       uint8_t(OwnLowering::GroupIndex)};
constexpr IntrinsicLowering LaunchLocalSize{Kind::Own, "launch", "",
                                            "",        "",       uint8_t(OwnLowering::LocalSize)};
constexpr IntrinsicLowering LaunchNumGroups{Kind::Own, "launch", "",
                                            "",        "",       uint8_t(OwnLowering::NumGroups)};
constexpr IntrinsicLowering LaunchBarrier{
    Kind::Own, "runtime", "", "", "", uint8_t(OwnLowering::LaunchBarrier)};

inline constexpr IntrinsicLoweringRow rows[] = {
#define LOWERING(Row, How) {intrinsics::Id::Row, How},
#include "codegen/targets/cpu/Intrinsics.def"
};
static_assert(isComplete(rows), "each row of intrinsics/Intrinsics.def has one here");
} // namespace words

inline constexpr IntrinsicTable intrinsicTable = tableOf(words::rows);

constexpr bool isWorkItemLoop(const IntrinsicLowering &how) {
  return how.kind == IntrinsicLowering::Kind::Own && how.own == uint8_t(OwnLowering::WorkItemLoop);
}

/// Whether the pass spl-work-item-loops lowers all collectives of warps and groups. Of the barrier
/// of the whole launch it leaves one operation for each group.
constexpr bool lowersCollectivesInLoops() {
  for (const intrinsics::Row &row : intrinsics::rows)
    if (row.sync >= intrinsics::Sync::Warp && row.id != intrinsics::Id::GridBarrier &&
        !isWorkItemLoop(intrinsicTable[size_t(row.id)]))
      return false;
  return true;
}
static_assert(lowersCollectivesInLoops());

} // namespace spl::codegen::cpu
