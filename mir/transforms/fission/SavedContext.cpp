// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a parallel region gets values of other regions.
#include "mir/transforms/fission/SavedContext.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/Forwarding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Varies;

/// The row of an operation that returns an id of the work-item in its group, or std::nullopt for
/// other operations.
static std::optional<Id> ownId(Operation *op) {
  auto intrinsic = dyn_cast_if_present<IntrinsicOp>(op);
  if (!intrinsic)
    return std::nullopt;
  Id id = intrinsic.getRow().id;
  bool isOwn = id == Id::LocalId || id == Id::LaneId || id == Id::WarpId;
  return isOwn ? std::optional(id) : std::nullopt;
}

static bool isUniformHint(Operation *op) {
  auto intrinsic = dyn_cast_if_present<IntrinsicOp>(op);
  return intrinsic && spl::intrinsics::isUniformPromise(intrinsic.getRow().id);
}

/// Whether the operation may be executed at other places than in the source: before a check, or by
/// inactive lanes. MLIR considers remainders pure, but processors trap if the divisor is 0.
static bool isTotal(Operation *op) {
  return isPure(op) &&
         (!isa<arith::RemSIOp, arith::RemUIOp>(op) || matchPattern(op->getOperand(1), m_NonZero()));
}

//===-- Hoisted values --===//

bool spl::mir::isHoisted(FissionContext &fission, Value value) {
  if (isa<BlockArgument>(value) && isa_and_present<KernelOp>(value.getParentBlock()->getParentOp()))
    return true;
  return (fission.inWarp && fission.warp.hoisted.contains(value)) ||
         fission.group.hoisted.contains(value);
}

void spl::mir::setHoisted(FissionContext &fission, Value old, Value value) {
  fission.scope().hoisted.map(old, value);
}

/// Whether the value of lane 0 can be computed here.
static bool hasLaneZero(FissionContext &fission, Value value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 8;
  Operation *op = value.getDefiningOp();
  if (isHoisted(fission, value) || savedIn(fission, value) || ownId(op))
    return true;
  return op && depth < maxDepth && op->getNumRegions() == 0 && isTotal(op) &&
         !isa<IntrinsicOp>(op) && !isa<SliceType>(value.getType()) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return hasLaneZero(fission, operand, depth + 1); });
}

/// The value of lane 0 of a warp that is part of a row.
static Value valueInLaneZero(FissionContext &fission, Value value) {
  Item item;
  item.lane = fission.integer(0);
  item.flat = fission.lanes.first;
  item.ids = fission.lanes.firstIds;
  return valueFor(fission, value, item);
}

/// Whether the value is computed in the region that is emitted for the current warp.
static bool isOfWarp(FissionContext &fission, Value value) {
  Operation *first = *fission.warpRegion.begin();
  Operation *owner =
      value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
  Operation *ancestor = owner ? first->getBlock()->findAncestorOpInBlock(*owner) : nullptr;
  return ancestor && fission.warpRegion.contains(ancestor);
}

bool spl::mir::canHoist(FissionContext &fission, Operation *op) {
  if (fission.inWarp && fission.lanes.areRow && op->getNumRegions() == 0 && isTotal(op) &&
      op->getNumResults() != 0 && !isa<SliceType>(op->getResult(0).getType()) &&
      isUniform(fission, op->getResult(0)) &&
      llvm::all_of(op->getResults(), [&](Value result) { return hasLaneZero(fission, result); }))
    return true;
  if (auto extent = dyn_cast<ExtentOp>(op);
      extent && fixedExtent(extent.getSlice(), extent.getAxis()))
    return true;
  if (op->getNumRegions() != 0 || !isTotal(op) || ownId(op))
    return false;
  if (auto intrinsic = dyn_cast<IntrinsicOp>(op);
      intrinsic && intrinsic.getRow().varies == Varies::WorkItem)
    return false;
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isHoisted(fission, operand); });
}

