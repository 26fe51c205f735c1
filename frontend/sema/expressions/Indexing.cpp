// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Indexing.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/TypeExpressions.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/Modules.h"
#include "frontend/sema/expressions/Places.h"
#include "frontend/sema/expressions/Widening.h"

namespace spl::sema {

// Whether `expr` is a type argument, such as the f32 in f[f32](x) of an unknown function f.
static bool isTypeArgument(const syntax::Expr &expr) {
  return expr.kind == syntax::Expr::Kind::Name &&
         isTypeName(static_cast<const syntax::NameExpr &>(expr).name);
}

const Expr *checkIndexValue(ExpressionContext &context, const syntax::Expr &expr) {
  const Expr *index = checkValue(context, expr);
  if (index && index->type.isInt())
    warnWrapping(context, *index, Type());
  if (!index || index->type.isInt())
    return index;
  std::string hint = writeHint(castText(*index, context.types.get(TypeKind::I64)));
  context.diagnostics.emit(index->range, diag::IndexNotInteger, quoted(index->range),
                           index->type.str(), hint);
  return nullptr;
}

// Reports gpu.shared[f32, 16] and gpu.shared[f32] without a call.
static bool reportUncalled(Session &session, Scopes &scopes, const syntax::IndexExpr &expr) {
  auto *member = llvm::dyn_cast<syntax::MemberExpr>(expr.base);
  const intrinsics::MemoryRow *row =
      member && isModule(scopes, *member->base) ? findMemory(*member) : nullptr;
  if (!row || expr.range.text().size() > 80)
    return false;
  bool hasType = expr.indices[0]->kind == syntax::Expr::Kind::Name;
  StringRef type = hasType ? expr.indices[0]->range.text() : "f32";
  StringRef extent = expr.indices.size() > hasType ? expr.indices[hasType]->range.text() : "n";
  std::string text = (row->name + "[" + type + "](" + extent).str();
  session.diagnostics.emit(expr.range, diag::NotAValue, row->name, "a function",
                           "call it as '" + text + ")'");
  return true;
}

// Returns the hint for a[i][j] of a slice with one axis.
static std::string rankHint(Session &session, Type type, size_t count) {
  bool isScalars = type.isSlice() && type.element().isScalar() && count <= 4;
  return isScalars ? "; a slice of " + std::to_string(count) + " axes is " +
                         session.types.slice(type.element(), type.isMut(), count).str()
                   : "";
}

// Warns about a negative index, because indices do not count from the end.
static void warnNegativeIndex(Session &session, const Expr &base, const Expr &index) {
  const ConstantExpr *known = session.knownInteger(index);
  if (!known || !index.type.isSignedInt() || !known->intValue.isNegative())
    return;
  llvm::SmallString<24> distance;
  (-known->intValue).toString(distance, 10, /*Signed=*/false);
  std::string slice = base.range.text().size() <= 40 ? base.range.text().str() : "a";
  session.diagnostics.emit(index.range, diag::NegativeIndex,
                           slice + ".len() - " + distance.str().str());
}

/// The extents of a slice that is certainly a shared array or a row of one. Empty for other slices.
static ArrayRef<int64_t> sharedExtents(const SliceVals &vals, const Expr &slice) {
  if (auto *shared = llvm::dyn_cast<SharedExpr>(&slice))
    return shared->extents;
  if (auto *local = llvm::dyn_cast<LocalExpr>(&slice)) {
    const Expr *value = vals.lookup(local->local);
    return value ? sharedExtents(vals, *value) : ArrayRef<int64_t>();
  }
  if (auto *cast = llvm::dyn_cast<CastExpr>(&slice))
    return sharedExtents(vals, *cast->operand);
  auto *row = llvm::dyn_cast<IndexExpr>(&slice);
  ArrayRef<int64_t> extents = row ? sharedExtents(vals, *row->base) : ArrayRef<int64_t>();
  return extents.empty() ? extents : extents.drop_front(row->indices.size());
}

// Reports a constant index that is out of bounds. `axis` is "axis 1 of " for one of several axes.
// Returns false if it reports one.
static bool requireInBounds(Session &session, const Expr &base, uint64_t count, const Expr &index,
                            StringRef axis = "") {
  const ConstantExpr *known = session.knownInteger(index);
  if (!known)
    return true;
  bool isNegative = index.type.isSignedInt() && known->intValue.isNegative();
  if (!isNegative && known->intValue.ult(count))
    return true;
  llvm::SmallString<24> text;
  known->intValue.toString(text, 10, index.type.isSignedInt());
  session.diagnostics.emit(index.range, diag::ConstantIndex, text.str().str(),
                           (axis + quoted(base.range)).str(),
                           counted(count, base.type.isVector() ? "lane" : "element"));
  return false;
}

/// Checks the constant indices of a slice. Returns false if it reports an error.
static bool checkSliceBounds(ExpressionContext &context, const Expr &base,
                             ArrayRef<const Expr *> indices) {
  ArrayRef<int64_t> extents = sharedExtents(context.sliceVals, base);
  bool isInside = true;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    const std::string name =
        extents.size() > 1 ? "axis " + std::to_string(axis) + " of " : std::string();
    if (extents.empty())
      warnNegativeIndex(context.session, base, *index);
    else
      isInside &= requireInBounds(context.session, base, extents[axis], *index, name);
  }
  return isInside;
}

