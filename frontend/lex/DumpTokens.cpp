// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::lex {

void dumpTokens(llvm::StringRef text, diag::Engine &diagnostics, llvm::raw_ostream &os) {
  Lexer lexer(text, diagnostics);
  // Lines are counted here, because the SourceManager would search a long line again for each
  // token.
  unsigned line = 1;
  const char *lineStart = text.begin();
  const char *counted = text.begin();
  Token token;
  do {
    token = lexer.next();
    for (; counted < token.begin; ++counted)
      if (*counted == '\n') {
        ++line;
        lineStart = counted + 1;
      }
    os << line << ':' << (token.begin - lineStart) + 1 << ' ' << name(token.kind);
    if (!isFixed(token.kind) && token.kind >= TokenKind::Identifier) {
      os << " '";
      llvm::printEscapedString(token.text(), os);
      os << '\'';
    }
    os << '\n';
  } while (!token.is(TokenKind::EndOfFile));
}

} // namespace spl::lex
