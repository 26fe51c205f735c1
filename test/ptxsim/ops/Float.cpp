// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Correctly rounded arithmetic on floats of every format, and the approximate functions.
#include "test/ptxsim/ops/Lanes.h"

namespace ptxsim {
namespace {

/// For f32 rounded to nearest the host's own operation has the same result and is faster.
template <class T> constexpr bool isNative = std::is_same_v<T, float> || std::is_same_v<T, double>;

template <class T> T ownNan(T value) { return isNan(value) ? canonicalNan<T>() : value; }

struct AddOp {
  template <class T> static T eval(T a, T b, Rounding rounding) {
    if constexpr (isNative<T>)
      if (rounding == Rounding::Nearest)
        return ownNan(a + b);
    return ownNan(add(a, b, rounding));
  }
};
struct SubOp {
  template <class T> static T eval(T a, T b, Rounding rounding) {
    return AddOp::eval(a, floatOfBits<T>(bitsOfFloat(b) ^ signMask<T>), rounding);
  }
};
struct MulOp {
  template <class T> static T eval(T a, T b, Rounding rounding) {
    if constexpr (isNative<T>)
      if (rounding == Rounding::Nearest)
        return ownNan(a * b);
    return ownNan(mul(a, b, rounding));
  }
};
struct DivOp {
  template <class T> static T eval(T a, T b, Rounding rounding) {
    if constexpr (isNative<T>)
      if (rounding == Rounding::Nearest)
        return ownNan(a / b);
    return ownNan(div(a, b, rounding));
  }
};
struct FmaOp {
  template <class T> static T eval(T a, T b, T c, Rounding rounding) {
    if constexpr (isNative<T>)
      if (rounding == Rounding::Nearest)
        return ownNan(std::fma(a, b, c));
    return ownNan(fma(a, b, c, rounding));
  }
};
struct SqrtOp {
  template <class T> static T eval(T a, Rounding rounding) { return ownNan(sqrt(a, rounding)); }
};
struct RcpOp {
  template <class T> static T eval(T a, Rounding rounding) {
    return DivOp::eval(narrow<T>(1, Rounding::Nearest), a, rounding);
  }
};
struct AbsOp {
  template <class T> static T eval(T a, Rounding) {
    return ownNan(floatOfBits<T>(bitsOfFloat(a) & ~signMask<T>));
  }
};
struct NegOp {
  template <class T> static T eval(T a, Rounding) {
    return ownNan(floatOfBits<T>(bitsOfFloat(a) ^ signMask<T>));
  }
};

/// The minimum or maximum, with -0 less than +0. The result is NaN if both operands are, or, with
/// KeepsNan, if one is.
template <bool IsMax, bool KeepsNan> struct ExtremeOp {
  template <class T> static T eval(T a, T b, Rounding) {
    if (isNan(a) || isNan(b)) {
      if (KeepsNan || (isNan(a) && isNan(b)))
        return canonicalNan<T>();
      return isNan(a) ? b : a;
    }
    const double x = widen(a), y = widen(b);
    const bool firstIsLess = x < y || (x == y && isNegative(a));
    return firstIsLess != IsMax ? a : b;
  }
  template <class T> static T eval(T a, T b, T c, Rounding rounding) {
    return eval(eval(a, b, rounding), c, rounding);
  }
};

struct CopysignOp { // the sign of the first operand
  template <class T> static T eval(T a, T b, Rounding) {
    return floatOfBits<T>((bitsOfFloat(a) & signMask<T>) | (bitsOfFloat(b) & ~signMask<T>));
  }
};

/// A function of double whose result is rounded to the type.
template <double (*Function)(double)> struct FunctionOp {
  template <class T> static T eval(T a, Rounding) {
    return narrow<T>(Function(widen(a)), Rounding::Nearest);
  }
};
double reciprocalRoot(double a) { return 1 / std::sqrt(a); }

template <class T> T clampToOne(T value) {
  const double wide = widen(value);
  return std::isnan(wide) || wide <= 0 ? T{} : wide >= 1 ? narrow<T>(1, Rounding::Nearest) : value;
}

template <class Op, class T, int Arity, unsigned Parts = 1>
void applyFloat(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]);
  const Value *b = Arity > 1 ? warp.source(inst.rows[2]) : a;
  const Value *c = Arity > 2 ? warp.source(inst.rows[3]) : a;
  const Rounding rounding = inst.rounding;
  forLanes(lanes, [&](unsigned lane) {
    Value result = 0;
    for (unsigned part = 0; part != Parts; ++part) {
      auto in = [&](const Value *row) {
        const T value = get<T>(row[lane], part);
        return inst.ftz ? flushed(value) : value;
      };
      T value;
      if constexpr (Arity == 1)
        value = Op::eval(in(a), rounding);
      else if constexpr (Arity == 2)
        value = Op::eval(in(a), in(b), rounding);
      else
        value = Op::eval(in(a), in(b), in(c), rounding);
      if (inst.ftz)
        value = flushed(value);
      if (inst.mode == 1 && isNegative(value) && !isNan(value)) // .relu
        value = T{};
      result |= bitsIn(inst.sat ? clampToOne(value) : value, part);
    }
    d[lane] = result;
  });
}

