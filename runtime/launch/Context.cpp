// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Context.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/backends/Registry.h"
#include "runtime/config/CpuThreadCount.h"
#include "runtime/config/Environment.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/Geometry.h"
#include "runtime/launch/LaunchContract.h"
#include "runtime/system/Checks.h"
#include "runtime/system/Names.h"
#include "spl/Error.h"

#include <charconv>

namespace spl {

/// SPL_DEVICE as a number; 0 without one.
static int deviceFromEnvironment() {
  const std::optional<std::string_view> digits = detail::fromEnvironment("SPL_DEVICE");
  if (!digits)
    return 0;
  int index = 0;
  auto [end, error] = std::from_chars(digits->data(), digits->data() + digits->size(), index);
  if (error != std::errc() || end != digits->data() + digits->size() || index < 0)
    detail::refuse("SPL_DEVICE is " + detail::quoted(*digits) +
                   "; it must be the index of a device, 0 or more");
  return index;
}

Context Context::makeDefault(const ContextOptions &options) {
  int index = deviceFromEnvironment();
  const std::string_view name = detail::fromEnvironment("SPL_BACKEND").value_or("auto");
  const Backend backend = detail::chooseBackendToOpen(name, "SPL_BACKEND");
  if (const std::string reason = detail::backendEntry(backend).start(); !reason.empty())
    throw detail::unavailable(backend, reason, "set SPL_BACKEND to another backend, or to auto");
  return make(backend, index, options);
}

Context Context::make(Backend backend, int device, const ContextOptions &options) {
  const ContextOptions resolved = detail::resolvedOptions(backend, options);
  const detail::BackendEntry &entry = detail::backendEntry(backend);
  if (const std::string reason = entry.start(); !reason.empty())
    throw detail::unavailable(backend, reason);
  if (auto opened = entry.open(device, resolved))
    return Context(std::move(opened));
  std::vector<std::string> listed;
  for (const DeviceInfo &info : devices(backend))
    listed.push_back(std::to_string(info.index) + " (" + info.name + ")");
  throw Error({.code = ErrorCode::BackendUnavailable,
               .message = "the " + std::string(toString(backend)) + " backend has no device " +
                          std::to_string(device) + "; its devices are " +
                          detail::joinNames(listed)});
}

detail::BackendContext &Context::usable() const {
  if (!opened)
    detail::refuse("the context was moved from");
  opened->requireMakingProcess();
  return *opened;
}

Backend Context::backend() const { return usable().info.backend; }

DeviceInfo Context::device() const { return usable().current(); }

void Context::launch(const Kernel &kernel, const LaunchConfig &config,
                     std::span<const Argument> arguments) const {
  launchIn(*usable().defaultStream(), kernel, config, arguments);
}

void Context::launchAsync(const Stream &stream, const Kernel &kernel, const LaunchConfig &config,
                          std::span<const Argument> arguments) const {
  detail::requireStreamOf(opened, "the context that launches", stream, "launchAsync");
  launchIn(*stream.backend(), kernel, config, arguments);
}

detail::BackendContext &Context::contextOf(const Kernel &kernel) const {
  detail::BackendContext &context = usable();
  if (kernel.module->context.get() != &context)
    detail::refuse("kernel " + kernel.name() + " was loaded for another context, on " +
                       kernel.module->context->describe(),
                   "load its module for this context");
  return context;
}

void Context::launchIn(detail::BackendStream &stream, const Kernel &kernel,
                       const LaunchConfig &config, std::span<const Argument> arguments) const {
  detail::BackendContext &context = contextOf(kernel);
  const Signature &signature = kernel.signature();
  detail::BoundArguments bound(signature, arguments, context);
  if (std::optional<detail::Geometry> geometry =
          detail::geometryOf(config, context.info.limits, signature))
    stream.launch({kernel.module, kernel.index, *geometry, bound});
}

std::string_view Context::unmetCondition(const Kernel &kernel, const LaunchConfig &config,
                                         std::span<const Argument> arguments) const {
  detail::BackendContext &context = contextOf(kernel);
  const Signature &signature = kernel.signature();
  detail::BoundArguments bound(signature, arguments, context);
  std::optional<detail::Geometry> geometry =
      detail::geometryOf(config, context.info.limits, signature);
  const detail::LaunchContract *contract = signature.launchContract();
  const std::string *unmet =
      contract && geometry ? contract->firstUnmet(bound.params(), *geometry) : nullptr;
  return unmet ? std::string_view(*unmet) : std::string_view("");
}

std::optional<UnmetContract> Context::unmetContract(const Kernel &kernel,
                                                    const LaunchConfig &config,
                                                    std::span<const Argument> arguments) const {
  detail::BackendContext &context = contextOf(kernel);
  const Signature &signature = kernel.signature();
  detail::BoundArguments bound(signature, arguments, context);
  const std::optional<detail::Geometry> geometry =
      detail::geometryOf(config, context.info.limits, signature);
  const detail::LaunchContract *contract = signature.launchContract();
  return contract && geometry ? contract->explain(bound.params(), *geometry) : std::nullopt;
}

bool Context::enablePeerAccess(const Context &other) const {
  return backend() == other.backend() && usable().enablePeer(other.usable());
}

void Context::sync() const {
  detail::BackendContext &waited = usable();
  waited.requireNoCapture();
  waited.sync();
}

} // namespace spl
