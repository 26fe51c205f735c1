// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes statements, including exits from loops and functions.
#include "test/reference/Item.h"

using namespace spl;
using namespace spl::reference;
using llvm::cast;
using sema::Stmt;

/// Evaluates the place once, then the value, then stores it.
static void assign(Item &item, const sema::AssignStmt &stmt) {
  auto *local = llvm::dyn_cast<sema::LocalExpr>(stmt.place);
  if (local && stmt.place->type.isSlice()) {
    item.frame->slices[local->local] = evaluate(item, *stmt.value).slice;
    return;
  }
  const Place place = placeOf(item, *stmt.place);
  const Place *const outer = std::exchange(item.assigned, &place);
  const Value value = evaluate(item, *stmt.value);
  item.assigned = outer;
  store(stmt.place->type, value, used(place));
}

/// Executes an if from its first arm on. Further arms are nested in the else of the first.
static Exit branch(Item &item, llvm::ArrayRef<sema::IfArm> arms, sema::Block otherwise) {
  if (arms.empty())
    return execute(item, otherwise);
  const bool isTaken = isTrue(item, *arms.front().condition);
  Arm arm(item, Arm::ofBranch(isTaken));
  return isTaken ? execute(item, arms.front().body) : branch(item, arms.drop_front(), otherwise);
}

/// Whether a loop continues after a body that ended with \p exit. Clears a break or continue.
static bool continuesLoop(Exit &exit) {
  if (exit == Exit::Return)
    return false;
  return std::exchange(exit, Exit::None) != Exit::Break;
}

static Exit whileLoop(Item &item, const sema::WhileStmt &stmt) {
  Exit exit = Exit::None;
  for (Arm iteration(item, 0); isTrue(item, *stmt.condition); iteration.next()) {
    item.step();
    exit = execute(item, stmt.body);
    if (!continuesLoop(exit))
      break;
  }
  return exit;
}

/// Holds every value of any integer type, and the value after the largest.
__extension__ typedef __int128 Wide;

static Exit forLoop(Item &item, const sema::ForStmt &stmt) {
  const sema::Type type = stmt.variable->type;
  auto number = [&](const sema::Expr &expr) -> Wide {
    const Bits bits = evaluate(item, expr).bits;
    return type.isUnsignedInt() ? Wide{bits} : Wide{asInteger(type, bits)};
  };
  const Wide lower = number(*stmt.lower), upper = number(*stmt.upper);
  const Wide step = stmt.step ? number(*stmt.step) : 1;
  if (step == 0)
    item.fail(FaultKind::StepZero, stmt.range.begin);
  auto isInside = [&](Wide i) {
    if (stmt.isInclusive && i == upper)
      return true;
    return step > 0 ? i < upper : i > upper;
  };
  auto fits = [&](Wide i) {
    const Bits bits = truncated(type, static_cast<Bits>(i));
    return i == (type.isUnsignedInt() ? Wide{bits} : Wide{asInteger(type, bits)});
  };
  Exit exit = Exit::None;
  Arm iteration(item, 0);
  if (stmt.isReversed) {
    if (!isInside(lower))
      return exit;
    const Wide beyond = stmt.isInclusive ? 0 : step > 0 ? 1 : -1;
    for (Wide left = (upper - beyond - lower) / step; left >= 0; --left, iteration.next()) {
      item.step();
      enter(*item.frame, *stmt.variable,
            Value::of(truncated(type, static_cast<Bits>(lower + left * step))));
      exit = execute(item, stmt.body);
      if (!continuesLoop(exit))
        break;
    }
    return exit;
  }
  for (Wide i = lower; fits(i) && isInside(i); i += step, iteration.next()) {
    item.step();
    enter(*item.frame, *stmt.variable, Value::of(truncated(type, static_cast<Bits>(i))));
    exit = execute(item, stmt.body);
    if (!continuesLoop(exit))
      break;
  }
  return exit;
}

static void assertion(Item &item, const sema::AssertStmt &stmt) {
  const bool holds = isTrue(item, *stmt.condition);
  Arm arm(item, 0);
  if (holds)
    return;
  formatted(item, stmt.format); // an operand may fault
  item.fail(FaultKind::AssertionFailed, stmt.range.begin);
}

static Exit execute(Item &item, const Stmt &stmt) {
  switch (stmt.kind) {
  case Stmt::Kind::Let: {
    auto &let = *cast<sema::LetStmt>(&stmt);
    enter(*item.frame, *let.local, evaluate(item, *let.value));
    return Exit::None;
  }
  case Stmt::Kind::Assign:
    assign(item, *cast<sema::AssignStmt>(&stmt));
    return Exit::None;
  case Stmt::Kind::Expr:
    evaluate(item, *cast<sema::ExprStmt>(&stmt)->value);
    return Exit::None;
  case Stmt::Kind::If:
    return branch(item, cast<sema::IfStmt>(&stmt)->arms, cast<sema::IfStmt>(&stmt)->otherwise);
  case Stmt::Kind::While:
    return whileLoop(item, *cast<sema::WhileStmt>(&stmt));
  case Stmt::Kind::For:
    return forLoop(item, *cast<sema::ForStmt>(&stmt));
  case Stmt::Kind::Print:
    print(item, *cast<sema::PrintStmt>(&stmt));
    return Exit::None;
  case Stmt::Kind::Assert:
    assertion(item, *cast<sema::AssertStmt>(&stmt));
    return Exit::None;
  case Stmt::Kind::Break:
    return Exit::Break;
  case Stmt::Kind::Continue:
    return Exit::Continue;
  case Stmt::Kind::Return:
    if (const sema::Expr *value = cast<sema::ReturnStmt>(&stmt)->value)
      item.frame->result = evaluate(item, *value);
    return Exit::Return;
  }
  llvm_unreachable("a statement has a kind");
}

Exit reference::execute(Item &item, sema::Block block) {
  for (const Stmt *stmt : block) {
    item.step();
    ++item.position.back();
    if (const Exit exit = ::execute(item, *stmt); exit != Exit::None)
      return exit;
  }
  return Exit::None;
}
