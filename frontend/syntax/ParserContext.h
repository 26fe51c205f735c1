// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of the grammar (Parse*.h) share: the tokens, the recovery from errors, the
// nodes of the tree, and the items found so far. Lives for one file.
//
// Errors: fail() reports one and skips to the end of the line ("panic"). Nothing but the end of a
// statement accepts the Newline token, so all the constructs around the error end at once,
// silently, and parsing continues with the next line. complain() reports an error after which
// parsing can continue on the same line. Depth is bounded: nesting by recursion, trees by their
// height.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/syntax/TokenCursor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace spl::syntax {

class Parser : public TokenCursor {
public:
  Parser(File &file, StringRef text, diag::Engine &diagnostics)
      : TokenCursor(text, diagnostics), file(file), diagnostics(diagnostics) {}

  //===-- Errors (Recovery.cpp) --===//

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
  void failExpected(StringRef what);
  bool expect(TokenKind kind, StringRef what);
  bool expectClosing(TokenKind kind, const Token &opening, StringRef what);
  bool endLine(); ///< returns whether the line ends here
  void panic();
  /// After a statement: ends the panic; skips the block that belongs to what could not be parsed.
  void recover();
  void skipBlock();

  //===-- Nodes --===//

  template <class T, class... Fields> T *make(SourceRange range, Fields... fields) {
    return new (file.arena.Allocate<T>()) T{{T::nodeKind, range}, fields...};
  }
  template <class T> ArrayRef<T> keep(ArrayRef<T> list) { return list.copy(file.arena); }
  Expr *error(const char *begin) { return make<ErrorExpr>(from(begin)); }
  /// Sets the height, that many levels over the children's. Returns an Error node where the tree
  /// grows too high.
  Expr *finish(Expr *node, std::initializer_list<const Expr *> children,
               ArrayRef<const Expr *> more = {}, size_t levels = 1);

  File &file;
  diag::Engine &diagnostics;
  bool isPanicking = false;
  unsigned nesting = 0;                ///< expressions and types in each other
  unsigned blockNesting = 0;           ///< blocks in each other; an elif counts as one more
  bool isInMethod = false;             ///< where self has a meaning
  const char *assertOpening = nullptr; ///< of a parenthesis right after assert

  /// The items of the file so far.
  struct Items {
    llvm::SmallVector<UseItem, 4> uses;
    llvm::SmallVector<const ConstItem *, 8> constants;
    llvm::SmallVector<const StructItem *, 4> structs;
    llvm::SmallVector<const EnumItem *, 4> enums;
    llvm::SmallVector<const FunctionItem *, 8> functions;
    llvm::SmallVector<StringRef, 4> skippedNames; ///< names that items with errors declare
  } items;
};

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

} // namespace spl::syntax
