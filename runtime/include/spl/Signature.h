// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel signatures: the interface between compiler and runtime, in the syntax of the language.
/// All types are values, which several threads may read at once. Parsing throws InvalidImage.
#ifndef SPL_SIGNATURE_H
#define SPL_SIGNATURE_H

#include <spl/Cxx20.h>

#include <spl/ElementType.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spl {

namespace detail {
class LaunchContract;
}

/// The type of a parameter: a value (rank 0) or a slice of rank 1 to 4.
struct ParameterType {
  ElementType element = ScalarType::F32;
  int rank = 0;
  bool isMutable = false; ///< of a slice: &mut

  bool isSlice() const { return rank > 0; }
  bool operator==(const ParameterType &) const = default;

  /// As in the source: "f32", "&[f32]", "&mut [f32, 2]".
  std::string str() const;
};

/// A parameter of a kernel.
struct Parameter {
  std::string name;
  ParameterType type;
  bool isAlias = false; ///< #[alias]: may share memory with any other parameter
};

/// A kernel's name and parameters, and its launch contract if it has one.
class Signature {
public:
  /// Reads a signature such as "vector_add(a: &[f32], out: &mut [f32], alpha: f32)". Its parts in
  /// their order:
  ///
  /// - Structs and enums, each before its use: "struct Body(pos: f32x4, mass: f32) ",
  ///   "enum Level(Low = 0, High = 10) ".
  /// - A fixed group size: "#[gpu(block: [256])] ".
  /// - The name and the parameters, with "#[alias] " before a slice that may share memory.
  /// - The launch contract: " unchecked if min(gpu.global_size(0), out.len()) <= a.len() and
  ///   n + 1 <= a.len()".
  ///
  /// Only the name and the parameters are required. Throws InvalidImage with the column of the
  /// first error for any other text.
  static Signature parse(std::string_view text);

  const std::string &name() const { return kernel; }
  const std::vector<Parameter> &parameters() const { return params; }

  /// The group size that every launch must have, one to three extents; empty if it is not fixed.
  const std::vector<std::int64_t> &block() const { return fixedBlock; }

  /// The position of the parameter \p name, or nothing.
  std::optional<std::size_t> indexOf(std::string_view name) const;

  /// The launch contract: conditions on arguments and sizes. A launch that meets them runs the
  /// kernel without the checks that they make redundant. Empty if there is none.
  const std::string &contract() const;
  Signature withoutContract() const;

  /// The contract in the form that the runtime evaluates; null if there is none.
  const detail::LaunchContract *launchContract() const { return compiled.get(); }

  /// The text that parse reads; and the text without structs, enums and contract, for people.
  std::string str() const;
  std::string prototype() const;

private:
  std::string kernel;
  std::vector<Parameter> params;
  std::vector<ElementType> definitions; ///< structs and enums, as they were read
  std::vector<std::int64_t> fixedBlock;
  std::shared_ptr<const detail::LaunchContract> compiled;
};

} // namespace spl

#endif
