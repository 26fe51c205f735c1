// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/Allocation.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/stream/StreamWork.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace spl::detail {

Allocation::Allocation(std::shared_ptr<BackendContext> opened, std::uint64_t address,
                       std::size_t bytes)
    : context(std::move(opened)), address(address), bytes(bytes) {
  std::lock_guard lock(context->mutex);
  context->live.insert(this);
}

Allocation::~Allocation() {
  if (!context->inMakingProcess()) // a thread that fork did not copy may have held the mutex
    return;
  std::lock_guard lock(context->mutex);
  context->live.erase(this);
}

void Allocation::describeAs(const ElementType &type, const Shape &extents) {
  std::lock_guard lock(context->mutex);
  element = type;
  shape = extents;
}

std::string Allocation::describe() const {
  return (shape.rank() ? element.str() + "[" + shape.str() + "], " : "") + std::to_string(bytes) +
         " bytes";
}

/// Removes and returns the uses that are done and need not be kept. The caller holds the mutex.
std::vector<Allocation::Use> Allocation::takeOver() {
  std::vector<Use> over;
  bool keepsFailed = false;
  std::erase_if(uses, [&](Use &use) {
    if (!use.work->isOver() || (!keepsFailed && (keepsFailed = use.work->errors->hasFailed())))
      return false;
    over.push_back(std::move(use));
    return true;
  });
  return over;
}

void Allocation::usedBy(const std::shared_ptr<StreamWork> &work) {
  if (latest.load(std::memory_order_acquire) == work.get())
    return;
  std::vector<Use> over; // destroyed after the lock is released
  std::lock_guard lock(mutex);
  auto use =
      std::find_if(uses.begin(), uses.end(), [&](const Use &each) { return each.work == work; });
  if (use == uses.end()) {
    over = takeOver();
    use = uses.insert(uses.end(), {work});
  }
  use->number = ++numbers;
  latest.store(work.get(), std::memory_order_release);
}

std::vector<Allocation::Use> Allocation::takeUses() noexcept {
  std::lock_guard lock(mutex);
  latest.store(nullptr, std::memory_order_release);
  return std::exchange(uses, {});
}

void Allocation::finishUses() noexcept {
  for (const Use &use : takeUses())
    use.work->finish();
}

void Allocation::waitForUses() {
  std::vector<Use> waited;
  {
    std::lock_guard lock(mutex);
    latest.store(nullptr, std::memory_order_release); // later uses get a new number
    waited = uses;
  }
  std::vector<WorkPlace> places;
  for (const Use &use : waited)
    places.push_back(use.work->errors->now());
  std::exception_ptr refused;
  for (const Use &use : waited)
    try {
      use.work->wait();
    } catch (...) { // this use and the following ones may not be done, so all of them are kept
      if (!refused)
        refused = std::current_exception();
    }
  if (refused)
    std::rethrow_exception(refused);
  std::vector<Use> over; // destroyed after the lock is released
  {
    // The uses are removed only after the wait, because other threads that wait meanwhile must wait
    // for them too. A use with a new number is kept.
    std::lock_guard lock(mutex);
    std::erase_if(uses, [&](Use &use) {
      if (std::none_of(waited.begin(), waited.end(),
                       [&](const Use &each) { return each.number == use.number; }))
        return false;
      over.push_back(std::move(use));
      return true;
    });
  }
  TakenErrors taken;
  for (const WorkPlace &place : places)
    taken.take(place);
  taken.rethrow();
}

} // namespace spl::detail
