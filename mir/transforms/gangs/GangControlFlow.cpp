// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow that is the same for all lanes does not change. Each branch of a divergent if runs
// with a mask of its lanes, if there are any. A divergent loop runs while any lane is in it. A loop
// that accesses memory is emitted twice: without masks, for a gang whose lanes are all active, and
// with masks.
#include "mir/transforms/gangs/Gang.h"
#include "mir/transforms/gangs/GangPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spl::mir;

static SmallVector<Type> typesOfEach(const Gang &gang, ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values)
    llvm::append_range(types, typesOf(gang, value));
  return types;
}

static Values representEach(Gang &gang, ValueRange values, ValueRange like) {
  Values parts;
  for (auto [value, target] : llvm::zip_equal(values, like))
    llvm::append_range(parts, represent(gang, value, target));
  return parts;
}

static Block *addBlock(Gang &gang, Region &region, TypeRange types) {
  return gang.builder.createBlock(&region, {}, types,
                                  SmallVector<Location>(types.size(), gang.loc));
}

//===-- if --===//

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

static void emitDivergentIf(Gang &gang, scf::IfOp op) {
  Value condition = vectorsOf(gang, op.getCondition()).front();
  std::array<Values, 2> results;
  for (auto [number, region] : llvm::enumerate(op->getRegions()))
    if (!region.empty() &&
        !(op.getNumResults() == 0 && region.front().without_terminator().empty()))
      results[number] = emitUnder(gang, activeIf(gang, op.getCondition(), number == 0),
                                  region.front(), op.getResults());
  if (op.getNumResults() != 0)
    bindEach(gang, op.getResults(), selectEach(gang, condition, results[0], results[1]));
}

//===-- Loops with uniform control --===//

