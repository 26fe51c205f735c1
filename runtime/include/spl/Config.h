// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The settings of the config file, dl.config.sdn. A Config is a value, and several threads may
/// read files at once. Reading a file opens no device and prints nothing. The program may show
/// warnings(). A Config ignores the environment variables SPL_BACKEND and SPL_DEVICE.
/// Context::makeDefault reads these variables and ignores the file.
///
/// docs/runtime.md describes the file. An error in the file throws InvalidArgument. Its message
/// starts with "FILE:LINE: ".
#ifndef SPL_CONFIG_H
#define SPL_CONFIG_H

#include <spl/Cxx20.h>

#include <spl/Device.h>
#include <spl/ScalarType.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spl {

namespace detail {
class ConfigParser;
} // namespace detail

/// The settings of a config file.
class Config {
public:
  /// Makes a Config with no settings.
  Config() = default;

  /// Reads the file that SPL_CONFIG names. Without SPL_CONFIG, reads dl.config.sdn in the working
  /// directory or the nearest parent that has one. If there is no such file, returns a Config with
  /// no settings. Throws what load throws, and InvalidArgument if the file that SPL_CONFIG names is
  /// missing.
  static Config find();

  /// Reads the file at \p path. Throws what parse throws, and InvalidArgument if the file cannot be
  /// read, is not a regular file or is larger than 64 KiB.
  static Config load(const std::string &path);

  /// Reads \p text. Messages use \p name as the name of the file. Throws InvalidArgument for the
  /// first wrong line, and for settings that contradict each other.
  static Config parse(std::string_view text, std::string_view name);

  /// The file that was read, or parse's name for it; empty if none was found.
  const std::string &file() const { return name; }

  /// The backend that `device` or `backend` names. Empty if neither names one.
  std::optional<Backend> backend() const { return chosen; }

  /// The index that `device` names, 0 if it names none.
  int device() const { return index; }

  /// `use_gpu`. Empty if it is not set.
  std::optional<bool> useGpu() const { return gpu; }

  /// `dtype`: the program's preferred element type. The runtime does not use it. Empty if it is not
  /// set.
  std::optional<ScalarType> dtype() const { return type; }

  /// `cpu_threads`: the maximum number of threads that run kernels on the CPU, 1 to 65536.
  /// ContextOptions and SPL_CPU_THREADS override it. Empty if it is not set.
  std::optional<int> cpuThreads() const { return threads; }

  /// The line that sets the backend, as "FILE:LINE". Empty if no line does.
  const std::string &place() const { return decided; }

  /// One sentence for each unknown key, in the order of the file. It has the key's line and the
  /// most similar known key.
  const std::vector<std::string> &warnings() const { return notes; }

private:
  friend class detail::ConfigParser;

  std::string name;
  std::optional<Backend> chosen;
  int index = 0;
  std::optional<bool> gpu;
  std::optional<ScalarType> type;
  std::optional<int> threads;
  std::string decided;
  std::vector<std::string> notes;
};

} // namespace spl

#endif
