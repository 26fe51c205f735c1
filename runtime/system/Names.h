// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text about names in messages.
#ifndef SPL_RUNTIME_SYSTEM_NAMES_H
#define SPL_RUNTIME_SYSTEM_NAMES_H

#include <string>
#include <string_view>
#include <vector>

namespace spl::detail {

/// "; did you mean 'x'?" with the one of \p known that \p name was probably meant to be. Empty if
/// none is similar.
std::string didYouMean(std::string_view name, const std::vector<std::string> &known);

/// "a, b and c"; \p last joins the last two.
std::string joinNames(const std::vector<std::string> &names, std::string_view last = "and");

/// \p text in single quotes, shortened in the middle if it is long, control bytes as \xNN.
std::string quoted(std::string_view text);

/// Like quoted, without the quotes.
std::string printable(std::string_view text);

} // namespace spl::detail

#endif
