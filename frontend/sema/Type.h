// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the language as values. A Type is a pointer into a TypeContext, which interns: equal
// types are equal pointers. The TypeContext must outlive its types.
#pragma once

#include "frontend/diag/Source.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace spl::sema {

enum class TypeKind : uint8_t {
  Error, ///< of an expression whose mistake was reported already; fits everything
  Unit,  ///< of a function without a result
#define SPL_SCALAR_TYPE(Id, Name, Type, Class, Bits) Id,
#include "spl/ScalarTypes.def"
  Vector,
  Slice,
  Array,
  Tuple,
  Struct,
  Enum,
};

struct TypeNode;
struct StructInfo;
struct EnumInfo;

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
  bool isVector() const { return kind() == TypeKind::Vector; }
  bool isSlice() const { return kind() == TypeKind::Slice; }
  bool isArray() const { return kind() == TypeKind::Array; }
  bool isTuple() const { return kind() == TypeKind::Tuple; }
  bool isStruct() const { return kind() == TypeKind::Struct; }
  bool isEnum() const { return kind() == TypeKind::Enum; }
  /// Whether a value of it is kept in memory: a struct, a tuple or an array.
  bool isAggregate() const { return isStruct() || isTuple() || isArray(); }
  /// A vector's lane type, any other type itself: asks isFloat and so on of both alike.
  Type lane() const { return isVector() ? element() : *this; }
  /// Bits of a scalar's value: 8 for i8, 1 for bool; 32 of an enum.
  unsigned bits() const;

  Type element() const;                  ///< of a slice, vector or array
  unsigned lanes() const;                ///< of a vector; 1 for any other type
  uint64_t length() const;               ///< of an array
  llvm::ArrayRef<Type> elements() const; ///< of a tuple
  const StructInfo &structInfo() const;  ///< of a struct
  const EnumInfo &enumInfo() const;      ///< of an enum
  /// Bytes in memory and alignment, as C has them; not of a slice.
  struct Layout {
    uint64_t size, align;
  };
  Layout layout() const;
  /// Parts one after the other, each aligned.
  static Layout layoutOf(llvm::ArrayRef<Type> parts);
  /// How many arrays, structs and tuples are in each other, at most maxTypeDepth: recursion over a
  /// type is safe.
  unsigned depth() const;
  unsigned rank() const; ///< of a slice
  bool isMut() const;    ///< of a slice

  /// As the language writes it: "i32", "&mut [f32]", "&[f32, 2]", "f32x4", "[f32; 3]", "Particle".
  /// A mask of lanes has no name there: "boolx4".
  std::string str() const;

  friend bool operator==(Type a, Type b) { return a.node == b.node; }
  explicit operator bool() const { return node != nullptr; }
  /// For maps over types.
  const void *identity() const { return node; }

private:
  friend class TypeContext;
  const TypeNode *node = nullptr;
};

inline constexpr unsigned maxTypeDepth = 256;

/// A struct of the source: one object each, made once, filled while declarations are checked.
struct StructInfo {
  struct Field {
    llvm::StringRef name;
    Type type;
    diag::SourceRange range;
  };
  llvm::StringRef name;
  diag::SourceRange range; ///< the name where it is declared
  llvm::SmallVector<Field, 4> fields = {};
  Type::Layout layout = {0, 1};
  unsigned depth = 1;

  void fill(llvm::SmallVector<Field, 4> all);
  /// The number of the field of that name, or none.
  std::optional<unsigned> field(llvm::StringRef name) const;

  llvm::DenseMap<llvm::StringRef, unsigned> numbers{}; ///< of the fields, by name
};

/// An enum of the source; its values fit i32.
struct EnumInfo {
  struct Member {
    llvm::StringRef name;
    int32_t value;
    diag::SourceRange range;
  };
  llvm::StringRef name;
  diag::SourceRange range;
  llvm::SmallVector<Member, 4> members = {};

  void add(const Member &member);
  /// The member of that name, or null.
  const Member *member(llvm::StringRef name) const;

  llvm::DenseMap<llvm::StringRef, unsigned> numbers{}; ///< of the members, by name
};

/// What tells compound types apart: kind, number, and the types or the declaration inside.
using TypeKey = std::tuple<TypeKind, uint64_t, std::vector<const void *>>;

class TypeContext {
public:
  TypeContext();
  Type error() const { return get(TypeKind::Error); }
  Type unit() const { return get(TypeKind::Unit); }
  Type get(TypeKind kind) const; ///< a scalar, Error or Unit
  Type slice(Type element, bool isMut, unsigned rank);
  Type vector(Type element, unsigned lanes); ///< of bool: a mask
  Type array(Type element, uint64_t length);
  Type tuple(llvm::ArrayRef<Type> elements);
  Type structure(const StructInfo &info); ///< each info is a type of its own
  Type enumeration(const EnumInfo &info);
  /// The scalar of that name, or a null Type.
  Type scalarNamed(llvm::StringRef name) const;

private:
  /// The one node of that content.
  Type intern(const TypeNode &node);

  llvm::BumpPtrAllocator arena;
  Type simple[unsigned(TypeKind::Vector)];
  std::map<TypeKey, const TypeNode *> compound;
};

} // namespace spl::sema
