// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pools of memory that is allocated and freed in the order of streams. No call waits for the
/// device. The pool uses freed memory for later arrays. A pool is move-only, and only one thread at
/// a time may use it.
#ifndef SPL_MEMORYPOOL_H
#define SPL_MEMORYPOOL_H

#include <spl/Cxx20.h>

#include <spl/Array.h>

#include <cstddef>
#include <memory>

namespace spl {

class Stream;

namespace detail {
class BackendPool;
}

/// How much memory a pool may hold.
struct PoolOptions {
  /// The maximum of live memory, in bytes; 0 means all memory of the device.
  std::size_t maxBytes = 0;
  std::size_t keepBytes = 0; ///< unused memory that a sync leaves in the pool, in bytes
};

/// The memory of a pool, in bytes.
struct PoolState {
  std::size_t used = 0;     ///< in live arrays
  std::size_t usedHigh = 0; ///< the maximum of used so far
  std::size_t reserved = 0; ///< taken from the device, used or not
  std::size_t arrays = 0;   ///< the number of live arrays
};

/// A pool. Made by Context::makePool. Arrays may outlive the pool. Its memory is freed with the
/// last array.
class MemoryPool {
public:
  MemoryPool(MemoryPool &&) noexcept = default;
  MemoryPool &operator=(MemoryPool &&) noexcept = default;

  /// Allocates an array for operations that are enqueued in \p stream after this call. Other
  /// streams must wait for an event recorded in \p stream after this call. The contents are
  /// undefined. The memory is freed in the order of the streams that used it. Throws OutOfMemory,
  /// also if the pool would exceed maxBytes.
  template <DeviceElement T> Array<T> alloc(const Shape &shape, const Stream &stream) {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape, stream));
  }

  /// As alloc, for an element type known at run time.
  Buffer allocBuffer(const ElementType &element, const Shape &shape, const Stream &stream);

  PoolState state() const;

  /// Returns unused memory to the device, except \p keepBytes.
  void trim(std::size_t keepBytes = 0);

private:
  friend class Context;
  MemoryPool(std::shared_ptr<detail::BackendContext> context,
             std::shared_ptr<detail::BackendPool> pool);
  detail::BackendPool &usable() const;

  std::shared_ptr<detail::BackendContext> context;
  std::shared_ptr<detail::BackendPool> pool;
};

} // namespace spl

#endif
