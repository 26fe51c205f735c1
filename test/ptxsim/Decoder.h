// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of the decoders that Opcodes.def lists. A decoder takes modifiers and operands from
// the instruction as written and fills an Inst. A modifier that no decoder takes is an error: the
// instruction is unknown.
#pragma once

#include "test/ptxsim/Program.h"

#include <initializer_list>

namespace ptxsim {

/// The location of a variable: its space and its address there.
struct Place {
  Space space;
  std::uint64_t address;
};

/// Translates names into rows and targets of the program that is being built.
class Names {
public:
  virtual ~Names() = default;
  virtual std::uint32_t registerRow(unsigned number) = 0;
  virtual Type registerType(unsigned number) = 0;
  virtual std::uint32_t constantRow(Value value) = 0;
  virtual std::uint32_t sinkRow() = 0; ///< the row for values that are discarded, written as _
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

  /// Decodes the instruction: finds its opcode in the table and calls the decoder.
  Inst decode();

  Inst inst;
  Names &names;

  //===-- Modifiers --===//
  /// Removes the modifier and returns true, or returns false if there is none.
  bool take(std::string_view modifier);
  /// Removes the first modifier of the list that is present, and returns its index.
  std::optional<unsigned> takeOneOf(std::initializer_list<std::string_view> list);
  /// Like takeOneOf, but throws if none is present.
  unsigned needOneOf(std::initializer_list<std::string_view> list);
  /// Removes the last modifier that is a type, and returns that type.
  Type takeType();
  /// Stores the rounding modifier (.rn, .rz, .rm or .rp; nearest by default) in inst. takeFtz and
  /// takeSat do the same for .ftz and .sat.
  void takeRounding();
  void takeFtz() { inst.ftz = take("ftz"); }
  void takeSat() { inst.sat = take("sat"); }
  /// The type that takeType would return. Removes nothing.
  std::optional<Type> lastType() const;

  //===-- Operands --===//
  std::size_t operands() const { return instruction.operands.size(); }
  const Operand &operand(std::size_t at) const;
  void needOperands(std::size_t least, std::size_t most);
  void needOperands(std::size_t count) { needOperands(count, count); }
  /// The row of an operand for writing or reading a value of \p type. Throws if its register has
  /// another size.
  std::uint32_t write(const Operand &operand, Type type);
  std::uint32_t read(const Operand &operand, Type type);
  /// Like write and read, but the register may be wider than \p type.
  std::uint32_t writeWide(const Operand &operand, Type type);
  std::uint32_t readWide(const Operand &operand, Type type);
  /// The width in bits of a register, special register or number.
  unsigned widthOf(const Operand &operand, Type type);
  /// Sets rows[0] to the row of the result, and the next rows to those of the sources. \p sources
  /// contains their types.
  void assign(Type result, std::initializer_list<Type> sources);
  /// The value of an operand that must be a number.
  Value immediate(std::size_t at) const;
  /// Stores the row, offset and space of an operand [address].
  void address(const Operand &operand, std::size_t row, Space space);

  /// Throws the error that the instruction is unknown, with the reason.
  [[noreturn]] void unknown(const std::string &why) const;
  std::string name() const;

private:
  std::uint32_t constant(const Operand &operand, Type type);

  const Instruction &instruction;
  std::vector<std::string> modifiers; ///< not yet taken
};

/// Runs a .sync instruction when all its lanes have arrived (Warp::arrive).
void awaitLanes(Warp &warp, const Inst &inst, Lanes lanes);

// One decoder for each family of opcodes in the table.
#define OPCODE(NAME, DECODER) void decode##DECODER(Decoder &decoder);
#define ARITHMETIC(NAME, INTEGER, FLOAT)                                                           \
  void decode##INTEGER(Decoder &decoder);                                                          \
  void decode##FLOAT(Decoder &decoder);
#include "test/ptxsim/Opcodes.def"

} // namespace ptxsim
