// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Script.h"
#include "cli/Failure.h"
#include "cli/JsonText.h"
#include "frontend/diag/Source.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

namespace spl::cli {

constexpr int maxDepth = 64; // of nested brackets

Script::Script(const std::string &path) : path(path) {
  auto file = diag::readFile(path);
  if (!file)
    throw Failure(Failed, "cannot read '" + path + "': " + llvm::toString(file.takeError()));
  if (isDeeperThan((*file)->getBuffer(), maxDepth))
    refuse("the file", "nests more than " + std::to_string(maxDepth) +
                           " brackets in one another; a script needs 4");
  std::string error;
  const std::optional<llvm::json::Value> parsed = parseJson((*file)->getBuffer(), error);
  if (!parsed)
    throw Failure(WrongUsage, path + ":" + error);
  if (const std::optional<DoubledKey> doubled = findDoubledKey((*file)->getBuffer()))
    throw Failure(WrongUsage,
                  path + ":" + doubled->where + ": the key '" + doubled->key + "' is given twice");
  if (!parsed->getAsObject())
    refuse("the file", "is not a JSON object");
  root = *parsed->getAsObject();
  requireKeys(root, "the file", {"buffers", "launches", "save", "print"});
  const Array *all = list(root, "the file", "launches");
  if (!all)
    refuse("the file", "needs 'launches', a list");
  if (all->empty())
    refuse("the file", "has an empty list of 'launches'");
  for (std::size_t i = 0; i != all->size(); ++i) {
    const std::string where = "launch " + std::to_string(i + 1);
    const Object *launch = (*all)[i].getAsObject();
    if (!launch)
      refuse(where, "is not an object");
    requireKeys(*launch, where, {"kernel", "global", "local", "shared", "args"});
    text(*launch, where, "kernel");
    object(*launch, where, "args");
  }
}

std::vector<std::string> Script::kernels() const {
  std::vector<std::string> names;
  for (const llvm::json::Value &launch : launches())
    names.push_back(launch.getAsObject()->getString("kernel").value_or("").str());
  return names;
}

std::vector<InputFile> Script::inputs() const {
  std::vector<InputFile> inputs{{path, "the script itself", ""}};
  const auto addFile = [&](const llvm::json::Value &value, const std::string &buffer) {
    if (const std::string text = textOf(value); text.starts_with('@'))
      inputs.push_back({text.substr(1), "a file that the script reads", buffer});
  };
  if (const Object *all = buffers())
    for (const auto &buffer : *all)
      addFile(buffer.second, buffer.first.str());
  for (const llvm::json::Value &launch : launches())
    if (const Object *args = launch.getAsObject()->getObject("args"))
      for (const auto &argument : *args)
        addFile(argument.second, "");
  return inputs;
}

void Script::addResults(RunOptions &options) const {
  if (const Object *saves = object(root, "the file", "save"))
    for (const auto &save : *saves) {
      const std::string name = save.first.str();
      const std::string path = save.second.getAsString().value_or("").str();
      if (name.empty() || path.empty())
        refuse("the file",
               llvm::formatv("saves '{0}' to {1}; 'save' has the names of buffers, each "
                             "with the name of a file",
                             name, save.second));
      options.saves.push_back(name + "=" + path);
    }
  if (const Array *prints = list(root, "the file", "print"))
    for (const llvm::json::Value &name : *prints) {
      if (name.getAsString().value_or("").empty())
        refuse("the file", llvm::formatv("prints {0}; 'print' lists names of buffers", name));
      options.prints.push_back(textOf(name));
    }
}

namespace {
/// A Failure whose text contains the place.
struct ScriptFailure : Failure {
  using Failure::Failure;
};
} // namespace

void Script::refuse(const std::string &where, const std::string &why) const {
  throw ScriptFailure(WrongUsage, "'" + path + "': " + where + " " + why);
}

void Script::rethrowWithin(const std::string &where) const {
  try {
    throw;
  } catch (const ScriptFailure &) {
    throw;
  } catch (const Failure &failure) {
    throw ScriptFailure(failure.status, "'" + path + "': " + where + ": " + failure.what());
  } catch (const Error &error) {
    throw PlacedError{error, path, where};
  }
}

void Script::requireKeys(const Object &object, const std::string &where,
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

const Script::Object *Script::object(const Object &parent, const std::string &where,
                                     llvm::StringRef key) const {
  const llvm::json::Value *value = parent.get(key);
  if (value && !value->getAsObject())
    refuse(where, "has '" + key.str() + "', which must be an object");
  return value ? value->getAsObject() : nullptr;
}

const Script::Array *Script::list(const Object &parent, const std::string &where,
                                  llvm::StringRef key) const {
  const llvm::json::Value *value = parent.get(key);
  if (value && !value->getAsArray())
    refuse(where, "has '" + key.str() + "', which must be a list");
  return value ? value->getAsArray() : nullptr;
}

std::int64_t Script::wholeNumber(const Object &parent, const std::string &where,
                                 llvm::StringRef key) const {
  const llvm::json::Value *value = parent.get(key);
  if (value && !value->getAsInteger())
    refuse(where, "has '" + key.str() + "', which must be a whole number");
  return value ? *value->getAsInteger() : 0;
}

std::string Script::text(const Object &parent, const std::string &where,
                         llvm::StringRef key) const {
  const llvm::json::Value *value = parent.get(key);
  if (value && !value->getAsString())
    refuse(where, "has '" + key.str() + "', which must be a string");
  return value ? value->getAsString()->str() : "";
}

Dims Script::dims(const Object &launch, const std::string &where, llvm::StringRef key) const {
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
    refuse(where, "'" + key.str() + "' must have 1 to 3 numbers");
  return Dims::of(extents);
}

std::string Script::textOf(const llvm::json::Value &value) {
  if (std::optional<llvm::StringRef> text = value.getAsString())
    return text->str();
  return llvm::formatv("{0}", value).str();
}

} // namespace spl::cli
