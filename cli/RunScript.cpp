// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON file of `simple run --script`: buffers, launches, save and print. docs/cli.md defines
// its form.
#include "cli/Failure.h"
#include "cli/JsonText.h"
#include "cli/Launcher.h"
#include "cli/RunOptions.h"
#include "frontend/diag/Source.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace spl::cli {
namespace {

using llvm::json::Array;
using llvm::json::Object;

constexpr int maxDepth = 64; // of nested brackets

// The script that is read. Every error contains its path and a place in it.
struct Script {
  std::string path;

  [[noreturn]] void refuse(const std::string &where, const std::string &why) const {
    throw Failure(WrongUsage, "'" + path + "': " + where + " " + why);
  }

  void requireKeys(const Object &object, const std::string &where,
                   std::initializer_list<llvm::StringRef> known) const {
    for (const auto &entry : object) {
      if (std::find(known.begin(), known.end(), entry.first.str()) != known.end())
        continue;
      std::string names;
      for (llvm::StringRef name : known)
        names += (names.empty() ? "" : ", ") + name.str();
      refuse(where, "has no '" + entry.first.str() + "'; it has: " + names);
    }
  }

  // These functions return a member of one kind. If the key does not exist, they return null, 0 or
  // "". They throw Failure if the member is of another kind.
  const Object *object(const Object &parent, const std::string &where, llvm::StringRef key) const {
    const llvm::json::Value *value = parent.get(key);
    if (value && !value->getAsObject())
      refuse(where, "has a '" + key.str() + "' that is not an object");
    return value ? value->getAsObject() : nullptr;
  }
  const Array *list(const Object &parent, const std::string &where, llvm::StringRef key) const {
    const llvm::json::Value *value = parent.get(key);
    if (value && !value->getAsArray())
      refuse(where, "has a '" + key.str() + "' that is not a list");
    return value ? value->getAsArray() : nullptr;
  }
  std::int64_t wholeNumber(const Object &parent, const std::string &where,
                           llvm::StringRef key) const {
    const llvm::json::Value *value = parent.get(key);
    if (value && !value->getAsInteger())
      refuse(where, "has a '" + key.str() + "' that is not a whole number");
    return value ? *value->getAsInteger() : 0;
  }
  std::string text(const Object &parent, const std::string &where, llvm::StringRef key) const {
    const llvm::json::Value *value = parent.get(key);
    if (value && !value->getAsString())
      refuse(where, "has a '" + key.str() + "' that is not a string");
    return value ? value->getAsString()->str() : "";
  }

  Dims dims(const Object &launch, const std::string &where, llvm::StringRef key) const {
    const Array *list = launch.getArray(key);
    if (!list)
      refuse(where, "needs '" + key.str() + "', a list of 1 to 3 whole numbers");
    std::vector<std::int64_t> extents;
    for (const llvm::json::Value &value : *list) {
      if (std::optional<std::int64_t> extent = value.getAsInteger())
        extents.push_back(*extent);
      else
        refuse(where, "'" + key.str() + "' holds something that is no whole number");
    }
    if (extents.empty() || extents.size() > 3)
      refuse(where, "'" + key.str() + "' has 1 to 3 numbers");
    return Dims::of(extents);
  }
};

// Converts a JSON number back to text, which is then parsed as the parameter's type like a VALUE.
// Integers of 64 bits stay exact. A number with a fraction is an f64 in between.
std::string textOf(const llvm::json::Value &value) {
  if (std::optional<llvm::StringRef> text = value.getAsString())
    return text->str();
  return llvm::formatv("{0}", value).str();
}

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
    } catch (const Failure &failure) {
      // A name that is no value is meant to be a buffer.
      if (parameter.type.isSlice() && isName(text))
        script.refuse(where, "gives '" + parameter.name + "' the buffer '" + text +
                                 "', which does not exist" + launcher.bufferHint(text));
      throw Failure(failure.status, "'" + script.path + "': " + where + ": " + failure.what());
    }
  };
  // The parser converts a number that is too large for f64 to infinity.
  if (std::optional<double> number = value.getAsNumber(); number && !std::isfinite(*number))
    script.refuse(where, "gives '" + parameter.name +
                             "' a number that is too large for f64; a string keeps every digit");
  const std::string text = textOf(value);
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

