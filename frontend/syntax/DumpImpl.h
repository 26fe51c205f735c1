// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer behind Dump.h: items and types are in Dump.cpp, statements and expressions in
// DumpBody.cpp.
#pragma once

#include "frontend/syntax/Ast.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::syntax {

class Dumper {
public:
  explicit Dumper(llvm::raw_ostream &os) : os(os) {}
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
  void dump(const LetStmt &let);
  void dump(const LetTupleStmt &let);
  void dump(const AssignStmt &assign);
  void dump(const ReturnStmt &stmt);
  void dump(const PrintStmt &print);
  void dump(const AssertStmt &assertion);
  void dump(const IfStmt &stmt);
  void dump(const WhileStmt &loop);
  void dump(const ForStmt &loop);
  void dump(const ForEachStmt &loop);
  void dump(const MatchStmt &match);
  void dump(const Pattern &pattern);
  void dump(const Unroll &unroll);
  void dump(const FormatPiece &piece);
  void dump(const BinaryExpr &binary);
  void dump(const CompareChainExpr &chain);
  void dump(const ConditionalExpr &conditional);
  void dump(const CallExpr &call);
  void dump(const Argument &argument);
  void dump(const IndexExpr &index);
  void dump(const RangeExpr &range);
  void dump(const ArrayExpr &array);
  void dump(const TupleExpr &tuple);
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
  template <class... Texts> void word(const Texts &...texts) { (os << ... << texts); }
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

  llvm::raw_ostream &os;
  unsigned depth = 0;
};

} // namespace spl::syntax
