// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints items and types.

#include "frontend/syntax/Dump.h"
#include "frontend/syntax/TreeWriter.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::syntax {

void TreeWriter::text(StringRef text) {
  os << '"';
  llvm::printEscapedString(text, os);
  os << '"';
}

void TreeWriter::doc(StringRef doc) {
  if (doc.empty())
    return;
  line();
  os << "(doc ";
  this->text(doc);
  os << ')';
}

void dump(TreeWriter &to, const File &file) {
  to.os << "(file";
  ++to.depth;
  to.doc(file.doc);
  to.eachOnLine(file.uses);
  to.eachOnLine(file.constants);
  to.eachOnLine(file.structs);
  to.eachOnLine(file.enums);
  to.eachOnLine(file.functions);
  --to.depth;
  to.os << ")\n";
}

void dump(TreeWriter &to, const UseItem &use) {
  to.open("use");
  to.each(use.path);
  to.os << " :";
  to.each(use.names);
  to.close();
}

void dump(TreeWriter &to, const ConstItem &constant) {
  to.open("const", constant.name);
  to.optional(" : ", constant.type);
  to.optional(" = ", constant.value);
  to.close();
}

void dump(TreeWriter &to, const StructItem &record) {
  to.open("struct", record.name);
  to.broken(record.isBroken);
  to.each(record.generics);
  ++to.depth;
  to.doc(record.doc);
  for (const Field &field : record.fields) {
    to.line();
    to.open("field", field.name, field.type);
    to.optional(" = ", field.byDefault);
    to.close();
  }
  to.eachOnLine(record.methods);
  --to.depth;
  to.close();
}

void dump(TreeWriter &to, const EnumItem &record) {
  to.open("enum", record.name);
  to.broken(record.isBroken);
  ++to.depth;
  to.doc(record.doc);
  for (const EnumMember &member : record.members) {
    to.line();
    to.open("member", member.name);
    to.optional(" = ", member.value);
    to.close();
  }
  --to.depth;
  to.close();
}

void dump(TreeWriter &to, const FunctionAttributes &attributes) {
  if (!attributes.block.empty()) {
    to.os << " (block";
    to.each(attributes.block);
    to.close();
  }
  if (attributes.minBlocks) {
    to.os << ' ';
    to.list("min_blocks", attributes.minBlocks);
  }
#define ATTRIBUTE(Name, Field)                                                                     \
  if (attributes.Field && StringRef(Name) != "gpu")                                                \
    to.os << " #" << Name;
#include "frontend/syntax/Attributes.def"
}

void dump(TreeWriter &to, const GenericParameter &generic) {
  if (generic.constType)
    return to.list("const", generic.name, generic.constType);
  to.open("type", generic.name);
  if (generic.bound)
    to.os << ' ' << generic.bound->name;
  to.close();
}

void dump(TreeWriter &to, const Parameter &parameter) {
  to.open(parameter.name.name, parameter.type);
  to.optional(" = ", parameter.byDefault);
  to.os << (parameter.isAlias ? " #alias)" : ")");
}

void dump(TreeWriter &to, const FunctionItem &function) {
  to.open(function.isKernel() ? "kernel" : "fn", function.name);
  to.broken(function.isBroken);
  dump(to, function.attributes);
  to.each(function.generics);
  static constexpr StringRef selves[] = {"", " self", " &self", " &mut self"};
  to.os << selves[size_t(function.self)];
  to.each(function.parameters);
  to.optional(" -> ", function.result);
  ++to.depth;
  to.doc(function.doc);
  --to.depth;
  to.block(function.body);
  to.close();
}

void dump(TreeWriter &to, const TypeExpr &type) {
  switch (type.kind) {
  case TypeExpr::Kind::Named:
    if (type.arguments.empty()) {
      to.os << type.name;
      return;
    }
    to.open(type.name);
    to.each(type.arguments);
    to.close();
    return;
  case TypeExpr::Kind::Slice:
    to.os << (type.isMut ? "&mut [" : "&[");
    dump(to, *type.element);
    if (type.rank != 1)
      to.os << ", " << type.rank;
    to.os << ']';
    return;
  case TypeExpr::Kind::Reference:
    to.os << (type.isMut ? "&mut " : "&");
    dump(to, *type.element);
    return;
  case TypeExpr::Kind::Array:
    to.os << '[';
    dump(to, *type.element);
    to.os << "; ";
    dump(to, *type.length);
    to.os << ']';
    return;
  case TypeExpr::Kind::Tuple:
    to.open("tuple");
    to.each(type.elements);
    to.close();
    return;
  case TypeExpr::Kind::Error:
    to.os << "(error)";
    return;
  }
}

void dumpAst(const File &file, llvm::raw_ostream &os) {
  TreeWriter to(os);
  dump(to, file);
}
void dumpExpr(const Expr &expr, llvm::raw_ostream &os) {
  TreeWriter to(os);
  dump(to, expr);
}

} // namespace spl::syntax
