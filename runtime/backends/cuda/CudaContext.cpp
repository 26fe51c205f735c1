// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/CudaContext.h"

#include "runtime/backends/cuda/CudaMemory.h"
#include "runtime/backends/cuda/CudaStream.h"
#include "runtime/interop/ReleaseCallback.h"
#include "runtime/system/Checks.h"
#include "runtime/system/HostInfo.h"

#include <dlpack/dlpack.h>

namespace spl::detail {

CudaContext::CudaContext(DeviceInfo info, const Driver &driver)
    : BackendContext(std::move(info)), driver(driver),
      faults(std::make_shared<FaultRecords>(driver, describe())),
      counters(std::make_shared<GridCounters>(driver)) {
  call(driver.deviceGet, &device, this->info.index);
  call(driver.primaryCtxRetain, &primary, device);
  legacyStream = add(std::make_shared<DriverStream>(*this));
}

CudaContext::~CudaContext() {
  // Failures are ignored: a destructor cannot throw, and at the end of the process the driver may
  // be unloaded.
  if (!primary || !inMakingProcess())
    return;
  if (legacyStream) {
    CudaWork &work = static_cast<CudaStream &>(*legacyStream).cudaWork();
    work.endCalls();
    if (legacyStream->work.use_count() > 1) // memory of another device may still refer to the work
      work.close();
  }
  if (Current current(*this); current) {
    // Kernels of streams that have ended may still write to their records.
    if (faults->isIdle() || driver.ctxSynchronize() == CuResult::Success) {
      faults->close();
      counters->close();
    }
  }
  driver.primaryCtxRelease(device);
}

void CudaContext::fail(ErrorInfo info) const {
  info.context = describe();
  throw Error(std::move(info));
}

CudaContext::Current CudaContext::enter() const {
  requireMakingProcess(); // a function of the program may have forked during a call
  if (std::lock_guard lock(mutex); stickyError)
    fail({.code = ErrorCode::DeviceLost,
          .message = "an earlier failure ended this context: " + stickyError->message(),
          .call = stickyError->call(),
          .native = stickyError->nativeCode(),
          .nativeName = stickyError->nativeName(),
          .hint = (stickyError->hint().empty() ? "" : stickyError->hint() + "; ") +
                  "start the process again"});
  const CuResult pushed = driver.ctxPushCurrent(primary);
  check(pushed, driver.ctxPushCurrent.name);
  return Current(*this, pushed);
}

void CudaContext::check(CuResult result, const char *call, const std::string &detail) const {
  if (result == CuResult::Success)
    return;
  ErrorInfo info = driver.describe(result, call);
  info.message += detail;
  info.context = describe();
  if (result == CuResult::OutOfMemory) {
    info.code = ErrorCode::OutOfMemory;
    if (const std::optional<std::uint64_t> free = freeBytes())
      info.message += ": " + std::to_string(*free) + " bytes free";
    info.message += largestArrays();
    info.hint = "free arrays or use smaller ones";
  } else if (result == CuResult::LaunchOutOfResources) {
    info.code = ErrorCode::LaunchRefused;
    info.hint = "use smaller groups or less shared memory";
  } else if (isKernelFault(result)) {
    info.code = ErrorCode::KernelFault;
    info.message = "a kernel failed on the device: " + info.message;
    info.hint = "run it on the cpu backend to see where";
  }
  Error error(std::move(info));
  if (endsContext(result)) {
    std::lock_guard lock(mutex);
    if (!stickyError)
      stickyError = error;
  }
  throw error;
}

DeviceInfo CudaContext::current() const {
  Current current = enter();
  std::size_t free = 0, total = 0;
  call(driver.memGetInfo, &free, &total);
  DeviceInfo now = info;
  now.memoryFree = free;
  return now;
}

std::optional<std::uint64_t> CudaContext::freeBytes() const {
  if (!primary)
    return std::nullopt;
  // Made current again, because the failed call may have been the one that makes it current.
  const Current current(*this);
  std::size_t free = 0, total = 0;
  if (!current || driver.memGetInfo(&free, &total) != CuResult::Success)
    return std::nullopt;
  return free;
}

void CudaContext::failAllocation(CuResult result, const char *call, std::size_t bytes,
                                 MemoryPlace place) const {
  if (result != CuResult::OutOfMemory)
    check(result, call);
  ErrorInfo info =
      outOfMemory(bytes, place == MemoryPlace::Pinned ? memoryState().free : freeBytes());
  info.call = call;
  info.native = static_cast<int>(result);
  info.nativeName = driver.nameOf(result);
  throw Error(std::move(info));
}

std::shared_ptr<GridCounter> CudaContext::makeCounter() const {
  return counters->make([&](CuResult result, std::size_t bytes) {
    failAllocation(result, driver.memAlloc.name, bytes);
  });
}

std::shared_ptr<FaultRecord> CudaContext::makeFaultRecord(bool isCooperative) const {
  std::shared_ptr<FaultRecord> record = faults->make([&](CuResult result, std::size_t bytes) {
    failAllocation(result, driver.memAllocHost.name, bytes, MemoryPlace::Pinned);
  });
  if (isCooperative)
    record->take(makeCounter());
  return record;
}

std::shared_ptr<Allocation> CudaContext::allocate(MemoryPlace place, std::size_t bytes) {
  return allocateCudaMemory(self(), place, bytes);
}

std::shared_ptr<BackendPool> CudaContext::makePool(const PoolOptions &options) {
  return std::make_shared<CudaPool>(self(), options);
}

// The driver orders transfers with the legacy default stream, so they wait for its earlier
// launches.

void CudaContext::upload(std::uint64_t target, const void *source, std::size_t bytes) {
  Current current = enter();
  call(driver.memcpyHtoD, target, source, bytes);
}

void CudaContext::download(void *target, std::uint64_t source, std::size_t bytes) {
  Current current = enter();
  call(driver.memcpyDtoH, target, source, bytes);
}

std::shared_ptr<BackendStream> CudaContext::add(std::shared_ptr<DriverStream> stream) {
  auto made = std::make_shared<CudaStream>(std::make_shared<CudaWork>(std::move(stream)));
  asyncErrors.add(made->work->errors);
  return made;
}

void CudaContext::end(const std::shared_ptr<CudaWork> &work) {
  if (work->closeIfDone())
    return;
  std::lock_guard lock(mutex);
  ended.push_back(work);
}

void CudaContext::closeEnded() {
  std::vector<std::weak_ptr<CudaWork>> pending;
  {
    std::lock_guard lock(mutex);
    pending.swap(ended);
  }
  std::erase_if(pending, [](const std::weak_ptr<CudaWork> &weak) {
    const std::shared_ptr<CudaWork> work = weak.lock();
    return !work || work->closeIfDone();
  });
  std::lock_guard lock(mutex);
  ended.insert(ended.end(), pending.begin(), pending.end());
}

std::shared_ptr<BackendStream> CudaContext::makeStream(int priority) {
  closeEnded();
  return add(std::make_shared<DriverStream>(self(), priority));
}

std::shared_ptr<BackendStream> CudaContext::wrapStream(std::uint64_t native,
                                                       std::function<void()> release) {
  // The driver's handles of its built-in streams.
  constexpr std::uint64_t legacy = 1, perThread = 2;
  if (native == 0 || native == legacy)
    return {std::make_shared<ReleaseCallback>(std::move(release)), legacyStream.get()};
  if (native == perThread)
    refuse("wrapStream: cudaStreamPerThread is another stream in each thread",
           "wrap one that cudaStreamCreate or cuStreamCreate made");
  Current current = enter();
  closeEnded();
  const auto stream = reinterpret_cast<CuStream>(native);
  CuContext owner = nullptr;
  call(driver.streamGetCtx, stream, &owner);
  if (owner != primary)
    refuse("wrapStream: the stream belongs to another context than the primary one of " +
               describe(),
           "open the context of the stream's device");
  return add(std::make_shared<DriverStream>(self(), stream, std::move(release)));
}

std::unique_ptr<BackendEvent> CudaContext::makeEvent() {
  return std::make_unique<CudaEvent>(self());
}

void CudaContext::sync() {
  Current current = enter();
  const std::vector<WorkPlace> ends = asyncErrors.now();
  const std::uint64_t enqueued = faults->now();
  {
    std::shared_lock none(captureBegin);
    requireNoCapture();
    call(driver.ctxSynchronize);
  }
  faults->endAll(enqueued);
  static_cast<CudaStream &>(*legacyStream)
      .cudaWork()
      .calls->endOver(); // those of other streams are destroyed with their streams
  closeEnded();
  asyncErrors.rethrow(ends);
}

DLPackDevice CudaContext::dlpackDevice() const { return {kDLCUDA, info.index}; }

bool CudaContext::reaches(const DLPackDevice &other) const {
  return (other.type == kDLCUDA && other.index == info.index) || other.type == kDLCUDAManaged ||
         other.type == kDLCUDAHost;
}

bool CudaContext::enablePeer(BackendContext &other) {
  const auto &peer = static_cast<CudaContext &>(other);
  if (peer.device == device)
    return true;
  Current current = enter();
  int can = 0;
  call(driver.deviceCanAccessPeer, &can, device, peer.device);
  if (!can)
    return false;
  CuResult result = driver.ctxEnablePeerAccess(peer.primary, 0);
  if (result != CuResult::PeerAccessAlreadyEnabled)
    check(result, driver.ctxEnablePeerAccess.name);
  return true;
}

} // namespace spl::detail
