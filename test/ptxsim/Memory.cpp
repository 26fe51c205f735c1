// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Ptxsim.h"

#include <cstring>

namespace ptxsim {

std::uint64_t Memory::allocate(std::size_t bytes, bool readOnly) {
  if (bytes > available())
    return 0;
  constexpr std::size_t alignment = 4096; // far more than needed, so that the gaps are wide
  const std::uint64_t base = next;
  Allocation allocation{base, bytes, readOnly, std::make_unique_for_overwrite<std::byte[]>(bytes)};
  std::memset(allocation.bytes.get(), 0xcb, bytes);
  next += (bytes + 2 * alignment - 1) / alignment * alignment;
  used += bytes;
  allocations.emplace(base, std::move(allocation));
  return base;
}

bool Memory::free(std::uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  used -= found->second.size;
  ++freed;
  allocations.erase(found);
  return true;
}

const Memory::Allocation *Memory::before(std::uint64_t address) const {
  auto after = allocations.upper_bound(address);
  return after == allocations.begin() ? nullptr : &std::prev(after)->second;
}

std::byte *Memory::find(std::uint64_t address, std::size_t bytes) const {
  const Allocation *allocation = before(address);
  return allocation && allocation->holds(address, bytes)
             ? allocation->bytes.get() + (address - allocation->base)
             : nullptr;
}

} // namespace ptxsim
