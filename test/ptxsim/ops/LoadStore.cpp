// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ld, st, and related instructions. Modifiers for caching, order and scope have no effect, as
// memory is sequentially consistent.
#include "test/ptxsim/ops/Lanes.h"
#include "test/ptxsim/ops/Order.h"

namespace ptxsim {
namespace {

// In rows the elements come first, then the address.

template <class T> void load(Warp &warp, const Inst &inst, Lanes lanes) {
  const unsigned count = inst.count;
  const Value *addresses = warp.source(inst.rows[count]);
  const Value mask = lowBits(8U * inst.bytes); // registers may be wider than T
  std::array<Value *, 8> to;
  for (unsigned i = 0; i != count; ++i)
    to[i] = warp.destination(inst.rows[i]);
  forLanes(lanes, [&](unsigned lane) {
    const std::byte *bytes = warp.access(inst, lane, addresses[lane] + inst.immediate,
                                         count * sizeof(T), count * sizeof(T), false);
    for (unsigned i = 0; i != count; ++i) {
      T value;
      std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
      to[i][lane] = static_cast<Value>(static_cast<std::int64_t>(value)) & mask;
    }
  });
}

template <class T> void store(Warp &warp, const Inst &inst, Lanes lanes) {
  const unsigned count = inst.count;
  const Value *addresses = warp.source(inst.rows[count]);
  std::array<const Value *, 8> from;
  for (unsigned i = 0; i != count; ++i)
    from[i] = warp.source(inst.rows[i]);
  forLanes(lanes, [&](unsigned lane) {
    std::byte *bytes = warp.access(inst, lane, addresses[lane] + inst.immediate, count * sizeof(T),
                                   count * sizeof(T), true);
    for (unsigned i = 0; i != count; ++i) {
      const T value = static_cast<T>(from[i][lane]);
      std::memcpy(bytes + i * sizeof(T), &value, sizeof(T));
    }
  });
}

void nothing(Warp &, const Inst &, Lanes) {}

void zero(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = 0; });
}

unsigned takeCount(Decoder &decoder) {
  if (auto lanes = decoder.takeOneOf({"v2", "v4", "v8"}))
    return 2U << *lanes;
  return 1;
}

/// Decodes the elements and the address of an access.
Type decodeAccess(Decoder &decoder, std::size_t elements, std::size_t address, bool isLoad) {
  const Space space = takeSpace(decoder);
  takeOrder(decoder);
  const bool hasPolicy = takeCaching(decoder);
  Inst &inst = decoder.inst;
  const unsigned count = takeCount(decoder);
  const Type type = decoder.takeType();
  decoder.needOperands(hasPolicy ? 3 : 2);
  const Operand &value = decoder.operand(elements);
  inst.count = static_cast<std::uint8_t>(count);
  if (type == Type::Pred || bytesOf(type) * count > 32)
    decoder.unknown("memory has no such elements");
  if ((value.kind == Operand::Kind::Vector) != (count != 1) ||
      (count != 1 && value.parts.size() != count))
    decoder.unknown("the vector has another size");
  unsigned bytes = bytesOf(type);
  for (unsigned i = 0; i != count; ++i) {
    const Operand &element = count == 1 ? value : value.parts[i];
    inst.rows[i] = isLoad ? decoder.writeWide(element, type) : decoder.readWide(element, type);
    if (element.kind != Operand::Kind::Sink)
      bytes = decoder.widthOf(element, type) / 8;
  }
  inst.bytes = static_cast<std::uint8_t>(bytes);
  decoder.address(decoder.operand(address), count, space);
  return type;
}

} // namespace

void decodeLd(Decoder &decoder) {
  decoder.take("nc");
  switch (const Type type = decodeAccess(decoder, 0, 1, true); type) {
  case Type::S8:
    decoder.inst.run = load<std::int8_t>;
    break;
  case Type::S16:
    decoder.inst.run = load<std::int16_t>;
    break;
  case Type::S32:
    decoder.inst.run = load<std::int32_t>;
    break;
  default:
    decoder.inst.run = bytesOf(type) == 1   ? load<std::uint8_t>
                       : bytesOf(type) == 2 ? load<std::uint16_t>
                       : bytesOf(type) == 4 ? load<std::uint32_t>
                                            : load<std::uint64_t>;
  }
}

void decodeSt(Decoder &decoder) {
  const unsigned bytes = bytesOf(decodeAccess(decoder, 1, 0, false));
  decoder.inst.run = bytes == 1   ? store<std::uint8_t>
                     : bytes == 2 ? store<std::uint16_t>
                     : bytes == 4 ? store<std::uint32_t>
                                  : store<std::uint64_t>;
}

void decodeFence(Decoder &decoder) {
  takeOrder(decoder);
  decoder.takeOneOf({"cta", "cluster", "gl", "gpu", "sys"});
  decoder.needOperands(0);
  decoder.inst.run = nothing;
}

void decodePrefetch(Decoder &decoder) {
  const Space space = takeSpace(decoder);
  decoder.takeOneOf({"L1", "L2", "L2::evict_last", "L2::evict_normal"});
  decoder.needOperands(1);
  decoder.address(decoder.operand(0), 0, space);
  decoder.inst.run = nothing;
}

void decodeCreatePolicy(Decoder &decoder) {
  decoder.needOneOf({"fractional"});
  takeCaching(decoder);
  if (decoder.takeType() != Type::B64)
    decoder.unknown("a policy has 64 bits");
  decoder.needOperands(1, 2);
  decoder.inst.rows[0] = decoder.write(decoder.operand(0), Type::B64);
  decoder.inst.run = zero;
}

} // namespace ptxsim
