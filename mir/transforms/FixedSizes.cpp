// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-fixed-sizes: see Passes.td.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/GroupSize.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "spl/abi/Limits.h"

namespace spl::mir {
#define GEN_PASS_DEF_FIXEDSIZES
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

namespace {

/// The size of the groups of a kernel that fixes it.
struct Block {
  explicit Block(const std::array<int64_t, 3> &extents)
      : extents(extents), count(extents[0] * extents[1] * extents[2]) {}

  /// The value of the intrinsic in every group, if it has one.
  std::optional<int64_t> valueOf(IntrinsicOp op) const {
    const Id id = op.getRow().id;
    if (id == Id::WarpLanes)
      return count % spl::abi::warpSize == 0 ? std::optional<int64_t>(-1) : std::nullopt;
    if ((id != Id::LocalSize && id != Id::LocalId) || op->hasAttr(SplDialect::ungroupedAttr))
      return std::nullopt;
    // Adjacent groups along x may run as one group, which has more ids along x.
    if (id == Id::LocalId && op.getAxis().value_or(0) == 0 &&
        op->getParentOfType<KernelOp>()->hasAttr(SplDialect::ungroupedAttr))
      return std::nullopt;
    const int64_t extent = extents[op.getAxis().value_or(0)];
    if (id == Id::LocalSize)
      return extent;
    return extent == 1 ? std::optional<int64_t>(0) : std::nullopt;
  }

  std::array<int64_t, 3> extents;
  int64_t count; ///< the work-items of a group
};

struct FixedSizesPass : spl::mir::impl::FixedSizesBase<FixedSizesPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>()) {
      const std::optional fixed = fixedGroupSize(kernel.getSignature());
      if (!fixed)
        continue;
      const Block block(*fixed);
      kernel.walk([&](IntrinsicOp op) {
        const std::optional<int64_t> value = block.valueOf(op);
        if (!value)
          return;
        OpBuilder builder(op);
        const Type type = op.getResult().getType();
        op.getResult().replaceAllUsesWith(
            arith::ConstantOp::create(builder, op.getLoc(), builder.getIntegerAttr(type, *value)));
        op.erase();
      });
    }
  }
};

} // namespace
