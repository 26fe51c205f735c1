// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atom and red. The lanes run one after the other, in ascending order unless the launch has a seed.
#include "test/ptxsim/ops/Lanes.h"
#include "test/ptxsim/ops/Order.h"

#include <algorithm>

namespace ptxsim {
namespace {

constexpr std::initializer_list<std::string_view> names = {"and", "or",  "xor", "exch", "cas",
                                                           "add", "inc", "dec", "min",  "max"};
enum Operation : unsigned { And, Or, Xor, Exch, Cas, Add, Inc, Dec, Min, Max };

struct AndOp {
  template <class T> static T eval(T old, T b, T) { return old & b; }
};
struct OrOp {
  template <class T> static T eval(T old, T b, T) { return old | b; }
};
struct XorOp {
  template <class T> static T eval(T old, T b, T) { return old ^ b; }
};
struct ExchOp {
  template <class T> static T eval(T, T b, T) { return b; }
};
struct CasOp {
  template <class T> static T eval(T old, T b, T c) { return old == b ? c : old; }
};
struct AddOp {
  template <class T> static T eval(T old, T b, T) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::uint64_t(old) + std::uint64_t(b));
    else
      return add(old, b, Rounding::Nearest);
  }
};
/// The sum of f32 in global memory. Hardware flushes subnormals there.
struct FlushedAddOp {
  static float eval(float old, float b, float) {
    return flushed(add(flushed(old), flushed(b), Rounding::Nearest));
  }
};
struct IncOp {
  template <class T> static T eval(T old, T b, T) { return old >= b ? 0 : old + 1; }
};
struct DecOp {
  template <class T> static T eval(T old, T b, T) { return old == 0 || old > b ? b : old - 1; }
};
struct MinOp {
  template <class T> static T eval(T old, T b, T) { return std::min(old, b); }
};
struct MaxOp {
  template <class T> static T eval(T old, T b, T) { return std::max(old, b); }
};

template <class T, unsigned Parts, class Op>
void change(Warp &warp, const Inst &inst, unsigned lane, std::byte *bytes) {
  const Value b = warp.source(inst.rows[2])[lane], c = warp.source(inst.rows[3])[lane];
  for (unsigned part = 0; part != Parts; ++part) {
    T old;
    std::memcpy(&old, bytes + part * sizeof(T), sizeof(T));
    const T changed = Op::eval(old, get<T>(b, part), get<T>(c, part));
    std::memcpy(bytes + part * sizeof(T), &changed, sizeof(T));
  }
}

template <class Op, class T, unsigned Parts = 1>
void atomic(Warp &warp, const Inst &inst, Lanes lanes) {
  constexpr std::size_t size = Parts * sizeof(T);
  const Value *addresses = warp.source(inst.rows[1]);
  Value *d = warp.destination(inst.rows[0]);
  auto one = [&](unsigned lane) {
    const std::uint64_t address = addresses[lane] + inst.immediate;
    std::byte *bytes = warp.access(inst, lane, address, size, size, true);
    Value old = 0;
    std::memcpy(&old, bytes, size);
    const bool isGlobal = inst.space == Space::Global ||
                          (inst.space == Space::Generic && spaceAt(address) == Space::Global);
    if (std::is_same_v<Op, AddOp> && std::is_same_v<T, float> && isGlobal)
      change<float, 1, FlushedAddOp>(warp, inst, lane, bytes);
    else
      change<T, Parts, Op>(warp, inst, lane, bytes);
    d[lane] = old;
  };
  if (!warp.grid.isSeeded())
    return forLanes(lanes, one);
  std::vector<unsigned> order;
  forLanes(lanes, [&](unsigned lane) { order.push_back(lane); });
  std::shuffle(order.begin(), order.end(), warp.grid.random);
  for (unsigned lane : order)
    one(lane);
}

Handler pickAdd(Decoder &decoder, Type type) {
  switch (type) {
  case Type::F16:
    return atomic<AddOp, F16>;
  case Type::BF16:
    return atomic<AddOp, BF16>;
  case Type::F16x2:
    return atomic<AddOp, F16, 2>;
  case Type::BF16x2:
    return atomic<AddOp, BF16, 2>;
  case Type::F32:
    return atomic<AddOp, float>;
  case Type::F64:
    return atomic<AddOp, double>;
  default:
    return pickInteger(decoder, type, []<class T>(T) -> Handler { return atomic<AddOp, T>; });
  }
}

template <class Op> Handler pickBitwise(Decoder &decoder, Type type) {
  return pickBits(decoder, type, []<class T>(T) -> Handler { return atomic<Op, T>; });
}

Handler pick(Decoder &decoder, Operation operation, Type type) {
  const bool isHalf = bitsOf(type) == 16 && !isFloat(type);
  if (isHalf && operation != Cas)
    decoder.unknown("of 16 bits there is only cas");
  switch (operation) {
  case And:
    return pickBitwise<AndOp>(decoder, type);
  case Or:
    return pickBitwise<OrOp>(decoder, type);
  case Xor:
    return pickBitwise<XorOp>(decoder, type);
  case Exch:
    return pickBitwise<ExchOp>(decoder, type);
  case Cas:
    return pickBitwise<CasOp>(decoder, type);
  case Add:
    return pickAdd(decoder, type);
  case Inc:
  case Dec:
    if (type != Type::U32)
      decoder.unknown("it takes .u32");
    return operation == Inc ? atomic<IncOp, std::uint32_t> : atomic<DecOp, std::uint32_t>;
  case Min:
    return pickInteger(decoder, type, []<class T>(T) -> Handler { return atomic<MinOp, T>; });
  case Max:
    return pickInteger(decoder, type, []<class T>(T) -> Handler { return atomic<MaxOp, T>; });
  }
  return nullptr;
}

void decodeAtomic(Decoder &decoder, bool hasResult) {
  const auto operation = static_cast<Operation>(decoder.needOneOf(names));
  const Space space = takeSpace(decoder);
  takeOrder(decoder);
  const bool hasPolicy = takeCaching(decoder);
  decoder.take("noftz");
  const Type type = decoder.takeType();
  std::size_t at = 0;
  decoder.needOperands((hasResult ? 3 : 2) + (operation == Cas) + hasPolicy);
  Inst &inst = decoder.inst;
  inst.rows[0] = hasResult ? decoder.write(decoder.operand(at++), type) : decoder.names.sinkRow();
  decoder.address(decoder.operand(at++), 1, space);
  inst.rows[2] = decoder.read(decoder.operand(at++), type);
  inst.rows[3] = operation == Cas ? decoder.read(decoder.operand(at), type) : inst.rows[2];
  if (inst.space == Space::Local || inst.space == Space::Param || inst.space == Space::Const)
    decoder.unknown("atomics are for global and shared memory");
  inst.run = pick(decoder, operation, type);
}

} // namespace

void decodeAtom(Decoder &decoder) { decodeAtomic(decoder, true); }
void decodeRed(Decoder &decoder) { decodeAtomic(decoder, false); }

} // namespace ptxsim
