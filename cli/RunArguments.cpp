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
void requireEach(const Kernel &kernel, const std::map<std::string, Binding> &bindings,
                 const RunOptions &options) {
  std::vector<std::string> missing;
  std::string remedy;
  for (const Parameter &parameter : kernel.signature().parameters())
    if (!bindings.contains(parameter.name)) {
      missing.push_back("'" + parameter.name + "' (" + parameter.type.str() + ")");
      remedy += " --arg " + parameter.name + "=VALUE";
    }
  const bool lacksGlobal = options.global.empty();
  if (missing.empty() && lacksGlobal)
    throw Failure(WrongUsage, "--global says how many work-items to run; it is required");
  if (missing.empty())
    return;
  const std::string parameters = std::string(missing.size() == 1 ? "parameter " : "parameters ") +
                                 llvm::join(missing, ", ") + " of " + kernel.name();
  if (lacksGlobal)
    throw Failure(WrongUsage, "the number of work-items and " + parameters +
                                  " are not given; add --global X[,Y[,Z]]" + remedy);
  throw Failure(WrongUsage,
                parameters + (missing.size() == 1 ? " is" : " are") + " not given; add" + remedy);
}

} // namespace

std::map<std::string, Binding> bindArguments(const Kernel &kernel, Launcher &launcher,
                                             const RunOptions &options) {
  std::map<std::string, Binding> bindings;
  std::map<std::string, std::string> aliases;
  for (const std::string &argument : options.arguments) {
    const auto [name, text] = nameAndValue(argument);
    const std::optional<std::size_t> index = kernel.signature().indexOf(name);
    if (!index)
      throw Failure(WrongUsage, "there is no parameter '" + name + "' in " +
                                    kernel.signature().prototype() +
                                    parameterCorrection(kernel, name));
    if (bindings.contains(name))
      throw Failure(WrongUsage, "--arg gives '" + name + "' twice");
    ParsedValue parsed = parseArgument(text, kernel.signature(), *index);
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
  requireEach(kernel, bindings, options);
  return bindings;
}

} // namespace spl::cli
