// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/Type.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

namespace spl::sema {

struct TypeNode {
  TypeKind kind;
  // Of a slice:
  Type element;
  unsigned rank = 0;
  bool isMut = false;
};

namespace {

enum class Class : uint8_t { None, Bool, Signed, Unsigned, Float };

struct ScalarInfo {
  llvm::StringLiteral name;
  Class scalarClass;
  unsigned bits;
};

ScalarInfo scalarInfo(TypeKind kind) {
  switch (kind) {
  case TypeKind::Error:
    return {"<error>", Class::None, 0};
  case TypeKind::Unit:
    return {"nothing", Class::None, 0};
#define SCALAR(Id, Name, ClassName, Bits)                                                          \
  case TypeKind::Id:                                                                               \
    return {Name, Class::ClassName, Bits};
#include "frontend/sema/Scalars.def"
  case TypeKind::Slice:
    return {"slice", Class::None, 0};
  }
  llvm_unreachable("every kind is handled");
}

} // namespace

TypeKind Type::kind() const { return node->kind; }
bool Type::isSignedInt() const { return scalarInfo(kind()).scalarClass == Class::Signed; }
bool Type::isUnsignedInt() const { return scalarInfo(kind()).scalarClass == Class::Unsigned; }
bool Type::isFloat() const { return scalarInfo(kind()).scalarClass == Class::Float; }
unsigned Type::bits() const { return scalarInfo(kind()).bits; }
Type Type::element() const { return node->element; }
unsigned Type::rank() const { return node->rank; }
bool Type::isMut() const { return node->isMut; }

std::string Type::str() const {
  if (!isSlice())
    return scalarInfo(kind()).name.str();
  std::string text = isMut() ? "&mut [" : "&[";
  text += element().str();
  if (rank() > 1)
    text += ", " + std::to_string(rank());
  return text + "]";
}

TypeContext::TypeContext() {
  for (unsigned kind = 0; kind != unsigned(TypeKind::Slice); ++kind)
    simple[kind] = Type(new (arena) TypeNode{TypeKind(kind), Type()});
}

Type TypeContext::get(TypeKind kind) const {
  assert(kind != TypeKind::Slice && "slices come from slice()");
  return simple[unsigned(kind)];
}

Type TypeContext::slice(Type element, bool isMut, unsigned rank) {
  const TypeNode *&node = slices[{element.node, rank * 2 + isMut}];
  if (!node)
    node = new (arena) TypeNode{TypeKind::Slice, element, rank, isMut};
  return Type(node);
}

Type TypeContext::scalarNamed(llvm::StringRef name) const {
  return llvm::StringSwitch<Type>(name)
#define SCALAR(Id, Name, Class, Bits) .Case(Name, get(TypeKind::Id))
#include "frontend/sema/Scalars.def"
      .Default(Type());
}

} // namespace spl::sema
