// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The scalar types of the kernel language, their names and their sizes. Values only; nothing here
/// fails, and several threads may call all of it at once.
#ifndef SPL_ABI_SCALARTYPE_H
#define SPL_ABI_SCALARTYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

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

} // namespace spl

#endif
