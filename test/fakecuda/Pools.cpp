// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools with allocations in stream order. Memory counts as free as soon as its release is
// queued, because a later allocation can be ordered after that release.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"

using namespace spl::fake;

/// A pool reserves memory of the device in multiples of this.
constexpr std::uint64_t granularity = 2 << 20;

/// Values of CUmemPool_attribute.
enum PoolAttribute { ReleaseThreshold = 4, Reserved, ReservedHigh, Used, UsedHigh };

static CuResult allocate(Call &call, CuDevicePtr *address, std::size_t bytes,
                         const std::shared_ptr<Pool> &pool, CuStream handle) {
  const std::uint64_t used = pool->used + bytes;
  const std::uint64_t reserved =
      std::max(pool->reserved, (used + granularity - 1) / granularity * granularity);
  if (pool->limit != 0 && reserved > pool->limit && used > pool->limit)
    return CuResult::OutOfMemory;
  ptxsim::Memory &memory = call.context().memory;
  const std::uint64_t made = memory.allocate(bytes);
  if (made == 0)
    return CuResult::OutOfMemory;
  memory.show(made, false);
  const CuResult result = call.enqueue(handle, {AllocateWork{made}});
  if (result != CuResult::Success) {
    memory.free(made);
    return result;
  }
  pool->used = used;
  pool->usedHigh = std::max(pool->usedHigh, used);
  pool->reserved = reserved;
  pool->reservedHigh = std::max(pool->reservedHigh, reserved);
  call.context().allocations.emplace(made, Allocation{bytes, pool, nullptr});
  state().count();
  *address = made;
  return CuResult::Success;
}

extern "C" {

CuResult cuMemPoolCreate(CuMemPool *pool, const CuMemPoolProps *props) {
  return enter("cuMemPoolCreate", Plain, [&](Call &call) -> CuResult {
    if (props->allocationType != 1 || props->locationType != 1 || !isDevice(props->locationId) ||
        props->securityAttributes ||
        std::any_of(std::begin(props->reserved), std::end(props->reserved),
                    [](unsigned char byte) { return byte != 0; }))
      return call.misuse("with properties that no pool has");
    auto made = std::make_shared<Pool>();
    made->device = props->locationId - firstDevice;
    if (state().visible.driverVersion >= 12020)
      made->limit = props->maxSize;
    *pool = state().pools.add(std::move(made));
    state().count();
    return CuResult::Success;
  });
}

CuResult cuMemPoolDestroy(CuMemPool handle) {
  return enter("cuMemPoolDestroy", Releases, [&](Call &call) -> CuResult {
    // Allocations of the pool live until they are freed.
    if (!state().pools.erase(handle))
      return call.misuse("of what is no pool");
    state().count();
    return CuResult::Success;
  });
}

CuResult cuMemPoolSetAttribute(CuMemPool handle, int attribute, void *value) {
  return enter("cuMemPoolSetAttribute", Plain, [&](Call &call) -> CuResult {
    const std::shared_ptr<Pool> pool = call.find(state().pools, handle, "pool");
    if (!pool)
      return give(InvalidValue);
    const auto number = *static_cast<const std::uint64_t *>(value);
    if (attribute >= 1 && attribute < ReleaseThreshold)
      pool->reuse[attribute] = *static_cast<const int *>(value);
    else if (attribute == ReleaseThreshold)
      pool->threshold = number;
    else if (attribute == ReservedHigh && number == 0)
      pool->reservedHigh = pool->reserved;
    else if (attribute == UsedHigh && number == 0)
      pool->usedHigh = pool->used;
    else
      return call.misuse("of what cannot be set");
    return CuResult::Success;
  });
}

CuResult cuMemPoolGetAttribute(CuMemPool handle, int attribute, void *value) {
  return enter("cuMemPoolGetAttribute", Plain, [&](Call &call) -> CuResult {
    const std::shared_ptr<Pool> pool = call.find(state().pools, handle, "pool");
    if (!pool)
      return give(InvalidValue);
    if (attribute >= 1 && attribute < ReleaseThreshold) {
      auto found = pool->reuse.find(attribute);
      *static_cast<int *>(value) = found == pool->reuse.end() ? 1 : found->second;
      return CuResult::Success;
    }
    const std::uint64_t numbers[] = {pool->threshold, pool->reserved, pool->reservedHigh,
                                     pool->used, pool->usedHigh};
    if (attribute < ReleaseThreshold || attribute > UsedHigh)
      return call.misuse("of what is no attribute");
    *static_cast<std::uint64_t *>(value) = numbers[attribute - ReleaseThreshold];
    return CuResult::Success;
  });
}

CuResult cuMemPoolTrimTo(CuMemPool handle, std::size_t keepBytes) {
  return enter("cuMemPoolTrimTo", Plain, [&](Call &call) -> CuResult {
    const std::shared_ptr<Pool> pool = call.find(state().pools, handle, "pool");
    if (!pool)
      return give(InvalidValue);
    pool->trim(keepBytes);
    return CuResult::Success;
  });
}

CuResult cuMemAllocFromPoolAsync(CuDevicePtr *address, std::size_t bytes, CuMemPool handle,
                                 CuStream streamHandle) {
  return enter("cuMemAllocFromPoolAsync", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Pool> pool = call.find(state().pools, handle, "pool");
    const std::shared_ptr<Stream> stream = call.stream(streamHandle);
    if (!pool || !stream)
      return give(InvalidHandle);
    if (bytes == 0 || pool->device != call.context().ordinal)
      return give(InvalidValue);
    if (stream->capture) // the fake does not support allocations in graphs
      return call.invalidate(*stream->capture, CaptureUnsupported);
    return allocate(call, address, bytes, pool, streamHandle);
  });
}

CuResult cuMemFreeAsync(CuDevicePtr address, CuStream streamHandle) {
  return enter("cuMemFreeAsync", InContext | Releases, [&](Call &call) -> CuResult {
    const std::shared_ptr<Stream> stream = call.stream(streamHandle);
    if (!stream)
      return give(InvalidHandle);
    auto found = call.context().allocations.find(address);
    if (found == call.context().allocations.end() || found->second.host)
      return call.misuse("of an address that is not allocated");
    if (stream->capture)
      return call.invalidate(*stream->capture, CaptureUnsupported);
    const CuResult result = call.enqueue(streamHandle, {FreeWork{address}});
    if (result != CuResult::Success)
      return result;
    if (found->second.pool)
      found->second.pool->used -= found->second.bytes;
    call.context().allocations.erase(found);
    state().count();
    return CuResult::Success;
  });
}

} // extern "C"
