// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The types of values and of array elements: scalars and what the language composes of them, laid
/// out as C does; and which C++ types stand for them. Values, cheap to copy.
/// Several threads may read one at once.
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

/// A type that is known at run time. Who makes one sees to it that its size fits.
class ElementType {
public:
  enum class Kind : std::uint8_t {
    Scalar,
    Vector, ///< "f32x4": lanes of a scalar type, aligned to its size
    Array,  ///< "[f32; 3]"
    Struct,
    Enum,   ///< a number of its own names, stored as i32
    Opaque, ///< a class of the C++ program: its size and alignment is all there is to know
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

  /// The scalar itself, a vector's lane, i32 of an enum. Of no other kind.
  ScalarType scalar() const { return scalarType; }

  /// Of a vector its lanes, of an array its elements, else 1.
  std::int64_t length() const;
  const ElementType &element() const;         ///< of an array
  const std::vector<Field> &fields() const;   ///< of a struct
  const std::vector<Member> &members() const; ///< of an enum

  std::size_t size() const; ///< in bytes, with the padding at a struct's end
  std::size_t align() const;
  /// How many types it is composed of, itself among them; a bound for what walks it.
  std::size_t parts() const;

  /// The name in the language: "f32", "f32x4", "[f32; 3]", "Particle".
  std::string str() const;

  /// Whether both are composed alike, of the same fields and members by name; their own names do
  /// not matter.
  bool operator==(const ElementType &other) const;

  /// Whether values of type \p given are values of this one: the same type; for an enum i32; for a
  /// vector an array of its lanes; for anything composed a C++ class of its size and alignment.
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

// Classes that memcpy may copy, but whose bytes mean nothing to a kernel.

/// What refers to elements elsewhere: std::span, std::string_view, std::initializer_list.
template <typename T>
inline constexpr bool isView = std::ranges::enable_borrowed_range<T> || std::ranges::enable_view<T>;
template <typename T> inline constexpr bool isView<std::initializer_list<T>> = true;

template <typename T> inline constexpr bool isOptional = false;
template <typename T> inline constexpr bool isOptional<std::optional<T>> = true;

/// A lambda, as far as C++ can tell: it is no aggregate, and has no state or no default.
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

/// The C++ types that values and array elements can have: those of DeviceScalar; enums with int32_t
/// below them, for enums; std::array, for arrays and vectors; and for structs and vectors each
/// class that memcpy may copy, taken by its size and alignment. Not among them are std::span and
/// other views, std::optional and lambdas.
template <typename T>
concept DeviceElement = detail::isElement<T>;

/// What \p T is in the language, as far as C++ can tell.
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
