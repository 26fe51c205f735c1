// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Device.h"

#include "runtime/core/BackendContext.h"
#include "runtime/core/Names.h"
#include "runtime/cpu/CpuBackend.h"
#include "runtime/cuda/CudaBackend.h"
#include "spl/Error.h"

#include <cstdlib>

namespace spl {

static constexpr Backend allBackends[] = {
#define SPL_BACKEND(NAME, TEXT) Backend::NAME,
#include "spl/Backends.def"
};

std::string_view toString(Backend backend) {
  switch (backend) {
#define SPL_BACKEND(NAME, TEXT)                                                                    \
  case Backend::NAME:                                                                              \
    return TEXT;
#include "spl/Backends.def"
  }
  return "unknown";
}

/// The entry of a backend that is left out of this build. Only its status is ever asked for.
static constexpr detail::BackendEntry notBuilt = {
    [] {
      return BackendStatus{Backend::Vulkan, false, "not built in this version"};
    },
    nullptr, nullptr};

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

BackendStatus detectBackend(Backend backend) { return detail::backendEntry(backend).status(); }

std::vector<BackendStatus> detectBackends() {
  std::vector<BackendStatus> result;
  for (Backend backend : allBackends)
    result.push_back(detectBackend(backend));
  return result;
}

std::vector<DeviceInfo> devices(Backend backend) {
  BackendStatus status = detectBackend(backend);
  if (!status.available)
    throw Error({.code = ErrorCode::BackendUnavailable,
                 .message = "the " + std::string(toString(backend)) +
                            " backend cannot be used here: " + status.reason,
                 .remedy = "choose another backend, or auto"});
  return detail::backendEntry(backend).devices();
}

Backend chooseBackend(std::string_view name) {
  std::vector<std::string> known = {"auto"};
  for (Backend backend : allBackends) {
    if (name == toString(backend) || (name == "auto" && detectBackend(backend).available))
      return backend;
    known.emplace_back(toString(backend));
  }
  throw Error({.code = ErrorCode::InvalidArgument,
               .message = "there is no backend " + detail::quoted(name) + "; the backends are " +
                          detail::joinNames(known)});
}

Backend preferredBackend() {
  const char *wanted = std::getenv("SPL_BACKEND");
  return chooseBackend(wanted ? wanted : "auto");
}

} // namespace spl
