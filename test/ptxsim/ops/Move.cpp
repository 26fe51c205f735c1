// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mov, and instructions on addresses.
#include "test/ptxsim/ops/Lanes.h"
#include "test/ptxsim/ops/Order.h"

#include <chrono>

namespace ptxsim {
namespace {

void copy(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = a[lane]; });
}

/// Packs parts of inst.bytes bytes each. The first is the lowest.
void gather(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) {
    Value whole = 0;
    for (unsigned part = 0; part != inst.count; ++part)
      whole |= (warp.source(inst.rows[1 + part])[lane] & lowBits(8U * inst.bytes))
               << (8U * inst.bytes * part);
    d[lane] = whole;
  });
}

void scatter(Warp &warp, const Inst &inst, Lanes lanes) {
  const Value *a = warp.source(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) {
    const Value whole = a[lane]; // copied first, because the register may be one of the parts
    for (unsigned part = 0; part != inst.count; ++part)
      warp.destination(inst.rows[1 + part])[lane] =
          whole >> (8U * inst.bytes * part) & lowBits(8U * inst.bytes);
  });
}

Type bitsNamed(Decoder &decoder, unsigned bits) {
  switch (bits) {
  case 8:
    return Type::B8;
  case 16:
    return Type::B16;
  case 32:
    return Type::B32;
  default:
    decoder.unknown("its parts have no such size");
  }
}

void readClock(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = warp.grid.executed & inst.immediate; });
}

void readTimer(Warp &warp, const Inst &inst, Lanes lanes) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  Value *d = warp.destination(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = static_cast<Value>(passed) & inst.immediate; });
}

/// Decodes a read of a register that changes while the program runs, such as a clock.
bool decodeCounter(Decoder &decoder, Type type) {
  const Operand &source = decoder.operand(1);
  if (source.kind != Operand::Kind::Special)
    return false;
  const std::string &name = source.name;
  if (name == "%clock" || name == "%clock64" || name == "%clock_hi")
    decoder.inst.run = readClock;
  else if (name == "%globaltimer" || name == "%globaltimer_lo")
    decoder.inst.run = readTimer;
  else
    return false;
  decoder.inst.rows[0] = decoder.write(decoder.operand(0), type);
  decoder.inst.immediate = name == "%clock_hi" ? 0 : lowBits(bitsOf(type));
  return true;
}

void intoWindow(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = a[lane] + inst.immediate; });
}

void isInSpace(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]);
  forLanes(lanes, [&](unsigned lane) {
    const Space space = spaceAt(a[lane]);
    const Memory::Allocation *allocation =
        space == Space::Global ? warp.grid.memory.before(a[lane]) : nullptr;
    const bool isConst = allocation && allocation->readOnly && allocation->holds(a[lane], 0);
    d[lane] = (isConst ? Space::Const : space) == inst.space;
  });
}

/// Takes the modifier of a space, which must be present.
Space needSpace(Decoder &decoder) {
  const Space space = takeSpace(decoder);
  if (space == Space::Generic)
    decoder.unknown("a space is missing");
  return space;
}

} // namespace

void decodeMov(Decoder &decoder) {
  const Type type = decoder.takeType();
  decoder.needOperands(2);
  const Operand &to = decoder.operand(0), &from = decoder.operand(1);
  Inst &inst = decoder.inst;
  if (decodeCounter(decoder, type))
    return;
  const bool gathers = from.kind == Operand::Kind::Vector;
  if (!gathers && to.kind != Operand::Kind::Vector) {
    decoder.assign(type, {type});
    inst.run = copy;
    return;
  }
  const std::vector<Operand> &parts = gathers ? from.parts : to.parts;
  inst.count = static_cast<std::uint8_t>(parts.size());
  if (parts.size() != 2 && parts.size() != 4)
    decoder.unknown("it has two or four parts");
  const Type partType = bitsNamed(decoder, bitsOf(type) / inst.count);
  inst.bytes = static_cast<std::uint8_t>(bytesOf(partType));
  inst.rows[0] = gathers ? decoder.write(to, type) : decoder.read(from, type);
  for (std::size_t i = 0; i != parts.size(); ++i)
    inst.rows[1 + i] = partType == Type::B8 ? (gathers ? decoder.readWide(parts[i], partType)
                                                       : decoder.writeWide(parts[i], partType))
                                            : (gathers ? decoder.read(parts[i], partType)
                                                       : decoder.write(parts[i], partType));
  inst.run = gathers ? gather : scatter;
}

void decodeCvta(Decoder &decoder) {
  const bool isTo = decoder.take("to");
  const Space space = needSpace(decoder);
  if (decoder.takeType() != Type::U64)
    decoder.unknown("addresses have 64 bits");
  decoder.assign(Type::U64, {Type::U64});
  decoder.inst.immediate = isTo ? -windowOf(space) : windowOf(space);
  decoder.inst.run = intoWindow;
}

void decodeIsspacep(Decoder &decoder) {
  decoder.inst.space = needSpace(decoder);
  decoder.assign(Type::Pred, {Type::U64});
  decoder.inst.run = isInSpace;
}

} // namespace ptxsim
