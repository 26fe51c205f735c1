// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is ready to run: its own code and that of all functions that it calls, as one list
// of decoded instructions. Operands are rows of 32 values, one for each lane. The special registers
// come first, then the registers of every function. Each function has its own rows, as there is no
// recursion. Constants have rows of their own, marked by a bit of the row's number. A Program does
// not change after it is built.
#pragma once

#include "test/ptxsim/Syntax.h"

#include <array>
#include <limits>

namespace ptxsim {

class Warp;
struct Inst;
/// Executes an instruction for a set of lanes that is not empty.
using Handler = void (*)(Warp &, const Inst &, Lanes);

enum class Rounding : std::uint8_t { Nearest, Zero, Down, Up };

/// The initial contents of memory and registers.
constexpr unsigned char freshByte = 0xcb;
constexpr Value freshWord = 0xcbcbcbcbcbcbcbcb;

constexpr std::uint32_t constantBit = 1U << 31;
constexpr std::uint32_t noRow = std::numeric_limits<std::uint32_t>::max();

/// A decoded instruction. Its handler defines the meaning of mode and immediate, and which fields
/// are used.
struct Inst {
  Handler run = nullptr;
  Handler perform = nullptr; ///< for a .sync: runs when all lanes of the mask have arrived
  std::array<std::uint32_t, 10> rows{}; ///< operands in the order of the text
  std::uint32_t guard = noRow;
  std::uint32_t target = 0; ///< for a branch or call: the index in a table of the program
  Value immediate = 0;      ///< for an access: the offset that is added to the address
  std::uint32_t line = 0;
  std::uint8_t mode = 0;
  std::uint8_t bytes = 0; ///< the size of an element in memory, or of the destination
  std::uint8_t count = 1; ///< the number of elements
  Space space = Space::Generic;
  Rounding rounding = Rounding::Nearest;
  bool guardNegated = false;
  bool ftz = false, sat = false, isSigned = false, negated = false, aligned = false;
  bool isBranch = false;
  /// The handler sets the program counters of its lanes.
  bool isControl = false;
};

enum class Special : std::uint32_t {
#define SPECIAL(NAME, TEXT, BITS) NAME,
#include "test/ptxsim/Specials.def"
  Count
};

/// The copies of a call, from and to variables in the thread's local memory.
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
  std::vector<std::string> names; ///< for each instruction, for errors
  std::vector<Value> constants;   ///< 32 values for each constant
  std::vector<Call> calls;
  std::vector<std::vector<std::uint32_t>> branchTables;
  std::vector<Value> fresh; ///< for each row its initial value, as wide as its register
  std::size_t localBytes = 0;
  std::size_t sharedBytes = 0;
};

/// The addresses of the variables in .global and .const.
using Addresses = std::map<const Variable *, std::uint64_t>;

/// Builds the program of an entry. Throws Error(Unsupported) for PTX that it does not know.
Program build(const Source &source, const Function &entry, const Addresses &addresses);

} // namespace ptxsim
