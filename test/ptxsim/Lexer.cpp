// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Lexer.h"

#include "test/ptxsim/Ptxsim.h"

#include <cctype>

namespace ptxsim {
namespace {

bool isWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}
bool isWordPart(char c) { return isWordStart(c) || std::isdigit(static_cast<unsigned char>(c)); }

class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}

  std::vector<Token> run() {
    while (skipBlanks(), at < text.size())
      next();
    tokens.push_back({Token::Kind::End, "", line});
    return std::move(tokens);
  }

private:
  bool sees(std::string_view what) const { return text.substr(at).starts_with(what); }

  void skipBlanks() {
    while (at < text.size()) {
      if (sees("//")) {
        at = std::min(text.find('\n', at), text.size());
      } else if (sees("/*")) {
        const std::size_t end = text.find("*/", at + 2);
        if (end == text.npos)
          throw Error(ErrorKind::Syntax, line, "a comment has no end");
        for (; at != end + 2; ++at)
          line += text[at] == '\n';
      } else if (std::isspace(static_cast<unsigned char>(text[at]))) {
        line += text[at++] == '\n';
      } else {
        return;
      }
    }
  }

  void next() {
    const std::size_t start = at;
    const char first = text[at];
    if (isWordStart(first)) {
      while (at < text.size() && (isWordPart(text[at]) || sees("::")))
        at += sees("::") ? 2 : 1;
      add(Token::Kind::Word, start);
    } else if (std::isdigit(static_cast<unsigned char>(first))) {
      while (at < text.size() && isWordPart(text[at]))
        ++at;
      add(Token::Kind::Number, start);
    } else if (first == '"') {
      at = text.find('"', at + 1);
      if (at == text.npos)
        throw Error(ErrorKind::Syntax, line, "a string has no end");
      tokens.push_back({Token::Kind::String, text.substr(start + 1, at - start - 1), line});
      ++at;
    } else {
      ++at;
      add(Token::Kind::Punctuation, start);
    }
  }

  void add(Token::Kind kind, std::size_t start) {
    tokens.push_back({kind, text.substr(start, at - start), line});
  }

  std::string_view text;
  std::size_t at = 0;
  unsigned line = 1;
  std::vector<Token> tokens;
};

} // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

} // namespace ptxsim
