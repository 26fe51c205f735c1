// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recursive-descent parser behind Parser.h, one method a construct; its parts are in
// Parse*.cpp.
//
// How mistakes are handled: fail() reports one and skips to the end of the line ("panic"). Nothing
// accepts the Newline token but the end of a statement, so all the constructs around the mistake
// end at once, silently, and the statement goes on with the next line. complain() reports a mistake
// that parsing can go on after. Depth is bounded: nesting by recursion, trees by their height.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/lex/Lexer.h"
#include "frontend/syntax/Ast.h"

namespace spl::syntax {

using lex::Token;
using lex::TokenKind;

/// What the table says of a binary operator's token.
struct BinaryOperator {
  BinaryOp op;
  unsigned precedence;
};

/// The remedy for a word or an operator of other languages; empty where there is none.
StringRef remedyForWord(StringRef word, TokenKind replacement);
StringRef remedyForOperator(TokenKind kind);
bool isScalarTypeName(StringRef name);
bool isVectorTypeName(StringRef name);
/// How a message names a token that it did not expect: "'foo'", "the end of the line".
std::string describe(const Token &token);

class Parser {
public:
  Parser(File &file, StringRef text, diag::Engine &diagnostics)
      : file(file), textBegin(text.begin()), diagnostics(diagnostics), lexer(text, diagnostics) {
    token = lexer.next();
  }

  void parseFile();

private:
  //===-- Tokens --===//
  bool at(TokenKind kind) const { return token.kind == kind; }
  Token advance(); ///< answers the token that was passed
  const Token &peek();
  bool accept(TokenKind kind);
  /// The place right after the last token: where something is missing.
  SourceRange afterPrevious() const { return {previousEnd, previousEnd}; }
  /// The token where it stands in the way; at a line's end, the place after the last token.
  SourceRange here() const { return atLineEnd() ? afterPrevious() : token.range(); }
  bool atLineEnd() const { return at(TokenKind::Newline) || at(TokenKind::EndOfFile); }
  SourceRange from(const char *begin) const { return {begin, std::max(begin, previousEnd)}; }

  //===-- Mistakes (Recovery.cpp) --===//
  template <class... Kinds, class... Args>
  diag::Builder complain(SourceRange range, diag::Diagnostic<Kinds...> kind, Args &&...args) {
    // These tokens were reported by the lexer.
    if (isPanicking || token.isOneOf(TokenKind::Invalid, TokenKind::InvalidLiteral))
      return diag::Builder(diagnostics, size_t(-1));
    return diagnostics.emit(range, kind, std::forward<Args>(args)...);
  }
  template <class... Kinds, class... Args>
  diag::Builder fail(SourceRange range, diag::Diagnostic<Kinds...> kind, Args &&...args) {
    diag::Builder builder = complain(range, kind, std::forward<Args>(args)...);
    panic();
    return builder;
  }
  void panic();
  /// Reports that the construct exists in later versions, and skips the line.
  void notYet(SourceRange range, const llvm::Twine &construct);
  /// Reports the token where it is one that only other languages have, or a stray bracket.
  bool failForeign();
  void failExpected(StringRef what);
  bool expect(TokenKind kind, StringRef what);
  bool expectClosing(TokenKind kind, const Token &opening, StringRef what);
  bool endLine(); ///< answers whether the line ends here
  /// After a statement: ends the panic; skips the block that belongs to what could not be parsed.
  void recover();
  void skipBlock();

  //===-- Nodes --===//
  template <class T, class... Fields> T *make(SourceRange range, Fields... fields) {
    return new (file.arena.Allocate<T>()) T{{T::nodeKind, range}, fields...};
  }
  template <class T> ArrayRef<T> keep(ArrayRef<T> list) { return list.copy(file.arena); }
  Expr *error(const char *begin) { return make<ErrorExpr>(from(begin)); }
  /// Sets the height, so many levels over the children's; an Error node where the tree grows too high.
  Expr *finish(Expr *node, std::initializer_list<const Expr *> children,
               ArrayRef<const Expr *> more = {}, size_t levels = 1);

  /// Counts the recursion for as long as it lives.
  class Nesting {
  public:
    explicit Nesting(Parser &parser) : parser(parser) { ++parser.nesting; }
    ~Nesting() { --parser.nesting; }
    Nesting(const Nesting &) = delete;
    /// Reports a nesting that is too deep.
    bool isTooDeep();

  private:
    Parser &parser;
  };

  //===-- Items (ParseItems.cpp) --===//
  struct Attributes {
    SourceRange range; ///< of the first, invalid where there is none
    bool isGpu = false;
  };
  bool atItem();
  void parseItem();
  void parseAttribute(Attributes &attributes);
  void skipUnsupportedItem(StringRef construct);
  void skipUse();
  void skipLinesToItem();
  void parseFunction(const Attributes &attributes);
  bool parseParameters(FunctionItem &function);
  bool parseParameter(llvm::SmallVectorImpl<Parameter> &parameters);
  StringRef parseDocstring();
  std::optional<Identifier> parseName(StringRef what);

  //===-- Types (ParseTypes.cpp) --===//
  const TypeExpr *parseType();
  const TypeExpr *parseSliceType();
  const TypeExpr *errorType(const char *begin);

  //===-- Statements (ParseStatements.cpp, ParseBlocks.cpp) --===//
  using Statements = llvm::SmallVector<const Stmt *, 8>;
  /// The ':' and the block after a header; with doc, a docstring may come first.
  Block parseBlock(StringRef what, SourceRange header, StringRef *doc = nullptr);
  Block parseIndentedBlock(StringRef *doc);
  void parseStatements(Statements &statements);
  Stmt *parseStatement();
  Stmt *parseSimpleStatement();
  Stmt *parseLet();
  Stmt *parseIf();
  bool atElif();
  void skipArms();
  Stmt *parseWhile();
  Stmt *parseFor();
  bool parseRange(const Expr *&lower, const Expr *&upper);
  Stmt *parseReturn();
  Stmt *parseExpressionStatement();
  Stmt *parseAssignment(Expr *target);
  Stmt *failStatement();
  Stmt *withoutMeaning(Stmt *statement);
  bool acceptForeignWord(TokenKind replacement);

  //===-- Expressions (ParseExpressions.cpp, ParseOperands.cpp) --===//
  Expr *parseExpression();
  Expr *parseInlineIf();
  Expr *parseBinary(unsigned minPrecedence);
  Expr *parseNot();
  Expr *parseComparison(Expr *first);
  Expr *parseUnary();
  Expr *parsePower();
  std::optional<BinaryOperator> atBinaryOperator();
  Expr *parsePostfix();
  Expr *parseCall(Expr *callee);
  bool parseArgument(llvm::SmallVectorImpl<Argument> &arguments);
  Expr *parseIndex(Expr *base);
  Expr *parseMember(Expr *base);
  Expr *parsePrimary();
  Expr *parseNameOrWord();
  Expr *parseNumber();
  Expr *parseParenthesised();
  Expr *failExpression(StringRef hint = "");

  File &file;
  const char *textBegin;
  diag::Engine &diagnostics;
  lex::Lexer lexer;
  Token token; ///< the one to be parsed next
  Token ahead; ///< the one after it, where hasAhead
  bool hasAhead = false;
  bool isPanicking = false;
  const char *previousEnd = textBegin;
  unsigned nesting = 0;      ///< expressions and types in each other
  unsigned blockNesting = 0; ///< blocks in each other; an elif counts as one more
  llvm::SmallVector<const FunctionItem *, 8> functions;
  llvm::SmallVector<StringRef, 4> skippedNames;
};

} // namespace spl::syntax
