// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The C++ types that values and array elements can have, and the types of the language that
/// correspond to them. No function here fails, and several threads may call the functions at once.
#ifndef SPL_ELEMENTTYPE_H
#define SPL_ELEMENTTYPE_H

#include <spl/Cxx20.h>

#include <spl/ScalarType.h>
#include <spl/abi/ElementType.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <type_traits>

namespace spl {

namespace detail {

// The templates below detect trivially copyable classes whose bytes have no meaning for a kernel.

/// Views refer to elements elsewhere: std::span, std::string_view, std::initializer_list.
template <typename T>
inline constexpr bool isView = std::ranges::enable_borrowed_range<T> || std::ranges::enable_view<T>;
template <typename T> inline constexpr bool isView<std::initializer_list<T>> = true;

template <typename T> inline constexpr bool isOptional = false;
template <typename T> inline constexpr bool isOptional<std::optional<T>> = true;

/// Lambdas, as far as C++ can detect them: classes with a call operator that are no aggregates and
/// that are empty or not default-constructible.
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
/// - enums with the underlying type int32_t, for the language's enums,
/// - std::array, for the language's arrays and vectors,
/// - trivially copyable classes with the same size and alignment, for the language's structs and
///   vectors.
///
/// Views such as std::span, std::optional and lambdas are not accepted.
template <typename T>
concept DeviceElement = detail::isElement<T>;

/// The type of the language that corresponds to \p T. C++ cannot list the fields of a class, so a
/// class is opaque.
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
