// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How targets lower intrinsics, as data. Each target has a table of the intrinsics that it lowers.
// The tables of nvptx and cpu must have a row for each row of intrinsics/Intrinsics.def; otherwise
// they do not compile.
#pragma once

#include "intrinsics/Rows.h"
#include <array>
#include <iterator>

namespace spl::codegen {

/// How a target lowers one intrinsic.
struct IntrinsicLowering {
  enum class Kind : uint8_t {
    Unsupported, ///< the target does not have it
    Expand,      ///< composed of other rows by the pass spl-expand-intrinsics
    Source,      ///< the frontend replaces it by other operations
    Fence,       ///< LLVM's fence for the scope
    Llvm,        ///< an LLVM intrinsic
    Library,     ///< a function of the target's math library
    Approximate, ///< f32: an LLVM intrinsic that may approximate; f64: as Expand
    Bitcast,     ///< the same bits as another type
    Own,         ///< specific to the target (TargetHooks::emitOwn)
  };
  Kind kind = Kind::Unsupported;
  llvm::StringLiteral doc = "";          ///< for docs/intrinsics.md
  llvm::StringLiteral name = "";         ///< Library, Approximate, Own; Llvm on floats
  llvm::StringLiteral signedName = "";   ///< Llvm on signed integers; "" is the identity
  llvm::StringLiteral unsignedName = ""; ///< Llvm on unsigned integers; "" is the identity
  uint8_t own = 0;                       ///< Own: a number with a meaning for the target only
};

/// Indexed by intrinsics::Id.
using IntrinsicTable = std::array<IntrinsicLowering, std::size(intrinsics::rows)>;

/// A row of a target's table: LOWERING(Id, How).
struct IntrinsicLoweringRow {
  intrinsics::Id id;
  IntrinsicLowering how;
};

/// Whether the table has each row of Intrinsics.def exactly once.
template <size_t N> constexpr bool isComplete(const IntrinsicLoweringRow (&rows)[N]) {
  std::array<unsigned, std::size(intrinsics::rows)> counts = {};
  for (const IntrinsicLoweringRow &row : rows)
    ++counts[size_t(row.id)];
  for (unsigned count : counts)
    if (count != 1)
      return false;
  return true;
}

/// Makes a table of these rows. Intrinsics without a row are Unsupported.
template <size_t N> constexpr IntrinsicTable tableOf(const IntrinsicLoweringRow (&rows)[N]) {
  IntrinsicTable table = {};
  for (const IntrinsicLoweringRow &row : rows)
    table[size_t(row.id)] = row.how;
  return table;
}

/// The values for the column How of the targets' tables. Targets define more for Kind::Own.
namespace words {

using Kind = IntrinsicLowering::Kind;
constexpr IntrinsicLowering Expand{Kind::Expand, "from other rows"};
constexpr IntrinsicLowering Source{Kind::Source, "other operations"};
constexpr IntrinsicLowering Fence{Kind::Fence, "fence"};
constexpr IntrinsicLowering Bitcast{Kind::Bitcast, "the same bits"};
constexpr IntrinsicLowering Library(llvm::StringLiteral name) {
  return {Kind::Library, "math library", name};
}
constexpr IntrinsicLowering Approximate(llvm::StringLiteral name) {
  return {Kind::Approximate, "approximate instruction", name};
}
/// The same, where the instruction is as exact as docs/language.md requires.
constexpr IntrinsicLowering InF32(llvm::StringLiteral name) {
  return {Kind::Approximate, "instruction", name};
}
constexpr IntrinsicLowering Llvm(llvm::StringLiteral name) {
  return {Kind::Llvm, "instruction", name};
}
/// A different LLVM intrinsic for floats, signed integers and unsigned integers. "" is the
/// identity.
constexpr IntrinsicLowering LlvmByClass(llvm::StringLiteral onFloat, llvm::StringLiteral onSigned,
                                        llvm::StringLiteral onUnsigned) {
  return {Kind::Llvm, "instruction", onFloat, onSigned, onUnsigned};
}
constexpr IntrinsicLowering LlvmInt(llvm::StringLiteral name) {
  return {Kind::Llvm, "instruction", "", name, name};
}

} // namespace words
} // namespace spl::codegen
