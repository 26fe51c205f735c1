// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates math functions with exact results. The sign of a NaN is unspecified, so functions that
// depend on it get an operand that is never NaN.
#include "test/generator/Context.h"

namespace spl::generator {

static std::string integerFunction(Context &context, Type type, int depth) {
  const std::string x = value(context, type, depth);
  switch (context.below(9)) {
  case 7:
  case 8: // for other types than i32 and u32, funnel shifts only
    if (type.bits() == 32 && context.oneIn(2))
      return "math." + context.oneOf({"byte_permute", "dp4a"}) + "(" + x + ", " +
             value(context, type, depth) + ", " + value(context, type, depth) + ")";
    return "math." + context.oneOf({"funnel_left", "funnel_right"}) + "(" + x + ", " +
           value(context, type, depth) + ", " + value(context, anyInteger(context), depth) + ")";
  case 0:
    return "math.rotl(" + x + ", " + value(context, anyInteger(context), depth) + ")";
  case 1:
    return "math.rotr(" + x + ", " + value(context, anyInteger(context), depth) + ")";
  case 2:
    return "math.mulhi(" + x + ", " + value(context, type, depth) + ")";
  case 3:
    return "math.sign(" + x + ")";
  default:
    return "math." + context.oneOf({"popcount", "clz", "ctz", "reverse_bits"}) + "(" + x + ")";
  }
}

/// The value, or 1 if it is NaN.
static std::string notNaN(Context &context, Type type, int depth) {
  std::string name = "not_nan(" + value(context, type, depth) + ")";
  return name;
}

static std::string floatFunction(Context &context, Type type, int depth) {
  const std::string x = value(context, type, depth);
  switch (context.below(9)) {
  case 0:
    return "math.fma(" + x + ", " + value(context, type, depth) + ", " +
           value(context, type, depth) + ")";
  case 1:
    return "math.mix(" + x + ", " + value(context, type, depth) + ", " +
           value(context, type, depth) + ")";
  case 2:
    return "math.step(" + x + ", " + value(context, type, depth) + ")";
  case 3:
    return "math.copysign(" + x + ", " + notNaN(context, type, depth) + ")";
  case 4:
    return "math.ldexp(" + x + ", " + value(context, anyInteger(context), depth) + ")";
  default:
    return "math." +
           context.oneOf(
               {"sqrt", "sign", "floor", "ceil", "trunc", "round", "rint", "fract", "relu"}) +
           "(" + x + ")";
  }
}

std::string mathFunction(Context &context, Type type, int depth) {
  if (context.oneIn(6))
    return "math.select(" + condition(context, depth) + ", " + value(context, type, depth) + ", " +
           value(context, type, depth) + ")";
  return type.isFloat() ? floatFunction(context, type, depth)
                        : integerFunction(context, type, depth);
}

std::string reinterpreted(Context &context, Type type, int depth) {
  std::vector<Type> same;
  for (int i = 0; i != scalarCount; ++i)
    if (const Type each{static_cast<Scalar>(i)}; each.bits() == type.bits() && each != type)
      same.push_back(each);
  const Type from = context.oneOf(same);
  return "math.bitcast[" + type.name() + "](" +
         (from.isFloat() ? notNaN(context, from, depth) : value(context, from, depth)) + ")";
}

} // namespace spl::generator
