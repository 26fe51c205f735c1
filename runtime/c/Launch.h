// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C gives of a launch, as C++ takes it. Error{InvalidArgument} names the argument.
#ifndef SPL_RUNTIME_C_LAUNCH_H
#define SPL_RUNTIME_C_LAUNCH_H

#include "runtime/c/Objects.h"
#include "spl/Launch.h"
#include "spl/c/launch.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace spl::capi {

LaunchConfig launchConfig(const spl_launch_config *config);

/// Arguments, and the arrays among them as long as they are used.
struct Arguments {
  Arguments(const spl_argument *arguments, std::size_t count);

  std::vector<Argument> list;
  std::vector<std::shared_ptr<ArrayObject>> arrays;
};

} // namespace spl::capi

#endif
