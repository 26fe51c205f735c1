// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using llvm::StringRef;

namespace spl::lex {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isIdentifierStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isIdentifierPart(char c) { return isIdentifierStart(c) || isDigit(c); }

Lexer::Lexer(StringRef text, diag::Engine &diagnostics)
    : diagnostics(diagnostics), cursor(text.begin()), end(text.end()), indents{0} {
  if (!validateText(text, diagnostics)) {
    cursor = end;
    return;
  }
  if (text.starts_with("\xEF\xBB\xBF"))
    cursor += 3;
  faults = findBracketFaults({cursor, size_t(end - cursor)});
}

Token Lexer::make(TokenKind kind, const char *begin) const {
  Token token;
  token.kind = kind;
  token.begin = begin;
  token.end = cursor;
  return token;
}

Token Lexer::next() {
  while (true) {
    // A part of a buffer is not followed by NUL, so nothing is read at its end.
    if (cursor != end && atLineStart && !startLine())
      continue;
    if (pendingDedents != 0) {
      --pendingDedents;
      return make(TokenKind::Dedent, cursor);
    }
    if (pendingIndent) {
      pendingIndent = false;
      return make(TokenKind::Indent, cursor);
    }
    if (cursor == end)
      return finish();
    while (*cursor == ' ' || *cursor == '\t' || (*cursor == '\r' && cursor[1] == '\n'))
      ++cursor;
    if (isComment(cursor, end))
      skipComment();
    if (cursor == end)
      return finish();
    if (*cursor != '\n') {
      lineHasTokens = true;
      return lexToken();
    }
    bool endsHere = lineEndsHere();
    ++cursor;
    if (!endsHere)
      continue;
    atLineStart = true;
    if (lineHasTokens) {
      lineHasTokens = false;
      Token newline = make(TokenKind::Newline, cursor - 1);
      return newline;
    }
  }
}

/// Returns the hint for a comment that is a directive of C, or an attribute without its first
/// bracket. Returns an empty text for ordinary comments.
static StringRef hintForDirective(StringRef comment) {
  StringRef word = comment.drop_front().take_while(isIdentifierPart);
  if (!word.empty() && comment.rtrim().ends_with("]") && comment.count(']') > comment.count('['))
    return "an attribute is written '#[gpu]'";
  return llvm::StringSwitch<StringRef>(word)
      .Case("define", "a constant is 'const N: i64 = 4', and a function 'fn f(x: f32) -> f32:'")
      .Case("include", "'use file.name' imports a name from 'file.spl'")
      .Case("pragma", "'unroll' is written in the loop: 'for i in 0..8 unroll:'")
      .Cases({"ifdef", "ifndef", "endif", "undef"}, "there is no conditional compilation")
      .Default("");
}

void Lexer::skipComment() {
  const char *begin = cursor;
  cursor = endOfLine(begin, end);
  StringRef comment(begin, cursor - begin);
  StringRef hint = lineHasTokens || openBrackets != 0 ? "" : hintForDirective(comment);
  if (hint.empty())
    return;
  StringRef directive = comment.take_until([](char c) { return c == ' ' || c == '\t'; });
  if (directive.size() <= 40)
    report({begin, directive.end()}, diag::CommentedDirective, directive, hint);
}

/// Returns the tokens at the end of the text: Newline, a Dedent for each open block, then EndOfFile
/// in every call.
Token Lexer::finish() {
  lineEndsHere();
  if (lineHasTokens) {
    lineHasTokens = false;
    return make(TokenKind::Newline, cursor);
  }
  if (indents.size() > 1) {
    indents.pop_back();
    return make(TokenKind::Dedent, cursor);
  }
  return make(TokenKind::EndOfFile, cursor);
}

Token Lexer::lexToken() {
  char c = *cursor;
  if (isIdentifierStart(c))
    return lexIdentifier();
  if (isDigit(c))
    return lexNumber();
  if (c == '"')
    return isDocstring(cursor, end) ? lexDocstring() : lexString();
  return lexPunctuation();
}

static TokenKind keywordOrIdentifier(StringRef text) {
  return llvm::StringSwitch<TokenKind>(text)
#define KEYWORD(Id, Spelling) .Case(Spelling, TokenKind::Id)
#include "frontend/lex/Tokens.def"
      .Default(TokenKind::Identifier);
}

Token Lexer::lexIdentifier() {
  const char *begin = cursor;
  while (isIdentifierPart(*cursor))
    ++cursor;
  return make(keywordOrIdentifier({begin, size_t(cursor - begin)}), begin);
}

/// Returns the text of a literal for a diagnostic, truncated if it is long.
static std::string quote(StringRef text) {
  constexpr size_t limit = 40;
  return text.size() <= limit ? text.str() : (text.take_front(limit) + "...").str();
}

Token Lexer::lexNumber() {
  const char *begin = cursor;
  Number number = scanNumber(cursor, end);
  cursor = number.end;
  Token token = make(number.kind, begin);
  token.value = number.value;
  token.suffixLength = number.suffixLength;
  switch (number.problem) {
  case Number::Problem::None:
    return token;
  case Number::Problem::Malformed:
    report(token.range(), diag::InvalidNumber, quote(token.text()), number.why);
    break;
  case Number::Problem::Suffix: {
    StringRef suffix(number.problemBegin, cursor - number.problemBegin);
    StringRef digits(begin, number.problemBegin - begin);
    bool isFloat = number.kind == TokenKind::Float;
    std::string ours = literalForForeign(digits, suffix, isFloat);
    report({number.problemBegin, cursor}, diag::UnknownSuffix, quote(suffix),
           isFloat ? "a float" : "an integer",
           ours.empty() ? number.why.str() : "write '" + quote(ours) + "'");
    break;
  }
  case Number::Problem::TooLarge:
    report(token.range(), diag::LiteralTooLarge, quote(token.text()));
    break;
  }
  token.kind = TokenKind::InvalidLiteral;
  return token;
}

Token Lexer::lexString() {
  const char *begin = cursor;
  cursor = closingQuote(begin, end);
  if (cursor != end && *cursor == '"') {
    ++cursor;
    return make(TokenKind::String, begin);
  }
  report({begin, cursor}, diag::UnterminatedString);
  return make(TokenKind::Invalid, begin);
}

Token Lexer::lexDocstring() {
  const char *begin = cursor;
  cursor = closingQuotes(begin, end);
  if (cursor != end) {
    cursor += 3;
    return make(TokenKind::Docstring, begin);
  }
  report({begin, begin + 3}, diag::UnterminatedDocstring);
  return make(TokenKind::Invalid, begin);
}

Token Lexer::lexPunctuation() {
  const char *begin = cursor;
#define PUNCTUATION(Id, Spelling)                                                                  \
  if (std::strncmp(begin, Spelling, sizeof(Spelling) - 1) == 0) {                                  \
    cursor += sizeof(Spelling) - 1;                                                                \
    trackBracket(cursor[-1]);                                                                      \
    return make(TokenKind::Id, begin);                                                             \
  }
#include "frontend/lex/Tokens.def"
  return lexUnexpected();
}

/// Whether a token can begin with the character.
static bool isExpected(char c) {
  return isIdentifierPart(c) || std::strchr(" \t\n#\"()[]{},:;.-=!<>+*/%&|^~?@", c) != nullptr;
}

Token Lexer::lexUnexpected() {
  const char *begin = cursor;
  auto *first = reinterpret_cast<const llvm::UTF8 *>(begin);
  const llvm::UTF8 *rest = first;
  llvm::UTF32 code = 0, *out = &code;
  llvm::ConvertUTF8toUTF32(&rest, first + llvm::getNumBytesForUTF8(*first), &out, out + 1,
                           llvm::lenientConversion);
  // A sequence of such characters is one error.
  cursor = reinterpret_cast<const char *>(rest);
  bool isNonAscii = code >= 0x80;
  while (cursor != end && !isExpected(*cursor) && !(*cursor == '\r' && cursor[1] == '\n'))
    ++cursor;
  if (isQuiet)
    return make(TokenKind::Invalid, begin);
  std::string character = llvm::formatv("U+{0:X-4}", code).str();
  if (code > 0x20 && code != 0x7F)
    character =
        llvm::formatv("'{0}' ({1})", StringRef(begin, (const char *)rest - begin), character);
  report({begin, cursor}, diag::UnexpectedCharacter, character,
         code == '\\'   ? "; lines inside brackets continue without it"
         : code == '\'' ? "; write strings in double quotes"
         : isNonAscii   ? "; only comments and strings can contain characters beyond ASCII"
                        : "");
  return make(TokenKind::Invalid, begin);
}

} // namespace spl::lex
