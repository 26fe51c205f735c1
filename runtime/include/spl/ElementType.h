// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The types of values and of array elements, which are scalars and the types that the language
/// composes of them with the layout of C; and the C++ types that correspond to them. An ElementType
/// is a value that is cheap to copy. Several threads may read it at once.
#ifndef SPL_ELEMENTTYPE_H
#define SPL_ELEMENTTYPE_H

#include <spl/Cxx20.h>

#include <spl/ScalarType.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

  std::size_t size() const; ///< in bytes, with the padding at a struct's end
  std::size_t align() const;
  /// The number of types that it is composed of, including itself.
  std::size_t parts() const;

  /// The name in the language: "f32", "f32x4", "[f32; 3]", "Particle".
  std::string str() const;

  /// Whether both have the same structure, with the same names of fields and members. Their own
  /// names are not compared.
  bool operator==(const ElementType &other) const;

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

/// The scalar or vector type called \p name in the language, or nothing.
std::optional<ElementType> plainTypeNamed(std::string_view name);

namespace detail {

// Trivially copyable classes whose bytes have no meaning for a kernel.

/// Views refer to elements elsewhere: std::span, std::string_view, std::initializer_list.
template <typename T>
inline constexpr bool isView = std::ranges::enable_borrowed_range<T> || std::ranges::enable_view<T>;
template <typename T> inline constexpr bool isView<std::initializer_list<T>> = true;

template <typename T> inline constexpr bool isOptional = false;
template <typename T> inline constexpr bool isOptional<std::optional<T>> = true;

/// Lambdas, as far as C++ can detect them: no aggregate, and empty or not default-constructible.
template <typename T> inline constexpr bool isClosure = false;
template <typename T>
  requires requires { &T::operator(); }
inline constexpr bool isClosure<T> =
    !std::is_aggregate_v<T> && (std::is_empty_v<T> || !std::is_default_constructible_v<T>);

template <typename T> inline constexpr bool isElement = DeviceScalar<T>;
template <typename T>
  requires std::is_enum_v<T>
inline constexpr bool isElement<T> = std::same_as<std::underlying_type_t<T>, std::int32_t>;
template <typename T>
  requires std::is_class_v<T> && (!DeviceScalar<T>)
inline constexpr bool isElement<T> =
    std::is_trivially_copyable_v<T> && !isView<T> && !isOptional<T> && !isClosure<T>;
template <typename T, std::size_t N>
inline constexpr bool isElement<std::array<T, N>> = isElement<T>;

template <typename T> struct ArrayParts;
template <typename T, std::size_t N> struct ArrayParts<std::array<T, N>> {
  using Element = T;
};

} // namespace detail

/// The C++ types that values and array elements can have:
///
/// - the types of DeviceScalar,
/// - enums with the underlying type int32_t, for enums,
/// - std::array, for arrays and vectors,
/// - trivially copyable classes, for structs and vectors; size and alignment must match.
///
/// Views such as std::span, std::optional and lambdas are not among them.
template <typename T>
concept DeviceElement = detail::isElement<T>;

/// The type of the language that corresponds to \p T, as far as C++ can detect it.
template <DeviceElement T> ElementType elementTypeOf() {
  if constexpr (DeviceScalar<T>)
    return scalarTypeOf<T>();
  else if constexpr (std::is_enum_v<T>)
    return ScalarType::I32;
  else if constexpr (requires { typename detail::ArrayParts<T>::Element; }) {
    static const ElementType type = ElementType::array(
        elementTypeOf<typename detail::ArrayParts<T>::Element>(), std::tuple_size_v<T>);
    return type;
  } else {
    static const ElementType type = ElementType::opaque(sizeof(T), alignof(T));
    return type;
  }
}

} // namespace spl

#endif
