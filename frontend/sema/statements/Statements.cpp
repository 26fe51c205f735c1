// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements and blocks, and how control flows through them.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/DiagnosticText.h"

namespace spl::sema {

BodyChecker::BodyChecker(Session &session, FunctionEntry &entry)
    : session(session), entry(entry), arena(session.program.arena), types(session.program.types),
      diagnostics(session.diagnostics) {}

void BodyChecker::run() {
  // Parameters have a scope of their own, so that the body may shadow them: var n = n.
  scopes.enter();
  for (const Local *parameter : entry.function->parameters)
    scopes.declare({parameter, SymbolKind::Parameter});
  if (llvm::any_of(entry.item->parameters, [](auto &parameter) { return parameter.byDefault; }))
    defaultOf(entry, 0); // checks them all, used or not
  Completion completion = checkBlock(entry.item->body, entry.function->body);
  // Without a statement there is a docstring, or a block that the parser missed and reported.
  if (!entry.item->body.empty() || !entry.item->doc.empty())
    requireReturn(completion);
  leaveScope();
  checkLifetimes(diagnostics, *entry.function);
}

void checkBody(Session &session, FunctionEntry &entry) {
  InFunction here(session, entry);
  BodyChecker(session, entry).run();
}

void BodyChecker::requireReturn(Completion completion) {
  const Function &function = *entry.function;
  if (completion == Completion::Continues && !function.result.isUnit() &&
      !function.result.isError())
    diagnostics.emit(function.range, diag::MissingReturn, shown(function.name),
                     function.result.str());
}

Completion BodyChecker::checkBlock(syntax::Block block, Block &result) {
  scopes.enter();
  bool wasReachable = isReachable;
  llvm::SmallVector<const Stmt *, 8> statements;
  Completion completion = Completion::Continues;
  for (const syntax::Stmt *stmt : block) {
    if (completion == Completion::Ends && isReachable) {
      diagnostics.emit(stmt->range, diag::UnreachableCode);
      isReachable = false;
    }
    Checked checked = checkStatement(*stmt);
    if (completion != Completion::Ends)
      statements.append(checked.before.begin(), checked.before.end());
    if (checked.stmt && completion != Completion::Ends) {
      statements.push_back(checked.stmt);
    }
    if (completion == Completion::Continues)
      completion = checked.completion;
  }
  isReachable = wasReachable;
  leaveScope();
  result = ArrayRef(statements).copy(arena);
  return completion;
}

BodyChecker::Checked BodyChecker::checkStatement(const syntax::Stmt &stmt) {
  using Kind = syntax::Stmt::Kind;
  switch (stmt.kind) {
  case Kind::Let:
    return {checkLet(static_cast<const syntax::LetStmt &>(stmt))};
  case Kind::Assign:
    return {checkAssign(static_cast<const syntax::AssignStmt &>(stmt))};
  case Kind::Expr:
    return {checkExpressionStatement(static_cast<const syntax::ExprStmt &>(stmt))};
  case Kind::If:
    return checkIf(static_cast<const syntax::IfStmt &>(stmt));
  case Kind::While:
    return checkWhile(static_cast<const syntax::WhileStmt &>(stmt));
  case Kind::For:
    return checkFor(static_cast<const syntax::ForStmt &>(stmt));
  case Kind::Break:
  case Kind::Continue:
    return checkJump(stmt);
  case Kind::Return:
    return checkReturn(static_cast<const syntax::ReturnStmt &>(stmt));
  case Kind::Pass:
    return {};
  case Kind::LetTuple:
    return checkLetTuple(static_cast<const syntax::LetTupleStmt &>(stmt));
  case Kind::ForEach:
    return checkForEach(static_cast<const syntax::ForEachStmt &>(stmt));
  case Kind::Match:
    return checkMatch(static_cast<const syntax::MatchStmt &>(stmt));
  case Kind::Print:
    return {checkPrint(static_cast<const syntax::PrintStmt &>(stmt))};
  case Kind::Assert:
    return {checkAssert(static_cast<const syntax::AssertStmt &>(stmt))};
  case Kind::Error:
    isBroken = lostStatement = true;
    return {nullptr, Completion::Unknown};
  }
  llvm_unreachable("every kind is handled");
}

const Stmt *BodyChecker::checkLet(const syntax::LetStmt &stmt) {
  Type declared = session.resolve(stmt.type);
  const Expr *value = declared ? checkAs(*stmt.value, declared) : checkValue(*stmt.value);
  Type type = declared ? declared : value ? value->type : types.error();
  const Local *local =
      declare(stmt.name, type, stmt.isVar ? SymbolKind::Var : SymbolKind::Val, value);
  return value ? make(LetStmt{{stmt.range}, local, value}) : nullptr;
}

// Whether it does more than to answer a value. A call of a function of the file may.
static bool hasEffect(const Expr &expr) {
  if (auto *atomic = llvm::dyn_cast<AtomicExpr>(&expr))
    return atomic->kind != AtomicKind::Load;
  if (auto *intrinsic = llvm::dyn_cast<IntrinsicExpr>(&expr))
    return intrinsics::row(intrinsic->id).sync == intrinsics::Sync::Group || expr.type.isUnit();
  return expr.type.isUnit() || llvm::isa<CallExpr>(&expr);
}

const Stmt *BodyChecker::checkExpressionStatement(const syntax::ExprStmt &stmt) {
  const Expr *value = check(*stmt.value);
  if (!value)
    return nullptr;
  if (!hasEffect(*value))
    diagnostics.emit(stmt.value->range, diag::UnusedValue);
  return make(ExprStmt{{stmt.range}, value});
}

const Expr *BodyChecker::checkCondition(const syntax::Expr &expr) {
  const Expr *value = checkValue(expr);
  return value && requireBool("a condition", *value) ? value : nullptr;
}

BodyChecker::Checked BodyChecker::checkIf(const syntax::IfStmt &stmt) {
  llvm::SmallVector<IfArm, 2> arms;
  Completion completion = stmt.hasElse ? Completion::Ends : Completion::Continues;
  // The if ends where every arm does; one that cannot be judged leaves the rest unjudged.
  auto join = [&completion](Completion arm) {
    if (arm == Completion::Continues || completion == Completion::Ends)
      completion = arm;
  };
  for (const syntax::IfArm &arm : stmt.arms) {
    const Expr *condition = checkCondition(*arm.condition);
    Block body;
    join(checkBlock(arm.body, body));
    arms.push_back({condition, body});
  }
  Block otherwise;
  if (stmt.hasElse)
    join(checkBlock(stmt.otherwise, otherwise));
  return {make(IfStmt{{stmt.range}, ArrayRef(arms).copy(arena), otherwise}), completion};
}

BodyChecker::Checked BodyChecker::checkWhile(const syntax::WhileStmt &stmt) {
  const Expr *condition = checkCondition(*stmt.condition);
  loops.emplace_back();
  Block body;
  Completion ofBody = checkBlock(stmt.body, body);
  bool hasBreak = loops.back().hasBreak;
  loops.pop_back();

  Completion completion = Completion::Continues;
  auto *always = llvm::dyn_cast_if_present<ConstantExpr>(condition);
  if (always && always->intValue.isOne() && !hasBreak)
    completion = ofBody == Completion::Unknown ? Completion::Unknown : Completion::Ends;
  return {make(WhileStmt{{stmt.range}, condition, body}), completion};
}

BodyChecker::Checked BodyChecker::checkJump(const syntax::Stmt &stmt) {
  bool isBreak = stmt.kind == syntax::Stmt::Kind::Break;
  if (loops.empty()) {
    diagnostics.emit(stmt.range, diag::OutsideLoop, isBreak ? "break" : "continue");
    return {nullptr, Completion::Unknown};
  }
  if (!isBreak)
    return {make(ContinueStmt{{stmt.range}}), Completion::Ends};
  loops.back().hasBreak |= isReachable;
  return {make(BreakStmt{{stmt.range}}), Completion::Ends};
}

BodyChecker::Checked BodyChecker::checkReturn(const syntax::ReturnStmt &stmt) {
  const Function &function = *entry.function;
  Type result = function.result;
  const Expr *value = nullptr;
  if (stmt.value && result.isUnit()) {
    value = checkValue(*stmt.value);
    if (value && function.isKernel)
      diagnostics.emit(stmt.value->range, diag::KernelResult);
    else if (value)
      diagnostics.emit(stmt.value->range, diag::UnexpectedValue, shown(function.name),
                       "; to return this declare '-> " + value->type.str() + "'");
  } else if (stmt.value) {
    value = checkAs(*stmt.value, result);
  } else if (!result.isUnit() && !result.isError()) {
    diagnostics.emit(stmt.range, diag::MissingValue, shown(function.name), result.str());
  }
  return {make(ReturnStmt{{stmt.range}, value}), Completion::Ends};
}

// val (q, r) = e: the tuple, then a local for each element.
BodyChecker::Checked BodyChecker::checkLetTuple(const syntax::LetTupleStmt &stmt) {
  const Expr *value = checkValue(*stmt.value);
  if (value && (!value->type.isTuple() || value->type.elements().size() != stmt.names.size())) {
    diagnostics.emit(stmt.value->range, diag::TupleCount, quoted(value->range), value->type.str(),
                     stmt.names.size());
    value = nullptr;
  }
  SymbolKind kind = stmt.isVar ? SymbolKind::Var : SymbolKind::Val;
  llvm::SmallVector<const Stmt *> statements;
  const Local *whole = nullptr;
  if (value) {
    whole = make(Local{"$tuple", value->type, stmt.range, false});
    statements.push_back(make(LetStmt{{stmt.range}, whole, value}));
  }
  for (auto [number, name] : llvm::enumerate(stmt.names)) {
    Type type = value ? value->type.elements()[number] : types.error();
    const Local *local = declare(name, type, kind, nullptr);
    if (!value)
      continue;
    const Expr *tuple = make(LocalExpr{{whole->type, stmt.value->range}, whole});
    const Expr *part = make(FieldExpr{{type, name.range}, tuple, unsigned(number)});
    statements.push_back(make(LetStmt{{stmt.range}, local, part}));
  }
  return {nullptr, Completion::Continues, ArrayRef<const Stmt *>(statements).copy(arena)};
}

} // namespace spl::sema
