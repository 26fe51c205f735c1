// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a print or of an assertion's message, from the format and the values that compiled
// code passes (cpu_abi.h, spl_cpu_print).
#ifndef SPL_RUNTIME_LAUNCH_PRINTFORMAT_H
#define SPL_RUNTIME_LAUNCH_PRINTFORMAT_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace spl::detail {

/// The text. A value that the format asks for and that is not there is a question mark.
std::string printed(std::string_view format, std::span<const std::uint64_t> values);

/// What is kept of an assertion's message, in bytes (rule 4.20 of docs/language.md).
inline constexpr std::size_t maxMessage = 1023;

/// The text of an assertion's message. A longer text than maxMessage is cut behind a character, and
/// ends in "...".
std::string printedMessage(std::string_view format, std::span<const std::uint64_t> values);

} // namespace spl::detail

#endif
