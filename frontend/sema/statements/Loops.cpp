// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for: over a range, over the elements of an array or a slice, and by the size of the grid.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/DiagnosticText.h"

namespace spl::sema {

/// Rounds that unrolling may ask for, at a time or in all.
static constexpr uint64_t maxUnrollRounds = 1024;

const Local *BodyChecker::hidden(StringRef name, Type type, SourceRange range) {
  return make(Local{name, type, range, false});
}

Block BodyChecker::checkLoopBody(const syntax::Identifier &name, const Local *&variable, Type type,
                                 syntax::Block body) {
  scopes.enter();
  variable = declare(name, type, SymbolKind::LoopVariable, nullptr);
  loops.emplace_back();
  Block checked;
  checkBlock(body, checked);
  loops.pop_back();
  leaveScope();
  return checked;
}

//===-- Ranges --===//

// All three have one integer type; false where that was reported.
bool BodyChecker::requireRange(const syntax::ForStmt &stmt, const Expr *lower, const Expr *upper,
                               const Expr *step) {
  // A whole literal that became a float for the other bound's sake is not the mistake.
  const bool isWholeLower = lower && stmt.lower->kind == syntax::Expr::Kind::Int;
  for (const Expr *part : {isWholeLower ? upper : lower, isWholeLower ? lower : upper, step})
    if (part && !part->type.isInt()) {
      std::string hint = writeHint(castText(*part, types.get(TypeKind::I64)));
      diagnostics.emit(part->range, diag::RangeNotInteger, quoted(part->range), part->type.str(),
                       hint);
      return false;
    }
  if (!lower || !upper || (stmt.step && !step))
    return false;
  const Expr *first = isWholeLower ? upper : lower;
  for (const Expr *part : {isWholeLower ? lower : upper, step})
    if (part && !(part->type == first->type)) {
      reportMismatch(syntax::BinaryOp::Lt, *first, *part);
      return false;
    }
  return true;
}

/// How often a range of constants goes round; none where it is not one, or more often than that.
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

BodyChecker::Checked BodyChecker::checkFor(const syntax::ForStmt &stmt) {
  // Bounds without a type of their own take the step's.
  const bool isStepFirst = stmt.step && classify(*stmt.step) == LiteralClass::Rigid;
  const Expr *step = isStepFirst ? checkValue(*stmt.step) : nullptr;
  auto [lower, upper] = checkPair(*stmt.lower, *stmt.upper, step ? step->type : Type());
  if (stmt.step && !isStepFirst)
    step = checkValue(*stmt.step, lower ? lower->type : Type());
  const bool isGood = requireRange(stmt, lower, upper, step);

  std::optional<uint64_t> rounds;
  if (isGood) {
    rounds = constantRounds(*lower, *upper, step, stmt.isInclusive, session);
    const ConstantExpr *by = step ? session.knownInteger(*step) : nullptr;
    if (by && by->intValue.isZero())
      diagnostics.emit(step->range, diag::StepZero);
  }
  UnrollFactor unroll = checkUnroll(stmt.unroll, rounds);
  const Local *variable;
  Block body =
      checkLoopBody(stmt.variable, variable, isGood ? lower->type : types.error(), stmt.body);
  if (!isGood)
    return {};
  return {
      make(ForStmt{{stmt.range}, variable, lower, upper, stmt.isInclusive, step, unroll, body})};
}

UnrollFactor BodyChecker::checkUnroll(const syntax::Unroll &unroll,
                                      std::optional<uint64_t> rounds) {
  if (!unroll.range.isValid())
    return 0;
  if (!unroll.factor) {
    if (rounds.value_or(0) > maxUnrollRounds)
      diagnostics.emit(unroll.range, diag::UnrollTooMany, *rounds, maxUnrollRounds);
    // All rounds of a known number are so many at a time.
    return UnrollFactor(std::clamp<uint64_t>(rounds.value_or(1), 1, maxUnrollRounds));
  }
  const Expr *factor = checkValue(*unroll.factor);
  if (!factor)
    return 0;
  const ConstantExpr *constant = factor->type.isInt() ? session.knownInteger(*factor) : nullptr;
  const bool isNegative = constant && factor->type.isSignedInt() && constant->intValue.isNegative();
  const bool isGood = constant && !isNegative && constant->intValue.ule(maxUnrollRounds) &&
                      !constant->intValue.isZero();
  if (!isGood) {
    diagnostics.emit(factor->range, diag::UnrollFactor, maxUnrollRounds);
    return 0;
  }
  // One round at a time is what a loop does anyway.
  return constant->intValue.isOne() ? 0 : UnrollFactor(constant->intValue.getZExtValue());
}

//===-- Elements --===//

BodyChecker::Checked BodyChecker::checkForEach(const syntax::ForEachStmt &stmt) {
  if (auto *call = llvm::dyn_cast<syntax::CallExpr>(stmt.iterable))
    if (auto *callee = llvm::dyn_cast<syntax::MemberExpr>(call->callee))
      if (isModule(*callee->base) && callee->member.name == "grid_stride")
        return checkGridStride(stmt, *call);

  const Expr *whole = checkValue(*stmt.iterable);
  Type type = whole ? whole->type : types.error();
  if (whole && !type.isSlice() && !type.isArray()) {
    diagnostics.emit(whole->range, diag::NotIterable, quoted(whole->range), type.str());
    type = types.error();
  }
  Type element = type;
  if (type.isSlice() && type.rank() > 1)
    element = types.slice(type.element(), type.isMut(), type.rank() - 1);
  else if (!type.isError())
    element = type.element();
  UnrollFactor unroll =
      checkUnroll(stmt.unroll, type.isArray() ? std::optional(type.length()) : std::nullopt);
  const Local *variable;
  Block body = checkLoopBody(stmt.variable, variable, element, stmt.body);
  if (type.isError())
    return {};

  // What a var holds may change on the way; of an array only the elements may.
  SourceRange range = whole->range;
  Block before;
  auto *local = llvm::dyn_cast<LocalExpr>(whole);
  if (!local || (local->local->isMutable && type.isSlice())) {
    const Local *kept = hidden("$each", type, range);
    before = ArrayRef<const Stmt *>(make(LetStmt{{range}, kept, whole})).copy(arena);
    whole = make(LocalExpr{{type, range}, kept});
  }
  return {loopOver(stmt, whole, variable, element, unroll, body), Completion::Continues, before};
}

/// A loop over the indices, in which the variable is the element.
const Stmt *BodyChecker::loopOver(const syntax::ForEachStmt &stmt, const Expr *whole,
                                  const Local *variable, Type element, UnrollFactor unroll,
                                  Block body) {
  SourceRange range = whole->range;
  Type i64 = types.get(TypeKind::I64);
  const Local *position = hidden("$i", i64, stmt.variable.range);
  const Expr *index = make(LocalExpr{{i64, stmt.variable.range}, position});
  const Expr *value = make(IndexExpr{{element, stmt.variable.range},
                                     whole,
                                     ArrayRef<const Expr *>(index).copy(arena),
                                     /*isInside=*/true});
  llvm::SmallVector<const Stmt *, 8> statements{
      make(LetStmt{{stmt.variable.range}, variable, value})};
  statements.append(body.begin(), body.end());
  const Expr *zero = constant(i64, range, llvm::APInt(64, 0));
  const Expr *count = whole->type.isArray()
                          ? constant(i64, range, llvm::APInt(64, whole->type.length()))
                          : make(ExtentExpr{{i64, range}, whole, 0});
  return make(ForStmt{{stmt.range},
                      position,
                      zero,
                      count,
                      false,
                      nullptr,
                      unroll,
                      ArrayRef<const Stmt *>(statements).copy(arena)});
}

// for i in gpu.grid_stride(n): from global_id(0), by global_size(0), to below n.
BodyChecker::Checked BodyChecker::checkGridStride(const syntax::ForEachStmt &stmt,
                                                  const syntax::CallExpr &call) {
  Type i64 = types.get(TypeKind::I64);
  const Expr *end = nullptr;
  if (!requirePositional(call) || call.arguments.size() != 1) {
    if (call.arguments.size() != 1)
      diagnostics.emit(call.range, diag::ArgumentCount, "gpu.grid_stride", counted(1, "argument"),
                       call.arguments.size(), "");
    abandonCall(call);
  } else {
    end = checkAs(*call.arguments[0].value, i64);
  }
  UnrollFactor unroll = checkUnroll(stmt.unroll, std::nullopt);
  const Local *variable;
  Block body = checkLoopBody(stmt.variable, variable, i64, stmt.body);
  if (!end)
    return {};
  auto id = [&](intrinsics::Id row) -> const Expr * {
    return make(IntrinsicExpr{{i64, call.callee->range}, row, {}, 0});
  };
  return {make(ForStmt{{stmt.range},
                       variable,
                       id(intrinsics::Id::GlobalId),
                       end,
                       false,
                       id(intrinsics::Id::GlobalSize),
                       unroll,
                       body})};
}

} // namespace spl::sema
