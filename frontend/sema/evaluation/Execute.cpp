// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/evaluation/Execute.h"
#include "frontend/sema/evaluation/FramePlaces.h"

namespace spl::sema {
namespace {

/// How a statement ends.
enum class Exit : uint8_t { None, Break, Continue, Return, Error };

class Executor {
public:
  Executor(Evaluator &evaluator, Execution &execution, Frame &frame)
      : evaluator(evaluator), execution(execution), frame(frame) {}
  Exit run(Block block);

private:
  Exit run(const Stmt &stmt);
  Exit let(const LetStmt &stmt);
  Exit assign(const AssignStmt &stmt);
  Exit branch(const IfStmt &stmt);
  Exit loop(const WhileStmt &stmt);
  Exit loop(const ForStmt &stmt);
  /// A bool or an integer, or null after an error.
  const ConstantExpr *number(const Expr &expr) {
    return llvm::cast_if_present<ConstantExpr>(evaluator.evaluate(expr));
  }

  Evaluator &evaluator;
  Execution &execution;
  Frame &frame;
};

Exit Executor::run(Block block) {
  for (const Stmt *stmt : block)
    if (const Exit exit = run(*stmt); exit != Exit::None)
      return exit;
  return Exit::None;
}

Exit Executor::run(const Stmt &stmt) {
  switch (stmt.kind) {
  case Stmt::Kind::Let:
    return let(llvm::cast<LetStmt>(stmt));
  case Stmt::Kind::Assign:
    return assign(llvm::cast<AssignStmt>(stmt));
  case Stmt::Kind::Expr:
    return evaluator.evaluate(*llvm::cast<ExprStmt>(stmt).value) ? Exit::None : Exit::Error;
  case Stmt::Kind::If:
    return branch(llvm::cast<IfStmt>(stmt));
  case Stmt::Kind::While:
    return loop(llvm::cast<WhileStmt>(stmt));
  case Stmt::Kind::For:
    return loop(llvm::cast<ForStmt>(stmt));
  case Stmt::Kind::Break:
    return Exit::Break;
  case Stmt::Kind::Continue:
    return Exit::Continue;
  case Stmt::Kind::Return:
    if (const Expr *value = llvm::cast<ReturnStmt>(stmt).value)
      frame.result = evaluator.evaluate(*value);
    return llvm::cast<ReturnStmt>(stmt).value && !frame.result ? Exit::Error : Exit::Return;
  case Stmt::Kind::Print:
    evaluator.fault(stmt.range, "'print' has no output while a constant is computed");
    return Exit::Error;
  case Stmt::Kind::Assert: {
    const ConstantExpr *holds = number(*llvm::cast<AssertStmt>(stmt).condition);
    if (holds && holds->intValue.isOne())
      return Exit::None;
    if (holds)
      evaluator.fault(stmt.range, "the assertion does not hold");
    return Exit::Error;
  }
  }
  llvm_unreachable("every kind is above");
}

Exit Executor::let(const LetStmt &stmt) {
  return enter(evaluator, &frame, frame, *stmt.local, *stmt.value) ? Exit::None : Exit::Error;
}

Exit Executor::assign(const AssignStmt &stmt) {
  if (stmt.place->type.isSlice()) {
    const Local *local = llvm::cast<LocalExpr>(stmt.place)->local;
    return enter(evaluator, &frame, frame, *local, *stmt.value) ? Exit::None : Exit::Error;
  }
  const std::optional<FramePlace> place = placeOf(evaluator, frame, *stmt.place);
  if (!place)
    return Exit::Error;
  const FramePlace *outer = std::exchange(frame.assigned, &*place);
  const Expr *value = evaluator.evaluate(*stmt.value);
  frame.assigned = outer;
  if (!value)
    return Exit::Error;
  write(execution, *place, *value);
  return Exit::None;
}

Exit Executor::branch(const IfStmt &stmt) {
  for (const IfArm &arm : stmt.arms) {
    const ConstantExpr *condition = number(*arm.condition);
    if (!condition)
      return Exit::Error;
    if (condition->intValue.isOne())
      return run(arm.body);
  }
  return run(stmt.otherwise);
}

/// Whether the loop continues after its body. Sets `exit` to how the loop itself ends.
bool continues(Exit &exit) {
  if (exit == Exit::Return || exit == Exit::Error)
    return false;
  return std::exchange(exit, Exit::None) != Exit::Break;
}

Exit Executor::loop(const WhileStmt &stmt) {
  for (;;) {
    const ConstantExpr *condition = number(*stmt.condition);
    if (!condition)
      return Exit::Error;
    if (condition->intValue.isZero())
      return Exit::None;
    Exit exit = run(stmt.body);
    if (!continues(exit))
      return exit;
  }
}

// All numbers are computed with more bits than the variable has, so that nothing wraps.
Exit Executor::loop(const ForStmt &stmt) {
  const Type type = stmt.variable->type;
  const bool isSigned = Evaluator::isSigned(type);
  constexpr unsigned width = 130;
  auto wide = [&](const llvm::APInt &value) {
    return isSigned ? value.sext(width) : value.zext(width);
  };
  const ConstantExpr *lower = number(*stmt.lower), *upper = lower ? number(*stmt.upper) : nullptr;
  const ConstantExpr *by = stmt.step && upper ? number(*stmt.step) : nullptr;
  if (!upper || (stmt.step && !by))
    return Exit::Error;
  const llvm::APInt step = by ? wide(by->intValue) : llvm::APInt(width, 1);
  if (step.isZero()) {
    evaluator.fault(stmt.range, "the step is 0");
    return Exit::Error;
  }
  const llvm::APInt first = wide(lower->intValue), last = wide(upper->intValue);
  const bool isDown = step.isNegative();
  // The number of rounds.
  llvm::APInt span = isDown ? first - last : last - first;
  if (stmt.isInclusive)
    ++span;
  const llvm::APInt size = isDown ? -step : step;
  llvm::APInt left = span.sgt(0) ? (span + size - 1).sdiv(size) : llvm::APInt(width, 0);
  llvm::APInt value = stmt.isReversed ? first + step * (left - 1) : first;
  for (; !left.isZero(); --left, value += stmt.isReversed ? -step : step) {
    frame.values[stmt.variable] = {
        makeInteger(execution, *stmt.variable, value.trunc(type.bits()))};
    if (!evaluator.step(*stmt.lower))
      return Exit::Error;
    Exit exit = run(stmt.body);
    if (!continues(exit))
      return exit;
  }
  return Exit::None;
}

} // namespace

bool execute(Evaluator &evaluator, Execution &execution, Frame &frame, Block body) {
  return Executor(evaluator, execution, frame).run(body) != Exit::Error;
}

} // namespace spl::sema
