// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/statements/Loops.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Calls.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Modules.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Operators.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/sema/expressions/Widening.h"
#include "frontend/sema/statements/Labels.h"
#include "frontend/sema/statements/Statements.h"
#include <tuple>

namespace spl::sema {

/// The maximum factor of unrolling, and the maximum number of rounds of a loop that is unrolled
/// completely.
static constexpr uint64_t maxUnrollRounds = 1024;

struct LoopBody {
  const Local *variable = nullptr;
  Block body;
  BodyContext::Loop closed; ///< for withJumps
};

/// Declares the variable of a loop and checks the body in the variable's scope.
template <class Loop>
static LoopBody checkLoopBody(BodyContext &context, const Loop &stmt, Type type,
                              MaybeRange range = std::nullopt) {
  LoopBody result;
  context.scopes.enter();
  result.variable = declareLocal(context, stmt.variable, type, SymbolKind::LoopVariable, nullptr);
  context.ranges.declare(*result.variable, range);
  openLoop(context, stmt.label);
  checkBlock(context, stmt.body, result.body);
  result.closed = closeLoop(context);
  leaveScope(context);
  return result;
}

//===-- Ranges --===//

// Requires that the bounds and the step are integers, and widens them to one type. Returns false if
// it reports an error.
static bool requireRange(ExpressionContext &context, const syntax::ForStmt &stmt,
                         const Expr *&lower, const Expr *&upper, const Expr *&step) {
  // If an integer literal has a float type because of the other bound, the error is in that other
  // bound.
  const bool isWholeLower = lower && stmt.lower->kind == syntax::Expr::Kind::Int;
  for (const Expr *part : {isWholeLower ? upper : lower, isWholeLower ? lower : upper, step})
    if (part && !part->type.isInt()) {
      std::string hint = writeHint(castText(*part, context.types.get(TypeKind::I64)));
      context.diagnostics.emit(part->range, diag::RangeNotInteger, quoted(part->range),
                               part->type.str(), hint);
      return false;
    }
  if (!lower || !upper || (stmt.step && !step))
    return false;
  const Expr *parts[] = {lower, upper, step};
  if (!widenTogether(context, parts))
    return false;
  std::tie(lower, upper, step) = std::tie(parts[0], parts[1], parts[2]);
  return true;
}

/// Returns the number of rounds if the bounds and the step are constants. Returns nothing if they
/// are not, or if the number does not fit.
static std::optional<uint64_t> constantRounds(const Expr &lower, const Expr &upper,
                                              const Expr *step, bool isInclusive,
                                              Session &session) {
  auto wide = [&](const Expr *expr) -> std::optional<llvm::APInt> {
    const ConstantExpr *constant = session.knownInteger(*expr);
    if (!constant)
      return std::nullopt;
    return expr->type.isUnsignedInt() ? constant->intValue.zext(128) : constant->intValue.sext(128);
  };
  std::optional<llvm::APInt> from = wide(&lower), to = wide(&upper);
  std::optional<llvm::APInt> by = step ? wide(step) : llvm::APInt(128, 1);
  if (!from || !to || !by || by->isZero())
    return std::nullopt;
  llvm::APInt distance = by->isNegative() ? *from - *to : *to - *from;
  if (!isInclusive)
    --distance;
  if (distance.isNegative())
    return 0;
  llvm::APInt rounds = distance.udiv(by->abs()) + 1;
  return rounds.getActiveBits() > 64 ? std::nullopt : std::optional(rounds.getZExtValue());
}

static UnrollFactor checkUnroll(ExpressionContext &context, const syntax::Unroll &unroll,
                                std::optional<uint64_t> rounds) {
  if (!unroll.range.isValid())
    return 0;
  if (!unroll.factor) {
    if (!rounds)
      context.diagnostics.emit(unroll.range, diag::UnrollNotConstant);
    if (rounds.value_or(0) > maxUnrollRounds)
      context.diagnostics.emit(unroll.range, diag::UnrollTooMany, *rounds, maxUnrollRounds);
    // A loop with a known number of rounds is unrolled completely by a factor of that number.
    return UnrollFactor(std::clamp<uint64_t>(rounds.value_or(1), 1, maxUnrollRounds));
  }
  const Expr *factor = checkValue(context, *unroll.factor);
  if (!factor)
    return 0;
  const ConstantExpr *constant =
      factor->type.isInt() ? context.session.knownInteger(*factor) : nullptr;
  const bool isNegative = constant && factor->type.isSignedInt() && constant->intValue.isNegative();
  const bool isGood = constant && !isNegative && constant->intValue.ule(maxUnrollRounds) &&
                      !constant->intValue.isZero();
  if (!isGood) {
    context.diagnostics.emit(factor->range, diag::UnrollFactor, maxUnrollRounds);
    return 0;
  }
  // A factor of one means no unrolling.
  return constant->intValue.isOne() ? 0 : UnrollFactor(constant->intValue.getZExtValue());
}

CheckedStmt checkFor(BodyContext &context, const syntax::ForStmt &stmt) {
  // Bounds that are literals take the type of the step.
  const bool isStepFirst =
      stmt.step && classify(context.literals, *stmt.step) == LiteralClass::Rigid;
  const Expr *step = isStepFirst ? checkValue(context, *stmt.step) : nullptr;
  auto [lower, upper] = checkPair(context, *stmt.lower, *stmt.upper, step ? step->type : Type());
  if (stmt.step && !isStepFirst) {
    const bool isUpperWider = lower && upper && widens(lower->type, upper->type);
    step = checkValue(context, *stmt.step,
                      isUpperWider ? upper->type
                      : lower      ? lower->type
                                   : Type());
  }
  const bool isGood = requireRange(context, stmt, lower, upper, step);

  std::optional<uint64_t> rounds;
  if (isGood) {
    rounds = constantRounds(*lower, *upper, step, stmt.isInclusive, context.session);
    const ConstantExpr *by = step ? context.session.knownInteger(*step) : nullptr;
    if (by && by->intValue.isZero())
      context.diagnostics.emit(step->range, diag::StepZero);
  }
  UnrollFactor unroll = checkUnroll(context, stmt.unroll, rounds);
  auto [variable, body, closed] = checkLoopBody(
      context, stmt, isGood ? lower->type : context.types.error(),
      isGood ? context.ranges.ofLoop(*lower, *upper, stmt.isInclusive, step) : std::nullopt);
  if (!isGood)
    return {};
  const Stmt *loop = context.make(ForStmt{
      {stmt.range}, variable, lower, upper, stmt.isInclusive, step, unroll, body, stmt.isReversed});
  return withJumps(context, closed, {loop});
}

//===-- Elements --===//

/// Makes a loop over indices whose body begins by loading the element into the variable.
static const Stmt *makeIndexLoop(Session &session, const syntax::ForEachStmt &stmt,
                                 const Expr *whole, const Local *variable, Type element,
                                 UnrollFactor unroll, Block body) {
  SourceRange range = whole->range;
  Type i64 = session.types.get(TypeKind::I64);
  const Local *position = makeHiddenLocal(session, "$i", i64, stmt.variable.range);
  const Expr *index = session.make(LocalExpr{{i64, stmt.variable.range}, position});
  const Expr *value = session.make(IndexExpr{{element, stmt.variable.range},
                                             whole,
                                             ArrayRef<const Expr *>(index).copy(session.arena),
                                             /*isInside=*/true});
  llvm::SmallVector<const Stmt *, 8> statements{
      session.make(LetStmt{{stmt.variable.range}, variable, value})};
  statements.append(body.begin(), body.end());
  const Expr *zero = makeConstant(session, i64, range, llvm::APInt(64, 0));
  const Expr *count = whole->type.isArray()
                          ? makeConstant(session, i64, range, llvm::APInt(64, whole->type.length()))
                          : session.make(ExtentExpr{{i64, range}, whole, 0});
  return session.make(ForStmt{{stmt.range},
                              position,
                              zero,
                              count,
                              false,
                              nullptr,
                              unroll,
                              ArrayRef<const Stmt *>(statements).copy(session.arena)});
}

// Checks `for i in gpu.grid_stride(n)`, a loop from global_id(0) to n by global_size(0).
static CheckedStmt checkGridStride(BodyContext &context, const syntax::ForEachStmt &stmt,
                                   const syntax::CallExpr &call) {
  Type i64 = context.types.get(TypeKind::I64);
  const Expr *end = nullptr;
  if (!requirePositional(context.session, call) || call.arguments.size() != 1) {
    if (call.arguments.size() != 1)
      context.diagnostics.emit(call.range, diag::ArgumentCount, "gpu.grid_stride",
                               counted(1, "argument"), call.arguments.size(), "");
    abandonCall(context, call);
  } else {
    end = checkAs(context, *call.arguments[0].value, i64);
  }
  UnrollFactor unroll = checkUnroll(context, stmt.unroll, std::nullopt);
  auto [variable, body, closed] = checkLoopBody(context, stmt, i64);
  if (!end)
    return {};
  auto id = [&](intrinsics::Id row) -> const Expr * {
    return context.make(IntrinsicExpr{{i64, call.callee->range}, row, {}, 0});
  };
  const Stmt *loop = context.make(ForStmt{{stmt.range},
                                          variable,
                                          id(intrinsics::Id::GlobalId),
                                          end,
                                          false,
                                          id(intrinsics::Id::GlobalSize),
                                          unroll,
                                          body});
  return withJumps(context, closed, {loop});
}

CheckedStmt checkForEach(BodyContext &context, const syntax::ForEachStmt &stmt) {
  if (auto *call = llvm::dyn_cast<syntax::CallExpr>(stmt.iterable))
    if (auto *callee = llvm::dyn_cast<syntax::MemberExpr>(call->callee))
      if (isModule(context.scopes, *callee->base) && callee->member.name == "grid_stride")
        return checkGridStride(context, stmt, *call);

  const Expr *whole = checkValue(context, *stmt.iterable);
  Type type = whole ? whole->type : context.types.error();
  if (whole && !type.isSlice() && !type.isArray()) {
    context.diagnostics.emit(whole->range, diag::NotIterable, quoted(whole->range), type.str());
    type = context.types.error();
  }
  Type element = type;
  if (type.isSlice() && type.rank() > 1)
    element = context.types.slice(type.element(), type.isMut(), type.rank() - 1);
  else if (!type.isError())
    element = type.element();
  UnrollFactor unroll = checkUnroll(context, stmt.unroll,
                                    type.isArray() ? std::optional(type.length()) : std::nullopt);
  auto [variable, body, closed] = checkLoopBody(context, stmt, element);
  if (type.isError())
    return {};

  // The loop stores the slice in a hidden local, because the body may assign another slice to a
  // var. Of an array, only elements can change.
  SourceRange range = whole->range;
  Block before;
  auto *local = llvm::dyn_cast<LocalExpr>(whole);
  if (!local || (local->local->isMutable && type.isSlice())) {
    const Local *kept = makeHiddenLocal(context.session, "$each", type, range);
    before =
        ArrayRef<const Stmt *>(context.make(LetStmt{{range}, kept, whole})).copy(context.arena);
    whole = context.make(LocalExpr{{type, range}, kept});
  }
  const Stmt *loop = makeIndexLoop(context.session, stmt, whole, variable, element, unroll, body);
  return withJumps(context, closed, {loop, Completion::Continues, before});
}

} // namespace spl::sema
