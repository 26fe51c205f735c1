// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow with a uniform condition does not change. It is outside the loops over work-items.
// In a warp, each branch of divergent control flow runs with a mask of its lanes, if the mask is
// not empty. Divergent values are passed in memory: a result and the block arguments for it have
// the same slots.
#include "mir/transforms/fission/ControlFlow.h"
#include "mir/transforms/fission/Collectives.h"
#include "mir/transforms/fission/SavedContext.h"
#include "mir/transforms/fission/WarpLanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spl::mir;

static void emitFor(FissionContext &fission, mlir::scf::ForOp op);
static void emitIf(FissionContext &fission, mlir::scf::IfOp op);
static void emitSplitFor(FissionContext &fission, mlir::scf::ForOp op);
static void emitSplitIf(FissionContext &fission, mlir::scf::IfOp op);
static void emitSplitWhile(FissionContext &fission, mlir::scf::WhileOp op);
static void emitWhile(FissionContext &fission, mlir::scf::WhileOp op);

void spl::mir::emitSplitPoint(FissionContext &fission, Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(fission, branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(fission, loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(fission, loop);
  emitCollective(fission, cast<IntrinsicOp>(op));
}

/// Allocates slots for the divergent values among those that control flow passes on, if they have
/// none. Returns the uniform values, which are hoisted.
static Values saveDivergent(FissionContext &fission, ValueRange values, bool allDiffer) {
  Values uniforms;
  for (Value value : values) {
    if (!allDiffer && isUniform(fission, value))
      uniforms.push_back(value);
    else if (!fission.scope().saved.contains(value))
      fission.scope().saved[value] = newSlots(fission, value.getType());
  }
  return uniforms;
}

/// Lets the arguments of a loop have the slots of their initial values, if nothing else reads
/// those.
static void takeSlots(FissionContext &fission, Operation *loop, ValueRange inits,
                      ValueRange arguments) {
  auto &saved = fission.scope().saved;
  for (auto [init, argument] : llvm::zip(inits, arguments)) {
    Operation *op = init.getDefiningOp();
    // A loop reads its initial values again in each iteration of a loop around it. Results of loops
    // and branches may share slots. The slots of a local have another type.
    const bool isOnlyHere = op && op->getBlock() == loop->getBlock() && op->getNumRegions() == 0 &&
                            !isa<LocalOp>(op) && init.hasOneUse() && !isUniform(fission, argument);
    if (Value slots = isOnlyHere ? saved.lookup(init) : Value())
      saved[argument] = slots;
  }
}

/// The copies of the divergent values that control flow passes on.
static Copies passed(FissionContext &fission, ValueRange from, ValueRange to) {
  Copies copies;
  for (auto [value, target] : llvm::zip(from, to))
    if (Value slots = fission.scope().saved.lookup(target))
      if (savedIn(fission, value) != slots)
        copies.push_back({value, slots});
  return copies;
}

/// Stores the divergent values that control flow passes on. All are read before one is written.
static void forward(FissionContext &fission, ValueRange from, ValueRange to) {
  copyEach(fission, passed(fission, from, to));
}

/// The hoisted uniform values among those that control flow passes on.
static Values hoistedOf(FissionContext &fission, ValueRange from, ValueRange to) {
  Values uniforms;
  for (auto [value, target] : llvm::zip(from, to))
    if (!fission.scope().saved.contains(target))
      uniforms.push_back(hoist(fission, value));
  return uniforms;
}

/// Emits a block, and stores the divergent values that it passes on. Returns the uniform ones.
static Values emitPassing(FissionContext &fission, Block &block, ValueRange from, ValueRange to) {
  const Copies copies = passed(fission, from, to);
  const bool areCopied = emit(fission, block, copies);
  // In a warp, a hoisted value may be read from a slot of lane 0, which the copies overwrite.
  Values uniforms = hoistedOf(fission, from, to);
  if (!areCopied)
    copyEach(fission, copies);
  return uniforms;
}

static SmallVector<Type> typesOf(ArrayRef<Value> values) {
  return llvm::map_to_vector(values, [](Value value) { return value.getType(); });
}

//===-- if --===//

static void emitIf(FissionContext &fission, scf::IfOp op) {
  Value condition = hoistIfUniform(fission, op.getCondition());
  if (!condition)
    return emitSplitIf(fission, op);
  Values uniforms = saveDivergent(fission, op.getResults(), /*allDiffer=*/false);
  auto branch =
      scf::IfOp::create(fission.builder, op.getLoc(), typesOf(uniforms), condition,
                        /*addThenBlock=*/true, /*addElseBlock=*/!op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(fission.builder);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    fission.builder.setInsertionPointToStart(&to.front());
    ValueRange yielded = from.front().getTerminator()->getOperands();
    Values all = emitPassing(fission, from.front(), yielded, op.getResults());
    scf::YieldOp::create(fission.builder, op.getLoc(), all);
  }
  for (auto [old, result] : llvm::zip(uniforms, branch.getResults()))
    setHoisted(fission, old, result);
}

/// Emits the body with these lanes active, in an if that tests that the mask is not empty.
static void emitUnder(FissionContext &fission, Value lanes, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(fission.builder, fission.loc, hasAny(fission, lanes),
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(fission.builder);
  fission.builder.setInsertionPointToStart(branch.thenBlock());
  llvm::SaveAndRestore here(fission.lanes.mask, lanes);
  llvm::SaveAndRestore whole(fission.lanes.areAll, false);
  body();
}

static void emitSplitIf(FissionContext &fission, scf::IfOp op) {
  saveDivergent(fission, op.getResults(), /*allDiffer=*/true);
  Value then = ballot(fission, op.getCondition());
  Value others = fission.compute<arith::XOrIOp>(fission.lanes.mask, then);
  const std::array<Value, 2> masks{then, others};
  for (auto [region, lanes] : llvm::zip(op->getRegions(), masks))
    if (!region.empty())
      emitUnder(fission, lanes, [&, block = &region.front()] {
        emit(fission, *block);
        forward(fission, block->getTerminator()->getOperands(), op.getResults());
      });
}

/// Emits a loop. Each iteration runs with the lanes that continue.
static void emitIterations(FissionContext &fission, Location at,
                           llvm::function_ref<Value()> staying, llvm::function_ref<void()> body) {
  auto iterations =
      scf::WhileOp::create(fission.builder, at, fission.lanes.mask.getType(), fission.lanes.mask);
  OpBuilder::InsertionGuard guard(fission.builder);
  Block *before = fission.builder.createBlock(&iterations.getBefore(), {},
                                              fission.lanes.mask.getType(), fission.loc);
  Block *after = fission.builder.createBlock(&iterations.getAfter(), {},
                                             fission.lanes.mask.getType(), fission.loc);
  llvm::SaveAndRestore here(fission.lanes.mask, Value(before->getArgument(0)));
  llvm::SaveAndRestore whole(fission.lanes.areAll, false);
  fission.builder.setInsertionPointToEnd(before);
  Value left = staying();
  scf::ConditionOp::create(fission.builder, fission.loc, hasAny(fission, left), left);

  fission.lanes.mask = after->getArgument(0);
  fission.builder.setInsertionPointToEnd(after);
  body();
  scf::YieldOp::create(fission.builder, fission.loc, fission.lanes.mask);
}

//===-- for --===//

static void emitFor(FissionContext &fission, scf::ForOp op) {
  Value from = hoistIfUniform(fission, op.getLowerBound()),
        to = hoistIfUniform(fission, op.getUpperBound());
  Value step = hoistIfUniform(fission, op.getStep());
  if (!from || !to || !step)
    return emitSplitFor(fission, op);
  ValueRange arguments = op.getRegionIterArgs();
  takeSlots(fission, op, op.getInitArgs(), arguments);
  Values uniforms = saveDivergent(fission, arguments, /*allDiffer=*/false);
  forward(fission, op.getInitArgs(), arguments);
  auto loop = scf::ForOp::create(fission.builder, op.getLoc(), from, to, step,
                                 hoistedOf(fission, op.getInitArgs(), arguments),
                                 /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(fission.builder);
  if (uniforms.empty())
    loop.getBody()->getTerminator()->erase();
  fission.builder.setInsertionPointToEnd(loop.getBody());
  setHoisted(fission, op.getInductionVar(), loop.getInductionVar());
  for (auto [old, argument] : llvm::zip(uniforms, loop.getRegionIterArgs()))
    setHoisted(fission, old, argument);
  ValueRange yielded = op.getBody()->getTerminator()->getOperands();
  Values all = emitPassing(fission, *op.getBody(), yielded, arguments);
  scf::YieldOp::create(fission.builder, op.getLoc(), all);

  unsigned number = 0;
  for (auto [argument, result] : llvm::zip(arguments, op.getResults())) {
    auto &saved = fission.scope().saved;
    if (Value slots = saved.lookup(argument))
      saved[result] = slots;
    else
      setHoisted(fission, result, loop.getResult(number++));
  }
}

// Each lane has its own induction variable. A lane whose range has ended is inactive.
static void emitSplitFor(FissionContext &fission, scf::ForOp op) {
  SmallVector<Value> carried{op.getInductionVar()};
  llvm::append_range(carried, op.getRegionIterArgs());
  SmallVector<Value> inits{op.getLowerBound()};
  llvm::append_range(inits, op.getInitArgs());
  saveDivergent(fission, carried, /*allDiffer=*/true);
  forward(fission, inits, carried);
  for (auto [argument, result] : llvm::zip(op.getRegionIterArgs(), op.getResults()))
    fission.warp.saved[result] = fission.warp.saved.lookup(argument);

  auto predicate = op.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  auto staying = [&] {
    return ballot(fission, [&](Item &item) -> Value {
      return arith::CmpIOp::create(fission.builder, fission.loc, predicate,
                                   valueFor(fission, op.getInductionVar(), item),
                                   valueFor(fission, op.getUpperBound(), item));
    });
  };
  emitIterations(fission, op.getLoc(), staying, [&] {
    emit(fission, *op.getBody());
    forward(fission, op.getBody()->getTerminator()->getOperands(), op.getRegionIterArgs());
    forEach(fission, [&](Item &item) {
      Value next = fission.compute<arith::AddIOp>(valueFor(fission, op.getInductionVar(), item),
                                                  valueFor(fission, op.getStep(), item));
      store(fission, next, fission.warp.saved.lookup(op.getInductionVar()), item);
    });
  });
}

//===-- while --===//

static void emitWhile(FissionContext &fission, scf::WhileOp op) {
  if (fission.uniformity().condition(op))
    return emitSplitWhile(fission, op);
  ValueRange entering = op.getBeforeArguments(), staying = op.getAfterArguments();
  takeSlots(fission, op, op.getInits(), entering);
  Values enteringUniforms = saveDivergent(fission, entering, /*allDiffer=*/false);
  auto &saved = fission.scope().saved;
  // A value that stays what it was when it entered stays in its slots.
  for (auto [argument, value] : llvm::zip(staying, op.getConditionOp().getArgs()))
    if (llvm::is_contained(entering, value) && !isUniform(fission, argument))
      if (Value slots = saved.lookup(value))
        saved[argument] = slots;
  Values stayingUniforms = saveDivergent(fission, staying, /*allDiffer=*/false);
  for (auto [argument, result] : llvm::zip(staying, op.getResults()))
    if (Value slots = saved.lookup(argument))
      saved[result] = slots;
  forward(fission, op.getInits(), entering);
  auto loop = scf::WhileOp::create(fission.builder, op.getLoc(), typesOf(stayingUniforms),
                                   hoistedOf(fission, op.getInits(), entering));
  SmallVector<Location> locations(std::max(entering.size(), staying.size()), fission.loc);
  OpBuilder::InsertionGuard guard(fission.builder);
  Block *before =
      fission.builder.createBlock(&loop.getBefore(), {}, typesOf(enteringUniforms),
                                  ArrayRef(locations).take_front(enteringUniforms.size()));
  Block *after =
      fission.builder.createBlock(&loop.getAfter(), {}, typesOf(stayingUniforms),
                                  ArrayRef(locations).take_front(stayingUniforms.size()));
  for (auto [old, argument] : llvm::zip(enteringUniforms, before->getArguments()))
    setHoisted(fission, old, argument);
  for (auto [old, argument] : llvm::zip(stayingUniforms, after->getArguments()))
    setHoisted(fission, old, argument);

  fission.builder.setInsertionPointToEnd(before);
  scf::ConditionOp condition = op.getConditionOp();
  Values uniforms = emitPassing(fission, *op.getBeforeBody(), condition.getArgs(), staying);
  Value continues = hoist(fission, condition.getCondition());
  scf::ConditionOp::create(fission.builder, fission.loc, continues, uniforms);

  fission.builder.setInsertionPointToEnd(after);
  Values next = emitPassing(fission, *op.getAfterBody(), op.getYieldOp().getOperands(), entering);
  scf::YieldOp::create(fission.builder, fission.loc, next);

  unsigned number = 0;
  for (auto [argument, result] : llvm::zip(staying, op.getResults()))
    if (!saved.contains(argument))
      setHoisted(fission, result, loop.getResult(number++));
}

// A lane that leaves the loop keeps the values that it passed on last.
static void emitSplitWhile(FissionContext &fission, scf::WhileOp op) {
  ValueRange entering = op.getBeforeArguments(), staying = op.getAfterArguments();
  saveDivergent(fission, entering, /*allDiffer=*/true);
  saveDivergent(fission, staying, /*allDiffer=*/true);
  for (auto [argument, result] : llvm::zip(staying, op.getResults()))
    fission.warp.saved[result] = fission.warp.saved.lookup(argument);
  forward(fission, op.getInits(), entering);

  auto continuing = [&] {
    emit(fission, *op.getBeforeBody());
    scf::ConditionOp condition = op.getConditionOp();
    Value left = ballot(fission, condition.getCondition());
    forward(fission, condition.getArgs(), staying);
    return left;
  };
  emitIterations(fission, op.getLoc(), continuing, [&] {
    emit(fission, *op.getAfterBody());
    forward(fission, op.getYieldOp().getOperands(), entering);
  });
}
