// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver: its functions as one table, found in libcuda.so.1 when they are first needed.
// The library and the table stay for the rest of the process, as the driver cannot be unloaded.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_DRIVER_H
#define SPL_RUNTIME_BACKENDS_CUDA_DRIVER_H

#include "runtime/backends/cuda/DriverTypes.h"
#include "spl/Error.h"

#include <chrono>
#include <string>

namespace spl::detail {

[[noreturn]] void missing(const char *name, int version, const char *feature);

/// One row of DriverTable.def: called like the function itself. Throws UnsupportedOnTarget, which
/// names the driver that is needed, where this driver has no such function.
template <typename Function> class DriverEntry;
template <typename... Parameters> class DriverEntry<CuResult(Parameters...)> {
public:
  constexpr DriverEntry(const char *name, int version, const char *feature)
      : name(name), version(version), feature(feature) {}

  CuResult operator()(Parameters... arguments) const {
    require();
    return function(arguments...);
  }
  /// Throws where this driver has no such function.
  void require() const {
    if (!function)
      missing(name, version, feature);
  }
  explicit operator bool() const { return function != nullptr; }

  const char *const name;
  const int version;         ///< 1000 * major + 10 * minor
  const char *const feature; ///< what is lost without it; null if everything is
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

/// The driver of this process, ready for use and with at least one device, or why there is none.
struct DriverState {
  const Driver *driver = nullptr;
  std::string reason; ///< empty if there is one
  int deviceCount = 0;
};

/// Initialises the driver in the calling process.
DriverState startDriver(Driver &driver);

/// Opens and initialises the driver at the first call and returns the same from then on, except in
/// a child made by fork, where a driver that the parent initialised cannot be used.
DriverState cudaDriver();

/// What the driver says where this process has not initialised it.
struct DriverAnswer {
  bool isStarted = false; ///< somebody has, here or in a parent: cudaDriver() says more
  std::string reason;     ///< why there is no answer; empty if there is one
  std::string bytes;
};

/// Opens the library, which initialises nothing, and lets a child process put \p question to it,
/// which is always the same one: it is answered once in a process, be it by what became of a child
/// that had not answered within \p limit. Other threads that need the driver wait meanwhile.
DriverAnswer askCudaDriver(std::string (*question)(Driver &), std::chrono::milliseconds limit);

} // namespace spl::detail

#endif
