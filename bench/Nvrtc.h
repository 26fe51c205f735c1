// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few entries of NVRTC that the compile-time bench needs, opened at run time so that the bench
// builds without a CUDA toolkit.
#pragma once

#include <memory>
#include <string>

namespace spl::bench {

class Nvrtc {
public:
  /// The toolkit's library, from SPL_NVRTC, the loader's path or /usr/local/cuda; null where there
  /// is none.
  static std::unique_ptr<Nvrtc> open();

  /// CUDA C++ to PTX for sm_75, as nvrtcCompileProgram makes it; empty on failure.
  std::string compile(const std::string &source) const;

  /// "13.0"
  std::string version() const;

private:
  explicit Nvrtc(void *library) : library(library) {}
  template <class F> F *entry(const char *name) const;
  void *library;
};

} // namespace spl::bench
