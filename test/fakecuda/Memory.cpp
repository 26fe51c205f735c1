// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory: every address must lie in one allocation, all of it.
#include "test/fakecuda/Entries.h"
#include "test/fakecuda/State.h"

#include <cstring>

using spl::test::state;

template <typename T>
static CuResult setAll(spl::test::Call &call, CuDevicePtr address, T value, std::size_t count) {
  std::byte *bytes = call.context().memory.find(address, count * sizeof value);
  if (!bytes)
    return call.mistake("of memory that is not allocated");
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(bytes + i * sizeof value, &value, sizeof value);
  return CuResult::Success;
}

extern "C" {

CuResult cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
  SPL_ENTER("cuMemGetInfo", true);
  *free = call.context().memory.available();
  *total = CuContextObject::capacity;
  return CuResult::Success;
}

CuResult cuMemAlloc_v2(CuDevicePtr *address, std::size_t bytes) {
  SPL_ENTER("cuMemAlloc", true);
  if (bytes == 0)
    return spl::test::invalidValue;
  *address = call.context().memory.allocate(bytes);
  if (*address == 0)
    return CuResult::OutOfMemory;
  call.context().allocations.insert(*address);
  state().count();
  return CuResult::Success;
}

CuResult cuMemFree_v2(CuDevicePtr address) {
  SPL_ENTER("cuMemFree", true);
  if (call.context().allocations.erase(address) == 0)
    return call.mistake("of an address that is not allocated");
  call.context().memory.free(address);
  state().count();
  return CuResult::Success;
}

CuResult cuMemcpyHtoD_v2(CuDevicePtr target, const void *source, std::size_t bytes) {
  SPL_ENTER("cuMemcpyHtoD", true);
  std::byte *to = call.context().memory.find(target, bytes);
  if (!to)
    return call.mistake("into memory that is not allocated");
  std::memcpy(to, source, bytes);
  return CuResult::Success;
}

CuResult cuMemcpyDtoH_v2(void *target, CuDevicePtr source, std::size_t bytes) {
  SPL_ENTER("cuMemcpyDtoH", true);
  const std::byte *from = call.context().memory.find(source, bytes);
  if (!from)
    return call.mistake("from memory that is not allocated");
  std::memcpy(target, from, bytes);
  return CuResult::Success;
}

CuResult cuMemcpyDtoD_v2(CuDevicePtr target, CuDevicePtr source, std::size_t bytes) {
  SPL_ENTER("cuMemcpyDtoD", true);
  std::byte *to = call.context().memory.find(target, bytes);
  const std::byte *from = call.context().memory.find(source, bytes);
  if (!to || !from)
    return call.mistake("between memory that is not allocated");
  if (source < target + bytes && target < source + bytes)
    return call.mistake("between overlapping ranges");
  std::memcpy(to, from, bytes);
  return CuResult::Success;
}

CuResult cuMemsetD8_v2(CuDevicePtr address, unsigned char value, std::size_t count) {
  SPL_ENTER("cuMemsetD8", true);
  return setAll(call, address, value, count);
}

CuResult cuMemsetD16_v2(CuDevicePtr address, unsigned short value, std::size_t count) {
  SPL_ENTER("cuMemsetD16", true);
  return setAll(call, address, value, count);
}

CuResult cuMemsetD32_v2(CuDevicePtr address, unsigned value, std::size_t count) {
  SPL_ENTER("cuMemsetD32", true);
  return setAll(call, address, value, count);
}

} // extern "C"
