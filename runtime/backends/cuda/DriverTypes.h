// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's types that DriverTable.def uses. They have the layout of the driver's ABI.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_DRIVERTYPES_H
#define SPL_RUNTIME_BACKENDS_CUDA_DRIVERTYPES_H

#include <cstddef>
#include <cstdint>

namespace spl::detail {

using CuDevice = int;
using CuDevicePtr = unsigned long long;
using CuContext = struct CuContextObject *;
using CuModule = struct CuModuleObject *;
using CuFunction = struct CuFunctionObject *;
using CuStream = struct CuStreamObject *;
using CuEvent = struct CuEventObject *;
using CuMemPool = struct CuMemPoolObject *;
using CuGraph = struct CuGraphObject *;
using CuGraphNode = struct CuGraphNodeObject *;
using CuGraphExec = struct CuGraphExecObject *;

struct CuUuid {
  unsigned char bytes[16];
};

struct CuMemPoolProps {
  int allocationType = 1; ///< pinned: the only type
  int handleTypes = 0;    ///< not shared with other processes
  int locationType = 1;   ///< a device
  int locationId = 0;     ///< the CuDevice
  void *securityAttributes = nullptr;
  std::size_t maxSize = 0; ///< bytes; 0 means no cap; drivers before CUDA 12.2 ignore it
  unsigned short usage = 0;
  unsigned char reserved[54] = {};
};

struct CuKernelNodeParams {
  CuFunction function = nullptr;
  unsigned gridX = 1, gridY = 1, gridZ = 1;
  unsigned blockX = 1, blockY = 1, blockZ = 1;
  unsigned sharedBytes = 0;
  void **params = nullptr;
  void **extra = nullptr;
};

struct CuMemsetNodeParams {
  CuDevicePtr address = 0;
  std::size_t pitch = 0; ///< between rows
  unsigned value = 0;
  unsigned elementSize = 4;
  std::size_t width = 1; ///< elements of a row
  std::size_t height = 1;
};

/// The results that the runtime distinguishes. Messages show the driver's name of any other result.
enum class CuResult : int {
  Success = 0,
  OutOfMemory = 2,
  NoDevice = 100,
  NoBinaryForGpu = 209,
  EccUncorrectable = 214,
  NvlinkUncorrectable = 220,
  UnsupportedPtxVersion = 222,
  Contained = 226,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  PeerAccessAlreadyEnabled = 704,
  ContextIsDestroyed = 709,
  Assert = 710,
  HardwareStackError = 714,
  IllegalInstruction = 715,
  MisalignedAddress = 716,
  InvalidAddressSpace = 717,
  InvalidPc = 718,
  LaunchFailed = 719,
};

/// Whether \p result is an error of the kernel itself. Such an error ends the context.
bool isKernelFault(CuResult result);

/// Whether \p result is sticky: every later call in the same context fails too.
bool endsContext(CuResult result);

} // namespace spl::detail

#endif
