// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A piece of memory. Arrays, their views, graphs and queued work of the CPU share it, and the last
// owner frees it. An allocation knows the work that uses it, so that the host can wait for exactly
// that work.
#ifndef SPL_RUNTIME_MEMORY_ALLOCATION_H
#define SPL_RUNTIME_MEMORY_ALLOCATION_H

#include "spl/ElementType.h"
#include "spl/Shape.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace spl::detail {

class BackendContext;
class PoolAccount;
class StreamWork;

class Allocation {
public:
  /// Adds itself to the context's live allocations.
  Allocation(std::shared_ptr<BackendContext> context, std::uint64_t address, std::size_t bytes);
  /// Destructors of derived classes free the memory. Never throws.
  virtual ~Allocation();
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;

  const std::shared_ptr<BackendContext> context;
  const std::uint64_t address;
  const std::size_t bytes;

  /// Whether the host may read and write it at its address.
  virtual bool isHostAccessible() const { return false; }

  /// The account of its pool, or null.
  virtual const PoolAccount *account() const { return nullptr; }

  /// The array for which it was allocated, such as "f32[1000 x 20]", for messages about memory.
  void describeAs(const ElementType &type, const Shape &extents);
  std::string describe() const;

  /// Marks the memory as used by \p work. Cheap if that is the latest mark. Drops the marks of
  /// streams that have ended and whose work is done, except the first one that failed; the errors
  /// of the others are thrown by the context's sync.
  void usedBy(const std::shared_ptr<StreamWork> &work);

  /// Waits for the work that uses the memory, and throws its asynchronous errors. May be called
  /// from several threads at once; each waits for all of the work.
  void waitForUses();

protected:
  struct Use {
    std::shared_ptr<StreamWork> work;
    std::uint64_t number = 0; ///< unique among the uses of the memory
  };

  /// The same for destructors. Leaves errors untaken.
  void finishUses() noexcept;

  /// Removes and returns the uses, one for each stream.
  std::vector<Use> takeUses() noexcept;

private:
  std::vector<Use> takeOver();

  ElementType element = ScalarType::U8;
  Shape shape;

  std::atomic<const StreamWork *> latest{nullptr}; ///< the latest mark since the last wait
  std::mutex mutex;
  std::vector<Use> uses;     ///< guarded by mutex
  std::uint64_t numbers = 0; ///< given to uses so far; guarded by mutex
};

/// A part of an allocation, for the operations of a stream.
struct DeviceRange {
  const std::shared_ptr<Allocation> &memory;
  std::uint64_t address = 0;
  std::size_t bytes = 0; ///< not 0
};

} // namespace spl::detail

#endif
