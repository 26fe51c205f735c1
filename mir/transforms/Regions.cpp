// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stretches between cuts, and the loops that they become.
#include "mir/transforms/Regions.h"
#include "intrinsics/Intrinsics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Sync;

static bool holds(Operation *op, Sync sync) {
  return op
      ->walk([&](IntrinsicOp intrinsic) {
        return intrinsic.getRow().sync == sync ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool spl::mir::meetsAsGroup(Operation *op) { return holds(op, Sync::Group); }
bool spl::mir::meetsAsWarp(Operation *op) { return holds(op, Sync::Warp); }

RegionCutter::RegionCutter(KernelOp kernel, PassIds passIds)
    : kernel(kernel), passIds(passIds), uniformity(kernel), builder(kernel.getContext()),
      loc(kernel.getLoc()) {}

void RegionCutter::run() {
  Block &body = kernel.getBody().front();
  Block old; // the body as it was, taken apart from here
  old.getOperations().splice(old.end(), body.getOperations());
  builder.setInsertionPointToEnd(&body);
  for (auto [axis, size] : llvm::enumerate(sizes))
    size = IntrinsicOp::create(builder, loc, builder.getI64Type(),
                               spl::intrinsics::row(Id::LocalSize).name, ValueRange(),
                               builder.getI64IntegerAttr(axis))
               .getResult();
  count = compute<arith::MulIOp>(sizes[0], compute<arith::MulIOp>(sizes[1], sizes[2]));
  groupTop = count.getDefiningOp();
  emit(old);
  ReturnOp::create(builder, old.getTerminator()->getLoc());
  for (Operation &op : old)
    op.dropAllReferences();
  old.clear();
}

//===-- Stretches --===//

void RegionCutter::emit(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  emit(ops);
}

void RegionCutter::emit(ArrayRef<Operation *> ops) {
  SmallVector<Operation *> stretch;
  auto flush = [&] {
    if (!stretch.empty())
      emitStretch(stretch);
    stretch.clear();
  };
  for (Operation *op : ops) {
    if (inWarp ? meetsAsWarp(op) : meetsAsGroup(op)) {
      flush();
      emitCut(op);
    } else if (isOne(op)) {
      for (Value result : op->getResults())
        one(result);
    } else {
      stretch.push_back(op);
    }
  }
  flush();
}

void RegionCutter::emitStretch(ArrayRef<Operation *> stretch) {
  if (!inWarp && llvm::any_of(stretch, meetsAsWarp))
    emitWarps(stretch);
  else
    emitLoop(stretch);
}

/// Whether the value is made in the stretch, of which op is one operation: in it, or beside it.
static bool isInside(Value value, Operation *op,
                     const llvm::SmallPtrSetImpl<Operation *> &stretch) {
  Block *home = value.getParentBlock();
  if (home == op->getBlock())
    return stretch.contains(value.getDefiningOp());
  Operation *parent = home->getParentOp();
  return parent && op->isAncestor(parent);
}

void RegionCutter::emitLoop(ArrayRef<Operation *> stretch) {
  Copies cells, places = placesFor(leaving(stretch), cells);
  llvm::SmallPtrSet<Operation *, 16> inside(stretch.begin(), stretch.end());
  forEach([&](Item &item) {
    for (Operation *op : stretch)
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (!isInside(operand, op, inside))
            use(operand, item);
      });
    for (Operation *op : stretch)
      if (!(isa<LocalOp>(op) && keptIn(op->getResult(0))))
        copyInto(op, item);
      else
        use(op->getResult(0), item);
    for (auto [value, place] : llvm::concat<const std::pair<Value, Value>>(places, cells))
      store(item.map.lookup(value), place, item);
  });
  for (auto [value, place] : places)
    (inWarp ? warp : group).kept[value] = place;
  readCells(cells);
}

/// A stretch in which warps meet: warp by warp, and there cut again.
void RegionCutter::emitWarps(ArrayRef<Operation *> stretch) {
  Copies cells, places = placesFor(leaving(stretch), cells);
  Value step = integer(warpSize);
  auto warps = scf::ForOp::create(builder, loc, integer(0), count, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(warps.getBody());
  inWarp = true;
  firstItem = warps.getInductionVar();
  Value left = compute<arith::SubIOp>(count, firstItem);
  laneCount = compute<arith::MinSIOp>(left, step);
  Value missing = compute<arith::SubIOp>(step, laneCount);
  mask = compute<arith::ShRUIOp>(
      integer(-1, 32), arith::TruncIOp::create(builder, loc, builder.getI32Type(), missing));
  isWhole = true;
  warpTop = mask.getDefiningOp();
  emit(stretch);

  Copies all(places);
  all.append(cells);
  copyEach(all);
  inWarp = false;
  warp = Scope();
  builder.setInsertionPointAfter(warps);
  for (auto [value, place] : places)
    group.kept[value] = place;
  readCells(cells);
}

//===-- Loops --===//

void RegionCutter::copyEach(const Copies &copies) {
  if (copies.empty())
    return;
  forEach([&](Item &item) {
    Values values;
    for (auto [value, place] : copies)
      values.push_back(use(value, item));
    for (auto [value, copy] : llvm::zip(values, copies))
      store(value, copy.second, item);
  });
}

void RegionCutter::forEach(llvm::function_ref<void(Item &)> body) {
  if (inWarp)
    forEachLane(!isWhole, body);
  else
    forEachItem(body);
}

void RegionCutter::forEachItem(llvm::function_ref<void(Item &)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Value zero = integer(0), step = integer(1);
  Item item;
  Value row;
  for (int axis : {2, 1, 0}) {
    auto items = scf::ForOp::create(builder, loc, zero, sizes[axis], step);
    item.ids[axis] = items.getInductionVar();
    builder.setInsertionPointToStart(items.getBody());
    // x + X * (y + Y * z)
    Value before = row ? compute<arith::MulIOp>(row, sizes[axis]) : Value();
    row = row ? compute<arith::AddIOp>(before, item.ids[axis]) : item.ids[axis];
  }
  item.flat = row;
  body(item);
}

Value RegionCutter::isActive(Value lane) {
  Value shift = arith::TruncIOp::create(builder, loc, builder.getI32Type(), lane);
  Value low = compute<arith::AndIOp>(compute<arith::ShRUIOp>(mask, shift), integer(1, 32));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, low, integer(0, 32));
}

// Unrolled, 32 lanes would be long code that nothing makes vectors of again.
void RegionCutter::keepRolled(scf::ForOp loop) {
  loop->setDiscardableAttr(SplDialect::unrollAttr, builder.getI64IntegerAttr(0));
}

void RegionCutter::forEachLane(bool guarded, llvm::function_ref<void(Item &)> body) {
  OpBuilder::InsertionGuard guard(builder);
  auto lanes = scf::ForOp::create(builder, loc, integer(0), guarded ? integer(warpSize) : laneCount,
                                  integer(1));
  keepRolled(lanes);
  Item item;
  item.lane = lanes.getInductionVar();
  builder.setInsertionPointToStart(lanes.getBody());
  if (guarded) {
    auto here = scf::IfOp::create(builder, loc, isActive(item.lane), /*withElseRegion=*/false);
    builder.setInsertionPointToStart(here.thenBlock());
  }
  item.flat = compute<arith::AddIOp>(firstItem, item.lane);
  body(item);
}

//===-- Small builders --===//

Value RegionCutter::integer(int64_t value, unsigned width) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(builder.getIntegerType(width), value));
}

Value RegionCutter::zeroOf(Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Value RegionCutter::load(Value slice, Value index) {
  Type element = cast<SliceType>(slice.getType()).getElement();
  return LoadOp::create(builder, loc, element, slice, index, /*unchecked=*/true);
}
