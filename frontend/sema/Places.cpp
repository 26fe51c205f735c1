// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments, what may stand on their left, and indexing.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/Wording.h"

namespace spl::sema {

// y = 3, of a name that nothing has
bool BodyChecker::isUndeclared(const syntax::Expr &target) {
  auto *name = llvm::dyn_cast<syntax::NameExpr>(&target);
  return name && !scopes.find(name->name) && !session.bound(name->name) &&
         !session.names->items.contains(name->name) &&
         !session.names->skipped.contains(name->name) && !isTypeName(name->name) &&
         !isModuleName(name->name);
}

const Stmt *BodyChecker::checkAssign(const syntax::AssignStmt &stmt) {
  if (isUndeclared(*stmt.target)) {
    StringRef name = static_cast<const syntax::NameExpr &>(*stmt.target).name;
    StringRef value = stmt.value->range.text();
    bool isShort = !stmt.op && value.size() <= 40 && !value.contains('\n');
    reportUnknownName(name, stmt.target->range,
                      isShort
                          ? ("; declare it with 'var " + shown(name) + " = " + value + "'").str()
                          : std::string("; 'val' or 'var' declares one"));
    check(*stmt.value); // for its own mistakes
    return nullptr;
  }
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
  bool isShift = syntax::isShift(*stmt.op);
  const Expr *operand = checkValue(*stmt.value, isShift ? Type() : place->type);
  const Expr *before = make(PlaceValueExpr{{place->type, place->range}});
  const Expr *value = combine(*stmt.op, place->range.to(stmt.value->range), before, operand);
  if (value && !(value->type == place->type)) { // a vector beside a scalar place
    reportMismatch(*stmt.op, *before, *operand);
    return nullptr;
  }
  return value ? make(AssignStmt{{stmt.range}, place, value}) : nullptr;
}

const Expr *BodyChecker::checkPlace(const syntax::Expr &target) {
  switch (target.kind) {
  case syntax::Expr::Kind::Name:
    return checkNamePlace(static_cast<const syntax::NameExpr &>(target));
  case syntax::Expr::Kind::Index:
  case syntax::Expr::Kind::Member: {
    const Expr *place = check(target);
    return place && requireWritable(*place) ? place : nullptr;
  }
  case syntax::Expr::Kind::Int:
  case syntax::Expr::Kind::Float:
  case syntax::Expr::Kind::Bool:
  case syntax::Expr::Kind::Unary:
  case syntax::Expr::Kind::Binary:
  case syntax::Expr::Kind::CompareChain:
  case syntax::Expr::Kind::Conditional:
  case syntax::Expr::Kind::Cast:
  case syntax::Expr::Kind::Call:
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
  if (!symbol) {
    // Else checkName says what is wrong with it.
    if (const Expr *constant = checkName(target))
      requireWritable(*constant);
    return nullptr;
  }
  const Local &local = *symbol->local;
  if (!requireMutable(*symbol, target.range)) {
    symbol->isRead = true; // one mistake is enough for a name
    return nullptr;
  }
  return local.type.isError() ? nullptr : make(LocalExpr{{local.type, target.range}, &local});
}

bool BodyChecker::requireMutable(const Symbol &symbol, SourceRange range) {
  StringRef what, remedy;
  switch (symbol.kind) {
  case SymbolKind::Var:
    return true;
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
  const Local &local = *symbol.local;
  StringRef copy = local.name == "self" ? "copy" : shown(local.name); // self is a reserved word
  std::string text = remedy.str();
  if (remedy.empty())
    text = ("write 'var " + copy + " = " + shown(local.name) + "' before and assign to that").str();
  diagnostics.emit(range, diag::ImmutableAssignment, shown(local.name), what, text)
      .note(local.range, diag::DeclaredHere, shown(local.name));
  return false;
}

/// What an element, a field, a lane or a sub-slice is one of; null for anything else.
static const Expr *baseOf(const Expr *place) {
  if (auto *index = llvm::dyn_cast<IndexExpr>(place))
    return index->base;
  if (auto *field = llvm::dyn_cast<FieldExpr>(place))
    return field->base;
  if (auto *lane = llvm::dyn_cast<LaneExpr>(place))
    return lane->base;
  if (auto *part = llvm::dyn_cast<SubsliceExpr>(place))
    return part->base;
  return nullptr;
}

const Expr *wholeOf(const Expr *place) {
  for (const Expr *base; !place->type.isSlice() && (base = baseOf(place));)
    place = base;
  return place;
}

const Expr *rootOf(const Expr *place) {
  while (const Expr *base = baseOf(place))
    place = base;
  return place;
}

bool BodyChecker::isWritable(const Expr &place) {
  const Expr *whole = wholeOf(&place);
  auto *local = llvm::dyn_cast<LocalExpr>(whole);
  return whole->type.isSlice() ? whole->type.isMut() : local && local->local->isMutable;
}

// A part may be written to where the whole may; an element of a slice where the slice says so.
bool BodyChecker::requireWritable(const Expr &place) {
  const Expr *whole = wholeOf(&place);
  if (whole->type.isSlice() && whole != &place) {
    if (!whole->type.isMut())
      reportReadOnly(*whole);
    return whole->type.isMut();
  }
  auto *local = llvm::dyn_cast<LocalExpr>(whole);
  Symbol *symbol = local ? scopes.find(local->local->name) : nullptr;
  if (symbol && !place.type.isSlice())
    return requireMutable(*symbol, place.range);
  diagnostics.emit(place.range, diag::NotAssignable, quoted(place.range));
  return false;
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

const Expr *BodyChecker::checkIndexValue(const syntax::Expr &expr) {
  const Expr *index = checkValue(expr);
  if (!index || index->type.isInt())
    return index;
  std::string remedy = writeRemedy(castText(*index, types.get(TypeKind::I64)));
  diagnostics.emit(index->range, diag::IndexNotInteger, quoted(index->range), index->type.str(),
                   remedy);
  return nullptr;
}

// gpu.shared[f32, 16] and gpu.shared[f32], which lack their call.
bool BodyChecker::reportUncalled(const syntax::IndexExpr &expr) {
  auto *member = llvm::dyn_cast<syntax::MemberExpr>(expr.base);
  const intrinsics::MemoryRow *row =
      member && isModule(*member->base) ? findMemory(*member) : nullptr;
  if (!row || expr.range.text().size() > 80)
    return false;
  bool hasType = expr.indices[0]->kind == syntax::Expr::Kind::Name;
  StringRef type = hasType ? expr.indices[0]->range.text() : "f32";
  StringRef extent = expr.indices.size() > hasType ? expr.indices[hasType]->range.text() : "n";
  std::string text = (row->name + "[" + type + "](" + extent).str();
  diagnostics.emit(expr.range, diag::NotAValue, row->name, "a function",
                   "call it as '" + text + ")'");
  return true;
}

const Expr *BodyChecker::checkIndex(const syntax::IndexExpr &expr) {
  if (reportUncalled(expr))
    return nullptr;
  const Expr *base = checkValue(*expr.base);
  if (base && expr.indices.size() == 1 && expr.indices[0]->kind == syntax::Expr::Kind::Range)
    return checkSubslice(expr, *base);
  llvm::SmallVector<const Expr *, 1> indices;
  for (const syntax::Expr *index : expr.indices) {
    if (auto *range = llvm::dyn_cast<syntax::RangeExpr>(index); range && !base)
      checkBounds(*range); // what the base is was said
    else if (base || !isTypeArgument(*index))
      indices.push_back(checkIndexValue(*index));
  }
  if (!base || llvm::is_contained(indices, nullptr))
    return nullptr;
  return indexed(expr, *base, indices);
}

// a[i][j] of &[f32]
std::string BodyChecker::rankRemedy(Type type, size_t count) {
  bool isScalars = type.isSlice() && type.element().isScalar() && count <= 4;
  return isScalars ? "; a slice of " + std::to_string(count) + " axes is " +
                         types.slice(type.element(), type.isMut(), count).str()
                   : "";
}

const Expr *BodyChecker::indexed(const syntax::IndexExpr &expr, const Expr &base,
                                 ArrayRef<const Expr *> indices) {
  Type type = base.type;
  if (!type.isSlice() && !type.isArray() && !type.isVector()) {
    auto *inner = llvm::dyn_cast<IndexExpr>(&base);
    diagnostics.emit(base.range, diag::NotIndexable, quoted(base.range), type.str(),
                     inner ? rankRemedy(inner->base->type, inner->indices.size() + indices.size())
                           : "");
    return nullptr;
  }
  for (const Expr *index : indices)
    if (type.isSlice())
      warnNegative(base, *index);
  unsigned rank = type.isSlice() ? type.rank() : 1;
  if (indices.size() > rank) {
    std::string taken = rank == 1 ? "1 index" : "1 to " + std::to_string(rank) + " indices";
    diagnostics.emit(expr.range, diag::IndexCount, quoted(base.range), taken, indices.size(),
                     rankRemedy(type, indices.size()));
    return nullptr;
  }
  if (type.isVector())
    return requireInside(base, type.lanes(), *indices[0])
               ? make(LaneExpr{{type.element(), expr.range}, &base, indices[0]})
               : nullptr;
  if (type.isArray() && !requireInside(base, type.length(), *indices[0]))
    return nullptr;
  Type result = indices.size() == rank
                    ? type.element()
                    : types.slice(type.element(), type.isMut(), rank - unsigned(indices.size()));
  return make(IndexExpr{{result, expr.range}, &base, indices.copy(arena)});
}

// Nothing counts from the end.
void BodyChecker::warnNegative(const Expr &base, const Expr &index) {
  const ConstantExpr *known = session.knownInteger(index);
  if (!known || !index.type.isSignedInt() || !known->intValue.isNegative())
    return;
  llvm::SmallString<24> distance;
  (-known->intValue).toString(distance, 10, /*Signed=*/false);
  std::string slice = base.range.text().size() <= 40 ? base.range.text().str() : "a";
  diagnostics.emit(index.range, diag::NegativeIndex, slice + ".len() - " + distance.str().str());
}

// An index that is known is judged here.
bool BodyChecker::requireInside(const Expr &base, uint64_t count, const Expr &index) {
  const ConstantExpr *known = session.knownInteger(index);
  if (!known)
    return true;
  bool isNegative = index.type.isSignedInt() && known->intValue.isNegative();
  if (!isNegative && known->intValue.ult(count))
    return true;
  llvm::SmallString<24> text;
  known->intValue.toString(text, 10, index.type.isSignedInt());
  diagnostics.emit(index.range, diag::ConstantIndex, text.str().str(), quoted(base.range),
                   counted(count, base.type.isVector() ? "lane" : "element"));
  return false;
}

/// The bounds of i..j; null where one is left out or wrong.
std::pair<const Expr *, const Expr *> BodyChecker::checkBounds(const syntax::RangeExpr &range) {
  const Expr *from = range.lower ? checkIndexValue(*range.lower) : nullptr;
  const Expr *to = range.upper ? checkIndexValue(*range.upper) : nullptr;
  return {from, to};
}

const Expr *BodyChecker::checkSubslice(const syntax::IndexExpr &expr, const Expr &base) {
  auto &range = static_cast<const syntax::RangeExpr &>(*expr.indices[0]);
  auto [from, to] = checkBounds(range);
  if ((range.lower && !from) || (range.upper && !to))
    return nullptr;
  for (const Expr *bound : {from, to})
    if (bound)
      warnNegative(base, *bound);
  Type type = base.type;
  if (type.isArray()) {
    bool isMut = isWritable(base);
    type = types.slice(type.element(), isMut, 1);
  } else if (!type.isSlice() || type.rank() != 1) {
    diagnostics.emit(expr.indices[0]->range, diag::RangeIndex,
                     ", but " + quoted(base.range) + " is " + type.str());
    return nullptr;
  }
  return make(SubsliceExpr{{type, expr.range}, &base, from, to});
}

} // namespace spl::sema
