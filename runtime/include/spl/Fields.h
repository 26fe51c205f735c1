// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// C++ structs of arrays, for parameters that are structs with slices. SPL_FIELDS in the struct
/// names its fields:
///
///     struct Grid {
///       spl::Array<float> &cells;
///       spl::Array<float> &out;
///       std::int32_t n;
///       SPL_FIELDS(cells, out, n)
///     };
///
///     context.launch(kernel, {.global = {n}}, Grid{cells, out, n});
///
/// Each field is an array or a reference to one, a value, a struct with SPL_FIELDS, or a std::array
/// of arrays. The struct remains an aggregate. A launch finds each field by its name, in any order.
/// Nothing here fails or has state, so that several threads may use it at once.
#ifndef SPL_FIELDS_H
#define SPL_FIELDS_H

#include <spl/Cxx20.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <string_view>
#include <tuple>
#include <type_traits>

/// Declares that the struct has these fields. Write it inside the struct.
#define SPL_FIELDS(...)                                                                            \
  auto splFields() { return std::tie(__VA_ARGS__); }                                               \
  auto splFields() const { return std::tie(__VA_ARGS__); }                                         \
  static constexpr std::string_view splFieldNames() { return #__VA_ARGS__; }

namespace spl {

class Buffer;

namespace detail {

/// A struct with SPL_FIELDS.
template <typename T>
concept HasFields = requires(T &value) {
  value.splFields();
  T::splFieldNames();
};

/// Calls \p use with the name and a reference to each field.
template <HasFields T, typename Use> void forEachField(T &whole, const Use &use) {
  std::string_view names = T::splFieldNames(); // "cells, out"
  const auto next = [&names] {
    const std::string_view name = names.substr(0, names.find_first_of(", "));
    names.remove_prefix(std::min(names.size(), names.find_first_not_of(", ", name.size())));
    return name;
  };
  std::apply([&](auto &...fields) { (use(next(), fields), ...); }, whole.splFields());
}

template <typename T> inline constexpr bool isArrayOfArrays = false;

/// An argument that consists of other arguments: a struct with SPL_FIELDS, or a std::array of
/// arrays, of references to arrays, or of such structs.
template <typename T>
concept HasParts = HasFields<T> || isArrayOfArrays<std::remove_cv_t<T>>;

template <typename T>
inline constexpr bool isElementPart = std::is_base_of_v<Buffer, T> || HasParts<T>;
template <typename T>
inline constexpr bool isElementPart<std::reference_wrapper<T>> = isElementPart<std::remove_cv_t<T>>;
template <typename T, std::size_t N>
inline constexpr bool isArrayOfArrays<std::array<T, N>> = isElementPart<T>;

/// What a reference refers to.
template <typename T> T &partOf(T &part) { return part; }
template <typename T> T &partOf(std::reference_wrapper<T> &part) { return part.get(); }
template <typename T> T &partOf(const std::reference_wrapper<T> &part) { return part.get(); }

} // namespace detail
} // namespace spl

#endif
