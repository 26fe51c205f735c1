// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/fission/ParallelRegions.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/fission/ControlFlow.h"
#include "mir/transforms/fission/SavedContext.h"
#include "mir/transforms/fission/SideBySide.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spl::mir;

static void emitLoop(FissionContext &fission, llvm::ArrayRef<mlir::Operation *> region,
                     const Copies &copies = {});
static void emitWarps(FissionContext &fission, llvm::ArrayRef<mlir::Operation *> region);
static void forEachItem(FissionContext &fission, llvm::function_ref<void(Item &)> body);
static void forEachLane(FissionContext &fission, bool guarded,
                        llvm::function_ref<void(Item &)> body);
using spl::intrinsics::Id;
using spl::intrinsics::Sync;

//===-- Regions --===//

bool spl::mir::emit(FissionContext &fission, Block &block, const Copies &copies) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  return emit(fission, ops, copies);
}

/// Whether the operation does no more than to end the loops before it.
static bool isBarrier(Operation *op) {
  auto intrinsic = dyn_cast<IntrinsicOp>(op);
  return intrinsic && intrinsic.getRow().id == Id::Barrier;
}

bool spl::mir::emit(FissionContext &fission, ArrayRef<Operation *> ops, const Copies &copies) {
  SmallVector<Operation *> region;
  bool areCopied = copies.empty();
  auto flush = [&](bool isLast) {
    if (region.empty())
      return;
    if (fission.inWarp || llvm::none_of(region, synchronisesWarp)) {
      // In a warp, hoisted values may be read from slots of lane 0 after the region.
      const bool copiesNow = isLast && !fission.inWarp;
      emitLoop(fission, region, copiesNow ? copies : Copies());
      areCopied |= copiesNow;
    } else {
      emitWarps(fission, region);
    }
    region.clear();
  };
  for (auto [number, op] : llvm::enumerate(ops)) {
    if (fission.inWarp ? synchronisesWarp(op) : synchronisesGroup(op)) {
      flush(/*isLast=*/llvm::all_of(ops.drop_front(number), isBarrier));
      emitSplitPoint(fission, op);
    } else if (canHoist(fission, op)) {
      for (Value result : op->getResults())
        hoist(fission, result);
    } else {
      region.push_back(op);
    }
  }
  flush(/*isLast=*/true);
  return areCopied;
}

/// Whether the value is defined in the region: inside op, which is an operation of the region, or
/// by another operation of the region.
static bool isInside(Value value, Operation *op, const llvm::SmallPtrSetImpl<Operation *> &region) {
  Block *home = value.getParentBlock();
  if (home == op->getBlock())
    return region.contains(value.getDefiningOp());
  Operation *parent = home->getParentOp();
  return parent && op->isAncestor(parent);
}

/// Whether groups side by side run the region one after the other. The innermost loop is then over
/// the work-items of a group along x, whose elements in global memory are adjacent. It needs enough
/// of them for a vector. A region in a loop stays over groups, because it runs often.
static bool isBetterByGroup(FissionContext &fission, ArrayRef<Operation *> region) {
  constexpr int64_t minWidth = 8;
  if (!sideBySide(fission.kernel) || fission.usualWidth < minWidth ||
      region.front()->getBlock()->getParentOp())
    return false;
  const auto isGlobal = [](Value slice) {
    return isa<BlockArgument>(rootOf(slice)); // a parameter, or a value of control flow
  };
  return llvm::any_of(region, [&](Operation *op) {
    return op
        ->walk([&](Operation *nested) {
          return isa<LoadOp, StoreOp, AtomicOp, CopyOp>(nested) &&
                         llvm::any_of(nested->getOperands(),
                                      [&](Value operand) {
                                        return isa<SliceType>(operand.getType()) &&
                                               isGlobal(operand);
                                      })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  });
}

static void emitLoop(FissionContext &fission, ArrayRef<Operation *> region, const Copies &copies) {
  Copies cells, places = slotsFor(fission, liveAfter(fission, region, copies), region, cells);
  llvm::SmallPtrSet<Operation *, 16> inside(region.begin(), region.end());
  fission.isByGroup = isBetterByGroup(fission, region);
  forEach(fission, [&](Item &item) {
    for (Operation *op : region)
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (!isInside(operand, op, inside))
            valueFor(fission, operand, item);
      });
    for (Operation *op : region)
      if (!(isa<LocalOp>(op) &&
            (savedIn(fission, op->getResult(0)) || isHoisted(fission, op->getResult(0)))))
        cloneFor(fission, op, item);
      else
        valueFor(fission, op->getResult(0), item);
    SmallVector<std::pair<Value, Value>> stores;
    for (auto [value, place] : llvm::concat<const std::pair<Value, Value>>(places, cells, copies))
      stores.push_back({valueFor(fission, value, item), place});
    for (auto [value, place] : stores)
      store(fission, value, place, item);
  });
  fission.isByGroup = false;
  for (auto [value, place] : places)
    fission.scope().saved[value] = place;
  readCells(fission, cells);
}

