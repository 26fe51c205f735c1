// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the text of random well-typed programs from a seed. The reference interpreter
// (test/reference) defines their results. The programs have no races, and all work-items of a group
// reach its barriers. Each parameter has a role, from which suitable launches are made.
#pragma once

#include "test/generator/Types.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spl::generator {

/// The kind of statements that a program mostly consists of. Weights.def has a column for each.
enum class Flavour {
  Indices, ///< index computations, loops and conditions in one work-item: tests launch contracts
  Groups,  ///< control flow, warp collectives, barriers
  Data,    ///< types of every width, vectors, structs, functions, runs of stores
};

/// How the kernel uses a parameter.
enum class Role {
  Input,  ///< the kernel only reads it
  Scalar, ///< a number
  Ones,   ///< every stored value is 1
  Atomic, ///< the target of one atomic operation that commutes
  Own,    ///< each work-item has `perItem` elements, at its index
};

struct Parameter {
  std::string name;
  Role role;
  Type type; ///< the type of an element, or of the number
  unsigned rank = 1;
  unsigned perItem = 0;
  /// The fields of an element that is a struct, in the layout of C. Empty for other elements.
  std::vector<Type> fields = {};
  std::string typeName = {}; ///< of the struct or the enum. Empty for numbers and vectors
  bool mayAlias = false;     ///< it may have the memory of the parameter before it

  /// Whether an element is an enum of the prelude, stored as an i32.
  bool isEnum() const { return fields.empty() && !typeName.empty(); }
  std::string text() const; ///< the declaration
};

/// The files of a program.
enum class Layout {
  OneFile,
  OtherFunctions, ///< the functions and types are in another file, which the compiled file uses
  OtherKernel,    ///< the kernel too, in a third file
};

/// The line between the functions and the kernel of a program that has several files.
inline constexpr const char *border = "# In another file than the text above:\n";

/// An instance of a generic kernel.
struct Instance {
  std::string request; ///< as in "scale[f32, -16]"
  std::string entry;   ///< as in "scale__f32_m16"
};

struct Program {
  std::uint64_t seed = 0;
  Flavour flavour = Flavour::Indices;
  bool mayFault = false;
  Layout layout = Layout::OneFile;
  bool prints = false;                 ///< it may print lines
  bool isWide = false;                 ///< it has wide accesses, which need aligned memory
  std::array<std::int64_t, 3> block{}; ///< the fixed group size of the kernel; zeros for any
  std::string kernel;                  ///< the name of the kernel
  std::vector<Instance> instances;     ///< if the kernel is generic
  std::vector<Parameter> parameters;   ///< the same ones for all instances
  unsigned sharedPerItem = 0; ///< bytes of dynamic shared memory for each work-item of a group
  std::string text;           ///< the functions, types and kernel, without the prelude

  /// The entry of a launch with that number. The launches use all instances in turn.
  const std::string &entry(int launch) const {
    return instances.empty() ? kernel
                             : instances[static_cast<std::size_t>(launch) % instances.size()].entry;
  }
};

/// The numbers of the members of the prelude's enum.
inline constexpr std::array<std::int32_t, 4> levels{0, 10, 11, -3};

/// Functions that all programs use. A file has it once, before the programs.
extern const char *const prelude;

/// The beginning of the prelude's assertions that a constant is what its function returns.
inline constexpr const char *constantCheck = "assert known ";

/// Another way to write the same program. Each launch without a fault has the same result.
enum class Variant {
  None,
  UnrolledLoops,   ///< loops with constant bounds are copies of their body
  InlinedCalls,    ///< statements that call a function have its body instead
  SwappedOperands, ///< operators that commute have their operands the other way round
};

/// Generates a program of the flavour, or of a random one. With the same compiler and standard
/// library, the same seed gives the same program.
Program generate(std::uint64_t seed, std::optional<Flavour> flavour = std::nullopt,
                 Variant variant = Variant::None);

/// The maximum size of a group, except in programs of Flavour::Indices.
inline constexpr std::int64_t maxGroup = 128;

} // namespace spl::generator
