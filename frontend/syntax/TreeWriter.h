// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer that implements Dump.h. A node is written as parentheses around a head and its parts.
// Functions named dump write the nodes: items and types in Dump.cpp, statements and expressions in
// DumpBody.cpp.
#pragma once

#include "frontend/syntax/Ast.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::syntax {

class TreeWriter {
public:
  explicit TreeWriter(llvm::raw_ostream &os) : os(os) {}

  void line() { (os << '\n').indent(depth * 2); }
  void text(StringRef text);
  void doc(StringRef doc);
  void broken(bool isBroken) { os << (isBroken ? " broken" : ""); }
  void block(Block block);

  /// (head part part ...
  template <class... Parts> void open(StringRef head, const Parts &...parts) {
    os << '(' << head;
    ((os << ' ', dump(*this, node(parts))), ...);
  }
  void close() { os << ')'; }
  template <class... Parts> void list(StringRef head, const Parts &...parts) {
    open(head, parts...);
    close();
  }
  template <class T> void each(ArrayRef<T> parts) {
    for (const T &part : parts) {
      os << ' ';
      dump(*this, node(part));
    }
  }
  template <class T> void eachOnLine(ArrayRef<T> parts) {
    for (const T &part : parts) {
      line();
      dump(*this, node(part));
    }
  }
  /// Writes `before` and the part, unless the part is null.
  template <class T> void optional(StringRef before, const T *part) {
    if (!part)
      return;
    os << before;
    dump(*this, *part);
  }

  llvm::raw_ostream &os;
  unsigned depth = 0;

private:
  template <class T> static const T &node(const T &node) { return node; }
  template <class T> static const T &node(const T *node) { return *node; }
};

inline void dump(TreeWriter &to, const Identifier &name) { to.os << name.name; }
void dump(TreeWriter &to, const File &node);
void dump(TreeWriter &to, const Expr &node);
void dump(TreeWriter &to, const UseItem &node);
void dump(TreeWriter &to, const ConstItem &node);
void dump(TreeWriter &to, const StructItem &node);
void dump(TreeWriter &to, const EnumItem &node);
void dump(TreeWriter &to, const FunctionItem &node);
void dump(TreeWriter &to, const FunctionAttributes &node);
void dump(TreeWriter &to, const GenericParameter &node);
void dump(TreeWriter &to, const Parameter &node);
void dump(TreeWriter &to, const TypeExpr &node);
void dump(TreeWriter &to, const Stmt &node);
void dump(TreeWriter &to, const LetStmt &node);
void dump(TreeWriter &to, const LetTupleStmt &node);
void dump(TreeWriter &to, const AssignStmt &node);
void dump(TreeWriter &to, const ReturnStmt &node);
void dump(TreeWriter &to, const PrintStmt &node);
void dump(TreeWriter &to, const AssertStmt &node);
void dump(TreeWriter &to, const IfStmt &node);
void dump(TreeWriter &to, const WhileStmt &node);
void dump(TreeWriter &to, const ForStmt &node);
void dump(TreeWriter &to, const ForEachStmt &node);
void dump(TreeWriter &to, const MatchStmt &node);
void dump(TreeWriter &to, const Pattern &node);
void dump(TreeWriter &to, const Unroll &node);
void dump(TreeWriter &to, const FormatPiece &node);
void dump(TreeWriter &to, const BinaryExpr &node);
void dump(TreeWriter &to, const CompareChainExpr &node);
void dump(TreeWriter &to, const ConditionalExpr &node);
void dump(TreeWriter &to, const CallExpr &node);
void dump(TreeWriter &to, const Argument &node);
void dump(TreeWriter &to, const IndexExpr &node);
void dump(TreeWriter &to, const RangeExpr &node);
void dump(TreeWriter &to, const ArrayExpr &node);
void dump(TreeWriter &to, const TupleExpr &node);

} // namespace spl::syntax
