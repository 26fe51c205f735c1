// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow that is the same for all lanes does not change. Each branch of a divergent if runs
// with a mask of its lanes, if there are any. A divergent loop runs while any lane is in it. A loop
// that accesses memory is emitted twice: without masks, for a gang whose lanes are all active, and
// with masks. So is the first branch of an if that compares ids with a length.
#include "mir/transforms/gangs/Gang.h"
#include "mir/transforms/gangs/GangWays.h"
#include "mir/transforms/gangs/KeptLoads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spl::mir;

Block *spl::mir::addBlock(Gang &gang, Region &region, TypeRange types) {
  return gang.builder.createBlock(&region, {}, types,
                                  SmallVector<Location>(types.size(), gang.loc));
}

//===-- if --===//

Values spl::mir::emitEither(Gang &gang, Value condition, TypeRange types,
                            llvm::function_ref<Values()> ifTrue,
                            llvm::function_ref<Values()> otherwise) {
  auto branch = scf::IfOp::create(gang.builder, gang.loc, types, condition, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(gang.builder);
  gang.builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(gang.builder, gang.loc, ifTrue());
  gang.builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(gang.builder, gang.loc, otherwise());
  return Values(branch.getResults());
}

static void emitUniformIf(Gang &gang, scf::IfOp op) {
  auto branch = scf::IfOp::create(gang.builder, op.getLoc(), typesOfEach(gang, op.getResults()),
                                  scalarOf(gang, op.getCondition()), /*addThenBlock=*/true,
                                  /*addElseBlock=*/!op.getElseRegion().empty());
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(gang.builder);
    gang.builder.setInsertionPointToEnd(&to.front());
    emit(gang, from.front());
    Values yielded =
        representEach(gang, from.front().getTerminator()->getOperands(), op.getResults());
    scf::YieldOp::create(gang.builder, op.getLoc(), yielded);
  }
  bindEach(gang, op.getResults(), branch.getResults());
}

static void emitSelection(Gang &gang, scf::IfOp op) {
  llvm::SaveAndRestore speculated(gang.isSpeculated, true);
  std::array<Values, 2> results;
  for (auto [region, values] : llvm::zip(op->getRegions(), results)) {
    if (region.empty())
      continue;
    emit(gang, region.front());
    values = representEach(gang, region.front().getTerminator()->getOperands(), op.getResults());
  }
  if (op.getNumResults() == 0)
    return;
  Value condition = vectorsOf(gang, op.getCondition()).front();
  bindEach(gang, op.getResults(), selectEach(gang, condition, results[0], results[1]));
}

/// Emits one branch of a divergent if with these lanes active, if there are any. Returns what
/// represents the results of the if.
static Values emitUnder(Gang &gang, Value mask, Block &block, ValueRange results) {
  const SmallVector<Type> types = typesOfEach(gang, results);
  auto branch = scf::IfOp::create(gang.builder, gang.loc, types, anyOf(gang, mask),
                                  /*addThenBlock=*/true, /*addElseBlock=*/!types.empty());
  OpBuilder::InsertionGuard guard(gang.builder);
  if (!types.empty()) {
    gang.builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(gang.builder, gang.loc, zerosOf(gang, llvm::to_vector<1>(types)));
  }
  gang.builder.setInsertionPointToEnd(branch.thenBlock());
  llvm::SaveAndRestore active(gang.mask, mask);
  emit(gang, block);
  Values yielded = representEach(gang, block.getTerminator()->getOperands(), results);
  scf::YieldOp::create(gang.builder, gang.loc, yielded);
  return Values(branch.getResults());
}

/// Emits an if with masks. \p isPart tells that only some lanes take the first branch.
static Values emitMaskedIf(Gang &gang, scf::IfOp op, bool isPart) {
  Value condition = vectorsOf(gang, op.getCondition()).front();
  std::array<Values, 2> results;
  for (auto [number, region] : llvm::enumerate(op->getRegions())) {
    if (region.empty() || (op.getNumResults() == 0 && region.front().without_terminator().empty()))
      continue;
    llvm::SaveAndRestore sparse(gang.isSparse, gang.isSparse || (isPart && number == 0));
    results[number] = emitUnder(gang, activeIf(gang, op.getCondition(), number == 0),
                                region.front(), op.getResults());
  }
  return op.getNumResults() == 0 ? Values() : selectEach(gang, condition, results[0], results[1]);
}

