// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cuda/CudaContext.h"

#include "runtime/cuda/CudaImage.h"

#include <algorithm>
#include <cstring>

namespace spl::detail {

CudaContext::CudaContext(DeviceInfo info, const Driver &driver)
    : BackendContext(std::move(info)), driver(driver) {
  check(driver.deviceGet(&device, this->info.index), "cuDeviceGet");
  check(driver.primaryCtxRetain(&primary, device), "cuDevicePrimaryCtxRetain");
}

CudaContext::~CudaContext() {
  // Nothing can be done about a failure here, and at the process's end the driver may be gone.
  if (primary && guard.inMakingProcess())
    driver.primaryCtxRelease(device);
}

void CudaContext::fail(ErrorInfo info) const {
  info.context = describe();
  throw Error(std::move(info));
}

CudaContext::Current CudaContext::enter() const {
  if (!guard.inMakingProcess())
    fail({.code = ErrorCode::ForkedProcess,
          .message = "this context was opened before fork, in the parent process",
          .remedy = "open contexts only after fork; a child of a process that used CUDA cannot"});
  if (std::lock_guard lock(mutex); lost)
    fail({.code = ErrorCode::DeviceLost,
          .message = "an earlier failure ended this context: " + std::string(lost->what()),
          .call = lost->call(),
          .native = lost->nativeCode(),
          .nativeName = lost->nativeName(),
          .remedy = "start the process again"});
  return Current(*this);
}

void CudaContext::check(CuResult result, const char *call, const std::string &detail) const {
  if (result == CuResult::Success)
    return;
  ErrorInfo info = driver.describe(result, call);
  info.message += detail;
  info.context = describe();
  if (result == CuResult::OutOfMemory) {
    info.code = ErrorCode::OutOfMemory;
    info.remedy = "free arrays or use smaller ones";
  } else if (result == CuResult::LaunchOutOfResources) {
    info.code = ErrorCode::LaunchRefused;
    info.remedy = "use smaller groups or less shared memory";
  } else if (isKernelFault(result)) {
    info.code = ErrorCode::KernelFault;
    info.message = "a kernel failed on the device: " + info.message;
    info.remedy = "run it on the cpu backend to see where";
  }
  Error error(std::move(info));
  if (endsContext(result)) {
    std::lock_guard lock(mutex);
    if (!lost)
      lost = error;
  }
  throw error;
}

DeviceInfo CudaContext::current() const {
  Current current = enter();
  check(current.result, "cuCtxPushCurrent");
  std::size_t free = 0, total = 0;
  check(driver.memGetInfo(&free, &total), "cuMemGetInfo");
  DeviceInfo now = info;
  now.memoryFree = free;
  return now;
}

std::uint64_t CudaContext::allocate(std::size_t bytes) {
  Current current = enter();
  check(current.result, "cuCtxPushCurrent");
  CuDevicePtr address = 0;
  CuResult result = driver.memAlloc(&address, bytes);
  std::string detail;
  if (result == CuResult::OutOfMemory) {
    detail = ": " + std::to_string(bytes) + " bytes asked";
    std::size_t free = 0, total = 0;
    if (driver.memGetInfo(&free, &total) == CuResult::Success)
      detail += ", " + std::to_string(free) + " free";
  }
  check(result, "cuMemAlloc", detail);
  return address;
}

void CudaContext::release(std::uint64_t address) noexcept {
  if (!guard.inMakingProcess())
    return;
  // After a failure that ended the context this fails too; the memory went with the context.
  Current current(*this);
  if (current.result == CuResult::Success)
    driver.memFree(address);
}

// Everything runs in the default stream, whose order makes transfers wait for earlier launches.

void CudaContext::upload(std::uint64_t target, const void *source, std::size_t bytes) {
  Current current = enter();
  check(current.result, "cuCtxPushCurrent");
  check(driver.memcpyHtoD(target, source, bytes), "cuMemcpyHtoD");
}

void CudaContext::download(void *target, std::uint64_t source, std::size_t bytes) {
  Current current = enter();
  check(current.result, "cuCtxPushCurrent");
  check(driver.memcpyDtoH(target, source, bytes), "cuMemcpyDtoH");
}

template <typename T> static T readAs(const void *element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

void CudaContext::fill(std::uint64_t target, const void *element, std::size_t elementBytes,
                       std::size_t count) {
  Current current = enter();
  check(current.result, "cuCtxPushCurrent");
  if (elementBytes == 1)
    return check(driver.memsetD8(target, readAs<std::uint8_t>(element), count), "cuMemsetD8");
  if (elementBytes == 2)
    return check(driver.memsetD16(target, readAs<std::uint16_t>(element), count), "cuMemsetD16");
  if (elementBytes == 4)
    return check(driver.memsetD32(target, readAs<std::uint32_t>(element), count), "cuMemsetD32");
  auto bits = readAs<std::uint64_t>(element);
  auto low = static_cast<std::uint32_t>(bits);
  if (low == bits >> 32)
    return check(driver.memsetD32(target, low, 2 * count), "cuMemsetD32");
  // The driver has no fill of 8 bytes: one element is sent and doubled until all are there.
  check(driver.memcpyHtoD(target, element, elementBytes), "cuMemcpyHtoD");
  for (std::size_t done = elementBytes, bytes = elementBytes * count; done < bytes;) {
    std::size_t step = std::min(done, bytes - done);
    check(driver.memcpyDtoD(target + done, target, step), "cuMemcpyDtoD");
    done += step;
  }
}

void CudaContext::sync() {
  Current current = enter();
  check(current.result, "cuCtxPushCurrent");
  check(driver.ctxSynchronize(), "cuCtxSynchronize");
}

std::shared_ptr<BackendContext> openCudaContext(const DeviceInfo &device) {
  return std::make_shared<CudaContext>(device, *cudaDriver().driver);
}

} // namespace spl::detail
