// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates operations on vectors of every width.
#include "test/generator/Context.h"

namespace spl::generator {

static std::string ofLanes(Context &context, Type type, int depth) {
  std::string text = type.name() + "(";
  for (unsigned lane = 0; lane != type.lanes; ++lane)
    text += (lane ? ", " : "") + value(context, type.lane(), lane < 2 ? depth : 0);
  return text + ")";
}

static std::string comparison(Context &context, Type type, int depth) {
  return "(" + value(context, type, depth) + context.oneOf({" < ", " <= ", " != ", " == "}) +
         value(context, type, depth) + ")";
}

static std::string converted(Context &context, Type type, int depth) {
  Type from{static_cast<Scalar>(context.below(scalarCount)), type.lanes};
  if (from.bits() * from.lanes > 128)
    from.scalar = Scalar::U8;
  return cast(context, value(context, from, depth), from, type);
}

std::string vectorValue(Context &context, Type type, int depth) {
  auto operand = [&] { return value(context, context.oneIn(4) ? type.lane() : type, depth - 1); };
  const std::string x = value(context, type, depth - 1);
  switch (context.below(12)) {
  case 0:
    return ofLanes(context, type, depth - 1);
  case 1:
    return type.name() + "(" + value(context, type.lane(), depth - 1) + ")";
  case 2:
    return converted(context, type, depth - 1);
  case 3:
    return "math.select(" + comparison(context, type, depth - 1) + ", " + x + ", " +
           value(context, type, depth - 1) + ")";
  case 4:
    return "math." + context.oneOf({"min", "max"}) + "(" + x + ", " +
           value(context, type, depth - 1) + ")";
  case 5:
    if (type.isFloat())
      return "math." + context.oneOf({"sqrt", "floor", "rint", "abs"}) + "(" + x + ")";
    return commuting(context, type, x, context.oneOf({"&", "|", "^"}), operand());
  case 6:
    if (type.isFloat())
      return "math.fma(" + x + ", " + value(context, type, depth - 1) + ", " +
             value(context, type, depth - 1) + ")";
    return "(" + x + context.oneOf({" << ", " >> "}) + number(type.lane(), context.below(9)) + ")";
  case 7:
    return "(" + x +
           (type.isFloat() ? " / " + operand()
                           : " % (" + operand() + " | " + number(type.lane(), 1) + ")") +
           ")";
  default:
    return commuting(context, type, x, context.oneOf({"+", "-", "*"}), operand());
  }
}

std::string laneOfVector(Context &context, Type type, int depth) {
  Type of = type;
  of.lanes = type.bits() == 64 ? 2 : 4;
  const std::string x = value(context, of, depth);
  switch (context.below(4)) {
  case 0:
    if (type.isFloat())
      return "math.dot(" + x + ", " + value(context, of, depth) + ")";
    return "(" + number(type, 1) + " if math." + context.oneOf({"any", "all"}) +
           comparison(context, of, depth) + " else " + number(type, 0) + ")";
  case 1:
    return x + ".y";
  default:
    return x + "[" + std::to_string(context.below(int(of.lanes))) + "]";
  }
}

} // namespace spl::generator
