// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The language's 16-bit floats as the host stores them. They convert, explicitly, to and from
/// float and double; arithmetic is done there. Values; nothing here fails. Several threads may
/// read one at once.
#ifndef SPL_HALF_H
#define SPL_HALF_H

#include <spl/Cxx20.h>

#include <cstdint>
#include <string>

namespace spl {

/// IEEE 754 binary16: f16. CUDA's __half has the same bits.
struct f16 {
  std::uint16_t bits = 0;

  f16() = default;
  /// The nearest value, of two as near the even one; beyond the largest infinity. A float is exact
  /// as a double.
  explicit f16(double value);
  explicit operator float() const;

  /// Of the bits; compare as float to have -0 equal 0 and NaN equal nothing.
  bool operator==(const f16 &) const = default;
};

/// The upper half of a binary32: bf16. CUDA's __nv_bfloat16 has the same bits.
struct bf16 {
  std::uint16_t bits = 0;

  bf16() = default;
  explicit bf16(double value); ///< rounds as f16 does
  explicit operator float() const;

  bool operator==(const bf16 &) const = default; ///< of the bits
};

/// The shortest text that reads back, as std::to_chars has it of a float; "nan" of any NaN.
std::string toString(f16 value);
std::string toString(bf16 value);

} // namespace spl

#endif
