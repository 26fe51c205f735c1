// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Device.h"

#include "runtime/backends/Registry.h"
#include "runtime/config/Environment.h"
#include "runtime/system/Names.h"
#include "spl/Error.h"

namespace spl {

std::string_view toString(Backend backend) {
  for (const detail::RegisteredBackend &row : detail::registeredBackends())
    if (row.backend == backend)
      return row.name;
  return "unknown";
}

const detail::BackendEntry &detail::backendEntry(Backend backend) {
  for (const RegisteredBackend &row : registeredBackends())
    if (row.backend == backend)
      return *row.entry;
  throw unavailable(backend, "not built in this version");
}

std::optional<Backend> detail::backendNamed(std::string_view name) {
  for (const RegisteredBackend &row : registeredBackends())
    if (name == row.name)
      return row.backend;
  return std::nullopt;
}

std::vector<std::string> detail::backendNames() {
  std::vector<std::string> names;
  for (const RegisteredBackend &row : registeredBackends())
    names.emplace_back(row.name);
  return names;
}

BackendStatus detectBackend(Backend backend) {
  const std::string reason = detail::backendEntry(backend).survey().reason;
  return {backend, reason.empty(), reason};
}

std::vector<BackendStatus> detectBackends() {
  std::vector<BackendStatus> result;
  for (const detail::RegisteredBackend &row : detail::registeredBackends())
    result.push_back(detectBackend(row.backend));
  return result;
}

Error detail::unavailable(Backend backend, const std::string &reason, const std::string &hint) {
  return Error({.code = ErrorCode::BackendUnavailable,
                .message = "the " + std::string(toString(backend)) +
                           " backend cannot be used here: " + reason,
                .hint = hint});
}

std::vector<DeviceInfo> devices(Backend backend) {
  detail::Survey survey = detail::backendEntry(backend).survey();
  if (!survey.reason.empty())
    throw detail::unavailable(backend, survey.reason);
  return std::move(survey.devices);
}

/// Returns the backend called \p name. For "auto" it is the first one for which \p isAvailable
/// returns true. If the name is the value of an environment variable, \p variable is that
/// variable's name.
template <typename IsAvailable>
static Backend chooseBackend(std::string_view name, std::string_view variable,
                             IsAvailable isAvailable) {
  std::vector<std::string> known = {"auto"};
  for (const detail::RegisteredBackend &row : detail::registeredBackends()) {
    if (name == row.name || (name == "auto" && isAvailable(row.backend)))
      return row.backend;
    known.emplace_back(row.name);
  }
  const std::string problem =
      variable.empty() ? "there is no backend " : std::string(variable) + " is ";
  throw Error({.code = ErrorCode::InvalidArgument,
               .message = problem + detail::quoted(name) + "; the backends are " +
                          detail::joinNames(known)});
}

static Backend chooseAvailable(std::string_view name, std::string_view variable) {
  return chooseBackend(name, variable,
                       [](Backend backend) { return detectBackend(backend).available; });
}

Backend chooseBackend(std::string_view name) { return chooseAvailable(name, {}); }

Backend detail::chooseBackendToOpen(std::string_view name, std::string_view variable) {
  return spl::chooseBackend(name, variable,
                            [](Backend backend) { return backendEntry(backend).start().empty(); });
}

Backend preferredBackend() {
  return chooseAvailable(detail::fromEnvironment("SPL_BACKEND").value_or("auto"), "SPL_BACKEND");
}

} // namespace spl
