// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math functions with exact results. They have the same bits on every target.
#include "test/reference/Item.h"

#include <bit>

using namespace spl;
using namespace spl::reference;
using intrinsics::Id;
using sema::Type;
using syntax::BinaryOp;

//===-- Bits of integers --===//

static Bits reversed(unsigned width, Bits value) {
  Bits result = 0;
  for (unsigned i = 0; i != width; ++i)
    result |= (value >> i & 1) << (width - 1 - i);
  return result;
}

static Bits rotated(Type type, Bits value, Bits count) {
  const unsigned width = type.bits(), left = static_cast<unsigned>(count % width);
  return left == 0 ? value : truncated(type, value << left | value >> (width - left));
}

__extension__ typedef __int128 Wide;

static Bits highHalf(Type type, Bits a, Bits b) {
  const auto number = [&](Bits bits) -> Wide {
    return type.isUnsignedInt() ? Wide{bits} : Wide{asInteger(type, bits)};
  };
  __extension__ typedef unsigned __int128 Product;
  const Product product = static_cast<Product>(number(a)) * static_cast<Product>(number(b));
  return truncated(type, static_cast<Bits>(product >> type.bits()));
}

/// Bit i of the result is one of the bits of both words in a row.
static Bits funnel(unsigned width, Bits high, Bits low, std::int64_t by) {
  Bits result = 0;
  for (unsigned i = 0; i != width; ++i) {
    const std::int64_t from = i + by;
    const Bits bit = from < width ? low >> from : high >> (from - width);
    result |= (bit & 1) << i;
  }
  return result;
}

