// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Allocation.h"

#include "runtime/core/BackendContext.h"

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

void Allocation::usedOn(const std::shared_ptr<BackendStream> &stream) {
  if (latest.load(std::memory_order_acquire) == stream.get())
    return;
  std::lock_guard lock(mutex);
  auto use = std::find_if(uses.begin(), uses.end(),
                          [&](const Use &each) { return each.stream == stream; });
  if (use == uses.end())
    use = uses.insert(uses.end(), {stream});
  use->number = ++numbers;
  latest.store(stream.get(), std::memory_order_release);
}

std::vector<Allocation::Use> Allocation::takeUses() noexcept {
  std::lock_guard lock(mutex);
  latest.store(nullptr, std::memory_order_release);
  return std::exchange(uses, {});
}

void Allocation::finishUses() noexcept {
  for (const Use &use : takeUses())
    use.stream->finish();
}

void Allocation::waitForUses() {
  std::vector<Use> waited;
  {
    std::lock_guard lock(mutex);
    latest.store(nullptr, std::memory_order_release); // a use from now on gets a new number
    waited = uses;
  }
  std::exception_ptr first;
  for (Use &use : waited)
    try {
      use.stream->sync();
    } catch (...) { // the others still use the memory, and this one may
      if (!first)
        first = std::current_exception();
      use.number = 0;
    }
  // Only now, since another thread that comes meanwhile must wait for them too; and not what was
  // used again.
  std::lock_guard lock(mutex);
  std::erase_if(uses, [&](const Use &use) {
    return std::any_of(waited.begin(), waited.end(),
                       [&](const Use &each) { return each.number == use.number; });
  });
  if (first)
    std::rethrow_exception(first);
}

} // namespace spl::detail
