// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a stretch knows the values of others.
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Regions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Varies;

/// The row of an operation that says where in its group a work-item is; none for others.
static std::optional<Id> ownId(Operation *op) {
  auto intrinsic = dyn_cast_if_present<IntrinsicOp>(op);
  if (!intrinsic)
    return std::nullopt;
  Id id = intrinsic.getRow().id;
  bool isOwn = id == Id::LocalId || id == Id::LaneId || id == Id::WarpId;
  return isOwn ? std::optional(id) : std::nullopt;
}

static bool isUniformWord(Operation *op) {
  auto intrinsic = dyn_cast_if_present<IntrinsicOp>(op);
  return intrinsic && intrinsic.getRow().id == Id::Uniform;
}

/// A local diverges by what it holds, not by its extent.
static bool isExtentOfLocal(Operation *op) {
  auto extent = dyn_cast<ExtentOp>(op);
  return extent && extent.getSlice().getDefiningOp<LocalOp>();
}
static int64_t countOf(Operation *extent) {
  return cast<ExtentOp>(extent).getSlice().getDefiningOp<LocalOp>().getCount();
}

/// Whether it can be computed where the source does not: before a check, or by lanes that go
/// another way. MLIR takes remainders for pure, but processors trap where the divisor is 0.
static bool isTotal(Operation *op) {
  return isPure(op) &&
         (!isa<arith::RemSIOp, arith::RemUIOp>(op) || matchPattern(op->getOperand(1), m_NonZero()));
}

//===-- Values that are one --===//

bool RegionCutter::isOne(Value value) const {
  if (isa<BlockArgument>(value) && isa_and_present<KernelOp>(value.getParentBlock()->getParentOp()))
    return true;
  return (inWarp && warp.ones.contains(value)) || group.ones.contains(value);
}

void RegionCutter::setOne(Value old, Value value) { (inWarp ? warp : group).ones.map(old, value); }

/// Whether it can be computed outside the loops as it stands, whatever comes before it.
bool RegionCutter::isOne(Operation *op) const {
  if (isExtentOfLocal(op))
    return true;
  if (op->getNumRegions() != 0 || !isTotal(op) || ownId(op))
    return false;
  if (auto intrinsic = dyn_cast<IntrinsicOp>(op);
      intrinsic && intrinsic.getRow().varies == Varies::WorkItem)
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) { return isOne(operand); });
}

/// The one value; computed here if it is not there yet. It is uniform and was not kept because all
/// it depends on is there.
Value RegionCutter::one(Value value) {
  if (inWarp && warp.ones.contains(value))
    return warp.ones.lookup(value);
  if (group.ones.contains(value))
    return group.ones.lookup(value);
  Operation *op = value.getDefiningOp();
  if (!op)
    return value; // the kernel's argument
  if (isUniformWord(op) || isExtentOfLocal(op)) {
    Value known = isUniformWord(op) ? one(op->getOperand(0)) : integer(countOf(op));
    setOne(value, known);
    return known;
  }
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, one(operand));
  Operation *copy = builder.clone(*op, operands);
  for (auto [old, result] : llvm::zip(op->getResults(), copy->getResults()))
    setOne(old, result);
  return one(value);
}

/// Uniform, and no view of locals: what these hold may be the same, where they are is not.
bool RegionCutter::isSame(Value value) const {
  return uniformity.isUniform(value) && uniformity.viewedLocals(value).empty();
}

Value RegionCutter::oneIfUniform(Value value) {
  return isOne(value) || isSame(value) ? one(value) : Value();
}

//===-- Values that are kept or recomputed --===//

Value RegionCutter::keptIn(Value value) const {
  if (inWarp)
    if (Value place = warp.kept.lookup(value))
      return place;
  return group.kept.lookup(value);
}

Value RegionCutter::indexOf(Value value, const Item &item) const {
  return inWarp && warp.kept.contains(value) ? item.lane : item.flat;
}

/// Where it costs little.
bool RegionCutter::canRecompute(Value value, unsigned &budget) const {
  if (isOne(value) || keptIn(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || isUniformWord(op) || budget == 0)
    return false;
  --budget;
  if (ownId(op))
    return true;
  bool isCheap = isView(op) || isa<ExtentOp, IsAlignedOp>(op) ||
                 (isa<arith::ArithDialect>(op->getDialect()) && isTotal(op));
  return isCheap && llvm::all_of(op->getOperands(),
                                 [&](Value operand) { return canRecompute(operand, budget); });
}

void RegionCutter::addLeaving(Value value, Values &found) {
  unsigned budget = 8;
  if (isOne(value) || keptIn(value) || llvm::is_contained(found, value))
    return;
  Operation *op = value.getDefiningOp();
  // Views are recomputed, of what is kept.
  if (isView(op) || (isa<SliceType>(value.getType()) && isa_and_present<arith::SelectOp>(op))) {
    for (Value operand : op->getOperands())
      addLeaving(operand, found);
    return;
  }
  if (canRecompute(value, budget))
    return;
  found.push_back(value);
  if (isa<SliceType>(value.getType()))
    for (Value local : uniformity.viewedLocals(value))
      addLeaving(local, found);
}

RegionCutter::Values RegionCutter::leaving(ArrayRef<Operation *> stretch) {
  llvm::SmallPtrSet<Operation *, 16> inside(stretch.begin(), stretch.end());
  Values found;
  for (Operation *op : stretch)
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers())
        if (!inside.contains(op->getBlock()->findAncestorOpInBlock(*user))) {
          addLeaving(result, found);
          break;
        }
  return found;
}

