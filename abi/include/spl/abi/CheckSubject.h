// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the check of an index names: a slice, or an axis of a slice of several axes. Nothing here
/// fails, and several threads may call all of it at once.
#ifndef SPL_ABI_CHECKSUBJECT_H
#define SPL_ABI_CHECKSUBJECT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spl::abi {

/// "axis 1 of a".
std::string axisSubject(std::int64_t axis, std::string_view slice);

/// The axis of "axis 1 of a", or nothing for the name of a slice alone.
std::optional<std::int64_t> axisOf(std::string_view subject);

/// The slice: "a" for "axis 1 of a" and for "a".
std::string_view sliceOf(std::string_view subject);

/// The subject for a message, with the slice in quotes: "axis 1 of 'a'".
std::string quotedSubject(std::string_view subject);

} // namespace spl::abi

#endif
