// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-warp-masks: see GpuPasses.td. The pass walks down the tree of control flow with the mask of
// active lanes. A divergent branch splits the mask. A divergent loop narrows it in each iteration.
// After the branch or loop the previous mask holds again. Control flow without collectives of a
// warp does not change.
#include "intrinsics/Reductions.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/Uniformity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "spl/abi/Limits.h"

namespace spl::mir {
#define GEN_PASS_DEF_WARPMASKS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Sync;

namespace {

bool isOfWarp(Operation *op) {
  auto intrinsic = dyn_cast<IntrinsicOp>(op);
  return intrinsic && intrinsic.getRow().sync == Sync::Warp;
}

class Masks {
public:
  explicit Masks(KernelOp kernel) : kernel(kernel), uniformity(kernel) {}

  void run() {
    kernel.walk([&](Operation *op) {
      if (isOfWarp(op))
        for (Operation *parent = op->getParentOp(); parent && holders.insert(parent).second;)
          parent = parent->getParentOp();
    });
    if (!holders.contains(kernel))
      return;
    Block &body = kernel.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    existing = create(builder, kernel.getLoc(), Id::WarpLanes, builder.getI32Type(), {});
    addMasks(body, existing);
  }

private:
  static Value create(OpBuilder &builder, Location loc, Id id, Type type, ValueRange operands) {
    return IntrinsicOp::create(builder, loc, type, spl::intrinsics::row(id).name, operands)
        .getResult();
  }
  /// The lanes of the mask for which the condition holds.
  static Value ballot(OpBuilder &builder, Location loc, Value condition, Value mask) {
    return create(builder, loc, Id::Ballot, builder.getI32Type(), {condition, mask});
  }

  /// Whether each lane has to find the other lanes of the mask. An instruction of sm_80 and newer
  /// reduces integers of up to 32 bits in any lanes.
  static bool isSlowInSomeLanes(IntrinsicOp op) {
    const Id id = op.getRow().id;
    if (!spl::intrinsics::isWarpReduction(id))
      return id == Id::WarpScan;
    return !op.getType().isInteger() || op.getType().getIntOrFloatBitWidth() > 32 ||
           op.segment() != spl::abi::warpSize;
  }

  /// Adds a version for a mask of all lanes. Branches around code for the elements of an array do
  /// not split most warps.
  static void specialize(IntrinsicOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto all = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(-1));
    Value isWhole =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, op.getMask(), all);
    auto choice = scf::IfOp::create(builder, loc, op.getType(), isWhole, /*withElseRegion=*/true);
    for (Block *arm : {choice.thenBlock(), choice.elseBlock()}) {
      builder.setInsertionPointToStart(arm);
      auto version = cast<IntrinsicOp>(builder.clone(*op));
      if (arm == choice.thenBlock())
        version->setOperand(version->getNumOperands() - 1, all);
      scf::YieldOp::create(builder, loc, version.getResult());
    }
    op->replaceAllUsesWith(choice);
    op.erase();
  }

