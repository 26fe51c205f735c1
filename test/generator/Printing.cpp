// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates prints. Most lines begin with "#", the number of their work-item and a colon, so that
// their order can be compared.
#include "test/generator/Context.h"

namespace spl::generator {

/// A value in braces, with at most \p lanes lanes. Subtracts its lanes.
static std::string printedValue(Context &context, unsigned &lanes) {
  switch (context.below(6)) {
  case 0:
    return "{" + compare(context, 1) + "}";
  case 1:
    return "{" + level(context, 1) + "}";
  default:
    break;
  }
  Type type = anyType(context);
  if (type.lanes > lanes)
    type = type.lane();
  lanes -= type.lanes;
  std::string text = "{" + value(context, type, context.below(3));
  if (type.isFloat() && context.oneIn(3))
    text += ":." + std::to_string(context.below(6));
  return text + "}";
}

std::string printStatement(Context &context) {
  std::string text = context.oneIn(4) ? "" : "#{flat_item()}:";
  unsigned lanes = 32 - 4; // a line has at most 32 values
  for (int count = context.oneIn(8) ? 0 : 1 + context.below(3); count != 0; --count) {
    text +=
        context.oneOf({" ", ", ", "% ", "%d ", " {{}} ", "\\t", "\\n", " \\\"", "\\\\ ", " ä "});
    text += printedValue(context, lanes);
  }
  const std::string line = "print \"" + text + "\"\n";
  return context.oneIn(3) ? withBody("if " + condition(context, 1), line) : line;
}

} // namespace spl::generator
