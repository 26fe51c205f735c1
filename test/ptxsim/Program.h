// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel ready to run: its own code and that of all functions it calls, as one list of decoded
// instructions. Operands are rows of 32 values, one for each lane: special registers first, then
// the registers of every function, each function in a place of its own (there is no recursion), and
// constants in rows of their own, marked by a bit. Immutable once built.
#pragma once

#include "test/ptxsim/Syntax.h"

#include <array>
#include <limits>

namespace ptxsim {

class Warp;
struct Inst;
/// Carries an instruction out for some lanes of a warp, never for none.
using Handler = void (*)(Warp &, const Inst &, Lanes);

enum class Rounding : std::uint8_t { Nearest, Zero, Down, Up };

/// What fills memory and registers that nobody wrote yet.
constexpr unsigned char freshByte = 0xcb;
constexpr Value freshWord = 0xcbcbcbcbcbcbcbcb;

constexpr std::uint32_t constantBit = 1U << 31;
constexpr std::uint32_t noRow = std::numeric_limits<std::uint32_t>::max();

/// One instruction. Which fields matter, and what mode and immediate mean, is its handler's affair.
struct Inst {
  Handler run = nullptr;
  Handler perform = nullptr; ///< of a .sync: what happens when all the lanes it names are there
  std::array<std::uint32_t, 10> rows{}; ///< operands as they are written
  std::uint32_t guard = noRow;
  std::uint32_t target = 0; ///< of a branch or call; an index of the program's tables
  Value immediate = 0;      ///< what is added to an address
  std::uint32_t line = 0;
  std::uint8_t mode = 0;
  std::uint8_t bytes = 0; ///< of one element in memory, of a destination
  std::uint8_t count = 1; ///< of elements
  Space space = Space::Generic;
  Rounding rounding = Rounding::Nearest;
  bool guardNegated = false;
  bool ftz = false, sat = false, isSigned = false, negated = false, aligned = false;
  bool isBranch = false;
  /// Decides itself where its lanes continue.
  bool isControl = false;
};

enum class Special : std::uint32_t {
#define SPECIAL(NAME, TEXT, BITS) NAME,
#include "test/ptxsim/Specials.def"
  Count
};

/// What a call copies, between variables in its threads' local memory.
struct Call {
  struct Copy {
    std::uint64_t from, to;
    std::size_t bytes;
  };
  std::vector<Copy> arguments, results;
  std::uint32_t entry = 0, returnRow = 0;
};

struct Program {
  std::vector<Inst> code;
  std::vector<std::string> names; ///< of each instruction, for errors
  std::vector<Value> constants;   ///< in rows of 32
  std::vector<Call> calls;
  std::vector<std::vector<std::uint32_t>> branchTables;
  std::vector<Value> fresh; ///< of each row what it holds at first, as wide as its register
  std::size_t localBytes = 0;
  std::size_t sharedBytes = 0;
};

/// Addresses of the variables in .global and .const.
using Addresses = std::map<const Variable *, std::uint64_t>;

/// Builds the program of one entry. Throws Error(Unsupported) for what it does not know.
Program build(const Source &source, const Function &entry, const Addresses &addresses);

} // namespace ptxsim