/// Computes the extent of a slice, which is uniform. A view of a local is not hoisted, because the
/// locals of different work-items have different addresses, but what its extent depends on is.
static Value hoistedExtent(FissionContext &fission, Value slice, unsigned axis) {
  if (std::optional<int64_t> fixed = fixedExtent(slice, axis))
    return fission.integer(*fixed);
  Operation *op = isHoisted(fission, slice) ? nullptr : slice.getDefiningOp();
  if (auto view = dyn_cast_if_present<ReadOnlyOp>(op))
    return hoistedExtent(fission, view.getSlice(), axis);
  if (auto row = dyn_cast_if_present<RowOp>(op))
    return hoistedExtent(fission, row.getSlice(), axis + row.getIndices().size());
  if (auto view = dyn_cast_if_present<SubsliceOp>(op))
    return fission.compute<arith::SubIOp>(hoist(fission, view.getTo()),
                                          hoist(fission, view.getFrom()));
  if (auto view = dyn_cast_if_present<VectorsOp>(op)) {
    const int64_t lanes = cast<VectorType>(view.getType().getElement()).getDimSize(0);
    return fission.compute<arith::DivUIOp>(hoistedExtent(fission, view.getSlice(), axis),
                                           fission.integer(lanes));
  }
  if (auto choice = dyn_cast_if_present<arith::SelectOp>(op))
    return arith::SelectOp::create(fission.builder, fission.loc,
                                   hoist(fission, choice.getCondition()),
                                   hoistedExtent(fission, choice.getTrueValue(), axis),
                                   hoistedExtent(fission, choice.getFalseValue(), axis));
  return ExtentOp::create(fission.builder, fission.loc, hoist(fission, slice), axis);
}

/// If the value is not hoisted yet, all its operands are, or can be.
Value spl::mir::hoist(FissionContext &fission, Value value) {
  if (fission.inWarp && fission.warp.hoisted.contains(value))
    return fission.warp.hoisted.lookup(value);
  if (fission.group.hoisted.contains(value))
    return fission.group.hoisted.lookup(value);
  Operation *op = value.getDefiningOp();
  if (!op)
    return value; // the kernel's argument
  if (fission.inWarp && fission.lanes.areRow && hasLaneZero(fission, value)) {
    Value known = valueInLaneZero(fission, value);
    if (isOfWarp(fission, value))
      setHoisted(fission, value, known);
    return known;
  }
  auto extent = dyn_cast<ExtentOp>(op);
  if (isUniformHint(op) || extent) {
    Value known = extent ? hoistedExtent(fission, extent.getSlice(), extent.getAxis())
                         : hoist(fission, op->getOperand(0));
    setHoisted(fission, value, known);
    return known;
  }
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, hoist(fission, operand));
  Operation *copy = fission.builder.clone(*op, operands);
  for (auto [old, result] : llvm::zip(op->getResults(), copy->getResults()))
    setHoisted(fission, old, result);
  return hoist(fission, value);
}

bool spl::mir::isUniform(FissionContext &fission, Value value) {
  // What was computed for the group before is in memory, for each work-item.
  const Uniformity &uniformity =
      fission.inWarp && !isOfWarp(fission, value) ? fission.inGroup : fission.uniformity();
  return uniformity.isUniform(value) && uniformity.viewedLocals(value).empty();
}

Value spl::mir::hoistIfUniform(FissionContext &fission, Value value) {
  return isHoisted(fission, value) || isUniform(fission, value) ? hoist(fission, value) : Value();
}

//===-- Saved and recomputed values --===//

Value spl::mir::savedIn(FissionContext &fission, Value value) {
  if (fission.inWarp)
    if (Value slots = fission.warp.saved.lookup(value))
      return slots;
  return fission.group.saved.lookup(value);
}

static Value indexOf(FissionContext &fission, Value value, const Item &item) {
  return fission.inWarp && fission.warp.saved.contains(value) ? item.lane : item.flat;
}

/// Whether the operation chooses one of two integers.
static bool isIntegerChoice(Operation *op) {
  auto intrinsic = dyn_cast<IntrinsicOp>(op);
  if (!intrinsic || !getElementTypeOrSelf(intrinsic->getResult(0).getType()).isInteger())
    return false;
  const Id id = intrinsic.getRow().id;
  return id == Id::Min || id == Id::Max;
}

