// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/syntax/Parser.h"
#include "frontend/syntax/ParseItems.h"

namespace spl::syntax {

std::unique_ptr<File> parse(StringRef name, StringRef text, diag::Engine &diagnostics) {
  auto file = std::make_unique<File>();
  file->name = name;
  Parser parser(*file, text, diagnostics);
  parseFile(parser);
  return file;
}

Expr *Parser::finish(Expr *node, std::initializer_list<const Expr *> children,
                     ArrayRef<const Expr *> more, size_t levels) {
  size_t height = levels;
  for (const Expr *child : children)
    height = std::max(height, child->height + levels);
  for (const Expr *child : more)
    height = std::max(height, child->height + levels);
  if (height > maxExpressionHeight) {
    fail(node->range, diag::NestingTooDeep, "an expression", maxExpressionHeight);
    return error(node->range.begin);
  }
  node->height = height;
  return node;
}

bool Nesting::isTooDeep() {
  if (parser.nesting <= maxNesting)
    return false;
  parser.fail(parser.token.range(), diag::NestingTooDeep, "an expression", maxNesting);
  return true;
}

} // namespace spl::syntax
