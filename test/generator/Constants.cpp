// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates constants that call functions. The kernel compares each constant, which the front end
// computed, with the result of the same call at run time.
#include "test/generator/Context.h"

#include <utility>

namespace spl::generator {

/// The argument of the constant's call for each parameter after the first \p count.
static std::string literalArguments(Context &context, const Callable &callee, std::size_t count) {
  std::string text;
  for (std::size_t i = count; i != callee.parameters.size(); ++i) {
    const Type type = callee.parameters[i];
    const std::string x = constant(context, type.lane());
    text += (i ? ", " : "") + (type.isVector() ? type.name() + "(" + x + ")" : x);
  }
  return text;
}

std::string makeConstants(Context &context) {
  context.isConstant = true;
  const bool mayFault = std::exchange(context.program.mayFault, false);
  std::string text;
  for (int count = 1 + context.below(2); count != 0; --count) {
    text += makeFunction(context);
    const Callable callee = context.functions.back();
    if (callee.slice || callee.result.isVector())
      continue;
    const std::string name = context.program.kernel + context.fresh("c");
    const std::string type = callee.result.name();
    const Type first = callee.parameters[0];
    const std::string rest = literalArguments(context, callee, 1);
    if (first.isVector() || context.oneIn(2)) {
      const std::string call = callee.name + "(" + literalArguments(context, callee, 0) + ")";
      text += "\nconst " + name + (context.oneIn(2) ? ": " + type : "") + " = " + call + "\n";
      context.names.push_back({name, callee.result, false, true});
      context.constantChecks += "agreed(" + name + ", " + call + ")\n";
      continue;
    }
    const int from = context.below(9) - 4;
    text += "\nconst " + name + " = [" + callee.name + "(i as " + first.name() + rest +
            ") for i in " + std::to_string(from) + context.oneOf({"..", "..="}) +
            std::to_string(from + 4) + "]\n";
    context.names.push_back({name + "[2]", callee.result, false, true});
    context.constantChecks += "agreed(" + name + "[number & 3], " + callee.name +
                              "(((number & 3) + " + number(i64, from) + ") as " + first.name() +
                              rest + "))\n";
  }
  context.isConstant = false;
  context.program.mayFault = mayFault;
  return text;
}

} // namespace spl::generator
