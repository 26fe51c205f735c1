// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C gives of a launch, as C++ takes it. Error{InvalidArgument} names the argument.
#ifndef SPL_RUNTIME_C_LAUNCH_H
#define SPL_RUNTIME_C_LAUNCH_H

#include "runtime/c/Objects.h"
#include "spl/Launch.h"
#include "spl/c/launch.h"

#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

namespace spl::capi {

LaunchConfig launchConfig(const spl_launch_config *config);

/// Arguments, and the arrays among them as long as they are used.
class Arguments {
public:
  Arguments(const spl_argument *arguments, std::size_t count);
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  std::span<const Argument> all() const { return list; }

private:
  // A launch allocates nothing unless its arguments are many or large.
  std::array<std::byte, 4096> space;
  std::pmr::monotonic_buffer_resource arena{space.data(), space.size()};
  std::pmr::vector<Argument> list = std::pmr::vector<Argument>(&arena);
  std::pmr::vector<std::shared_ptr<ArrayObject>> arrays =
      std::pmr::vector<std::shared_ptr<ArrayObject>>(&arena);
};

} // namespace spl::capi

#endif
