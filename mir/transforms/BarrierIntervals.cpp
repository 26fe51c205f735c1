// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/BarrierIntervals.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/Forwarding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace spl::mir;

BarrierIntervals::BarrierIntervals(KernelOp kernel) : kernel(kernel) {
  findMemory();
  if (arrays.empty())
    return;
  findBarriers();
  visit(kernel.getBody().front(), add(/*isBehindBarrier=*/true));
  findWritesBeside();
}

Operation *BarrierIntervals::writeBeside(Operation *load, Value slice) const {
  const Stretch &stretch = stretches[stretchOf.lookup(load)];
  for (StringAttr array : arrays.lookup(slice))
    if (Operation *write = stretch.writesBeside.lookup(array))
      return write;
  return nullptr;
}

void BarrierIntervals::findMemory() {
  kernel.walk([&](SharedOp shared) {
    for (Value view : viewsOf(shared.getResult())) {
      auto &names = arrays[view];
      if (!llvm::is_contained(names, shared.getNameAttr()))
        names.push_back(shared.getNameAttr());
    }
  });
  if (arrays.empty())
    return;
  auto addOther = [&](Value slice) {
    for (Value view : viewsOf(slice))
      others.insert(view);
  };
  for (BlockArgument argument : kernel.getArguments())
    if (isa<SliceType>(argument.getType()))
      addOther(argument);
  kernel.walk([&](Operation *op) {
    if (isa<LocalOp, SharedDynOp, ScratchOp, ConstantDataOp>(op))
      addOther(op->getResult(0));
  });
}

void BarrierIntervals::findBarriers() {
  kernel.walk([&](IntrinsicOp op) {
    if (op.getRow().sync == spl::intrinsics::Sync::Group)
      for (Operation *parent = op->getParentOp(); parent != kernel; parent = parent->getParentOp())
        splits.insert(parent);
  });
}

//===-- Stretches --===//

unsigned BarrierIntervals::add(bool isBehindBarrier) {
  stretches.emplace_back().isBehindBarrier = isBehindBarrier;
  return unsigned(stretches.size()) - 1;
}

/// Whether the operation may write to the memory of its operand.
static bool mayWrite(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto atomic = dyn_cast<AtomicOp>(op))
    return atomic.getKind() != AtomicKind::Load;
  if (auto copy = dyn_cast<CopyOp>(op))
    return use.get() == copy.getTo();
  if (isa<CallOp>(op))
    return cast<SliceType>(use.get().getType()).getIsMut();
  return !isa<LoadOp, ExtentOp, IsAlignedOp, TraceOp, arith::SelectOp>(op) && !isView(op) &&
         forwarded(use).empty();
}

/// Adds an operation without a barrier inside to a stretch.
void BarrierIntervals::place(Operation *op, unsigned at) {
  op->walk([&](Operation *inner) {
    stretchOf[inner] = at;
    for (OpOperand &use : inner->getOpOperands())
      if (auto found = arrays.find(use.get()); found != arrays.end() && mayWrite(use))
        for (StringAttr array : found->second)
          stretches[at].writes.push_back({array, inner});
  });
}

/// Visits a block from the stretch before it, and returns the stretch at its end.
unsigned BarrierIntervals::visit(Block &block, unsigned at) {
  for (Operation &op : block) {
    auto intrinsic = dyn_cast<IntrinsicOp>(op);
    if (intrinsic && intrinsic.getRow().sync == spl::intrinsics::Sync::Group)
      at = add(/*isBehindBarrier=*/true);
    else if (splits.contains(&op))
      at = visitSplit(&op, at);
    else
      place(&op, at);
  }
  return at;
}

unsigned BarrierIntervals::visitSplit(Operation *op, unsigned at) {
  const unsigned after = add(/*isBehindBarrier=*/false);
  auto goTo = [&](unsigned from, unsigned to) { stretches[from].next.push_back(to); };
  auto enter = [&](Region &region) { // returns the stretches at its start and at its end
    const unsigned start = add(/*isBehindBarrier=*/false);
    return std::pair(start, visit(region.front(), start));
  };
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    const auto [before, condition] = enter(loop.getBefore());
    const auto [body, end] = enter(loop.getAfter());
    goTo(at, before);
    goTo(condition, body);
    goTo(condition, after);
    goTo(end, before);
    return after;
  }
  const bool isLoop = isa<scf::ForOp>(op);
  for (Region &region : op->getRegions()) {
    if (region.empty()) {
      goTo(at, after);
      continue;
    }
    const auto [start, end] = enter(region);
    goTo(at, start);
    goTo(end, after);
    if (isLoop)
      goTo(end, start);
  }
  if (isLoop)
    goTo(at, after);
  return after;
}

/// An interval starts behind a barrier, and includes what is reached from there without another
/// one.
void BarrierIntervals::findWritesBeside() {
  for (unsigned start = 0; start != stretches.size(); ++start) {
    if (!stretches[start].isBehindBarrier)
      continue;
    SmallVector<unsigned> interval{start};
    llvm::DenseSet<unsigned> seen{start};
    for (size_t i = 0; i != interval.size(); ++i)
      for (unsigned next : stretches[interval[i]].next)
        if (seen.insert(next).second)
          interval.push_back(next);
    for (unsigned writer : interval)
      for (auto [array, write] : stretches[writer].writes)
        for (unsigned stretch : interval)
          stretches[stretch].writesBeside.try_emplace(array, write);
  }
}