/// Whether recomputing the value is cheap. \p budget is the remaining number of operations.
static bool canRecompute(FissionContext &fission, Value value, unsigned &budget) {
  if (isHoisted(fission, value) || savedIn(fission, value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || isUniformHint(op) || budget == 0)
    return false;
  --budget;
  if (ownId(op))
    return true;
  bool isCheap = isView(op) || isa<ExtentOp, IsAlignedOp>(op) || isIntegerChoice(op) ||
                 (isa<arith::ArithDialect>(op->getDialect()) && isTotal(op));
  return isCheap && llvm::all_of(op->getOperands(), [&](Value operand) {
           return canRecompute(fission, operand, budget);
         });
}

static void addLiveAfter(FissionContext &fission, Value value, Values &found) {
  unsigned budget = 8;
  if (isHoisted(fission, value) || savedIn(fission, value) || llvm::is_contained(found, value))
    return;
  Operation *op = value.getDefiningOp();
  // A view is recomputed. The slice that it is a view of is saved.
  if (isView(op) || (isa<SliceType>(value.getType()) && isa_and_present<arith::SelectOp>(op))) {
    for (Value operand : op->getOperands())
      addLiveAfter(fission, operand, found);
    return;
  }
  if (canRecompute(fission, value, budget))
    return;
  found.push_back(value);
  if (isa<SliceType>(value.getType()))
    for (Value local : fission.uniformity().viewedLocals(value))
      addLiveAfter(fission, local, found);
}

Values spl::mir::liveAfter(FissionContext &fission, ArrayRef<Operation *> region,
                           const Copies &copies) {
  llvm::SmallPtrSet<Operation *, 16> inside(region.begin(), region.end());
  auto isCopied = [&](Value value) {
    return !isUniform(fission, value) &&
           llvm::any_of(copies, [&](const auto &copy) { return copy.first == value; });
  };
  Values found;
  for (Operation *op : region)
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers())
        if (!inside.contains(op->getBlock()->findAncestorOpInBlock(*user)) &&
            !(user == op->getBlock()->getTerminator() && isCopied(result))) {
          addLiveAfter(fission, result, found);
          break;
        }
  return found;
}

/// Slots of a warp are on the stack. Slots of arrays are not, because 32 arrays may exceed the
/// stack.
Value spl::mir::newSlots(FissionContext &fission, Type element) {
  OpBuilder::InsertionGuard guard(fission.builder);
  bool isOnStack = fission.inWarp && !isa<ArrayType>(element);
  Operation *&top = isOnStack ? fission.warp.top : fission.group.top;
  fission.builder.setInsertionPointAfter(top);
  auto type = SliceType::get(fission.builder.getContext(), element, /*isMut=*/true, 1);
  Value slots;
  if (isOnStack)
    slots = LocalOp::create(fission.builder, fission.loc, type, FissionContext::warpSize);
  else
    slots =
        ScratchOp::create(fission.builder, fission.loc, type,
                          fission.inWarp ? FissionContext::warpSize : FissionContext::maxGroupSize);
  top = slots.getDefiningOp();
  return slots;
}

static Value newCell(FissionContext &fission, Type element, int64_t count = 1) {
  auto type = SliceType::get(fission.builder.getContext(), element, /*isMut=*/true, 1);
  return LocalOp::create(fission.builder, fission.loc, type, count);
}

/// Whether the contents of the variable are the same for all work-items, and do not change after
/// the region. All work-items of the group can then use the same memory for it: each writes it
/// before it reads it.
static bool isShareable(FissionContext &fission, LocalOp local, ArrayRef<Operation *> region) {
  // A region with collectives of warps is split again. Each lane would then write the memory before
  // another one reads it.
  if (!fission.inGroup.isUniform(local.getResult()) || llvm::any_of(region, synchronisesWarp))
    return false;
  auto isInside = [&](Operation *op) {
    Operation *ancestor = region.front()->getBlock()->findAncestorOpInBlock(*op);
    return ancestor && llvm::is_contained(region, ancestor);
  };
  for (Value view : viewsOf(local.getResult()))
    for (OpOperand &use : view.getUses()) {
      Operation *user = use.getOwner();
      auto store = dyn_cast<StoreOp>(user);
      auto copy = dyn_cast<CopyOp>(user);
      const bool mayWrite = (store && store.getSlice() == view) || (copy && copy.getTo() == view) ||
                            isa<CallOp, AtomicOp>(user);
      if (mayWrite && !isInside(user))
        return false;
    }
  return true;
}

Copies spl::mir::slotsFor(FissionContext &fission, ArrayRef<Value> values,
                          ArrayRef<Operation *> region, Copies &cells) {
  Copies slots;
  for (Value value : values) {
    if (auto local = value.getDefiningOp<LocalOp>()) {
      if (isShareable(fission, local, region)) {
        OpBuilder::InsertionGuard guard(fission.builder);
        fission.builder.setInsertionPointAfter(fission.group.top);
        fission.group.top = fission.builder.clone(*local);
        fission.group.hoisted.map(value, fission.group.top->getResult(0));
        continue;
      }
      Type all = ArrayType::get(fission.builder.getContext(), local.getCount(),
                                local.getType().getElement());
      fission.scope().saved[value] = newSlots(fission, all);
      continue;
    }
    if (isUniform(fission, value)) {
      cells.push_back({value, newCell(fission, value.getType())});
      continue;
    }
    slots.push_back({value, newSlots(fission, value.getType())});
  }
  return slots;
}

