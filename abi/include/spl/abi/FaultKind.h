// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a check in compiled code can report. Values only; nothing here fails, and several threads
/// may call all of it at once.
#ifndef SPL_ABI_FAULTKIND_H
#define SPL_ABI_FAULTKIND_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace spl {

/// Which check in a kernel failed (FaultKinds.def).
enum class FaultKind : std::int32_t {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE) NAME = NUMBER,
#include "spl/FaultKinds.def"
};

/// The name of \p kind as users see it, such as "index-out-of-bounds".
std::string_view toString(FaultKind kind);

/// The kind called \p name, or nothing.
std::optional<FaultKind> faultKindNamed(std::string_view name);

} // namespace spl

#endif
