// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages that contexts of all backends share: their names, and what fills their memory.
#include "runtime/backends/BackendContext.h"

#include "runtime/memory/PoolAccount.h"
#include "runtime/system/Checks.h"
#include "spl/Error.h"

#include <algorithm>

namespace spl::detail {

std::string BackendContext::describe() const {
  return std::string(toString(info.backend)) + " device " + std::to_string(info.index) + " (" +
         info.name + ")";
}

void BackendContext::requireMakingProcess() const {
  if (!inMakingProcess())
    throw Error(
        {.code = ErrorCode::ForkedProcess,
         .message = "this context was opened before fork, in the parent process",
         .context = describe(),
         .hint = "open contexts only after fork; a child of a process that used CUDA cannot"});
}

void BackendContext::requireNoCapture() const {
  if (captures != 0)
    refuse("sync: a stream of the context is being captured; nothing of its work runs yet",
           "end the capture first, or sync the other streams");
}

std::string BackendContext::largestArrays(const PoolAccount *pool) const {
  std::lock_guard lock(mutex);
  std::vector<const Allocation *> arrays;
  for (const Allocation *each : live)
    if (!pool || each->account() == pool)
      arrays.push_back(each);
  if (arrays.empty())
    return "";
  const std::size_t count = std::min<std::size_t>(3, arrays.size());
  std::partial_sort(arrays.begin(), arrays.begin() + count, arrays.end(),
                    [](const auto *a, const auto *b) { return a->bytes > b->bytes; });
  std::string text = "; the largest of " + std::to_string(arrays.size()) + " live arrays: ";
  for (std::size_t i = 0; i < count; ++i)
    text += (i ? "; " : "") + arrays[i]->describe();
  return text;
}

ErrorInfo BackendContext::outOfMemory(std::size_t asked, std::optional<std::uint64_t> free) const {
  return {.code = ErrorCode::OutOfMemory,
          .message = "out of memory: " + std::to_string(asked) + " bytes asked" +
                     (free ? ", " + std::to_string(*free) + " free" : "") + largestArrays(),
          .context = describe(),
          .hint = "free arrays or use smaller ones"};
}

ErrorInfo BackendContext::poolExhausted(std::size_t asked, const PoolAccount &pool,
                                        std::size_t cap) const {
  return {.code = ErrorCode::OutOfMemory,
          .message = "the pool is at its cap: " + std::to_string(asked) + " bytes asked, " +
                     std::to_string(pool.read().used) + " of " + std::to_string(cap) + " used" +
                     largestArrays(&pool),
          .context = describe(),
          .hint = "free arrays of the pool, or make it with a larger cap"};
}

} // namespace spl::detail
