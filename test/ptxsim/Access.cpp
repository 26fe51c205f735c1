// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates a thread's addresses into the bytes behind them, and checks each access.
#include "test/ptxsim/Machine.h"

#include <cstdio>

namespace ptxsim {

std::uint64_t windowOf(Space space) {
  switch (space) {
  case Space::Shared:
    return sharedWindow;
  case Space::Local:
    return localWindow;
  case Space::Param:
    return paramWindow;
  case Space::Generic:
  case Space::Global:
  case Space::Const:
    return 0;
  }
  return 0;
}

Space spaceAt(std::uint64_t address) {
  for (Space space : {Space::Shared, Space::Local, Space::Param})
    if (address - windowOf(space) < windowSize)
      return space;
  return Space::Global;
}

static std::string bytesText(std::size_t bytes, const char *space, std::uint64_t address) {
  char text[96];
  std::snprintf(text, sizeof text, "%zu bytes of %s memory at 0x%llx", bytes, space,
                static_cast<unsigned long long>(address));
  return text;
}

/// Whether the access is of the aligned word in which memory of so many bytes ends. The memory of a
/// device does not end inside of a word, and atomics on bytes are compare-and-swaps of words.
static bool isLastWord(std::uint64_t offset, std::size_t bytes, std::size_t size) {
  return bytes == 4 && offset % 4 == 0 && offset < size;
}

std::byte *Warp::access(const Inst &inst, unsigned lane, std::uint64_t address, std::size_t bytes,
                        std::size_t alignment, bool isStore) {
  // Addresses of these have 32 bits. That of an element before the offset of an access wraps.
  if (inst.space == Space::Shared || inst.space == Space::Local)
    address = static_cast<std::uint32_t>(address);
  if (address % alignment != 0)
    fail(ErrorKind::Misaligned, inst, lane, bytesText(bytes, "misaligned", address));
  Space space = inst.space;
  if (space == Space::Generic) {
    space = spaceAt(address);
    address -= windowOf(space);
  }
  auto within = [&](std::byte *memory, std::size_t size, const char *name) {
    const bool isInside = address <= size && bytes <= size - address;
    if (!isInside && !(space == Space::Shared && isLastWord(address, bytes, size)))
      fail(ErrorKind::OutOfBounds, inst, lane,
           bytesText(bytes, name, address) + ", of which there are " + std::to_string(size));
    return memory + address;
  };
  switch (space) {
  case Space::Shared:
    return within(block.shared.data(), grid.kernel.sharedBytes + grid.options.dynamicSharedBytes,
                  "shared");
  case Space::Local:
    return within(localMemory(lane), grid.program.localBytes, "local");
  case Space::Param:
    if (isStore)
      fail(ErrorKind::ReadOnly, inst, lane, "a store into the kernel's parameters");
    return within(grid.params.data(), grid.params.size(), "parameter");
  case Space::Generic:
  case Space::Global:
  case Space::Const:
    return global(inst, lane, address, bytes, isStore);
  }
  return nullptr;
}

std::byte *Warp::global(const Inst &inst, unsigned lane, std::uint64_t address, std::size_t bytes,
                        bool isStore) {
  const Memory::Allocation *&hint =
      grid.hints[static_cast<std::size_t>(&inst - grid.program.code.data())];
  if (!hint || !hint->holds(address, bytes))
    hint = grid.memory.before(address);
  const bool isInside =
      hint && (hint->holds(address, bytes) ||
               (hint->owned && isLastWord(address - hint->base, bytes, hint->size)));
  if (!isInside)
    fail(ErrorKind::OutOfBounds, inst, lane,
         bytesText(bytes, "global", address) +
             (hint && hint->shown ? ", " + std::to_string(address - hint->base) + " bytes into " +
                                        std::to_string(hint->size) + " that are allocated"
                                  : ", where nothing is allocated"));
  if (hint->readOnly && isStore)
    fail(ErrorKind::ReadOnly, inst, lane, "a store into constants");
  return hint->bytes + (address - hint->base);
}

} // namespace ptxsim
