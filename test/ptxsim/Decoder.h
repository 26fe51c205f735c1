// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the decoders of Opcodes.def work with: the instruction as written, from which they take
// modifiers and operands, and the Inst that they fill. A modifier that nobody takes makes the
// instruction an unknown one.
#pragma once

#include "test/ptxsim/Program.h"

#include <initializer_list>

namespace ptxsim {

/// Where a variable lives: an address in its space.
struct Place {
  Space space;
  std::uint64_t address;
};

/// What a decoder needs of the program that is being built.
class Names {
public:
  virtual ~Names() = default;
  virtual std::uint32_t registerRow(unsigned number) = 0;
  virtual Type registerType(unsigned number) = 0;
  virtual std::uint32_t constantRow(Value value) = 0;
  virtual std::uint32_t sinkRow() = 0; ///< of what _ throws away
  virtual Place placeOf(const Variable &variable) = 0;
  virtual std::uint32_t labelTarget(const std::string &label) = 0;
  virtual std::uint32_t branchTable(const std::string &name) = 0;
  virtual std::uint32_t call(const std::vector<Operand> &results, const std::string &callee,
                             const std::vector<Operand> &arguments) = 0;
  virtual std::uint32_t returnRow() = 0; ///< noRow in an entry
};

class Decoder {
public:
  Decoder(const Instruction &instruction, Names &names);

  /// The whole of it: finds the opcode's row and calls its decoder.
  Inst decode();

  Inst inst;
  Names &names;

  //===-- Modifiers --===//
  /// Whether there is such a modifier; it is taken away.
  bool take(std::string_view modifier);
  /// The index of the one of the list that is there; none if none is.
  std::optional<unsigned> takeOneOf(std::initializer_list<std::string_view> list);
  /// As above, an error if none is.
  unsigned needOneOf(std::initializer_list<std::string_view> list);
  /// The last modifier that is a type.
  Type takeType();
  /// .rn .rz .rm .rp, nearest by default, into the Inst; so .ftz and .sat.
  void takeRounding();
  void takeFtz() { inst.ftz = take("ftz"); }
  void takeSat() { inst.sat = take("sat"); }
  /// The type that takeType would answer, left where it is.
  std::optional<Type> lastType() const;

  //===-- Operands --===//
  std::size_t operands() const { return instruction.operands.size(); }
  const Operand &operand(std::size_t at) const;
  void needOperands(std::size_t least, std::size_t most);
  void needOperands(std::size_t count) { needOperands(count, count); }
  /// The row of an operand that is written or read as a value of that type.
  std::uint32_t write(const Operand &operand, Type type);
  std::uint32_t read(const Operand &operand, Type type);
  /// As above, of registers that may be wider than the type.
  std::uint32_t writeWide(const Operand &operand, Type type);
  std::uint32_t readWide(const Operand &operand, Type type);
  /// The bits of a register, special register or number.
  unsigned widthOf(const Operand &operand, Type type);
  /// rows[0] is written as the first type; the other operands are read as their types.
  void assign(Type result, std::initializer_list<Type> sources);
  /// The number of an operand that must be one.
  Value immediate(std::size_t at) const;
  /// Row, offset and space of [address].
  void address(const Operand &operand, std::size_t row, Space space);

  /// The instruction is unknown, for that reason.
  [[noreturn]] void unknown(const std::string &why) const;
  std::string name() const;

private:
  std::uint32_t constant(const Operand &operand, Type type);

  const Instruction &instruction;
  std::vector<std::string> modifiers; ///< those not yet taken
};

/// Runs a .sync when its lanes are there (Warp::arrive).
void awaitLanes(Warp &warp, const Inst &inst, Lanes lanes);

// The decoders, one for each family that the table names.
#define OPCODE(NAME, DECODER) void decode##DECODER(Decoder &decoder);
#define ARITHMETIC(NAME, INTEGER, FLOAT)                                                           \
  void decode##INTEGER(Decoder &decoder);                                                          \
  void decode##FLOAT(Decoder &decoder);
#include "test/ptxsim/Opcodes.def"

} // namespace ptxsim
