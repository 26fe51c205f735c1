// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver: its functions as one table, found in libcuda.so.1 when they are first needed.
// The library and the table stay for the rest of the process, because the driver cannot be
// unloaded.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_DRIVER_H
#define SPL_RUNTIME_BACKENDS_CUDA_DRIVER_H

#include "runtime/backends/cuda/DriverTypes.h"
#include "spl/Error.h"

#include <chrono>
#include <string>

namespace spl::detail {

[[noreturn]] void missing(const char *name, int version, const char *feature);

/// One row of DriverTable.def, called like the function. If this driver has no such function,
/// throws UnsupportedOnTarget with the driver version that has it.
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
  const int version;         ///< 1000 * major + 10 * minor
  const char *const feature; ///< what needs the function; null if everything does
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

/// The initialised driver of this process, with at least one device, or the reason why there is
/// none.
struct DriverState {
  const Driver *driver = nullptr;
  std::string reason; ///< empty if there is one
  int deviceCount = 0;
};

/// Initialises the driver in the calling process.
DriverState startDriver(Driver &driver);

/// Opens and initialises the driver at the first call, and returns the same state from then on. In
/// a child made by fork, a driver that the parent has initialised cannot be used.
DriverState cudaDriver();

/// The driver's answer in a process that has not initialised it.
struct DriverAnswer {
  bool isStarted = false; ///< it is initialised, here or in a parent; see cudaDriver()
  std::string reason;     ///< why there is no answer; empty if there is one
  std::string bytes;
};

/// Opens the library, which initialises nothing, and runs \p question in a child process. The
/// answer is kept for this process, also if the child did not answer within \p limit; so \p
/// question is always the same. Other threads that need the driver wait meanwhile.
DriverAnswer askCudaDriver(std::string (*question)(Driver &), std::chrono::milliseconds limit);

} // namespace spl::detail

#endif
