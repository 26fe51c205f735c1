// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's functions, as libcuda.so.1 exports them.
#pragma once

#include "runtime/cuda/DriverTypes.h"

using namespace spl::detail;

extern "C" {

CuResult cuInit(unsigned flags);
CuResult cuDriverGetVersion(int *version);
CuResult cuGetErrorName(CuResult, const char **text);
CuResult cuGetErrorString(CuResult, const char **text);
CuResult cuDeviceGetCount(int *count);
CuResult cuDeviceGet(CuDevice *device, int ordinal);
CuResult cuDeviceGetName(char *name, int length, CuDevice);
CuResult cuDeviceGetUuid(CuUuid *, CuDevice);
CuResult cuDeviceGetUuid_v2(CuUuid *, CuDevice);
CuResult cuDeviceTotalMem_v2(std::size_t *bytes, CuDevice);
CuResult cuDeviceGetAttribute(int *value, int attribute, CuDevice);
CuResult cuDevicePrimaryCtxRetain(CuContext *, CuDevice);
CuResult cuDevicePrimaryCtxRelease_v2(CuDevice);
CuResult cuCtxPushCurrent_v2(CuContext);
CuResult cuCtxPopCurrent_v2(CuContext *);
CuResult cuCtxSynchronize();
CuResult cuCtxGetStreamPriorityRange(int *least, int *greatest);
CuResult cuMemGetInfo_v2(std::size_t *free, std::size_t *total);
CuResult cuMemAlloc_v2(CuDevicePtr *, std::size_t bytes);
CuResult cuMemFree_v2(CuDevicePtr);
CuResult cuMemAllocHost_v2(void **, std::size_t bytes);
CuResult cuMemFreeHost(void *);
CuResult cuMemAllocManaged(CuDevicePtr *, std::size_t bytes, unsigned flags);
CuResult cuMemcpyHtoD_v2(CuDevicePtr target, const void *source, std::size_t bytes);
CuResult cuMemcpyDtoH_v2(void *target, CuDevicePtr source, std::size_t bytes);
CuResult cuMemcpyHtoDAsync_v2(CuDevicePtr target, const void *source, std::size_t bytes, CuStream);
CuResult cuMemcpyDtoHAsync_v2(void *target, CuDevicePtr source, std::size_t bytes, CuStream);
CuResult cuMemcpyDtoDAsync_v2(CuDevicePtr target, CuDevicePtr source, std::size_t bytes, CuStream);
CuResult cuMemcpyPeerAsync(CuDevicePtr target, CuContext targetContext, CuDevicePtr source,
                           CuContext sourceContext, std::size_t bytes, CuStream);
CuResult cuMemsetD8Async(CuDevicePtr, unsigned char value, std::size_t count, CuStream);
CuResult cuMemsetD16Async(CuDevicePtr, unsigned short value, std::size_t count, CuStream);
CuResult cuMemsetD32Async(CuDevicePtr, unsigned value, std::size_t count, CuStream);
CuResult cuDeviceCanAccessPeer(int *can, CuDevice, CuDevice peer);
CuResult cuCtxEnablePeerAccess(CuContext peer, unsigned flags);
CuResult cuMemPoolCreate(CuMemPool *, const CuMemPoolProps *);
CuResult cuMemPoolDestroy(CuMemPool);
CuResult cuMemPoolSetAttribute(CuMemPool, int attribute, void *value);
CuResult cuMemPoolGetAttribute(CuMemPool, int attribute, void *value);
CuResult cuMemPoolTrimTo(CuMemPool, std::size_t keepBytes);
CuResult cuMemAllocFromPoolAsync(CuDevicePtr *, std::size_t bytes, CuMemPool, CuStream);
CuResult cuMemFreeAsync(CuDevicePtr, CuStream);
CuResult cuStreamCreateWithPriority(CuStream *, unsigned flags, int priority);
CuResult cuStreamDestroy_v2(CuStream);
CuResult cuStreamSynchronize(CuStream);
CuResult cuStreamQuery(CuStream);
CuResult cuStreamWaitEvent(CuStream, CuEvent, unsigned flags);
CuResult cuEventCreate(CuEvent *, unsigned flags);
CuResult cuEventDestroy_v2(CuEvent);
CuResult cuEventRecord(CuEvent, CuStream);
CuResult cuEventSynchronize(CuEvent);
CuResult cuEventQuery(CuEvent);
CuResult cuEventElapsedTime(float *milliseconds, CuEvent start, CuEvent end);
CuResult cuLaunchHostFunc(CuStream, void (*function)(void *), void *data);
CuResult cuStreamBeginCapture_v2(CuStream, int mode);
CuResult cuStreamEndCapture(CuStream, CuGraph *);
CuResult cuStreamGetCaptureInfo_v2(CuStream, int *status, std::uint64_t *id, CuGraph *,
                                   const CuGraphNode **dependencies, std::size_t *count);
CuResult cuGraphInstantiateWithFlags(CuGraphExec *, CuGraph, unsigned long long flags);
CuResult cuGraphLaunch(CuGraphExec, CuStream);
CuResult cuGraphExecKernelNodeSetParams(CuGraphExec, CuGraphNode, const CuKernelNodeParams *);
CuResult cuGraphExecDestroy(CuGraphExec);
CuResult cuGraphDestroy(CuGraph);
CuResult cuModuleLoadDataEx(CuModule *, const void *image, unsigned count, int *options,
                            void **values);
CuResult cuModuleUnload(CuModule);
CuResult cuModuleGetFunction(CuFunction *, CuModule, const char *name);
CuResult cuFuncGetAttribute(int *value, int attribute, CuFunction);
CuResult cuFuncSetAttribute(CuFunction, int attribute, int value);
CuResult cuFuncLoad(CuFunction);
CuResult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CuFunction, int blockSize,
                                                     std::size_t sharedBytes);
CuResult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CuFunction,
                                          std::size_t (*sharedOf)(int blockSize),
                                          std::size_t sharedBytes, int blockSizeLimit);
CuResult cuLaunchKernel(CuFunction, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes, CuStream,
                        void **params, void **extra);

} // extern "C"
