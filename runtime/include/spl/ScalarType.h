// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The scalar types a kernel parameter or an array element can have, and the C++ types they stand
/// for. Values only; nothing here fails, and several threads may call all of it at once.
#ifndef SPL_SCALARTYPE_H
#define SPL_SCALARTYPE_H

#include <spl/Cxx20.h>

#include <spl/Half.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace spl {

/// A scalar type of the kernel language (ScalarTypes.def).
enum class ScalarType : std::uint8_t {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...) NAME,
#include "spl/ScalarTypes.def"
};

/// The language's name of \p type, such as "f32".
std::string_view toString(ScalarType type);

/// The size of \p type in bytes; also its alignment.
std::size_t sizeOf(ScalarType type);

/// The type called \p name in the language, or nothing.
std::optional<ScalarType> scalarTypeNamed(std::string_view name);

namespace detail {

/// Integers are matched by size and sign, so that long and long long are both i64 where both are
/// eight bytes.
template <std::size_t Bytes, bool Signed>
inline constexpr ScalarType integerType =
    Bytes == 1   ? (Signed ? ScalarType::I8 : ScalarType::U8)
    : Bytes == 2 ? (Signed ? ScalarType::I16 : ScalarType::U16)
    : Bytes == 4 ? (Signed ? ScalarType::I32 : ScalarType::U32)
                 : (Signed ? ScalarType::I64 : ScalarType::U64);

template <typename T, typename... Us> inline constexpr bool isAnyOf = (std::same_as<T, Us> || ...);

} // namespace detail

/// The C++ types that correspond to a scalar of the language. Character types are not numbers here.
template <typename T>
concept DeviceScalar = detail::isAnyOf<T, bool, f16, bf16, float, double, signed char,
                                       unsigned char, short, unsigned short, int, unsigned int,
                                       long, unsigned long, long long, unsigned long long>;

/// The type of the language that corresponds to \p T.
template <DeviceScalar T> constexpr ScalarType scalarTypeOf() {
  if constexpr (std::same_as<T, bool>)
    return ScalarType::Bool;
  else if constexpr (std::same_as<T, f16>)
    return ScalarType::F16;
  else if constexpr (std::same_as<T, bf16>)
    return ScalarType::BF16;
  else if constexpr (std::same_as<T, float>)
    return ScalarType::F32;
  else if constexpr (std::same_as<T, double>)
    return ScalarType::F64;
  else
    return detail::integerType<sizeof(T), std::is_signed_v<T>>;
}

} // namespace spl

#endif
