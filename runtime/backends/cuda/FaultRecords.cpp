// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/FaultRecords.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace spl::detail {

/// Records that are allocated at once, and launches of a stream up to the next marker.
static constexpr std::size_t recordsAtOnce = 64;

// One record. The kernel writes the seal last, and claims the record first.

FaultRecord::~FaultRecord() {
  if (!owner->guard.inMakingProcess())
    return;
  clear();
  memory->counter[0] = 0;
  std::lock_guard lock(owner->mutex);
  owner->freeRecords.push_back(memory);
}

void FaultRecord::take(std::shared_ptr<GridCounter> launched) {
  counter = std::move(launched);
  memory->counter[0] = counter->address();
}

void FaultRecord::describe(std::shared_ptr<const FaultTable> checks, std::string kernelName,
                           const Geometry &launched) {
  std::lock_guard lock(owner->mutex); // a launch of a graph may change while the graph runs
  table = std::move(checks);
  kernel = std::move(kernelName);
  geometry = launched;
}

bool FaultRecord::isSealed() const {
  return std::atomic_ref(memory->seal[0]).load(std::memory_order_acquire) != 0;
}

void FaultRecord::clear() {
  memory->message[0] = 0;
  std::atomic_ref(memory->seal[0]).store(0, std::memory_order_relaxed);
  std::atomic_ref(memory->claimed[0]).store(0, std::memory_order_release);
}

// All of a context.

std::shared_ptr<FaultRecord>
FaultRecords::make(const std::function<void(CuResult, std::size_t bytes)> &fail) {
  spl_fault_record *record = nullptr;
  auto takeFree = [&] {
    if (freeRecords.empty())
      return false;
    record = freeRecords.back();
    freeRecords.pop_back();
    return true;
  };
  if (std::lock_guard lock(mutex); takeFree())
    return std::make_shared<FaultRecord>(shared_from_this(), record);
  // Without the lock: the driver may wait for a host function, which reads records.
  constexpr std::size_t bytes = recordsAtOnce * sizeof(spl_fault_record);
  void *block = nullptr;
  if (const CuResult result = driver.memAllocHost(&block, bytes); result != CuResult::Success)
    fail(result, bytes);
  auto *records = new (block) spl_fault_record[recordsAtOnce]();
  {
    std::lock_guard lock(mutex);
    blocks.push_back(block);
    for (std::size_t i = recordsAtOnce; i-- > 0;)
      freeRecords.push_back(records + i);
    takeFree();
  }
  return std::make_shared<FaultRecord>(shared_from_this(), record);
}

void FaultRecords::enqueued(CuStream stream, Queue &queue,
                            std::shared_ptr<const FaultRecordSet> records) {
  // Kernels after an error run: no error skips them.
  const WorkPlace place = queue.errors->add(/*isSkippable=*/false);
  std::uint64_t number = 0;
  {
    std::lock_guard lock(mutex);
    number = ++numbers;
    pending.push_back({number, queue.errors, place, std::move(records)});
  }
  if (++queue.unmarked < recordsAtOnce)
    return;
  queue.unmarked = 0;
  endMarked(queue.errors.get());
  mark(stream, queue, number - 1); // a run of a graph is about to be enqueued
}

/// Failures are ignored: without a marker the launches stay pending until a wait.
void FaultRecords::mark(CuStream stream, const Queue &queue, std::uint64_t number) {
  CuEvent event = nullptr;
  if (std::lock_guard lock(mutex); !freeEvents.empty()) {
    event = freeEvents.back();
    freeEvents.pop_back();
  }
  constexpr unsigned withoutTime = 2;
  if (!event && driver.eventCreate(&event, withoutTime) != CuResult::Success)
    return;
  const bool isRecorded = driver.eventRecord(event, stream) == CuResult::Success;
  std::lock_guard lock(mutex);
  if (isRecorded)
    markers.push_back({number, queue.errors, event});
  else
    freeEvents.push_back(event);
}

