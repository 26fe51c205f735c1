// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver: its functions as one table, found in libcuda.so.1 when they are first needed.
// The library and the table stay for the rest of the process, as the driver cannot be unloaded.
#ifndef SPL_RUNTIME_CUDA_DRIVER_H
#define SPL_RUNTIME_CUDA_DRIVER_H

#include "spl/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace spl::detail {

// The driver's own types, as far as the table speaks of them.
using CuDevice = int;
using CuDevicePtr = unsigned long long;
using CuContext = struct CuContextObject *;
using CuModule = struct CuModuleObject *;
using CuFunction = struct CuFunctionObject *;
using CuStream = struct CuStreamObject *;
struct CuUuid {
  unsigned char bytes[16];
};

/// The results the runtime tells apart. All others are known by the name the driver gives them.
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
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  ContextIsDestroyed = 709,
  Assert = 710,
  HardwareStackError = 714,
  IllegalInstruction = 715,
  MisalignedAddress = 716,
  InvalidAddressSpace = 717,
  InvalidPc = 718,
  LaunchFailed = 719,
};

/// What a kernel itself did wrong. The driver ends the context over it.
bool isKernelFault(CuResult result);

/// Whether every later call in the same context will fail too.
bool endsContext(CuResult result);

/// The functions of DriverTable.def.
struct Driver {
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  CuResult(*MEMBER) PARAMETERS = nullptr;
#include "runtime/cuda/DriverTable.def"

  int version = 0; ///< 1000 * major + 10 * minor

  /// The driver's name of \p result, such as "CUDA_ERROR_NO_DEVICE", and its explanation.
  std::string nameOf(CuResult result) const;
  std::string explain(CuResult result) const;

  /// The parts of an error that come from the driver.
  ErrorInfo describe(CuResult result, const char *call) const;

  /// Throws DriverError unless \p result is success.
  void check(CuResult result, const char *call) const;
};

/// The driver of this process, ready for use and with at least one device, or why there is none.
struct DriverState {
  const Driver *driver = nullptr;
  std::string reason; ///< empty if there is one
  int deviceCount = 0;
};

/// Loads and initialises the driver at the first call and answers the same from then on, except in
/// a child made by fork, where a driver that the parent initialised cannot be used.
DriverState cudaDriver();

/// For tests: from now on cudaDriver() looks for \p library in place of libcuda.so.1. No context
/// may be open. Null goes back to the real one.
void useCudaLibraryForTests(const char *library);

} // namespace spl::detail

#endif
