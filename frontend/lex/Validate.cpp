// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that bytes are text. This is done before lexing, so that a binary file is one error and
// not one for each byte.

#include "frontend/diag/Engine.h"
#include "frontend/lex/Lexer.h"
#include "llvm/Support/ConvertUTF.h"

namespace spl::lex {

bool validateText(llvm::StringRef text, diag::Engine &diagnostics) {
  auto *place = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  if (!llvm::isLegalUTF8String(&place, reinterpret_cast<const llvm::UTF8 *>(text.end()))) {
    auto *begin = reinterpret_cast<const char *>(place);
    bool isUtf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
    diagnostics.emit({begin, begin + 1}, diag::InvalidUtf8,
                     isUtf16 ? "; it looks like UTF-16: save it as UTF-8" : "");
    return false;
  }
  size_t nul = text.find('\0');
  if (nul != llvm::StringRef::npos) {
    diagnostics.emit({text.begin() + nul, text.begin() + nul + 1}, diag::NulByte);
    return false;
  }
  return true;
}

} // namespace spl::lex
