// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/FetchAhead.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/RangeLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spl::mir;

/// Eight rounds of the step, which is a constant or the size of the group. Null for other steps:
/// with a longer one, as of gpu.grid_stride, each round is in another page, and fetching gains
/// nothing.
static Value eightRounds(Gang &gang, scf::WhileOp loop, Value step) {
  constexpr int64_t rounds = 8, most = 4096; // a page of f32 in a loop with the step 128
  if (APInt number; matchPattern(step, m_ConstantInt(&number)))
    return number.abs().ule(most) ? integer(gang, number.getSExtValue() * rounds, step.getType())
                                  : Value();
  auto size = step.getDefiningOp<IntrinsicOp>();
  if (!size || size.getRow().id != spl::intrinsics::Id::LocalSize || !isOutside(loop, step))
    return {};
  return arith::MulIOp::create(gang.builder, loop.getLoc(), scalarOf(gang, step),
                               integer(gang, rounds, step.getType()));
}

FetchedLoop spl::mir::fetchedLoop(Gang &gang, scf::WhileOp loop) {
  const std::optional<RangeLoop> range = RangeLoop::match(loop);
  if (!range || !range->stride() || !range->stride()->step.getType().isInteger(64))
    return {};
  Value ahead = eightRounds(gang, loop, range->stride()->step);
  return ahead ? FetchedLoop{range->variableInBody(), ahead} : FetchedLoop();
}

/// Whether the value is the variable plus or minus what is the same in all rounds.
static bool isSumWith(BlockArgument variable, Value value) {
  constexpr unsigned mostTerms = 4;
  auto isSame = [&](Value term) {
    return matchPattern(term, m_Constant()) || isOutside(variable.getOwner()->getParentOp(), term);
  };
  for (unsigned terms = 0; value != variable; ++terms) {
    Operation *op = value.getDefiningOp();
    if (terms == mostTerms || !isa_and_present<arith::AddIOp, arith::SubIOp>(op))
      return false;
    Value rest = op->getOperand(0), term = op->getOperand(1);
    if (isa<arith::AddIOp>(op) && isSame(rest))
      std::swap(rest, term);
    if (!isSame(term))
      return false;
    value = rest;
  }
  return true;
}

void spl::mir::fetchAhead(Gang &gang, LoadOp load) {
  constexpr unsigned lineBits = 512; // of most machines; smaller lines are fetched in part
  const Value slice = load.getSlice();
  if (!gang.fetched.variable || !isa<BlockArgument>(slice) ||
      !isSumWith(cast<BlockArgument>(gang.fetched.variable), load.getIndices().back()))
    return;
  SmallVector<Value> indices;
  for (Value index : load.getIndices())
    indices.push_back(scalarOf(gang, index));
  const Value first =
      arith::AddIOp::create(gang.builder, gang.loc, indices.back(), gang.fetched.ahead);
  const int64_t line = lineBits / std::max(8u, load.getType().getIntOrFloatBitWidth());
  for (int64_t lane = 0; lane < gang.lanes; lane += line) {
    indices.back() =
        arith::AddIOp::create(gang.builder, gang.loc, first, integer(gang, lane, first.getType()));
    PrefetchOp::create(gang.builder, gang.loc, scalarOf(gang, slice), indices);
  }
}
