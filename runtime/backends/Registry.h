// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backends of this build: a table with one row a backend, made from spl/Backends.def. The rest
// of the runtime reaches a backend through this table only, and includes none of its headers.
//
// A program that defines registeredBackends() itself has that table instead of the library's. Tests
// add a backend that way.
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

/// What a backend finds on this machine.
struct Survey {
  std::string reason;              ///< why it cannot be used; empty if it can
  std::vector<DeviceInfo> devices; ///< none if it cannot
};

/// What a backend offers before anything is opened. Defined in the backend's folder.
struct BackendEntry {
  /// Whether kernels run on the processor of the host. `use_gpu: false` of the config file asks for
  /// such a backend, and the number of CPU threads is an option of it alone.
  bool runsOnHost;
  /// Whether \p text names a target of this backend's images, as a bundle has them: "sm_90".
  bool (*isImageTarget)(std::string_view text);
  /// Lists the devices. Initialises nothing in this process.
  Survey (*survey)();
  /// Initialises the backend in this process, with the consequences for children made by fork.
  /// Returns why it cannot be used, or an empty text. May be called again.
  std::string (*start)();
  /// Opens a device. Returns null if there is no such device. Called only after start, with
  /// resolved options.
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

/// The backend with this name.
std::optional<Backend> backendNamed(std::string_view name);

/// The names of all backends.
std::vector<std::string> backendNames();

/// As spl::chooseBackend, for a backend that is opened next: it is started already if it is
/// available. If the name is from the environment, \p variable is the variable, for the error.
Backend chooseBackendToOpen(std::string_view name, std::string_view variable = {});

/// The error for \p backend, which cannot be used because of \p reason.
Error unavailable(Backend backend, const std::string &reason);

} // namespace spl::detail

#endif
