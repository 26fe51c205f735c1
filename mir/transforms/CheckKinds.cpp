// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/CheckKinds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <iterator>

namespace spl::mir {

static constexpr llvm::StringLiteral names[] = {
#define CHECK_KIND(Id, Name, Doc) Name,
#include "mir/transforms/CheckKinds.def"
};

CheckKinds CheckKinds::all() { return CheckKinds((1u << std::size(names)) - 1); }

llvm::Expected<CheckKinds> CheckKinds::parse(llvm::StringRef text) {
  if (text == "all")
    return all();
  if (text == "none")
    return none();
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ',');
  CheckKinds result = none();
  for (llvm::StringRef word : words) {
    if (word == "all" || word == "none")
      return llvm::createStringError("'" + word + "' is not a kind of check; write it alone");
    const auto *found = llvm::find(names, word);
    if (found == std::end(names))
      return llvm::createStringError("unknown kind of check '" + word + "'; the kinds are " +
                                     llvm::join(std::begin(names), std::end(names), ", ") +
                                     ", all and none");
    result.kinds |= 1u << (found - std::begin(names));
  }
  return result;
}

std::string CheckKinds::str() const {
  if (*this == all())
    return "all";
  llvm::SmallVector<llvm::StringRef> words;
  for (auto [index, name] : llvm::enumerate(names))
    if (kinds >> index & 1)
      words.push_back(name);
  return words.empty() ? "none" : llvm::join(words, ",");
}

} // namespace spl::mir
