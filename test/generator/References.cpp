// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates calls with references to places, of the prelude's functions and of methods. A call is
// never an operand of an expression, because operands may be swapped (Variant::SwappedOperands).
#include "test/generator/Context.h"

namespace spl::generator {

static std::string swap(Context &context, const std::pair<std::string, Type> &place) {
  std::vector<std::string> others;
  for (const Name &name : context.names)
    if (name.isMutable && name.type == place.second && !place.first.starts_with(name.text))
      others.push_back(name.text);
  if (others.empty())
    return "advanced(&mut " + place.first + ", " + value(context, place.second, 1) + ")\n";
  return "swapped(&mut " + place.first + ", &mut " + context.oneOf(others) + ")\n";
}

/// A call as the last operand of a condition.
static std::string condition(Context &context, const std::pair<std::string, Type> &place) {
  const std::string call =
      "advanced(&mut " + place.first + ", " + value(context, place.second, 1) + ")";
  return "if " + compare(context, 1) + context.oneOf({" and ", " or "}) + call + " > " +
         number(place.second, context.below(9)) + ":\n" + indented(assignment(context));
}

static std::string ofRecord(Context &context) {
  const auto &[name, record] = context.oneOf(context.recordNames);
  const Type type = record.fields[0];
  if (context.oneIn(2))
    return name + ".change(" + value(context, type, 1) + ")\n";
  const Name made = declare(context, type, false);
  return "val " + made.text + " = " + name + ".first()\n";
}

std::string referenceStatement(Context &context, bool inKernel) {
  if (!context.recordNames.empty() && context.oneIn(3))
    return ofRecord(context);
  const std::pair<std::string, Type> place = anyPlace(context, inKernel);
  if (place.first == "_")
    return declaration(context);
  switch (context.below(4)) {
  case 0:
    return swap(context, place);
  case 1:
    if (!place.second.isVector())
      return condition(context, place);
    [[fallthrough]];
  default: {
    const std::string x = value(context, place.second, 1);
    const bool isTwice = context.oneIn(2);
    const Name made = declare(context, place.second, false);
    return "val " + made.text + (isTwice ? " = twice(&mut " : " = advanced(&mut ") + place.first +
           (isTwice ? ", &same(" + x + "))\n" : ", " + x + ")\n");
  }
  }
}

} // namespace spl::generator
