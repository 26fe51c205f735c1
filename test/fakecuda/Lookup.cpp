// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuGetProcAddress, which drivers before CUDA 11.3 do not have.
#include "test/fakecuda/Entries.h"

#include <string_view>

/// The fake's functions in the runtime's own table: the types are checked here at compile time.
static Driver table() {
  Driver driver;
  driver.init = cuInit;
  driver.driverGetVersion = cuDriverGetVersion;
  driver.getErrorName = cuGetErrorName;
  driver.getErrorString = cuGetErrorString;
  driver.deviceGetCount = cuDeviceGetCount;
  driver.deviceGet = cuDeviceGet;
  driver.deviceGetName = cuDeviceGetName;
  driver.deviceGetUuid = cuDeviceGetUuid_v2;
  driver.deviceTotalMem = cuDeviceTotalMem_v2;
  driver.deviceGetAttribute = cuDeviceGetAttribute;
  driver.primaryCtxRetain = cuDevicePrimaryCtxRetain;
  driver.primaryCtxRelease = cuDevicePrimaryCtxRelease_v2;
  driver.ctxPushCurrent = cuCtxPushCurrent_v2;
  driver.ctxPopCurrent = cuCtxPopCurrent_v2;
  driver.ctxSynchronize = cuCtxSynchronize;
  driver.memGetInfo = cuMemGetInfo_v2;
  driver.memAlloc = cuMemAlloc_v2;
  driver.memFree = cuMemFree_v2;
  driver.memcpyHtoD = cuMemcpyHtoD_v2;
  driver.memcpyDtoH = cuMemcpyDtoH_v2;
  driver.memcpyDtoD = cuMemcpyDtoD_v2;
  driver.memsetD8 = cuMemsetD8_v2;
  driver.memsetD16 = cuMemsetD16_v2;
  driver.memsetD32 = cuMemsetD32_v2;
  driver.moduleLoadDataEx = cuModuleLoadDataEx;
  driver.moduleUnload = cuModuleUnload;
  driver.moduleGetFunction = cuModuleGetFunction;
  driver.launchKernel = cuLaunchKernel;
  return driver;
}

extern "C" CuResult cuGetProcAddress_v2(const char *name, void **function, int version,
                                        std::uint64_t, int *) {
  static const Driver driver = table();
  std::string_view wanted = name;
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  if (wanted == NAME && version >= VERSION) {                                                      \
    *function = reinterpret_cast<void *>(driver.MEMBER);                                           \
    return CuResult::Success;                                                                      \
  }
#include "runtime/cuda/DriverTable.def"
  *function = nullptr;
  return CuResult::NotFound;
}
