// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the backends of this build. It has one row for each row of spl/Backends.def. The
// rest of the runtime uses a backend only through this table, and includes no header of a backend.
//
// If a program defines registeredBackends() itself, that definition replaces the library's. Tests
// use this to add a backend.
#ifndef SPL_RUNTIME_BACKENDS_REGISTRY_H
#define SPL_RUNTIME_BACKENDS_REGISTRY_H

#include "spl/Context.h"
#include "spl/Device.h"
#include "spl/Error.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spl::detail {

class BackendContext;

/// The devices that a backend finds on this machine.
struct Survey {
  std::string reason;              ///< why the backend cannot be used; empty if it can
  std::vector<DeviceInfo> devices; ///< empty if the backend cannot be used
};

/// The functions of a backend that need no open device. Defined in the backend's folder.
struct BackendEntry {
  /// Whether kernels run on the host's processor. `use_gpu: false` in the config file selects such
  /// a backend. Only such a backend has the option of a number of CPU threads.
  bool runsOnHost;
  /// Whether \p text is the name of a target of this backend in a bundle: "sm_90".
  bool (*isImageTarget)(std::string_view text);
  /// Lists the devices. Initialises nothing in this process.
  Survey (*survey)();
  /// Initialises the backend in this process. A child process made by fork may then be unable to
  /// use the backend. Returns why the backend cannot be used, or an empty text. May be called
  /// again.
  std::string (*start)();
  /// Opens a device. Returns null if there is no such device. Must be called after start. \p
  /// options must be the result of resolvedOptions (CpuThreadCount.h), which fills in the values of
  /// the environment and the config file.
  std::shared_ptr<BackendContext> (*open)(int device, const ContextOptions &options);
};

/// One row of the table.
struct RegisteredBackend {
  Backend backend;
  const char *name;
  const BackendEntry *entry;
};

/// The table, the preferred backend first.
std::span<const RegisteredBackend> registeredBackends();

/// The entry of \p backend, which must be in the table.
const BackendEntry &backendEntry(Backend backend);

/// The backend called \p name, or nothing.
std::optional<Backend> backendNamed(std::string_view name);

/// The names of all backends.
std::vector<std::string> backendNames();

/// As spl::chooseBackend, but starts the backend if it is available, because the caller opens a
/// device next. If the name is the value of an environment variable, \p variable is that variable's
/// name for the error.
Backend chooseBackendToOpen(std::string_view name, std::string_view variable = {});

/// Makes the error for \p backend, which cannot be used because of \p reason.
Error unavailable(Backend backend, const std::string &reason,
                  const std::string &hint = "choose another backend, or auto");

} // namespace spl::detail

#endif
