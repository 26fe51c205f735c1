// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver: a table of the functions of libcuda.so.1. The library is opened when a function
// is first needed. The library and the table stay for the rest of the process, because the driver
// cannot be unloaded.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_DRIVER_H
#define SPL_RUNTIME_BACKENDS_CUDA_DRIVER_H

#include "runtime/backends/cuda/DriverTypes.h"
#include "spl/Error.h"

#include <chrono>
#include <string>

namespace spl::detail {

[[noreturn]] void missing(const char *name, int version, const char *feature);

/// One row of DriverTable.def. Its call operator calls the function. If this driver has no such
/// function, throws UnsupportedOnTarget with the first driver version that has it.
template <typename Function> class DriverEntry;
template <typename... Parameters> class DriverEntry<CuResult(Parameters...)> {
public:
  constexpr DriverEntry(const char *name, int version, const char *feature)
      : name(name), version(version), feature(feature) {}

  CuResult operator()(Parameters... arguments) const {
    require();
    return function(arguments...);
  }
  /// Throws if this driver has no such function.
  void require() const {
    if (!function)
      missing(name, version, feature);
  }
  explicit operator bool() const { return function != nullptr; }

  const char *const name;
  const int version; ///< 1000 * major + 10 * minor
  /// The feature that needs the function; null if every driver must have it.
  const char *const feature;
  CuResult (*function)(Parameters...) = nullptr;
};

/// The functions of DriverTable.def.
struct Driver {
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  DriverEntry<CuResult PARAMETERS> MEMBER{NAME, VERSION, nullptr};
#define SPL_DRIVER_FEATURE(FEATURE, MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                     \
  DriverEntry<CuResult PARAMETERS> MEMBER{NAME, VERSION, FEATURE};
#include "runtime/backends/cuda/DriverTable.def"

  int version = 0; ///< 1000 * major + 10 * minor

  /// The driver's name of \p result, such as "CUDA_ERROR_NO_DEVICE", and its explanation.
  std::string nameOf(CuResult result) const;
  std::string explain(CuResult result) const;

  /// The parts of an error that come from the driver.
  ErrorInfo describe(CuResult result, const char *call) const;
};

/// The result of initialising the driver: the driver with at least one device, or the reason why it
/// cannot be used.
struct DriverState {
  const Driver *driver = nullptr;
  std::string reason; ///< empty if driver is not null
  int deviceCount = 0;
};

/// Initialises the driver in the calling process.
DriverState startDriver(Driver &driver);

/// Opens and initialises the driver at the first call. Later calls return the same state. If the
/// parent of this process initialised the driver before fork, the driver cannot be used.
DriverState cudaDriver();

/// The result of a query of the driver in a child process.
struct DriverAnswer {
  /// The driver is initialised, here or in a parent; call cudaDriver() instead.
  bool isStarted = false;
  std::string reason; ///< why the query failed; empty if it did not
  std::string bytes;
};

/// Opens the library, which does not initialise the driver, and runs \p question in a child
/// process. The first result is kept for the rest of this process, even if the child failed or
/// exceeded \p limit. Therefore \p question must be the same in every call. Other threads that need
/// the driver wait meanwhile.
DriverAnswer askCudaDriver(std::string (*question)(Driver &), std::chrono::milliseconds limit);

} // namespace spl::detail

#endif
