// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp instructions and barriers. The mask of a .sync is in target.
#include "test/ptxsim/ops/Lanes.h"

#include <algorithm>

namespace ptxsim {

void awaitLanes(Warp &warp, const Inst &inst, Lanes lanes) { warp.arrive(inst, lanes); }

namespace {

enum ShuffleMode : std::uint8_t { Up, Down, Bfly, Idx };

/// The lane that \p lane reads from, and whether it is in range.
std::pair<unsigned, bool> sourceLane(unsigned lane, std::uint8_t mode, Value b, Value c) {
  const unsigned distance = b & 31, clamp = c & 31, segments = c >> 8 & 31;
  const unsigned first = lane & segments, last = first | (clamp & ~segments & 31);
  const int own = static_cast<int>(lane);
  int from = own;
  bool inRange = false;
  switch (mode) {
  case Up:
    from = own - static_cast<int>(distance);
    inRange = from >= static_cast<int>(last);
    break;
  case Down:
    from = own + static_cast<int>(distance);
    inRange = from <= static_cast<int>(last);
    break;
  case Bfly:
    from = static_cast<int>(lane ^ distance);
    inRange = from <= static_cast<int>(last);
    break;
  default:
    from = static_cast<int>(first | (distance & ~segments));
    inRange = from <= static_cast<int>(last);
  }
  return {static_cast<unsigned>(inRange ? from : own), inRange};
}

void shuffle(Warp &warp, const Inst &inst, Lanes lanes) {
  std::array<Value, warpSize> values;
  std::copy_n(warp.source(inst.rows[2]), warpSize, values.begin());
  Value *d = warp.destination(inst.rows[0]), *p = warp.destination(inst.rows[1]);
  const Value *b = warp.source(inst.rows[3]), *c = warp.source(inst.rows[4]);
  // Computed before a result overwrites b or c.
  std::array<std::pair<unsigned, bool>, warpSize> from;
  forLanes(lanes,
           [&](unsigned lane) { from[lane] = sourceLane(lane, inst.mode, b[lane], c[lane]); });
  forLanes(lanes, [&](unsigned lane) {
    const auto [other, inRange] = from[lane];
    p[lane] = inRange;
    d[lane] = lanes >> other & 1 ? values[other] : freshWord & lowBits(32);
    if (!(lanes >> other & 1))
      warp.grid.note("line " + std::to_string(inst.line) +
                     ": a shuffle reads from a lane that takes no part");
  });
}

enum VoteMode : std::uint8_t { All, Any, Uni, Ballot };

void vote(Warp &warp, const Inst &inst, Lanes lanes) {
  Lanes votes = warp.truth(inst.rows[1]);
  votes = (inst.negated ? ~votes : votes) & lanes;
  Value result = votes;
  if (inst.mode == All)
    result = votes == lanes;
  else if (inst.mode == Any)
    result = votes != 0;
  else if (inst.mode == Uni)
    result = votes == 0 || votes == lanes;
  Value *d = warp.destination(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = result; });
}

void matchAny(Warp &warp, const Inst &inst, Lanes lanes) {
  std::array<Value, warpSize> values;
  std::copy_n(warp.source(inst.rows[2]), warpSize, values.begin());
  Value *d = warp.destination(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) {
    Lanes equal = 0;
    forLanes(lanes,
             [&](unsigned other) { equal |= Lanes(values[other] == values[lane]) << other; });
    d[lane] = equal;
  });
}

void matchAll(Warp &warp, const Inst &inst, Lanes lanes) {
  const Value *values = warp.source(inst.rows[2]);
  const Value first = values[std::countr_zero(lanes)];
  bool isSame = true;
  forLanes(lanes, [&](unsigned lane) { isSame &= values[lane] == first; });
  Value *d = warp.destination(inst.rows[0]), *p = warp.destination(inst.rows[1]);
  forLanes(lanes, [&](unsigned lane) {
    d[lane] = isSame ? lanes : 0;
    p[lane] = isSame;
  });
}

