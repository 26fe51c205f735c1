// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// if, and how break, continue and return become structured control flow: the rest of the code moves
// into the arm that runs through to its end where there is one such arm. Otherwise it is guarded by
// a condition.
#include "frontend/mirgen/ControlFlow.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Statements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

static void emitArmBody(FunctionContext &fn, sema::Block body, StatementQueue *rest, bool isTail);

namespace {

/// One region of an scf.if to be built, and the state at its end.
struct Arm {
  std::unique_ptr<Region> region;
  ControlState control;
  Environment::Changes changes;
};

} // namespace

//===-- Arms and what becomes of them --===//

static Arm emitArm(FunctionContext &fn, llvm::function_ref<void()> body) {
  Arm arm{std::make_unique<Region>(), {}, {}};
  OpBuilder::InsertionGuard guard(fn.builder);
  fn.builder.setInsertionPointToEnd(&arm.region->emplaceBlock());

  ControlState before = fn.control;
  fn.control = ControlState();
  fn.control.result = before.result;
  fn.env.enter();
  body();
  arm.changes = fn.env.leave();
  arm.control = std::exchange(fn.control, before);
  return arm;
}

Visible mirgen::visibleAfter(const FunctionContext &fn, bool isTail) {
  if (!isTail)
    return {~0u, std::nullopt, /*declarations=*/false};
  if (fn.loop)
    return {fn.loop->firstSlot, Exit::Continue, /*declarations=*/false};
  return {0, Exit::Return, /*declarations=*/false};
}

namespace {

/// Finds what differs between two arms, which is what their scf.if yields.
class Merge {
public:
  Merge(FunctionContext &fn, Location location, Arm &then, Arm &other)
      : fn(fn), location(location), arms{&then, &other} {
    after.reachable = then.control.reachable || other.control.reachable;
  }

  void mergeExits(std::optional<Exit> dead);
  void mergeResult();
  void mergeLocals(const Visible &visible);
  /// Creates the scf.if, if it is not empty. Its results become the state and the values of locals.
  void finish(Value condition);

private:
  using Number = unsigned; ///< of a result

  Block &block(unsigned arm) { return arms[arm]->region->front(); }
  Number yield(Value then, Value other);
  Value materialise(unsigned arm, const Taken &taken);
  Value noValue(unsigned arm, Type type);
  void mergeLocal(Slot slot, Value then, Value other, const Visible &visible);
  scf::IfOp create(Value condition);

  FunctionContext &fn;
  Location location;
  Arm *arms[2];
  SmallVector<Value, 4> yields[2];
  ControlState after;
  std::optional<Number> exitResults[exits.size()], returnedResult;
  SmallVector<std::pair<Slot, Number>, 4> localResults;
};

} // namespace

Merge::Number Merge::yield(Value then, Value other) {
  yields[0].push_back(then);
  yields[1].push_back(other);
  return yields[0].size() - 1;
}

Value Merge::materialise(unsigned arm, const Taken &taken) {
  if (taken.state == Taken::State::Maybe)
    return taken.stays;
  OpBuilder::InsertionGuard guard(fn.builder);
  fn.builder.setInsertionPointToEnd(&block(arm));
  return fn.boolean(taken.state == Taken::State::Never, location);
}

Value Merge::noValue(unsigned arm, Type type) {
  OpBuilder::InsertionGuard guard(fn.builder);
  fn.builder.setInsertionPointToEnd(&block(arm));
  return fn.noValue(type, location);
}

void Merge::mergeExits(std::optional<Exit> dead) {
  for (Exit exit : exits) {
    const Taken &then = arms[0]->control[exit], &other = arms[1]->control[exit];
    if (exit == dead)
      continue;
    if (then == other)
      after[exit] = then;
    else
      exitResults[size_t(exit)] = yield(materialise(0, then), materialise(1, other));
  }
}

void Merge::mergeResult() {
  Value then = arms[0]->control.result, other = arms[1]->control.result;
  if (then == other)
    after.result = then;
  else
    returnedResult = yield(then ? then : noValue(0, other.getType()),
                           other ? other : noValue(1, then.getType()));
}

void Merge::mergeLocals(const Visible &visible) {
  ArrayRef<Environment::Change> then = arms[0]->changes, other = arms[1]->changes;
  while (!then.empty() || !other.empty()) {
    Slot slot =
        std::min(then.empty() ? ~0u : then.front().slot, other.empty() ? ~0u : other.front().slot);
    auto take = [&](ArrayRef<Environment::Change> &changes) {
      if (changes.empty() || changes.front().slot != slot)
        return fn.env.get(slot);
      return changes.consume_front().value;
    };
    Value thenValue = take(then), otherValue = take(other);
    mergeLocal(slot, thenValue, otherValue, visible);
  }
}

void Merge::mergeLocal(Slot slot, Value then, Value other, const Visible &visible) {
  bool isDeclaredOutside = bool(fn.env.get(slot));
  if (slot >= visible.slotsBelow || (!isDeclaredOutside && !visible.declarations))
    return;
  if (then == other) { // both arms assigned the same value, which is from before them
    fn.env.set(slot, then);
    return;
  }
  Number number =
      yield(then ? then : noValue(0, other.getType()), other ? other : noValue(1, then.getType()));
  localResults.push_back({slot, number});
}

