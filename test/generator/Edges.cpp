// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates operations on floats whose results depend on ties of rounding, on NaN and on the sign
// of zero, and adds the bits of the results to `total`. The operands come from memory, so nothing
// is folded. Launches fill `e` with such values.
#include "test/generator/Context.h"

namespace spl::generator {

void addEdgeParameter(Context &context) {
  const Type type{context.oneOf(
      std::vector<Scalar>{Scalar::F32, Scalar::F32, Scalar::F64, Scalar::BF16, Scalar::F16})};
  context.program.parameters.push_back({"e", Role::Input, type});
  context.slices.push_back({"e", type, 1, Role::Input});
}

static Type halfType(Context &context) { return {context.oneIn(2) ? Scalar::BF16 : Scalar::F16}; }

/// A float from memory.
static std::string fromMemory(Context &context, Type type) {
  const Type from = find(context, "e")->type;
  const std::string at =
      context.oneIn(3) ? value(context, i64, 1) : "number + " + std::to_string(context.below(6));
  return cast(context, "e[wrapped(" + at + ", e.len())]", from, type);
}

/// An integer as a float, which is never NaN.
static std::string fromInteger(Context &context, Type type) {
  const Type from = anyInteger(context);
  return cast(context, value(context, from, 1), from, type);
}

static std::string operand(Context &context, Type type) {
  if (context.oneIn(4))
    return fromInteger(context, type);
  return context.oneIn(4) ? constant(context, type) : fromMemory(context, type);
}

static std::string minMaxOf(Context &context, const std::string &a, const std::string &b) {
  return "math." + context.oneOf({"min", "max"}) + "(" + a + ", " + b + ")";
}

/// A backend may know that one of the operands is not NaN.
static std::string minMaxWithInteger(Context &context, Type type) {
  const std::string a = fromMemory(context, type), b = fromInteger(context, type);
  return context.oneIn(2) ? minMaxOf(context, a, b) : minMaxOf(context, b, a);
}

static std::string operation(Context &context, Type type) {
  const std::string a = operand(context, type), b = operand(context, type);
  switch (context.below(6)) {
  case 0:
    return "math.fma(" + a + ", " + b + ", " + operand(context, type) + ")";
  case 1:
    return minMaxOf(context, a, b);
  default:
    return "(" + a + context.oneOf({" + ", " - ", " * ", " / "}) + b + ")";
  }
}

static std::string edge(Context &context, Type type) {
  if (context.oneIn(4))
    return minMaxWithInteger(context, type);
  if (context.oneIn(4)) {
    Type vector = type;
    vector.lanes = context.oneIn(2) ? 2 : type.bits() == 64 ? 2 : 4;
    auto lanes = [&] {
      std::string text = vector.name() + "(";
      for (unsigned lane = 0; lane != vector.lanes; ++lane)
        text += (lane ? ", " : "") + operand(context, type);
      return text + ")";
    };
    const std::string a = lanes(), b = context.oneIn(2) ? lanes() : operand(context, type);
    const std::string x =
        minMaxOf(context, a, b.starts_with(vector.name()) ? b : vector.name() + "(" + b + ")");
    return x + "[" + std::to_string(context.below(static_cast<int>(vector.lanes))) + "]";
  }
  if (context.oneIn(4)) // a conversion alone
    return context.oneIn(3) ? fromInteger(context, type) : fromMemory(context, type);
  return operation(context, type);
}

std::string edgeCondition(Context &context) {
  const Type type = halfType(context);
  const Type other{type.scalar == Scalar::F16 ? Scalar::BF16 : Scalar::F16};
  const std::string x = "math.bitcast[" + type.name() + "](not_nan(" + edge(context, other) + "))";
  return "(" + x + context.oneOf({" == ", " != ", " < "}) + number(type, 0) + ")";
}

std::string edgeStatements(Context &context) {
  std::string text;
  for (int count = 1 + context.below(3); count != 0; --count)
    text += edgeStatement(context);
  return text;
}

std::string edgeStatement(Context &context) {
  if (!find(context, "e"))
    return declaration(context);
  if (context.oneIn(6))
    return "total += 1000 if " + edgeCondition(context) + " else 1\n";
  const Type type =
      context.oneIn(2) ? Type{context.oneIn(2) ? Scalar::F32 : Scalar::F64} : halfType(context);
  const Type bits{type.bits() == 16 ? Scalar::I16 : type.bits() == 32 ? Scalar::I32 : Scalar::I64};
  const std::string x = "math.bitcast[" + bits.name() + "](not_nan(" + edge(context, type) + "))";
  return "total += " + cast(context, x, bits, i64) + "\n";
}

} // namespace spl::generator
