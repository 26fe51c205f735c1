// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/statements/Statements.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/MemoryCalls.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/sema/expressions/TypeTests.h"
#include "frontend/sema/statements/Assignments.h"
#include "frontend/sema/statements/Formats.h"
#include "frontend/sema/statements/Labels.h"
#include "frontend/sema/statements/Loops.h"
#include "frontend/sema/statements/Match.h"
#include "frontend/sema/statements/TupleAssignments.h"

namespace spl::sema {

// val x = gpu.shared[T](), whose name is a place in shared memory.
static const Stmt *checkSharedLet(ExpressionContext &context, const syntax::LetStmt &stmt,
                                  const syntax::CallExpr &call) {
  const Expr *memory = checkSharedPlace(context, call);
  const Type declared = context.session.resolve(stmt.type);
  if (memory && declared && !declared.isError() && !(memory->type.element() == declared)) {
    context.diagnostics.emit(call.range, diag::TypeMismatch, quoted(call.range),
                             memory->type.element().str(), declared.str(), "");
    memory = nullptr;
  }
  const Local *local =
      declareReference(context, stmt.name, memory ? memory->type : context.types.error());
  return memory ? context.make(LetStmt{{stmt.range}, local, memory}) : nullptr;
}

static const Stmt *checkLet(ExpressionContext &context, const syntax::LetStmt &stmt) {
  if (const syntax::CallExpr *call = sharedPlaceCall(context.scopes, *stmt.value))
    return checkSharedLet(context, stmt, *call);
  Type declared = context.session.resolve(stmt.type);
  const Expr *value =
      declared ? checkAs(context, *stmt.value, declared) : checkValue(context, *stmt.value);
  Type type = declared ? declared : value ? value->type : context.types.error();
  const bool isLiteral =
      !declared && classify(context.literals, *stmt.value) != LiteralClass::Rigid;
  const Local *local =
      declareLocal(context, stmt.name, type, stmt.isVar ? SymbolKind::Var : SymbolKind::Val, value,
                   isLiteral ? stmt.value->range : SourceRange());
  return value ? context.make(LetStmt{{stmt.range}, local, value}) : nullptr;
}

// Whether an expression may do more than compute a value, as a call of a function may.
static bool hasEffect(const Expr &expr) {
  if (auto *atomic = llvm::dyn_cast<AtomicExpr>(&expr))
    return atomic->kind != AtomicKind::Load;
  if (auto *intrinsic = llvm::dyn_cast<IntrinsicExpr>(&expr))
    return intrinsics::row(intrinsic->id).sync == intrinsics::Sync::Group || expr.type.isUnit();
  return expr.type.isUnit() || llvm::isa<CallExpr>(&expr);
}

static const Stmt *checkExpressionStatement(ExpressionContext &context,
                                            const syntax::ExprStmt &stmt) {
  const Expr *value = checkExpr(context, *stmt.value);
  if (!value)
    return nullptr;
  if (!hasEffect(*value))
    context.diagnostics.emit(stmt.value->range, diag::UnusedValue);
  return context.make(ExprStmt{{stmt.range}, value});
}

/// The arms of an if whose conditions types do not decide, and the block behind them: that of a
/// condition which types decide, or the else. The other blocks are skipped.
struct UndecidedArms {
  llvm::SmallVector<const syntax::IfArm *, 2> arms;
  const syntax::Block *otherwise = nullptr;
};

static void skipBlock(ExpressionContext &context, syntax::Block block) {
  if (!block.empty())
    skip(context, block.front()->range.to(block.back()->range));
}

static UndecidedArms undecidedArms(ExpressionContext &context, const syntax::IfStmt &stmt) {
  UndecidedArms result;
  for (const syntax::IfArm &arm : stmt.arms) {
    const std::optional<bool> known =
        result.otherwise ? false : decidedByTypes(context, *arm.condition);
    if (!known)
      result.arms.push_back(&arm);
    else if (*known)
      result.otherwise = &arm.body;
    else
      skipBlock(context, arm.body);
  }
  if (result.otherwise)
    skipBlock(context, stmt.otherwise);
  else if (stmt.hasElse)
    result.otherwise = &stmt.otherwise;
  return result;
}

static CheckedStmt checkIf(BodyContext &context, const syntax::IfStmt &stmt) {
  const UndecidedArms undecided = undecidedArms(context, stmt);
  llvm::SmallVector<IfArm, 2> arms;
  Completion completion = undecided.otherwise ? Completion::Ends : Completion::Continues;
  // The if ends if all arms end. It is unknown if one arm is unknown and no arm continues.
  auto join = [&completion](Completion arm) {
    if (arm == Completion::Continues || completion == Completion::Ends)
      completion = arm;
  };
  for (const syntax::IfArm *arm : undecided.arms) {
    const Expr *condition = checkCondition(context, *arm->condition);
    Block body;
    join(checkBlock(context, arm->body, body));
    arms.push_back({condition, body});
  }
  Block otherwise;
  if (undecided.otherwise)
    join(checkBlock(context, *undecided.otherwise, otherwise));
  if (arms.empty()) {
    // In other instances what follows may be reached: no warning.
    if (completion == Completion::Ends)
      completion = Completion::Unknown;
    // The block remains one, because the lifetimes of its locals end with it.
    arms.push_back({makeConstant(context.session, context.types.get(TypeKind::Bool), stmt.range,
                                 llvm::APInt(1, 1)),
                    otherwise});
    otherwise = {};
  }
  return {context.make(IfStmt{{stmt.range}, ArrayRef(arms).copy(context.arena), otherwise}),
          completion};
}

static CheckedStmt checkWhile(BodyContext &context, const syntax::WhileStmt &stmt) {
  const Expr *condition = checkCondition(context, *stmt.condition);
  openLoop(context, stmt.label);
  Block body;
  Completion ofBody = checkBlock(context, stmt.body, body);
  const BodyContext::Loop closed = closeLoop(context);

  Completion completion = Completion::Continues;
  auto *always = llvm::dyn_cast_if_present<ConstantExpr>(condition);
  if (always && always->intValue.isOne() && !closed.hasBreak)
    completion = ofBody == Completion::Unknown ? Completion::Unknown : Completion::Ends;
  const Stmt *loop = context.make(WhileStmt{{stmt.range}, condition, body});
  return withJumps(context, closed, {loop, completion});
}

static CheckedStmt checkReturn(ExpressionContext &context, const syntax::ReturnStmt &stmt) {
  const Function &function = *context.entry.function;
  Type result = function.result;
  const Expr *value = nullptr;
  if (stmt.value && result.isUnit()) {
    value = checkValue(context, *stmt.value);
    if (value && function.isKernel)
      context.diagnostics.emit(stmt.value->range, diag::KernelResult);
    else if (value)
      context.diagnostics.emit(stmt.value->range, diag::UnexpectedValue, shown(function.name),
                               "; to return this value, declare '-> " + value->type.str() + "'");
  } else if (stmt.value) {
    value = checkAs(context, *stmt.value, result);
  } else if (!result.isUnit() && !result.isError()) {
    context.diagnostics.emit(stmt.range, diag::MissingValue, shown(function.name), result.str());
  }
  return {context.make(ReturnStmt{{stmt.range}, value}), Completion::Ends};
}

// Checks val (q, r) = e. Makes a hidden local for the tuple, then a local for each element.
static CheckedStmt checkLetTuple(ExpressionContext &context, const syntax::LetTupleStmt &stmt) {
  const Expr *value = checkValue(context, *stmt.value);
  if (value && (!value->type.isTuple() || value->type.elements().size() != stmt.names.size())) {
    context.diagnostics.emit(stmt.value->range, diag::TupleCount, quoted(value->range),
                             value->type.str(), stmt.names.size());
    value = nullptr;
  }
  SymbolKind kind = stmt.isVar ? SymbolKind::Var : SymbolKind::Val;
  llvm::SmallVector<const Stmt *> statements;
  // Elements that are written in the tuple are values on their own: it is not made.
  auto *build = llvm::dyn_cast_or_null<BuildExpr>(value);
  const Local *whole = nullptr;
  if (value && !build) {
    whole = context.make(Local{"$tuple", value->type, stmt.range, false});
    statements.push_back(context.make(LetStmt{{stmt.range}, whole, value}));
  }
  for (auto [number, name] : llvm::enumerate(stmt.names)) {
    Type type = value ? value->type.elements()[number] : context.types.error();
    const Expr *part = build ? build->parts[number] : nullptr;
    const Local *local = declareLocal(context, name, type, kind, part);
    if (!value)
      continue;
    if (!build) {
      const Expr *tuple = context.make(LocalExpr{{whole->type, stmt.value->range}, whole});
      part = context.make(FieldExpr{{type, name.range}, tuple, unsigned(number)});
    }
    statements.push_back(context.make(LetStmt{{stmt.range}, local, part}));
  }
  return {nullptr, Completion::Continues, ArrayRef<const Stmt *>(statements).copy(context.arena)};
}

static CheckedStmt checkStatement(BodyContext &context, const syntax::Stmt &stmt) {
  using Kind = syntax::Stmt::Kind;
  switch (stmt.kind) {
  case Kind::Let:
    return {checkLet(context, static_cast<const syntax::LetStmt &>(stmt))};
  case Kind::Assign:
    if (llvm::isa<syntax::TupleExpr>(*static_cast<const syntax::AssignStmt &>(stmt).target))
      return checkTupleAssign(context, static_cast<const syntax::AssignStmt &>(stmt));
    return {checkAssign(context, static_cast<const syntax::AssignStmt &>(stmt))};
  case Kind::Expr:
    return {checkExpressionStatement(context, static_cast<const syntax::ExprStmt &>(stmt))};
  case Kind::If:
    return checkIf(context, static_cast<const syntax::IfStmt &>(stmt));
  case Kind::While:
    return checkWhile(context, static_cast<const syntax::WhileStmt &>(stmt));
  case Kind::For:
    return checkFor(context, static_cast<const syntax::ForStmt &>(stmt));
  case Kind::Break:
    return checkJump(context, stmt, static_cast<const syntax::BreakStmt &>(stmt).label);
  case Kind::Continue:
    return checkJump(context, stmt, static_cast<const syntax::ContinueStmt &>(stmt).label);
  case Kind::Return:
    return checkReturn(context, static_cast<const syntax::ReturnStmt &>(stmt));
  case Kind::Pass:
    return {};
  case Kind::LetTuple:
    return checkLetTuple(context, static_cast<const syntax::LetTupleStmt &>(stmt));
  case Kind::ForEach:
    return checkForEach(context, static_cast<const syntax::ForEachStmt &>(stmt));
  case Kind::Match:
    return checkMatch(context, static_cast<const syntax::MatchStmt &>(stmt));
  case Kind::Print:
    return {checkPrint(context, static_cast<const syntax::PrintStmt &>(stmt))};
  case Kind::Assert:
    return {checkAssert(context, static_cast<const syntax::AssertStmt &>(stmt))};
  case Kind::Error:
    context.nameReports.isBroken = context.nameReports.lostStatement = true;
    return {nullptr, Completion::Unknown};
  }
  llvm_unreachable("every kind is handled");
}

Completion checkBlock(BodyContext &context, syntax::Block block, Block &result) {
  context.scopes.enter();
  bool wasReachable = context.isReachable;
  llvm::SmallVector<const Stmt *, 8> statements;
  Completion completion = Completion::Continues;
  for (const syntax::Stmt *stmt : block) {
    if (completion == Completion::Ends && context.isReachable) {
      context.diagnostics.emit(stmt->range, diag::UnreachableCode);
      context.isReachable = false;
    }
    CheckedStmt checked = checkStatement(context, *stmt);
    if (completion != Completion::Ends)
      statements.append(checked.before.begin(), checked.before.end());
    if (checked.stmt && completion != Completion::Ends) {
      statements.push_back(checked.stmt);
    }
    if (completion == Completion::Continues)
      completion = checked.completion;
  }
  context.isReachable = wasReachable;
  leaveScope(context);
  result = ArrayRef(statements).copy(context.arena);
  return completion;
}

} // namespace spl::sema
