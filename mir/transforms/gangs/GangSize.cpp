// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/GangSize.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/RangeLoop.h"
#include "mir/transforms/gangs/GangCells.h"
#include "mir/transforms/gangs/GangWays.h"
#include "mir/transforms/gangs/LikelyAdjacent.h"
#include "mlir/IR/TypeUtilities.h"
#include "spl/abi/Limits.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

/// Whether the operation is a function of the math library. LLVM vectorises a loop with one only if
/// all accesses of the loop are adjacent.
static bool isCall(Operation *op) {
  auto intrinsic = dyn_cast<IntrinsicOp>(op);
  return intrinsic && intrinsic.getRow().id >= Id::Cbrt && intrinsic.getRow().id <= Id::Lgamma;
}

/// Whether LLVM unrolls the loop as a whole. It can then vectorise the loop over work-items itself.
static bool isShort(Operation *loop) {
  constexpr uint64_t maxTrips = 8;
  auto counted = dyn_cast<scf::ForOp>(loop);
  std::optional<APInt> count = counted ? counted.getStaticTripCount() : std::nullopt;
  return count && count->ule(maxTrips);
}

bool spl::mir::hasLongLoop(scf::ForOp items) {
  return items.getBody()
      ->walk([](LoopLikeOpInterface loop) {
        return isShort(loop) ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether LLVM vectorises the loop over its own iterations: an innermost one that loads an array
/// in order, the same for all lanes, and combines integers. The order of a sum of floats may not
/// change.
static bool isVectorisedByItself(const LaneShapes &shapes, Operation *op) {
  constexpr unsigned maxWork = 8; // LLVM vectorises few other loops than plain reductions
  unsigned work = 0;
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || loop.getNumResults() == 0 || shapes.isDivergent(loop) ||
      loop->hasAttr(SplDialect::unrollAttr) ||
      llvm::any_of(loop.getRegionIterArgs(), [](Value value) {
        return isa<FloatType>(getElementTypeOrSelf(value.getType()));
      }))
    return false;
  bool loadsInOrder = false;
  const bool isOther =
      loop.getBody()
          ->walk([&](Operation *inner) {
            auto load = dyn_cast<LoadOp>(inner);
            loadsInOrder |= load && wayOf(shapes, load) == Way::Once &&
                            load.getIndices().back() == loop.getInductionVar();
            const Way way = wayOf(shapes, inner);
            work += way == Way::Lanewise;
            return isa<LoopLikeOpInterface>(inner) || way == Way::Adjacent || work > maxWork
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  return loadsInOrder && !isOther;
}

namespace {
/// What the loops in the body of the work-items consist of.
struct Loops {
  bool pay = false;       ///< whether gangs gain something
  bool areSlower = false; ///< whether LLVM vectorises a loop itself
  unsigned bits = 8;      ///< of the widest number
  bool divergent = false; ///< whether lanes run different numbers of iterations of a loop
  bool strided = false;   ///< whether a loop strides over a range with the same step in each lane
  bool simple = true; ///< whether all operations are arithmetic, or access one or adjacent elements
};
} // namespace

/// Whether the lanes stride over a range with the same step, as over gpu.grid_stride. Their numbers
/// of iterations then differ by few. Each iteration accesses adjacent elements, and the next one
/// accesses elements that are far away: a wide gang uses more of each page.
static bool isStride(const LaneShapes &shapes, Operation *op) {
  const std::optional<RangeLoop> range = RangeLoop::match(op);
  return range && range->stride() && !range->mayBeLeft() &&
         shapes.of(range->firstValue()).isLinear() && shapes.isUniform(range->stride()->step);
}

static void add(Loops &loops, const LaneShapes &shapes, Operation *op, bool pays) {
  const Way way = wayOf(shapes, op);
  loops.simple &= way != Way::Scattered && way != Way::EachLane && way != Way::Cells && !isCall(op);
  if (way != Way::Lanewise && way != Way::Adjacent)
    return;
  loops.pay |= pays || isCall(op);
  auto widen = [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    // Indices and lengths are i64, and there are few of them.
    if (isa<FloatType>(element) || way == Way::Adjacent)
      loops.bits = std::max(loops.bits, element.getIntOrFloatBitWidth());
  };
  if (auto store = dyn_cast<StoreOp>(op))
    widen(store.getValue().getType());
  else
    widen(op->getResult(0).getType());
}

/// Whether the operation runs where a divergent condition holds.
static bool isConditional(const LaneShapes &shapes, Operation *op, scf::ForOp items) {
  for (Operation *parent = op->getParentOp(); parent != items; parent = parent->getParentOp())
    if (shapes.isDivergent(parent))
      return true;
  return false;
}

/// Whether the operation writes one or adjacent elements where a divergent condition holds. LLVM
/// branches around it for each work-item, or does not vectorise the loop at all.
static bool isConditionalWrite(const LaneShapes &shapes, Operation *op, scf::ForOp items) {
  const Way way = wayOf(shapes, op);
  return isa<StoreOp, AtomicOp>(op) && (way == Way::Adjacent || way == Way::Once) &&
         isConditional(shapes, op, items);
}

/// Whether the operation loads adjacent elements where a divergent condition holds. In a row of few
/// work-items, as where a tile and its halo are loaded, LLVM branches around it too.
static bool isConditionalLoad(const LaneShapes &shapes, Operation *op, scf::ForOp items,
                              int64_t usual) {
  constexpr int64_t maxWidth = 32;
  return isa<LoadOp>(op) && usual != 0 && usual <= maxWidth && wayOf(shapes, op) == Way::Adjacent &&
         isConditional(shapes, op, items);
}

/// Whether the operation accesses elements that are likely to be adjacent. LLVM would not access
/// them as vectors.
static bool isLikelyAdjacentAccess(const LaneShapes &shapes, Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return wayOf(shapes, load) == Way::Scattered &&
           isLikelyAdjacent(shapes, load.getSlice(), load.getIndices(), load.getType());
  auto store = dyn_cast<StoreOp>(op);
  return store && wayOf(shapes, store) == Way::Scattered &&
         isLikelyAdjacent(shapes, store.getSlice(), store.getIndices(), store.getValue().getType());
}

bool spl::mir::hasConditionalAtomic(const LaneShapes &shapes, scf::ForOp items) {
  return items.getBody()
      ->walk([&](AtomicOp atomic) {
        return isConditionalWrite(shapes, atomic, items) ? WalkResult::interrupt()
                                                         : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the operation is in a loop of the body, and in one that LLVM does not unroll.
static std::pair<bool, bool> loopsAround(Operation *op, scf::ForOp items) {
  bool inLoop = false, inLongLoop = false;
  for (Operation *parent = op->getParentOp(); parent != items; parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent)) {
      inLoop = true;
      inLongLoop |= !isShort(parent);
    }
  return {inLoop, inLongLoop};
}

/// The number of values that are carried round a loop and differ between lanes, in numbers of
/// \p bits.
static unsigned carried(const LaneShapes &shapes, Operation *loop, unsigned bits) {
  unsigned sum = 0;
  ValueRange values = isa<scf::ForOp>(loop) ? ValueRange(cast<scf::ForOp>(loop).getRegionIterArgs())
                                            : cast<scf::WhileOp>(loop).getBeforeArguments();
  for (Value value : values) {
    if (!shapes.isVarying(value) || value.getType().isInteger(1))
      continue;
    auto vector = dyn_cast<VectorType>(value.getType());
    const unsigned size = (vector ? vector.getNumElements() : 1) *
                          getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    sum += std::max(1u, size / bits);
  }
  return sum;
}

/// The number of rows of cells of the variables in the body: of all, and of those outside of its
/// loops.
static std::pair<int64_t, int64_t> rowsIn(scf::ForOp items) {
  int64_t all = 0, outside = 0;
  items.getBody()->walk([&](LocalOp variable) {
    int64_t count = 0;
    const SmallVector<CellType, 4> cells = *cellTypes(variable.getType().getElement());
    for (const CellType &cell : cells)
      count += int64_t(variable.getCount()) * cell.rows;
    all += count;
    outside += loopsAround(variable, items).first ? 0 : count;
  });
  return {all, outside};
}

/// Whether updates by atomics are so much of the body that scalar code is faster. The lanes run
/// them in turn, so that vectors with their operands have to be taken apart. Updates under a
/// condition that differs between lanes do not count, because they may be rare.
static bool areMostlyUpdates(const LaneShapes &shapes, scf::ForOp items) {
  constexpr uint64_t worthOneUpdate = 8; // operations on vectors
  uint64_t updates = 0, work = 0;
  items.getBody()->walk([&](Operation *op) {
    uint64_t weight = 1; // eight rounds for each loop around it
    bool isSure = true;
    for (Operation *parent = op->getParentOp(); parent != items; parent = parent->getParentOp()) {
      if (isa<LoopLikeOpInterface>(parent))
        weight = llvm::SaturatingMultiply<uint64_t>(weight, 8);
      else
        isSure &= !isa<scf::IfOp>(parent) || !shapes.isDivergent(parent);
    }
    const Way way = wayOf(shapes, op);
    if (way == Way::EachLane && isa<AtomicOp>(op) && op->use_empty() && isSure)
      updates = llvm::SaturatingAdd(updates, weight);
    else if (way == Way::Lanewise || way == Way::Adjacent)
      work = llvm::SaturatingAdd(work, weight * (isa<IntrinsicOp>(op) ? 8 : 1));
  });
  return work < llvm::SaturatingMultiply(updates, worthOneUpdate);
}

int64_t spl::mir::gangSize(const LaneShapes &shapes, scf::ForOp items, unsigned vectorBits,
                           int64_t usual) {
  constexpr size_t maxOperations = 2000;
  Loops loops;
  const bool hasLoops = items.getBody()
                            ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
                            .wasInterrupted();
  SmallVector<Operation *> all;
  size_t count = 0;
  const bool never = items.getBody()
                         ->walk([&](Operation *op) {
                           if (wayOf(shapes, op) == Way::Never || ++count > maxOperations)
                             return WalkResult::interrupt();
                           if (isa<LoopLikeOpInterface>(op)) {
                             all.push_back(op);
                             const bool isStrided = isStride(shapes, op);
                             loops.strided |= isStrided;
                             loops.divergent |= shapes.isDivergent(op) && !isStrided;
                             loops.areSlower |= isVectorisedByItself(shapes, op);
                           }
                           auto [inLoop, inLongLoop] = loopsAround(op, items);
                           if (inLoop || !hasLoops)
                             add(loops, shapes, op, inLongLoop);
                           loops.pay |= !hasLoops && (isConditionalWrite(shapes, op, items) ||
                                                      isConditionalLoad(shapes, op, items, usual) ||
                                                      isLikelyAdjacentAccess(shapes, op));
                           return WalkResult::advance();
                         })
                         .wasInterrupted();
  const bool isWarp = items->hasAttr(SplDialect::warpAttr);
  const bool isSideBySide = items->hasAttr(SplDialect::sideBySideAttr);
  if (never || (!isWarp && !isSideBySide &&
                (!loops.pay || loops.areSlower || areMostlyUpdates(shapes, items))))
    return 0;
  constexpr int64_t maxRows = 128; // 64 KiB of the thread's stack, if they are not in registers
  const auto [rows, rowsOutside] = rowsIn(items);
  if (rows > maxRows)
    return 0;
  if (isWarp)
    return abi::warpSize;

  const unsigned bits = std::max(loops.bits, 32u);
  const int64_t oneVector = vectorBits / bits;
  const unsigned registers = vectorBits >= 512 ? 32 : 16;
  if (rowsOutside > registers)
    return 0;
  int64_t most = 0;
  for (Operation *loop : all)
    most = std::max<int64_t>(most, carried(shapes, loop, bits));
  most += rowsOutside;
  const bool isWide = loops.strided && loops.simple && !loops.divergent;
  int64_t vectors = isWide ? 8 : loops.strided || loops.divergent || !hasLoops ? 2 : 4;
  while (vectors > 1 && vectors * (most + 2) > registers)
    vectors /= 2;
  int64_t lanes = std::min<int64_t>(oneVector * vectors, std::end(widestGangs)[-1]);
  // A gang of which only some lanes are active takes as long as a whole one.
  auto isPadded = [&] { return llvm::alignTo(usual, lanes) * 4 > uint64_t(usual) * 5; };
  while (usual != 0 && ((lanes > oneVector && isPadded()) || lanes >= 2 * usual))
    lanes /= 2;
  return lanes >= 4 ? lanes : 0;
}
