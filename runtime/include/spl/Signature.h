// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel signatures. They are the interface between compiler and runtime, and have the syntax of
/// the language. All types are values, which several threads may read at once.
#ifndef SPL_SIGNATURE_H
#define SPL_SIGNATURE_H

#include <spl/Cxx20.h>

#include <spl/ElementType.h>
#include <spl/abi/Signature.h>

#include <concepts>
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

/// A kernel's name and parameters, and its launch contract if it has one.
class Signature {
public:
  Signature() = default; ///< without a name

  /// Reads a signature such as "vector_add(a: &[f32], out: &mut [f32], alpha: f32)".
  /// SignatureText.h lists the parts of the text. Throws InvalidImage with the column of the first
  /// error for any other text.
  static Signature parse(std::string_view text);

  /// Converts text as parse does. Functions that take a Signature therefore also accept its text.
  template <std::convertible_to<std::string_view> Text>
  Signature(const Text &text) : Signature(parse(text)) {}

  /// The signature that the compiler made.
  explicit Signature(abi::Signature made);

  const std::string &name() const { return data.name; }
  const std::vector<Parameter> &parameters() const { return data.parameters; }

  /// The group size that every launch must have, one to three extents; empty if it is not fixed.
  const std::vector<std::int64_t> &block() const { return data.block; }

  /// Whether the kernel's code takes the address of a fault record (fault_record.h) after its
  /// parameters. A launch by this runtime passes one.
  bool takesFaultRecord() const { return data.takesFaultRecord; }
  Signature withoutFaultRecord() const;
  /// Whether the kernel has a grid barrier. All groups of a launch then run at once, and there are
  /// at most Kernel::maxCooperativeGroups.
  bool isCooperative() const { return data.isCooperative; }

  /// The position of the parameter \p name, or nothing.
  std::optional<std::size_t> indexOf(std::string_view name) const { return data.indexOf(name); }

  /// The launch contract: conditions on arguments and sizes, without their groups. A launch that
  /// meets them runs the kernel without the checks that they make redundant. Empty if there is
  /// none.
  const std::string &contract() const;
  Signature withoutContract() const;

  /// The number of versions of the kernel, each with an entry in the code
  /// (abi::Contract::Version).
  std::size_t versionCount() const { return data.versionCount(); }

  /// The contract in the form that the runtime evaluates; null if there is none.
  const detail::LaunchContract *launchContract() const { return compiled.get(); }

  /// The text that parse reads; and the text of name, parameters and group size, for people.
  std::string str() const;
  std::string prototype() const;

private:
  abi::Signature data;
  std::shared_ptr<const detail::LaunchContract> compiled;
};

} // namespace spl

#endif
