// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts the geometry and the arguments of a launch from C to C++. Throws InvalidArgument with
// the name of the wrong argument.
#ifndef SPL_RUNTIME_C_LAUNCH_H
#define SPL_RUNTIME_C_LAUNCH_H

#include "runtime/c/Objects.h"
#include "spl/Launch.h"
#include "spl/Signature.h"
#include "spl/c/launch.h"

#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

namespace spl::capi {

LaunchConfig launchConfig(const spl_launch_config *config);

/// The arguments of a launch. The object keeps the arrays among them alive.
class Arguments {
public:
  /// Errors name an argument without a name as \p signature does, or by its number if that is null.
  Arguments(const spl_argument *arguments, std::size_t count, const Signature *signature);
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  std::span<const Argument> all() const { return list; }

private:
  // The arguments are stored in this buffer, so that a launch allocates memory only if they do not
  // fit.
  std::array<std::byte, 4096> space;
  std::pmr::monotonic_buffer_resource arena{space.data(), space.size()};
  std::pmr::vector<Argument> list = std::pmr::vector<Argument>(&arena);
  std::pmr::vector<std::shared_ptr<ArrayObject>> arrays =
      std::pmr::vector<std::shared_ptr<ArrayObject>>(&arena);
};

} // namespace spl::capi

#endif
