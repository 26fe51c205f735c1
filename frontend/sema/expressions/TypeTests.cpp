// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/TypeTests.h"
#include "frontend/lex/Lexer.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Members.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::sema {

/// Whether the type is that of the test, or meets its bound. Empty for a subject that is no type,
/// or for a type that does not exist, which is reported if \p reports.
static std::optional<bool> testType(ExpressionContext &context, const syntax::TypeTestExpr &expr,
                                    bool reports) {
  const Type subject = namedType(context, *expr.subject);
  if (!subject) {
    if (reports)
      context.diagnostics.emit(expr.subject->range, diag::TypeTest, quoted(expr.subject->range));
    return std::nullopt;
  }
  const bool isNamed = expr.type->kind == syntax::TypeExpr::Kind::Named;
  if (isNamed && syntax::isBoundName(expr.type->name))
    return fitsBound(expr.type->name, subject);
  if (!reports && isNamed && !context.session.typeNamed(expr.type->name) &&
      !syntax::parseVectorName(expr.type->name))
    return std::nullopt;
  const Type other = context.session.resolve(*expr.type);
  if (subject.isError() || other.isError())
    return std::nullopt;
  return subject == other;
}

const Expr *checkTypeTest(ExpressionContext &context, const syntax::TypeTestExpr &expr) {
  std::optional<bool> value = testType(context, expr, /*reports=*/true);
  if (!value)
    return nullptr;
  return makeConstant(context.session, context.types.get(TypeKind::Bool), expr.range,
                      llvm::APInt(1, *value));
}

std::optional<bool> decidedByTypes(ExpressionContext &context, const syntax::Expr &condition) {
  if (auto *test = llvm::dyn_cast<syntax::TypeTestExpr>(&condition))
    return testType(context, *test, /*reports=*/false);
  if (auto *unary = llvm::dyn_cast<syntax::UnaryExpr>(&condition)) {
    std::optional<bool> operand;
    if (unary->op == syntax::UnaryOp::Not)
      operand = decidedByTypes(context, *unary->operand);
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  auto *binary = llvm::dyn_cast<syntax::BinaryExpr>(&condition);
  if (!binary || (binary->op != syntax::BinaryOp::And && binary->op != syntax::BinaryOp::Or))
    return std::nullopt;
  const std::optional<bool> lhs = decidedByTypes(context, *binary->lhs),
                            rhs = decidedByTypes(context, *binary->rhs);
  if (!lhs || !rhs)
    return std::nullopt;
  return binary->op == syntax::BinaryOp::And ? *lhs && *rhs : *lhs || *rhs;
}

void skip(ExpressionContext &context, SourceRange text) {
  StringRef rest = text.text();
  while (!rest.empty()) {
    const StringRef word = rest.take_while(lex::isIdentifierPart);
    if (!word.empty())
      lookUp(context.scopes, word);
    rest = rest.drop_front(std::max<size_t>(word.size(), 1));
  }
}

} // namespace spl::sema
