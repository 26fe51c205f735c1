// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/GangWays.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/gangs/GangCells.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Sync;
using spl::intrinsics::Varies;

bool spl::mir::hasLanes(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isPlain(type) && (element.isSignlessInteger() || element.isF32() || element.isF64());
}

static bool haveLanes(TypeRange types) { return llvm::all_of(types, hasLanes); }

static bool isVector(Type type) { return isa<VectorType>(type); }

/// Whether the lanes of the operation do not depend on each other, where an operand may also be a
/// vector of the language.
static bool isLanewise(Operation *op) {
  if (!haveLanes(op->getOperandTypes()) || !haveLanes(op->getResultTypes()) ||
      op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  Type type = op->getResult(0).getType();
  auto fits = [&](Type operand) {
    return isVector(operand) == isVector(type) &&
           (!isVector(type) ||
            cast<VectorType>(operand).getNumElements() == cast<VectorType>(type).getNumElements());
  };
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return fits(select.getTrueValue().getType());
  if (!llvm::all_of(op->getOperandTypes(), fits))
    return false;
  if (auto intrinsic = dyn_cast<IntrinsicOp>(op)) {
    if (intrinsic.getRow().id == Id::Bitcast)
      return getElementTypeOrSelf(type).getIntOrFloatBitWidth() ==
             getElementTypeOrSelf(op->getOperand(0).getType()).getIntOrFloatBitWidth();
    return intrinsic.getRow().sync == Sync::None && intrinsic.getRow().varies == Varies::Nothing &&
           intrinsic.getRow().name.starts_with("math.") && llvm::all_equal(op->getOperandTypes()) &&
           op->getNumOperands() != 0 && op->getOperand(0).getType() == type;
  }
  return isa<FloatToIntOp>(op) || OpTrait::hasElementwiseMappableTraits(op);
}

std::optional<int64_t> spl::mir::positionOf(Operation *op) {
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return getConstantIntValue(extract.getMixedPosition().front());
  if (auto insert = dyn_cast<vector::InsertOp>(op))
    return getConstantIntValue(insert.getMixedPosition().front());
  return std::nullopt;
}

static bool isPartOperation(Operation *op) {
  if (!haveLanes(op->getResultTypes()))
    return false;
  return isa<vector::FromElementsOp, vector::BroadcastOp>(op) || positionOf(op);
}

static Way wayOfAccess(const LaneShapes &shapes, Value slice, ValueRange indices, Type element) {
  if (!hasLanes(element))
    return Way::Never;
  if (isAdjacent(shapes, slice, indices) && !isVector(element))
    return Way::Adjacent;
  return shapes.isUniform(slice) ? Way::Scattered : Way::EachLane;
}

/// Whether the operation is an atomic that each lane can run in turn. A lane that waits in a loop
/// for another one would wait for ever, because the other one waits at the end of the loop.
static bool canTakeTurns(const LaneShapes &shapes, AtomicOp atomic) {
  if (!haveLanes(atomic.getValues().getTypes()) || !haveLanes(atomic->getResultTypes()))
    return false;
  if (!atomic.getResult() || atomic.getResult().use_empty())
    return true;
  for (Operation *parent = atomic->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp>(parent) && shapes.isDivergent(parent))
      return false;
  return true;
}

/// Whether the memory is the same after one lane, or after several lanes, have run the atomic with
/// the same operands.
static bool isIdempotent(AtomicOp atomic) {
  switch (atomic.getKind()) {
  case AtomicKind::Store:
  case AtomicKind::Min:
  case AtomicKind::Max:
  case AtomicKind::And:
  case AtomicKind::Or:
    return !atomic.getResult() || atomic.getResult().use_empty();
  default:
    return false;
  }
}

/// Whether the operation allocates local memory, or has an operand in it that it accesses.
static bool isAccessToLocal(const LaneShapes &shapes, Operation *op) {
  if (isa<LocalOp>(op))
    return true;
  return isa<LoadOp, StoreOp, CopyOp>(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
           return isa<SliceType>(operand.getType()) && isLocal(shapes, operand);
         });
}

Way spl::mir::wayOf(const LaneShapes &shapes, Operation *op) {
  auto areUniform = [&](ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return shapes.isUniform(value); });
  };
  if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op)) {
    const bool canPass = llvm::all_of(op->getResults(), [&](Value result) {
      return hasLanes(result.getType()) || shapes.isUniform(result);
    });
    return canPass ? Way::Control : Way::Never;
  }
  if (isa<scf::YieldOp, scf::ConditionOp>(op))
    return Way::Control;
  if (isAccessToLocal(shapes, op))
    return canUseCells(shapes, op) ? Way::Cells : Way::Never;
  if (auto copy = dyn_cast<CopyOp>(op))
    return areUniform(op->getOperands()) ? Way::Once : Way::EachLane;
  if (auto store = dyn_cast<StoreOp>(op))
    return areUniform(op->getOperands()) ? Way::Once
                                         : wayOfAccess(shapes, store.getSlice(), store.getIndices(),
                                                       store.getValue().getType());
  if (auto load = dyn_cast<LoadOp>(op))
    return areUniform(op->getOperands())
               ? Way::Once
               : wayOfAccess(shapes, load.getSlice(), load.getIndices(), load.getType());
  if (isa<CheckOp>(op))
    return Way::Check;
  if (auto atomic = dyn_cast<AtomicOp>(op)) {
    if (areUniform(op->getOperands()) && isIdempotent(atomic))
      return Way::Once;
    return canTakeTurns(shapes, atomic) ? Way::EachLane : Way::Never;
  }
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return Way::Never;
  if (llvm::none_of(op->getResults(), [&](Value result) { return shapes.isVarying(result); }))
    return Way::Once;
  if (isLanewise(op))
    return Way::Lanewise;
  if (isPartOperation(op))
    return Way::Parts;
  return isView(op) ? Way::View : Way::Never; // an access to local memory must have a place
}

/// Whether the operation has no effects, and is defined for all values of its operands.
static bool isTotal(Operation *op) {
  if (!isMemoryEffectFree(op))
    return false;
  APInt divisor;
  return !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
              arith::CeilDivUIOp, arith::FloorDivSIOp>(op) ||
         (matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) && !divisor.isZero() &&
          !divisor.isAllOnes());
}

bool spl::mir::isSelection(const LaneShapes &shapes, scf::IfOp branch) {
  constexpr unsigned maxOperations = 24;
  unsigned count = 0;
  return !branch
              .walk([&](Operation *op) {
                const Way way = wayOf(shapes, op);
                const bool isBranch = isa<scf::IfOp>(op);
                // A condition may be poison where no lane takes the branch.
                if (isBranch ? !shapes.isDivergent(op)
                             : way == Way::Control && !isa<scf::YieldOp>(op))
                  return WalkResult::interrupt();
                if (!isBranch && way != Way::Control &&
                    (way == Way::View || way == Way::EachLane || way == Way::Scattered ||
                     !isTotal(op)))
                  return WalkResult::interrupt();
                count += isa<IntrinsicOp>(op) ? 8 : 1;
                return count > maxOperations ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

bool spl::mir::hasMaskedOperations(const LaneShapes &shapes, Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        const Way way = wayOf(shapes, inner);
        const bool isMasked = way == Way::Adjacent || way == Way::Scattered || way == Way::Check ||
                              way == Way::EachLane;
        return isMasked ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
