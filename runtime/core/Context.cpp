// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Context.h"

#include "runtime/core/Arguments.h"
#include "runtime/core/BackendContext.h"
#include "runtime/core/Checks.h"
#include "runtime/core/Geometry.h"
#include "runtime/core/Names.h"
#include "spl/Error.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace spl {

std::string detail::BackendContext::describe() const {
  return std::string(toString(info.backend)) + " device " + std::to_string(info.index) + " (" +
         info.name + ")";
}

Error detail::forkedProcess(const BackendContext &context) {
  return Error(
      {.code = ErrorCode::ForkedProcess,
       .message = "this context was opened before fork, in the parent process",
       .context = context.describe(),
       .remedy = "open contexts only after fork; a child of a process that used CUDA cannot"});
}

/// "; the largest of 5 arrays are f32[1000 x 20], 80000 bytes, ...", or nothing.
static std::string largest(std::vector<const detail::Allocation *> live) {
  constexpr std::size_t shown = 3;
  if (live.empty())
    return "";
  const std::size_t count = std::min(shown, live.size());
  std::partial_sort(live.begin(), live.begin() + count, live.end(),
                    [](const auto *a, const auto *b) { return a->bytes > b->bytes; });
  std::string text = "; the largest of " + std::to_string(live.size()) + " live arrays: ";
  for (std::size_t i = 0; i < count; ++i)
    text += (i ? "; " : "") + live[i]->describe();
  return text;
}

ErrorInfo detail::BackendContext::outOfMemory(std::size_t asked, std::uint64_t free) const {
  std::lock_guard lock(mutex);
  return {.code = ErrorCode::OutOfMemory,
          .message = "out of memory: " + std::to_string(asked) + " bytes asked, " +
                     std::to_string(free) + " free" + largest({live.begin(), live.end()}),
          .context = describe(),
          .remedy = "free arrays or use smaller ones"};
}

ErrorInfo detail::BackendContext::poolExhausted(std::size_t asked, std::size_t used,
                                                std::size_t cap) const {
  std::lock_guard lock(mutex);
  return {.code = ErrorCode::OutOfMemory,
          .message = "the pool is at its cap: " + std::to_string(asked) + " bytes asked, " +
                     std::to_string(used) + " of " + std::to_string(cap) + " used" +
                     largest({live.begin(), live.end()}),
          .context = describe(),
          .remedy = "free arrays of the pool, or make it with a larger maxBytes"};
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
    detail::refuse("SPL_DEVICE is " + detail::quoted(digits) +
                   "; it must be the index of a device, 0 or more");
  return index;
}

Context Context::makeDefault() {
  int index = deviceFromEnvironment();
  const char *wanted = std::getenv("SPL_BACKEND");
  return make(detail::chooseBackendToOpen(wanted ? wanted : "auto"), index);
}

Context Context::make(Backend backend, int device) {
  const detail::BackendEntry &entry = detail::backendEntry(backend);
  if (const std::string reason = entry.start(); !reason.empty())
    throw detail::unavailable(backend, reason);
  if (auto opened = entry.open(device))
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

void Context::launchIn(detail::BackendStream &stream, const Kernel &kernel,
                       const LaunchConfig &config, std::span<const Argument> arguments) const {
  detail::BackendContext &context = usable();
  const Signature &signature = kernel.signature();
  if (kernel.module->context.get() != &context)
    detail::refuse("kernel " + signature.name() + " was loaded for another context, on " +
                       kernel.module->context->describe(),
                   "load its module for this context");
  detail::BoundArguments bound(signature, arguments, context);
  if (std::optional<detail::Geometry> geometry =
          detail::geometryOf(config, context.info.limits, signature))
    stream.launch({kernel.module, kernel.index, *geometry, bound});
}

bool Context::enablePeerAccess(const Context &other) const {
  return backend() == other.backend() && usable().enablePeer(other.usable());
}

void Context::sync() const { usable().sync(); }

} // namespace spl
