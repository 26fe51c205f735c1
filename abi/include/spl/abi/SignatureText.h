// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The text form of signatures, in the syntax of the language. Signatures travel in it in lines of
/// PTX, in bundles, in the cache and in printed MIR. readSignature(writeSignature(x)) is x. The
/// functions may be called from several threads at once.
#ifndef SPL_ABI_SIGNATURETEXT_H
#define SPL_ABI_SIGNATURETEXT_H

#include "spl/abi/Signature.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace spl::abi {

/// The first error in a text that is no signature.
struct SyntaxError {
  std::string expected; ///< "a type"
  std::size_t column;   ///< from 1

  /// "a type was expected at column 6".
  std::string str() const;
};

/// Reads a signature such as "vector_add(a: &[f32], out: &mut [f32], alpha: f32)". Its parts in
/// their order:
///
/// - "#[faults] ", if the kernel takes a fault record.
/// - Structs and enums, each before its use: "struct Body(pos: f32x4, mass: f32) ",
///   "enum Level(Low = 0, High = 10) ".
/// - A fixed group size: "#[gpu(block: [256])] ".
/// - The name, of an instance "scale[f32]", and the parameters, with "#[alias] " before a slice
///   that may share memory.
/// - The launch contract: " unchecked if min(gpu.global_size(0), out.len()) <= a.len() and
///   n + 1 <= a.len() and if n <= b.len()". Each "if" begins a group of conditions.
///
/// Only the name and the parameters are required.
std::variant<Signature, SyntaxError> readSignature(std::string_view text);

/// The text that readSignature reads.
std::string writeSignature(const Signature &signature);

/// The text without structs, enums and contract, for people.
std::string writePrototype(const Signature &signature);

/// The text of each condition of the contract. Empty without a contract.
std::vector<std::string> writeConditions(const Signature &signature);

/// The text of a sum in a condition of the signature's contract.
std::string writeExpression(const Expression &expression, const Signature &signature);

} // namespace spl::abi

#endif
