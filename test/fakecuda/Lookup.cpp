// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuGetProcAddress, which drivers before CUDA 11.3 do not have. The library exports nothing else of
// the driver, so that what its version lacks is not found in another way; the one that stands for
// an old driver has no cuGetProcAddress and exports all.
#include "runtime/cuda/Driver.h"
#include "test/fakecuda/Entries.h"
#include "test/fakecuda/State.h"

#include <string_view>

/// The fake's functions in the runtime's own table: the types are checked here at compile time.
static Driver table() {
  Driver driver;
  driver.init.function = cuInit;
  driver.driverGetVersion.function = cuDriverGetVersion;
  driver.getErrorName.function = cuGetErrorName;
  driver.getErrorString.function = cuGetErrorString;
  driver.deviceGetCount.function = cuDeviceGetCount;
  driver.deviceGet.function = cuDeviceGet;
  driver.deviceGetName.function = cuDeviceGetName;
  driver.deviceGetUuid.function = cuDeviceGetUuid_v2;
  driver.deviceTotalMem.function = cuDeviceTotalMem_v2;
  driver.deviceGetAttribute.function = cuDeviceGetAttribute;
  driver.primaryCtxRetain.function = cuDevicePrimaryCtxRetain;
  driver.primaryCtxRelease.function = cuDevicePrimaryCtxRelease_v2;
  driver.ctxPushCurrent.function = cuCtxPushCurrent_v2;
  driver.ctxPopCurrent.function = cuCtxPopCurrent_v2;
  driver.ctxSynchronize.function = cuCtxSynchronize;
  driver.ctxGetStreamPriorityRange.function = cuCtxGetStreamPriorityRange;
  driver.memGetInfo.function = cuMemGetInfo_v2;
  driver.memAlloc.function = cuMemAlloc_v2;
  driver.memFree.function = cuMemFree_v2;
  driver.memAllocHost.function = cuMemAllocHost_v2;
  driver.memFreeHost.function = cuMemFreeHost;
  driver.memAllocManaged.function = cuMemAllocManaged;
  driver.memcpyHtoD.function = cuMemcpyHtoD_v2;
  driver.memcpyDtoH.function = cuMemcpyDtoH_v2;
  driver.memcpyHtoDAsync.function = cuMemcpyHtoDAsync_v2;
  driver.memcpyDtoHAsync.function = cuMemcpyDtoHAsync_v2;
  driver.memcpyDtoDAsync.function = cuMemcpyDtoDAsync_v2;
  driver.memcpyPeerAsync.function = cuMemcpyPeerAsync;
  driver.memsetD8Async.function = cuMemsetD8Async;
  driver.memsetD16Async.function = cuMemsetD16Async;
  driver.memsetD32Async.function = cuMemsetD32Async;
  driver.deviceCanAccessPeer.function = cuDeviceCanAccessPeer;
  driver.ctxEnablePeerAccess.function = cuCtxEnablePeerAccess;
  driver.memPoolCreate.function = cuMemPoolCreate;
  driver.memPoolDestroy.function = cuMemPoolDestroy;
  driver.memPoolSetAttribute.function = cuMemPoolSetAttribute;
  driver.memPoolGetAttribute.function = cuMemPoolGetAttribute;
  driver.memPoolTrimTo.function = cuMemPoolTrimTo;
  driver.memAllocFromPoolAsync.function = cuMemAllocFromPoolAsync;
  driver.memFreeAsync.function = cuMemFreeAsync;
  driver.streamCreate.function = cuStreamCreateWithPriority;
  driver.streamDestroy.function = cuStreamDestroy_v2;
  driver.streamSynchronize.function = cuStreamSynchronize;
  driver.streamQuery.function = cuStreamQuery;
  driver.streamWaitEvent.function = cuStreamWaitEvent;
  driver.eventCreate.function = cuEventCreate;
  driver.eventDestroy.function = cuEventDestroy_v2;
  driver.eventRecord.function = cuEventRecord;
  driver.eventSynchronize.function = cuEventSynchronize;
  driver.eventQuery.function = cuEventQuery;
  driver.eventElapsedTime.function = cuEventElapsedTime;
  driver.launchHostFunc.function = cuLaunchHostFunc;
  driver.streamBeginCapture.function = cuStreamBeginCapture_v2;
  driver.streamEndCapture.function = cuStreamEndCapture;
  driver.streamGetCaptureInfo.function = cuStreamGetCaptureInfo_v2;
  driver.graphInstantiate.function = cuGraphInstantiateWithFlags;
  driver.graphLaunch.function = cuGraphLaunch;
  driver.graphExecKernelNodeSetParams.function = cuGraphExecKernelNodeSetParams;
  driver.graphExecDestroy.function = cuGraphExecDestroy;
  driver.graphDestroy.function = cuGraphDestroy;
  driver.moduleLoadDataEx.function = cuModuleLoadDataEx;
  driver.moduleUnload.function = cuModuleUnload;
  driver.moduleGetFunction.function = cuModuleGetFunction;
  driver.funcGetAttribute.function = cuFuncGetAttribute;
  driver.funcSetAttribute.function = cuFuncSetAttribute;
  driver.funcLoad.function = cuFuncLoad;
  driver.occupancyMaxActiveBlocks.function = cuOccupancyMaxActiveBlocksPerMultiprocessor;
  driver.occupancyMaxPotentialBlockSize.function = cuOccupancyMaxPotentialBlockSize;
  driver.launchKernel.function = cuLaunchKernel;
  return driver;
}

const int spl::fake::builtVersion = SPL_FAKE_CUDA_VERSION;

[[maybe_unused]] static CuResult find(const char *name, void **function, int version) {
  static const Driver driver = table();
  const std::string_view wanted = name;
  if (wanted == "cuDeviceGetUuid" && version < 11040) { // what it meant before
    *function = reinterpret_cast<void *>(cuDeviceGetUuid);
    return CuResult::Success;
  }
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  if (wanted == NAME && version >= VERSION &&                                                      \
      spl::fake::state().visible.driverVersion >= VERSION) {                                       \
    *function = reinterpret_cast<void *>(driver.MEMBER.function);                                  \
    return CuResult::Success;                                                                      \
  }
#include "runtime/cuda/DriverTable.def"
  *function = nullptr;
  return CuResult::NotFound;
}

extern "C" {
#if SPL_FAKE_CUDA_VERSION >= 11030 && SPL_FAKE_CUDA_VERSION < 12000
CuResult cuGetProcAddress(const char *name, void **function, int version, std::uint64_t) {
  return find(name, function, version);
}
#elif SPL_FAKE_CUDA_VERSION >= 12000
CuResult cuGetProcAddress_v2(const char *name, void **function, int version, std::uint64_t,
                             int *status) {
  const CuResult result = find(name, function, version);
  if (status)
    *status = result == CuResult::Success ? 0 : 1;
  return result;
}
#endif
} // extern "C"
