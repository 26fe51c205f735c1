// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements and expressions as text.

#include "frontend/syntax/DumpImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

using llvm::cast;

namespace spl::syntax {

//===-- Statements --===//

void Dumper::dumpBlock(Block block) {
  ++depth;
  eachOnLine(block);
  --depth;
}

void Dumper::dump(const IfStmt &stmt) {
  os << "(if";
  ++depth;
  for (const IfArm &arm : stmt.arms) {
    line();
    open("arm", arm.condition);
    dumpBlock(arm.body);
    os << ')';
  }
  if (stmt.hasElse) {
    line();
    os << "(else";
    dumpBlock(stmt.otherwise);
    os << ')';
  }
  --depth;
  os << ')';
}

void Dumper::dump(const LetStmt &let) {
  open(let.isVar ? "var" : "val", let.name);
  optional(" : ", let.type);
  optional(" ", let.value);
  os << ')';
}

void Dumper::dump(const LetTupleStmt &let) {
  open(let.isVar ? "var" : "val");
  os << " (";
  llvm::interleave(let.names, os, [&](const Identifier &name) { dump(name); }, " ");
  os << ") ";
  dump(*let.value);
  os << ')';
}

void Dumper::dump(const AssignStmt &assign) {
  list(assign.op ? spelling(*assign.op).str() + "=" : "=", assign.target, assign.value);
}

void Dumper::dump(const ReturnStmt &stmt) {
  open("return");
  optional(" ", stmt.value);
  os << ')';
}

void Dumper::dump(const PrintStmt &print) {
  open("print");
  each(print.format);
  os << ')';
}

void Dumper::dump(const AssertStmt &assertion) {
  open("assert", assertion.condition);
  each(assertion.format);
  os << ')';
}

void Dumper::dump(const WhileStmt &loop) {
  open("while", loop.condition);
  dumpBlock(loop.body);
  os << ')';
}

void Dumper::dump(const Unroll &unroll) {
  if (!unroll.range.isValid())
    return;
  os << " (unroll";
  optional(" ", unroll.factor);
  os << ')';
}

void Dumper::dump(const ForStmt &loop) {
  open("for", loop.variable);
  os << ' ';
  open(loop.isInclusive ? "..=" : "..", loop.lower, loop.upper);
  optional(" step ", loop.step);
  os << ')';
  dump(loop.unroll);
  dumpBlock(loop.body);
  os << ')';
}

void Dumper::dump(const ForEachStmt &loop) {
  open("for", loop.variable, loop.iterable);
  dump(loop.unroll);
  dumpBlock(loop.body);
  os << ')';
}

void Dumper::dump(const MatchStmt &match) {
  open("match", match.subject);
  dumpBroken(match.isBroken);
  ++depth;
  for (const MatchArm &arm : match.arms) {
    line();
    open("case");
    each(arm.patterns);
    dumpBlock(arm.body);
    os << ')';
  }
  --depth;
  os << ')';
}

void Dumper::dump(const Pattern &pattern) {
  if (pattern.value)
    return dump(*pattern.value);
  if (pattern.lower)
    return list("..=", pattern.lower, pattern.upper);
  os << '_';
}

void Dumper::dump(const FormatPiece &piece) {
  dumpText(piece.text);
  optional(" ", piece.value);
  if (piece.precision)
    os << ":." << *piece.precision;
}

void Dumper::dump(const Stmt &stmt) {
  switch (stmt.kind) {
  case Stmt::Kind::Let:
    return dump(cast<LetStmt>(stmt));
  case Stmt::Kind::LetTuple:
    return dump(cast<LetTupleStmt>(stmt));
  case Stmt::Kind::Assign:
    return dump(cast<AssignStmt>(stmt));
  case Stmt::Kind::Expr:
    return list("expr", cast<ExprStmt>(stmt).value);
  case Stmt::Kind::If:
    return dump(cast<IfStmt>(stmt));
  case Stmt::Kind::While:
    return dump(cast<WhileStmt>(stmt));
  case Stmt::Kind::For:
    return dump(cast<ForStmt>(stmt));
  case Stmt::Kind::ForEach:
    return dump(cast<ForEachStmt>(stmt));
  case Stmt::Kind::Match:
    return dump(cast<MatchStmt>(stmt));
  case Stmt::Kind::Break:
    return list("break");
  case Stmt::Kind::Continue:
    return list("continue");
  case Stmt::Kind::Return:
    return dump(cast<ReturnStmt>(stmt));
  case Stmt::Kind::Pass:
    return list("pass");
  case Stmt::Kind::Print:
    return dump(cast<PrintStmt>(stmt));
  case Stmt::Kind::Assert:
    return dump(cast<AssertStmt>(stmt));
  case Stmt::Kind::Error:
    return list("error");
  }
}

//===-- Expressions --===//

void Dumper::dump(const CompareChainExpr &chain) {
  open("chain", chain.operands[0]);
  for (auto [op, operand] : llvm::zip_equal(chain.ops, chain.operands.drop_front())) {
    os << ' ' << spelling(op) << ' ';
    dump(*operand);
  }
  os << ')';
}

void Dumper::dump(const Argument &argument) {
  if (argument.name)
    os << argument.name->name << ": ";
  dump(*argument.value);
}

void Dumper::dump(const ArrayExpr &array) {
  open("array");
  each(array.elements);
  optional("; ", array.count);
  os << ')';
}

void Dumper::dump(const BinaryExpr &binary) { list(spelling(binary.op), binary.lhs, binary.rhs); }

void Dumper::dump(const ConditionalExpr &conditional) {
  list("if", conditional.condition, conditional.then, conditional.other);
}

void Dumper::dump(const CallExpr &call) {
  open("call", call.callee);
  each(call.arguments);
  os << ')';
}

void Dumper::dump(const IndexExpr &index) {
  open("index", index.base);
  each(index.indices);
  os << ')';
}

void Dumper::dump(const RangeExpr &range) {
  open("..");
  os << (range.lower ? "" : " _");
  optional(" ", range.lower);
  optional(" ", range.upper);
  os << ')';
}

void Dumper::dump(const TupleExpr &tuple) {
  open("tuple");
  each(tuple.elements);
  os << ')';
}

void Dumper::dump(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Int:
    return word(cast<IntExpr>(expr).value, cast<IntExpr>(expr).suffix);
  case Expr::Kind::Float:
    return word(cast<FloatExpr>(expr).digits, cast<FloatExpr>(expr).suffix);
  case Expr::Kind::Bool:
    return word(cast<BoolExpr>(expr).value ? "true" : "false");
  case Expr::Kind::Name:
    return word(cast<NameExpr>(expr).name);
  case Expr::Kind::Unary:
    return list(spelling(cast<UnaryExpr>(expr).op), cast<UnaryExpr>(expr).operand);
  case Expr::Kind::Binary:
    return dump(cast<BinaryExpr>(expr));
  case Expr::Kind::CompareChain:
    return dump(cast<CompareChainExpr>(expr));
  case Expr::Kind::Conditional:
    return dump(cast<ConditionalExpr>(expr));
  case Expr::Kind::Cast:
    return list("as", cast<CastExpr>(expr).operand, cast<CastExpr>(expr).type);
  case Expr::Kind::Call:
    return dump(cast<CallExpr>(expr));
  case Expr::Kind::Index:
    return dump(cast<IndexExpr>(expr));
  case Expr::Kind::Range:
    return dump(cast<RangeExpr>(expr));
  case Expr::Kind::Member:
    return list(".", cast<MemberExpr>(expr).base, cast<MemberExpr>(expr).member);
  case Expr::Kind::Array:
    return dump(cast<ArrayExpr>(expr));
  case Expr::Kind::Tuple:
    return dump(cast<TupleExpr>(expr));
  case Expr::Kind::PlaceRef:
    return list(cast<PlaceRefExpr>(expr).isMut ? "&mut" : "&", cast<PlaceRefExpr>(expr).place);
  case Expr::Kind::String:
    return dumpText(cast<StringExpr>(expr).text);
  case Expr::Kind::Error:
    return list("error");
  }
}

} // namespace spl::syntax
