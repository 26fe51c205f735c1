// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between the two files of the parser. ParseModule.cpp parses the top level and
// declarations of variables. ParseBody.cpp parses bodies of functions. Private to the parser.
#pragma once

#include "test/ptxsim/Lexer.h"
#include "test/ptxsim/Syntax.h"

namespace ptxsim {

/// A position in the list of tokens.
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
  /// The next word. If the token is no word, throws an error that \p what is missing.
  std::string word(const char *what);
  /// The next integer, with its sign.
  Value integer();
  /// Skips the rest of the line, for directives without a semicolon.
  void skipLine();

  [[noreturn]] void fail(const std::string &text, ErrorKind kind = ErrorKind::Syntax) const;

private:
  std::vector<Token> tokens;
  std::size_t at = 0;
};

/// Parses a number: an integer, the bits of a float in hexadecimal after 0f or 0d, or a decimal
/// with a point.
Operand number(Cursor &cursor);

/// The names that are visible in a function's body, and what they denote.
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

/// Parses "[.align N] .type name[count] [= ...]" after the word of the space, one or several times.
/// Adds the variables to \p list and declares them.
std::vector<Variable *> parseVariables(Cursor &cursor, Space space, std::deque<Variable> &list,
                                       Scopes &scopes);

/// The space of a directive such as ".shared", or none for other words.
std::optional<Space> spaceOfDirective(std::string_view word);

/// Parses a body. The cursor is after its "{", and at the end after its "}".
void parseBody(Cursor &cursor, Function &function, Scopes &scopes);

} // namespace ptxsim