void spl::mir::readCells(FissionContext &fission, const Copies &cells) {
  for (auto [value, cell] : cells)
    setHoisted(fission, value, fission.load(cell, fission.integer(0)));
}

//===-- Inside a loop --===//

Value spl::mir::valueFor(FissionContext &fission, Value value, Item &item) {
  if (Value known = item.map.lookupOrNull(value))
    return known;
  if (isHoisted(fission, value)) {
    Value known = fission.inWarp && fission.warp.hoisted.contains(value)
                      ? fission.warp.hoisted.lookup(value)
                      : fission.group.hoisted.lookupOrDefault(value);
    item.map.map(value, known);
    return known;
  }
  if (Value slots = savedIn(fission, value)) {
    Value index = indexOf(fission, value, item), here;
    if (value.getDefiningOp<LocalOp>())
      here = PartOp::create(fission.builder, value.getLoc(), value.getType(), slots, index,
                            /*field=*/IntegerAttr(), /*unchecked=*/true);
    else
      here = fission.load(slots, index);
    item.map.map(value, here);
    return here;
  }
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    valueFor(fission, operand, item);
  cloneFor(fission, op, item);
  return item.map.lookup(value);
}

/// The local ids of the work-item. In a warp, emits their computation at the start of the loop's
/// body.
static const LocalIds &idsOf(FissionContext &fission, Item &item) {
  if (item.ids[0])
    return item.ids;
  OpBuilder::InsertionGuard guard(fission.builder);
  fission.builder.setInsertionPointAfterValue(item.flat);
  if (fission.inWarp && fission.lanes.areRow) {
    item.ids = fission.lanes.firstIds;
    item.ids[0] = arith::AddIOp::create(fission.builder, fission.loc, item.ids[0], item.lane,
                                        arith::IntegerOverflowFlags::nsw);
    return item.ids;
  }
  Value row = fission.compute<arith::DivUIOp>(item.flat, fission.sizes[0]);
  item.ids = {fission.compute<arith::RemUIOp>(item.flat, fission.sizes[0]),
              fission.compute<arith::RemUIOp>(row, fission.sizes[1]),
              fission.compute<arith::DivUIOp>(row, fission.sizes[1])};
  return item.ids;
}

/// The value of an operation that returns an id of the work-item, or null for other operations.
static Value ownValue(FissionContext &fission, Operation *op, Item &item) {
  std::optional<Id> id = ownId(op);
  if (!id)
    return isUniformHint(op) ? op->getOperand(0) : Value();
  if (*id == Id::LocalId)
    return idsOf(fission, item)[*cast<IntrinsicOp>(op).getAxis()];
  if (*id == Id::WarpId)
    return fission.compute<arith::ShRUIOp>(item.flat, fission.integer(spl::abi::warpShift));
  return fission.inWarp ? item.lane
                        : fission.compute<arith::AndIOp>(
                              item.flat, fission.integer(FissionContext::warpSize - 1));
}

void spl::mir::cloneFor(FissionContext &fission, Operation *op, Item &item) {
  if (Value value = ownValue(fission, op, item))
    return item.map.map(op->getResult(0), item.map.lookupOrDefault(value));
  Operation *copy = fission.builder.clone(*op, item.map);
  bool needsIds = false;
  copy->walk([&](Operation *nested) {
    needsIds |= isa<CheckOp, TraceOp, CallOp>(nested);
    if (nested == copy)
      return;
    OpBuilder::InsertionGuard guard(fission.builder);
    fission.builder.setInsertionPoint(nested);
    if (Value value = ownValue(fission, nested, item)) {
      nested->getResult(0).replaceAllUsesWith(value);
      nested->erase();
    }
  });
  if (needsIds)
    fission.passIds(copy, idsOf(fission, item));
}

void spl::mir::store(FissionContext &fission, Value value, Value slots, Item &item) {
  bool isCell = slots.getDefiningOp<LocalOp>() && slots.getDefiningOp<LocalOp>().getCount() == 1;
  Value index = isCell                             ? fission.integer(0)
                : slots.getDefiningOp<ScratchOp>() ? item.flat
                                                   : item.lane;
  StoreOp::create(fission.builder, fission.loc, value, slots, index);
}
