// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Stats.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

namespace spl::codegen {

using llvm::StringRef;

bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; }

void addNames(StringRef text, Listing &listing) {
  while (!text.empty()) {
    text = text.drop_until(isNameCharacter);
    listing.names.insert(text.take_while(isNameCharacter));
    text = text.drop_while(isNameCharacter);
  }
}

void forEachLine(StringRef text, llvm::function_ref<void(StringRef)> f) {
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    f(line.split("//").first.rtrim());
  }
}

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

} // namespace spl::codegen
