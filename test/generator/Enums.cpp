// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates parameters, variables and expressions of the prelude's enum. A parameter may have a
// number that is not a member. A match on it takes the same case on every target.
#include "test/generator/Context.h"

namespace spl::generator {

void addEnumParameters(Context &context, bool hasOwn) {
  auto add = [&](const char *name, Role role, unsigned perItem) {
    context.program.parameters.push_back({name, role, i32, 1, perItem});
    context.program.parameters.back().typeName = "Level";
  };
  add("kind", Role::Scalar, 0);
  context.levels.push_back("kind");
  context.names.push_back({"(kind as i32)", i32, false, true});
  add("kinds", Role::Input, 0);
  if (!hasOwn)
    return;
  add("ok", Role::Own, 1);
  context.levels.push_back("ok[number]");
}

static std::string member(Context &context) {
  return "Level." + context.oneOf({"Low", "High", "Top", "Lowest"});
}

std::string level(Context &context, int depth) {
  if (!context.levels.empty() && !context.oneIn(4)) {
    if (find(context, "kinds") && context.oneIn(3))
      return "kinds[wrapped(" + value(context, i64, depth) + ", kinds.len())]";
    return context.oneIn(2) ? context.levels.back() : context.oneOf(context.levels);
  }
  if (context.oneIn(4))
    return member(context);
  if (context.oneIn(4) && depth > 0)
    return "(" + level(context, depth - 1) + " if " + condition(context, depth - 1) + " else " +
           level(context, depth - 1) + ")";
  return "level_of(" + value(context, i32, depth) + ")";
}

std::string numberOfLevel(Context &context, Type type, int depth) {
  const std::string x = level(context, depth);
  switch (context.below(3)) {
  case 0:
    return cast(context, "weight_of(" + x + ")", i32, type);
  case 1:
    return "(" + number(type, 1) + " if " + x + context.oneOf({" == ", " != ", " < ", " >= "}) +
           member(context) + " else " + number(type, 0) + ")";
  default:
    if (!type.isFloat())
      return "(" + x + " as " + type.name() + ")";
    return cast(context, "(" + x + " as i32)", i32, type);
  }
}

std::string levelStatement(Context &context, const Place &place) {
  const std::string x = level(context, 1);
  if (!place.inFunction && find(context, "ok") && context.oneIn(2))
    return "ok[number] = " + x + "\n";
  const std::string name = context.fresh("v");
  context.levels.push_back(name);
  return "val " + name + " = " + x + "\n";
}

} // namespace spl::generator
