// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/MemoryPool.h"

#include "runtime/core/BackendContext.h"
#include "runtime/core/Elements.h"
#include "spl/Context.h"
#include "spl/Error.h"

namespace spl {

MemoryPool Context::makePool(const PoolOptions &options) const {
  return MemoryPool(opened, usable().makePool(options));
}

MemoryPool::MemoryPool(std::shared_ptr<detail::BackendContext> context,
                       std::shared_ptr<detail::BackendPool> pool)
    : context(std::move(context)), pool(std::move(pool)) {}

detail::BackendPool &MemoryPool::usable() const {
  if (!pool)
    throw Error({.code = ErrorCode::InvalidArgument, .message = "the pool was moved from"});
  return *pool;
}

Buffer MemoryPool::allocBuffer(const ElementType &element, const Shape &shape,
                               const Stream &stream) {
  usable();
  if (stream.backend(); stream.context() != context)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "alloc: the stream belongs to another context, on " +
                            stream.context()->describe(),
                 .remedy = "use a stream of the pool's context"});
  if (stream.backend()->isCapturing())
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "alloc: the stream is being captured",
                 .remedy = "allocate before the capture"});
  std::int64_t count = detail::elementCount(element, shape);
  std::shared_ptr<detail::Allocation> memory;
  if (std::size_t bytes = static_cast<std::size_t>(count) * element.size()) {
    memory = pool->allocate(bytes, stream.backend());
    memory->describeAs(element, shape);
    memory->usedOn(stream.backend());
  }
  return Buffer(context, std::move(memory), element, shape, count);
}

PoolState MemoryPool::state() const { return usable().state(); }

void MemoryPool::trim(std::size_t keepBytes) { usable().trim(keepBytes); }

} // namespace spl