static const Expr *makeIndex(ExpressionContext &context, const syntax::IndexExpr &expr,
                             const Expr &base, ArrayRef<const Expr *> indices) {
  Session &session = context.session;
  Type type = base.type;
  if (!type.isSlice() && !type.isArray() && !type.isVector()) {
    auto *inner = llvm::dyn_cast<IndexExpr>(&base);
    session.diagnostics.emit(
        base.range, diag::NotIndexable, quoted(base.range), type.str(),
        inner ? rankHint(session, inner->base->type, inner->indices.size() + indices.size()) : "");
    return nullptr;
  }
  unsigned rank = type.isSlice() ? type.rank() : 1;
  if (indices.size() > rank) {
    std::string taken = rank == 1 ? "1 index" : "1 to " + std::to_string(rank) + " indices";
    session.diagnostics.emit(expr.range, diag::IndexCount, quoted(base.range), taken,
                             indices.size(), rankHint(session, type, indices.size()));
    return nullptr;
  }
  if (type.isSlice() && !checkSliceBounds(context, base, indices))
    return nullptr;
  if (type.isVector())
    return requireInBounds(session, base, type.lanes(), *indices[0])
               ? session.make(LaneExpr{{type.element(), expr.range}, &base, indices[0]})
               : nullptr;
  if (type.isArray() && !requireInBounds(session, base, type.length(), *indices[0]))
    return nullptr;
  Type result = indices.size() == rank ? type.element()
                                       : session.types.slice(type.element(), type.isMut(),
                                                             rank - unsigned(indices.size()));
  return session.make(IndexExpr{{result, expr.range}, &base, indices.copy(session.arena)});
}

/// Checks the bounds of i..j. A bound is null if it is omitted or if an error in it is reported.
static std::pair<const Expr *, const Expr *> checkBounds(ExpressionContext &context,
                                                         const syntax::RangeExpr &range) {
  const Expr *from = range.lower ? checkIndexValue(context, *range.lower) : nullptr;
  const Expr *to = range.upper ? checkIndexValue(context, *range.upper) : nullptr;
  return {from, to};
}

static const Expr *checkSubslice(ExpressionContext &context, const syntax::IndexExpr &expr,
                                 const Expr &base) {
  auto &range = static_cast<const syntax::RangeExpr &>(*expr.indices[0]);
  auto [from, to] = checkBounds(context, range);
  if ((range.lower && !from) || (range.upper && !to))
    return nullptr;
  for (const Expr *bound : {from, to})
    if (bound)
      warnNegativeIndex(context.session, base, *bound);
  Type type = base.type;
  if (type.holdsSlices()) {
    context.diagnostics.emit(expr.indices[0]->range, diag::RangeIndex,
                             ", but " + quoted(base.range) + " is an array of slices");
    return nullptr;
  }
  if (type.isArray()) {
    bool isMut = isWritable(base);
    type = context.types.slice(type.element(), isMut, 1);
  } else if (!type.isSlice() || type.rank() != 1) {
    context.diagnostics.emit(expr.indices[0]->range, diag::RangeIndex,
                             ", but " + quoted(base.range) + " is " + type.str());
    return nullptr;
  }
  return context.make(SubsliceExpr{{type, expr.range}, &base, from, to});
}

const Expr *checkIndex(ExpressionContext &context, const syntax::IndexExpr &expr) {
  if (reportUncalled(context.session, context.scopes, expr))
    return nullptr;
  const Expr *base = checkValue(context, *expr.base);
  if (base && expr.indices.size() == 1 && expr.indices[0]->kind == syntax::Expr::Kind::Range)
    return checkSubslice(context, expr, *base);
  llvm::SmallVector<const Expr *, 1> indices;
  for (const syntax::Expr *index : expr.indices) {
    if (auto *range = llvm::dyn_cast<syntax::RangeExpr>(index); range && !base)
      checkBounds(context, *range); // the base has a reported error
    else if (base || !isTypeArgument(*index))
      indices.push_back(checkIndexValue(context, *index));
  }
  if (!base || llvm::is_contained(indices, nullptr))
    return nullptr;
  return makeIndex(context, expr, *base, indices);
}

} // namespace spl::sema
