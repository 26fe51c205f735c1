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
#include "llvm/ADT/STLFunctionalExtras.h"

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
StringRef remedyForHabit(StringRef word);
StringRef remedyForOperator(TokenKind kind);
/// What stands between a place in the text of a file and the end of its line.
StringRef restOfLine(const char *begin);
/// Our type for 'unsigned int', 'long long' and the like; empty where the words are no such type.
std::string typeOfWords(ArrayRef<StringRef> words);
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
    // These tokens were reported by the lexer. Where brackets do not pair, that is why nothing
    // else fits.
    if (isPanicking || token.isOneOf(TokenKind::Invalid, TokenKind::InvalidLiteral) ||
        lexer.reportBrackets(range.begin))
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
  /// Reports the token where it is one that only other languages have, or a stray bracket.
  bool failForeign();
  StringRef identifierBefore(const char *end) const;
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
  /// Sets the height, so many levels over the children's; an Error node where the tree grows too
  /// high.
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
  bool atItem();
  void parseItem();
  void failItem();
  bool atForeignDeclaration();
  void skipLinesToItem();
  void parseUse();
  void parseConst();
  void skipNames(const char *begin);
  StringRef parseDocstring();
  std::optional<Identifier> parseName(StringRef what);

  //===-- Functions (ParseAttributes.cpp, ParseFunctions.cpp) --===//
  void parseAttribute(FunctionAttributes &attributes);
  void parseLaunchBounds(FunctionAttributes &attributes);
  void parseBlockSize(FunctionAttributes &attributes);
  bool parseAliasAttribute();
  bool acceptBareAttribute();
  /// Null where not even the name could be parsed.
  FunctionItem *parseFunction(const FunctionAttributes &attributes, bool isMethod);
  bool atResultWithoutArrow();
  bool parseGenerics(FunctionItem &function);
  bool parseGeneric(llvm::SmallVectorImpl<GenericParameter> &generics);
  bool parseParameters(FunctionItem &function, bool isMethod);
  bool parseSelf(FunctionItem &function, bool isMethod, bool isFirst);
  bool parseParameter(llvm::SmallVectorImpl<Parameter> &parameters);
  bool failForeignParameter();
  std::string parameterRemedy();

  //===-- Structs and enums (ParseRecords.cpp) --===//
  void parseStruct();
  void parseEnum();
  bool parseStructMember(llvm::SmallVectorImpl<Field> &fields,
                         llvm::SmallVectorImpl<const FunctionItem *> &methods);
  bool parseField(llvm::SmallVectorImpl<Field> &fields);
  bool parseEnumMember(llvm::SmallVectorImpl<EnumMember> &members);
  bool endMember();
  /// The lines of a struct or an enum, each by parseMember, which answers whether it is one.
  /// Answers whether all were.
  /// Also says of a struct or an enum with parameters in brackets that there are none.
  std::optional<Identifier> parseRecordName(StringRef what);
  bool parseMembers(StringRef what, SourceRange header, StringRef &doc,
                    llvm::function_ref<bool()> parseMember);

  //===-- Types (ParseTypes.cpp) --===//
  const TypeExpr *parseType();
  bool failForeignMode();
  bool failTypeOfWords();
  const TypeExpr *parseDeclaredType();
  const TypeExpr *parseSliceType();
  const TypeExpr *parseArrayType();
  const TypeExpr *parseTupleType();
  const TypeExpr *errorType(const char *begin);
  /// Keeps the type, with its height; an Error type where it grows too high.
  const TypeExpr *finishType(TypeExpr type);

  //===-- Blocks (ParseBlocks.cpp) --===//
  using Statements = llvm::SmallVector<const Stmt *, 8>;
  enum class Opening : uint8_t { OnLine, Indented, Missing };
  /// The ':' after a header and what leads to the block: nothing, or a line's end before the
  /// Indent. remedy says what could stand in an empty block.
  Opening openBlock(StringRef what, SourceRange header, StringRef remedy);
  /// The ':' and the block after a header; with doc, a docstring may come first.
  Block parseBlock(StringRef what, SourceRange header, StringRef *doc = nullptr);
  /// From an Indent to its Dedent, line by line.
  void parseIndented(StringRef *doc, llvm::function_ref<void()> parseLine);
  void parseLines(llvm::function_ref<void()> parseLine);
  Expr *parseCondition();
  Expr *failPatternCondition();
  Stmt *parseIf();
  bool atElif();
  void skipArms();
  Stmt *parseWhile();

  //===-- Loops and match (ParseLoops.cpp, ParseMatch.cpp) --===//
  Stmt *parseFor();
  Identifier parseLoopVariable();
  bool failForeignRange(const Expr &iterable);
  Unroll parseUnroll();
  bool atWord(StringRef word) const { return at(TokenKind::Identifier) && token.text() == word; }
  Stmt *parseMatch();
  bool parseMatchArm(llvm::SmallVectorImpl<MatchArm> &arms, bool &lacksCase);
  bool acceptForeignDefault();
  bool parsePatterns(llvm::SmallVectorImpl<Pattern> &patterns);
  Pattern parsePattern();
  Expr *
  parsePatternValue(); ///< in ParseExpressions.cpp: tighter than '|', which separates patterns

  //===-- Simple statements (ParseStatements.cpp) --===//
  Stmt *parseStatement();
  Stmt *parseSimpleStatement();
  Stmt *parseLet();
  Stmt *parseLetTuple(const char *begin, bool isVar);
  const Expr *parseInitialiser(SourceRange name, bool isTyped);
  Stmt *parseReturn();
  Stmt *parseExpressionStatement();
  bool failForeignPointer();
  bool failForeignLet(const Token &first);
  Stmt *parseAssignment(Expr *target);
  Stmt *failStatement();
  Stmt *failDecrement();
  bool failForeignItem(TokenKind replacement);
  Stmt *skipStatement();
  Stmt *withoutMeaning(Stmt *statement);
  bool acceptForeignWord(TokenKind replacement);

  //===-- print, assert and their strings (ParseFormats.cpp) --===//
  Stmt *parsePrint();
  Stmt *parseAssert();
  bool failMacro();
  ArrayRef<FormatPiece> parseFormat(StringRef statement);
  /// The placeholder at the front of the text, which ends with its '}'.
  FormatPiece parsePlaceholder(StringRef text, StringRef textBefore);
  std::optional<unsigned> parsePrecision(StringRef text);
  /// The character that a backslash and what follows it mean; passes them.
  char parseEscape(StringRef &text);
  Expr *parseString();

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
  bool failForeignPostfix(const Expr &value);
  Expr *parseCall(Expr *callee);
  bool parseArgument(llvm::SmallVectorImpl<Argument> &arguments);
  Expr *parsePlaceRef();
  Expr *parseIndex(Expr *base);
  Expr *parseIndexItem();
  Expr *parseMember(Expr *base);
  void failSliceColon();
  bool atOperand();
  Expr *parseTupleMembers(Expr *base);
  Expr *parsePrimary();
  Expr *parseNameOrWord();
  Expr *parseNumber();
  Expr *parseParenthesised();
  Expr *parseTuple(const Token &opening, Expr *first);
  Expr *parseArray();
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
  unsigned nesting = 0;                ///< expressions and types in each other
  unsigned blockNesting = 0;           ///< blocks in each other; an elif counts as one more
  bool isInMethod = false;             ///< where self means something
  const char *assertOpening = nullptr; ///< of a parenthesis right after assert
  llvm::SmallVector<UseItem, 4> uses;
  llvm::SmallVector<const ConstItem *, 8> constants;
  llvm::SmallVector<const StructItem *, 4> structs;
  llvm::SmallVector<const EnumItem *, 4> enums;
  llvm::SmallVector<const FunctionItem *, 8> functions;
  llvm::SmallVector<StringRef, 4> skippedNames;
};

} // namespace spl::syntax
