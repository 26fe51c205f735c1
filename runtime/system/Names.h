// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats names for messages.
#ifndef SPL_RUNTIME_SYSTEM_NAMES_H
#define SPL_RUNTIME_SYSTEM_NAMES_H

#include <string>
#include <string_view>
#include <vector>

namespace spl::detail {

/// Returns "; did you mean 'x'?" with the name of \p known that is most similar to \p name. Returns
/// an empty text if none is similar.
std::string didYouMean(std::string_view name, const std::vector<std::string> &known);

/// "a, b and c"; \p last joins the last two.
std::string joinNames(const std::vector<std::string> &names, std::string_view last = "and");

/// Returns \p text in single quotes. Shortens a long text in the middle. Shows control bytes as
/// \xNN.
std::string quoted(std::string_view text);

/// As quoted, without the quotes.
std::string printable(std::string_view text);

} // namespace spl::detail

#endif
