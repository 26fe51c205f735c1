// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that the functions of the grammar (Parse*.h) share: the tokens, the recovery from
// errors, the nodes of the tree, and the items found so far. A Parser is used for one file.
//
// fail() reports an error and skips to the end of the line ("panic"). Only the end of a statement
// accepts the Newline token. So all constructs around the error end there without further errors,
// and parsing continues with the next line. complain() reports an error after which parsing can
// continue on the same line.
//
// The depth of recursion and the height of trees are limited.
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
    // The lexer has reported these tokens. Unpaired brackets are the cause of other errors in their
    // line.
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
  bool endLine(); ///< reports and returns false unless the line ends here
  void panic();
  /// Ends the panic after a statement. Skips the block of a statement that could not be parsed.
  void recover();
  void skipBlock();

  //===-- Nodes --===//

  template <class T, class... Fields> T *make(SourceRange range, Fields... fields) {
    return new (file.arena.Allocate<T>()) T{{T::nodeKind, range}, fields...};
  }
  template <class T> ArrayRef<T> keep(ArrayRef<T> list) { return list.copy(file.arena); }
  Expr *error(const char *begin) { return make<ErrorExpr>(from(begin)); }
  /// Sets the node's height, `levels` above the highest child. Returns an Error node if the tree is
  /// too high.
  Expr *finish(Expr *node, std::initializer_list<const Expr *> children,
               ArrayRef<const Expr *> more = {}, size_t levels = 1);

  File &file;
  diag::Engine &diagnostics;
  bool isPanicking = false;
  unsigned nesting = 0;                ///< the nesting of expressions and types
  unsigned blockNesting = 0;           ///< the nesting of blocks; an elif adds one
  bool isInMethod = false;             ///< whether self is valid
  const char *assertOpening = nullptr; ///< the parenthesis directly after assert, or null

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

/// Counts a level of nesting for the duration of a scope.
class Nesting {
public:
  explicit Nesting(Parser &parser) : parser(parser) { ++parser.nesting; }
  ~Nesting() { --parser.nesting; }
  Nesting(const Nesting &) = delete;
  /// Returns whether the nesting is too deep, and reports it.
  bool isTooDeep();

private:
  Parser &parser;
};

} // namespace spl::syntax
