// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/syntax/Dump.h"
#include "llvm/ADT/STLExtras.h"
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
  void dump(const UseItem &use);
  void dump(const ConstItem &constant);
  void dump(const StructItem &record);
  void dump(const EnumItem &record);
  void dump(const FunctionItem &function);
  void dump(const FunctionAttributes &attributes);
  void dump(const GenericParameter &generic);
  void dump(const Parameter &parameter);
  void dump(const TypeExpr &type);
  void dump(const Stmt &stmt);
  void dump(const LetTupleStmt &let);
  void dump(const IfStmt &stmt);
  void dump(const WhileStmt &loop);
  void dump(const ForStmt &loop);
  void dump(const ForEachStmt &loop);
  void dump(const MatchStmt &match);
  void dump(const Pattern &pattern);
  void dump(const Unroll &unroll);
  void dump(const FormatPiece &piece);
  void dump(const CompareChainExpr &chain);
  void dump(const Argument &argument);
  void dump(const ArrayExpr &array);
  void dump(const Identifier &name) { os << name.name; }
  void dumpBlock(Block block);
  void dumpDoc(StringRef doc);
  void dumpText(StringRef text);
  void dumpBroken(bool isBroken) { os << (isBroken ? " broken" : ""); }
  void line() { (os << '\n').indent(depth * 2); }
  template <class T> static const T &node(const T &node) { return node; }
  template <class T> static const T &node(const T *node) { return *node; }
  /// (head part part ...
  template <class... Parts> void open(StringRef head, const Parts &...parts) {
    os << '(' << head;
    ((os << ' ', dump(node(parts))), ...);
  }
  template <class... Parts> void list(StringRef head, const Parts &...parts) {
    open(head, parts...);
    os << ')';
  }
  template <class T> void each(ArrayRef<T> parts) {
    for (const T &part : parts) {
      os << ' ';
      dump(node(part));
    }
  }
  template <class T> void eachOnLine(ArrayRef<T> parts) {
    for (const T &part : parts) {
      line();
      dump(node(part));
    }
  }
  /// The part after its introduction, or nothing.
  template <class T> void optional(StringRef before, const T *part) {
    if (!part)
      return;
    os << before;
    dump(*part);
  }

  raw_ostream &os;
  unsigned depth = 0;
};

//===-- Items --===//

void Dumper::dumpText(StringRef text) {
  os << '"';
  llvm::printEscapedString(text, os);
  os << '"';
}

void Dumper::dumpDoc(StringRef doc) {
  if (doc.empty())
    return;
  line();
  os << "(doc ";
  dumpText(doc);
  os << ')';
}

void Dumper::dump(const File &file) {
  os << "(file";
  ++depth;
  dumpDoc(file.doc);
  eachOnLine(file.uses);
  eachOnLine(file.constants);
  eachOnLine(file.structs);
  eachOnLine(file.enums);
  eachOnLine(file.functions);
  --depth;
  os << ")\n";
}

void Dumper::dump(const UseItem &use) {
  open("use");
  each(use.path);
  os << " :";
  each(use.names);
  os << ')';
}

void Dumper::dump(const ConstItem &constant) {
  open("const", constant.name);
  optional(" : ", constant.type);
  optional(" = ", constant.value);
  os << ')';
}

void Dumper::dump(const StructItem &record) {
  open("struct", record.name);
  dumpBroken(record.isBroken);
  ++depth;
  dumpDoc(record.doc);
  for (const Field &field : record.fields) {
    line();
    open("field", field.name, field.type);
    optional(" = ", field.byDefault);
    os << ')';
  }
  eachOnLine(record.methods);
  --depth;
  os << ')';
}

void Dumper::dump(const EnumItem &record) {
  open("enum", record.name);
  dumpBroken(record.isBroken);
  ++depth;
  dumpDoc(record.doc);
  for (const EnumMember &member : record.members) {
    line();
    open("member", member.name);
    optional(" = ", member.value);
    os << ')';
  }
  --depth;
  os << ')';
}

void Dumper::dump(const FunctionAttributes &attributes) {
  if (!attributes.block.empty()) {
    os << " (block";
    each(attributes.block);
    os << ')';
  }
  if (attributes.minBlocks) {
    os << ' ';
    list("min_blocks", attributes.minBlocks);
  }
#define ATTRIBUTE(Name, Field)                                                                     \
  if (attributes.Field && StringRef(Name) != "gpu")                                                \
    os << " #" << Name;
#include "frontend/syntax/Attributes.def"
}

void Dumper::dump(const GenericParameter &generic) {
  if (generic.constType)
    return list("const", generic.name, generic.constType);
  open("type", generic.name);
  if (generic.bound)
    os << ' ' << generic.bound->name;
  os << ')';
}

