// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a launch's arguments against the kernel's signature and lays them out as the kernel ABI
// wants them. Lives on the stack of one launch.
#ifndef SPL_RUNTIME_CORE_ARGUMENTS_H
#define SPL_RUNTIME_CORE_ARGUMENTS_H

#include "runtime/core/BackendContext.h"
#include "spl/Launch.h"
#include "spl/Signature.h"

#include <cstddef>
#include <span>
#include <vector>

namespace spl::detail {

class BoundArguments {
public:
  /// Throws InvalidArgument or OverlappingArguments, naming kernel, parameter and both types.
  BoundArguments(const Signature &signature, std::span<const Argument> arguments,
                 const BackendContext &context);
  BoundArguments(const BoundArguments &) = delete;
  BoundArguments &operator=(const BoundArguments &) = delete;

  /// One pointer for each ABI parameter, valid as long as this object.
  void *const *params() const { return pointers.data(); }

private:
  struct alignas(16) Slot { ///< as any type of the language is aligned
    std::byte bytes[16];
  };
  std::vector<Slot> slots;
  std::vector<void *> pointers;
};

} // namespace spl::detail

#endif
