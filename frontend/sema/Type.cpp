// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/Type.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

namespace spl::sema {

using llvm::ArrayRef;

struct TypeNode {
  TypeKind kind;
  uint64_t number = 0; ///< lanes, length, or a slice's rank
  bool isMut = false;  ///< of a slice
  /// The elements of a tuple; the one element type of a slice, vector or array.
  ArrayRef<Type> elements = {};
  const void *info = nullptr; ///< of a struct or an enum
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
#define SPL_SCALAR_TYPE(Id, Name, Type, ClassName, Bits)                                           \
  case TypeKind::Id:                                                                               \
    return {Name, Class::ClassName, Bits};
#include "spl/ScalarTypes.def"
  case TypeKind::Enum:
    return {"enum", Class::None, 32};
  case TypeKind::Vector:
  case TypeKind::Slice:
  case TypeKind::Array:
  case TypeKind::Tuple:
  case TypeKind::Struct:
    return {"", Class::None, 0};
  }
  llvm_unreachable("every kind is handled");
}

} // namespace

TypeKind Type::kind() const { return node->kind; }
bool Type::isSignedInt() const { return scalarInfo(kind()).scalarClass == Class::Signed; }
bool Type::isUnsignedInt() const { return scalarInfo(kind()).scalarClass == Class::Unsigned; }
bool Type::isFloat() const { return scalarInfo(kind()).scalarClass == Class::Float; }
unsigned Type::bits() const { return scalarInfo(kind()).bits; }
Type Type::element() const { return node->elements.front(); }
unsigned Type::lanes() const { return isVector() ? unsigned(node->number) : 1; }
uint64_t Type::length() const { return node->number; }
ArrayRef<Type> Type::elements() const { return node->elements; }
const StructInfo &Type::structInfo() const { return *static_cast<const StructInfo *>(node->info); }
const EnumInfo &Type::enumInfo() const { return *static_cast<const EnumInfo *>(node->info); }

//===-- Layout --===//

Type::Layout Type::layoutOf(ArrayRef<Type> parts) {
  Layout whole;
  for (Type part : parts)
    whole.append(part.layout());
  return whole.padded();
}

Type::Layout Type::layout() const {
  if (isStruct())
    return structInfo().layout;
  if (isTuple())
    return layoutOf(elements());
  if (isArray())
    return element().layout().times(length());
  if (isSlice())
    return {8 * (1 + uint64_t(rank())), 8};
  return Layout::ofLanes(lane().bits(), lanes());
}

static unsigned maxDepth(ArrayRef<Type> parts) {
  unsigned depth = 0;
  for (Type part : parts)
    depth = std::max(depth, part.depth());
  return depth;
}

unsigned Type::depth() const {
  if (isStruct())
    return structInfo().depth;
  return isTuple() || isArray() ? 1 + maxDepth(elements()) : 0;
}

//===-- Slices in structs and arrays --===//

bool Type::holdsSlices() const {
  if (isStruct())
    return structInfo().holdsSlices;
  return isArray() && (element().isSlice() || element().holdsSlices());
}

uint64_t Type::leafCount() const {
  if (!holdsSlices())
    return 1;
  return isStruct() ? structInfo().leafCount : length() * element().leafCount();
}

//===-- Parts by name --===//

void StructInfo::fill(llvm::SmallVector<Field, 4> all) {
  fields = std::move(all);
  numbers.clear();
  llvm::SmallVector<Type> types;
  for (auto [number, field] : llvm::enumerate(fields)) {
    types.push_back(field.type);
    numbers.try_emplace(field.name, number);
  }
  layout = Type::layoutOf(types);
  depth = 1 + maxDepth(types);
  holdsSlices = llvm::any_of(types, [](Type type) { return type.isSlice() || type.holdsSlices(); });
  leafCount = 1;
  if (!holdsSlices)
    return;
  leafCount = 0;
  for (Type type : types)
    leafCount += type.leafCount();
}

