// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/lex/Token.h"

#include "llvm/Support/ErrorHandling.h"

namespace spl::lex {

llvm::StringRef name(TokenKind kind) {
  switch (kind) {
#define TOKEN(Id, Description)                                                                     \
  case TokenKind::Id:                                                                              \
    return #Id;
#define KEYWORD(Id, Spelling) TOKEN(Id, Spelling)
#define PUNCTUATION(Id, Spelling) TOKEN(Id, Spelling)
#include "frontend/lex/Tokens.def"
  }
  llvm_unreachable("every kind is above");
}

llvm::StringRef spelling(TokenKind kind) {
  switch (kind) {
#define TOKEN(Id, Description)                                                                     \
  case TokenKind::Id:                                                                              \
    return Description;
#define KEYWORD(Id, Spelling) TOKEN(Id, Spelling)
#define PUNCTUATION(Id, Spelling) TOKEN(Id, Spelling)
#include "frontend/lex/Tokens.def"
  }
  llvm_unreachable("every kind is above");
}

// The table has first the tokens without a spelling, then the keywords, then the punctuation.
bool isKeyword(TokenKind kind) { return kind >= TokenKind::And && kind <= TokenKind::While; }

bool isFixed(TokenKind kind) { return kind >= TokenKind::And; }

} // namespace spl::lex
