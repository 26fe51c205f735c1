// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads a context of the CPU may use: what the program says, else the environment, else
// the config file.
#ifndef SPL_RUNTIME_CONFIG_CPUTHREADCOUNT_H
#define SPL_RUNTIME_CONFIG_CPUTHREADCOUNT_H

#include "spl/Context.h"

#include <optional>
#include <string_view>

namespace spl::detail {

/// The number of threads that \p text is; nothing for what is none from 1 to 65536.
std::optional<int> threadCountFrom(std::string_view text);
inline constexpr std::string_view threadCountRange = "a number of threads, 1 to 65536";

/// \p options for a context of \p backend; on the CPU cpuThreads is 0 only where nobody says
/// anything. Throws InvalidArgument for a number that cannot be, naming where it is from.
ContextOptions resolvedOptions(Backend backend, ContextOptions options,
                               std::optional<int> ofConfig = {});

} // namespace spl::detail

#endif
