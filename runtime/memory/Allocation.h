// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocated block of memory. Arrays, their views, graphs and queued work of the CPU share
// ownership, and the last owner frees it. An allocation has a list of the work that uses it, so
// that the host can wait for exactly that work.
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
  /// Adds this object to the context's live allocations.
  Allocation(std::shared_ptr<BackendContext> context, std::uint64_t address, std::size_t bytes);
  /// The destructor of the derived class frees the memory. Never throws.
  virtual ~Allocation();
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;

  const std::shared_ptr<BackendContext> context;
  const std::uint64_t address;
  const std::size_t bytes;

  /// Whether the host may read and write the memory at its address.
  virtual bool isHostAccessible() const { return false; }

  /// The account of the memory's pool, or null.
  virtual const PoolAccount *account() const { return nullptr; }

  /// The array for which the memory was allocated, such as "f32[1000 x 20]". Messages about memory
  /// show it.
  void describeAs(const ElementType &type, const Shape &extents);
  std::string describe() const;

  /// Marks the memory as used by \p work. Cheap if \p work made the latest mark. Removes the marks
  /// of destroyed streams whose work is done, except the first one that failed. The context's sync
  /// throws the errors of the others.
  void usedBy(const std::shared_ptr<StreamWork> &work);

  /// Waits for the work that uses the memory, and throws its asynchronous errors. May be called
  /// from several threads at once; each waits for all of the work.
  void waitForUses();

protected:
  struct Use {
    std::shared_ptr<StreamWork> work;
    std::uint64_t number = 0; ///< unique for this memory
  };

  /// As waitForUses, for destructors. Does not clear errors.
  void finishUses() noexcept;

  /// Removes and returns the uses, one for each stream.
  std::vector<Use> takeUses() noexcept;

private:
  std::vector<Use> takeOver();

  ElementType element = ScalarType::U8;
  Shape shape;

  /// The work of the latest mark since the last wait.
  std::atomic<const StreamWork *> latest{nullptr};
  std::mutex mutex;
  std::vector<Use> uses;     ///< guarded by mutex
  std::uint64_t numbers = 0; ///< the last number of a use; guarded by mutex
};

/// A part of an allocation that an operation of a stream uses.
struct DeviceRange {
  const std::shared_ptr<Allocation> &memory;
  std::uint64_t address = 0;
  std::size_t bytes = 0; ///< not 0
};

} // namespace spl::detail

#endif
