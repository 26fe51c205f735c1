// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/MemoryCalls.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Calls.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/GenericArguments.h"
#include "frontend/sema/expressions/Indexing.h"
#include "frontend/sema/expressions/Modules.h"
#include "frontend/sema/expressions/NamedWords.h"
#include "frontend/sema/expressions/Places.h"

namespace spl::sema {

/// What to do with slices that cannot be in shared memory.
static constexpr StringRef storeNumbers = "store numbers that say where to slice";

using intrinsics::MemoryId;

namespace {

struct MemoryArguments {
  llvm::SmallVector<const syntax::Expr *, 4> positional;
  llvm::StringMap<const syntax::Expr *> named; ///< "scope: device"
};

} // namespace

//===-- Arguments --===//

/// Splits the arguments by position and by name. Reports wrong counts and unknown names.
static std::optional<MemoryArguments> splitArguments(Session &session, const syntax::CallExpr &call,
                                                     const intrinsics::MemoryRow &row,
                                                     unsigned minCount, unsigned maxCount,
                                                     ArrayRef<StringRef> names,
                                                     StringRef countHint = "") {
  MemoryArguments arguments;
  bool isWrong = false;
  for (const syntax::Argument &argument : call.arguments) {
    if (!argument.name) {
      arguments.positional.push_back(argument.value);
      continue;
    }
    StringRef name = argument.name->name;
    if (!llvm::is_contained(names, name)) {
      TypoCorrection correction(name);
      for (StringRef known : names)
        correction.consider(known);
      if (!isWrong)
        session.diagnostics.emit(
            argument.name->range, diag::UnknownParameter, row.name, shown(name),
            correction.best().empty() ? inOrder : didYouMean(correction.best()));
      isWrong = true;
    } else if (!arguments.named.try_emplace(name, argument.value).second) {
      session.diagnostics.emit(argument.name->range, diag::ArgumentTwice, row.name, name);
      isWrong = true;
    }
  }
  if (isWrong)
    return std::nullopt;
  size_t given = arguments.positional.size();
  if (given < minCount || given > maxCount) {
    std::string expected = minCount == maxCount
                               ? counted(maxCount, "argument")
                               : std::to_string(minCount) + " to " + counted(maxCount, "argument");
    const auto names = intrinsics::parameterNames(row);
    session.diagnostics.emit(call.range, diag::ArgumentCount, row.name.str(), expected, given,
                             given < minCount
                                 ? missingHint(ArrayRef(names).slice(given, minCount - given))
                                 : countHint.str());
    return std::nullopt;
  }
  return arguments;
}

//===-- Shared memory --===//

static const Expr *checkShared(ExpressionContext &context, const syntax::CallExpr &call,
                               const intrinsics::MemoryRow &row,
                               ArrayRef<const syntax::Expr *> brackets) {
  Type element = readTypeArgument(context, row.name, call.callee->range, brackets, "f32");
  if (brackets.size() != 1)
    return abandonCall(context, call);
  if (call.arguments.empty()) { // it is not the value of a val or var
    context.diagnostics.emit(call.range, diag::SharedName, call.range.text().str());
    return nullptr;
  }
  std::optional<MemoryArguments> given = splitArguments(context.session, call, row, 1, 3, {});
  if (!given)
    return nullptr;
  constexpr StringRef fromLaunch = "; 'gpu.shared_dyn' takes its size from the launch";
  llvm::SmallVector<int64_t, 3> extents;
  for (const syntax::Expr *argument : given->positional) {
    const ConstantExpr *extent = checkLength(context, *argument, fromLaunch);
    if (extent && countOf(*extent) > 0)
      extents.push_back(countOf(*extent));
    else if (extent)
      context.diagnostics.emit(argument->range, diag::SharedExtent, quoted(argument->range));
  }
  if (element.isError() || extents.size() != given->positional.size() ||
      !context.session.requireHeld(element, brackets.front()->range, "shared memory", storeNumbers))
    return nullptr;
  Type type = context.types.slice(element, /*isMut=*/true, extents.size());
  return context.make(
      SharedExpr{{type, call.range}, ArrayRef<int64_t>(extents).copy(context.arena)});
}

const syntax::CallExpr *sharedPlaceCall(Scopes &scopes, const syntax::Expr &expr) {
  auto *call = llvm::dyn_cast<syntax::CallExpr>(&expr);
  auto *brackets =
      call && call->arguments.empty() ? llvm::dyn_cast<syntax::IndexExpr>(call->callee) : nullptr;
  auto *member = brackets ? llvm::dyn_cast<syntax::MemberExpr>(brackets->base) : nullptr;
  const intrinsics::MemoryRow *row =
      member && isModule(scopes, *member->base) ? findMemory(*member) : nullptr;
  return row && row->id == MemoryId::Shared ? call : nullptr;
}

const Expr *checkSharedPlace(ExpressionContext &context, const syntax::CallExpr &call) {
  ArrayRef<const syntax::Expr *> brackets = llvm::cast<syntax::IndexExpr>(call.callee)->indices;
  Type element = readTypeArgument(context, "gpu.shared", call.callee->range, brackets, "f32");
  if (element.isError() ||
      !context.session.requireHeld(element, brackets.front()->range, "shared memory", storeNumbers))
    return nullptr;
  Type type = context.types.slice(element, /*isMut=*/true, 1);
  return context.make(SharedExpr{{type, call.range}, ArrayRef<int64_t>(1).copy(context.arena)});
}

static const Expr *checkSharedDyn(ExpressionContext &context, const syntax::CallExpr &call,
                                  const intrinsics::MemoryRow &row,
                                  ArrayRef<const syntax::Expr *> brackets) {
  Type element = readTypeArgument(context, row.name, call.callee->range, brackets, "f32");
  std::optional<MemoryArguments> given =
      splitArguments(context.session, call, row, 0, 1, {"offset"});
  if (!given)
    return nullptr;
  Type i64 = context.types.get(TypeKind::I64);
  bool isWrong = element.isError();
  const Expr *count = nullptr, *offset = nullptr;
  if (!given->positional.empty())
    isWrong |= !(count = checkAs(context, *given->positional.front(), i64));
  if (const syntax::Expr *written = given->named.lookup("offset"))
    isWrong |= !(offset = checkAs(context, *written, i64));
  if (isWrong ||
      !context.session.requireHeld(element, brackets.front()->range, "shared memory", storeNumbers))
    return nullptr;
  auto *known = llvm::dyn_cast_or_null<ConstantExpr>(offset);
  int64_t align = int64_t(element.layout().align);
  if (known && (known->intValue.isNegative() || known->intValue.getSExtValue() % align != 0)) {
    context.diagnostics.emit(offset->range, diag::SharedOffset, quoted(offset->range), align,
                             element.str());
    return nullptr;
  }
  return context.make(
      SharedDynExpr{{context.types.slice(element, true, 1), call.range}, count, offset, align});
}

//===-- Atomics --===//

static bool isBitwise(AtomicKind kind) {
  return llvm::is_contained({AtomicKind::And, AtomicKind::Or, AtomicKind::Xor}, kind);
}

/// Whether the atomic counts up or down to a limit.
static bool isCounter(AtomicKind kind) {
  return kind == AtomicKind::Inc || kind == AtomicKind::Dec;
}

static bool isMove(AtomicKind kind) {
  return kind == AtomicKind::Load || kind == AtomicKind::Store;
}

static bool isAtomicType(Type type, AtomicKind kind) {
  if (type.isVector())
    return (kind == AtomicKind::Add || isMove(kind)) && type.lanes() == 2 &&
           type.element().isFloat() && type.element().bits() == 16;
  if (isCounter(kind))
    return type.isUnsignedInt();
  if (isMove(kind))
    return type.isScalar();
  return type.isInt() || (type.isFloat() && type.bits() >= 32 && !isBitwise(kind));
}

static StringRef atomicTypes(AtomicKind kind) {
  if (isBitwise(kind))
    return "integers";
  if (isCounter(kind))
    return "unsigned integers";
  if (isMove(kind))
    return "numbers, bool, f16x2 and bf16x2";
  return kind == AtomicKind::Add ? "integers, f32, f64, f16x2 and bf16x2" : "integers, f32 and f64";
}

/// "[i, j]" for a slice of rank 2.
static std::string elementIndices(Type slice) {
  std::string indices;
  for (unsigned axis = 0; axis != slice.rank(); ++axis)
    indices += (axis == 0 ? "[" : ", ") + std::string(1, "ijkl"[axis]);
  return indices + "]";
}

/// Reports a first argument without its '&mut' or its index, with the whole call as it should be.
static void reportNoAtomicPlace(ExpressionContext &context, const syntax::CallExpr &call,
                                const syntax::Expr &argument, const intrinsics::MemoryRow &row,
                                const Expr &value, bool isWritten) {
  std::string place = ((isWritten ? "&mut " : "&") + value.range.text()).str();
  if (value.type.isSlice())
    place += elementIndices(value.type);
  SourceRange before{call.range.begin, argument.range.begin};
  SourceRange behind{argument.range.end, call.range.end};
  constexpr size_t maxLength = 80; // a hint with the whole call is worth a long line
  const bool isShort = call.range.text().size() <= maxLength && !call.range.text().contains('\n');
  context.diagnostics
      .emit(argument.range, diag::AtomicPlace, row.name,
            isShort ? (before.text() + place + behind.text()).str() : place)
      .fix(place);
}

static const Expr *checkAtomicPlace(ExpressionContext &context, const syntax::CallExpr &call,
                                    const syntax::Expr &argument, const intrinsics::MemoryRow &row,
                                    bool isWritten) {
  auto *reference = llvm::dyn_cast<syntax::PlaceRefExpr>(&argument);
  const Expr *place = checkValue(context, reference ? *reference->place : argument);
  if (!place)
    return nullptr;
  const Expr *root = rootOf(place);
  const bool isSlice = place->type.isSlice();
  if (!isSlice && (root == place || !root->type.isSlice())) {
    context.diagnostics.emit(place->range, diag::AtomicMemory, row.name, quoted(place->range));
    return nullptr;
  }
  const bool isMarked = reference && (reference->isMut || !isWritten);
  if (isSlice || !isMarked)
    reportNoAtomicPlace(context, call, argument, row, *place, isWritten);
  if (isSlice && isWritten && !place->type.isMut())
    reportReadOnly(context.session, *place);
  if (isSlice)
    return nullptr;
  const bool needsWrite = isWritten || (reference && reference->isMut);
  return (!needsWrite || requireWritable(context, *place)) && isMarked ? place : nullptr;
}

/// The hint for 'gpu.atomic_add(y, i, v)', whose place is two arguments.
static std::string splitPlaceHint(const syntax::CallExpr &call, const intrinsics::MemoryRow &row,
                                  unsigned count, bool isWritten) {
  if (call.arguments.size() != count + 1 || shortText(call.range).empty() ||
      call.arguments[0].value->kind != syntax::Expr::Kind::Name ||
      llvm::any_of(call.arguments, [](const syntax::Argument &one) { return one.name; }))
    return {};
  std::string text =
      (row.name + "(" + (isWritten ? "&mut " : "&") + call.arguments[0].value->range.text() + "[" +
       call.arguments[1].value->range.text() + "]")
          .str();
  for (const syntax::Argument &value : call.arguments.drop_front(2))
    text += (", " + value.value->range.text()).str();
  return writeHint(text + ")");
}

static bool hasOrder(AtomicKind kind, MemoryOrder order) {
  switch (order) {
  case MemoryOrder::Relaxed:
    return true;
  case MemoryOrder::Acquire:
    return kind != AtomicKind::Store;
  case MemoryOrder::Release:
    return kind != AtomicKind::Load;
  case MemoryOrder::AcqRel:
    return kind != AtomicKind::Load && kind != AtomicKind::Store;
  }
  llvm_unreachable("every order is above");
}

static llvm::SmallVector<NamedWord<MemoryOrder>, 4> ordersOf(AtomicKind kind) {
  llvm::SmallVector<NamedWord<MemoryOrder>, 4> words;
  for (const NamedWord<MemoryOrder> &word : orderWords)
    if (hasOrder(kind, word.value))
      words.push_back(word);
  return words;
}

static const Expr *checkAtomic(ExpressionContext &context, const syntax::CallExpr &call,
                               const intrinsics::MemoryRow &row, AtomicKind kind) {
  unsigned count = kind == AtomicKind::Cas ? 3 : kind == AtomicKind::Load ? 1 : 2;
  std::optional<MemoryArguments> given =
      splitArguments(context.session, call, row, count, count, {"order", "scope"},
                     splitPlaceHint(call, row, count, kind != AtomicKind::Load));
  if (!given)
    return nullptr;
  std::optional<MemoryOrder> order = MemoryOrder::Relaxed;
  std::optional<MemoryScope> scope = MemoryScope::Device;
  if (const syntax::Expr *written = given->named.lookup("order"))
    order = readWord(context.session, "order", *written, ArrayRef(ordersOf(kind)));
  if (const syntax::Expr *written = given->named.lookup("scope"))
    scope = readWord(context.session, "scope", *written, ArrayRef(scopeWords));
  const Expr *place =
      checkAtomicPlace(context, call, *given->positional[0], row, kind != AtomicKind::Load);
  if (place && !isAtomicType(place->type, kind)) {
    context.diagnostics.emit(place->range, diag::AtomicType, row.name, atomicTypes(kind),
                             quoted(place->range), place->type.str());
    place = nullptr;
  }
  llvm::SmallVector<const Expr *, 2> values;
  for (const syntax::Expr *value : ArrayRef(given->positional).drop_front())
    values.push_back(place ? checkAs(context, *value, place->type) : checkExpr(context, *value));
  if (!place || !order || !scope || llvm::is_contained(values, nullptr))
    return nullptr;
  Type result = kind == AtomicKind::Store ? context.types.get(TypeKind::Unit) : place->type;
  return context.make(AtomicExpr{{result, call.range},
                                 kind,
                                 place,
                                 ArrayRef<const Expr *>(values).copy(context.arena),
                                 *order,
                                 *scope});
}

//===-- Loads and stores --===//

/// The slice argument of a load or a store. Returns null if it reports an error.
static const Expr *checkAccessSlice(ExpressionContext &context, const syntax::Expr &expr,
                                    const intrinsics::MemoryRow &row, bool isWritten) {
  const Expr *slice = checkValue(context, expr);
  if (!slice)
    return nullptr;
  Type element = slice->type.isSlice() ? slice->type.element() : Type();
  if (!element || slice->type.rank() != 1 || !(element.isScalar() || element.isVector())) {
    context.diagnostics.emit(slice->range, diag::AccessSlice, row.name, quoted(slice->range),
                             slice->type.str());
    return nullptr;
  }
  if (isWritten && !slice->type.isMut()) {
    reportReadOnly(context.session, *slice);
    return nullptr;
  }
  return slice;
}

/// "a[i]" or "a[i] = v" with the arguments of a load or a store.
static std::string plainAccess(const syntax::CallExpr &call, ArrayRef<const syntax::Expr *> given,
                               bool isStore) {
  if (shortText(call.range).empty() || given[0]->kind == syntax::Expr::Kind::PlaceRef)
    return isStore ? "a[i] = v" : "a[i]";
  std::string text = (given[0]->range.text() + "[" + given[1]->range.text() + "]").str();
  return isStore ? text + " = " + given[2]->range.text().str() : text;
}

static const Expr *checkHintedAccess(ExpressionContext &context, const syntax::CallExpr &call,
                                     const intrinsics::MemoryRow &row) {
  bool isStore = row.id == MemoryId::Store;
  std::optional<MemoryArguments> given =
      splitArguments(context.session, call, row, 2 + isStore, 2 + isStore, {"cache"});
  if (!given)
    return nullptr;
  std::optional<CacheHint> cache;
  if (const syntax::Expr *written = given->named.lookup("cache"))
    cache = readWord(context.session, "cache", *written, ArrayRef(cacheWords));
  else
    context.diagnostics.emit(call.range, diag::CacheMissing, row.name,
                             plainAccess(call, given->positional, isStore));
  const Expr *slice = checkAccessSlice(context, *given->positional[0], row, isStore);
  const Expr *index = checkIndexValue(context, *given->positional[1]);
  Type element = slice ? slice->type.element() : Type();
  const Expr *value = nullptr;
  if (isStore)
    value = slice ? checkAs(context, *given->positional[2], element)
                  : checkExpr(context, *given->positional[2]);
  if (!cache || !slice || !index || (isStore && !value))
    return nullptr;
  Type result = isStore ? context.types.get(TypeKind::Unit) : element;
  return context.make(AccessExpr{{result, call.range}, slice, index, value, *cache, false});
}

static const Expr *checkWideAccess(ExpressionContext &context, const syntax::CallExpr &call,
                                   const intrinsics::MemoryRow &row,
                                   ArrayRef<const syntax::Expr *> brackets) {
  bool isStore = row.id == MemoryId::StoreVec;
  Type vector;
  if (!isStore)
    vector = readTypeArgument(context, row.name, call.callee->range, brackets, "f32x4");
  std::optional<MemoryArguments> given =
      splitArguments(context.session, call, row, 2 + isStore, 2 + isStore, {});
  if (!given)
    return nullptr;
  const Expr *slice = checkAccessSlice(context, *given->positional[0], row, isStore);
  const Expr *index = checkIndexValue(context, *given->positional[1]);
  const Expr *value = isStore ? checkValue(context, *given->positional[2]) : nullptr;
  if (isStore)
    vector = value ? value->type : context.types.error();
  if (!slice || !index || vector.isError())
    return nullptr;
  if (!vector.isVector() || !(vector.element() == slice->type.element())) {
    context.diagnostics.emit(value ? value->range : brackets.front()->range, diag::WideType,
                             row.name, slice->type.element().str(), vector.str());
    return nullptr;
  }
  Type result = isStore ? context.types.get(TypeKind::Unit) : vector;
  return context.make(AccessExpr{{result, call.range}, slice, index, value, CacheHint::None, true});
}

const Expr *checkMemoryCall(ExpressionContext &context, const syntax::CallExpr &call,
                            const intrinsics::MemoryRow &row,
                            ArrayRef<const syntax::Expr *> brackets) {
  bool takesType =
      row.id == MemoryId::Shared || row.id == MemoryId::SharedDyn || row.id == MemoryId::LoadVec;
  if (!takesType && !brackets.empty()) {
    context.diagnostics.emit(call.callee->range, diag::NoBrackets, row.name);
    return nullptr;
  }
  switch (row.id) {
  case MemoryId::Shared:
    return checkShared(context, call, row, brackets);
  case MemoryId::SharedDyn:
    return checkSharedDyn(context, call, row, brackets);
  case MemoryId::Load:
  case MemoryId::Store:
    return checkHintedAccess(context, call, row);
  case MemoryId::LoadVec:
  case MemoryId::StoreVec:
    return checkWideAccess(context, call, row, brackets);
#define ATOMIC(Name)                                                                               \
  case MemoryId::Atomic##Name:                                                                     \
    return checkAtomic(context, call, row, AtomicKind::Name);
#include "frontend/sema/MemoryWords.def"
  }
  llvm_unreachable("every row is above");
}

} // namespace spl::sema
