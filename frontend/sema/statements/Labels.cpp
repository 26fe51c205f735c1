// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/statements/Labels.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Names.h"

namespace spl::sema {

using Jump = BodyContext::Jump;

void openLoop(BodyContext &context, const syntax::Identifier &label) {
  if (!label.name.empty()) {
    for (const BodyContext::Loop &loop : context.loops)
      if (loop.label.name == label.name)
        context.diagnostics.emit(label.range, diag::LabelTwice, shown(label.name));
    context.labels.push_back(label.name);
  }
  context.loops.emplace_back();
  context.loops.back().label = label;
}

BodyContext::Loop closeLoop(BodyContext &context) {
  BodyContext::Loop loop = std::move(context.loops.back());
  context.loops.pop_back();
  if (!loop.label.name.empty() && !loop.isLabelUsed && !context.nameReports.isBroken)
    context.diagnostics.emit(loop.label.range, diag::UnusedLabel, shown(loop.label.name));
  return loop;
}

/// Makes a jump from the innermost open loop.
static llvm::SmallVector<const Stmt *, 2> makeJump(BodyContext &context, Jump jump,
                                                   SourceRange range) {
  BodyContext::Loop &innermost = context.loops.back();
  if (jump.loop + 1 == context.loops.size()) {
    if (jump.isBreak)
      return {context.make(BreakStmt{{range}})};
    return {context.make(ContinueStmt{{range}})};
  }
  Type i32 = context.types.get(TypeKind::I32);
  if (!innermost.jump)
    innermost.jump = context.make(Local{"$jump", i32, range, true});
  if (!llvm::is_contained(innermost.jumps, jump))
    innermost.jumps.push_back(jump);
  const auto number = unsigned(llvm::find(innermost.jumps, jump) - innermost.jumps.begin()) + 1;
  const Expr *place = context.make(LocalExpr{{i32, range}, innermost.jump});
  const Expr *value = makeConstant(context.session, i32, range, llvm::APInt(32, number));
  return {context.make(AssignStmt{{range}, place, value}), context.make(BreakStmt{{range}})};
}

/// Returns the number of the loop with the label, or nothing if it reports an error.
static std::optional<size_t> findLabel(BodyContext &context, const syntax::Identifier &label,
                                       StringRef jump) {
  for (size_t loop = context.loops.size(); loop != 0; --loop)
    if (context.loops[loop - 1].label.name == label.name) {
      context.loops[loop - 1].isLabelUsed = true;
      return loop - 1;
    }
  if (llvm::is_contained(context.labels, label.name)) {
    context.diagnostics.emit(label.range, diag::LabelElsewhere, shown(label.name), jump);
    return std::nullopt;
  }
  TypoCorrection correction(label.name);
  for (const BodyContext::Loop &loop : context.loops)
    if (!loop.label.name.empty())
      correction.consider(loop.label.name);
  context.diagnostics.emit(label.range, diag::UnknownLabel, shown(label.name),
                           correction.best().empty() ? "; a label is written 'name: for ...'"
                                                     : didYouMean(correction.best()));
  return std::nullopt;
}

CheckedStmt checkJump(BodyContext &context, const syntax::Stmt &stmt,
                      const syntax::Identifier &label) {
  const bool isBreak = stmt.kind == syntax::Stmt::Kind::Break;
  const StringRef name = isBreak ? "break" : "continue";
  if (context.loops.empty()) {
    context.diagnostics.emit(stmt.range, diag::OutsideLoop, name);
    return {nullptr, Completion::Unknown};
  }
  std::optional<size_t> loop = context.loops.size() - 1;
  if (!label.name.empty())
    loop = findLabel(context, label, name);
  if (!loop)
    return {nullptr, Completion::Unknown};
  // A jump to a loop further out is a break of those inside.
  for (size_t left = *loop + !isBreak; left != context.loops.size(); ++left)
    context.loops[left].hasBreak |= context.isReachable;
  auto statements = makeJump(context, {*loop, isBreak}, stmt.range);
  const Stmt *last = statements.pop_back_val();
  return {last, Completion::Ends, ArrayRef<const Stmt *>(statements).copy(context.arena)};
}

CheckedStmt withJumps(BodyContext &context, const BodyContext::Loop &closed, CheckedStmt loop) {
  if (!closed.jump)
    return loop;
  const SourceRange range = closed.jump->range;
  Type i32 = closed.jump->type, boolean = context.types.get(TypeKind::Bool);
  auto constant = [&](size_t value) {
    return makeConstant(context.session, i32, range, llvm::APInt(32, value));
  };
  llvm::SmallVector<IfArm, 2> arms;
  for (auto [index, jump] : llvm::enumerate(closed.jumps)) {
    const Expr *taken = context.make(LocalExpr{{i32, range}, closed.jump});
    const Expr *condition = context.make(
        BinaryExpr{{boolean, range}, syntax::BinaryOp::Eq, taken, constant(index + 1)});
    auto body = makeJump(context, jump, range);
    arms.push_back({condition, ArrayRef<const Stmt *>(body).copy(context.arena)});
  }
  llvm::SmallVector<const Stmt *, 4> before(loop.before.begin(), loop.before.end());
  before.push_back(context.make(LetStmt{{range}, closed.jump, constant(0)}));
  before.push_back(loop.stmt);
  const Stmt *last =
      context.make(IfStmt{{range}, ArrayRef<IfArm>(arms).copy(context.arena), Block()});
  return {last, loop.completion, ArrayRef<const Stmt *>(before).copy(context.arena)};
}

} // namespace spl::sema
