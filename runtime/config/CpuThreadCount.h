// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of threads that a context of the CPU may use. The program decides, else the
// environment, else the config file.
#ifndef SPL_RUNTIME_CONFIG_CPUTHREADCOUNT_H
#define SPL_RUNTIME_CONFIG_CPUTHREADCOUNT_H

#include "spl/Context.h"

#include <optional>
#include <string_view>

namespace spl::detail {

/// Parses \p text as a number of threads. Returns nothing unless it is a number from 1 to 65536.
std::optional<int> threadCountFrom(std::string_view text);
inline constexpr std::string_view threadCountRange = "a number of threads, 1 to 65536";

/// Fills in cpuThreads of \p options if it is 0 and \p backend runs on the host. The value is that
/// of the environment, else that of the config file (\p ofConfig), else 0. Throws InvalidArgument
/// for a number out of range; the message says where it is set.
ContextOptions resolvedOptions(Backend backend, ContextOptions options,
                               std::optional<int> ofConfig = {});

} // namespace spl::detail

#endif
