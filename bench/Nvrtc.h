// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of NVRTC that the compile-time benchmarks need. The library is opened at run time,
// so that no CUDA toolkit is needed to build the benchmark.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace spl::bench {

class Nvrtc {
public:
  /// Opens the library that SPL_NVRTC names, or one from the loader's path or /usr/local/cuda. Null
  /// if there is none.
  static std::unique_ptr<Nvrtc> open();

  /// Compiles CUDA C++ to PTX with these options of NVRTC. The source may include <cstdint>, which
  /// NVRTC lacks. Prints NVRTC's log and returns an empty string on failure.
  std::string compile(const std::string &source, const std::vector<std::string> &options) const;

  /// The version, such as "13.0".
  std::string version() const;

private:
  explicit Nvrtc(void *library) : library(library) {}
  template <class F> F *entry(const char *name) const;
  void *library;
};

} // namespace spl::bench
