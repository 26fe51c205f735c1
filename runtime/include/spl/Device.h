// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The backends and devices of this machine. All types are values: they own nothing and describe
/// the moment of the call. The functions may be called from several threads at once.
///
/// No function here initialises the CUDA driver in this process, so that a child made by fork can
/// still use CUDA: a short-lived child process asks the driver, once. If this process has
/// initialised the driver already, the driver is asked directly. Context::make initialises it.
#ifndef SPL_DEVICE_H
#define SPL_DEVICE_H

#include <spl/Cxx20.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spl {

/// A way to run kernels (Backends.def), the preferred one first.
enum class Backend {
#define SPL_BACKEND(NAME, TEXT) NAME,
#include "spl/Backends.def"
};

/// The name of \p backend, such as "cuda".
std::string_view toString(Backend backend);

/// The largest launch a device takes.
struct DeviceLimits {
  std::int64_t groupSize = 0;              ///< work-items in one group, all axes together
  std::array<std::int64_t, 3> localSize{}; ///< work-items in one group along each axis
  std::array<std::int64_t, 3> numGroups{}; ///< groups along each axis
  std::int64_t sharedBytes = 0;            ///< shared memory a launch may ask for, in bytes
  std::int64_t unitSize = 0;               ///< work-items that a compute unit holds at once

  bool operator==(const DeviceLimits &) const = default;
};

/// One device of a backend.
struct DeviceInfo {
  Backend backend = Backend::Cpu;
  int index = 0;                           ///< what Context::make takes
  std::string name;                        ///< the vendor's product name
  std::uint64_t memoryTotal = 0;           ///< bytes
  std::optional<std::uint64_t> memoryFree; ///< bytes; on CUDA known only inside a Context
  int computeUnits = 0;                    ///< multiprocessors, or threads of the CPU
  int capability = 0;                      ///< CUDA: 10 * major + minor, as in sm_90; else 0
  int driverVersion = 0;                   ///< CUDA: 1000 * major + 10 * minor; else 0
  /// CUDA: hexadecimal, of a MIG instance its own; else, and with drivers before 11.4, empty.
  std::string uuid;
  DeviceLimits limits;
  /// Why the device cannot be described and cannot be opened; empty if it can. Values that could be
  /// read before that are set.
  std::string problem;

  bool operator==(const DeviceInfo &) const = default;
};

/// Whether a backend can be used here.
struct BackendStatus {
  Backend backend = Backend::Cpu;
  bool available = false;
  std::string reason; ///< why not; empty if it is available
};

/// Every backend in order of preference, with the reason if it is not available. Never throws for a
/// backend that is missing.
std::vector<BackendStatus> detectBackends();

/// The status of one backend.
BackendStatus detectBackend(Backend backend);

/// The devices of \p backend. Throws BackendUnavailable with the reason if it cannot be used.
std::vector<DeviceInfo> devices(Backend backend);

/// The backend with this name; for "auto" the first one that is available. Does not test whether a
/// named backend is available. Throws InvalidArgument with the known names for any other text.
Backend chooseBackend(std::string_view name);

/// The backend of Context::makeDefault: chooseBackend of the environment variable SPL_BACKEND, or
/// of "auto".
Backend preferredBackend();

} // namespace spl

#endif
