// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/config/CpuThreadCount.h"

#include "runtime/backends/Registry.h"
#include "runtime/config/Environment.h"
#include "runtime/system/Checks.h"
#include "runtime/system/Names.h"

#include <charconv>
#include <string>

namespace spl::detail {

static constexpr int maxThreads = 65536;

std::optional<int> threadCountFrom(std::string_view text) {
  int count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > maxThreads)
    return std::nullopt;
  return count;
}

ContextOptions resolvedOptions(Backend backend, ContextOptions options,
                               std::optional<int> ofConfig) {
  if (options.cpuThreads < 0 || options.cpuThreads > maxThreads)
    refuse("cpuThreads is " + std::to_string(options.cpuThreads) + "; it must be " +
               std::string(threadCountRange),
           "0 leaves it to SPL_CPU_THREADS and the config file");
  if (!backendEntry(backend).runsOnHost || options.cpuThreads != 0)
    return options;
  if (const std::optional<std::string_view> text = fromEnvironment("SPL_CPU_THREADS")) {
    const std::optional<int> count = threadCountFrom(*text);
    if (!count)
      refuse("SPL_CPU_THREADS is " + quoted(*text) + "; it must be " +
             std::string(threadCountRange));
    options.cpuThreads = *count;
  } else {
    options.cpuThreads = ofConfig.value_or(0);
  }
  return options;
}

} // namespace spl::detail
