// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fault records of a context's launches (fault_record.h). They are in pinned memory, which the
// device writes and the host reads. Each launch has a record of its own until it is over. Each
// launch of an instantiated graph keeps its record. A sealed record fails the operation of its
// launch. Faults are reported in the order of the launches.
//
// Reading a record calls no driver function, so host functions can read records too. A launch is
// over when a wait for its stream returns. In a stream that nobody waits for, an event after every
// 64 launches shows it. The record is then free.
//
// May be used from any thread.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_FAULTRECORDS_H
#define SPL_RUNTIME_BACKENDS_CUDA_FAULTRECORDS_H

#include "runtime/backends/cuda/Driver.h"
#include "runtime/backends/cuda/GridCounters.h"
#include "runtime/launch/FaultTable.h"
#include "runtime/stream/AsyncErrors.h"
#include "runtime/system/ForkGuard.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace spl::detail {

class FaultRecords;

/// A record, and the launch that it reports about. The destructor returns it to the free records.
/// It runs when the launch is over and no graph keeps the record.
class FaultRecord {
public:
  FaultRecord(std::shared_ptr<FaultRecords> owner, spl_fault_record *memory)
      : owner(std::move(owner)), memory(memory) {}
  ~FaultRecord();
  FaultRecord(const FaultRecord &) = delete;
  FaultRecord &operator=(const FaultRecord &) = delete;

  /// The launch that has it.
  void describe(std::shared_ptr<const FaultTable> checks, std::string kernelName,
                const Geometry &launched);

  /// The counter of the launch's grid barriers, which it keeps. Called once, before the launch.
  void take(std::shared_ptr<GridCounter> launched);

  /// As the kernel takes it.
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(memory); }
  /// The address of the counter; 0 without one.
  std::uint64_t counterAddress() const { return counter ? counter->address() : 0; }

private:
  friend class FaultRecords;

  bool isSealed() const;
  Error error(const std::string &device) const {
    return table->errorOf(*memory, geometry, kernel, device);
  }
  void clear();

  const std::shared_ptr<FaultRecords> owner;
  spl_fault_record *const memory;
  std::shared_ptr<GridCounter> counter;
  std::shared_ptr<const FaultTable> table;
  std::string kernel;
  Geometry geometry;
};

/// The records of a launch, or of the launches of a graph.
using FaultRecordSet = std::vector<std::shared_ptr<FaultRecord>>;

class FaultRecords : public std::enable_shared_from_this<FaultRecords> {
public:
  /// \p device names it in messages.
  FaultRecords(const Driver &driver, std::string device)
      : driver(driver), device(std::move(device)) {}

  /// An empty record. The context is current. \p fail throws the error for a failed allocation of
  /// that size.
  std::shared_ptr<FaultRecord> make(const std::function<void(CuResult, std::size_t bytes)> &fail);

  /// The state that a stream keeps for its fault records. Used by the thread that enqueues.
  struct Queue {
    const std::shared_ptr<StreamErrors> errors;
    unsigned unmarked = 0; ///< launches after the last marker
  };

  /// A launch was enqueued in the driver's \p stream, or a run of a graph is about to be, whose
  /// kernels have these records. The context is current.
  void enqueued(CuStream stream, Queue &queue, std::shared_ptr<const FaultRecordSet> records);

  /// A number for what was enqueued so far.
  std::uint64_t now() const;

  /// Fails the operations whose records are sealed.
  void readRecords();
  /// The same, where a wait has found that what was enqueued in the stream of \p errors up to
  /// \p number is over.
  void endWork(const StreamErrors *errors, std::uint64_t number);
  /// The same for all streams.
  void endAll(std::uint64_t number);

  /// Reads the records of another context too, because a stream of this one waits for an event of
  /// it.
  void alsoRead(const std::shared_ptr<FaultRecords> &other);

  /// Releases the memory. Nothing of the context runs any more, and the context is current.
  void close();
  bool isIdle() const;

private:
  friend class FaultRecord;

  /// What is enqueued and not known to be over.
  struct Pending {
    std::uint64_t number;
    std::shared_ptr<StreamErrors> errors; ///< of the stream; kept for the context's sync
    WorkPlace place;
    std::shared_ptr<const FaultRecordSet> records;
    bool hasFailed = false;
  };
  /// An event after what was enqueued in a stream up to a number.
  struct Marker {
    std::uint64_t number;
    std::shared_ptr<StreamErrors> errors;
    CuEvent event;
  };

  void readOwnRecords();
  template <typename IsOver> void end(IsOver isOver);
  void endMarked(const StreamErrors *errors);
  void mark(CuStream stream, const Queue &queue, std::uint64_t number);

  const Driver &driver;
  const std::string device;
  const ForkGuard guard;

  mutable std::mutex mutex;
  // Guarded by mutex:
  std::uint64_t numbers = 0;
  std::deque<Pending> pending; ///< in the order of their numbers
  std::deque<Marker> markers;
  std::vector<CuEvent> freeEvents;
  std::vector<void *> blocks; ///< of the driver's memory
  std::vector<spl_fault_record *> freeRecords;
  std::vector<std::weak_ptr<FaultRecords>> others;
};

} // namespace spl::detail

#endif
