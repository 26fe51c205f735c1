// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// if, and how break, continue and return become structured control flow: the rest of the code moves
// into the arm that goes on where there is one such arm, else it stands under a condition.
#include "frontend/mirgen/FunctionGen.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

Value FunctionGen::integer(Type type, int64_t value, Location location) {
  TypedAttr number = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    number = DenseElementsAttr::get(vector, Attribute(number));
  return arith::ConstantOp::create(builder, location, number);
}

Value FunctionGen::noValue(Type type, Location location) {
  return ub::PoisonOp::create(builder, location, type);
}

//===-- Arms and what becomes of them --===//

FunctionGen::Arm FunctionGen::emitArm(llvm::function_ref<void()> body) {
  Arm arm{std::make_unique<Region>(), {}, {}};
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&arm.region->emplaceBlock());

  Flow before = flow;
  flow = Flow();
  flow.result = before.result;
  env.enter();
  body();
  arm.changes = env.leave();
  arm.flow = std::exchange(flow, before);
  return arm;
}

FunctionGen::Visible FunctionGen::visibleAfter(bool tail) const {
  if (!tail)
    return {~0u, std::nullopt, /*declarations=*/false};
  if (loop)
    return {loop->firstSlot, Exit::Continue, /*declarations=*/false};
  return {0, Exit::Return, /*declarations=*/false};
}

/// Finds what differs between two arms, which is what their scf.if yields.
class FunctionGen::Merge {
public:
  Merge(FunctionGen &gen, Location location, Arm &then, Arm &other)
      : gen(gen), location(location), arms{&then, &other} {
    after.reachable = then.flow.reachable || other.flow.reachable;
  }

  void mergeExits(std::optional<Exit> dead);
  void mergeResult();
  void mergeLocals(const Visible &visible);
  /// Creates the scf.if, if there is anything in it; flow and locals go on with its results.
  void finish(Value condition);

private:
  using Number = unsigned; ///< of a result

  Block &block(unsigned arm) { return arms[arm]->region->front(); }
  Number yield(Value then, Value other);
  Value materialise(unsigned arm, const Taken &taken);
  Value noValue(unsigned arm, Type type);
  void mergeLocal(Slot slot, Value then, Value other, const Visible &visible);
  scf::IfOp create(Value condition);

  FunctionGen &gen;
  Location location;
  Arm *arms[2];
  SmallVector<Value, 4> yields[2];
  Flow after;
  std::optional<Number> exitResults[exits.size()], returnedResult;
  SmallVector<std::pair<Slot, Number>, 4> localResults;
};

FunctionGen::Merge::Number FunctionGen::Merge::yield(Value then, Value other) {
  yields[0].push_back(then);
  yields[1].push_back(other);
  return yields[0].size() - 1;
}

Value FunctionGen::Merge::materialise(unsigned arm, const Taken &taken) {
  if (taken.state == Taken::State::Maybe)
    return taken.stays;
  OpBuilder::InsertionGuard guard(gen.builder);
  gen.builder.setInsertionPointToEnd(&block(arm));
  return gen.boolean(taken.state == Taken::State::Never, location);
}

Value FunctionGen::Merge::noValue(unsigned arm, Type type) {
  OpBuilder::InsertionGuard guard(gen.builder);
  gen.builder.setInsertionPointToEnd(&block(arm));
  return gen.noValue(type, location);
}

void FunctionGen::Merge::mergeExits(std::optional<Exit> dead) {
  for (Exit exit : exits) {
    const Taken &then = arms[0]->flow[exit], &other = arms[1]->flow[exit];
    if (exit == dead)
      continue;
    if (then == other)
      after[exit] = then;
    else
      exitResults[size_t(exit)] = yield(materialise(0, then), materialise(1, other));
  }
}

void FunctionGen::Merge::mergeResult() {
  Value then = arms[0]->flow.result, other = arms[1]->flow.result;
  if (then == other)
    after.result = then;
  else
    returnedResult = yield(then ? then : noValue(0, other.getType()),
                           other ? other : noValue(1, then.getType()));
}

void FunctionGen::Merge::mergeLocals(const Visible &visible) {
  ArrayRef<Environment::Change> then = arms[0]->changes, other = arms[1]->changes;
  while (!then.empty() || !other.empty()) {
    Slot slot =
        std::min(then.empty() ? ~0u : then.front().slot, other.empty() ? ~0u : other.front().slot);
    auto take = [&](ArrayRef<Environment::Change> &changes) {
      if (changes.empty() || changes.front().slot != slot)
        return gen.env.get(slot);
      return changes.consume_front().value;
    };
    Value thenValue = take(then), otherValue = take(other);
    mergeLocal(slot, thenValue, otherValue, visible);
  }
}

