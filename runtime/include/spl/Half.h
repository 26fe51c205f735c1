// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The language's 16-bit floats for the host. They convert explicitly from double and to float, and
/// have no arithmetic. They are values, which several threads may read at once. No function here
/// fails.
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
  /// Rounds to the nearest value, ties to even. Values beyond the range become infinity.
  explicit f16(double value);
  explicit operator float() const;

  /// Compares the bits. Convert to float for a comparison in which -0 == 0 and NaN != NaN.
  bool operator==(const f16 &) const = default;
};

/// The upper half of a binary32: bf16. CUDA's __nv_bfloat16 has the same bits.
struct bf16 {
  std::uint16_t bits = 0;

  bf16() = default;
  explicit bf16(double value); ///< rounds as f16 does
  explicit operator float() const;

  bool operator==(const bf16 &) const = default; ///< compares the bits
};

/// The shortest decimal text that converts back to the same value, in the format of std::to_chars.
/// "nan" for any NaN.
std::string toString(f16 value);
std::string toString(bf16 value);

} // namespace spl

#endif
