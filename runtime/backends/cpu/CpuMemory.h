// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU's memory of arrays, and pools with a cap. Queued work shares ownership of the memory that
// it uses. The last owner frees the memory.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUMEMORY_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUMEMORY_H

#include "runtime/backends/BackendContext.h"
#include "runtime/memory/PoolAccount.h"

#include <memory>

namespace spl::detail {

/// Allocates \p bytes. Throws OutOfMemory. As on every backend, the host may access only pinned and
/// unified memory.
std::shared_ptr<Allocation> allocateCpuMemory(const std::shared_ptr<BackendContext> &context,
                                              MemoryPlace place, std::size_t bytes);

class CpuPool final : public BackendPool {
public:
  CpuPool(std::shared_ptr<BackendContext> context, const PoolOptions &options)
      : context(std::move(context)), options(options) {}

  std::shared_ptr<Allocation> allocate(std::size_t bytes,
                                       const std::shared_ptr<BackendStream> &stream) override;
  PoolState state() const override;
  void trim(std::size_t) override {} // the pool keeps no unused memory

private:
  std::shared_ptr<BackendContext> context;
  PoolOptions options;
  std::shared_ptr<PoolAccount> account = std::make_shared<PoolAccount>();
};

} // namespace spl::detail

#endif
