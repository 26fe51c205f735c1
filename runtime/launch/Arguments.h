// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a launch's arguments against the kernel's signature and lays them out for the kernel ABI.
// Lives on the stack of one launch.
#ifndef SPL_RUNTIME_LAUNCH_ARGUMENTS_H
#define SPL_RUNTIME_LAUNCH_ARGUMENTS_H

#include "runtime/backends/BackendContext.h"
#include "spl/Launch.h"
#include "spl/Signature.h"

#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

namespace spl::detail {

class BoundArguments {
public:
  struct alignas(16) Slot { ///< aligned for every type of the language
    std::byte bytes[16];
  };

  /// Throws InvalidArgument or OverlappingArguments, naming kernel, parameter and both types.
  BoundArguments(const Signature &signature, std::span<const Argument> arguments,
                 const BackendContext &context);
  BoundArguments(const BoundArguments &) = delete;
  BoundArguments &operator=(const BoundArguments &) = delete;

  /// One pointer for each ABI parameter, valid as long as this object.
  std::span<void *const> params() const { return pointers; }

  /// The memory that params() points into.
  std::span<const Slot> storage() const { return slots; }

  /// The memory of the arrays among the arguments.
  std::span<const std::shared_ptr<Allocation>> memory() const { return used; }

private:
  // A launch allocates memory only for many or large arguments.
  std::array<std::byte, 2048> space;
  std::pmr::monotonic_buffer_resource arena{space.data(), space.size()};
  std::pmr::vector<Slot> slots = std::pmr::vector<Slot>(&arena);
  std::pmr::vector<void *> pointers = std::pmr::vector<void *>(&arena);
  std::pmr::vector<std::shared_ptr<Allocation>> used =
      std::pmr::vector<std::shared_ptr<Allocation>>(&arena);
};

/// Arguments that outlive the launch that bound them.
class OwnedArguments {
public:
  explicit OwnedArguments(const BoundArguments &bound);
  OwnedArguments(const OwnedArguments &) = delete;
  OwnedArguments &operator=(const OwnedArguments &) = delete;

  std::span<void *const> params() const { return pointers; }

private:
  std::vector<BoundArguments::Slot> slots;
  std::vector<void *> pointers;
  std::vector<std::shared_ptr<Allocation>> used;
};

} // namespace spl::detail

#endif
