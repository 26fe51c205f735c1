// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that some lanes leave earlier than others.
#include "mir/transforms/RangeLoop.h"
#include "mir/transforms/gangs/FetchAhead.h"
#include "mir/transforms/gangs/Gang.h"
#include "mir/transforms/gangs/GangWays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
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
  const FetchedLoop loopToFetch = fetchedLoop(gang, op);
  auto loop = scf::WhileOp::create(gang.builder, op.getLoc(), types, state);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  scf::YieldOp::create(gang.builder, op.getLoc(), loop.getResults());
  Block *before = addBlock(gang, loop.getBefore(), types);
  bindEach(gang, op.getAfterArguments(), before->getArguments());
  {
    llvm::SaveAndRestore fetched(gang.fetched, loopToFetch);
    emit(gang, *op.getAfterBody());
  }
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

namespace {

/// The range of a loop of a warp with an iteration for each lane: from first + lane on, by a step
/// that is the same for all lanes, to an end that is too. Scalars say which lanes have an
/// iteration.
struct RangeOfWarp {
  Value size;                     ///< of the step, an unsigned number
  arith::CmpIPredicate predicate; ///< of the first value and the end
};

} // namespace

/// Matches a range whose distance is end - first, or one less if the end is not included.
static std::optional<RangeOfWarp> rangeOfWarp(Gang &gang, scf::WhileOp op) {
  const std::optional<RangeLoop> range = RangeLoop::match(op);
  if (!gang.isWarp || !range || !range->stride() || !flagOf(gang, op))
    return std::nullopt;
  const RangeLoop::Stride &stride = *range->stride();
  auto hasRound = stride.hasRound.getDefiningOp<arith::CmpIOp>();
  if (!hasRound || hasRound.getLhs() != range->firstValue() || stride.isUp ||
      !gang.shapes.isUniform(hasRound.getRhs()) || !gang.shapes.isUniform(stride.size) ||
      gang.shapes.of(range->variableInBody()) != LaneShape::linear(1) ||
      stride.distance.getType() != range->firstValue().getType())
    return std::nullopt;
  Value whole = stride.distance;
  switch (hasRound.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    if (auto last = whole.getDefiningOp<arith::SubIOp>();
        last && matchPattern(last.getRhs(), m_One()))
      whole = last.getLhs();
    else
      return std::nullopt;
    break;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    break;
  default:
    return std::nullopt;
  }
  auto difference = whole.getDefiningOp<arith::SubIOp>();
  if (!difference || difference.getLhs() != hasRound.getRhs() ||
      difference.getRhs() != range->firstValue())
    return std::nullopt;
  return RangeOfWarp{stride.size, hasRound.getPredicate()};
}

/// The range of a loop whose last iteration can also be emitted for the first few lanes only. Cells
/// have rows with an element for each lane of the whole gang.
static std::optional<RangeOfWarp> rangeForFewLanes(Gang &gang, scf::WhileOp op) {
  std::optional<RangeOfWarp> range = rangeOfWarp(gang, op);
  if (range && op.walk([&](Operation *inner) {
                   return wayOf(gang.shapes, inner) == Way::Cells ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
                 }).wasInterrupted())
    return std::nullopt;
  return range;
}

/// The first few lanes that are active and have an iteration, which is the last one, if
/// isLastOfFew. The arguments are bound to the state before it.
static Value fewWithIteration(Gang &gang, scf::WhileOp op) {
  llvm::SaveAndRestore lanes(gang.lanes, fewLanes);
  Value distance = scalarOf(gang, op.getBeforeArguments()[2]);
  Type type = distance.getType();
  if (type.getIntOrFloatBitWidth() > 32) {
    type = gang.builder.getI32Type();
    distance = arith::TruncIOp::create(gang.builder, gang.loc, type, distance);
  }
  Value mask = arith::CmpIOp::create(gang.builder, gang.loc, arith::CmpIPredicate::ule,
                                     laneNumbers(gang, type), everywhere(gang, distance));
  if (gang.mask)
    mask = arith::SelectOp::create(gang.builder, gang.loc, firstLanes(gang, gang.mask), mask,
                                   integer(gang, 0, mask.getType()));
  return mask;
}

/// Whether only some of the first few lanes have an iteration, and none has another one after it.
///
/// With d as what lane 0 has left, lane i has an iteration if i <= d. This follows from d < 8 if
/// the values of the lanes do not wrap:
/// - Before the first iteration, end = first + d, or first + d + 1 if it is not included.
/// - After an iteration of all lanes, lane 0 had at least 31 left. A subtraction that wraps made d
///   of that only if the step is almost 2^n.
/// - If the end is included and is the largest number, all lanes have an iteration although their
///   values wrap. Lane 0 had fewer than 31 left then. After a step below 2^(n-1), it is as near to
///   the largest number as before, or d is large.
///
/// No lane has another iteration, because the step is larger than d.
static Value isLastOfFew(Gang &gang, scf::WhileOp op, const RangeOfWarp &range) {
  Value first = scalarOf(gang, op.getBeforeArguments()[0]),
        distance = scalarOf(gang, op.getBeforeArguments()[2]);
  const bool isSigned =
      range.predicate == arith::CmpIPredicate::slt || range.predicate == arith::CmpIPredicate::sle;
  const unsigned bits = first.getType().getIntOrFloatBitWidth();
  const APInt most = isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  auto compare = [&](arith::CmpIPredicate is, Value value, int64_t bound) -> Value {
    return arith::CmpIOp::create(gang.builder, gang.loc, is, value,
                                 integer(gang, bound, value.getType()));
  };
  Value tests[] = {compare(arith::CmpIPredicate::ult, distance, fewLanes),
                   compare(isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult, first,
                           (most - (gang.lanes - 1)).getSExtValue()),
                   compare(arith::CmpIPredicate::sge, scalarOf(gang, range.size), fewLanes)};
  Value all = tests[0];
  for (Value test : llvm::drop_begin(tests))
    all = arith::AndIOp::create(gang.builder, gang.loc, all, test);
  if (!gang.mask)
    return all;
  Value any = anyOf(gang, fewWithIteration(gang, op));
  return arith::AndIOp::create(gang.builder, gang.loc, all, any);
}

