// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How NVIDIA GPUs lower each intrinsic (Intrinsics.def), as a constexpr table.
#pragma once

#include "codegen/IntrinsicLowering.h"

namespace spl::codegen::nvptx {

/// The values of IntrinsicLowering::own for NVIDIA GPUs.
enum class OwnLowering : uint8_t { Sreg, Warp, GridBarrier };

namespace words {
using namespace codegen::words;

constexpr IntrinsicLowering Sreg(llvm::StringLiteral name) {
  return {Kind::Own, "special register", name, "", "", uint8_t(OwnLowering::Sreg)};
}
constexpr IntrinsicLowering Warp{Kind::Own, "warp instructions",       "", "",
                                 "",        uint8_t(OwnLowering::Warp)};
constexpr IntrinsicLowering GridBarrier{
    Kind::Own, "barrier, counter", "", "", "", uint8_t(OwnLowering::GridBarrier)};

inline constexpr IntrinsicLoweringRow rows[] = {
#define LOWERING(Row, How) {intrinsics::Id::Row, How},
#include "codegen/targets/nvptx/Intrinsics.def"
};
static_assert(isComplete(rows), "each row of intrinsics/Intrinsics.def has one here");
} // namespace words

inline constexpr IntrinsicTable intrinsicTable = tableOf(words::rows);

} // namespace spl::codegen::nvptx
