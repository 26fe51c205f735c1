// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a kernel expects, by name: the contract between compiler and runtime, written in the
/// language's own syntax. Values; parsing fails with Error{InvalidImage}.
/// Several threads may read one at once.
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
  bool isAlias = false; ///< #[alias]: may share memory with any other
};

/// A kernel's name and parameters, and its launch contract if it has one.
class Signature {
public:
  /// Reads "vector_add(a: &[f32], out: &mut [f32], alpha: f32)", also with a fixed group size
  /// before it, "#[gpu(block: [256])] ", and "#[alias] " before a slice. Structs and enums stand
  /// before that, each before it is used: "struct Body(pos: f32x4, mass: f32) ",
  /// "enum Level(Low = 0, High = 10) ". After it the launch contract may follow, as in
  /// " unchecked if min(gpu.global_size(0), out.len()) <= a.len() and n + 1 <= a.len()". Any other
  /// text is refused with the column where it goes wrong.
  static Signature parse(std::string_view text);

  const std::string &name() const { return kernel; }
  const std::vector<Parameter> &parameters() const { return params; }

  /// The group size that every launch must have, one to three extents; empty where any will do.
  const std::vector<std::int64_t> &block() const { return fixedBlock; }

  /// The position of the parameter \p name, or nothing.
  std::optional<std::size_t> indexOf(std::string_view name) const;

  /// The launch contract: the conditions, of arguments and sizes, under which a launch takes the
  /// kernel without the checks that they make needless. Empty where the kernel has none.
  const std::string &contract() const;
  Signature withoutContract() const;

  /// The contract as the runtime tests it; null where there is none.
  const detail::LaunchContract *launchContract() const { return compiled.get(); }

  /// The text that parse reads; without the structs, the enums and the contract, for people.
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
