// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/syntax/Dump.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/raw_ostream.h"

using llvm::cast;
using llvm::raw_ostream;

namespace spl::syntax {
namespace {

class Dumper {
public:
  explicit Dumper(raw_ostream &os) : os(os) {}
  void dump(const File &file);
  void dump(const Expr &expr);

private:
  void dump(const FunctionItem &function);
  void dump(const TypeExpr &type);
  void dump(const Stmt &stmt);
  void dumpIf(const IfStmt &stmt);
  void dumpBlock(Block block);
  void dumpDoc(StringRef doc);
  void line() { (os << '\n').indent(depth * 2); }
  /// (head part part ...)
  template <class... Parts> void list(StringRef head, const Parts &...parts) {
    os << '(' << head;
    ((os << ' ', dump(parts)), ...);
    os << ')';
  }

  raw_ostream &os;
  unsigned depth = 0;
};

void Dumper::dumpDoc(StringRef doc) {
  if (doc.empty())
    return;
  line();
  os << "(doc \"";
  llvm::printEscapedString(doc, os);
  os << "\")";
}

void Dumper::dump(const File &file) {
  os << "(file";
  ++depth;
  dumpDoc(file.doc);
  for (const FunctionItem *function : file.functions) {
    line();
    dump(*function);
  }
  --depth;
  os << ")\n";
}

void Dumper::dump(const FunctionItem &function) {
  os << (function.isKernel() ? "(kernel " : "(fn ") << function.name.name;
  if (function.isBroken)
    os << " broken";
  for (const Parameter &parameter : function.parameters) {
    os << " (" << parameter.name.name << ' ';
    dump(*parameter.type);
    os << ')';
  }
  if (function.result) {
    os << " -> ";
    dump(*function.result);
  }
  ++depth;
  dumpDoc(function.doc);
  --depth;
  dumpBlock(function.body);
  os << ')';
}

void Dumper::dump(const TypeExpr &type) {
  switch (type.kind) {
  case TypeExpr::Kind::Named:
    os << type.name;
    return;
  case TypeExpr::Kind::Slice:
    os << (type.isMut ? "&mut [" : "&[");
    dump(*type.element);
    if (type.rank != 1)
      os << ", " << type.rank;
    os << ']';
    return;
  case TypeExpr::Kind::Error:
    os << "(error)";
    return;
  }
}

void Dumper::dumpBlock(Block block) {
  ++depth;
  for (const Stmt *stmt : block) {
    line();
    dump(*stmt);
  }
  --depth;
}

void Dumper::dumpIf(const IfStmt &stmt) {
  os << "(if";
  ++depth;
  for (const IfArm &arm : stmt.arms) {
    line();
    os << "(arm ";
    dump(*arm.condition);
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

void Dumper::dump(const Stmt &stmt) {
  switch (stmt.kind) {
  case Stmt::Kind::Let: {
    const auto &let = cast<LetStmt>(stmt);
    os << (let.isVar ? "(var " : "(val ") << let.name.name << ' ';
    if (let.type) {
      os << ": ";
      dump(*let.type);
      os << ' ';
    }
    dump(*let.value);
    os << ')';
    return;
  }
  case Stmt::Kind::Assign: {
    const auto &assign = cast<AssignStmt>(stmt);
    std::string op = assign.op ? spelling(*assign.op).str() + "=" : "=";
    return list(op, *assign.target, *assign.value);
  }
  case Stmt::Kind::Expr:
    return list("expr", *cast<ExprStmt>(stmt).value);
  case Stmt::Kind::If:
    return dumpIf(cast<IfStmt>(stmt));
  case Stmt::Kind::While: {
    const auto &loop = cast<WhileStmt>(stmt);
    os << "(while ";
    dump(*loop.condition);
    dumpBlock(loop.body);
    os << ')';
    return;
  }
  case Stmt::Kind::For: {
    const auto &loop = cast<ForStmt>(stmt);
    os << "(for " << loop.variable.name << ' ';
    list("..", *loop.lower, *loop.upper);
    dumpBlock(loop.body);
    os << ')';
    return;
  }
  case Stmt::Kind::Break:
    return list("break");
  case Stmt::Kind::Continue:
    return list("continue");
  case Stmt::Kind::Return:
    if (const Expr *value = cast<ReturnStmt>(stmt).value)
      return list("return", *value);
    return list("return");
  case Stmt::Kind::Pass:
    return list("pass");
  case Stmt::Kind::Error:
    return list("error");
  }
}

void Dumper::dump(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Int:
    os << cast<IntExpr>(expr).value << cast<IntExpr>(expr).suffix;
    return;
  case Expr::Kind::Float:
    os << cast<FloatExpr>(expr).digits << cast<FloatExpr>(expr).suffix;
    return;
  case Expr::Kind::Bool:
    os << (cast<BoolExpr>(expr).value ? "true" : "false");
    return;
  case Expr::Kind::Name:
    os << cast<NameExpr>(expr).name;
    return;
  case Expr::Kind::Unary:
    return list(spelling(cast<UnaryExpr>(expr).op), *cast<UnaryExpr>(expr).operand);
  case Expr::Kind::Binary: {
    const auto &binary = cast<BinaryExpr>(expr);
    return list(spelling(binary.op), *binary.lhs, *binary.rhs);
  }
  case Expr::Kind::CompareChain: {
    const auto &chain = cast<CompareChainExpr>(expr);
    os << "(chain ";
    dump(*chain.operands[0]);
    for (auto [op, operand] : llvm::zip_equal(chain.ops, chain.operands.drop_front())) {
      os << ' ' << spelling(op) << ' ';
      dump(*operand);
    }
    os << ')';
    return;
  }
  case Expr::Kind::Conditional: {
    const auto &conditional = cast<ConditionalExpr>(expr);
    return list("if", *conditional.condition, *conditional.then, *conditional.other);
  }
  case Expr::Kind::Cast:
    return list("as", *cast<CastExpr>(expr).operand, *cast<CastExpr>(expr).type);
  case Expr::Kind::Call: {
    const auto &call = cast<CallExpr>(expr);
    os << "(call ";
    dump(*call.callee);
    for (const Argument &argument : call.arguments) {
      os << ' ';
      if (argument.name)
        os << argument.name->name << ": ";
      dump(*argument.value);
    }
    os << ')';
    return;
  }
  case Expr::Kind::Index: {
    os << "(index ";
    dump(*cast<IndexExpr>(expr).base);
    for (const Expr *index : cast<IndexExpr>(expr).indices) {
      os << ' ';
      dump(*index);
    }
    os << ')';
    return;
  }
  case Expr::Kind::Member:
    os << "(. ";
    dump(*cast<MemberExpr>(expr).base);
    os << ' ' << cast<MemberExpr>(expr).member.name << ')';
    return;
  case Expr::Kind::Error:
    return list("error");
  }
}

} // namespace

void dumpAst(const File &file, llvm::raw_ostream &os) { Dumper(os).dump(file); }
void dumpExpr(const Expr &expr, llvm::raw_ostream &os) { Dumper(os).dump(expr); }

} // namespace spl::syntax
