// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/ArgumentParts.h"

namespace spl::detail {

static std::string_view wholeName(const Parameter &parameter) {
  const std::string_view name = parameter.name;
  return name.substr(0, name.find_first_of(".["));
}

bool isPartOfWhole(const Parameter &parameter) {
  return wholeName(parameter).size() != parameter.name.size();
}

std::vector<std::string> wholeNames(std::span<const Parameter> parameters) {
  std::vector<std::string> names;
  for (const Parameter &parameter : parameters)
    if (names.empty() || names.back() != wholeName(parameter))
      names.emplace_back(wholeName(parameter));
  return names;
}

void ArgumentParts::add(const std::string &name, const Argument &argument) {
  const auto *parts = std::get_if<std::vector<Argument>>(&argument.value);
  if (!parts) {
    named.emplace_back(name, &argument);
    return;
  }
  for (const Argument &part : *parts)
    add(name + (part.name.starts_with('[') ? "" : ".") + part.name, part);
}

bool ArgumentParts::addNext(const Argument &argument) {
  if (areAllTaken())
    return false;
  const std::string_view whole = wholeName(parameters[next]);
  if (!hasParts(argument)) {
    add(parameters[next++].name, argument);
    return true;
  }
  add(std::string(whole), argument);
  while (!areAllTaken() && wholeName(parameters[next]) == whole)
    ++next;
  return true;
}

} // namespace spl::detail
