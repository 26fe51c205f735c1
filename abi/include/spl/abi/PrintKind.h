// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The types of printed values. Each value is the letter that spl.print and the format of
/// spl_cpu_print have for the type.
#ifndef SPL_ABI_PRINT_KIND_H
#define SPL_ABI_PRINT_KIND_H

namespace spl::abi {

enum class PrintKind : char {
  Signed = 'i',   ///< an integer, as an i64
  Unsigned = 'u', ///< an integer, as a u64
  Bool = 'b',
  F16 = 'h',
  BF16 = 't',
  F32 = 'f',
  F64 = 'd',
};

} // namespace spl::abi

#endif
