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
  if (std::find(uses.begin(), uses.end(), stream) == uses.end())
    uses.push_back(stream);
  latest.store(stream.get(), std::memory_order_release);
}

std::vector<std::shared_ptr<BackendStream>> Allocation::takeUses() noexcept {
  std::lock_guard lock(mutex);
  latest.store(nullptr, std::memory_order_release);
  return std::exchange(uses, {});
}

void Allocation::finishUses() noexcept {
  for (const std::shared_ptr<BackendStream> &stream : takeUses())
    stream->finish();
}

void Allocation::waitForUses() {
  std::exception_ptr first;
  for (const std::shared_ptr<BackendStream> &stream : takeUses())
    try {
      stream->sync();
    } catch (...) { // the others still use the memory
      if (!first)
        first = std::current_exception();
    }
  if (first)
    std::rethrow_exception(first);
}

} // namespace spl::detail
