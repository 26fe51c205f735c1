// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items and types as text.

#include "frontend/syntax/Dump.h"
#include "frontend/syntax/DumpImpl.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::syntax {

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

void dumpAst(const File &file, llvm::raw_ostream &os) { Dumper(os).dump(file); }
void dumpExpr(const Expr &expr, llvm::raw_ostream &os) { Dumper(os).dump(expr); }

} // namespace spl::syntax
