// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments, what may stand on their left, and indexing.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/Wording.h"

namespace spl::sema {

const Stmt *BodyChecker::checkAssign(const syntax::AssignStmt &stmt) {
  using Op = syntax::BinaryOp;
  const Expr *place = checkPlace(*stmt.target);
  if (!place) {
    check(*stmt.value); // for its own mistakes
    return nullptr;
  }
  if (!stmt.op) {
    const Expr *value = checkAs(*stmt.value, place->type);
    return value ? make(AssignStmt{{stmt.range}, place, value}) : nullptr;
  }
  // A shift's count has a type of its own.
  bool isShift = *stmt.op == Op::Shl || *stmt.op == Op::Shr;
  const Expr *operand = checkValue(*stmt.value, isShift ? Type() : place->type);
  const Expr *before = make(PlaceValueExpr{{place->type, place->range}});
  const Expr *value = combine(*stmt.op, place->range.to(stmt.value->range), before, operand);
  return value ? make(AssignStmt{{stmt.range}, place, value}) : nullptr;
}

const Expr *BodyChecker::checkPlace(const syntax::Expr &target) {
  switch (target.kind) {
  case syntax::Expr::Kind::Name:
    return checkNamePlace(static_cast<const syntax::NameExpr &>(target));
  case syntax::Expr::Kind::Index:
    return checkElementPlace(static_cast<const syntax::IndexExpr &>(target));
  case syntax::Expr::Kind::Int:
  case syntax::Expr::Kind::Float:
  case syntax::Expr::Kind::Bool:
  case syntax::Expr::Kind::Unary:
  case syntax::Expr::Kind::Binary:
  case syntax::Expr::Kind::CompareChain:
  case syntax::Expr::Kind::Conditional:
  case syntax::Expr::Kind::Cast:
  case syntax::Expr::Kind::Call:
  case syntax::Expr::Kind::Member:
  case syntax::Expr::Kind::Range:
  case syntax::Expr::Kind::Array:
  case syntax::Expr::Kind::Tuple:
  case syntax::Expr::Kind::PlaceRef:
  case syntax::Expr::Kind::String:
  case syntax::Expr::Kind::Error:
    if (check(target))
      diagnostics.emit(target.range, diag::NotAssignable, quoted(target.range));
    return nullptr;
  }
  llvm_unreachable("every kind is handled");
}

// Assigning to a name does not read it, so it does not count as a use.
const Expr *BodyChecker::checkNamePlace(const syntax::NameExpr &target) {
  Symbol *symbol = scopes.find(target.name);
  if (!symbol)
    return checkName(target); // says what is wrong with it
  const Local &local = *symbol->local;
  StringRef what, remedy;
  switch (symbol->kind) {
  case SymbolKind::Var:
    break;
  case SymbolKind::Val:
    what = "a val";
    remedy = "declare it with 'var'";
    break;
  case SymbolKind::Parameter:
    what = "a parameter";
    break;
  case SymbolKind::LoopVariable:
    what = "a loop's variable";
    break;
  }
  if (what.empty())
    return local.type.isError() ? nullptr : make(LocalExpr{{local.type, target.range}, &local});
  std::string text = remedy.empty() ? ("write 'var " + shown(local.name) + " = " +
                                       shown(local.name) + "' before and assign to that")
                                          .str()
                                    : remedy.str();
  symbol->isRead = true; // one mistake is enough for a name
  diagnostics.emit(target.range, diag::ImmutableAssignment, shown(local.name), what, text)
      .note(local.range, diag::DeclaredHere, shown(local.name));
  return nullptr;
}

const Expr *BodyChecker::checkElementPlace(const syntax::IndexExpr &target) {
  const Expr *element = checkIndex(target);
  if (!element)
    return nullptr;
  const Expr *slice = llvm::cast<IndexExpr>(element)->base;
  if (slice->type.isMut())
    return element;
  reportReadOnly(*slice);
  return nullptr;
}

void BodyChecker::reportReadOnly(const Expr &slice) {
  Type writable = types.slice(slice.type.element(), true, slice.type.rank());
  diag::Builder message =
      diagnostics.emit(slice.range, diag::ReadOnlySlice, quoted(slice.range), writable.str());
  if (auto *local = llvm::dyn_cast<LocalExpr>(&slice))
    message.note(local->local->range, diag::DeclaredHere, shown(local->local->name));
}

// What stands in f[f32](x), of a function that is generic or not here yet.
static bool isTypeArgument(const syntax::Expr &expr) {
  return expr.kind == syntax::Expr::Kind::Name &&
         isTypeName(static_cast<const syntax::NameExpr &>(expr).name);
}

const Expr *BodyChecker::checkIndex(const syntax::IndexExpr &expr) {
  const Expr *base = checkValue(*expr.base);
  llvm::SmallVector<const Expr *, 1> indices;
  for (const syntax::Expr *index : expr.indices)
    if (base || !isTypeArgument(*index))
      indices.push_back(checkValue(*index));
  if (!base)
    return nullptr;
  if (!base->type.isSlice()) {
    diagnostics.emit(base->range, diag::NotIndexable, quoted(base->range), base->type.str());
    return nullptr;
  }
  if (indices.size() != 1) {
    diagnostics.emit(expr.range, diag::IndexCount, quoted(base->range), indices.size());
    return nullptr;
  }
  const Expr *index = indices.front();
  if (!index)
    return nullptr;
  if (!index->type.isInt()) {
    std::string remedy = writeRemedy(castText(*index, types.get(TypeKind::I64)));
    diagnostics.emit(index->range, diag::IndexNotInteger, quoted(index->range), index->type.str(),
                     remedy);
    return nullptr;
  }
  return make(IndexExpr{{base->type.element(), expr.range}, base, ArrayRef(index).copy(arena)});
}

} // namespace spl::sema