  void addMasks(Block &block, Value mask) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isOfWarp(&op) && !cast<IntrinsicOp>(op).getMask()) {
        op.insertOperands(op.getNumOperands(), mask);
        if (mask != existing && isSlowInSomeLanes(cast<IntrinsicOp>(op)))
          specialize(cast<IntrinsicOp>(op));
        continue;
      }
      if (!holders.contains(&op))
        continue;
      if (auto branch = dyn_cast<scf::IfOp>(op))
        addMasks(branch, mask);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        addMasks(loop, mask);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        addMasks(loop, mask);
    }
  }

  void addMasks(scf::IfOp branch, Value mask) {
    Value then = mask, others = mask;
    if (uniformity.condition(branch)) {
      OpBuilder builder(branch);
      Location loc = branch.getLoc();
      then = ballot(builder, loc, branch.getCondition(), mask);
      if (!branch.getElseRegion().empty())
        others = arith::XOrIOp::create(builder, loc, mask, then);
    }
    addMasks(branch.getThenRegion().front(), then);
    if (!branch.getElseRegion().empty())
      addMasks(branch.getElseRegion().front(), others);
  }

  // Lanes that have left the loop cannot take part in a ballot. Therefore the ballot for the next
  // iteration is at the end of the body.
  void addMasks(scf::ForOp loop, Value mask) {
    if (!uniformity.condition(loop))
      return addMasks(*loop.getBody(), mask);
    Location loc = loop.getLoc();
    auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    auto continuing = [&](OpBuilder &builder, Value id, Value lanes) {
      Value more = arith::CmpIOp::create(builder, loc, predicate, id, loop.getUpperBound());
      return ballot(builder, loc, more, lanes);
    };
    OpBuilder builder(loop);
    Value entering = continuing(builder, loop.getLowerBound(), mask);
    IRRewriter rewriter(builder);
    auto replaced = loop.replaceWithAdditionalYields(
        rewriter, entering, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &inside, Location, ArrayRef<BlockArgument> added) -> SmallVector<Value> {
          Value next = arith::AddIOp::create(inside, loc, loop.getInductionVar(), loop.getStep());
          return {continuing(inside, next, added.front())};
        });
    auto masked = cast<scf::ForOp>(replaced->getOperation());
    addMasks(*masked.getBody(), masked.getRegionIterArgs().back());
  }

  void addMasks(scf::WhileOp loop, Value mask) {
    if (!uniformity.condition(loop)) {
      addMasks(*loop.getBeforeBody(), mask);
      return addMasks(*loop.getAfterBody(), mask);
    }
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    SmallVector<Value> inits(loop.getInits());
    inits.push_back(mask);
    SmallVector<Type> types(loop.getResultTypes());
    types.push_back(mask.getType());
    auto masked = scf::WhileOp::create(builder, loc, types, inits);
    masked.getBefore().takeBody(loop.getBefore());
    masked.getAfter().takeBody(loop.getAfter());
    Value entering = masked.getBeforeBody()->addArgument(mask.getType(), loc);
    Value staying = masked.getAfterBody()->addArgument(mask.getType(), loc);

    auto condition = masked.getConditionOp();
    builder.setInsertionPoint(condition);
    Value next = ballot(builder, loc, condition.getCondition(), entering);
    condition.getArgsMutable().append(next);
    masked.getYieldOp()->insertOperands(masked.getYieldOp()->getNumOperands(), staying);
    loop.replaceAllUsesWith(masked.getResults().drop_back());
    holders.insert(masked);
    loop.erase();
    addMasks(*masked.getBeforeBody(), entering);
    addMasks(*masked.getAfterBody(), staying);
  }

  KernelOp kernel;
  Uniformity uniformity;
  Value existing;                ///< the mask of the lanes that exist
  DenseSet<Operation *> holders; ///< operations that contain collectives of the warp
};

/// Whether only lane 0 runs the block, because it is in a branch for this lane.
bool runsInFirstLane(Block *block) {
  for (Operation *op = block->getParentOp(); op && !isa<KernelOp>(op); op = op->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && block == branch.thenBlock())
      if (auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
          compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
          matchPattern(compare.getRhs(), m_Zero()))
        if (auto id = compare.getLhs().getDefiningOp<IntrinsicOp>();
            id && id.getRow().id == Id::LaneId)
          return true;
    block = op->getBlock();
  }
  return false;
}

void markResultsOfFirstLane(KernelOp kernel) {
  kernel.walk([](IntrinsicOp op) {
    if (spl::intrinsics::isWarpReduction(op.getRow().id) && !op->use_empty() &&
        llvm::all_of(op->getUsers(),
                     [](Operation *user) { return runsInFirstLane(user->getBlock()); }))
      op->setAttr(SplDialect::firstLaneAttr, UnitAttr::get(op.getContext()));
  });
}

struct WarpMasksPass : spl::mir::impl::WarpMasksBase<WarpMasksPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>()) {
      Masks(kernel).run();
      markResultsOfFirstLane(kernel);
    }
  }
};

} // namespace
