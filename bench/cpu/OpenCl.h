// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs kernels in OpenCL C with PoCL on the CPU, beside which bench-cpu measures ours. PoCL is
/// optional: where its headers are missing, NoOpenCl.cpp is built in the place of OpenCl.cpp.
#pragma once

#include <spl/spl.h>

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace bench {

/// An argument of a kernel: the memory of an array or the bytes of a value. It refers to them.
struct OpenClArgument {
  template <typename T>
  OpenClArgument(const spl::Array<T> &array)
      : data(reinterpret_cast<void *>(array.address())), bytes(array.sizeBytes()), isArray(true) {}
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  OpenClArgument(const T &value) : data(const_cast<T *>(&value)), bytes(sizeof(T)) {}

  void *data;
  std::size_t bytes;
  bool isArray = false;
};

/// A kernel in OpenCL C that was compiled for the CPU. The object that compiled it must outlive it.
class OpenClKernel {
public:
  virtual ~OpenClKernel() = default;

  /// Enqueues a launch, which runs after those before it. As with our kernels, the number of
  /// work-items is rounded up to whole groups, and arrays are used where they are, without a copy.
  /// The size of the groups must be given. The memory of an array must not be freed before the last
  /// launch of any kernel.
  virtual void launch(const spl::LaunchConfig &config, std::span<const OpenClArgument> args) = 0;
};

/// PoCL's device for the CPU, with a queue. One thread uses it. Errors are of std::runtime_error.
class OpenCl {
public:
  virtual ~OpenCl() = default;

  /// The version of PoCL, such as "PoCL 3.1".
  virtual std::string version() const = 0;

  /// Compiles the kernel \p name of a file. \p options are those of clBuildProgram.
  virtual std::shared_ptr<OpenClKernel> load(const std::string &path, const std::string &name,
                                             const std::string &options) = 0;

  /// Enqueues a command that sets all bytes of an array to zero.
  virtual void clear(const OpenClArgument &array) = 0;

  /// Waits for all commands. Then the host may read and write the arrays.
  virtual void wait() = 0;
};

/// PoCL is not there. The text says what to install.
class OpenClMissing : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// PoCL with this number of threads. The first call in a process determines the number for all.
/// Throws OpenClMissing.
std::unique_ptr<OpenCl> openCl(int threads);

} // namespace bench
