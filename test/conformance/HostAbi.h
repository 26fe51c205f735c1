// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for CPU kernels written by hand. They do what compiled kernels do at their entry.
#pragma once

#include <spl/cpu_abi.h>

#include <cstdint>

namespace spl::test {

/// The value of the ABI parameter at \p index.
template <typename T> T param(void *const *params, int index) {
  return *static_cast<const T *>(params[index]);
}

/// Calls body(x, y, z) with the global ids of every work-item of the groups [begin, end).
template <typename Body>
void forEachWorkItem(const spl_cpu_launch *launch, std::int64_t begin, std::int64_t end,
                     Body body) {
  for (std::int64_t group = begin; group < end; ++group) {
    std::int64_t gx = group % launch->numGroups[0];
    std::int64_t gy = group / launch->numGroups[0] % launch->numGroups[1];
    std::int64_t gz = group / launch->numGroups[0] / launch->numGroups[1];
    for (std::int64_t z = 0; z < launch->localSize[2]; ++z)
      for (std::int64_t y = 0; y < launch->localSize[1]; ++y)
        for (std::int64_t x = 0; x < launch->localSize[0]; ++x)
          body(gx * launch->localSize[0] + x, gy * launch->localSize[1] + y,
               gz * launch->localSize[2] + z);
  }
}

} // namespace spl::test