template <class Op, int Arity> Handler pickFloat(Decoder &decoder, Type type) {
  switch (type) {
  case Type::F16:
    return applyFloat<Op, F16, Arity>;
  case Type::BF16:
    return applyFloat<Op, BF16, Arity>;
  case Type::F32:
    return applyFloat<Op, float, Arity>;
  case Type::F64:
    return applyFloat<Op, double, Arity>;
  case Type::F16x2:
    return applyFloat<Op, F16, Arity, 2>;
  case Type::BF16x2:
    return applyFloat<Op, BF16, Arity, 2>;
  case Type::F32x2:
    return applyFloat<Op, float, Arity, 2>;
  default:
    decoder.unknown("not for ." + std::string(textOf(type)));
  }
}

template <class Op, int Arity> void floats(Decoder &decoder) {
  const Type type = decoder.takeType();
  decoder.takeRounding();
  decoder.takeFtz();
  if constexpr (Arity == 1)
    decoder.assign(type, {type});
  else if constexpr (Arity == 2)
    decoder.assign(type, {type, type});
  else
    decoder.assign(type, {type, type, type});
  decoder.inst.run = pickFloat<Op, Arity>(decoder, type);
}

/// add.f32.f16 and the like: the last operand and the result are f32, the other operands narrower.
template <class Op, class T, int Arity> void applyMixed(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]), *b = warp.source(inst.rows[2]);
  const Value *last = warp.source(inst.rows[Arity]);
  forLanes(lanes, [&](unsigned lane) {
    auto wide = [&](const Value *row) { return static_cast<float>(widen(get<T>(row[lane]))); };
    const float addend = get<float>(last[lane]);
    float value;
    if constexpr (Arity == 2)
      value = Op::eval(wide(a), addend, inst.rounding);
    else
      value = Op::eval(wide(a), wide(b), addend, inst.rounding);
    d[lane] = bitsIn(inst.sat ? clampToOne(value) : value, 0);
  });
}

template <class Op, int Arity> bool isMixed(Decoder &decoder) {
  const std::optional<Type> type = decoder.lastType();
  if ((type != Type::F16 && type != Type::BF16) || !decoder.take("f32"))
    return false;
  decoder.takeType();
  decoder.takeRounding();
  if constexpr (Arity == 2)
    decoder.assign(Type::F32, {*type, Type::F32});
  else
    decoder.assign(Type::F32, {*type, *type, Type::F32});
  decoder.inst.run = type == Type::F16 ? applyMixed<Op, F16, Arity> : applyMixed<Op, BF16, Arity>;
  return true;
}

template <class Op, int Arity> void arithmetic(Decoder &decoder) {
  decoder.takeSat();
  if (!isMixed<Op, Arity>(decoder))
    floats<Op, Arity>(decoder);
}

