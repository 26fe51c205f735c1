// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for one slice, between large inaccessible areas.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <stdexcept>
#include <sys/mman.h>

namespace spl::random {

class GuardedMemory {
public:
  GuardedMemory() {
    void *all = mmap(nullptr, 2 * guard + size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
      throw std::bad_alloc();
    base = static_cast<unsigned char *>(all) + guard;
    if (mprotect(base, size, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
  }
  ~GuardedMemory() { munmap(base - guard, 2 * guard + size); }
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;

  /// Returns \p bytes bytes at the start or the end. Fills the accessible bytes around them.
  unsigned char *place(std::size_t bytes, bool isAtEnd) {
    if (bytes > static_cast<std::size_t>(size))
      throw std::length_error("a slice is larger than its place");
    at = isAtEnd ? base + size - bytes : base;
    end = at + bytes;
    std::memset(from(), filling, static_cast<std::size_t>(to() - from()));
    return at;
  }
  unsigned char *bytes() const { return at; }
  /// Whether the bytes around still have their fill.
  bool isIntact() const {
    auto isFilling = [](unsigned char byte) { return byte == filling; };
    return std::all_of(from(), at, isFilling) && std::all_of(end, to(), isFilling);
  }

private:
  unsigned char *from() const { return std::max(base, at - margin); }
  unsigned char *to() const { return std::min(base + size, end + margin); }

  static constexpr std::ptrdiff_t guard = std::ptrdiff_t{1} << 30, size = 1 << 18, margin = 1 << 12;
  static constexpr unsigned char filling = 0xa5;
  unsigned char *base, *at = nullptr, *end = nullptr;
};

} // namespace spl::random
