// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What contexts of every backend say alike: who they are, and what fills their memory.
#include "runtime/core/BackendContext.h"

#include "spl/Error.h"

#include <algorithm>

namespace spl::detail {

std::string BackendContext::describe() const {
  return std::string(toString(info.backend)) + " device " + std::to_string(info.index) + " (" +
         info.name + ")";
}

Error forkedProcess(const BackendContext &context) {
  return Error(
      {.code = ErrorCode::ForkedProcess,
       .message = "this context was opened before fork, in the parent process",
       .context = context.describe(),
       .remedy = "open contexts only after fork; a child of a process that used CUDA cannot"});
}

/// "; the largest of 5 arrays are f32[1000 x 20], 80000 bytes, ...", or nothing.
static std::string largest(std::vector<const Allocation *> live) {
  constexpr std::size_t shown = 3;
  if (live.empty())
    return "";
  const std::size_t count = std::min(shown, live.size());
  std::partial_sort(live.begin(), live.begin() + count, live.end(),
                    [](const auto *a, const auto *b) { return a->bytes > b->bytes; });
  std::string text = "; the largest of " + std::to_string(live.size()) + " live arrays: ";
  for (std::size_t i = 0; i < count; ++i)
    text += (i ? "; " : "") + live[i]->describe();
  return text;
}

ErrorInfo BackendContext::outOfMemory(std::size_t asked, std::uint64_t free) const {
  std::lock_guard lock(mutex);
  return {.code = ErrorCode::OutOfMemory,
          .message = "out of memory: " + std::to_string(asked) + " bytes asked, " +
                     std::to_string(free) + " free" + largest({live.begin(), live.end()}),
          .context = describe(),
          .remedy = "free arrays or use smaller ones"};
}

ErrorInfo BackendContext::poolExhausted(std::size_t asked, std::size_t used,
                                        std::size_t cap) const {
  std::lock_guard lock(mutex);
  return {.code = ErrorCode::OutOfMemory,
          .message = "the pool is at its cap: " + std::to_string(asked) + " bytes asked, " +
                     std::to_string(used) + " of " + std::to_string(cap) + " used" +
                     largest({live.begin(), live.end()}),
          .context = describe(),
          .remedy = "free arrays of the pool, or make it with a larger cap"};
}

} // namespace spl::detail
