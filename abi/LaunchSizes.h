// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of a launch as the text of contracts has them: "gpu.num_groups(0)".
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
