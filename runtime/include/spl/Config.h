// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The settings of the config file, dl.config.sdn. A Config is a value; several threads may read
/// files at once. It opens no device and prints nothing: the program shows warnings().
/// The environment variables SPL_BACKEND and SPL_DEVICE have no effect on it; Context::makeDefault
/// reads them, and no file.
///
/// docs/runtime.md describes the file. An error in it is InvalidArgument, with a message that
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
  /// Nothing is set.
  Config() = default;

  /// Reads the file that SPL_CONFIG names; without SPL_CONFIG the dl.config.sdn nearest to the
  /// working directory, in itself or one of its parents. Nothing is set where there is none. Throws
  /// InvalidArgument if the file that SPL_CONFIG names is missing, and as load.
  static Config find();

  /// Reads the file at \p path. Throws InvalidArgument if it cannot be read, is not a regular file,
  /// is larger than 64 KiB, or as parse.
  static Config load(const std::string &path);

  /// Reads \p text; messages use \p name as the file's name. Throws InvalidArgument for the first
  /// wrong line, and for settings that contradict each other.
  static Config parse(std::string_view text, std::string_view name);

  /// The file that was read, or parse's name for it; empty if none was found.
  const std::string &file() const { return name; }

  /// The backend that `device` or `backend` names; nothing if neither names one.
  std::optional<Backend> backend() const { return chosen; }

  /// The index that `device` names, 0 if it names none.
  int device() const { return index; }

  /// `use_gpu`; nothing if it is not set.
  std::optional<bool> useGpu() const { return gpu; }

  /// `dtype`: the program's preferred element type. The runtime itself does not use it. Nothing if
  /// it is not set.
  std::optional<ScalarType> dtype() const { return type; }

  /// `cpu_threads`: how many threads run kernels on the CPU, 1 to 65536. ContextOptions and
  /// SPL_CPU_THREADS override it. Nothing if it is not set.
  std::optional<int> cpuThreads() const { return threads; }

  /// The line that chose the backend, as "FILE:LINE"; empty if none did.
  const std::string &place() const { return decided; }

  /// A sentence for each unknown key, with its line and the most similar known key, in the order of
  /// the file.
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
