// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's functions, as libcuda.so.1 exports them.
#pragma once

#include "runtime/cuda/Driver.h"

using namespace spl::detail;

extern "C" {

CuResult cuInit(unsigned);
CuResult cuDriverGetVersion(int *version);
CuResult cuGetErrorName(CuResult result, const char **text);
CuResult cuGetErrorString(CuResult result, const char **text);
CuResult cuDeviceGetCount(int *count);
CuResult cuDeviceGet(CuDevice *device, int ordinal);
CuResult cuDeviceGetName(char *name, int length, CuDevice);
CuResult cuDeviceGetUuid_v2(CuUuid *uuid, CuDevice);
CuResult cuDeviceTotalMem_v2(std::size_t *bytes, CuDevice);
CuResult cuDeviceGetAttribute(int *value, int attribute, CuDevice);
CuResult cuDevicePrimaryCtxRetain(CuContext *context, CuDevice);
CuResult cuDevicePrimaryCtxRelease_v2(CuDevice);
CuResult cuCtxPushCurrent_v2(CuContext context);
CuResult cuCtxPopCurrent_v2(CuContext *context);
CuResult cuCtxSynchronize();
CuResult cuMemGetInfo_v2(std::size_t *free, std::size_t *total);
CuResult cuMemAlloc_v2(CuDevicePtr *address, std::size_t bytes);
CuResult cuMemFree_v2(CuDevicePtr address);
CuResult cuMemcpyHtoD_v2(CuDevicePtr target, const void *source, std::size_t bytes);
CuResult cuMemcpyDtoH_v2(void *target, CuDevicePtr source, std::size_t bytes);
CuResult cuMemcpyDtoD_v2(CuDevicePtr target, CuDevicePtr source, std::size_t bytes);
CuResult cuMemsetD8_v2(CuDevicePtr address, unsigned char value, std::size_t count);
CuResult cuMemsetD16_v2(CuDevicePtr address, unsigned short value, std::size_t count);
CuResult cuMemsetD32_v2(CuDevicePtr address, unsigned value, std::size_t count);
CuResult cuModuleLoadDataEx(CuModule *module, const void *image, unsigned count, int *options,
                            void **values);
CuResult cuModuleUnload(CuModule module);
CuResult cuModuleGetFunction(CuFunction *function, CuModule module, const char *name);
CuResult cuLaunchKernel(CuFunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CuStream, void **params, void **);

} // extern "C"
