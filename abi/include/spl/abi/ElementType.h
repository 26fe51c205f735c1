// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The types of values and of array elements: scalars, and the types that the language composes of
/// them, with the layout of C. An ElementType is a value that is cheap to copy. Several threads may
/// read it at once.
#ifndef SPL_ABI_ELEMENTTYPE_H
#define SPL_ABI_ELEMENTTYPE_H

#include "spl/abi/Layout.h"
#include "spl/abi/ScalarType.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spl {

/// A type that is known at run time. Its maker ensures that its size fits into a std::size_t.
class ElementType {
public:
  enum class Kind : std::uint8_t {
    Scalar,
    Vector, ///< "f32x4": lanes of a scalar type, aligned to its size
    Array,  ///< "[f32; 3]"
    Struct,
    Enum,   ///< named numbers, stored as i32
    Opaque, ///< a class of the C++ program, of which only size and alignment are known
  };
  struct Field;
  struct Member;

  ElementType(ScalarType scalar) : scalarType(scalar) {}
  static ElementType vector(ScalarType lane, std::int64_t lanes);
  static ElementType array(ElementType element, std::int64_t length);
  /// Sets the fields' offsets.
  static ElementType structure(std::string name, std::vector<Field> fields);
  static ElementType enumeration(std::string name, std::vector<Member> members);
  static ElementType opaque(std::size_t size, std::size_t align);

  Kind kind() const;
  bool isScalar() const { return !node; }

  /// The scalar itself, the lane of a vector, or i32 for an enum. Not for other kinds.
  ScalarType scalar() const { return scalarType; }

  /// The number of a vector's lanes or of an array's elements, else 1.
  std::int64_t length() const;
  const ElementType &element() const;         ///< of an array
  const std::vector<Field> &fields() const;   ///< of a struct
  const std::vector<Member> &members() const; ///< of an enum

  abi::Layout layout() const; ///< size and alignment
  std::size_t size() const;   ///< in bytes, with the padding at a struct's end
  std::size_t align() const;
  /// The number of types that it is composed of, including itself.
  std::size_t parts() const;

  /// The name in the language: "f32", "f32x4", "[f32; 3]", "Particle".
  std::string str() const;

  /// Whether both have the same structure, with the same names of fields and members. Their own
  /// names are not compared.
  bool operator==(const ElementType &other) const;
  /// Whether both are equal, and the structs and enums in them have the same names too.
  bool isSameAs(const ElementType &other) const;

  /// Whether a value of type \p given can be passed for this type: the same type, i32 for an enum,
  /// an array of its lanes for a vector, and an opaque class of the same size and alignment for any
  /// composed type.
  bool takes(const ElementType &given) const;

private:
  struct Node;
  ElementType(ScalarType scalar, Node made);

  ScalarType scalarType = ScalarType::U8;
  std::shared_ptr<const Node> node; ///< null for a scalar
};

/// A field of a struct.
struct ElementType::Field {
  std::string name;
  ElementType type;
  std::size_t offset = 0; ///< in bytes from the struct's start
};

/// A member of an enum.
struct ElementType::Member {
  std::string name;
  std::int32_t value = 0;
};

/// A scalar inside a value of a composed type.
struct ScalarPart {
  ScalarType type;  ///< i32 for an enum
  std::string path; ///< ".pos[1]"; empty if the value is the scalar
};

/// The scalar that begins \p offset bytes after the start of a value of \p type, or nothing.
std::optional<ScalarPart> scalarAt(const ElementType &type, std::size_t offset);

/// The scalar or vector type called \p name in the language, or nothing.
std::optional<ElementType> plainTypeNamed(std::string_view name);

} // namespace spl

#endif