enum ReduxMode : std::uint8_t { Add, Min, Max, And, Or, Xor };

template <class T> void reduce(Warp &warp, const Inst &inst, Lanes lanes) {
  const Value *a = warp.source(inst.rows[1]);
  const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
  T result = get<T>(a[first]);
  forLanes(lanes & (lanes - 1), [&](unsigned lane) {
    const T value = get<T>(a[lane]);
    switch (inst.mode) {
    case Add:
      result = static_cast<T>(std::uint64_t(result) + std::uint64_t(value));
      break;
    case Min:
      result = std::min(result, value);
      break;
    case Max:
      result = std::max(result, value);
      break;
    case And:
      result &= value;
      break;
    case Or:
      result |= value;
      break;
    default:
      result ^= value;
    }
  });
  Value *d = warp.destination(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = bitsIn(result); });
}

void elect(Warp &warp, const Inst &inst, Lanes lanes) {
  const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
  Value *d = warp.destination(inst.rows[0]), *p = warp.destination(inst.rows[1]);
  forLanes(lanes, [&](unsigned lane) {
    d[lane] = first;
    p[lane] = lane == first;
  });
}

void activeMask(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = lanes; });
}

void meet(Warp &, const Inst &, Lanes) {}

void makeSync(Decoder &decoder, Handler perform, std::size_t mask) {
  decoder.inst.run = awaitLanes;
  decoder.inst.perform = perform;
  decoder.inst.isControl = true;
  decoder.inst.target = decoder.read(decoder.operand(mask), Type::B32);
}

/// Decodes the result d, or d|p.
void decodeResults(Decoder &decoder, Type type) {
  const Operand &result = decoder.operand(0);
  const bool isPair = result.kind == Operand::Kind::Pair;
  decoder.inst.rows[0] = decoder.write(isPair ? result.parts[0] : result, type);
  decoder.inst.rows[1] =
      isPair ? decoder.write(result.parts[1], Type::Pred) : decoder.names.sinkRow();
}

void needSync(Decoder &decoder) {
  if (!decoder.take("sync"))
    decoder.unknown("only the forms with .sync are known");
}

/// The value of an operand that must be the same in all of \p lanes.
unsigned uniform(Warp &warp, const Inst &inst, Lanes lanes, std::uint32_t row) {
  const Value *values = warp.source(row);
  const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
  forLanes(lanes, [&](unsigned lane) {
    if (values[lane] != values[first])
      warp.fail(ErrorKind::BadSync, inst, lane, "the lanes name different barriers or counts");
  });
  return static_cast<unsigned>(values[first]);
}

/// rows: result, predicate, barrier, count.
void barrier(Warp &warp, const Inst &inst, Lanes lanes) {
  const unsigned number = uniform(warp, inst, lanes, inst.rows[2]);
  const unsigned count = inst.rows[3] == noRow ? 0 : uniform(warp, inst, lanes, inst.rows[3]);
  if (number >= 16)
    warp.fail(ErrorKind::BadSync, inst, static_cast<unsigned>(std::countr_zero(lanes)),
              "there is no barrier " + std::to_string(number));
  warp.block.arrive(warp, inst, number, count, lanes, inst.count != 0);
}

} // namespace

void decodeShfl(Decoder &decoder) {
  needSync(decoder);
  decoder.inst.mode = static_cast<std::uint8_t>(decoder.needOneOf({"up", "down", "bfly", "idx"}));
  if (decoder.takeType() != Type::B32)
    decoder.unknown("it takes .b32");
  decoder.needOperands(5);
  decodeResults(decoder, Type::B32);
  for (std::size_t i = 1; i != 4; ++i)
    decoder.inst.rows[1 + i] = decoder.read(decoder.operand(i), Type::B32);
  makeSync(decoder, shuffle, 4);
}

