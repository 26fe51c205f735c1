// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and reads the config file, and opens the context that it names.
#include "spl/Config.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/backends/Registry.h"
#include "runtime/config/CpuThreadCount.h"
#include "runtime/config/Environment.h"
#include "runtime/system/Descriptor.h"
#include "runtime/system/Names.h"
#include "spl/Context.h"
#include "spl/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace spl {

static constexpr const char *fileName = "dl.config.sdn";

/// A larger file is not a config file.
static constexpr std::size_t maxFileBytes = 64 << 10;

static Error unreadable(const std::string &path, const std::string &why) {
  return Error({.code = ErrorCode::InvalidArgument,
                .message = path + ": this config file cannot be read: " + why});
}

static std::string contentsOf(const std::string &path) {
  // O_NONBLOCK, so that opening a pipe does not block.
  const detail::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (file.get() < 0 || fstat(file.get(), &status) != 0)
    throw unreadable(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    throw unreadable(path, "it is not a regular file");
  std::string text(maxFileBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = read(file.get(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      throw unreadable(path, std::strerror(errno));
    if (count == 0)
      break;
    size += static_cast<std::size_t>(count);
  }
  if (size > maxFileBytes)
    throw unreadable(path, "it is larger than " + std::to_string(maxFileBytes >> 10) + " KiB");
  text.resize(size);
  return text;
}

Config Config::load(const std::string &path) { return parse(contentsOf(path), path); }

Config Config::find() {
  if (const std::optional<std::string_view> named = detail::fromEnvironment("SPL_CONFIG")) {
    const std::string path(*named);
    if (access(path.c_str(), F_OK) == 0)
      return load(path);
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "SPL_CONFIG is " + detail::quoted(path) +
                            "; it must name a config file: " + std::strerror(errno)});
  }
  std::error_code error;
  std::filesystem::path folder = std::filesystem::current_path(error);
  if (error)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "there is no working directory to look for " + std::string(fileName) +
                            " in: " + error.message(),
                 .hint = "name a config file with SPL_CONFIG"});
  for (;; folder = folder.parent_path()) {
    // A dangling link counts as a file, and reading it fails. If the file's existence cannot be
    // determined, for example in a folder without access, it counts as missing.
    const std::filesystem::path candidate = folder / fileName;
    if (std::filesystem::exists(std::filesystem::symlink_status(candidate, error)))
      return load(candidate.string());
    if (folder == folder.root_path())
      return {};
  }
}

/// Makes the error for a config that names \p what, which does not exist here.
static Error notThere(const Config &config, const std::string &what) {
  std::vector<std::string> listed;
  for (const detail::RegisteredBackend &row : detail::registeredBackends())
    for (const DeviceInfo &info : row.entry->survey().devices)
      listed.push_back(std::string(toString(info.backend)) + ":" + std::to_string(info.index) +
                       " (" + info.name + ")");
  return Error({.code = ErrorCode::BackendUnavailable,
                .message = config.place() + ": " + what + "; the devices here are " +
                           detail::joinNames(listed)});
}

/// The first GPU backend that can be used here.
static Backend firstGpu(const Config &config) {
  std::string reasons;
  for (const detail::RegisteredBackend &row : detail::registeredBackends()) {
    if (row.entry->runsOnHost)
      continue;
    const std::string reason = row.entry->start();
    if (reason.empty())
      return row.backend;
    reasons += (reasons.empty() ? "" : "; ") + std::string(row.name) + ": " + reason;
  }
  throw notThere(config, "use_gpu is 'true', but no GPU can be used here (" + reasons + ")");
}

/// The first backend that runs kernels on the host.
static Backend firstOnHost(const Config &config) {
  for (const detail::RegisteredBackend &row : detail::registeredBackends())
    if (row.entry->runsOnHost && row.entry->start().empty())
      return row.backend;
  throw notThere(config, "use_gpu is 'false', and no backend runs kernels on the CPU");
}

Context Context::makeFromConfig() { return makeFromConfig(Config::find()); }

Context Context::makeFromConfig(const Config &config, const ContextOptions &options) {
  if (!config.backend() && !config.useGpu()) {
    const Backend chosen = detail::chooseBackendToOpen("auto");
    return make(chosen, 0, detail::resolvedOptions(chosen, options, config.cpuThreads()));
  }
  const Backend backend = config.backend()   ? *config.backend()
                          : *config.useGpu() ? firstGpu(config)
                                             : firstOnHost(config);
  const std::string name(toString(backend));
  const detail::BackendEntry &entry = detail::backendEntry(backend);
  if (const std::string reason = entry.start(); !reason.empty())
    throw notThere(config, "the " + name + " backend cannot be used here: " + reason);
  if (auto opened = entry.open(config.device(),
                               detail::resolvedOptions(backend, options, config.cpuThreads())))
    return Context(std::move(opened));
  throw notThere(config, "there is no device " + name + ":" + std::to_string(config.device()));
}

} // namespace spl
