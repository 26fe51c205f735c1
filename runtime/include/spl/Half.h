// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The 16-bit floats of the language on the host. They convert explicitly to and from float and
/// double; they have no arithmetic of their own. They are values, and no function here fails.
/// Several threads may read one at once.
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
  /// Rounds to the nearest value, ties to even; values beyond the range become infinity.
  explicit f16(double value);
  explicit operator float() const;

  /// Compares bits. Compare as float for -0 == 0 and NaN != NaN.
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

/// The shortest text that reads back as the same value, as std::to_chars; "nan" for any NaN.
std::string toString(f16 value);
std::string toString(bf16 value);

} // namespace spl

#endif
