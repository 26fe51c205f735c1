// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the language. A Type is a pointer into a TypeContext, which makes every type once.
// So equal types are equal pointers. The TypeContext must outlive its types.
#pragma once

#include "frontend/diag/Source.h"
#include "spl/abi/Layout.h"
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

namespace llvm {
struct fltSemantics;
}

namespace spl::sema {

enum class TypeKind : uint8_t {
  Error, ///< the type of an expression with a reported error; it fits every expected type
  Unit,  ///< the result type of a function without a result
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
  /// Whether values of the type are in memory: structs, tuples and arrays without slices.
  bool isAggregate() const { return (isStruct() || isTuple() || isArray()) && !holdsSlices(); }
  /// Whether the type is a struct or an array with slices in it. Its values are not in memory; each
  /// of its leaves is a value or memory of its own.
  bool holdsSlices() const;
  /// The number of leaves (Leaves.h): 1 for a type that does not hold slices.
  uint64_t leafCount() const;
  /// The lane type of a vector, or the type itself. lane().isFloat() tests scalars and vectors
  /// alike.
  Type lane() const { return isVector() ? element() : *this; }
  /// The number of bits of a scalar: 8 for i8, 1 for bool. An enum has 32.
  unsigned bits() const;

  Type element() const;                  ///< of a slice, vector or array
  unsigned lanes() const;                ///< of a vector; 1 for any other type
  uint64_t length() const;               ///< of an array
  llvm::ArrayRef<Type> elements() const; ///< of a tuple
  const StructInfo &structInfo() const;  ///< of a struct
  const EnumInfo &enumInfo() const;      ///< of an enum
  /// Size and alignment in bytes, as in C. A slice is an address and its extents.
  using Layout = abi::Layout;
  Layout layout() const;
  /// The layout of parts that follow each other, each with its alignment.
  static Layout layoutOf(llvm::ArrayRef<Type> parts);
  /// The depth to which arrays, structs and tuples are nested. It is at most maxTypeDepth, so
  /// recursion over a type is safe.
  unsigned depth() const;
  unsigned rank() const; ///< of a slice
  bool isMut() const;    ///< of a slice

  /// The type in the syntax of the language: "i32", "&mut [f32]", "&[f32, 2]", "f32x4", "[f32; 3]",
  /// "Particle". A mask, for which the language has no name, is "boolx4".
  std::string str() const;

  friend bool operator==(Type a, Type b) { return a.node == b.node; }
  explicit operator bool() const { return node != nullptr; }
  /// A key for maps.
  const void *identity() const { return node; }

private:
  friend class TypeContext;
  const TypeNode *node = nullptr;
};

inline constexpr unsigned maxTypeDepth = 256;

/// A struct of the source. It is made when the struct is declared, and filled when its fields are
/// checked.
struct StructInfo {
  struct Field {
    llvm::StringRef name;
    Type type;
    diag::SourceRange range;
  };
  llvm::StringRef name;
  diag::SourceRange range; ///< the name in the declaration
  llvm::SmallVector<Field, 4> fields = {};
  Type::Layout layout;
  unsigned depth = 1;
  bool holdsSlices = false;
  uint64_t leafCount = 1;

  void fill(llvm::SmallVector<Field, 4> all);
  /// The index of the field of that name, or none.
  std::optional<unsigned> field(llvm::StringRef name) const;

  llvm::DenseMap<llvm::StringRef, unsigned> numbers{}; ///< indices of fields by name
};

/// An enum of the source. Its values fit i32.
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

  llvm::DenseMap<llvm::StringRef, unsigned> numbers{}; ///< indices of members by name
};

/// The identity of a compound type: its kind, its number, and its element types or its declaration.
using TypeKey = std::tuple<TypeKind, uint64_t, std::vector<const void *>>;

class TypeContext {
public:
  TypeContext();
  Type error() const { return get(TypeKind::Error); }
  Type unit() const { return get(TypeKind::Unit); }
  Type get(TypeKind kind) const; ///< a scalar, Error or Unit
  Type slice(Type element, bool isMut, unsigned rank);
  Type vector(Type element, unsigned lanes); ///< a mask if the element is bool
  Type array(Type element, uint64_t length);
  Type tuple(llvm::ArrayRef<Type> elements);
  Type structure(const StructInfo &info); ///< each StructInfo is a type of its own
  Type enumeration(const EnumInfo &info);
  /// The scalar type of that name, or a null Type.
  Type scalarNamed(llvm::StringRef name) const;

private:
  /// Returns the type with that content. The first call makes it.
  Type intern(const TypeNode &node);

  llvm::BumpPtrAllocator arena;
  Type simple[unsigned(TypeKind::Vector)];
  std::map<TypeKey, const TypeNode *> compound;
};

/// The semantics of a float type.
const llvm::fltSemantics &semanticsOf(Type type);

} // namespace spl::sema
