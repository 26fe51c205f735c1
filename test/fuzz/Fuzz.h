// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fuzz targets share. A target is one file that defines LLVMFuzzerTestOneInput; it ends
// the process where it finds an error of the compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace spl::fuzz {

/// What must hold whatever the input is.
inline void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "fuzz: this does not hold: %s\n", what);
  std::abort();
}

} // namespace spl::fuzz
