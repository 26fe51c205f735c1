// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Device.h"

#include "runtime/core/BackendContext.h"
#include "runtime/core/Environment.h"
#include "runtime/core/Names.h"
#include "runtime/cpu/CpuBackend.h"
#include "runtime/cuda/CudaBackend.h"
#include "spl/Error.h"

namespace spl {

std::string_view toString(Backend backend) {
  switch (backend) {
#define SPL_BACKEND(NAME, TEXT)                                                                    \
  case Backend::NAME:                                                                              \
    return TEXT;
#include "spl/Backends.def"
  }
  return "unknown";
}

/// The entry of a backend that is left out of this build. It is never opened.
static constexpr const char *leftOut = "not built in this version";
static constexpr detail::BackendEntry notBuilt = {[] { return detail::Survey{leftOut, {}}; },
                                                  [] { return std::string(leftOut); }, nullptr};

const detail::BackendEntry &detail::backendEntry(Backend backend) {
  switch (backend) {
  case Backend::Cuda:
    return cudaBackend;
  case Backend::Vulkan:
    return notBuilt;
  case Backend::Cpu:
    return cpuBackend;
  }
  return notBuilt;
}

BackendStatus detectBackend(Backend backend) {
  const std::string reason = detail::backendEntry(backend).survey().reason;
  return {backend, reason.empty(), reason};
}

std::vector<BackendStatus> detectBackends() {
  std::vector<BackendStatus> result;
  for (Backend backend : detail::allBackends)
    result.push_back(detectBackend(backend));
  return result;
}

Error detail::unavailable(Backend backend, const std::string &reason) {
  return Error({.code = ErrorCode::BackendUnavailable,
                .message = "the " + std::string(toString(backend)) +
                           " backend cannot be used here: " + reason,
                .remedy = "choose another backend, or auto"});
}

std::vector<DeviceInfo> devices(Backend backend) {
  detail::Survey survey = detail::backendEntry(backend).survey();
  if (!survey.reason.empty())
    throw detail::unavailable(backend, survey.reason);
  return std::move(survey.devices);
}

/// The backend meant by \p name, where \p isAvailable decides what is the first for "auto". The
/// name is the program's, or that of \p variable in the environment.
template <typename IsAvailable>
static Backend chooseBackend(std::string_view name, std::string_view variable,
                             IsAvailable isAvailable) {
  std::vector<std::string> known = {"auto"};
  for (Backend backend : detail::allBackends) {
    if (name == toString(backend) || (name == "auto" && isAvailable(backend)))
      return backend;
    if (detail::backendEntry(backend).open)
      known.emplace_back(toString(backend));
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
