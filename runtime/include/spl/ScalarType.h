// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The C++ types that correspond to the scalar types of the language. All types are values. No
/// function here fails, and several threads may call the functions at once.
#ifndef SPL_SCALARTYPE_H
#define SPL_SCALARTYPE_H

#include <spl/Cxx20.h>

#include <spl/Half.h>
#include <spl/abi/ScalarType.h>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace spl {

namespace detail {

/// Integers are matched by size and signedness. So long and long long are both i64 if both have
/// eight bytes.
template <std::size_t Bytes, bool Signed>
inline constexpr ScalarType integerType =
    Bytes == 1   ? (Signed ? ScalarType::I8 : ScalarType::U8)
    : Bytes == 2 ? (Signed ? ScalarType::I16 : ScalarType::U16)
    : Bytes == 4 ? (Signed ? ScalarType::I32 : ScalarType::U32)
                 : (Signed ? ScalarType::I64 : ScalarType::U64);

template <typename T, typename... Us> inline constexpr bool isAnyOf = (std::same_as<T, Us> || ...);

} // namespace detail

/// The C++ types that correspond to a scalar of the language. Character types are not numbers in
/// the language.
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
