// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/LiteralNotes.h"
#include "frontend/sema/DiagnosticText.h"

namespace spl::sema {

/// Returns the local that gives the expression its type, if a literal gives it to the local. Null
/// if there is none.
static const Local *typedByLiteral(const Expr &expr) {
  const Local *local = nullptr;
  if (auto *name = llvm::dyn_cast<LocalExpr>(&expr))
    local = name->local;
  else if (auto *place = llvm::dyn_cast<PlaceValueExpr>(&expr))
    local = place->local;
  else if (auto *unary = llvm::dyn_cast<UnaryExpr>(&expr))
    return typedByLiteral(*unary->operand);
  else if (auto *binary = llvm::dyn_cast<BinaryExpr>(&expr);
           binary && !syntax::isComparison(binary->op)) {
    const Local *found = typedByLiteral(*binary->lhs);
    return found || syntax::isShift(binary->op) ? found : typedByLiteral(*binary->rhs);
  }
  return local && local->literal.isValid() ? local : nullptr;
}

void noteLiteral(diag::Builder &message, const Expr &expr, Type wanted) {
  const Local *local = typedByLiteral(expr);
  if (!local)
    return;
  const bool fits =
      wanted && (wanted.lane().isFloat() || (wanted.lane().isInt() && local->type.isInt()));
  const std::string name = shown(local->name).str();
  message.note(local->literal, diag::LiteralType, name, local->type.str(),
               fits ? writeHint((local->isMutable ? "var " : "val ") + name + ": " +
                                wanted.lane().str() + " = " + shortText(local->literal).str())
                    : std::string());
}

} // namespace spl::sema
