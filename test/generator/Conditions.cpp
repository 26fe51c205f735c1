// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/generator/Context.h"

namespace spl::generator {

std::string compare(Context &context, int depth) {
  const Type type = anyScalar(context);
  const std::string a = value(context, type, depth);
  const std::string b = value(context, type, context.is(Flavour::Groups) ? 0 : depth);
  if (context.oneIn(4))
    return "(" + value(context, type, depth - 1) + " <= " + a +
           context.oneOf({" < ", " < ", " <= "}) + b + ")";
  if (type == i32 && context.oneIn(6))
    return "(" + level(context, depth - 1) + context.oneOf({" == ", " != ", " < "}) + "level_of(" +
           b + "))";
  const std::string op = context.oneOf({"<", "<", "<", "<=", "<=", ">", ">=", ">", "==", "!="});
  return "(" + a + " " + op + " " + b + ")";
}

std::string condition(Context &context, int depth) {
  if (find(context, "e") && context.oneIn(12))
    return edgeCondition(context);
  if (context.isGeneric && context.oneIn(8))
    return context.oneOf({"B", "(not B)"});
  if (depth <= 0 || context.oneIn(2))
    return compare(context, std::min(depth, 1));
  if (!context.is(Flavour::Indices) && !context.isConstant && context.oneIn(5))
    return vote(context, depth - 1);
  const std::string a = condition(context, depth - 1);
  if (context.oneIn(5))
    return "(not " + a + ")";
  const std::string op = context.oneIn(8) ? context.oneOf({" & ", " | ", " ^ "})
                                          : context.oneOf({" or ", " and ", " and "});
  return "(" + a + op + condition(context, depth - 1) + ")";
}

} // namespace spl::generator
