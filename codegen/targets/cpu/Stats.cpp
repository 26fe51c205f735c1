// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/Stats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::codegen {

using llvm::StringRef;

static Listings readAssembly(StringRef text) {
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

std::vector<KernelStats> assemblyStats(StringRef text, llvm::ArrayRef<std::string> entries) {
  const Listings listings = readAssembly(text);
  std::vector<KernelStats> result;
  for (const std::string &entry : entries)
    result.push_back(statsOf(entry, listings));
  return result;
}

std::string describeAssembly(StringRef text, llvm::ArrayRef<KernelEntry> entries) {
  const auto symbols = llvm::map_to_vector(entries, [](const auto &entry) { return entry.symbol; });
  std::string lines;
  llvm::raw_string_ostream os(lines);
  for (const auto &[entry, stats] : llvm::zip_equal(entries, assemblyStats(text, symbols)))
    os << entry.kernel << ": " << stats.instructions << " instructions\n";
  return lines;
}

} // namespace spl::codegen