void Dumper::dump(const Parameter &parameter) {
  open(parameter.name.name, parameter.type);
  optional(" = ", parameter.byDefault);
  os << (parameter.isAlias ? " #alias)" : ")");
}

void Dumper::dump(const FunctionItem &function) {
  open(function.isKernel() ? "kernel" : "fn", function.name);
  dumpBroken(function.isBroken);
  dump(function.attributes);
  each(function.generics);
  os << (function.hasSelf ? " self" : "");
  each(function.parameters);
  optional(" -> ", function.result);
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
  case TypeExpr::Kind::Array:
    os << '[';
    dump(*type.element);
    os << "; ";
    dump(*type.length);
    os << ']';
    return;
  case TypeExpr::Kind::Tuple:
    open("tuple");
    each(type.elements);
    os << ')';
    return;
  case TypeExpr::Kind::Error:
    os << "(error)";
    return;
  }
}

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

void Dumper::dump(const LetTupleStmt &let) {
  open(let.isVar ? "var" : "val");
  os << " (";
  llvm::interleave(let.names, os, [&](const Identifier &name) { dump(name); }, " ");
  os << ") ";
  dump(*let.value);
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
  case Stmt::Kind::Let: {
    const auto &let = cast<LetStmt>(stmt);
    open(let.isVar ? "var" : "val", let.name);
    optional(" : ", let.type);
    optional(" ", let.value);
    os << ')';
    return;
  }
  case Stmt::Kind::LetTuple:
    return dump(cast<LetTupleStmt>(stmt));
  case Stmt::Kind::Assign: {
    const auto &assign = cast<AssignStmt>(stmt);
    std::string op = assign.op ? spelling(*assign.op).str() + "=" : "=";
    return list(op, assign.target, assign.value);
  }
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
    open("return");
    optional(" ", cast<ReturnStmt>(stmt).value);
    os << ')';
    return;
  case Stmt::Kind::Pass:
    return list("pass");
  case Stmt::Kind::Print:
    open("print");
    each(cast<PrintStmt>(stmt).format);
    os << ')';
    return;
  case Stmt::Kind::Assert:
    open("assert", cast<AssertStmt>(stmt).condition);
    each(cast<AssertStmt>(stmt).format);
    os << ')';
    return;
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
    return list(spelling(cast<UnaryExpr>(expr).op), cast<UnaryExpr>(expr).operand);
  case Expr::Kind::Binary: {
    const auto &binary = cast<BinaryExpr>(expr);
    return list(spelling(binary.op), binary.lhs, binary.rhs);
  }
  case Expr::Kind::CompareChain:
    return dump(cast<CompareChainExpr>(expr));
  case Expr::Kind::Conditional: {
    const auto &conditional = cast<ConditionalExpr>(expr);
    return list("if", conditional.condition, conditional.then, conditional.other);
  }
  case Expr::Kind::Cast:
    return list("as", cast<CastExpr>(expr).operand, cast<CastExpr>(expr).type);
  case Expr::Kind::Call:
    open("call", cast<CallExpr>(expr).callee);
    each(cast<CallExpr>(expr).arguments);
    os << ')';
    return;
  case Expr::Kind::Index:
    open("index", cast<IndexExpr>(expr).base);
    each(cast<IndexExpr>(expr).indices);
    os << ')';
    return;
  case Expr::Kind::Range: {
    const auto &range = cast<RangeExpr>(expr);
    open("..");
    os << (range.lower ? "" : " _");
    optional(" ", range.lower);
    optional(" ", range.upper);
    os << ')';
    return;
  }
  case Expr::Kind::Member:
    return list(".", cast<MemberExpr>(expr).base, cast<MemberExpr>(expr).member);
  case Expr::Kind::Array:
    return dump(cast<ArrayExpr>(expr));
  case Expr::Kind::Tuple:
    open("tuple");
    each(cast<TupleExpr>(expr).elements);
    os << ')';
    return;
  case Expr::Kind::PlaceRef:
    return list(cast<PlaceRefExpr>(expr).isMut ? "&mut" : "&", cast<PlaceRefExpr>(expr).place);
  case Expr::Kind::String:
    return dumpText(cast<StringExpr>(expr).text);
  case Expr::Kind::Error:
    return list("error");
  }
}

} // namespace

void dumpAst(const File &file, llvm::raw_ostream &os) { Dumper(os).dump(file); }
void dumpExpr(const Expr &expr, llvm::raw_ostream &os) { Dumper(os).dump(expr); }

} // namespace spl::syntax
