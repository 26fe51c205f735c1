// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the config file, dl.config.sdn, asks for. A Config is a value: what was read and where it
/// stood, true to the moment of reading; reading may be done by several threads at once. It opens
/// no device and prints nothing; what deserves a warning is in warnings(), for the program to show.
/// The environment's SPL_BACKEND and SPL_DEVICE have no part in it: they are
/// Context::makeDefault's, which in turn reads no file.
///
/// docs/runtime.md has the form of the file. A mistake in it is InvalidArgument, and the message
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

/// What a config file says.
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

  /// Reads \p text; \p name stands for the file in messages. Throws InvalidArgument for the first
  /// line that is wrong, and for settings that contradict each other.
  static Config parse(std::string_view text, std::string_view name);

  /// The file that was read, or parse's name for it; empty if none was found.
  const std::string &file() const { return name; }

  /// The backend that `device` or `backend` names; nothing if both leave it to the runtime.
  std::optional<Backend> backend() const { return chosen; }

  /// The index that `device` names, 0 if it names none.
  int device() const { return index; }

  /// `use_gpu`; nothing if it is not set.
  std::optional<bool> useGpu() const { return gpu; }

  /// `dtype`: what the program's arrays should hold where it has no reason for another type. The
  /// runtime itself makes no use of it. Nothing if it is not set.
  std::optional<ScalarType> dtype() const { return type; }

  /// `cpu_threads`: how many threads run kernels where the context is the CPU's, 1 to 65536, unless
  /// ContextOptions or SPL_CPU_THREADS say otherwise. Nothing if it is not set.
  std::optional<int> cpuThreads() const { return threads; }

  /// The line that decided on the backend, as "FILE:LINE"; empty if none did.
  const std::string &place() const { return decided; }

  /// A sentence for each key that is unknown, with its line and the nearest known key, in the order
  /// of the file.
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