/// Emits a region for each warp, and then copies values.
static void emitWarp(FissionContext &fission, ArrayRef<Operation *> region, const Copies &copies) {
  fission.inWarp = true;
  fission.warpRegion.clear();
  fission.warpRegion.insert(region.begin(), region.end());
  fission.lanes.areAll = true;
  fission.warp.top = fission.lanes.mask.getDefiningOp();
  emit(fission, region);
  copyEach(fission, copies);
  fission.inWarp = false;
  fission.warp = FissionContext::Scope();
}

/// Emits loops over the warps of a group whose rows are whole warps.
static void emitRowsOfWarps(FissionContext &fission, ArrayRef<Operation *> region,
                            const Copies &copies) {
  OpBuilder::InsertionGuard guard(fission.builder);
  Value row;
  for (int axis : {2, 1, 0}) {
    auto loop =
        scf::ForOp::create(fission.builder, fission.loc, fission.integer(0), fission.sizes[axis],
                           fission.integer(axis == 0 ? FissionContext::warpSize : 1));
    Value id = fission.lanes.firstIds[axis] = loop.getInductionVar();
    fission.builder.setInsertionPointToStart(loop.getBody());
    Value before = row ? fission.compute<arith::MulIOp>(row, fission.sizes[axis]) : Value();
    row = row ? fission.compute<arith::AddIOp>(before, id) : id;
  }
  fission.lanes.first = row;
  fission.lanes.count = fission.integer(FissionContext::warpSize);
  fission.lanes.mask = fission.integer(-1, 32);
  fission.lanes.areRow = true;
  emitWarp(fission, region, copies);
  fission.lanes.areRow = false;
}

/// Emits a loop over the warps of any group. The last warp may have fewer work-items.
static void emitAnyWarps(FissionContext &fission, ArrayRef<Operation *> region,
                         const Copies &copies) {
  OpBuilder::InsertionGuard guard(fission.builder);
  Value step = fission.integer(FissionContext::warpSize);
  auto warps =
      scf::ForOp::create(fission.builder, fission.loc, fission.integer(0), fission.count, step);
  fission.builder.setInsertionPointToStart(warps.getBody());
  fission.lanes.first = warps.getInductionVar();
  Value left = fission.compute<arith::SubIOp>(fission.count, fission.lanes.first);
  fission.lanes.count = fission.compute<arith::MinSIOp>(left, step);
  Value missing = fission.compute<arith::SubIOp>(step, fission.lanes.count);
  fission.lanes.mask = fission.compute<arith::ShRUIOp>(
      fission.integer(-1, 32),
      arith::TruncIOp::create(fission.builder, fission.loc, fission.builder.getI32Type(), missing));
  emitWarp(fission, region, copies);
}

/// Emits a region with collectives of warps as a loop over warps, in which the region is split
/// again. It is emitted twice: for groups whose rows are whole warps, as they mostly are, and for
/// others.
static void emitWarps(FissionContext &fission, ArrayRef<Operation *> region) {
  Copies cells, places = slotsFor(fission, liveAfter(fission, region), region, cells);
  Copies all(places);
  all.append(cells);
  Value rest =
      fission.compute<arith::RemUIOp>(fission.sizes[0], fission.integer(FissionContext::warpSize));
  Value areRows = arith::CmpIOp::create(fission.builder, fission.loc, arith::CmpIPredicate::eq,
                                        rest, fission.integer(0));
  auto branch = scf::IfOp::create(fission.builder, fission.loc, areRows, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(fission.builder);
    fission.builder.setInsertionPointToStart(branch.thenBlock());
    emitRowsOfWarps(fission, region, all);
    fission.builder.setInsertionPointToStart(branch.elseBlock());
    emitAnyWarps(fission, region, all);
  }
  for (auto [value, place] : places)
    fission.group.saved[value] = place;
  readCells(fission, cells);
}

//===-- Loops --===//

/// Emits one loop over all work-items of the group. The body must not use their ids.
static void forEachFlat(FissionContext &fission, llvm::function_ref<void(Item &)> body) {
  OpBuilder::InsertionGuard guard(fission.builder);
  auto items = scf::ForOp::create(fission.builder, fission.loc, fission.integer(0), fission.count,
                                  fission.integer(1));
  items->setDiscardableAttr(SplDialect::independentAttr, fission.builder.getUnitAttr());
  fission.builder.setInsertionPointToStart(items.getBody());
  Item item;
  item.flat = items.getInductionVar();
  body(item);
}

