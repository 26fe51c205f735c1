// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/diag/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <algorithm>

using llvm::StringRef;

namespace spl::diag {

StringRef takeCharacter(StringRef &text) {
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  size_t size = std::min<size_t>(llvm::getNumBytesForUTF8(*begin), text.size());
  if (!llvm::isLegalUTF8Sequence(begin, begin + size))
    size = 1;
  StringRef character = text.take_front(size);
  text = text.drop_front(size);
  return character;
}

/// Whether a character of UTF-8 is one of U+0000 to U+001F and U+007F to U+009F, or no UTF-8.
static bool isControl(StringRef character) {
  if (character.size() == 1)
    return !llvm::isPrint(character.front());
  return character.size() == 2 && character[0] == '\xc2' && (character[1] & 0xe0) == 0x80;
}

std::string printable(StringRef text, StringRef kept) {
  std::string result;
  while (!text.empty()) {
    StringRef character = takeCharacter(text);
    if (!isControl(character) || (character.size() == 1 && kept.contains(character)))
      result += character;
    else if (character == "\n")
      result += "\\n";
    else
      for (char byte : character)
        result += "\\x" + llvm::utohexstr(static_cast<unsigned char>(byte), /*LowerCase=*/true, 2);
  }
  return result;
}

} // namespace spl::diag
