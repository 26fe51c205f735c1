// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Stats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace spl::codegen {
namespace {

using llvm::StringRef;

/// A function of a text in assembly.
struct Listing {
  uint64_t instructions = 0;
  uint64_t sharedBytes = 0;
  llvm::StringSet<> names; ///< that its instructions mention
};

struct Listings {
  llvm::StringMap<Listing> functions;
  llvm::StringMap<uint64_t> shared; ///< variables of the module, in bytes
};

bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; }

void addNames(StringRef text, Listing &listing) {
  while (!text.empty()) {
    text = text.drop_until(isNameCharacter);
    listing.names.insert(text.take_while(isNameCharacter));
    text = text.drop_while(isNameCharacter);
  }
}

/// The lines of a text, without comments and the spaces around.
template <class F> void forEachLine(StringRef text, F f) {
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    f(line.split("//").first.rtrim());
  }
}

//===-- PTX --===//

/// ".shared .align 16 .b8 name[256]": the name and the bytes; those of ".extern .shared" are the
/// launch's.
std::optional<std::pair<StringRef, uint64_t>> sharedVariable(StringRef statement) {
  if (!statement.contains(".shared") || statement.contains(".extern"))
    return std::nullopt;
  auto [before, declared] = statement.rtrim().rsplit(' ');
  auto [name, extent] = declared.split('[');
  uint64_t bits = 0, count = 1;
  StringRef type = before.rtrim().rsplit(' ').second;
  if (!type.starts_with(".") || type.drop_front(2).getAsInteger(10, bits))
    return std::nullopt;
  if (!extent.empty() && extent.split(']').first.getAsInteger(10, count))
    return std::nullopt;
  return std::pair(name, bits / 8 * count);
}

/// The name in ".visible .entry name(" and ".func (.param .b32 result) name(".
StringRef functionName(StringRef line) {
  StringRef before = line.rsplit('(').first.rtrim();
  return before.take_back(before.size() - before.find_last_of(" \t)") - 1);
}

Listings readPtx(StringRef ptx) {
  Listings result;
  Listing *function = nullptr;
  bool isBody = false;
  forEachLine(ptx, [&](StringRef line) {
    if (!isBody) {
      if (auto variable = sharedVariable(line.rtrim(';')))
        result.shared[variable->first] = variable->second;
      if (line.contains('(') && (line.contains(".entry ") || line.contains(".func ")))
        function = line.contains(".extern") ? nullptr : &result.functions[functionName(line)];
      isBody = line == "{" && function;
      return;
    }
    if (line == "}") {
      isBody = false;
      function = nullptr;
      return;
    }
    addNames(line, *function);
    llvm::SmallVector<StringRef> statements;
    line.split(statements, ';');
    for (StringRef statement : llvm::ArrayRef(statements).drop_back()) { // each before a ';'
      statement = statement.ltrim(" \t{}");
      if (auto variable = sharedVariable(statement))
        function->sharedBytes += variable->second;
      function->instructions += !statement.empty() && !statement.starts_with(".");
    }
  });
  return result;
}

/// What stands in "... N WORD ..." before the word; 0 if it is not there.
uint64_t numberBefore(StringRef line, StringRef word) {
  StringRef before = line.split(word).first;
  uint64_t number = 0;
  if (before.size() == line.size() || before.rtrim().rsplit(' ').second.getAsInteger(10, number))
    return 0;
  return number;
}

/// A kernel's part of the report begins where its compiling does; functions that it calls follow.
std::optional<KernelStats::Assembled> assembledStats(StringRef report, StringRef entry) {
  std::optional<KernelStats::Assembled> result;
  bool isOurs = false;
  forEachLine(report, [&](StringRef line) {
    if (line.contains("Compiling entry function '"))
      isOurs = line.contains(("'" + entry + "'").str());
    if (!isOurs)
      return;
    if (!result)
      result.emplace();
    result->registers = std::max(result->registers, numberBefore(line, " registers"));
    result->spillStores += numberBefore(line, " bytes spill stores");
    result->spillLoads += numberBefore(line, " bytes spill loads");
  });
  return result;
}

//===-- Assembly of a CPU --===//

Listings readAssembly(StringRef text) {
  Listings result;
  Listing *function = nullptr;
  forEachLine(text, [&](StringRef line) {
    if (line.starts_with(".Lfunc_end"))
      function = nullptr;
    else if (line.ends_with(":") && isNameCharacter(line.front()) && line.front() != '.')
      function = &result.functions[line.drop_back()];
    else if (function && line.size() > 1 && line.front() == '\t' && llvm::isAlpha(line[1])) {
      ++function->instructions;
      addNames(line, *function);
    }
  });
  return result;
}

//===-- Both --===//

KernelStats statsOf(StringRef entry, const Listings &listings) {
  KernelStats result;
  llvm::StringSet<> seen;
  std::vector<StringRef> open{entry};
  while (!open.empty()) {
    StringRef name = open.back();
    open.pop_back();
    if (!seen.insert(name).second)
      continue;
    result.sharedBytes += listings.shared.lookup(name);
    auto found = listings.functions.find(name);
    if (found == listings.functions.end())
      continue;
    result.instructions += found->second.instructions;
    result.sharedBytes += found->second.sharedBytes;
    for (const auto &mentioned : found->second.names)
      open.push_back(mentioned.first());
  }
  return result;
}

} // namespace

std::vector<KernelStats> ptxStats(StringRef ptx, llvm::ArrayRef<std::string> entries,
                                  StringRef ptxasReport) {
  const Listings listings = readPtx(ptx);
  std::vector<KernelStats> result;
  for (const std::string &entry : entries) {
    result.push_back(statsOf(entry, listings));
    result.back().assembled = assembledStats(ptxasReport, entry);
  }
  return result;
}

std::vector<KernelStats> assemblyStats(StringRef text, llvm::ArrayRef<std::string> entries) {
  const Listings listings = readAssembly(text);
  std::vector<KernelStats> result;
  for (const std::string &entry : entries)
    result.push_back(statsOf(entry, listings));
  return result;
}

} // namespace spl::codegen
