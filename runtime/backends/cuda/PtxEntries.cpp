// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/PtxEntries.h"

#include "spl/Error.h"
#include "spl/abi/Names.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>

namespace spl::detail {

/// The sizes of the parameters in bytes.
using Sizes = std::vector<std::uint64_t>;

namespace {

/// Reads the words of PTX: names, numbers, directives such as .param, and single characters.
class Words {
public:
  explicit Words(std::string_view text) : rest(text) {}

  /// The next word; empty at the end of the text. Comments are no words.
  std::string_view next() {
    skipSpaces();
    std::size_t size = std::min<std::size_t>(1, rest.size());
    if (size && isPart(rest.front()))
      while (size < rest.size() && isPart(rest[size]))
        ++size;
    return take(size);
  }

private:
  static bool isPart(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || c == '%' || c == '.';
  }
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(taken.size());
    return taken;
  }
  void skipSpaces() {
    for (;;) {
      take(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
      if (rest.starts_with("//"))
        take(std::min(rest.find('\n'), rest.size()));
      else if (rest.starts_with("/*"))
        take(std::min(rest.find("*/"), rest.size() - 2) + 2);
      else
        return;
    }
  }

  std::string_view rest;
};

} // namespace

/// The bytes of a type such as .u32, .f64 or .b8; 0 if the word is no such type.
static std::uint64_t bytesOf(std::string_view word) {
  if (word == ".bf16")
    return 2;
  if (word.size() < 3 || word[0] != '.' || std::string_view("busf").find(word[1]) == word.npos)
    return 0;
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), bits);
  return error == std::errc() && end == word.data() + word.size() ? bits / 8 : 0;
}

/// Reads the parameters behind the name of an entry, which has none without parentheses.
static Sizes readParameters(Words &words) {
  Sizes sizes;
  if (words.next() != "(")
    return sizes;
  std::uint64_t count = 0;
  for (std::string_view word = words.next(); !word.empty() && word != ")"; word = words.next()) {
    if (word == ".param")
      sizes.push_back(0);
    else if (sizes.empty())
      continue;
    else if (const std::uint64_t bytes = bytesOf(word); bytes && sizes.back() == 0)
      sizes.back() = bytes;
    else if (word == "[") {
      const std::string_view extent = words.next();
      if (std::from_chars(extent.data(), extent.data() + extent.size(), count).ec == std::errc())
        sizes.back() *= count;
    }
  }
  return sizes;
}

static std::map<std::string_view, Sizes> entriesOf(std::string_view ptx) {
  constexpr std::string_view directive = ".entry";
  std::map<std::string_view, Sizes> entries;
  for (std::size_t at = 0; (at = ptx.find(directive, at)) != ptx.npos;) {
    const std::string_view before = ptx.substr(0, at);
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    at += directive.size();
    if (line.find("//") != line.npos)
      continue;
    Words words(ptx.substr(at));
    const std::string_view name = words.next();
    entries.try_emplace(name, readParameters(words));
  }
  return entries;
}

/// What the runtime passes: of a slice its address and its extents.
static Sizes argumentsOf(const Signature &kernel) {
  Sizes sizes;
  for (const Parameter &parameter : kernel.parameters()) {
    const bool isSlice = parameter.type.isSlice();
    sizes.push_back(isSlice ? 8 : parameter.type.element.size());
    if (isSlice)
      sizes.insert(sizes.end(), static_cast<std::size_t>(parameter.type.rank), 8);
  }
  if (kernel.isCooperative())
    sizes.push_back(8);
  if (kernel.takesFaultRecord())
    sizes.push_back(8);
  return sizes;
}

[[noreturn]] static void refuse(const std::string &entry, const std::string &why) {
  throw Error({.code = ErrorCode::InvalidImage,
               .message = "the signature of kernel '" + entry + "' does not fit its code: " + why,
               .hint = "compile it again"});
}

static void requireEntry(const std::string &name, const Sizes &entry, const Sizes &arguments) {
  if (entry.size() != arguments.size())
    refuse(name, "it makes " + std::to_string(arguments.size()) +
                     " parameters, and the entry has " + std::to_string(entry.size()));
  for (std::size_t i = 0; i != entry.size(); ++i)
    if (entry[i] != arguments[i])
      refuse(name, "its parameter " + std::to_string(i + 1) + " has " +
                       std::to_string(arguments[i]) + " bytes, and the entry's has " +
                       std::to_string(entry[i]));
}

void requireEntries(std::string_view ptx, const std::vector<Signature> &kernels) {
  const std::map<std::string_view, Sizes> entries = entriesOf(ptx);
  for (const Signature &kernel : kernels) {
    for (std::size_t version = 0; version != kernel.versionCount(); ++version) {
      const std::string name = abi::entryName(kernel.name()) + abi::versionSuffix(version);
      const auto found = entries.find(name);
      if (found == entries.end())
        continue;
      Sizes arguments = argumentsOf(kernel);
      // Another version takes a record only if checks are left in it, or grid barriers.
      if (version != abi::Contract::Checked && kernel.takesFaultRecord() &&
          !kernel.isCooperative() && found->second.size() + 1 == arguments.size())
        arguments.pop_back();
      requireEntry(name, found->second, arguments);
    }
  }
}

} // namespace spl::detail