std::optional<unsigned> StructInfo::field(llvm::StringRef name) const {
  auto found = numbers.find(name);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

void EnumInfo::add(const Member &member) {
  numbers.try_emplace(member.name, members.size());
  members.push_back(member);
}

const EnumInfo::Member *EnumInfo::member(llvm::StringRef name) const {
  auto found = numbers.find(name);
  return found == numbers.end() ? nullptr : &members[found->second];
}

//===-- Types --===//

unsigned Type::rank() const { return unsigned(node->number); }
bool Type::isMut() const { return node->isMut; }

std::string Type::str() const {
  switch (kind()) {
  case TypeKind::Vector:
    return element().str() + "x" + std::to_string(lanes());
  case TypeKind::Slice:
    return (isMut() ? "&mut [" : "&[") + element().str() +
           (rank() > 1 ? ", " + std::to_string(rank()) : "") + "]";
  case TypeKind::Array:
    return "[" + element().str() + "; " + std::to_string(length()) + "]";
  case TypeKind::Tuple: {
    std::string text = "(";
    for (Type element : elements())
      text += (text.size() > 1 ? ", " : "") + element.str();
    return text + ")";
  }
  case TypeKind::Struct:
    return structInfo().name.str();
  case TypeKind::Enum:
    return enumInfo().name.str();
  case TypeKind::Error:
  case TypeKind::Unit:
#define SPL_SCALAR_TYPE(Id, Name, Type, Class, Bits) case TypeKind::Id:
#include "spl/ScalarTypes.def"
    return scalarInfo(kind()).name.str();
  }
  llvm_unreachable("every kind is handled");
}

TypeContext::TypeContext() {
  for (unsigned kind = 0; kind != unsigned(TypeKind::Vector); ++kind)
    simple[kind] = Type(new (arena) TypeNode{TypeKind(kind)});
}

Type TypeContext::get(TypeKind kind) const {
  assert(kind < TypeKind::Vector && "compound types have functions of their own");
  return simple[unsigned(kind)];
}

Type TypeContext::intern(const TypeNode &node) {
  std::vector<const void *> inside{node.info};
  for (Type element : node.elements)
    inside.push_back(element.identity());
  TypeKey key{node.kind, node.number * 2 + node.isMut, std::move(inside)};
  const TypeNode *&found = compound[key];
  if (!found) {
    auto *kept = new (arena) TypeNode(node);
    kept->elements = ArrayRef<Type>(node.elements).copy(arena);
    found = kept;
  }
  return Type(found);
}

Type TypeContext::slice(Type element, bool isMut, unsigned rank) {
  return intern({TypeKind::Slice, rank, isMut, element});
}
Type TypeContext::vector(Type element, unsigned lanes) {
  return intern({TypeKind::Vector, lanes, false, element});
}
Type TypeContext::array(Type element, uint64_t length) {
  return intern({TypeKind::Array, length, false, element});
}
Type TypeContext::tuple(ArrayRef<Type> elements) {
  return intern({TypeKind::Tuple, elements.size(), false, elements});
}
Type TypeContext::structure(const StructInfo &info) {
  return intern({TypeKind::Struct, 0, false, {}, &info});
}
Type TypeContext::enumeration(const EnumInfo &info) {
  return intern({TypeKind::Enum, 0, false, {}, &info});
}

Type TypeContext::scalarNamed(llvm::StringRef name) const {
  return llvm::StringSwitch<Type>(name)
#define SPL_SCALAR_TYPE(Id, Name, Type, Class, Bits) .Case(Name, get(TypeKind::Id))
#include "spl/ScalarTypes.def"
      .Default(Type());
}

const llvm::fltSemantics &semanticsOf(Type type) {
#define SPL_FLOAT_TYPE(Id, Name, Type, Bits, Semantics)                                            \
  if (type.kind() == TypeKind::Id)                                                                 \
    return llvm::APFloat::Semantics();
#include "spl/ScalarTypes.def"
  llvm_unreachable("a float has semantics");
}

} // namespace spl::sema
