// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/MemoryPool.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/memory/Elements.h"
#include "runtime/system/Checks.h"
#include "spl/Context.h"

namespace spl {

MemoryPool Context::makePool(const PoolOptions &options) const {
  return MemoryPool(opened, usable().makePool(options));
}

MemoryPool::MemoryPool(std::shared_ptr<detail::BackendContext> context,
                       std::shared_ptr<detail::BackendPool> pool)
    : context(std::move(context)), pool(std::move(pool)) {}

detail::BackendPool &MemoryPool::usable() const {
  if (!pool)
    detail::refuse("the pool was moved from");
  context->requireMakingProcess();
  return *pool;
}

Buffer MemoryPool::allocBuffer(const ElementType &element, const Shape &shape,
                               const Stream &stream) {
  usable();
  detail::requireStreamOf(context, "the pool's context", stream, "alloc");
  if (stream.backend()->isCapturing())
    detail::refuse("alloc: the stream is being captured", "allocate before the capture");
  std::int64_t count = detail::elementCount(element, shape);
  std::shared_ptr<detail::Allocation> memory;
  if (std::size_t bytes = static_cast<std::size_t>(count) * element.size()) {
    memory = pool->allocate(bytes, stream.backend());
    memory->describeAs(element, shape);
    if (const std::shared_ptr<detail::StreamWork> &work = stream.backend()->work)
      memory->usedBy(work);
  }
  return Buffer(context, std::move(memory), element, shape, count);
}

PoolState MemoryPool::state() const { return usable().state(); }

void MemoryPool::trim(std::size_t keepBytes) { usable().trim(keepBytes); }

} // namespace spl
