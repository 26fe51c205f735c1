// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/GangRows.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace spl::mir {
namespace {

/// The most rows that run side by side.
constexpr int64_t mostRows = 4;
/// The most operations in a loop that shares loads. The copies of larger loops do not fit in
/// registers.
constexpr size_t mostOperations = 64;

bool isOne(Value value) { return matchPattern(value, m_One()); }

/// The loop over rows around the two, if it does nothing else that has effects.
scf::ForOp rowsAround(scf::ForOp gangs, scf::IfOp rest) {
  auto rows = dyn_cast<scf::ForOp>(gangs->getParentOp());
  if (!rows || rows.getNumResults() != 0 || rows.getUnsignedCmp() || !isOne(rows.getStep()))
    return {};
  for (Operation &op : rows.getBody()->without_terminator())
    if (&op != gangs && &op != rest && !isPure(&op))
      return {};
  return rows;
}

/// Whether the value may not be the same for each row.
bool differs(Value value, scf::ForOp rows, unsigned depth = 0) {
  if (rows.isDefinedOutsideOfLoop(value))
    return false;
  constexpr unsigned deepest = 8; // operations may use one value several times
  if (depth == deepest)
    return true;
  auto anyDiffers = [&](ValueRange values) {
    return llvm::any_of(values, [&](Value each) { return differs(each, rows, depth + 1); });
  };
  if (Operation *op = value.getDefiningOp())
    return op->getNumRegions() != 0 || anyDiffers(op->getOperands());
  auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
  return !loop || loop == rows || value != loop.getInductionVar() ||
         anyDiffers({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
}

/// Whether the loop's bounds are computed before the loop over rows.
bool hasInvariantBounds(scf::ForOp loop, scf::ForOp rows) {
  return llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                      [&](Value bound) { return rows.isDefinedOutsideOfLoop(bound); });
}

/// Whether the loop is short, and loads vectors that are the same for each row.
bool sharesLoads(scf::ForOp loop, scf::ForOp rows) {
  size_t operations = 0, shared = 0;
  const bool isSimple = !loop.getBody()
                             ->walk([&](Operation *op) {
                               if (isa<LoopLikeOpInterface>(op) || ++operations > mostOperations)
                                 return WalkResult::interrupt();
                               if (isa<LoadLanesOp, GatherLanesOp>(op))
                                 shared += llvm::none_of(op->getOperands(), [&](Value operand) {
                                   return differs(operand, rows);
                                 });
                               return WalkResult::advance();
                             })
                             .wasInterrupted();
  return isSimple && shared != 0;
}

/// The registers of the values that the loop carries.
int64_t registersOf(scf::ForOp loop, unsigned vectorBits) {
  int64_t registers = 0;
  for (Type type : loop.getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      registers +=
          llvm::divideCeil(vector.getNumElements() * vector.getElementTypeBitWidth(), vectorBits);
  return registers;
}

/// How many rows share loads, or 1.
int64_t rowsToShare(scf::ForOp gangs, scf::ForOp rows, unsigned vectorBits) {
  int64_t registers = 0;
  bool isWorth = false;
  for (Operation &op : gangs.getBody()->without_terminator()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop && op.getNumRegions() != 0 && !isa<scf::IfOp>(op))
      return 1;
    if (!loop)
      continue;
    if (!hasInvariantBounds(loop, rows) || !sharesLoads(loop, rows))
      return 1;
    isWorth = true;
    registers = std::max(registers, registersOf(loop, vectorBits));
  }
  // A CPU with vectors of 512 bits has 32 registers, and others have 16.
  const int64_t available = vectorBits >= 512 ? 16 : 8;
  int64_t count = isWorth && registers != 0 ? mostRows : 1;
  while (count > 1 && count * registers > available)
    count /= 2;
  return count;
}

/// Erases an operation in a copy of a loop.
void eraseCopyOf(Operation *op, const IRMapping &map) { map.lookup(op)->erase(); }

} // namespace

void shareLoadsOfRows(scf::ForOp gangs, scf::IfOp rest, unsigned vectorBits) {
  scf::ForOp rows = rowsAround(gangs, rest);
  if (!rows)
    return;
  for (scf::ForOp loop : {gangs, rows})
    hoistInvariants(cast<LoopLikeOpInterface>(loop.getOperation()));
  if (!hasInvariantBounds(gangs, rows))
    return;
  const int64_t count = rowsToShare(gangs, rows, vectorBits);
  if (count == 1)
    return;

  // The work-items that are left at the ends of the rows run in a loop of their own.
  OpBuilder builder(rows);
  Location loc = rows.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  builder.setInsertionPointAfter(rows);
  IRMapping inRest;
  builder.clone(*rows, inRest);
  eraseCopyOf(gangs, inRest);
  rest.erase();

  // The rows that are left run one by one.
  builder.setInsertionPoint(rows);
  Value lower = rows.getLowerBound(), upper = rows.getUpperBound();
  Value all = arith::SubIOp::create(builder, loc, upper, lower);
  all = arith::MaxSIOp::create(builder, loc, all, constant(0));
  Value whole = arith::AndIOp::create(builder, loc, all, constant(-count));
  Value end = arith::AddIOp::create(builder, loc, lower, whole);
  builder.setInsertionPointAfter(rows);
  auto left = cast<scf::ForOp>(builder.clone(*rows));
  left.setLowerBound(end);

  builder.setInsertionPoint(rows);
  auto blocks = scf::ForOp::create(builder, loc, lower, end, constant(count));
  builder.setInsertionPointToStart(blocks.getBody());
  // The function that unrolls the loop emits numbers of type index.
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto block = scf::ForOp::create(builder, loc, index(0), index(count), index(1));
  builder.setInsertionPointToStart(block.getBody());
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), block.getInductionVar());
  Value row = arith::AddIOp::create(builder, loc, blocks.getInductionVar(), number);
  block.getBody()->getOperations().splice(std::prev(block.getBody()->end()),
                                          rows.getBody()->getOperations(), rows.getBody()->begin(),
                                          std::prev(rows.getBody()->end()));
  rows.getInductionVar().replaceAllUsesWith(row);
  rows.erase();
  (void)loopUnrollJamByFactor(block, uint64_t(count)); // if it fails, the rows run one by one
}

} // namespace spl::mir
