// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/system/HostInfo.h"

#include <algorithm>
#include <fstream>
#include <optional>

namespace spl::detail {

std::string cpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "CPU";
}

/// Reads the number at the start of the file \p path. Returns nothing if the file has the word
/// "max" or does not exist.
static std::optional<std::uint64_t> numberIn(const char *path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number)
    return number;
  return std::nullopt;
}

/// The part of the control group's memory that caches files. The system can free it at any time.
static std::uint64_t cachedBytes() {
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::uint64_t bytes = 0, value = 0;
  for (std::string key; file >> key >> value;)
    if (key == "active_file" || key == "inactive_file")
      bytes += value;
  return bytes;
}

MemoryState memoryState() {
  MemoryState state;
  std::ifstream file("/proc/meminfo");
  std::string word;
  for (std::uint64_t kib = 0; file >> word;) {
    if (word == "MemTotal:" && file >> kib)
      state.total = kib * 1024;
    else if (word == "MemAvailable:" && file >> kib)
      state.free = kib * 1024;
  }
  std::optional<std::uint64_t> limit = numberIn("/sys/fs/cgroup/memory.max");
  if (limit && *limit < state.total) {
    std::uint64_t used = numberIn("/sys/fs/cgroup/memory.current").value_or(0);
    used -= std::min(used, cachedBytes());
    state.total = *limit;
    state.free = std::min(state.free, *limit - std::min(used, *limit));
  }
  return state;
}

} // namespace spl::detail