/// Of a warp on the stack, but for arrays: one for each lane may be more than there is.
Value RegionCutter::newPlace(Type element) {
  OpBuilder::InsertionGuard guard(builder);
  bool isOnStack = inWarp && !isa<ArrayType>(element);
  Operation *&top = isOnStack ? warpTop : groupTop;
  builder.setInsertionPointAfter(top);
  auto type = SliceType::get(builder.getContext(), element, /*isMut=*/true, 1);
  Value place;
  if (isOnStack)
    place = LocalOp::create(builder, loc, type, warpSize);
  else
    place = ScratchOp::create(builder, loc, type, inWarp ? warpSize : largestGroup);
  top = place.getDefiningOp();
  return place;
}

Value RegionCutter::newCell(Type element, int64_t count) {
  auto type = SliceType::get(builder.getContext(), element, /*isMut=*/true, 1);
  return LocalOp::create(builder, loc, type, count);
}

RegionCutter::Copies RegionCutter::placesFor(ArrayRef<Value> values, Copies &cells) {
  Copies places;
  for (Value value : values) {
    if (auto local = value.getDefiningOp<LocalOp>()) {
      Type all =
          ArrayType::get(builder.getContext(), local.getCount(), local.getType().getElement());
      (inWarp ? warp : group).kept[value] = newPlace(all);
      continue;
    }
    if (isSame(value)) {
      cells.push_back({value, newCell(value.getType())});
      continue;
    }
    places.push_back({value, newPlace(value.getType())});
  }
  return places;
}

void RegionCutter::readCells(const Copies &cells) {
  for (auto [value, cell] : cells)
    setOne(value, load(cell, integer(0)));
}

//===-- Inside a loop --===//

/// The value for one work-item, at the start of its loop's body.
Value RegionCutter::use(Value value, Item &item) {
  if (Value known = item.map.lookupOrNull(value))
    return known;
  if (isOne(value)) {
    Value known = inWarp && warp.ones.contains(value) ? warp.ones.lookup(value)
                                                      : group.ones.lookupOrDefault(value);
    item.map.map(value, known);
    return known;
  }
  if (Value place = keptIn(value)) {
    Value index = indexOf(value, item), here;
    if (value.getDefiningOp<LocalOp>())
      here = PartOp::create(builder, value.getLoc(), value.getType(), place, index,
                            /*field=*/IntegerAttr(), /*unchecked=*/true);
    else
      here = load(place, index);
    item.map.map(value, here);
    return here;
  }
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    use(operand, item);
  copyInto(op, item);
  return item.map.lookup(value);
}

/// Where the work-item is along the axes; in a warp computed at the start of the loop's body.
const LocalIds &RegionCutter::idsOf(Item &item) {
  if (item.ids[0])
    return item.ids;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(item.flat);
  Value row = compute<arith::DivUIOp>(item.flat, sizes[0]);
  item.ids = {compute<arith::RemUIOp>(item.flat, sizes[0]), compute<arith::RemUIOp>(row, sizes[1]),
              compute<arith::DivUIOp>(row, sizes[1])};
  return item.ids;
}

/// What an operation that says where the work-item is stands for; null for others.
Value RegionCutter::ownValue(Operation *op, Item &item) {
  std::optional<Id> id = ownId(op);
  if (!id)
    return isUniformWord(op) ? op->getOperand(0) : Value();
  if (*id == Id::LocalId)
    return idsOf(item)[*cast<IntrinsicOp>(op).getAxis()];
  if (*id == Id::WarpId)
    return compute<arith::ShRUIOp>(item.flat, integer(intrinsics::warpShift));
  return inWarp ? item.lane : compute<arith::AndIOp>(item.flat, integer(warpSize - 1));
}

/// Copies an operation, for one work-item. All it needs is in the map.
void RegionCutter::copyInto(Operation *op, Item &item) {
  if (Value value = ownValue(op, item))
    return item.map.map(op->getResult(0), item.map.lookupOrDefault(value));
  Operation *copy = builder.clone(*op, item.map);
  bool needsIds = false;
  copy->walk([&](Operation *nested) {
    needsIds |= isa<CheckOp, CallOp>(nested);
    if (nested == copy)
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(nested);
    if (Value value = ownValue(nested, item)) {
      nested->getResult(0).replaceAllUsesWith(value);
      nested->erase();
    }
  });
  if (needsIds)
    passIds(copy, idsOf(item));
}

void RegionCutter::store(Value value, Value place, Item &item) {
  bool isCell = place.getDefiningOp<LocalOp>() && place.getDefiningOp<LocalOp>().getCount() == 1;
  Value index = isCell ? integer(0) : place.getDefiningOp<ScratchOp>() ? item.flat : item.lane;
  StoreOp::create(builder, loc, value, place, index);
}
