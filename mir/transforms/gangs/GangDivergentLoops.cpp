// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that some lanes leave earlier than others.
#include "mir/transforms/gangs/Gang.h"
#include "mir/transforms/gangs/GangWays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spl::mir;

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

//===-- Few lanes --===//

/// The lanes that are enough for the last iterations of most short ranges.
constexpr int64_t fewLanes = 8;

/// Whether the masked iterations can also be emitted for the first few lanes only. This is for
/// loops of a warp over a range whose step is not a literal. Their first lanes have one more
/// iteration than the others. Cells have rows with an element for each lane of the whole gang.
static bool canRunFewLanes(Gang &gang, scf::WhileOp op) {
  if (!gang.isWarp || !flagOf(gang, op))
    return false;
  bool hasCells = false;
  op.walk([&](Operation *inner) { hasCells |= wayOf(gang.shapes, inner) == Way::Cells; });
  return !hasCells;
}

/// Whether any lane has another iteration that the first few do not include.
static Value anyFurther(Gang &gang, scf::WhileOp op) {
  Value active = activeIf(gang, op.getConditionOp().getCondition());
  Type type = active.getType();
  SmallVector<bool> isFurther(gang.lanes, true);
  std::fill_n(isFurther.begin(), fewLanes, false);
  Value further = arith::ConstantOp::create(
      gang.builder, gang.loc, DenseElementsAttr::get(cast<VectorType>(type), isFurther));
  return anyOf(gang, arith::SelectOp::create(gang.builder, gang.loc, further, active,
                                             integer(gang, 0, type)));
}

/// Emits the masked iterations for the first few lanes. The other lanes have none: their results
/// are the arguments, which the condition passes on.
static Values emitFewLanes(Gang &gang, scf::WhileOp op, ValueRange state, ValueRange used) {
  ValueRange entering = op.getBeforeArguments();
  Values narrow;
  {
    llvm::SaveAndRestore lanes(gang.lanes, fewLanes);
    llvm::SaveAndRestore few(gang.isFew, true);
    llvm::SaveAndRestore active(gang.mask, gang.mask ? firstLanes(gang, gang.mask) : Value());
    bindEach(gang, entering, state);
    emitMaskedIterations(gang, op, representEach(gang, entering, entering));
    narrow = representEach(gang, used, used);
  }
  bindEach(gang, entering, state);
  Values wide;
  for (Value result : used)
    llvm::append_range(wide, vectorsOf(gang, entering[cast<OpResult>(result).getResultNumber()]));
  for (auto [all, some] : llvm::zip_equal(wide, narrow))
    all = vector::InsertStridedSliceOp::create(gang.builder, gang.loc, some, all,
                                               /*offsets=*/ArrayRef<int64_t>{0},
                                               /*strides=*/ArrayRef<int64_t>{1});
  return wide;
}

/// Emits the masked iterations twice: for all lanes, and for the first few.
static void emitLastIterations(Gang &gang, scf::WhileOp op, ValueRange state) {
  SmallVector<Value> used;
  for (Value result : op.getResults())
    if (!result.use_empty())
      used.push_back(result);
  bindEach(gang, op.getBeforeArguments(), state);
  Value further = anyFurther(gang, op);
  auto branch = scf::IfOp::create(gang.builder, op.getLoc(), typesOfEach(gang, used), further,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(gang.builder);
  gang.builder.setInsertionPointToEnd(branch.thenBlock());
  emitMaskedIterations(gang, op, Values(state));
  scf::YieldOp::create(gang.builder, op.getLoc(), representEach(gang, used, used));
  gang.builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(gang.builder, op.getLoc(), emitFewLanes(gang, op, state, used));
  bindEach(gang, used, branch.getResults());
}

//===-- All of them --===//

static bool isEffectFree(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); });
}

void spl::mir::emitDivergentWhile(Gang &gang, scf::WhileOp op) {
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
  if (canRunFewLanes(gang, op))
    return emitLastIterations(gang, op, state);
  emitMaskedIterations(gang, op, state);
}