scf::IfOp Merge::create(Value condition) {
  OperationState state(location, scf::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(llvm::to_vector(ValueRange(yields[0]).getTypes()));
  for (unsigned arm : {0, 1}) {
    if (arm == 1 && yields[1].empty() && block(1).empty()) {
      state.addRegion();
      continue;
    }
    OpBuilder::InsertionGuard guard(fn.builder);
    fn.builder.setInsertionPointToEnd(&block(arm));
    scf::YieldOp::create(fn.builder, location, yields[arm]);
    state.addRegion(std::move(arms[arm]->region));
  }
  return cast<scf::IfOp>(fn.builder.create(state));
}

void Merge::finish(Value condition) {
  if (!yields[0].empty() || !block(0).empty() || !block(1).empty()) {
    scf::IfOp branch = create(condition);
    for (Exit exit : exits)
      if (auto number = exitResults[size_t(exit)])
        after[exit] = Taken::maybe(branch.getResult(*number));
    if (returnedResult)
      after.result = branch.getResult(*returnedResult);
    for (auto [slot, number] : localResults)
      fn.env.set(slot, branch.getResult(number));
  }
  fn.control = after;
}

/// Creates the scf.if of two arms. The builder is after it, with the state that both lead to.
static void merge(FunctionContext &fn, Location location, Value condition, Arm then, Arm other,
                  Visible visible) {
  Merge merge(fn, location, then, other);
  merge.mergeLocals(visible);
  merge.mergeExits(visible.dead);
  merge.mergeResult();
  merge.finish(condition);
}

//===-- if --===//

bool mirgen::canContinueInside(const FunctionContext &fn, const sema::IfStmt &stmt) {
  size_t running = !fn.facts.alwaysExits(stmt.otherwise);
  for (const sema::IfArm &arm : stmt.arms)
    running += !fn.facts.alwaysExits(arm.body);
  return running == 1;
}

/// `return`, `break` or `continue` and no more.
static bool isBareExit(sema::Block body) {
  if (body.size() != 1)
    return false;
  auto *result = dyn_cast<sema::ReturnStmt>(body.front());
  return result ? !result->value : isa<sema::BreakStmt, sema::ContinueStmt>(body.front());
}

void mirgen::emitIf(FunctionContext &fn, const sema::IfStmt &stmt, size_t index,
                    StatementQueue *rest, bool isTail) {
  const sema::IfArm &arm = stmt.arms[index];
  Location location = fn.locationOf(*arm.condition);
  // `if i >= n: return` reads better, to people and to passes, as if i < n and the rest.
  bool isGuard = isBareExit(arm.body);
  Value condition = isGuard ? emitNegated(fn, *arm.condition) : emitExpr(fn, *arm.condition);
  Arm then = emitArm(fn, [&] { emitArmBody(fn, arm.body, rest, isTail); });
  Arm other = emitArm(fn, [&] {
    if (index + 1 < stmt.arms.size())
      emitIf(fn, stmt, index + 1, rest, isTail);
    else
      emitArmBody(fn, stmt.otherwise, rest, isTail);
  });
  if (isGuard)
    std::swap(then, other);
  merge(fn, location, condition, std::move(then), std::move(other), visibleAfter(fn, isTail));
}

static void emitArmBody(FunctionContext &fn, sema::Block body, StatementQueue *rest, bool isTail) {
  StatementQueue stream{body, rest && !fn.facts.alwaysExits(body) ? rest : nullptr};
  emitStatements(fn, stream, isTail);
}

//===-- Code after a possible exit --===//

Value mirgen::stays(FunctionContext &fn, const ControlState &flow, Location location) {
  Value all;
  for (const Taken &exit : flow.taken)
    if (exit.state == Taken::State::Maybe)
      all = all ? arith::AndIOp::create(fn.builder, location, all, exit.stays) : exit.stays;
  return all;
}

void mirgen::emitGuarded(FunctionContext &fn, Location location, Visible visible,
                         llvm::function_ref<void()> body) {
  Value condition = stays(fn, fn.control, location);
  Arm then = emitArm(fn, body);
  // An exit that the body does not take is taken after it just where it was before it.
  for (Exit exit : exits)
    if (then.control[exit].state == Taken::State::Never)
      then.control[exit] = fn.control[exit];
  Arm other{std::make_unique<Region>(), fn.control, {}};
  other.region->emplaceBlock();
  other.control.reachable = false;
  merge(fn, location, condition, std::move(then), std::move(other), visible);
}

void mirgen::emitSegments(FunctionContext &fn, Location location, StatementQueue &queue) {
  auto segment = [&] {
    while (const sema::Stmt *stmt = queue.next()) {
      location = fn.locationOf(*stmt);
      emitStmt(fn, *stmt, /*isTail=*/false);
      if (fn.control.mayHaveLeft())
        return;
    }
  };
  while (fn.control.reachable && !queue.empty())
    emitGuarded(fn, location, {~0u, std::nullopt, /*declarations=*/true}, segment);
}
