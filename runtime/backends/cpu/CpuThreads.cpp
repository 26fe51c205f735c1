// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuThreads.h"

#include <algorithm>
#include <oneapi/tbb/info.h>

namespace spl::detail {

int machineThreads() { return tbb::info::default_concurrency(); }

CpuThreads::CpuThreads(int limit)
    : threads(limit ? std::min(limit, machineThreads()) : machineThreads()), isLimited(limit != 0),
      arena(isLimited && threads > 1 ? threads : 0) {}

void CpuThreads::runParts(std::int64_t size, std::int64_t grain, const CpuArena::Parts &parts) {
  if (!isLimited || threads > 1)
    return arena.run(size, grain, parts);
  std::lock_guard lock(alone);
  parts(0, size);
}

} // namespace spl::detail
