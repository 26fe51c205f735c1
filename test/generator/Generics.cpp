// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes kernels generic. T is one type of the program, which the kernel's text then names T. N is a
// small positive number, C is any number, and B is a condition. The instances of a kernel have the
// same T, because the literals of its text have suffixes.
#include "test/generator/Context.h"

#include <regex>

namespace spl::generator {

static std::string anyNumber(Context &context, Type type) {
  const bool isSmall = type.bits() == 8;
  std::vector<std::string> choices = {"0", "1", "2", "7", isSmall ? "100" : "1000"};
  if (type.isSigned())
    choices.insert(choices.end(), {"-1", "-16", isSmall ? "-128" : "-1000"});
  return context.oneOf(choices);
}

void addGenericParameters(Context &context) {
  Program &program = context.program;
  context.isGeneric = true;
  std::vector<Type> types = {i32, i64, context.home};
  for (const Parameter &parameter : program.parameters)
    if (parameter.typeName.empty())
      types.push_back(parameter.type);
  context.typeParameter = context.oneOf(types);
  context.constantType = context.oneIn(2) ? i64 : anyInteger(context);
  for (int count = 1 + context.below(2); count != 0; --count) {
    const std::vector<std::string> arguments = {
        context.typeParameter.name(), std::to_string(1 + context.below(4)),
        anyNumber(context, context.constantType), context.oneOf({"true", "false"})};
    Instance made{program.kernel + "[", program.kernel + "__"};
    for (const std::string &argument : arguments) {
      const bool isFirst = made.request.back() == '[';
      made.request += (isFirst ? "" : ", ") + argument;
      made.entry += (isFirst ? "" : "_") + std::regex_replace(argument, std::regex("-"), "m");
    }
    made.request += "]";
    if (program.instances.empty() || program.instances.front().entry != made.entry)
      program.instances.push_back(made);
  }
  context.names.push_back({"N", i64, false, true});
  context.names.push_back({"C", context.constantType, false, true});
}

std::string withTypeParameter(Context &context, const std::string &text) {
  if (!context.isGeneric)
    return text;
  const std::string name = context.typeParameter.name();
  // A vector cannot be built by the name of the parameter.
  const std::regex use("\\b" + name + "\\b(?!\\()");
  std::string result;
  auto from = text.begin();
  for (auto at = std::sregex_iterator(text.begin(), text.end(), use); at != std::sregex_iterator();
       ++at) {
    const auto start = text.begin() + at->position();
    result.append(from, start).append(context.oneIn(4) ? name : "T");
    from = start + static_cast<std::ptrdiff_t>(name.size());
  }
  return result.append(from, text.end());
}

std::string genericParameters(Context &context) {
  if (!context.isGeneric)
    return "";
  const Type type = context.typeParameter;
  const std::string bound = context.oneIn(2)  ? "Num"
                            : type.isFloat()  ? "Float"
                            : type.isSigned() ? "Signed"
                                              : "Int";
  return "[T: " + bound + ", const N: i64, const C: " + context.constantType.name() +
         ", const B: bool]";
}

} // namespace spl::generator
