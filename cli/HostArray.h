// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array in host memory with an element type that is known at run time. VALUEs and .npy files are
// read into such arrays. Results are printed and saved from them. An array owns its bytes.
#pragma once

#include <cstdint>
#include <spl/ElementType.h>
#include <string>
#include <vector>

namespace spl::cli {

struct HostArray {
  ElementType element = ScalarType::F32;
  std::vector<std::int64_t> shape; ///< outermost first
  std::vector<std::byte> bytes;    ///< row-major, host byte order

  std::int64_t size() const {
    std::int64_t count = 1;
    for (std::int64_t extent : shape)
      count *= extent;
    return count;
  }
  /// Sets the number of bytes. Throws Error (OutOfMemory) with that number and the free memory.
  void allocate(std::size_t count);

  const std::byte *at(std::int64_t index) const { return bytes.data() + offset(index); }
  std::byte *at(std::int64_t index) { return bytes.data() + offset(index); }

private:
  std::size_t offset(std::int64_t index) const {
    return static_cast<std::size_t>(index) * element.size();
  }
};

/// Calls f with a zero of the C++ type for \p type.
template <class F> decltype(auto) withScalar(ScalarType type, F &&f) {
  switch (type) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...)                                                     \
  case ScalarType::NAME:                                                                           \
    return f(TYPE{});
#include "spl/ScalarTypes.def"
  }
  __builtin_unreachable();
}

} // namespace spl::cli