/// An event that another thread has freed meanwhile is for work that is over too.
void FaultRecords::endMarked(const StreamErrors *errors) {
  std::vector<std::pair<std::uint64_t, CuEvent>> marked;
  {
    std::lock_guard lock(mutex);
    for (const Marker &marker : markers)
      if (marker.errors.get() == errors)
        marked.emplace_back(marker.number, marker.event);
  }
  std::uint64_t reached = 0;
  for (const auto &[number, event] : marked) {
    if (driver.eventQuery(event) != CuResult::Success)
      break;
    reached = number;
  }
  if (reached != 0)
    endWork(errors, reached);
}

std::uint64_t FaultRecords::now() const {
  std::lock_guard lock(mutex);
  return numbers;
}

void FaultRecords::readOwnRecords() {
  struct Found {
    std::uint64_t number;
    std::shared_ptr<FaultRecord> record;
    WorkPlace place;
    Error error;
  };
  std::vector<Found> found;
  {
    std::lock_guard lock(mutex);
    std::vector<const FaultRecord *> seen; // of a graph the first of its runs has failed
    for (const Pending &each : pending)
      for (const std::shared_ptr<FaultRecord> &record : *each.records) {
        if (each.hasFailed || !record->isSealed() ||
            std::find(seen.begin(), seen.end(), record.get()) != seen.end())
          continue;
        seen.push_back(record.get());
        found.push_back({each.number, record, each.place, record->error(device)});
      }
  }
  if (found.empty())
    return;
  // Another thread may have found the same; then the first of both has failed the operation. An
  // error that is dropped may run code of the program, so no lock is held.
  for (const Found &each : found)
    StreamErrors::fail(each.place, each.error);
  std::lock_guard lock(mutex);
  for (const Found &each : found) {
    auto at = std::lower_bound(
        pending.begin(), pending.end(), each.number,
        [](const Pending &one, std::uint64_t number) { return one.number < number; });
    if (at == pending.end() || at->number != each.number || at->hasFailed)
      continue;
    for (const Found &other : found) // of one run
      if (other.number == each.number)
        other.record->clear();
    at->hasFailed = true;
  }
}

void FaultRecords::readRecords() {
  std::vector<std::weak_ptr<FaultRecords>> also;
  {
    std::lock_guard lock(mutex);
    also = others;
  }
  for (const std::weak_ptr<FaultRecords> &each : also)
    if (const std::shared_ptr<FaultRecords> records = each.lock())
      records->readOwnRecords();
  readOwnRecords();
}

template <typename IsOver> void FaultRecords::end(IsOver isOver) {
  readRecords();
  std::vector<Pending> over; // both end after the lock
  std::vector<std::shared_ptr<StreamErrors>> ofMarkers;
  {
    std::lock_guard lock(mutex);
    std::erase_if(pending, [&](Pending &each) {
      if (!isOver(each))
        return false;
      over.push_back(std::move(each));
      return true;
    });
    std::erase_if(markers, [&](const Marker &marker) {
      if (!isOver(marker))
        return false;
      freeEvents.push_back(marker.event);
      ofMarkers.push_back(marker.errors);
      return true;
    });
  }
  for (const Pending &each : over)
    StreamErrors::finish(each.place);
}

void FaultRecords::endWork(const StreamErrors *errors, std::uint64_t number) {
  end([=](const auto &each) { return each.errors.get() == errors && each.number <= number; });
}

void FaultRecords::endAll(std::uint64_t number) {
  end([=](const auto &each) { return each.number <= number; });
}

void FaultRecords::alsoRead(const std::shared_ptr<FaultRecords> &other) {
  std::lock_guard lock(mutex);
  std::erase_if(others, [](const std::weak_ptr<FaultRecords> &each) { return each.expired(); });
  for (const std::weak_ptr<FaultRecords> &each : others)
    if (each.lock() == other)
      return;
  others.push_back(other);
}

bool FaultRecords::isIdle() const {
  std::lock_guard lock(mutex);
  return pending.empty();
}

void FaultRecords::close() {
  endAll(now()); // records end before their memory
  std::lock_guard lock(mutex);
  for (CuEvent event : freeEvents)
    driver.eventDestroy(event);
  for (void *block : blocks)
    driver.memFreeHost(block);
  freeEvents.clear();
  freeRecords.clear();
  blocks.clear();
}

} // namespace spl::detail
