// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs: well-typed source text from a seed, without a meaning of its own; the reference
// interpreter (test/reference) gives it one. The programs have no races and reach their barriers
// together. What each parameter is for is told besides, so that launches can be made for it.
#pragma once

#include "test/generator/Types.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spl::generator {

/// What a program is made of mostly; Weights.def has a column for each.
enum class Flavour {
  Indices, ///< computations with indices, loops and guards on one thread: launch contracts
  Groups,  ///< control flow, operations of the warp, barriers
  Data,    ///< types of every width, vectors, structs, functions, runs of stores
};

/// What the kernel does with a parameter.
enum class Role {
  Input,  ///< only read
  Scalar, ///< a number
  Ones,   ///< everything that is stored is 1
  Atomic, ///< one atomic operation that commutes
  Own,    ///< each work-item has `perItem` elements, at its number
};

struct Parameter {
  std::string name;
  Role role;
  Type type; ///< of an element, or the number's
  unsigned rank = 1;
  unsigned perItem = 0;

  std::string text() const; ///< as it is declared
};

struct Program {
  std::uint64_t seed = 0;
  Flavour flavour = Flavour::Indices;
  bool mayFault = false;
  bool isWide = false;                 ///< has wide accesses, for which memory has to be aligned
  std::array<std::int64_t, 3> block{}; ///< the kernel's fixed one; zeros: any
  std::string kernel;                  ///< its name
  std::vector<Parameter> parameters;
  std::string text; ///< with its functions and types, but without the prelude
};

/// What all programs call: once in a file, before them.
extern const char *const prelude;

/// Of that flavour, or of any. The same for the same seed, by the same compiler of this test.
Program generate(std::uint64_t seed, std::optional<Flavour> flavour = std::nullopt);

/// A group has so many work-items at most, except in programs of indices.
inline constexpr std::int64_t maxGroup = 128;

} // namespace spl::generator