// The first parameter that a buffer is an argument of, which determines its type. std::nullopt if
// no launch uses it.
std::optional<Parameter> firstUse(const Launcher &launcher, const Object &root,
                                  llvm::StringRef buffer) {
  const Array *launches = root.getArray("launches");
  for (std::size_t i = 0; launches && i != launches->size(); ++i) {
    const Object *entry = (*launches)[i].getAsObject();
    const Object *args = entry ? entry->getObject("args") : nullptr;
    if (!args)
      continue;
    for (const auto &argument : *args) {
      if (argument.second.getAsString() != buffer)
        continue;
      const Kernel kernel = launcher.kernel(entry->getString("kernel").value_or("").str());
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
  script.requireKeys(entry, where, {"kernel", "global", "local", "shared", "args"});
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
  run.launch(where + " (" + kernel.name() + ")", kernel, config, launcher.bind(bindings), options);
}

} // namespace

std::vector<std::string> kernelsOfScript(const std::string &path) {
  if (!llvm::sys::fs::is_regular_file(path)) // a pipe can be read only once
    return {};
  auto file = diag::readFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return {};
  }
  if (isDeeperThan((*file)->getBuffer(), maxDepth))
    return {};
  std::string error; // runScript reports it
  const std::optional<llvm::json::Value> parsed = parseJson((*file)->getBuffer(), error);
  if (!parsed)
    return {};
  std::vector<std::string> kernels;
  const Object *root = parsed->getAsObject();
  if (const Array *launches = root ? root->getArray("launches") : nullptr)
    for (const llvm::json::Value &launch : *launches)
      if (const Object *entry = launch.getAsObject())
        if (std::optional<llvm::StringRef> kernel = entry->getString("kernel"))
          kernels.push_back(kernel->str());
  return kernels;
}

void runScript(const LaunchRun &run, RunOptions &options) {
  Launcher &launcher = run.launcher;
  const Script script{options.script};
  auto file = diag::readFile(script.path);
  if (!file)
    throw Failure(Failed, "cannot read '" + script.path + "': " + llvm::toString(file.takeError()));
  if (isDeeperThan((*file)->getBuffer(), maxDepth))
    script.refuse("the file", "nests more than " + std::to_string(maxDepth) +
                                  " brackets in one another; a script needs 4");
  std::string error;
  const std::optional<llvm::json::Value> parsed = parseJson((*file)->getBuffer(), error);
  if (!parsed)
    throw Failure(WrongUsage, script.path + ":" + error);
  if (const std::optional<DoubledKey> doubled = findDoubledKey((*file)->getBuffer()))
    throw Failure(WrongUsage, script.path + ":" + doubled->where + ": the key '" + doubled->key +
                                  "' is given twice");
  const Object *root = parsed->getAsObject();
  if (!root)
    script.refuse("the file", "is not a JSON object");
  script.requireKeys(*root, "the file", {"buffers", "launches", "save", "print"});

  if (const Object *saves = script.object(*root, "the file", "save"))
    for (const auto &save : *saves)
      options.saves.push_back(save.first.str() + "=" + textOf(save.second));
  if (const Array *prints = script.list(*root, "the file", "print"))
    for (const llvm::json::Value &name : *prints)
      options.prints.push_back(textOf(name));
  if (const Object *buffers = script.object(*root, "the file", "buffers"))
    for (const auto &buffer : *buffers) {
      const std::optional<Parameter> use = firstUse(launcher, *root, buffer.first);
      launcher.addBuffer(buffer.first.str(),
                         parseBuffer(textOf(buffer.second), use ? &*use : nullptr));
    }
  requireBuffers(launcher, options);

  const Array *launches = script.list(*root, "the file", "launches");
  if (!launches)
    script.refuse("the file", "needs 'launches', a list");
  for (std::size_t i = 0; i != launches->size(); ++i) {
    const std::string where = "launch " + std::to_string(i + 1);
    const Object *entry = (*launches)[i].getAsObject();
    if (!entry)
      script.refuse(where, "is not an object");
    launch(run, script, where, *entry, options);
  }
}

} // namespace spl::cli
