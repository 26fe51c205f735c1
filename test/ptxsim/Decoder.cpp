// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Decoder.h"

#include <algorithm>

namespace ptxsim {

Decoder::Decoder(const Instruction &instruction, Names &names)
    : names(names), instruction(instruction), modifiers(instruction.modifiers) {
  inst.line = instruction.line;
  if (instruction.guard) {
    inst.guard = names.registerRow(*instruction.guard);
    inst.guardNegated = instruction.guardNegated;
  }
}

std::string Decoder::name() const {
  std::string text = instruction.opcode;
  for (const std::string &modifier : instruction.modifiers)
    text += "." + modifier;
  return text;
}

void Decoder::unknown(const std::string &why) const {
  throw Error(ErrorKind::Unsupported, instruction.line,
              "line " + std::to_string(instruction.line) + ": unknown instruction '" + name() +
                  "': " + why);
}

Inst Decoder::decode() {
  using Decode = void (*)(Decoder &);
  struct Row {
    Decode integer, floating;
  };
  static const std::map<std::string_view, Row> rows = {
#define OPCODE(NAME, DECODER) {NAME, {decode##DECODER, decode##DECODER}},
#define ARITHMETIC(NAME, INTEGER, FLOAT) {NAME, {decode##INTEGER, decode##FLOAT}},
#include "test/ptxsim/Opcodes.def"
  };
  auto found = rows.find(instruction.opcode);
  if (found == rows.end())
    unknown("no such opcode");
  const std::optional<Type> type = lastType();
  (type && isFloat(*type) ? found->second.floating : found->second.integer)(*this);
  if (!modifiers.empty())
    unknown("what is ." + modifiers.front() + " here?");
  return inst;
}

//===-- Modifiers --===//

bool Decoder::take(std::string_view modifier) {
  auto found = std::find(modifiers.begin(), modifiers.end(), modifier);
  if (found == modifiers.end())
    return false;
  modifiers.erase(found);
  return true;
}

std::optional<unsigned> Decoder::takeOneOf(std::initializer_list<std::string_view> list) {
  unsigned index = 0;
  for (std::string_view each : list) {
    if (take(each))
      return index;
    ++index;
  }
  return std::nullopt;
}

unsigned Decoder::needOneOf(std::initializer_list<std::string_view> list) {
  if (std::optional<unsigned> found = takeOneOf(list))
    return *found;
  unknown("a modifier such as ." + std::string(*list.begin()) + " is missing");
}

std::optional<Type> Decoder::lastType() const {
  for (auto each = modifiers.rbegin(); each != modifiers.rend(); ++each)
    if (std::optional<Type> type = typeNamed(*each))
      return type;
  return std::nullopt;
}

Type Decoder::takeType() {
  for (std::size_t i = modifiers.size(); i-- != 0;)
    if (std::optional<Type> type = typeNamed(modifiers[i])) {
      modifiers.erase(modifiers.begin() + static_cast<std::ptrdiff_t>(i));
      return *type;
    }
  unknown("a type is missing");
}

void Decoder::takeRounding() {
  if (std::optional<unsigned> which = takeOneOf({"rn", "rz", "rm", "rp"}))
    inst.rounding = static_cast<Rounding>(*which);
}

//===-- Operands --===//

const Operand &Decoder::operand(std::size_t at) const {
  if (at >= instruction.operands.size())
    unknown("an operand is missing");
  return instruction.operands[at];
}

void Decoder::needOperands(std::size_t least, std::size_t most) {
  if (operands() < least || operands() > most)
    unknown("it has " + std::to_string(operands()) + " operands");
}

unsigned Decoder::widthOf(const Operand &operand, Type type) {
  return operand.kind == Operand::Kind::Register
             ? bitsOf(names.registerType(static_cast<unsigned>(operand.number)))
             : bitsOf(type);
}

std::uint32_t Decoder::writeWide(const Operand &operand, Type type) {
  if (operand.kind == Operand::Kind::Sink)
    return names.sinkRow();
  if (operand.kind != Operand::Kind::Register)
    unknown("its result goes into no register");
  if (widthOf(operand, type) < bitsOf(type) || (widthOf(operand, type) == 1) != (bitsOf(type) == 1))
    unknown(operand.name + " is too narrow");
  return names.registerRow(static_cast<unsigned>(operand.number));
}

std::uint32_t Decoder::write(const Operand &operand, Type type) {
  if (operand.kind == Operand::Kind::Register && widthOf(operand, type) != bitsOf(type))
    unknown(operand.name + " is not as wide as ." + std::string(textOf(type)));
  return writeWide(operand, type);
}

std::uint32_t Decoder::constant(const Operand &operand, Type type) {
  Value value = operand.number;
  if (operand.kind == Operand::Kind::Float) {
    const bool wantsSingle = bitsOf(type) == 32;
    if (bitsOf(type) != 32 && bitsOf(type) != 64)
      unknown("a float of another size is written as its bits");
    if (operand.isSingle && !wantsSingle)
      value = std::bit_cast<Value>(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value))));
    if (!operand.isSingle && wantsSingle)
      value = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value)));
  }
  return names.constantRow(value & lowBits(bitsOf(type)));
}