/// Emits the last iteration for the first few lanes. The other lanes have none: their results are
/// the arguments, which the condition passes on.
static Values emitFewLanes(Gang &gang, scf::WhileOp op, ValueRange state, ValueRange used) {
  ValueRange entering = op.getBeforeArguments();
  bindEach(gang, entering, state);
  Values wide, narrow;
  for (Value result : used)
    llvm::append_range(wide, vectorsOf(gang, entering[cast<OpResult>(result).getResultNumber()]));
  {
    llvm::SaveAndRestore active(gang.mask, fewWithIteration(gang, op));
    llvm::SaveAndRestore lanes(gang.lanes, fewLanes);
    llvm::SaveAndRestore few(gang.isFew, true);
    bindEach(gang, op.getAfterArguments(), representEach(gang, entering, op.getAfterArguments()));
    emit(gang, *op.getAfterBody());
    for (Value result : used) {
      const unsigned number = cast<OpResult>(result).getResultNumber();
      llvm::append_range(narrow, selectEach(gang, gang.mask,
                                            vectorsOf(gang, op.getYieldOp().getOperand(number)),
                                            vectorsOf(gang, entering[number])));
    }
  }
  for (auto [all, some] : llvm::zip_equal(wide, narrow))
    all = vector::InsertStridedSliceOp::create(gang.builder, gang.loc, some, all,
                                               /*offsets=*/ArrayRef<int64_t>{0},
                                               /*strides=*/ArrayRef<int64_t>{1});
  return wide;
}

/// Emits the iterations that not all lanes run twice: for all lanes, and for the first few.
static void emitLastIterations(Gang &gang, scf::WhileOp op, ValueRange state, Value isFew) {
  SmallVector<Value> used;
  for (Value result : op.getResults())
    if (!result.use_empty())
      used.push_back(result);
  auto branch = scf::IfOp::create(gang.builder, op.getLoc(), typesOfEach(gang, used), isFew,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(gang.builder);
  gang.builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(gang.builder, op.getLoc(), emitFewLanes(gang, op, state, used));
  gang.builder.setInsertionPointToEnd(branch.elseBlock());
  emitMaskedIterations(gang, op, Values(state));
  scf::YieldOp::create(gang.builder, op.getLoc(), representEach(gang, used, used));
  bindEach(gang, used, branch.getResults());
}

//===-- All of them --===//

static bool isEffectFree(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); });
}

/// Emits the iterations that all lanes run, if all are active. Returns as emitWholeIterations.
static Values emitIfWhole(Gang &gang, scf::WhileOp op, Values state) {
  if (!gang.mask)
    return emitWholeIterations(gang, op, std::move(state));
  return emitEither(
      gang, allOf(gang, gang.mask), typesOfEach(gang, op.getBeforeArguments()),
      [&] { return emitWholeIterations(gang, op, state); }, [&] { return state; });
}

/// Emits a loop whose last iteration often is one of few lanes. It begins with a test whether that
/// is the only one. Then no test of a vector is in front of it.
static void emitRange(Gang &gang, scf::WhileOp op, const Values &state, const RangeOfWarp &range) {
  ValueRange entering = op.getBeforeArguments();
  bindEach(gang, entering, state);
  SmallVector<Type> types = typesOfEach(gang, entering);
  types.push_back(gang.builder.getI1Type());
  const Values after = emitEither(
      gang, isLastOfFew(gang, op, range), types,
      [&] {
        Values same(state);
        same.push_back(integer(gang, 1, gang.builder.getI1Type()));
        return same;
      },
      [&] {
        Values next = emitIfWhole(gang, op, state);
        bindEach(gang, entering, next);
        next.push_back(isLastOfFew(gang, op, range));
        return next;
      });
  llvm::SaveAndRestore sparse(gang.isSparse, true);
  emitLastIterations(gang, op, ValueRange(after).drop_back(), after.back());
}

void spl::mir::emitDivergentWhile(Gang &gang, scf::WhileOp op) {
  Values state = representEach(gang, op.getInits(), op.getBeforeArguments());
  if (gang.isSparse || !hasMaskedOperations(gang.shapes, op) || !isEffectFree(*op.getBeforeBody()))
    return emitMaskedIterations(gang, op, state);
  if (std::optional<RangeOfWarp> range = rangeForFewLanes(gang, op))
    return emitRange(gang, op, state, *range);
  state = emitIfWhole(gang, op, state);
  llvm::SaveAndRestore sparse(gang.isSparse, true);
  emitMaskedIterations(gang, op, state);
}
