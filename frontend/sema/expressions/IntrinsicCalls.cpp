// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/IntrinsicCalls.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Aggregates.h"
#include "frontend/sema/expressions/Calls.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/GenericArguments.h"
#include "frontend/sema/expressions/Indexing.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/NamedWords.h"
#include "frontend/sema/expressions/Operators.h"
#include "frontend/sema/expressions/Widening.h"
#include "spl/abi/Limits.h"

namespace spl::sema {

using SlotKind = intrinsics::Signature::Kind;

namespace {

/// The types that a slot accepts: their name in diagnostics, and a test.
struct SlotClass {
  StringRef text;
  bool (*takes)(Type type);
};

} // namespace

/// Whether the type has no slice in it.
static bool isWhole(Type type) {
  if (type.isArray())
    return isWhole(type.element());
  if (type.isTuple())
    return llvm::all_of(type.elements(), isWhole);
  return (type.isStruct() && !type.holdsSlices()) || type.isEnum() || type.lane().isScalar();
}

/// Returns the class of a slot, or nothing if the slot is checked elsewhere.
static std::optional<SlotClass> classOf(SlotKind kind) {
  switch (kind) {
    // clang-format off
  case SlotKind::Float: return SlotClass{"floats", [](Type t) { return t.lane().isFloat(); }};
  case SlotKind::Number: return SlotClass{"numbers", [](Type t) { return t.lane().isNumber(); }};
  case SlotKind::Int:
  case SlotKind::AnyInt: return SlotClass{"integers", [](Type t) { return t.lane().isInt(); }};
  case SlotKind::Word:
    return SlotClass{"i32 and u32", [](Type t) { return t.isInt() && t.bits() == 32; }};
  case SlotKind::Any:
    return SlotClass{"scalars and vectors", [](Type t) { return t.lane().isScalar(); }};
  case SlotKind::Whole:
    return SlotClass{"scalars, vectors and enums, and structs, tuples and arrays of such", isWhole};
  case SlotKind::Vector:
    return SlotClass{"vectors of floats",
                     [](Type t) { return t.isVector() && t.lane().isFloat(); }};
  case SlotKind::Quad:
    return SlotClass{"vectors of four floats",
                     [](Type t) { return t.lanes() == 4 && t.lane().isFloat(); }};
  case SlotKind::Lanes:
    return SlotClass{"masks", [](Type t) { return t.isVector() && t.lane().isBool(); }};
    // clang-format on
  case SlotKind::Axis:
  case SlotKind::Element:
  case SlotKind::Mask:
  case SlotKind::Bits:
  case SlotKind::Scalar:
  case SlotKind::Index:
  case SlotKind::Scope:
  case SlotKind::Exclusive:
  case SlotKind::Width:
  case SlotKind::Text:
    return std::nullopt;
  }
  llvm_unreachable("every kind is above");
}

/// Returns the type of a slot. `letter` is the type of the row's letter.
static Type slotType(Session &session, const intrinsics::Signature::Slot &slot, Type letter) {
  switch (slot.kind) {
  case SlotKind::Scalar:
    return session.types.scalarNamed(slot.scalar);
  case SlotKind::Mask:
    return letter ? boolTypeFor(session, letter) : session.types.get(TypeKind::Bool);
  case SlotKind::Element:
    return letter.lane();
  case SlotKind::Axis:
  case SlotKind::Float:
  case SlotKind::Number:
  case SlotKind::Int:
  case SlotKind::Word:
  case SlotKind::Any:
  case SlotKind::Whole:
  case SlotKind::Vector:
  case SlotKind::Quad:
  case SlotKind::Lanes:
  case SlotKind::AnyInt:
  case SlotKind::Bits:
  case SlotKind::Index:
  case SlotKind::Scope:
  case SlotKind::Exclusive:
  case SlotKind::Width:
  case SlotKind::Text:
    return letter;
  }
  llvm_unreachable("every kind is above");
}

static Type resultType(Session &session, const intrinsics::Signature &signature, Type letter) {
  llvm::SmallVector<Type, 2> results;
  for (const intrinsics::Signature::Slot &slot : signature.results)
    results.push_back(slotType(session, slot, letter));
  return results.empty()       ? session.types.unit()
         : results.size() == 1 ? results[0]
                               : session.types.tuple(results);
}

// Returns "no arguments", "1 argument", or "at most 1 argument" if the axis may be omitted.
static std::string countText(const intrinsics::Signature &signature) {
  std::string text = counted(signature.positionalCount(), "argument");
  return signature.hasAxis() ? "at most " + text : text;
}

static bool takeExclusive(ExpressionContext &context, const syntax::Argument &argument,
                          IntrinsicExpr &node) {
  const ConstantExpr *value =
      checkConstantHere(context, *argument.value, context.types.get(TypeKind::Bool));
  if (value)
    node.isExclusive = value->intValue.isOne();
  return value;
}

static bool takeWidth(ExpressionContext &context, const syntax::Argument &argument,
                      IntrinsicExpr &node) {
  const Expr *value = checkValue(context, *argument.value);
  if (!value)
    return false;
  const ConstantExpr *width = value->type.isInt() ? context.session.knownInteger(*value) : nullptr;
  if (!width || !abi::isSegmentWidth(countOf(*width))) {
    context.diagnostics.emit(value->range, diag::BadWidth, quoted(value->range));
    return false;
  }
  node.width = unsigned(countOf(*width));
  return true;
}

static bool takeNamed(ExpressionContext &context, const syntax::Argument &argument,
                      const intrinsics::Row &row, IntrinsicExpr &node) {
  const intrinsics::Signature &signature = intrinsics::signature(row.id);
  StringRef name = argument.name->name;
  if (name == "exclusive" && signature.has(SlotKind::Exclusive))
    return takeExclusive(context, argument, node);
  if (name == "width" && signature.has(SlotKind::Width))
    return takeWidth(context, argument, node);
  context.diagnostics.emit(argument.name->range, diag::UnknownParameter, row.name, shown(name),
                           inOrder);
  return false;
}

/// The hint for a wrong number of arguments. It names those that are missing. Of an operation of a
/// warp in CUDA, the first argument is a mask and the last one a width.
static std::string hintForCount(const intrinsics::Row &row, ArrayRef<syntax::Argument> given) {
  const auto names = intrinsics::parameterNames(row.id);
  const intrinsics::Signature &signature = intrinsics::signature(row.id);
  if (signature.has(SlotKind::Scope) && given.empty())
    return ("; write '" + row.name + "(device)' or '" + row.name + "(group)'").str();
  if (given.size() < names.size())
    return missingHint(ArrayRef(names).drop_front(given.size()));
  if (row.sync != intrinsics::Sync::Warp || given.empty())
    return {};
  auto literal = [](const syntax::Argument &argument) {
    return llvm::dyn_cast<syntax::IntExpr>(argument.value);
  };
  const syntax::IntExpr *width = literal(given.back());
  if (signature.has(SlotKind::Width) && given.size() == signature.positionalCount() + 1 && width &&
      width->value <= uint64_t(abi::warpSize) && abi::isSegmentWidth(int64_t(width->value)) &&
      !literal(given.front()))
    return "; write 'width: " + std::to_string(width->value) + "' for segments of " +
           std::to_string(width->value) + " lanes";
  return "; omit the mask: all active lanes take part";
}

/// Stores the named arguments and words in the node. Returns the other arguments. Returns nothing
/// if it reports an error.
static std::optional<llvm::SmallVector<syntax::Argument, 4>>
takeNamedArguments(ExpressionContext &context, const syntax::CallExpr &call,
                   const intrinsics::Row &row, IntrinsicExpr &node) {
  const intrinsics::Signature &signature = intrinsics::signature(row.id);
  llvm::SmallVector<syntax::Argument, 4> rest;
  llvm::SmallVector<StringRef, 2> named;
  bool isWrong = false;
  for (const syntax::Argument &argument : call.arguments) {
    if (!argument.name) {
      rest.push_back(argument);
    } else if (llvm::is_contained(named, argument.name->name)) {
      context.diagnostics.emit(argument.name->range, diag::ArgumentTwice, row.name,
                               argument.name->name);
      isWrong = true;
    } else if (!isWrong) {
      isWrong = !takeNamed(context, argument, row, node);
      named.push_back(argument.name->name);
    }
  }
  size_t maxCount = signature.positionalCount();
  if (!isWrong && (rest.size() > maxCount || rest.size() + signature.hasAxis() < maxCount)) {
    context.diagnostics.emit(call.range, diag::ArgumentCount, row.name.str(), countText(signature),
                             rest.size(), hintForCount(row, rest));
    isWrong = true;
  }
  bool hasWord = signature.has(SlotKind::Scope) || signature.has(SlotKind::Text);
  if (isWrong && !hasWord)
    for (const syntax::Argument &argument : rest)
      checkExpr(context, *argument.value); // reports errors in the argument
  if (isWrong)
    return std::nullopt;
  if (signature.has(SlotKind::Scope)) {
    std::optional<MemoryScope> scope =
        readWord(context.session, "scope", *rest.pop_back_val().value, ArrayRef(scopeWords));
    if (!scope)
      return std::nullopt;
    node.scope = *scope;
  }
  if (signature.has(SlotKind::Text)) {
    const syntax::Expr &text = *rest.pop_back_val().value;
    auto *message = llvm::dyn_cast<syntax::StringExpr>(&text);
    if (!message && text.kind != syntax::Expr::Kind::Error)
      context.diagnostics.emit(text.range, diag::NotAMessage, row.name, quoted(text.range));
    if (!message)
      return std::nullopt;
    node.text = message->text;
  }
  return rest;
}

// Converts an argument to a type that the slot accepts. Returns null if it reports an error.
static const Expr *fitToSlot(ExpressionContext &context, const intrinsics::Signature::Slot &slot,
                             const Expr *argument, Type instance) {
  Type type = argument->type;
  bool isCount = slot.kind == SlotKind::AnyInt && type.isInt();
  if (instance.isVector() && isCount)
    return makeSplat(context.session, argument, context.types.vector(type, instance.lanes()));
  if (slot.kind == SlotKind::AnyInt && type.lanes() != instance.lanes()) {
    context.diagnostics.emit(argument->range, diag::CountLanes, quoted(argument->range), type.str(),
                             instance.str());
    return nullptr;
  }
  if (slot.isLetter()) {
    argument = widen(context, argument, instance.lane());
    type = argument->type;
  }
  if (instance.isVector() && slot.isLetter() && type == instance.element())
    return makeSplat(context.session, argument, instance);
  bool follows = slot.kind == SlotKind::Mask || slot.kind == SlotKind::Element;
  return follows ? convert(context, argument, slotType(context.session, slot, instance)) : argument;
}

static bool requireClass(Session &session, const intrinsics::Row &row,
                         const intrinsics::Signature::Slot &slot, const Expr &argument) {
  const std::optional<SlotClass> slotClass = classOf(slot.kind);
  if (!slotClass || slotClass->takes(argument.type))
    return true;
  Type castTo = session.types.get(slot.kind == SlotKind::Float  ? TypeKind::F32
                                  : slot.kind == SlotKind::Word ? TypeKind::I32
                                                                : TypeKind::I64);
  // A scalar cannot be cast to a vector, and an aggregate or a slice to nothing.
  bool isCastable = (slot.kind < SlotKind::Vector || slot.kind == SlotKind::AnyInt) &&
                    argument.type.lane().isScalar();
  session.diagnostics.emit(argument.range, diag::ArgumentClass, row.name.str(), slotClass->text,
                           quoted(argument.range), argument.type.str(),
                           isCastable ? writeHint(castText(argument, castTo)) : std::string());
  return false;
}

static bool requireSame(Session &session, const Expr &first, const Expr &argument) {
  if (argument.type == first.type)
    return true;
  reportMismatch(session, syntax::BinaryOp::Lt, first, argument);
  return false;
}

// Checks the arguments. All slots with the row's letter have the same type: the type of the first
// vector, because scalars beside it become vectors, else the widest type of the arguments that are
// not literals. Returns that type, or null if it reports an error.
static Type checkIntrinsicArguments(ExpressionContext &context, ArrayRef<syntax::Argument> given,
                                    const intrinsics::Row &row, Type expected,
                                    llvm::MutableArrayRef<const Expr *> checked) {
  const intrinsics::Signature &signature = intrinsics::signature(row.id);
  auto slots = signature.values();
  LiteralClass literals = LiteralClass::Int;
  const Expr *first = nullptr;
  for (size_t i = 0; i != given.size(); ++i) {
    const syntax::Expr &argument = *given[i].value;
    LiteralClass own = classify(context.literals, argument);
    if (slots[i].kind == SlotKind::Index)
      checked[i] = checkIndexValue(context, argument);
    else if (slots[i].kind == SlotKind::Scalar)
      checked[i] = checkAs(context, argument, slotType(context.session, slots[i], Type()));
    else if (!slots[i].isLetter() || own == LiteralClass::Rigid)
      checked[i] = checkValue(context, argument);
    else
      literals =
          std::max({literals, own,
                    slots[i].kind == SlotKind::Float ? LiteralClass::Float : LiteralClass::Int});
    if (!checked[i] || !slots[i].isLetter())
      continue;
    const bool isFirst = !first || (checked[i]->type.isVector() && !first->type.isVector());
    if (isFirst || widens(first->type, checked[i]->type))
      first = checked[i];
  }
  Type instance = first ? first->type : literalType(context.session, literals, expected);
  const bool ofWords = llvm::any_of(slots, [](auto &slot) { return slot.kind == SlotKind::Word; });
  if (!first && ofWords && !classOf(SlotKind::Word)->takes(instance))
    instance = context.types.get(TypeKind::I32);
  bool isWrong = false;
  for (size_t i = 0; i != given.size(); ++i) {
    if (slots[i].isLetter() && classify(context.literals, *given[i].value) != LiteralClass::Rigid)
      checked[i] = checkValue(context, *given[i].value, instance);
    isWrong |= !checked[i];
  }
  for (size_t i = 0; i != given.size() && !isWrong; ++i) {
    checked[i] = fitToSlot(context, slots[i], checked[i], instance);
    if (!checked[i])
      return {};
    const Expr &sets = first ? *first : *checked[i];
    isWrong = !requireClass(context.session, row, slots[i], *checked[i]) ||
              (slots[i].isLetter() && !requireSame(context.session, sets, *checked[i]));
  }
  return isWrong ? Type() : instance;
}

const Expr *checkIntrinsic(ExpressionContext &context, const syntax::CallExpr &call,
                           const intrinsics::Row &row, Type expected) {
  const intrinsics::Signature &signature = intrinsics::signature(row.id);
  if (!signature.results.empty() && signature.results.front().kind == SlotKind::Bits) {
    readTypeArgument(context, row.name, call.callee->range, {},
                     "u32"); // reports that the type is missing
    return abandonCall(context, call);
  }
  IntrinsicExpr node{{Type(), call.range}, row.id, {}, 0};
  auto given = takeNamedArguments(context, call, row, node);
  if (!given)
    return nullptr;
  bool givesAxis = signature.hasAxis() && given->size() == signature.parameters.size();
  std::optional<unsigned> axis = 0;
  if (givesAxis)
    axis = checkAxis(context, *given->front().value, 3, "a constant 0, 1 or 2");

  llvm::SmallVector<const Expr *, 3> arguments(given->size() - givesAxis);
  Type instance = checkIntrinsicArguments(context, ArrayRef(*given).drop_front(givesAxis), row,
                                          expected, arguments);
  if (!axis || !instance)
    return nullptr;
  node.type = resultType(context.session, signature, instance);
  node.arguments = ArrayRef<const Expr *>(arguments).copy(context.arena);
  node.axis = *axis;
  return context.make(node);
}

std::optional<unsigned> checkAxis(ExpressionContext &context, const syntax::Expr &expr,
                                  unsigned count, const std::string &allowed) {
  const Expr *value = checkValue(context, expr);
  if (!value)
    return std::nullopt;
  const ConstantExpr *axis = value->type.isInt() ? context.session.knownInteger(*value) : nullptr;
  if (axis && axis->intValue.ult(count)) // a negative axis is a large unsigned number
    return unsigned(axis->intValue.getZExtValue());
  context.diagnostics.emit(expr.range, diag::BadAxis, allowed);
  return std::nullopt;
}

} // namespace spl::sema