void spl::mir::copyEach(FissionContext &fission, const Copies &copies) {
  if (copies.empty())
    return;
  // Values in memory are copied in one loop, which is a long one also in groups with short rows.
  const bool areSaved = !fission.inWarp && llvm::all_of(copies, [&](const auto &copy) {
    return fission.group.saved.contains(copy.first);
  });
  auto each = areSaved ? forEachFlat : forEach;
  each(fission, [&](Item &item) {
    Values values;
    for (auto [value, place] : copies)
      values.push_back(valueFor(fission, value, item));
    for (auto [value, copy] : llvm::zip(values, copies))
      store(fission, value, copy.second, item);
  });
}

void spl::mir::forEach(FissionContext &fission, llvm::function_ref<void(Item &)> body) {
  if (fission.inWarp)
    forEachLane(fission, !fission.lanes.areAll, body);
  else
    forEachItem(fission, body);
}

/// The flat id of a work-item one axis further in: x + X * (y + Y * z).
static Value flatId(FissionContext &fission, Value outer, const LocalIds &ids, int axis) {
  Value before = outer ? fission.compute<arith::MulIOp>(outer, fission.sizes[axis]) : Value();
  return outer ? fission.compute<arith::AddIOp>(before, ids[axis]) : ids[axis];
}

void spl::mir::markGroups(FissionContext &fission, scf::ForOp loop) {
  loop->setDiscardableAttr(SplDialect::sideBySideAttr, fission.builder.getUnitAttr());
  loop->setDiscardableAttr(SplDialect::workItemsAttr,
                           fission.builder.getI64IntegerAttr(sideBySide(fission.kernel)->groups));
}

static void forEachItem(FissionContext &fission, llvm::function_ref<void(Item &)> body) {
  OpBuilder::InsertionGuard guard(fission.builder);
  Value zero = fission.integer(0), step = fission.integer(1);
  Item item;
  auto loopOver = [&](int axis) {
    auto items = scf::ForOp::create(fission.builder, fission.loc, zero, fission.sizes[axis], step);
    item.ids[axis] = items.getInductionVar();
    fission.builder.setInsertionPointToStart(items.getBody());
    return items;
  };
  scf::ForOp innermost;
  if (fission.isByGroup) {
    for (int axis : {0, 2, 1})
      innermost = loopOver(axis);
    for (int axis : {2, 1, 0})
      item.flat = flatId(fission, item.flat, item.ids, axis);
  } else {
    for (int axis : {2, 1, 0}) {
      innermost = loopOver(axis);
      item.flat = flatId(fission, item.flat, item.ids, axis);
    }
  }
  if (sideBySide(fission.kernel) && !fission.isByGroup)
    markGroups(fission, innermost);
  else
    innermost->setDiscardableAttr(SplDialect::workItemsAttr,
                                  fission.builder.getI64IntegerAttr(fission.usualWidth));
  body(item);
}

Value spl::mir::isActive(FissionContext &fission, Value lane) {
  Value shift =
      arith::TruncIOp::create(fission.builder, fission.loc, fission.builder.getI32Type(), lane);
  Value low = fission.compute<arith::AndIOp>(
      fission.compute<arith::ShRUIOp>(fission.lanes.mask, shift), fission.integer(1, 32));
  return arith::CmpIOp::create(fission.builder, fission.loc, arith::CmpIPredicate::ne, low,
                               fission.integer(0, 32));
}

void spl::mir::keepRolled(FissionContext &fission, scf::ForOp loop) {
  loop->setDiscardableAttr(SplDialect::unrollAttr, fission.builder.getI64IntegerAttr(0));
}

static void forEachLane(FissionContext &fission, bool guarded,
                        llvm::function_ref<void(Item &)> body) {
  OpBuilder::InsertionGuard guard(fission.builder);
  auto lanes =
      scf::ForOp::create(fission.builder, fission.loc, fission.integer(0),
                         guarded ? fission.integer(FissionContext::warpSize) : fission.lanes.count,
                         fission.integer(1));
  keepRolled(fission, lanes);
  if (fission.lanes.areRow)
    lanes->setDiscardableAttr(SplDialect::warpAttr, fission.builder.getUnitAttr());
  Item item;
  item.lane = lanes.getInductionVar();
  fission.builder.setInsertionPointToStart(lanes.getBody());
  if (guarded) {
    auto here = scf::IfOp::create(fission.builder, fission.loc, isActive(fission, item.lane),
                                  /*withElseRegion=*/false);
    fission.builder.setInsertionPointToStart(here.thenBlock());
  }
  item.flat = fission.compute<arith::AddIOp>(fission.lanes.first, item.lane);
  body(item);
}
