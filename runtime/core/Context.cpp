// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Context.h"

#include "runtime/core/Arguments.h"
#include "runtime/core/BackendContext.h"
#include "runtime/core/Geometry.h"
#include "runtime/core/Names.h"
#include "spl/Error.h"

#include <charconv>
#include <cstdlib>

namespace spl {

std::string detail::BackendContext::describe() const {
  return std::string(toString(info.backend)) + " device " + std::to_string(info.index) + " (" +
         info.name + ")";
}

/// SPL_DEVICE as a number; 0 if it is not set.
static int deviceFromEnvironment() {
  const char *text = std::getenv("SPL_DEVICE");
  if (!text)
    return 0;
  int index = 0;
  std::string_view digits(text);
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || index < 0)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "SPL_DEVICE is " + detail::quoted(digits) +
                            "; it must be the index of a device, 0 or more"});
  return index;
}

Context Context::makeDefault() {
  int index = deviceFromEnvironment();
  return make(preferredBackend(), index);
}

Context Context::make(Backend backend, int device) {
  std::vector<DeviceInfo> present = devices(backend);
  std::vector<std::string> listed;
  for (const DeviceInfo &info : present) {
    if (info.index == device)
      return Context(detail::backendEntry(backend).open(info));
    listed.push_back(std::to_string(info.index) + " (" + info.name + ")");
  }
  throw Error({.code = ErrorCode::BackendUnavailable,
               .message = "the " + std::string(toString(backend)) + " backend has no device " +
                          std::to_string(device) + "; its devices are " +
                          detail::joinNames(listed)});
}

detail::BackendContext &Context::usable() const {
  if (!opened)
    throw Error({.code = ErrorCode::InvalidArgument, .message = "the context was moved from"});
  return *opened;
}

Backend Context::backend() const { return usable().info.backend; }

DeviceInfo Context::device() const { return usable().current(); }

void Context::launch(const Kernel &kernel, const LaunchConfig &config,
                     std::span<const Argument> arguments) const {
  detail::BackendContext &context = usable();
  const Signature &signature = kernel.signature();
  if (kernel.module->context.get() != &context)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "kernel " + signature.name() + " was loaded for another context, on " +
                            kernel.module->context->describe(),
                 .remedy = "load its module for this context"});
  detail::BoundArguments bound(signature, arguments, context);
  std::optional<detail::Geometry> geometry =
      detail::geometryOf(config, context.info.limits, signature);
  if (geometry)
    context.launch(*kernel.module, kernel.index, *geometry, bound.params());
}

void Context::sync() const { usable().sync(); }

} // namespace spl
