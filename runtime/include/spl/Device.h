// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The backends and devices of this machine. All types are values. They own nothing and describe
/// the state at the moment of the call. Several threads may call the functions at once.
///
/// No function here initialises the CUDA driver in this process, because a child process made by
/// fork could then not use CUDA. A short-lived child process queries the driver once instead. If
/// this process has already initialised the driver, the functions query it directly. Context::make
/// initialises the driver.
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

/// The backends, each of which drives one kind of device (Backends.def). The preferred one is
/// first.
enum class Backend {
#define SPL_BACKEND(NAME, TEXT) NAME,
#include "spl/Backends.def"
};

/// The name of \p backend, such as "cuda".
std::string_view toString(Backend backend);

/// The maximum size of a launch on a device.
struct DeviceLimits {
  std::int64_t groupSize = 0;              ///< work-items in one group, all axes together
  std::array<std::int64_t, 3> localSize{}; ///< work-items in one group along each axis
  std::array<std::int64_t, 3> numGroups{}; ///< groups along each axis
  std::int64_t sharedBytes = 0;            ///< shared memory of one group, in bytes
  std::int64_t unitSize = 0;               ///< work-items that a compute unit holds at once

  bool operator==(const DeviceLimits &) const = default;
};

/// One device of a backend.
struct DeviceInfo {
  Backend backend = Backend::Cpu;
  int index = 0;                           ///< the index for Context::make
  std::string name;                        ///< the vendor's product name
  std::uint64_t memoryTotal = 0;           ///< bytes
  std::optional<std::uint64_t> memoryFree; ///< bytes; on CUDA known only inside a Context
  int computeUnits = 0;                    ///< multiprocessors, or threads of the CPU
  int capability = 0;                      ///< CUDA: 10 * major + minor, as in sm_90; else 0
  int driverVersion = 0;                   ///< CUDA: 1000 * major + 10 * minor; else 0
  /// CUDA: hexadecimal; a MIG instance has its own. Empty on the CPU and with drivers before 11.4.
  std::string uuid;
  DeviceLimits limits;
  /// Why the device cannot be opened; empty if it can. If it cannot, values that could not be read
  /// have their defaults.
  std::string problem;

  bool operator==(const DeviceInfo &) const = default;
};

/// Whether a backend can be used on this machine.
struct BackendStatus {
  Backend backend = Backend::Cpu;
  bool available = false;
  std::string reason; ///< why not; empty if it is available
};

/// Returns the status of every backend in order of preference. Does not throw for a backend that is
/// not available.
std::vector<BackendStatus> detectBackends();

/// The status of one backend.
BackendStatus detectBackend(Backend backend);

/// The devices of \p backend. Throws BackendUnavailable with the reason if it cannot be used.
std::vector<DeviceInfo> devices(Backend backend);

/// Returns the backend called \p name; for "auto" the first one that is available. Does not test
/// whether a named backend is available. Throws InvalidArgument for any other text; the message has
/// the known names.
Backend chooseBackend(std::string_view name);

/// Returns the backend of Context::makeDefault: the one that the environment variable SPL_BACKEND
/// names, or that of "auto" if it is not set.
Backend preferredBackend();

} // namespace spl

#endif