static Bits permuted(Bits a, Bits b, Bits selectors) {
  const auto byteAt = [&](Bits at) { return (at < 4 ? a >> (8 * at) : b >> (8 * (at - 4))) & 255; };
  Bits result = 0;
  for (unsigned i = 0; i != 4; ++i) {
    const Bits selector = selectors >> (4 * i) & 15;
    const Bits byte = selector < 8 ? byteAt(selector) : byteAt(selector - 8) >= 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

static Bits productOfBytes(Type type, Bits a, Bits b, Bits sum) {
  const auto byteOf = [&](Bits word, unsigned i) -> std::int64_t {
    const auto byte = static_cast<std::uint8_t>(word >> (8 * i));
    return type.isSignedInt() ? static_cast<std::int8_t>(byte) : std::int64_t{byte};
  };
  std::int64_t total = asInteger(type, sum);
  for (unsigned i = 0; i != 4; ++i)
    total += byteOf(a, i) * byteOf(b, i);
  return truncated(type, static_cast<Bits>(total));
}

static std::optional<Bits> integerFunction(Id id, Type type, const std::vector<Bits> &x) {
  const unsigned width = type.bits();
  switch (id) {
  case Id::Popcount:
    return static_cast<Bits>(std::popcount(x[0]));
  case Id::Clz:
    return static_cast<Bits>(std::countl_zero(x[0])) - (64 - width);
  case Id::Ctz:
    return std::min<Bits>(static_cast<Bits>(std::countr_zero(x[0])), width);
  case Id::ReverseBits:
    return reversed(width, x[0]);
  case Id::Rotl:
    return rotated(type, x[0], x[1]);
  case Id::Rotr: // the width divides the modulus of the count's type
    return rotated(type, x[0], Bits{0} - x[1]);
  case Id::Mulhi:
    return highHalf(type, x[0], x[1]);
  case Id::FunnelLeft: // a shift to the left by n is one to the right by width - n
    return funnel(width, x[0], x[1], x[2] % width == 0 ? width : width - x[2] % width);
  case Id::FunnelRight:
    return funnel(width, x[0], x[1], x[2] % width);
  case Id::BytePermute:
    return permuted(x[0], x[1], x[2]);
  case Id::Dp4a:
    return productOfBytes(type, x[0], x[1], x[2]);
  case Id::Abs:
    return type.isSignedInt() && asInteger(type, x[0]) < 0 ? truncated(type, Bits{0} - x[0]) : x[0];
  case Id::Sign:
    if (x[0] == 0)
      return 0;
    return type.isSignedInt() && asInteger(type, x[0]) < 0 ? truncated(type, ~Bits{0}) : 1;
  default:
    return std::nullopt;
  }
}

//===-- Floats --===//

static Bits signBit(Type type) { return Bits{1} << (type.bits() - 1); }
static Bits magnitude(Type type, Bits x) { return x & ~signBit(type); }
static Bits infinity(Type type) { return floatOf(type, std::numeric_limits<double>::infinity()); }

static Bits smoothstep(Type type, Bits lo, Bits hi, Bits x) {
  const Bits zero = floatOf(type, 0), one = floatOf(type, 1);
  const Bits share = binary(BinaryOp::Div, type, binary(BinaryOp::Sub, type, x, lo),
                            binary(BinaryOp::Sub, type, hi, lo));
  const Bits t = least(type, greatest(type, share, zero), one);
  return binary(BinaryOp::Mul, type, binary(BinaryOp::Mul, type, t, t),
                fma(type, floatOf(type, -2), t, floatOf(type, 3)));
}

static std::optional<Bits> roundingFunction(Id id, Type type, Bits x) {
  using Mode = llvm::RoundingMode;
  switch (id) {
  case Id::Floor:
    return roundedToInteger(type, x, Mode::TowardNegative);
  case Id::Ceil:
    return roundedToInteger(type, x, Mode::TowardPositive);
  case Id::Trunc:
    return roundedToInteger(type, x, Mode::TowardZero);
  case Id::Round:
    return roundedToInteger(type, x, Mode::NearestTiesToAway);
  case Id::Rint:
    return roundedToInteger(type, x, Mode::NearestTiesToEven);
  case Id::Fract:
    return binary(BinaryOp::Sub, type, x, roundedToInteger(type, x, Mode::TowardNegative));
  default:
    return std::nullopt;
  }
}

static std::optional<Bits> floatQuestion(Id id, Type type, Bits x) {
  const Bits size = magnitude(type, x);
  switch (id) {
  case Id::Isnan:
    return isNaN(type, x);
  case Id::Isinf:
    return size == infinity(type);
  case Id::Isfinite:
    return size < infinity(type);
  case Id::Signbit:
    return x >> (type.bits() - 1);
  default:
    return std::nullopt;
  }
}

static std::optional<Bits> floatFunction(Id id, Type type, const std::vector<Bits> &x) {
  const Bits zero = floatOf(type, 0), one = floatOf(type, 1);
  switch (id) {
  case Id::Sqrt:
    return sqrt(type, x[0]);
  case Id::Fma:
    return fma(type, x[0], x[1], x[2]);
  case Id::Fmod:
    return binary(BinaryOp::Rem, type, x[0], x[1]);
  case Id::Abs:
    return magnitude(type, x[0]);
  case Id::Sign:
    if (isNaN(type, x[0]) || magnitude(type, x[0]) == 0)
      return x[0];
    return one | (x[0] & signBit(type));
  case Id::Copysign:
    return magnitude(type, x[0]) | (x[1] & signBit(type));
  case Id::Mix: {
    const Bits minusT = unary(syntax::UnaryOp::Neg, type, x[2]);
    return fma(type, x[2], x[1], fma(type, minusT, x[0], x[0]));
  }
  case Id::Step:
    return compare(BinaryOp::Lt, type, x[1], x[0]) ? zero : one;
  case Id::Smoothstep:
    return smoothstep(type, x[0], x[1], x[2]);
  case Id::Relu:
    return greatest(type, x[0], zero);
  default:
    if (const std::optional<Bits> answer = floatQuestion(id, type, x[0]))
      return answer;
    return roundingFunction(id, type, x[0]);
  }
}

static std::optional<Bits> anyFunction(Id id, Type type, const std::vector<Bits> &x) {
  switch (id) {
  case Id::Min:
    return least(type, x[0], x[1]);
  case Id::Max:
    return greatest(type, x[0], x[1]);
  case Id::Clamp:
    return least(type, greatest(type, x[0], x[1]), x[2]);
  default:
    return type.isFloat() ? floatFunction(id, type, x) : integerFunction(id, type, x);
  }
}

//===-- Halves, vectors and bits --===//

/// Whether the function is computed in f16 or bf16 itself. Otherwise it is computed in f32.
static bool isExactForHalves(Id id) {
  switch (id) {
  case Id::Mix:
  case Id::Smoothstep:
  case Id::Fract:
    return false;
  default:
    return true;
  }
}

static Bits scalarFunction(const sema::IntrinsicExpr &expr, Type type, std::vector<Bits> x) {
  const Id id = expr.id;
  std::optional<Bits> result;
  if (type.isFloat() && type.bits() == 16 && !isExactForHalves(id)) {
    // Computed in f32 and rounded once at the end.
    static const sema::TypeContext types;
    const Type single = types.get(sema::TypeKind::F32);
    for (Bits &each : x)
      each = convert(type, single, each);
    if ((result = anyFunction(id, single, x)))
      result = convert(single, type, *result);
  } else {
    result = anyFunction(id, type, x);
  }
  if (!result)
    throw Unsupported(intrinsics::row(id).name.str());
  return *result;
}

static Value dot(Type type, const Value &a, const Value &b) {
  const Type own = type.element();
  static const sema::TypeContext types;
  const Type lane = own.bits() == 16 ? types.get(sema::TypeKind::F32) : own; // rounded at the end
  auto converted = [&](const Value &value) { return convert(own, lane, value.bits); };
  Bits sum = binary(BinaryOp::Mul, lane, converted(a.parts[0]), converted(b.parts[0]));
  for (size_t i = 1; i != a.parts.size(); ++i)
    sum = fma(lane, converted(a.parts[i]), converted(b.parts[i]), sum);
  return Value::of(convert(lane, own, sum));
}

static Value lanesTogether(Id id, const Value &mask) {
  const bool isAny = id == Id::AnyLane;
  for (const Value &lane : mask.parts)
    if ((lane.bits != 0) == isAny)
      return Value::of(isAny);
  return Value::of(!isAny);
}

Value reference::mathFunction(const sema::IntrinsicExpr &expr,
                              const std::vector<Value> &arguments) {
  const Type type = expr.arguments[0]->type;
  switch (expr.id) {
  case Id::Bitcast: {
    const Pointer memory = allocate(type.layout().size);
    store(type, arguments[0], memory);
    return load(expr.type, memory);
  }
  case Id::Dot:
    return dot(type, arguments[0], arguments[1]);
  case Id::AnyLane:
  case Id::AllLanes:
    return lanesTogether(expr.id, arguments[0]);
  default:
    break;
  }
  auto lane = [&](std::optional<size_t> at) -> Value {
    std::vector<Bits> x;
    for (const Value &argument : arguments)
      x.push_back(at && !argument.parts.empty() ? argument.parts[*at].bits : argument.bits);
    if (expr.id == Id::Select)
      return Value::of(x[0] ? x[1] : x[2]);
    if (expr.id == Id::Ldexp)
      return Value::of(ldexp(type.lane(), x[0], [&] { // a u64 exponent may exceed i64
        const Type count = expr.arguments[1]->type.lane();
        const std::int64_t number = asInteger(count, x[1]);
        return count.isUnsignedInt() && number < 0 ? INT64_MAX : number;
      }()));
    return Value::of(scalarFunction(expr, type.lane(), std::move(x)));
  };
  const Type result = expr.type;
  if (!result.isVector())
    return lane(std::nullopt);
  std::vector<Value> lanes;
  for (size_t i = 0; i != result.lanes(); ++i)
    lanes.push_back(lane(i));
  return Value::of(std::move(lanes));
}