void FunctionGen::Merge::mergeLocal(Slot slot, Value then, Value other, const Visible &visible) {
  bool isDeclaredOutside = bool(gen.env.get(slot));
  if (then == other || slot >= visible.slotsBelow || (!isDeclaredOutside && !visible.declarations))
    return;
  Number number =
      yield(then ? then : noValue(0, other.getType()), other ? other : noValue(1, then.getType()));
  localResults.push_back({slot, number});
}

scf::IfOp FunctionGen::Merge::create(Value condition) {
  OperationState state(location, scf::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(llvm::to_vector(ValueRange(yields[0]).getTypes()));
  for (unsigned arm : {0, 1}) {
    if (arm == 1 && yields[1].empty() && block(1).empty()) {
      state.addRegion();
      continue;
    }
    OpBuilder::InsertionGuard guard(gen.builder);
    gen.builder.setInsertionPointToEnd(&block(arm));
    scf::YieldOp::create(gen.builder, location, yields[arm]);
    state.addRegion(std::move(arms[arm]->region));
  }
  return cast<scf::IfOp>(gen.builder.create(state));
}

void FunctionGen::Merge::finish(Value condition) {
  if (!yields[0].empty() || !block(0).empty() || !block(1).empty()) {
    scf::IfOp branch = create(condition);
    for (Exit exit : exits)
      if (auto number = exitResults[size_t(exit)])
        after[exit] = Taken::maybe(branch.getResult(*number));
    if (returnedResult)
      after.result = branch.getResult(*returnedResult);
    for (auto [slot, number] : localResults)
      gen.env.set(slot, branch.getResult(number));
  }
  gen.flow = after;
}

void FunctionGen::merge(Location location, Value condition, Arm then, Arm other, Visible visible) {
  Merge merge(*this, location, then, other);
  merge.mergeLocals(visible);
  merge.mergeExits(visible.dead);
  merge.mergeResult();
  merge.finish(condition);
}

//===-- if --===//

bool FunctionGen::canContinueInside(const sema::IfStmt &stmt) const {
  size_t running = !facts.alwaysExits(stmt.otherwise);
  for (const sema::IfArm &arm : stmt.arms)
    running += !facts.alwaysExits(arm.body);
  return running == 1;
}

/// `return`, `break` or `continue` and no more.
static bool isBareExit(sema::Block body) {
  if (body.size() != 1)
    return false;
  auto *result = dyn_cast<sema::ReturnStmt>(body.front());
  return result ? !result->value : isa<sema::BreakStmt, sema::ContinueStmt>(body.front());
}

void FunctionGen::emitIf(const sema::IfStmt &stmt, size_t index, Stream *rest, bool tail) {
  const sema::IfArm &arm = stmt.arms[index];
  Location location = locationOf(*arm.condition);
  // `if i >= n: return` reads better, to people and to passes, as if i < n and the rest.
  bool isGuard = isBareExit(arm.body);
  Value condition = isGuard ? emitNegated(*arm.condition) : emitExpr(*arm.condition);
  Arm then = emitArm([&] { emitArmBody(arm.body, rest, tail); });
  Arm other = emitArm([&] {
    if (index + 1 < stmt.arms.size())
      emitIf(stmt, index + 1, rest, tail);
    else
      emitArmBody(stmt.otherwise, rest, tail);
  });
  if (isGuard)
    std::swap(then, other);
  merge(location, condition, std::move(then), std::move(other), visibleAfter(tail));
}

void FunctionGen::emitArmBody(sema::Block body, Stream *rest, bool tail) {
  Stream stream{body, rest && !facts.alwaysExits(body) ? rest : nullptr};
  emitStream(stream, tail);
}

//===-- Code after a possible exit --===//

Value FunctionGen::stays(const Flow &flow, Location location) {
  Value all;
  for (const Taken &exit : flow.taken)
    if (exit.state == Taken::State::Maybe)
      all = all ? arith::AndIOp::create(builder, location, all, exit.stays) : exit.stays;
  return all;
}

void FunctionGen::emitGuarded(Location location, Visible visible, llvm::function_ref<void()> body) {
  Value condition = stays(flow, location);
  Arm then = emitArm(body);
  // An exit that the body does not take is taken after it just where it was before it.
  for (Exit exit : exits)
    if (then.flow[exit].state == Taken::State::Never)
      then.flow[exit] = flow[exit];
  Arm other{std::make_unique<Region>(), flow, {}};
  other.region->emplaceBlock();
  other.flow.reachable = false;
  merge(location, condition, std::move(then), std::move(other), visible);
}

// Cuts the stream after each statement that may exit. What a segment declares goes on to the next.
void FunctionGen::emitSegments(Location location, Stream &stream) {
  auto segment = [&] {
    while (const sema::Stmt *stmt = stream.next()) {
      location = locationOf(*stmt);
      emitStmt(*stmt, /*tail=*/false);
      if (flow.mayHaveLeft())
        return;
    }
  };
  while (flow.reachable && !stream.empty())
    emitGuarded(location, {~0u, std::nullopt, /*declarations=*/true}, segment);
}
