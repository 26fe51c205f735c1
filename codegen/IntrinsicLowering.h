// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a target lowers each intrinsic, as data. Each target has a table of the intrinsics that it
// lowers. The tables of nvptx and cpu have a row for each row of intrinsics/Intrinsics.def, or do
// not compile.
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
    Source,      ///< never an operation: the frontend makes others of it
    Fence,       ///< LLVM's fence for the scope
    Llvm,        ///< an LLVM intrinsic
    Library,     ///< a function of the target's math library
    Approximate, ///< an LLVM intrinsic of f32 with leave to approximate; Expand of f64
    Bitcast,     ///< the same bits as another type
    Own,         ///< a way that only this target has (TargetHooks::emitOwn)
  };
  Kind kind = Kind::Unsupported;
  llvm::StringLiteral doc = "";          ///< for docs/intrinsics.md
  llvm::StringLiteral name = "";         ///< Library, Approximate, Own; Llvm on floats
  llvm::StringLiteral signedName = "";   ///< Llvm on signed integers; "" is the identity
  llvm::StringLiteral unsignedName = ""; ///< Llvm on unsigned integers; "" is the identity
  uint8_t own = 0;                       ///< Own: which way, as the target numbers them
};

/// By intrinsics::Id.
using IntrinsicTable = std::array<IntrinsicLowering, std::size(intrinsics::rows)>;

/// A row of a target's table: INTRINSIC_LOWERING(Id, How).
struct IntrinsicLoweringRow {
  intrinsics::Id id;
  IntrinsicLowering how;
};

/// Whether the rows are all those of Intrinsics.def, each once.
template <size_t N> constexpr bool isComplete(const IntrinsicLoweringRow (&rows)[N]) {
  std::array<unsigned, std::size(intrinsics::rows)> counts = {};
  for (const IntrinsicLoweringRow &row : rows)
    ++counts[size_t(row.id)];
  for (unsigned count : counts)
    if (count != 1)
      return false;
  return true;
}

/// The table of those rows; intrinsics without a row are Unsupported.
template <size_t N> constexpr IntrinsicTable tableOf(const IntrinsicLoweringRow (&rows)[N]) {
  IntrinsicTable table = {};
  for (const IntrinsicLoweringRow &row : rows)
    table[size_t(row.id)] = row.how;
  return table;
}

/// The words that tables are written in. A target adds its own ways.
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
constexpr IntrinsicLowering Llvm(llvm::StringLiteral name) {
  return {Kind::Llvm, "instruction", name};
}
/// Another LLVM intrinsic for floats, signed and unsigned integers; "" where the value is its own
/// result.
constexpr IntrinsicLowering LlvmByClass(llvm::StringLiteral onFloat, llvm::StringLiteral onSigned,
                                        llvm::StringLiteral onUnsigned) {
  return {Kind::Llvm, "instruction", onFloat, onSigned, onUnsigned};
}
constexpr IntrinsicLowering LlvmInt(llvm::StringLiteral name) {
  return {Kind::Llvm, "instruction", "", name, name};
}

} // namespace words
} // namespace spl::codegen