/// Emits an if. Where scalars can tell that all lanes take the first branch, as those of most gangs
/// do whose ids are compared with a length, it is also emitted without masks.
static void emitDivergentIf(Gang &gang, scf::IfOp op) {
  Value isWhole;
  if (!gang.mask && !gang.isSparse && hasMaskedOperations(gang.shapes, op))
    isWhole = holdsAtAllEnds(gang, op.getCondition());
  if (!isWhole)
    return void(bindEach(gang, op.getResults(), emitMaskedIf(gang, op, /*isPart=*/false)));
  auto emitWhole = [&] {
    emit(gang, *op.thenBlock());
    return representEach(gang, op.thenYield().getOperands(), op.getResults());
  };
  auto emitMasked = [&] { return emitMaskedIf(gang, op, /*isPart=*/true); };
  bindEach(gang, op.getResults(),
           emitEither(gang, isWhole, typesOfEach(gang, op.getResults()), emitWhole, emitMasked));
}

//===-- Loops with uniform control --===//

static void emitForOnce(Gang &gang, scf::ForOp op) {
  ValueRange arguments = op.getRegionIterArgs();
  auto loop = scf::ForOp::create(gang.builder, op.getLoc(), scalarOf(gang, op.getLowerBound()),
                                 scalarOf(gang, op.getUpperBound()), scalarOf(gang, op.getStep()),
                                 representEach(gang, op.getInitArgs(), arguments),
                                 /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(gang.builder);
  if (arguments.empty())
    loop.getBody()->getTerminator()->erase();
  gang.builder.setInsertionPointToEnd(loop.getBody());
  gang.scalars.map(op.getInductionVar(), loop.getInductionVar());
  bindEach(gang, arguments, loop.getRegionIterArgs());
  emit(gang, *op.getBody());
  scf::YieldOp::create(
      gang.builder, op.getLoc(),
      representEach(gang, op.getBody()->getTerminator()->getOperands(), arguments));
  bindEach(gang, op.getResults(), loop.getResults());
}

static void emitFor(Gang &gang, scf::ForOp op) {
  allocateKept(gang, op);
  emitWithKept(gang, op, [&] { emitForOnce(gang, op); });
}

static void emitWhile(Gang &gang, scf::WhileOp op) {
  ValueRange entering = op.getBeforeArguments(), staying = op.getAfterArguments();
  const SmallVector<Type> enteringTypes = typesOfEach(gang, entering),
                          stayingTypes = typesOfEach(gang, staying);
  auto loop = scf::WhileOp::create(gang.builder, op.getLoc(), stayingTypes,
                                   representEach(gang, op.getInits(), entering));
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(gang.builder);
  Block *before = addBlock(gang, loop.getBefore(), enteringTypes);
  bindEach(gang, entering, before->getArguments());
  emit(gang, *op.getBeforeBody());
  scf::ConditionOp condition = op.getConditionOp();
  Values passed = representEach(gang, condition.getArgs(), staying);
  scf::ConditionOp::create(gang.builder, op.getLoc(), scalarOf(gang, condition.getCondition()),
                           passed);
  Block *after = addBlock(gang, loop.getAfter(), stayingTypes);
  bindEach(gang, staying, after->getArguments());
  emit(gang, *op.getAfterBody());
  scf::YieldOp::create(gang.builder, op.getLoc(),
                       representEach(gang, op.getYieldOp().getOperands(), entering));
  bindEach(gang, op.getResults(), loop.getResults());
}

/// Emits a loop, and one more without masks if that is faster and all lanes are active.
static void emitUniformLoop(Gang &gang, Operation *op) {
  auto emitLoop = [&] {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      emitFor(gang, loop);
    else
      emitWhile(gang, cast<scf::WhileOp>(op));
  };
  if (!gang.mask || gang.isSparse || !hasMaskedOperations(gang.shapes, op))
    return emitLoop();
  Location loc = op->getLoc();
  auto branch = scf::IfOp::create(gang.builder, loc, typesOfEach(gang, op->getResults()),
                                  allOf(gang, gang.mask), /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  for (bool isWhole : {true, false}) {
    OpBuilder::InsertionGuard guard(gang.builder);
    gang.builder.setInsertionPointToEnd(isWhole ? branch.thenBlock() : branch.elseBlock());
    llvm::SaveAndRestore active(gang.mask, isWhole ? Value() : gang.mask);
    llvm::SaveAndRestore sparse(gang.isSparse, !isWhole);
    emitLoop();
    Values results = representEach(gang, op->getResults(), op->getResults());
    scf::YieldOp::create(gang.builder, loc, results);
  }
  bindEach(gang, op->getResults(), branch.getResults());
}

//===-- All of them --===//

void spl::mir::emitControlFlow(Gang &gang, Operation *op) {
  const bool isDivergent = gang.shapes.isDivergent(op);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (!isDivergent)
      return emitUniformIf(gang, branch);
    return isSelection(gang.shapes, branch) ? emitSelection(gang, branch)
                                            : emitDivergentIf(gang, branch);
  }
  llvm::SaveAndRestore fetched(gang.fetched, FetchedLoop());
  if (!isDivergent)
    return emitUniformLoop(gang, op);
  emitDivergentWhile(gang, cast<scf::WhileOp>(op));
}
