// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills. Each range of addresses must lie in one allocation. This is checked at the
// call, and again when the work runs.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"

#include <cstring>

using namespace spl::fake;

/// Whether the range is in a variable of a loaded module.
static bool isInModule(const Context &context, CuDevicePtr address, std::size_t bytes) {
  for (const auto &[handle, module] : state().modules)
    if (module->context.get() == &context)
      for (const auto &[begin, size] : module->globals)
        if (address >= begin && address - begin <= size && bytes <= size - (address - begin))
          return true;
  return false;
}

/// Whether the range at \p address is allocated at the time of the call.
static bool isThere(const Context &context, CuDevicePtr address, std::size_t bytes) {
  return context.holds(address, bytes) || isInModule(context, address, bytes) ||
         state().isPinned(reinterpret_cast<const void *>(address), bytes);
}

/// Memory of any device, as unified addressing finds it.
static Place devicePlace(const Call &call, CuDevicePtr address, std::size_t bytes) {
  for (const auto &[handle, context] : state().contexts)
    if (context->holds(address, bytes))
      return {context, address};
  return {call.sharedContext(), address};
}

static Place hostPlace(const void *address) {
  return {nullptr, reinterpret_cast<std::uintptr_t>(address)};
}

/// A copy between the host and a device.
static CuResult copyHost(Call &call, CopyWork work, bool isAsync, CuStream stream) {
  const Place &device = work.target.context ? work.target : work.source;
  const auto *host = reinterpret_cast<const void *>(work.target.context ? work.source.address
                                                                        : work.target.address);
  if (work.bytes == 0)
    return CuResult::Success;
  if (!isThere(*device.context, device.address, work.bytes))
    return call.misuse(work.target.context ? "into memory that is not allocated"
                                           : "from memory that is not allocated");
  if (!isAsync)
    return call.runInDefaultStream({std::move(work)});
  const std::shared_ptr<Stream> found = call.stream(stream);
  if (!found)
    return give(InvalidHandle);
  if (found->capture || state().isPinned(host, work.bytes))
    return call.enqueue(stream, {std::move(work)});
  // As in CUDA, the driver reads pageable memory before the call returns, and writes it before the
  // call returns.
  if (work.target.context) {
    work.staged.resize(work.bytes);
    std::memcpy(work.staged.data(), host, work.bytes);
    return call.enqueue(stream, {std::move(work)});
  }
  const CuResult result = call.enqueue(stream, {std::move(work)});
  return result == CuResult::Success ? call.waitFor(tailOf(found)) : result;
}

static CuResult copyDevices(Call &call, CopyWork work, CuStream stream) {
  if (!isThere(*work.target.context, work.target.address, work.bytes) ||
      !isThere(*work.source.context, work.source.address, work.bytes))
    return call.misuse("between memory that is not allocated");
  if (work.target.context == work.source.context &&
      work.source.address < work.target.address + work.bytes &&
      work.target.address < work.source.address + work.bytes)
    return call.misuse("between overlapping ranges");
  return work.bytes == 0 ? CuResult::Success : call.enqueue(stream, {std::move(work)});
}

template <typename T>
static CuResult fill(const char *name, CuDevicePtr address, T value, std::size_t count,
                     CuStream stream) {
  return enter(name, InContext, [&](Call &call) -> CuResult {
    if (!isThere(call.context(), address, count * sizeof value))
      return call.misuse("of memory that is not allocated");
    if (address % sizeof value != 0)
      return give(InvalidValue);
    return call.enqueue(stream, {FillWork{address, value, sizeof value, count}});
  });
}

extern "C" {

CuResult cuMemcpyHtoD_v2(CuDevicePtr target, const void *source, std::size_t bytes) {
  return enter("cuMemcpyHtoD", InContext, [&](Call &call) -> CuResult {
    return copyHost(call, {{call.sharedContext(), target}, hostPlace(source), bytes, {}}, false,
                    {});
  });
}

CuResult cuMemcpyDtoH_v2(void *target, CuDevicePtr source, std::size_t bytes) {
  return enter("cuMemcpyDtoH", InContext, [&](Call &call) -> CuResult {
    return copyHost(call, {hostPlace(target), {call.sharedContext(), source}, bytes, {}}, false,
                    {});
  });
}

CuResult cuMemcpyHtoDAsync_v2(CuDevicePtr target, const void *source, std::size_t bytes,
                              CuStream stream) {
  return enter("cuMemcpyHtoDAsync", InContext, [&](Call &call) -> CuResult {
    return copyHost(call, {{call.sharedContext(), target}, hostPlace(source), bytes, {}}, true,
                    stream);
  });
}

CuResult cuMemcpyDtoHAsync_v2(void *target, CuDevicePtr source, std::size_t bytes,
                              CuStream stream) {
  return enter("cuMemcpyDtoHAsync", InContext, [&](Call &call) -> CuResult {
    return copyHost(call, {hostPlace(target), {call.sharedContext(), source}, bytes, {}}, true,
                    stream);
  });
}

CuResult cuMemcpyDtoDAsync_v2(CuDevicePtr target, CuDevicePtr source, std::size_t bytes,
                              CuStream stream) {
  return enter("cuMemcpyDtoDAsync", InContext, [&](Call &call) -> CuResult {
    return copyDevices(
        call, {devicePlace(call, target, bytes), devicePlace(call, source, bytes), bytes, {}},
        stream);
  });
}

CuResult cuMemcpyPeerAsync(CuDevicePtr target, CuContext targetContext, CuDevicePtr source,
                           CuContext sourceContext, std::size_t bytes, CuStream stream) {
  return enter("cuMemcpyPeerAsync", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Context> to = call.find(state().contexts, targetContext, "context");
    const std::shared_ptr<Context> from = call.find(state().contexts, sourceContext, "context");
    if (!to || !from)
      return give(InvalidContext);
    const std::shared_ptr<Stream> found = call.stream(stream);
    if (found && found->capture)
      return call.invalidate(*found->capture, CaptureUnsupported);
    return copyDevices(call, {{to, target}, {from, source}, bytes, {}}, stream);
  });
}

CuResult cuMemsetD8Async(CuDevicePtr address, unsigned char value, std::size_t count,
                         CuStream stream) {
  return fill("cuMemsetD8Async", address, value, count, stream);
}

CuResult cuMemsetD16Async(CuDevicePtr address, unsigned short value, std::size_t count,
                          CuStream stream) {
  return fill("cuMemsetD16Async", address, value, count, stream);
}

CuResult cuMemsetD32Async(CuDevicePtr address, unsigned value, std::size_t count, CuStream stream) {
  return fill("cuMemsetD32Async", address, value, count, stream);
}

} // extern "C"
