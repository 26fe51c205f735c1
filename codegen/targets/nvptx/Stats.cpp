// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Stats.h"
#include "codegen/targets/nvptx/Toolkit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace spl::codegen {
namespace {

using llvm::StringRef;

/// Parses ".shared .align 16 .b8 name[256]" to the name and the size in bytes. Ignores ".extern
/// .shared", which is the dynamic shared memory of the launch.
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

/// The number N before the word in "... N WORD ..."; 0 if there is none.
uint64_t numberBefore(StringRef line, StringRef word) {
  StringRef before = line.split(word).first;
  uint64_t number = 0;
  if (before.size() == line.size() || before.rtrim().rsplit(' ').second.getAsInteger(10, number))
    return 0;
  return number;
}

/// Parses the kernel's part of the report of ptxas. The part begins with the line "Compiling entry
/// function" and also contains the functions that the kernel calls.
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

std::string describePtx(StringRef ptx, llvm::ArrayRef<KernelEntry> entries,
                        llvm::Expected<Cubin> cubin) {
  std::string unknown, assembled;
  if (cubin)
    assembled = std::move(cubin->report);
  else
    unknown = llvm::toString(cubin.takeError());
  if (findPtxas().empty())
    unknown = "ptxas was not found";
  const auto symbols = llvm::map_to_vector(entries, [](const auto &entry) { return entry.symbol; });
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[entry, stats] : llvm::zip_equal(entries, ptxStats(ptx, symbols, assembled))) {
    os << entry.kernel << ": ";
    if (stats.assembled)
      os << stats.assembled->registers << " registers, " << stats.assembled->spillStores
         << " bytes of spills stored, " << stats.assembled->spillLoads << " loaded, ";
    os << stats.sharedBytes << " bytes of shared memory, " << stats.instructions
       << " instructions of PTX\n";
  }
  if (!unknown.empty())
    os << "registers and spills are unknown: " << unknown << '\n';
  return text;
}

} // namespace spl::codegen
