// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the two halves of the parser share: ParseModule.cpp reads what is at the top and
// declarations of variables, ParseBody.cpp what is in functions. Private to the parser.
#pragma once

#include "test/ptxsim/Lexer.h"
#include "test/ptxsim/Syntax.h"

namespace ptxsim {

/// A place in the list of tokens.
class Cursor {
public:
  explicit Cursor(std::vector<Token> list) : tokens(std::move(list)) {}

  const Token &peek(std::size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  Token next();
  bool sees(std::string_view text) const;
  bool accept(std::string_view text);
  void expect(std::string_view text);
  /// A word, or an error that says that \p what is missing.
  std::string word(const char *what);
  /// A whole number, with its sign.
  Value integer();
  /// Leaves out the rest of the line, for directives that no semicolon ends.
  void skipLine();

  [[noreturn]] void fail(const std::string &text, ErrorKind kind = ErrorKind::Syntax) const;

private:
  std::vector<Token> tokens;
  std::size_t at = 0;
};

/// A number as it is written: whole, 0f and 0d with bits in hexadecimal, or decimal with a point.
Operand number(Cursor &cursor);

/// What a name means in a function's body.
class Scopes {
public:
  struct Meaning {
    std::optional<unsigned> reg;
    const Variable *variable = nullptr;
  };
  void open() { scopes.emplace_back(); }
  void close() { scopes.pop_back(); }
  std::size_t depth() const { return scopes.size(); }
  void declare(const std::string &name, Meaning meaning) { scopes.back()[name] = meaning; }
  const Meaning *find(const std::string &name) const;

private:
  std::vector<std::map<std::string, Meaning>> scopes;
};

/// Reads "[.align N] .type name[count] [= ...]" behind the word of the space, one or several. The
/// variables are added to \p list and declared.
std::vector<Variable *> parseVariables(Cursor &cursor, Space space, std::deque<Variable> &list,
                                       Scopes &scopes);

/// The space that the directive ".shared" opens; none for other words.
std::optional<Space> spaceOfDirective(std::string_view word);

/// Reads a body from behind its "{" to behind its "}".
void parseBody(Cursor &cursor, Function &function, Scopes &scopes);

} // namespace ptxsim
