// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions in constants, and lists of constants.
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/evaluation/Evaluator.h"
#include "frontend/sema/evaluation/Execute.h"
#include "frontend/sema/evaluation/FramePlaces.h"
#include "frontend/sema/statements/Body.h"

namespace spl::sema {

bool Evaluator::step(const Expr &expr) {
  if (!execution || ++execution->steps <= Execution::maxSteps)
    return true;
  if (!std::exchange(execution->isTooLong, true))
    fault(expr.range, "it takes more than 2,000,000 operations");
  return false;
}

const Expr *Evaluator::evaluateExtent(const ExtentExpr &expr) {
  if (!frame || expr.slice->type.rank() != 1)
    return notConstant(llvm::isa<CallExpr>(expr.slice) ? *expr.slice : expr);
  std::optional<FrameView> view = viewOf(*this, *frame, *expr.slice);
  return view ? number(expr.type, expr.range, APInt(64, view->length)) : nullptr;
}

/// The value in another arena.
static const Expr *copied(llvm::BumpPtrAllocator &arena, const Expr &value) {
  if (auto *number = llvm::dyn_cast<ConstantExpr>(&value))
    return new (arena) ConstantExpr(*number);
  auto &build = llvm::cast<BuildExpr>(value);
  llvm::SmallVector<const Expr *> parts;
  for (const Expr *part : build.parts)
    parts.push_back(copied(arena, *part));
  return new (arena)
      BuildExpr{{value.type, value.range}, ArrayRef<const Expr *>(parts).copy(arena), {}};
}

const Expr *Evaluator::evaluateCall(const CallExpr &expr) {
  // Where no error is reported, a caller only tries whether the value is known.
  if (!reports || session.hasSyntaxErrors)
    return nullptr;
  if (expr.type.isSlice())
    return notConstant(expr);
  FunctionEntry &entry = *session.functionEntries.lookup(expr.callee);
  if (!ensureBody(session, entry))
    return nullptr;
  Execution own;
  Execution &all = execution ? *execution : own;
  if (all.depth == Execution::maxDepth)
    return fault(expr.range, "more than 64 calls are in each other");
  Frame none, callee;
  Evaluator ofArguments(session, all, frame ? *frame : none, hint);
  for (size_t i = 0; i != expr.arguments.size(); ++i) {
    const size_t at = expr.written.empty() ? i : expr.written[i];
    if (!enter(ofArguments, frame, callee, *expr.callee->parameters[at], *expr.arguments[at]))
      return nullptr;
  }
  Evaluator inside(session, all, callee, hint);
  ++all.depth;
  const bool isGood = [&] {
    diag::InContext note(session.diagnostics,
                         diag::Engine::note(expr.range, diag::InEvaluation, quoted(expr.range)));
    return execute(inside, all, callee, expr.callee->body);
  }();
  --all.depth;
  if (!isGood)
    return nullptr;
  if (expr.type.isUnit())
    return truth(expr.range, true); // any value: it is not used
  return execution ? callee.result : copied(session.arena, *callee.result);
}

bool evaluateEach(Session &session, const Expr &expr, const Local &variable, int64_t first,
                  uint64_t count, llvm::SmallVectorImpl<const Expr *> &values) {
  Execution all;
  Frame frame;
  Evaluator evaluator(session, all, frame, "; the elements of '[x for i in a..b]' are constants");
  for (uint64_t number = 0; number != count; ++number) {
    llvm::APInt value(64, uint64_t(first) + number);
    frame.values[&variable] = {makeInteger(all, variable, value)};
    const Expr *element = evaluator.evaluate(expr);
    if (!element)
      return false;
    values.push_back(copied(session.arena, *element));
  }
  return true;
}

} // namespace spl::sema
