// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A piece of memory that arrays share: an array, the views of it, the graphs that will use it and
// the queued work of the CPU each hold it, and the last one gives it back. It knows the work that
// uses it, so that what the host does to it can wait for exactly that.
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
  /// Puts itself among the context's live ones.
  Allocation(std::shared_ptr<BackendContext> context, std::uint64_t address, std::size_t bytes);
  /// Derived classes give the memory back in theirs. Never throws.
  virtual ~Allocation();
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;

  const std::shared_ptr<BackendContext> context;
  const std::uint64_t address;
  const std::size_t bytes;

  /// Whether the host may read and write it at its address.
  virtual bool isHostAccessible() const { return false; }

  /// The account of the pool it is from, or null.
  virtual const PoolAccount *account() const { return nullptr; }

  /// What it was first made for, such as "f32[1000 x 20]", for messages about memory.
  void describeAs(const ElementType &type, const Shape &extents);
  std::string describe() const;

  /// Notes that \p work uses it. Cheap where it is the last one noted. Of streams that have ended
  /// and whose work is done none stays noted, but for the first that failed: what the others left
  /// is for the context's sync to throw.
  void usedBy(const std::shared_ptr<StreamWork> &work);

  /// Waits for the work that was noted, and throws what it left as an error. From any thread: each
  /// waits for all of it.
  void waitForUses();

protected:
  struct Use {
    std::shared_ptr<StreamWork> work;
    std::uint64_t number = 0; ///< no other use of the memory has it
  };

  /// The same for destructors: what went wrong is for others to know.
  void finishUses() noexcept;

  /// The uses that were noted, one a stream; none is noted any more.
  std::vector<Use> takeUses() noexcept;

private:
  std::vector<Use> takeOver();

  ElementType element = ScalarType::U8;
  Shape shape;

  std::atomic<const StreamWork *> latest{nullptr}; ///< the last one noted since the last wait
  std::mutex mutex;
  std::vector<Use> uses;     ///< guarded by mutex
  std::uint64_t numbers = 0; ///< given to uses so far; guarded by mutex
};

/// A part of an allocation, as a stream's operations take it.
struct DeviceRange {
  const std::shared_ptr<Allocation> &memory;
  std::uint64_t address = 0;
  std::size_t bytes = 0; ///< not 0
};

} // namespace spl::detail

#endif
