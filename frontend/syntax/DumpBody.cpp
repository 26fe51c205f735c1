// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints statements and expressions.

#include "frontend/syntax/TreeWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

using llvm::cast;

namespace spl::syntax {

//===-- Statements --===//

void TreeWriter::block(Block block) {
  ++depth;
  eachOnLine(block);
  --depth;
}

void dump(TreeWriter &to, const IfStmt &stmt) {
  to.os << "(if";
  ++to.depth;
  for (const IfArm &arm : stmt.arms) {
    to.line();
    to.open("arm", arm.condition);
    to.block(arm.body);
    to.close();
  }
  if (stmt.hasElse) {
    to.line();
    to.os << "(else";
    to.block(stmt.otherwise);
    to.close();
  }
  --to.depth;
  to.close();
}

void dump(TreeWriter &to, const LetStmt &let) {
  to.open(let.isVar ? "var" : "val", let.name);
  to.optional(" : ", let.type);
  to.optional(" ", let.value);
  to.close();
}

void dump(TreeWriter &to, const LetTupleStmt &let) {
  to.open(let.isVar ? "var" : "val");
  to.os << " (";
  llvm::interleave(let.names, to.os, [&](const Identifier &name) { dump(to, name); }, " ");
  to.os << ") ";
  dump(to, *let.value);
  to.close();
}

void dump(TreeWriter &to, const AssignStmt &assign) {
  to.list(assign.op ? spelling(*assign.op).str() + "=" : "=", assign.target, assign.value);
}

void dump(TreeWriter &to, const ReturnStmt &stmt) {
  to.open("return");
  to.optional(" ", stmt.value);
  to.close();
}

void dump(TreeWriter &to, const PrintStmt &print) {
  to.open("print");
  to.each(print.format);
  to.close();
}

void dump(TreeWriter &to, const AssertStmt &assertion) {
  to.open("assert", assertion.condition);
  to.each(assertion.format);
  to.close();
}

void dump(TreeWriter &to, const WhileStmt &loop) {
  to.open("while", loop.condition);
  to.block(loop.body);
  to.close();
}

void dump(TreeWriter &to, const Unroll &unroll) {
  if (!unroll.range.isValid())
    return;
  to.os << " (unroll";
  to.optional(" ", unroll.factor);
  to.close();
}

/// break and continue, with the label if there is one.
static void dumpJump(TreeWriter &to, llvm::StringRef jump, const Identifier &label) {
  if (label.name.empty())
    return to.list(jump);
  to.open(jump, label);
  to.close();
}

void dump(TreeWriter &to, const ForStmt &loop) {
  to.open("for", loop.variable);
  to.os << ' ';
  to.open(loop.isInclusive ? "..=" : "..", loop.lower, loop.upper);
  to.optional(" step ", loop.step);
  to.os << (loop.isReversed ? " reversed" : "");
  to.close();
  dump(to, loop.unroll);
  to.block(loop.body);
  to.close();
}

void dump(TreeWriter &to, const ForEachStmt &loop) {
  to.open("for", loop.variable, loop.iterable);
  dump(to, loop.unroll);
  to.block(loop.body);
  to.close();
}

void dump(TreeWriter &to, const MatchStmt &match) {
  to.open("match", match.subject);
  to.broken(match.isBroken);
  ++to.depth;
  for (const MatchArm &arm : match.arms) {
    to.line();
    to.open("case");
    to.each(arm.patterns);
    to.block(arm.body);
    to.close();
  }
  --to.depth;
  to.close();
}

void dump(TreeWriter &to, const Pattern &pattern) {
  if (pattern.value)
    return dump(to, *pattern.value);
  if (pattern.lower)
    return to.list("..=", pattern.lower, pattern.upper);
  to.os << '_';
}

void dump(TreeWriter &to, const FormatPiece &piece) {
  to.text(piece.text);
  to.optional(" ", piece.value);
  if (piece.precision)
    to.os << ":." << *piece.precision;
}

void dump(TreeWriter &to, const Stmt &stmt) {
  switch (stmt.kind) {
  case Stmt::Kind::Let:
    return dump(to, cast<LetStmt>(stmt));
  case Stmt::Kind::LetTuple:
    return dump(to, cast<LetTupleStmt>(stmt));
  case Stmt::Kind::Assign:
    return dump(to, cast<AssignStmt>(stmt));
  case Stmt::Kind::Expr:
    return to.list("expr", cast<ExprStmt>(stmt).value);
  case Stmt::Kind::If:
    return dump(to, cast<IfStmt>(stmt));
  case Stmt::Kind::While:
    return dump(to, cast<WhileStmt>(stmt));
  case Stmt::Kind::For:
    return dump(to, cast<ForStmt>(stmt));
  case Stmt::Kind::ForEach:
    return dump(to, cast<ForEachStmt>(stmt));
  case Stmt::Kind::Match:
    return dump(to, cast<MatchStmt>(stmt));
  case Stmt::Kind::Break:
    return dumpJump(to, "break", cast<BreakStmt>(stmt).label);
  case Stmt::Kind::Continue:
    return dumpJump(to, "continue", cast<ContinueStmt>(stmt).label);
  case Stmt::Kind::Return:
    return dump(to, cast<ReturnStmt>(stmt));
  case Stmt::Kind::Pass:
    return to.list("pass");
  case Stmt::Kind::Print:
    return dump(to, cast<PrintStmt>(stmt));
  case Stmt::Kind::Assert:
    return dump(to, cast<AssertStmt>(stmt));
  case Stmt::Kind::Error:
    return to.list("error");
  }
}

//===-- Expressions --===//

template <class... Texts> static void word(TreeWriter &to, const Texts &...texts) {
  (to.os << ... << texts);
}

void dump(TreeWriter &to, const CompareChainExpr &chain) {
  to.open("chain", chain.operands[0]);
  for (auto [op, operand] : llvm::zip_equal(chain.ops, chain.operands.drop_front())) {
    to.os << ' ' << spelling(op) << ' ';
    dump(to, *operand);
  }
  to.close();
}

void dump(TreeWriter &to, const Argument &argument) {
  if (argument.name)
    to.os << argument.name->name << ": ";
  dump(to, *argument.value);
}

void dump(TreeWriter &to, const ArrayExpr &array) {
  to.open("array");
  to.each(array.elements);
  to.optional("; ", array.count);
  to.close();
}

void dump(TreeWriter &to, const ComprehensionExpr &list) {
  to.open("comprehension");
  to.each(ArrayRef<const Expr *>({list.element, list.lower, list.upper}));
  to.os << ' ' << list.variable.name << (list.isInclusive ? " inclusive" : "");
  to.close();
}

void dump(TreeWriter &to, const BinaryExpr &binary) {
  to.list(spelling(binary.op), binary.lhs, binary.rhs);
}

void dump(TreeWriter &to, const ConditionalExpr &conditional) {
  to.list("if", conditional.condition, conditional.then, conditional.other);
}

void dump(TreeWriter &to, const CallExpr &call) {
  to.open("call", call.callee);
  to.each(call.arguments);
  to.close();
}

void dump(TreeWriter &to, const IndexExpr &index) {
  to.open("index", index.base);
  to.each(index.indices);
  to.close();
}

void dump(TreeWriter &to, const RangeExpr &range) {
  to.open("..");
  to.os << (range.lower ? "" : " _");
  to.optional(" ", range.lower);
  to.optional(" ", range.upper);
  to.close();
}

void dump(TreeWriter &to, const TupleExpr &tuple) {
  to.open("tuple");
  to.each(tuple.elements);
  to.close();
}

void dump(TreeWriter &to, const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Int:
    return word(to, cast<IntExpr>(expr).value, cast<IntExpr>(expr).suffix);
  case Expr::Kind::Float:
    return word(to, cast<FloatExpr>(expr).digits, cast<FloatExpr>(expr).suffix);
  case Expr::Kind::Bool:
    return word(to, cast<BoolExpr>(expr).value ? "true" : "false");
  case Expr::Kind::Name:
    return word(to, cast<NameExpr>(expr).name);
  case Expr::Kind::Unary:
    return to.list(spelling(cast<UnaryExpr>(expr).op), cast<UnaryExpr>(expr).operand);
  case Expr::Kind::Binary:
    return dump(to, cast<BinaryExpr>(expr));
  case Expr::Kind::CompareChain:
    return dump(to, cast<CompareChainExpr>(expr));
  case Expr::Kind::Conditional:
    return dump(to, cast<ConditionalExpr>(expr));
  case Expr::Kind::Cast:
    return to.list("as", cast<CastExpr>(expr).operand, cast<CastExpr>(expr).type);
  case Expr::Kind::Call:
    return dump(to, cast<CallExpr>(expr));
  case Expr::Kind::Index:
    return dump(to, cast<IndexExpr>(expr));
  case Expr::Kind::Range:
    return dump(to, cast<RangeExpr>(expr));
  case Expr::Kind::Member:
    return to.list(".", cast<MemberExpr>(expr).base, cast<MemberExpr>(expr).member);
  case Expr::Kind::Array:
    return dump(to, cast<ArrayExpr>(expr));
  case Expr::Kind::Comprehension:
    return dump(to, cast<ComprehensionExpr>(expr));
  case Expr::Kind::Tuple:
    return dump(to, cast<TupleExpr>(expr));
  case Expr::Kind::PlaceRef:
    return to.list(cast<PlaceRefExpr>(expr).isMut ? "&mut" : "&", cast<PlaceRefExpr>(expr).place);
  case Expr::Kind::TypeTest:
    return to.list("is", cast<TypeTestExpr>(expr).subject, cast<TypeTestExpr>(expr).type);
  case Expr::Kind::String:
    return to.text(cast<StringExpr>(expr).text);
  case Expr::Kind::Error:
    return to.list("error");
  }
}

} // namespace spl::syntax