template <bool IsMax> void extremes(Decoder &decoder) {
  if (decoder.operands() == 4) {
    if (decoder.take("NaN"))
      floats<ExtremeOp<IsMax, true>, 3>(decoder);
    else
      floats<ExtremeOp<IsMax, false>, 3>(decoder);
  } else if (decoder.take("NaN")) {
    floats<ExtremeOp<IsMax, true>, 2>(decoder);
  } else {
    floats<ExtremeOp<IsMax, false>, 2>(decoder);
  }
}

/// Approximations of operations that are exact elsewhere. They are exact here too.
template <class Op, int Arity> void approximate(Decoder &decoder) {
  decoder.take("approx") || decoder.take("full");
  floats<Op, Arity>(decoder);
}
template <double (*Function)(double)> void function(Decoder &decoder) {
  if (!decoder.take("approx"))
    decoder.unknown(".approx is missing");
  floats<FunctionOp<Function>, 1>(decoder);
}

double sine(double a) { return std::sin(a); }
double cosine(double a) { return std::cos(a); }
double logarithm(double a) { return std::log2(a); }
double exponential(double a) { return std::exp2(a); }
double tangent(double a) { return std::tanh(a); }

struct TestOp {
  enum { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
  template <class T> static bool eval(T a, std::uint8_t what) {
    switch (what) {
    case Finite:
      return std::isfinite(a);
    case Infinite:
      return std::isinf(a);
    case Number:
      return !std::isnan(a);
    case NotANumber:
      return std::isnan(a);
    case Normal:
      return std::isnormal(a);
    default:
      return std::fpclassify(a) == FP_SUBNORMAL;
    }
  }
};

template <class T> void test(Warp &warp, const Inst &inst, Lanes lanes) {
  Value *d = warp.destination(inst.rows[0]);
  const Value *a = warp.source(inst.rows[1]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = TestOp::eval(get<T>(a[lane]), inst.mode); });
}

} // namespace

void decodeFloatAdd(Decoder &decoder) { arithmetic<AddOp, 2>(decoder); }
void decodeFloatSub(Decoder &decoder) { arithmetic<SubOp, 2>(decoder); }
void decodeFloatMul(Decoder &decoder) { arithmetic<MulOp, 2>(decoder); }
void decodeFloatFma(Decoder &decoder) {
  decoder.inst.mode = decoder.take("relu");
  arithmetic<FmaOp, 3>(decoder);
}
void decodeFloatDiv(Decoder &decoder) { approximate<DivOp, 2>(decoder); }
void decodeFloatAbs(Decoder &decoder) { floats<AbsOp, 1>(decoder); }
void decodeFloatNeg(Decoder &decoder) { floats<NegOp, 1>(decoder); }
void decodeFloatMin(Decoder &decoder) { extremes<false>(decoder); }
void decodeFloatMax(Decoder &decoder) { extremes<true>(decoder); }
void decodeSqrt(Decoder &decoder) { approximate<SqrtOp, 1>(decoder); }
void decodeRcp(Decoder &decoder) { approximate<RcpOp, 1>(decoder); }
void decodeRsqrt(Decoder &decoder) { function<reciprocalRoot>(decoder); }
void decodeSin(Decoder &decoder) { function<sine>(decoder); }
void decodeCos(Decoder &decoder) { function<cosine>(decoder); }
void decodeLg2(Decoder &decoder) { function<logarithm>(decoder); }
void decodeEx2(Decoder &decoder) { function<exponential>(decoder); }
void decodeTanh(Decoder &decoder) { function<tangent>(decoder); }
void decodeCopysign(Decoder &decoder) { floats<CopysignOp, 2>(decoder); }

void decodeTestp(Decoder &decoder) {
  decoder.inst.mode = static_cast<std::uint8_t>(
      decoder.needOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"}));
  const Type type = decoder.takeType();
  if (type != Type::F32 && type != Type::F64)
    decoder.unknown("it takes .f32 and .f64");
  decoder.assign(Type::Pred, {type});
  decoder.inst.run = type == Type::F32 ? test<float> : test<double>;
}

} // namespace ptxsim
