// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The signature of a kernel as data: the interface between compiler and runtime. All types are
/// values, which several threads may read at once. SignatureText.h has the text form.
#ifndef SPL_ABI_SIGNATURE_H
#define SPL_ABI_SIGNATURE_H

#include "spl/abi/Contract.h"
#include "spl/abi/ElementType.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spl {

/// The type of a parameter: a value (rank 0) or a slice of rank 1 to 4.
struct ParameterType {
  ElementType element = ScalarType::F32;
  int rank = 0;
  bool isMutable = false; ///< of a slice: &mut

  bool isSlice() const { return rank > 0; }
  /// Whether it is a value of a struct, vector or array type.
  bool isComposed() const;
  /// Whether it is a value of an integer type. An enum is one, of i32.
  bool isInteger() const;
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

namespace abi {

/// A kernel's name, parameters and fixed group size, and its launch contract if it has one.
struct Signature {
  // Limits of what the text form may hold, so that nothing that walks a type or counts its bytes
  // overflows.
  static constexpr int maxRank = 4;
  static constexpr std::size_t maxTypeParts = 1024;
  static constexpr std::int64_t maxTypeBytes = std::int64_t{1} << 40;
  static constexpr int maxTypeBrackets = 64;

  /// As users write it: of an instance "scale[f32]". The symbol is entryName of it (Names.h).
  std::string name;
  std::vector<Parameter> parameters;
  /// The structs and enums of the parameters, each before its use, each under a name of its own.
  std::vector<ElementType> definitions = {};
  /// The group size that every launch must have, one to three extents; empty if it is not fixed.
  std::vector<std::int64_t> block = {};
  std::optional<Contract> contract = {};
  /// Whether the kernel's code takes the address of a fault record (fault_record.h) after its
  /// parameters.
  bool takesFaultRecord = false;
  /// Whether the kernel has a grid barrier, so that all groups of a launch run at once. Code for a
  /// GPU then takes the address of the barrier's counter, and after it a fault record.
  bool isCooperative = false;

  /// The number of versions, each with an entry in the code (Contract::Version).
  std::size_t versionCount() const { return contract ? contract->versionCount() : 1; }

  /// The position of the parameter \p name, or nothing.
  std::optional<std::size_t> indexOf(std::string_view name) const;

  /// Whether the text forms are the same too: types are compared with their names.
  bool operator==(const Signature &other) const;
};

} // namespace abi
} // namespace spl

#endif
