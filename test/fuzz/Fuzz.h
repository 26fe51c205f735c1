// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the fuzz targets. A target is a file that defines LLVMFuzzerTestOneInput. It aborts
// the process if it finds an error of the compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace spl::fuzz {

/// Aborts if \p holds is false. \p what says which property is violated.
inline void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "fuzz: this does not hold: %s\n", what);
  std::abort();
}

} // namespace spl::fuzz
