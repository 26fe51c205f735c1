// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the language as values. A Type is a pointer into a TypeContext, which interns: equal
// types are equal pointers. The TypeContext must outlive its types.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <string>

namespace spl::sema {

enum class TypeKind : uint8_t {
  Error, ///< of an expression whose mistake was reported already; fits everything
  Unit,  ///< of a function without a result
#define SCALAR(Id, Name, Class, Bits) Id,
#include "frontend/sema/Scalars.def"
  Slice,
};

struct TypeNode;

class Type {
public:
  Type() = default;
  explicit Type(const TypeNode *node) : node(node) {}

  TypeKind kind() const;
  bool isError() const { return kind() == TypeKind::Error; }
  bool isUnit() const { return kind() == TypeKind::Unit; }
  bool isBool() const { return kind() == TypeKind::Bool; }
  bool isSignedInt() const;
  bool isUnsignedInt() const;
  bool isInt() const { return isSignedInt() || isUnsignedInt(); }
  bool isFloat() const;
  bool isNumber() const { return isInt() || isFloat(); }
  bool isScalar() const { return isNumber() || isBool(); }
  bool isSlice() const { return kind() == TypeKind::Slice; }
  /// Bits of a scalar's value: 8 for i8, 1 for bool.
  unsigned bits() const;

  Type element() const; ///< of a slice
  unsigned rank() const; ///< of a slice
  bool isMut() const;   ///< of a slice

  /// As the language writes it: "i32", "&mut [f32]", "&[f32, 2]".
  std::string str() const;

  friend bool operator==(Type a, Type b) { return a.node == b.node; }
  explicit operator bool() const { return node != nullptr; }

private:
  friend class TypeContext;
  const TypeNode *node = nullptr;
};

class TypeContext {
public:
  TypeContext();
  Type error() const { return get(TypeKind::Error); }
  Type unit() const { return get(TypeKind::Unit); }
  Type get(TypeKind kind) const; ///< anything but Slice
  Type slice(Type element, bool isMut, unsigned rank);
  /// The scalar of that name, or a null Type.
  Type scalarNamed(llvm::StringRef name) const;

private:
  llvm::BumpPtrAllocator arena;
  Type simple[unsigned(TypeKind::Slice)];
  llvm::DenseMap<std::pair<const TypeNode *, unsigned>, const TypeNode *> slices;
};

} // namespace spl::sema
