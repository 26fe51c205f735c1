// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the sizes of a launch in the text of contracts, as in "gpu.num_groups(0)". The
// reader and the writer share this table.
#ifndef SPL_ABI_LAUNCHSIZES_H
#define SPL_ABI_LAUNCHSIZES_H

#include "spl/abi/Contract.h"

#include <string_view>

namespace spl::abi {

struct LaunchSize {
  std::string_view name;
  Operation operation;
};

inline constexpr LaunchSize launchSizes[] = {{"num_groups", Operation::NumGroups},
                                             {"local_size", Operation::LocalSize},
                                             {"global_size", Operation::GlobalSize}};

} // namespace spl::abi

#endif