static void emitFor(Gang &gang, scf::ForOp op) {
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

//===-- Divergent loops --===//

/// If the condition of the loop is a flag that the last iteration computed by a comparison that
/// holdsInAll tests with scalars, the number of the flag among the arguments. Loops over ranges
/// whose step is not constant have such flags (frontend/mirgen/Ranges.cpp).
static std::optional<unsigned> flagOf(Gang &gang, scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  auto flag = dyn_cast<BlockArgument>(condition.getCondition());
  if (!flag || flag.getOwner() != op.getBeforeBody() ||
      !llvm::hasSingleElement(*op.getBeforeBody()) ||
      !llvm::equal(condition.getArgs(), op.getBeforeArguments()) ||
      typesOfEach(gang, op.getBeforeArguments()) != typesOfEach(gang, op.getAfterArguments()))
    return std::nullopt;
  auto compare = op.getYieldOp().getOperand(flag.getArgNumber()).getDefiningOp<arith::CmpIOp>();
  const bool isCheap = compare && compare->getBlock() == op.getAfterBody() &&
                       gang.shapes.of(compare.getLhs()).isLinear() &&
                       gang.shapes.of(compare.getRhs()).isLinear();
  return isCheap ? std::optional(flag.getArgNumber()) : std::nullopt;
}

/// Emits the iterations that all lanes run, as emitWholeIterations, of a loop with a flag. It is
/// tested at the end of each iteration.
static Values emitWholeRange(Gang &gang, scf::WhileOp op, Values state, unsigned flag) {
  ValueRange entering = op.getBeforeArguments();
  llvm::SaveAndRestore active(gang.mask, Value());
  const SmallVector<Type> types = typesOfEach(gang, entering);
  const size_t position = typesOfEach(gang, entering.take_front(flag)).size();
  auto branch = scf::IfOp::create(gang.builder, op.getLoc(), types, allOf(gang, state[position]),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(gang.builder);
  gang.builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(gang.builder, op.getLoc(), state);
  gang.builder.setInsertionPointToEnd(branch.thenBlock());
  auto loop = scf::WhileOp::create(gang.builder, op.getLoc(), types, state);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  scf::YieldOp::create(gang.builder, op.getLoc(), loop.getResults());
  Block *before = addBlock(gang, loop.getBefore(), types);
  bindEach(gang, op.getAfterArguments(), before->getArguments());
  emit(gang, *op.getAfterBody());
  ValueRange yielded = op.getYieldOp().getOperands();
  Values next = representEach(gang, yielded, entering);
  Value all = holdsInAll(gang, yielded[flag]);
  scf::ConditionOp::create(gang.builder, op.getLoc(), all, next);
  Block *after = addBlock(gang, loop.getAfter(), types);
  scf::YieldOp::create(gang.builder, op.getLoc(), after->getArguments());
  return Values(branch.getResults());
}

/// Emits the iterations of a divergent loop that all lanes run. Returns what represents its
/// arguments before the iteration that some lane does not run.
static Values emitWholeIterations(Gang &gang, scf::WhileOp op, Values state) {
  if (std::optional<unsigned> flag = flagOf(gang, op);
      flag && gang.shapes.isVarying(op.getBeforeArguments()[*flag]))
    return emitWholeRange(gang, op, state, *flag);
  ValueRange entering = op.getBeforeArguments(), staying = op.getAfterArguments();
  llvm::SaveAndRestore active(gang.mask, Value());
  const SmallVector<Type> enteringTypes = typesOfEach(gang, entering),
                          stayingTypes = typesOfEach(gang, staying);
  SmallVector<Type> types(enteringTypes);
  llvm::append_range(types, stayingTypes);
  auto loop = scf::WhileOp::create(gang.builder, op.getLoc(), types, state);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(gang.builder);
  Block *before = addBlock(gang, loop.getBefore(), enteringTypes);
  bindEach(gang, entering, before->getArguments());
  emit(gang, *op.getBeforeBody());
  scf::ConditionOp condition = op.getConditionOp();
  Values passed(before->getArguments());
  llvm::append_range(passed, representEach(gang, condition.getArgs(), staying));
  Value all = holdsInAll(gang, condition.getCondition());
  scf::ConditionOp::create(gang.builder, op.getLoc(), all, passed);
  Block *after = addBlock(gang, loop.getAfter(), types);
  bindEach(gang, staying, after->getArguments().drop_front(enteringTypes.size()));
  emit(gang, *op.getAfterBody());
  scf::YieldOp::create(gang.builder, op.getLoc(),
                       representEach(gang, op.getYieldOp().getOperands(), entering));
  return Values(loop.getResults().take_front(enteringTypes.size()));
}

/// The argument of the first region that the condition passes on as this result, if it varies and
/// can keep the value of lanes that have left the loop; otherwise null.
static Value keeper(Gang &gang, scf::WhileOp op, unsigned result) {
  auto argument = dyn_cast<BlockArgument>(op.getConditionOp().getArgs()[result]);
  return argument && argument.getOwner() == op.getBeforeBody() && gang.shapes.isVarying(argument)
             ? Value(argument)
             : Value();
}

// The results of a lane are what the condition passes on when the lane leaves the loop. They are
// kept in further values that the loop carries, or in the argument that the condition passes on.
static void emitMaskedIterations(Gang &gang, scf::WhileOp op, Values state) {
  ValueRange entering = op.getBeforeArguments(), staying = op.getAfterArguments();
  scf::ConditionOp condition = op.getConditionOp();
  Type maskType = laneType(gang, gang.builder.getI1Type());
  Values inits{gang.mask ? gang.mask : integer(gang, 1, maskType)};
  llvm::append_range(inits, state);
  SmallVector<unsigned> kept; // results that further values keep
  llvm::DenseMap<Value, unsigned> keepers;
  SmallVector<Type> keptTypes;
  for (auto [number, result] : llvm::enumerate(op.getResults())) {
    if (result.use_empty())
      continue;
    if (Value argument = keeper(gang, op, number)) {
      keepers.try_emplace(argument, number);
    } else {
      kept.push_back(number);
      llvm::append_range(keptTypes, laneTypes(gang, result.getType()));
    }
  }
  llvm::append_range(inits, zerosOf(gang, llvm::to_vector<1>(keptTypes)));
  SmallVector<Type> enteringTypes{maskType}, stayingTypes{maskType};
  llvm::append_range(enteringTypes, typesOfEach(gang, entering));
  llvm::append_range(stayingTypes, typesOfEach(gang, staying));
  llvm::append_range(enteringTypes, keptTypes);
  llvm::append_range(stayingTypes, keptTypes);

  auto loop = scf::WhileOp::create(gang.builder, op.getLoc(), stayingTypes, inits);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  {
    OpBuilder::InsertionGuard guard(gang.builder);
    Block *before = addBlock(gang, loop.getBefore(), enteringTypes);
    llvm::SaveAndRestore active(gang.mask, Value(before->getArgument(0)));
    ValueRange old = bindEach(gang, entering, before->getArguments().drop_front());
    emit(gang, *op.getBeforeBody());
    Value stays = activeIf(gang, condition.getCondition());
    Values passed{stays};
    llvm::append_range(passed, representEach(gang, condition.getArgs(), staying));
    for (unsigned number : kept) {
      Values now = vectorsOf(gang, condition.getArgs()[number]);
      llvm::append_range(passed, selectEach(gang, gang.mask, now, old.take_front(now.size())));
      old = old.drop_front(now.size());
    }
    scf::ConditionOp::create(gang.builder, op.getLoc(), anyOf(gang, stays), passed);

    Block *after = addBlock(gang, loop.getAfter(), stayingTypes);
    gang.mask = after->getArgument(0);
    ValueRange keptNow = bindEach(gang, staying, after->getArguments().drop_front());
    emit(gang, *op.getAfterBody());
    Values next{gang.mask};
    for (auto [value, argument] : llvm::zip(op.getYieldOp().getOperands(), entering)) {
      Values parts = represent(gang, value, argument);
      if (auto found = keepers.find(argument); found != keepers.end())
        parts = selectEach(gang, gang.mask, parts, vectorsOf(gang, staying[found->second]));
      llvm::append_range(next, parts);
    }
    llvm::append_range(next, keptNow);
    scf::YieldOp::create(gang.builder, op.getLoc(), next);
  }

  // The results follow the mask: those of the second region's arguments, then the kept ones.
  ValueRange results = loop.getResults().drop_front();
  ValueRange keptResults = results.drop_front(stayingTypes.size() - 1 - keptTypes.size());
  for (auto [number, argument] : llvm::enumerate(staying)) {
    const size_t count = typesOf(gang, argument).size();
    Value result = op.getResult(number);
    if (llvm::is_contained(kept, number)) {
      const size_t size = laneTypes(gang, result.getType()).size();
      bind(gang, result, keptResults.take_front(size));
      keptResults = keptResults.drop_front(size);
    } else if (!result.use_empty()) {
      bind(gang, result, results.take_front(count));
    }
    results = results.drop_front(count);
  }
}

static bool isEffectFree(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); });
}

static void emitDivergentWhile(Gang &gang, scf::WhileOp op) {
  Values state = representEach(gang, op.getInits(), op.getBeforeArguments());
  if (gang.isSparse || !hasMaskedOperations(gang.shapes, op) || !isEffectFree(*op.getBeforeBody()))
    return emitMaskedIterations(gang, op, state);
  if (!gang.mask) {
    state = emitWholeIterations(gang, op, state);
  } else {
    auto branch =
        scf::IfOp::create(gang.builder, op.getLoc(), typesOfEach(gang, op.getBeforeArguments()),
                          allOf(gang, gang.mask), /*addThenBlock=*/true, /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(gang.builder);
    gang.builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(gang.builder, op.getLoc(), state);
    gang.builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(gang.builder, op.getLoc(), emitWholeIterations(gang, op, state));
    state = Values(branch.getResults());
  }
  llvm::SaveAndRestore sparse(gang.isSparse, true);
  emitMaskedIterations(gang, op, state);
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
  if (!isDivergent)
    return emitUniformLoop(gang, op);
  emitDivergentWhile(gang, cast<scf::WhileOp>(op));
}
