// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuMemory.h"

#include "runtime/system/HostInfo.h"
#include "spl/Error.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>

namespace spl::detail {

/// The alignment of any vector register and of a cache line.
static constexpr std::size_t smallAlignment = 64;

/// Large arrays use huge pages, because small pages slow down kernels that stream through memory.
static constexpr std::size_t hugePage = std::size_t{2} << 20;

/// From this size on, a request is compared with the free memory. The system overcommits memory and
/// kills the process that touches pages that it cannot provide.
static constexpr std::size_t checkedSize = std::size_t{64} << 20;

static void *allocate(const BackendContext &context, std::size_t bytes) {
  if (bytes >= checkedSize)
    if (std::uint64_t free = memoryState().free; bytes > free)
      throw Error(context.outOfMemory(bytes, free));
  std::size_t alignment = bytes >= hugePage ? hugePage : smallAlignment;
  std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void *memory = rounded >= bytes ? std::aligned_alloc(alignment, rounded) : nullptr;
  if (!memory)
    throw Error(context.outOfMemory(bytes, memoryState().free));
  if (alignment == hugePage)
    madvise(memory, rounded, MADV_HUGEPAGE); // optional; small pages work too
  return memory;
}

namespace {

class CpuMemory : public Allocation {
public:
  CpuMemory(std::shared_ptr<BackendContext> context, void *memory, std::size_t bytes, bool isHosts)
      : Allocation(std::move(context), reinterpret_cast<std::uint64_t>(memory), bytes),
        isHosts(isHosts) {}
  ~CpuMemory() override { std::free(reinterpret_cast<void *>(address)); }

  bool isHostAccessible() const override { return isHosts; }

private:
  bool isHosts;
};

class CpuPoolMemory final : public CpuMemory {
public:
  CpuPoolMemory(std::shared_ptr<BackendContext> context, void *memory, std::size_t bytes,
                std::shared_ptr<PoolAccount> pool)
      : CpuMemory(std::move(context), memory, bytes, false), pool(std::move(pool)) {}
  ~CpuPoolMemory() override {
    if (context->inMakingProcess())
      pool->give(bytes);
  }

  const PoolAccount *account() const override { return pool.get(); }

private:
  std::shared_ptr<PoolAccount> pool;
};

} // namespace

std::shared_ptr<Allocation> allocateCpuMemory(const std::shared_ptr<BackendContext> &context,
                                              MemoryPlace place, std::size_t bytes) {
  return std::make_shared<CpuMemory>(context, allocate(*context, bytes), bytes,
                                     place != MemoryPlace::Device);
}

PoolState CpuPool::state() const {
  PoolState now = account->read();
  now.reserved = now.used;
  return now;
}

std::shared_ptr<Allocation> CpuPool::allocate(std::size_t bytes,
                                              const std::shared_ptr<BackendStream> &) {
  if (!account->take(bytes, options.maxBytes))
    throw Error(context->poolExhausted(bytes, *account, options.maxBytes));
  try {
    return std::make_shared<CpuPoolMemory>(context, detail::allocate(*context, bytes), bytes,
                                           account);
  } catch (...) {
    account->give(bytes);
    throw;
  }
}

} // namespace spl::detail
