// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Ptxsim.h"

#include <cstring>

namespace ptxsim {

std::uint64_t Memory::allocate(std::size_t bytes, bool readOnly) {
  if (bytes > available())
    return 0;
  constexpr std::size_t alignment = 4096; // large, so that the gaps between allocations are wide
  const std::uint64_t base = next;
  const std::size_t words = (bytes + 3) / 4; // the last one may be accessed as such
  auto owned = std::make_unique_for_overwrite<std::byte[]>(words * 4);
  std::memset(owned.get(), 0xcb, words * 4);
  std::byte *const at = owned.get();
  Allocation allocation{base, bytes, readOnly, at, std::move(owned)};
  next += (bytes + 2 * alignment - 1) / alignment * alignment;
  used += bytes;
  allocations.emplace(base, std::move(allocation));
  return base;
}

void Memory::map(std::byte *bytes, std::size_t size) {
  const auto base = reinterpret_cast<std::uintptr_t>(bytes);
  allocations.emplace(base, Allocation{base, size, false, bytes, nullptr});
}

bool Memory::free(std::uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  if (found->second.owned)
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
             ? allocation->bytes + (address - allocation->base)
             : nullptr;
}

void Memory::show(std::uint64_t address, bool shown) {
  if (auto found = allocations.find(address); found != allocations.end())
    found->second.shown = shown;
}

} // namespace ptxsim
