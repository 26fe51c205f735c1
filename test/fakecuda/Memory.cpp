// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of devices, and memory of the host that a device can access.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"

using namespace spl::fake;

static void unmap(const void *bytes) {
  for (const auto &[handle, context] : state().contexts)
    context->memory.free(reinterpret_cast<std::uintptr_t>(bytes));
}

static void mapIntoAll(std::byte *bytes, std::size_t size) {
  for (const auto &[handle, context] : state().contexts)
    context->memory.map(bytes, size);
}

static HostBytes hostBytes(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  const std::size_t whole = (bytes + page - 1) / page * page;
  HostBytes made(static_cast<std::byte *>(std::aligned_alloc(page, whole)));
  std::fill_n(made.get(), whole, std::byte{0xcb});
  return made;
}

extern "C" {

CuResult cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
  return enter("cuMemGetInfo", InContext, [&](Call &call) -> CuResult {
    *free = call.context().memory.available();
    *total = Context::capacity;
    return CuResult::Success;
  });
}

CuResult cuMemAlloc_v2(CuDevicePtr *address, std::size_t bytes) {
  return enter("cuMemAlloc", InContext | NotInCapture, [&](Call &call) -> CuResult {
    if (bytes == 0)
      return give(InvalidValue);
    const std::uint64_t made = call.context().memory.allocate(bytes);
    if (made == 0)
      return CuResult::OutOfMemory;
    *address = made;
    call.context().allocations[made].bytes = bytes;
    state().count();
    return CuResult::Success;
  });
}

CuResult cuMemFree_v2(CuDevicePtr address) {
  return enter("cuMemFree", InContext | NotInCapture | Releases, [&](Call &call) -> CuResult {
    call.waitForAll(); // the real driver also waits for all work before it frees memory
    auto found = call.context().allocations.find(address);
    if (found == call.context().allocations.end())
      return call.misuse("of an address that is not allocated");
    if (found->second.host)
      unmap(found->second.host.get());
    call.context().memory.free(address);
    if (found->second.pool)
      found->second.pool->used -= found->second.bytes;
    call.context().allocations.erase(found);
    state().count();
    return CuResult::Success;
  });
}

CuResult cuMemAllocManaged(CuDevicePtr *address, std::size_t bytes, unsigned flags) {
  return enter("cuMemAllocManaged", InContext | NotInCapture, [&](Call &call) -> CuResult {
    if (bytes == 0 || (flags != 1 && flags != 2)) // 1 is global, 2 is host
      return give(InvalidValue);
    if (bytes > call.context().memory.available())
      return CuResult::OutOfMemory;
    Allocation made{bytes, nullptr, hostBytes(bytes)};
    mapIntoAll(made.host.get(), bytes);
    *address = reinterpret_cast<std::uintptr_t>(made.host.get());
    call.context().allocations.emplace(*address, std::move(made));
    state().count();
    return CuResult::Success;
  });
}

CuResult cuMemAllocHost_v2(void **address, std::size_t bytes) {
  return enter("cuMemAllocHost", InContext | NotInCapture, [&](Call &call) -> CuResult {
    if (bytes == 0)
      return give(InvalidValue);
    if (bytes > Context::capacity)
      return CuResult::OutOfMemory;
    HostBlock block{hostBytes(bytes), bytes, call.sharedContext()};
    mapIntoAll(block.bytes.get(), bytes);
    *address = block.bytes.get();
    state().hostBlocks.emplace(reinterpret_cast<std::uintptr_t>(*address), std::move(block));
    state().count();
    return CuResult::Success;
  });
}

CuResult cuMemFreeHost(void *address) {
  return enter("cuMemFreeHost", InContext | NotInCapture | Releases, [&](Call &call) -> CuResult {
    auto found = state().hostBlocks.find(reinterpret_cast<std::uintptr_t>(address));
    if (found == state().hostBlocks.end())
      return call.misuse("of an address that is not page-locked");
    if (const std::string user = queuedUser(address, found->second.size); !user.empty())
      call.misuse("while " + user + " still uses it");
    call.waitForAll();
    unmap(address);
    state().hostBlocks.erase(found);
    state().count();
    return CuResult::Success;
  });
}

} // extern "C"