void decodeVote(Decoder &decoder) {
  needSync(decoder);
  decoder.inst.mode = static_cast<std::uint8_t>(decoder.needOneOf({"all", "any", "uni", "ballot"}));
  const Type type = decoder.takeType();
  if ((type == Type::B32) != (decoder.inst.mode == Ballot))
    decoder.unknown("a ballot is .b32, other votes are .pred");
  decoder.needOperands(3);
  decoder.inst.rows[0] = decoder.write(decoder.operand(0), type);
  decoder.inst.rows[1] = decoder.read(decoder.operand(1), Type::Pred);
  decoder.inst.negated = decoder.operand(1).isNegated;
  makeSync(decoder, vote, 2);
}

void decodeMatch(Decoder &decoder) {
  needSync(decoder);
  const bool isAll = decoder.needOneOf({"any", "all"}) == 1;
  const Type type = decoder.takeType();
  if (type != Type::B32 && type != Type::B64)
    decoder.unknown("it takes .b32 and .b64");
  decoder.needOperands(3);
  decodeResults(decoder, Type::B32);
  decoder.inst.rows[2] = decoder.read(decoder.operand(1), type);
  makeSync(decoder, isAll ? matchAll : matchAny, 2);
}

void decodeRedux(Decoder &decoder) {
  needSync(decoder);
  decoder.inst.mode =
      static_cast<std::uint8_t>(decoder.needOneOf({"add", "min", "max", "and", "or", "xor"}));
  const Type type = decoder.takeType();
  if (bitsOf(type) != 32 || isFloat(type) ||
      (kindOf(type) == Kind::Bits) != (decoder.inst.mode >= And))
    decoder.unknown("it takes .u32 and .s32, or .b32");
  decoder.needOperands(3);
  decoder.inst.rows[0] = decoder.write(decoder.operand(0), type);
  decoder.inst.rows[1] = decoder.read(decoder.operand(1), type);
  makeSync(decoder, kindOf(type) == Kind::Signed ? reduce<std::int32_t> : reduce<std::uint32_t>, 2);
}

void decodeElect(Decoder &decoder) {
  needSync(decoder);
  decoder.needOperands(2);
  decodeResults(decoder, Type::B32);
  makeSync(decoder, elect, 1);
}

void decodeActivemask(Decoder &decoder) {
  if (decoder.takeType() != Type::B32)
    decoder.unknown("it gives .b32");
  decoder.assign(Type::B32, {});
  decoder.inst.run = activeMask;
}

void decodeBar(Decoder &decoder) {
  Inst &inst = decoder.inst;
  if (decoder.take("warp")) {
    needSync(decoder);
    decoder.needOperands(1);
    makeSync(decoder, meet, 0);
    return;
  }
  decoder.take("cta");
  inst.aligned = decoder.take("aligned") || decoder.name().starts_with("bar.");
  const unsigned kind = decoder.needOneOf({"sync", "arrive", "red"});
  const bool reduces = kind == 2;
  std::size_t last = decoder.operands();
  if (reduces) {
    inst.mode = static_cast<std::uint8_t>(1 + decoder.needOneOf({"popc", "and", "or"}));
    const Type type = decoder.takeType();
    if (type != (inst.mode == 1 ? Type::U32 : Type::Pred))
      decoder.unknown("popc gives .u32, and and or give .pred");
    decoder.needOperands(3, 4);
    --last;
    inst.rows[0] = decoder.write(decoder.operand(0), type);
    inst.rows[1] = decoder.read(decoder.operand(last), Type::Pred);
    inst.negated = decoder.operand(last).isNegated;
  } else {
    decoder.needOperands(kind == 1 ? 2 : 1, 2);
  }
  const std::size_t first = reduces ? 1 : 0;
  inst.rows[2] = decoder.read(decoder.operand(first), Type::U32);
  inst.rows[3] = last - first > 1 ? decoder.read(decoder.operand(first + 1), Type::U32) : noRow;
  inst.count = kind != 1; // whether the instruction waits
  inst.isControl = true;
  inst.run = barrier;
}

} // namespace ptxsim
