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

bool fitsIn(const ConstantExpr &constant, Type type) {
  const llvm::APInt &value = constant.intValue;
  const bool isNegative = constant.type.isSignedInt() && value.isNegative();
  return type.isSignedInt() ? (constant.type.isSignedInt() ? value.isSignedIntN(type.bits())
                                                           : value.isIntN(type.bits() - 1))
                            : !isNegative && value.isIntN(type.bits());
}

/// The integer constant of the file that gives the expression its type, or null.
static const ConstEntry *typedByConstant(Session &session, const Expr &expr) {
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(&expr))
    return typedByConstant(session, *unary->operand);
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(&expr);
      binary && !syntax::isComparison(binary->op)) {
    const ConstEntry *found = typedByConstant(session, *binary->lhs);
    return found || syntax::isShift(binary->op) ? found : typedByConstant(session, *binary->rhs);
  }
  return llvm::isa<ConstantExpr>(expr) && expr.type.isInt()
             ? session.names->constants.lookup(expr.range.text())
             : nullptr;
}

static void noteConstant(diag::Builder &message, const ConstEntry &entry, Type wanted) {
  const syntax::ConstItem &item = *entry.item;
  const Constant &constant = *entry.constant;
  auto *value = llvm::dyn_cast_or_null<ConstantExpr>(constant.value);
  if (!value || !wanted || !wanted.lane().isInt() || !fitsIn(*value, wanted.lane()))
    return;
  const std::string hint = writeHint(("const " + shown(item.name.name) + ": " +
                                      wanted.lane().str() + " = " + shortText(item.value->range))
                                         .str());
  if (item.type)
    message.note(item.type->range, diag::ConstantType, shown(item.name.name), constant.type.str(),
                 hint);
  else
    message.note(item.value->range, diag::LiteralType, shown(item.name.name).str(),
                 constant.type.str(), hint);
}

void noteLiteral(Session &session, diag::Builder &message, const Expr &expr, Type wanted) {
  const Local *local = typedByLiteral(expr);
  if (const ConstEntry *entry = local ? nullptr : typedByConstant(session, expr))
    noteConstant(message, *entry, wanted);
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