std::uint32_t Decoder::readWide(const Operand &operand, Type type) {
  switch (operand.kind) {
  case Operand::Kind::Register:
    if (widthOf(operand, type) < bitsOf(type) ||
        (widthOf(operand, type) == 1) != (bitsOf(type) == 1))
      unknown(operand.name + " is too narrow");
    return names.registerRow(static_cast<unsigned>(operand.number));
  case Operand::Kind::Integer:
  case Operand::Kind::Float:
    return constant(operand, type);
  case Operand::Kind::Variable:
    return names.constantRow(names.placeOf(*operand.variable).address + operand.number);
  case Operand::Kind::Special: {
    static const std::map<std::string_view, Special> specials = {
#define SPECIAL(NAME, TEXT, BITS) {TEXT, Special::NAME},
#include "test/ptxsim/Specials.def"
    };
    auto found = specials.find(operand.name);
    if (found == specials.end())
      unknown("there is no register " + operand.name);
    return static_cast<std::uint32_t>(found->second);
  }
  default:
    unknown("it cannot read such an operand");
  }
}

std::uint32_t Decoder::read(const Operand &operand, Type type) {
  if (operand.kind == Operand::Kind::Register && widthOf(operand, type) != bitsOf(type))
    unknown(operand.name + " is not as wide as ." + std::string(textOf(type)));
  return readWide(operand, type);
}

void Decoder::assign(Type result, std::initializer_list<Type> sources) {
  needOperands(1 + sources.size());
  inst.rows[0] = write(operand(0), result);
  std::size_t at = 1;
  for (Type type : sources) {
    inst.rows[at] = read(operand(at), type);
    ++at;
  }
}

Value Decoder::immediate(std::size_t at) const {
  if (operand(at).kind != Operand::Kind::Integer)
    unknown("operand " + std::to_string(at) + " is no number");
  return operand(at).number;
}

void Decoder::address(const Operand &operand, std::size_t row, Space space) {
  if (operand.kind != Operand::Kind::Address)
    unknown("[an address] is missing");
  const Operand &base = operand.parts[0];
  inst.immediate = operand.number;
  inst.space = space;
  if (base.kind == Operand::Kind::Variable) {
    const Place place = names.placeOf(*base.variable);
    inst.space = place.space;
    inst.rows[row] = names.constantRow(place.address);
    return;
  }
  inst.rows[row] = readWide(base, Type::B32);
  if (base.kind == Operand::Kind::Register && widthOf(base, Type::B64) == 32 &&
      space != Space::Shared && space != Space::Local)
    unknown("addresses have 64 bits");
}

} // namespace ptxsim
