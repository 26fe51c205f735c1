// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates numbers: leaves, operators and casts. In programs that must not fault, divisors are odd
// and exponents small.
#include "test/generator/Context.h"

#include <algorithm>
#include <utility>

namespace spl::generator {

Type anyInteger(Context &context) {
  if (context.oneIn(2) && !context.home.isFloat())
    return context.home;
  if (context.oneIn(2))
    return i64;
  return context.oneIn(2) ? i32 : Type{static_cast<Scalar>(context.below(integerCount))};
}

Type anyScalar(Context &context) {
  if (context.is(Flavour::Groups))
    return i32;
  if (context.is(Flavour::Indices) || context.oneIn(3))
    return anyInteger(context);
  return context.oneIn(3) ? context.home : Type{static_cast<Scalar>(context.below(scalarCount))};
}

Type anyType(Context &context) {
  Type type = anyScalar(context);
  if (context.is(Flavour::Data) && context.oneIn(4)) {
    const unsigned most = 128 / type.bits();
    type.lanes = 2u << context.below(3);
    type.lanes = std::min({type.lanes, most, 16u});
  }
  return type;
}

//===-- Leaves --===//

std::string number(Type type, int value) {
  return literal(type, std::to_string(value) + (type.isFloat() ? ".0" : ""));
}

static std::string extremeInteger(Context &context, Type type) {
  const unsigned bits = type.bits();
  const std::uint64_t most = ~std::uint64_t{0} >> (type.isSigned() ? 65 - bits : 64 - bits);
  if (context.oneIn(3))
    return type.name() + context.oneOf({".MAX", ".MIN"});
  switch (context.below(5)) {
  case 0:
    return literal(type, type.isSigned() ? "-" + std::to_string(most + 1) : "0");
  case 1:
    return literal(type, std::to_string(most));
  case 2:
    return literal(type, std::to_string(most - 1));
  case 3:
    return literal(type, type.isSigned() ? "-" + std::to_string(most) : "1");
  default:
    return literal(type, std::to_string(most / 2 + 1));
  }
}

std::string constant(Context &context, Type type) {
  if (type.isFloat()) {
    if (context.oneIn(20))
      return type.name() + context.oneOf({".MAX", ".MIN", ".EPSILON", ".MIN_POSITIVE"});
    if (context.oneIn(12))
      return "(" + context.oneOf({"math.INF", "-math.INF", "math.NAN"}) + " as " + type.name() +
             ")";
    // 1.00390625 and 1.00048828125 are halfway between two bf16, and between two f16.
    if (context.oneIn(8))
      return literal(type, context.oneOf({"1.00390625", "-1.00390625", "1.00048828125"}));
    return literal(type, context.oneOf({"0.0", "-0.0", "1.0", "-1.0", "0.5", "1.5", "-2.0", "3.0",
                                        "0.1", "10.0", "-0.001", "1e-5", "1e4", "255.0"}));
  }
  if (context.oneIn(12))
    return extremeInteger(context, type);
  if (type == i64 && context.oneIn(16))
    return context.oneOf(
        {"u8.BITS", "bf16.BITS", "f32x4.BITS", "size_of[i16]()", "size_of[Tally]()"});
  const int value =
      context.oneOf(std::vector<int>{0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 31, 100, -1, -2, -3, -8});
  return number(type, type.isSigned() ? value : std::max(value, 0));
}

std::string cast(Context &, const std::string &text, Type from, Type to) {
  return from == to ? text : "(" + text + " as " + to.name() + ")";
}

std::string launchSize(Context &context) {
  const int axis = context.oneIn(4) ? context.below(3) : 0;
  const std::string at = axis || context.oneIn(2) ? "(" + std::to_string(axis) + ")" : "()";
  switch (context.below(9)) {
  default:
    return "gpu.global_id" + at;
  case 5:
    return "gpu.local_id" + at;
  case 6:
    return "gpu.group_id" + at;
  case 7:
    return "gpu.global_size" + at;
  case 8:
    return context.oneOf({"gpu.num_groups", "gpu.local_size"}) + at;
  }
}

std::string leaf(Context &context, Type type) {
  if (context.isFolded && !type.isVector())
    return "same(" + constant(context, type) + ")";
  std::vector<std::string> fitting;
  for (const Name &name : context.names)
    if (name.type == type)
      fitting.push_back(name.text);
  if (!fitting.empty() && !context.oneIn(3)) // prefers the newest name
    return context.oneIn(2) ? fitting.back() : context.oneOf(fitting);
  if (type.isVector())
    return type.name() + "(" + leaf(context, type.lane()) + ")";
  if (type == i64 && !context.isConstant && !context.oneIn(4)) {
    if (context.oneIn(2) || context.slices.empty())
      return launchSize(context);
    const SliceName &slice = context.oneOf(context.slices);
    return extent(context, slice, static_cast<unsigned>(context.below(int(slice.rank))));
  }
  if (context.oneIn(2))
    return constant(context, type);
  if (!context.is(Flavour::Data)) {
    const Type other = type != i64 ? i64 : Type{context.oneIn(2) ? Scalar::I32 : Scalar::U32};
    return cast(context, leaf(context, other), other, type);
  }
  const Name &other = context.oneOf(context.names);
  return other.type.isVector() ? constant(context, type)
                               : cast(context, other.text, other.type, type);
}

std::string uniformValue(Context &context) {
  std::vector<std::string> fitting;
  for (const Name &name : context.names)
    if (name.isUniform && !name.type.isVector())
      fitting.push_back(cast(context, name.text, name.type, i32));
  if (fitting.empty() || context.oneIn(3))
    return number(i32, context.below(6));
  const std::string x = context.oneOf(fitting);
  return context.oneIn(6) ? "gpu.uniform(" + x + ")" : x;
}

std::string smallNumber(Context &context, Type type) {
  // bf16 has 8 bits, so a sum over a group of 128 is exact for 0 and 1.
  const int most = type.scalar == Scalar::BF16 ? 1 : 15;
  return cast(context, "(" + value(context, i32, 1) + " & " + number(i32, most) + ")", i32, type);
}

//===-- Operations --===//

static std::string infix(const std::string &a, const std::string &op, const std::string &b) {
  return "(" + a + " " + op + " " + b + ")";
}

std::string commuting(Context &context, Type type, const std::string &a, const std::string &op,
                      const std::string &b) {
  auto isProduct = [](const std::string &text) { return text.find('*') != std::string::npos; };
  // Of two products, the left one is fused with the sum.
  const bool mayFuse = type.isFloat() && op == "+" && isProduct(a) && isProduct(b);
  if (context.variant != Variant::SwappedOperands || op == "-" || mayFuse)
    return infix(a, op, b);
  return infix(b, op, a);
}

/// A constant that is another constant in rare launches.
static std::string rarelyOther(Context &context, Type type) {
  return "(" + constant(context, type) + " if " + leaf(context, i64) +
         " == " + std::to_string(context.below(4)) + " else " + constant(context, type) + ")";
}

static std::string division(Context &context, Type type, int depth) {
  const std::string op = context.oneOf({"/", "%"});
  const std::string dividend = value(context, type, depth);
  if (type.isFloat())
    return infix(dividend, op, value(context, type, depth));
  if (context.program.mayFault && context.oneIn(5))
    return infix(dividend, op, value(context, type, depth));
  if (context.oneIn(4)) { // the loops over work-items may be vectorised around such a branch
    const std::string divisor = leaf(context, type);
    return "(" + infix(dividend, op, divisor) + " if " + divisor + " != " + number(type, 0) +
           " else " + leaf(context, type) + ")";
  }
  if (context.oneIn(2))
    return infix(dividend, op, number(type, 1 + context.below(9)));
  if (context.is(Flavour::Indices))
    return infix(dividend, op,
                 "math.max(" + value(context, type, depth) + ", " + number(type, 1) + ")");
  return infix(dividend, op, infix(value(context, type, depth), "|", number(type, 1)));
}

static std::string shift(Context &context, Type type, int depth) {
  const std::string op = context.oneOf({"<<", ">>"}), x = value(context, type, depth);
  if (context.oneIn(2))
    return infix(x, op, number(type, context.below(9)));
  const Type count = context.oneIn(2) ? type : anyInteger(context);
  return infix(x, op, value(context, count, depth));
}

std::string minMax(Context &context, Type type, int depth) {
  std::string a = value(context, type, depth), b = value(context, type, depth);
  if (!context.oneIn(3)) {
    if (context.variant == Variant::SwappedOperands)
      std::swap(a, b);
    return "math." + context.oneOf({"min", "min", "max"}) + "(" + a + ", " + b + ")";
  }
  return "math.clamp(" + a + ", " + b + ", " + value(context, type, depth) + ")";
}

static std::string power(Context &context, Type type, int depth) {
  const std::string base = value(context, type, depth);
  if (context.oneIn(2))
    return infix(base, "**", number(type, context.below(6)));
  if (context.program.mayFault && context.oneIn(3))
    return infix(base, "**", value(context, type, depth));
  return infix(base, "**", infix(value(context, type, depth), "&", number(type, 15)));
}

static std::string converted(Context &context, Type type, int depth) {
  const Type from = context.is(Flavour::Indices) ? Type{static_cast<Scalar>(context.below(8))}
                                                 : anyScalar(context);
  return cast(context, value(context, from, depth), from, type);
}

/// The integer types that widen to this one (rule 2.64 of the language).
static std::vector<Type> narrowerTypes(Type type) {
  std::vector<Type> narrower;
  for (int scalar = 0; scalar != integerCount; ++scalar)
    if (const Type other{static_cast<Scalar>(scalar)};
        other.bits() < type.bits() && (!other.isSigned() || type.isSigned()))
      narrower.push_back(other);
  return narrower;
}

/// An operation of which one operand has a narrower type and no cast.
static std::string widened(Context &context, Type type, int depth) {
  const Type narrower = context.oneOf(narrowerTypes(type));
  std::string wide = value(context, type, depth), narrow = value(context, narrower, depth);
  switch (context.below(4)) {
  case 0:
    return "(" + wide + " if " + condition(context, depth) + " else " + narrow + ")";
  case 1:
    return infix(narrow, "-", wide);
  case 2:
    if (context.variant == Variant::SwappedOperands)
      std::swap(wide, narrow);
    return "math." + context.oneOf({"min", "max"}) + "(" + wide + ", " + narrow + ")";
  default:
    return commuting(context, type, narrow, context.oneOf({"+", "*", "&", "|", "^"}), wide);
  }
}

/// An expression that the compiler's passes can evaluate, but the front end does not.
static std::string folded(Context &context, Type type) {
  const bool outer = std::exchange(context.isFolded, true);
  std::string text = value(context, type, 2);
  context.isFolded = outer;
  return text;
}

/// An element of a constant array, at an index that is known only at run time.
static std::string tableElement(Context &context, Type type, int depth) {
  const std::string at = value(context, anyInteger(context), depth);
  return cast(context, "TABLE[" + infix(at, "&", "7") + "]", i32, type);
}

std::string value(Context &context, Type type, int depth) {
  if (depth <= 0 || context.oneIn(4))
    return leaf(context, type);
  if (type.isVector())
    return vectorValue(context, type, depth);
  auto operand = [&] { return value(context, type, depth - 1); };
  const bool isInteger = !type.isFloat();
  switch (chooseExpression(context)) {
  case Expression::Leaf:
    break;
  case Expression::Sum:
    return commuting(context, type, operand(), context.oneOf({"+", "+", "-"}),
                     context.oneIn(3) ? constant(context, type) : operand());
  case Expression::Product:
    return commuting(context, type, operand(), "*",
                     context.oneIn(2)                ? constant(context, type)
                     : context.oneIn(3) && isInteger ? rarelyOther(context, type)
                                                     : operand());
  case Expression::Division:
    return division(context, type, depth - 1);
  case Expression::Bits:
    if (isInteger)
      return commuting(context, type, operand(), context.oneOf({"&", "|", "^"}),
                       context.oneIn(2) ? constant(context, type) : operand());
    break;
  case Expression::Shift:
    if (isInteger)
      return shift(context, type, depth - 1);
    break;
  case Expression::Power:
    if (isInteger)
      return power(context, type, depth - 1);
    break;
  case Expression::Negation:
    if (type.isSigned() || type.isFloat())
      return (context.oneIn(2) ? "(-" : "math.abs(") + operand() + ")";
    return "(~" + operand() + ")";
  case Expression::MinMax:
    return minMax(context, type, depth - 1);
  case Expression::Conditional:
    if (isInteger && context.oneIn(3))
      return rarelyOther(context, type);
    return "(" + operand() + " if " + condition(context, depth - 1) + " else " + operand() + ")";
  case Expression::Cast:
    return converted(context, type, depth - 1);
  case Expression::Widened:
    if (isInteger && type.bits() > 8)
      return widened(context, type, depth - 1);
    break;
  case Expression::Call:
    return call(context, type, depth - 1);
  case Expression::Load:
    return load(context, type);
  case Expression::Math:
    return mathFunction(context, type, depth - 1);
  case Expression::Reinterpret:
    return reinterpreted(context, type, depth - 1);
  case Expression::LaneOfVector:
    return laneOfVector(context, type, depth - 1);
  case Expression::Table:
    return tableElement(context, type, depth - 1);
  case Expression::Folded:
    return folded(context, type);
  case Expression::Level:
    return numberOfLevel(context, type, depth - 1);
  case Expression::Warp:
    return warpOperation(context, type, depth - 1);
  }
  return leaf(context, type);
}

} // namespace spl::generator
