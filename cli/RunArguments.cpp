// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a launch by `simple run` and `simple check`, as --arg gives them.
#include "cli/Failure.h"
#include "cli/Launcher.h"
#include "cli/RunOptions.h"
#include "spl/abi/TypoCorrection.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::cli {

std::string parameterCorrection(const Kernel &kernel, const std::string &name) {
  std::string parts; // of a parameter with slices in it
  for (const Parameter &parameter : kernel.signature().parameters())
    if (parameter.name.starts_with(name + ".") || parameter.name.starts_with(name + "["))
      parts += (parts.empty() ? "'" : ", '") + parameter.name + "'";
  if (!parts.empty())
    return "; '" + name + "' has slices in it and is given as " + parts;
  abi::TypoCorrection correction(name);
  for (const Parameter &parameter : kernel.signature().parameters())
    correction.consider(parameter.name);
  return abi::didYouMean(correction.best());
}

Missing missingOf(const Kernel &kernel, const std::set<std::string> &given) {
  Missing missing;
  std::string list;
  for (const Parameter &parameter : kernel.signature().parameters())
    if (!given.contains(parameter.name)) {
      missing.names.push_back(parameter.name);
      list += (list.empty() ? "'" : ", '") + parameter.name + "' (" + parameter.type.str() + ")";
    }
  missing.text =
      (missing.names.size() == 1 ? "parameter " : "parameters ") + list + " of " + kernel.name();
  return missing;
}

namespace {

// If a is '=b' and b is '=c', a is the buffer of c.
std::string endOfChain(const std::map<std::string, std::string> &aliases, const std::string &name) {
  std::string other = aliases.at(name);
  if (other == name)
    throw Failure(
        WrongUsage,
        "'" + name + "' cannot be its own buffer; expected the name of another argument after '='");
  for (std::size_t steps = 0; aliases.contains(other); ++steps) {
    if (steps == aliases.size())
      throw Failure(WrongUsage, "'" + name + "' uses the buffer of another argument, in a cycle");
    other = aliases.at(other);
  }
  return other;
}

/// Reports all that is missing in one error, so that the next attempt can be complete.
void requireEach(const Kernel &kernel, const std::set<std::string> &given,
                 const RunOptions &options) {
  const Missing missing = missingOf(kernel, given);
  const bool lacksGlobal = options.global.empty();
  if (missing.names.empty() && lacksGlobal)
    throw Failure(WrongUsage, "--global says how many work-items to run; it is required");
  if (missing.names.empty())
    return;
  std::string remedy;
  for (const std::string &name : missing.names)
    remedy += " --arg " + name + "=VALUE";
  if (lacksGlobal)
    throw Failure(WrongUsage, "the number of work-items and " + missing.text +
                                  " are not given; add --global X[,Y[,Z]]" + remedy);
  throw Failure(WrongUsage, missing.text + missing.verb() + " not given; add" + remedy);
}

} // namespace

std::map<std::string, Binding> bindArguments(const Kernel &kernel, Launcher &launcher,
                                             const RunOptions &options) {
  std::set<std::string> given; // each once (requireForms)
  for (const std::string &argument : options.arguments) {
    const std::string name = nameAndValue(argument).first;
    if (!kernel.signature().indexOf(name))
      throw Failure(WrongUsage, "there is no parameter '" + name + "' in " +
                                    kernel.signature().prototype() +
                                    parameterCorrection(kernel, name));
    given.insert(name);
  }
  requireEach(kernel, given, options); // before large buffers are made

  std::map<std::string, Binding> bindings;
  std::map<std::string, std::string> aliases;
  for (const std::string &argument : options.arguments) {
    const auto [name, text] = nameAndValue(argument);
    ParsedValue parsed = parseArgument(text, kernel.signature(), *kernel.signature().indexOf(name));
    bindings[name] = name;
    if (auto *value = std::get_if<Value>(&parsed))
      bindings[name] = std::move(*value);
    else if (const auto *alias = std::get_if<SameAs>(&parsed))
      aliases[name] = alias->other;
    else
      try {
        launcher.addBuffer(name, std::get<HostArray>(parsed));
      } catch (const Error &error) {
        throw withPrefix(error, "argument '" + name + "': ");
      }
  }
  for (const auto &[name, other] : aliases)
    launcher.addAlias(name, endOfChain(aliases, name));
  return bindings;
}

} // namespace spl::cli
