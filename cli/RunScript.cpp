// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers and launches of a script.
#include "cli/Failure.h"
#include "cli/Launcher.h"
#include "cli/RunOptions.h"
#include "cli/Script.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace spl::cli {
namespace {

using Object = Script::Object;

bool isName(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

Binding bindValue(const Script &script, const std::string &where, const Signature &signature,
                  std::size_t index, const llvm::json::Value &value, Launcher &launcher) {
  const Parameter &parameter = signature.parameters()[index];
  const auto parsed = [&](const std::string &text) {
    try {
      return parseArgument(text, signature, index);
    } catch (const Failure &) {
      // A name that is no value is meant to be a buffer.
      if (parameter.type.isSlice() && isName(text))
        script.refuse(where, "gives '" + parameter.name + "' the buffer '" + text +
                                 "', which does not exist" + launcher.bufferHint(text));
      throw;
    }
  };
  // The parser converts a number that is too large for f64 to infinity.
  if (std::optional<double> number = value.getAsNumber(); number && !std::isfinite(*number))
    script.refuse(where, "gives '" + parameter.name +
                             "' a number that is too large for f64; a string keeps every digit");
  const std::string text = Script::textOf(value);
  if (!parameter.type.isSlice())
    return std::get<Value>(parsed(text));
  if (launcher.hasBuffer(text))
    return text;
  if (!value.getAsString())
    script.refuse(where, "'" + parameter.name + "' is a slice; name a buffer");
  ParsedValue made = parsed(text);
  if (std::holds_alternative<SameAs>(made))
    script.refuse(where, "'" + parameter.name + "': name the buffer without '='");
  const std::string own = where + ": " + parameter.name;
  launcher.addBuffer(own, std::get<HostArray>(made));
  return own;
}

std::string launchName(std::size_t index) { return "launch " + std::to_string(index + 1); }

// The first parameter that a buffer is an argument of, which determines its type. std::nullopt if
// no launch uses it.
std::optional<Parameter> firstUse(const Launcher &launcher, const Script &script,
                                  llvm::StringRef buffer) {
  const std::vector<std::string> kernels = script.kernels();
  for (std::size_t i = 0; i != kernels.size(); ++i) {
    const Object *args = script.launches()[i].getAsObject()->getObject("args");
    if (!args)
      continue;
    for (const auto &argument : *args) {
      if (argument.second.getAsString() != buffer)
        continue;
      const Kernel kernel =
          script.within(launchName(i), [&] { return launcher.kernel(kernels[i]); });
      const std::optional<std::size_t> index = kernel.signature().indexOf(argument.first.str());
      if (index && kernel.signature().parameters()[*index].type.isSlice())
        return kernel.signature().parameters()[*index];
    }
  }
  return std::nullopt;
}

void launch(const LaunchRun &run, const Script &script, const std::string &where,
            const Object &entry, const RunOptions &options) {
  Launcher &launcher = run.launcher;
  const Kernel kernel = launcher.kernel(script.text(entry, where, "kernel"));
  LaunchConfig config{.global = script.dims(entry, where, "global"),
                      .shared = script.wholeNumber(entry, where, "shared"),
                      .timeLimit = timeLimitOf(options)};
  if (entry.get("local"))
    config.local = script.dims(entry, where, "local");
  std::map<std::string, Binding> bindings;
  if (const Object *args = script.object(entry, where, "args"))
    for (const auto &argument : *args) {
      const std::string name = argument.first.str();
      const std::optional<std::size_t> index = kernel.signature().indexOf(name);
      if (!index)
        script.refuse(where, "gives '" + name + "', which is no parameter of " +
                                 kernel.signature().prototype() +
                                 parameterCorrection(kernel, name));
      bindings[name] =
          bindValue(script, where, kernel.signature(), *index, argument.second, launcher);
    }
  std::set<std::string> given;
  for (const auto &binding : bindings)
    given.insert(binding.first);
  const std::string name = where + " (" + kernel.name() + ")";
  if (const Missing missing = missingOf(kernel, given); !missing.names.empty())
    script.refuse(name + ":", missing.text + missing.verb() + " not given");
  script.within(name, [&] { run.launch(name, kernel, config, launcher.bind(bindings), options); });
}

} // namespace

void runScript(const LaunchRun &run, const Script &script, const RunOptions &options) {
  Launcher &launcher = run.launcher;
  if (const Object *buffers = script.buffers())
    for (const auto &buffer : *buffers) {
      const std::string name = buffer.first.str();
      if (!buffer.second.getAsString())
        script.refuse("buffer '" + name + "'", "must be a string, such as \"1,2,3\" or \"f32[8]\"");
      const std::optional<Parameter> use = firstUse(launcher, script, name);
      script.within("buffer '" + name + "'", [&] {
        const std::string text = Script::textOf(buffer.second);
        const HostArray array = parseBuffer(text, use ? &*use : nullptr);
        warnOfLength(text, array, "buffer '" + name + "': ");
        launcher.addBuffer(name, array);
      });
    }
  if (!script.buffers() && !(options.prints.empty() && options.saves.empty()))
    script.refuse("the file",
                  "has no 'buffers', and only buffers are printed and saved; declare '" +
                      (options.prints.empty() ? nameAndFile(options.saves.front()).first
                                              : options.prints.front()) +
                      "' in 'buffers', and name it in 'args'");
  requireBuffers(launcher, options);
  for (std::size_t i = 0; i != script.launches().size(); ++i)
    script.within(launchName(i), [&] {
      launch(run, script, launchName(i), *script.launches()[i].getAsObject(), options);
    });
}

} // namespace spl::cli
