// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Aggregates.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/GenericStructs.h"
#include "frontend/sema/evaluation/Execute.h"
#include "frontend/sema/expressions/Calls.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/FunctionCalls.h"
#include "frontend/sema/expressions/GenericArguments.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Widening.h"

namespace spl::sema {

//===-- Making them --===//

static const Expr *makeBuild(Session &session, Type type, SourceRange range,
                             ArrayRef<const Expr *> parts, ArrayRef<unsigned> written = {}) {
  if (llvm::is_contained(parts, nullptr))
    return nullptr;
  return session.make(
      BuildExpr{{type, range}, parts.copy(session.arena), written.copy(session.arena)});
}

const Expr *makeSplat(Session &session, const Expr *scalar, Type vector) {
  return makeBuild(session, vector, scalar->range, scalar);
}

const Expr *checkVectorCall(ExpressionContext &context, const syntax::CallExpr &call, Type type) {
  if (!requirePositional(context.session, call))
    return abandonCall(context, call);
  size_t given = call.arguments.size();
  if (given != 1 && given != type.lanes()) {
    context.diagnostics.emit(call.range, diag::ArgumentCount, type.str(),
                             "1 or " + counted(type.lanes(), "argument"), given, "");
    return abandonCall(context, call);
  }
  llvm::SmallVector<const Expr *, 16> lanes;
  for (const syntax::Argument &argument : call.arguments)
    lanes.push_back(checkAs(context, *argument.value, type.element()));
  return makeBuild(context.session, type, call.range, lanes);
}

/// Returns the field for an argument of `name(...)`. The first `before` fields have arguments
/// already. Returns nothing if it reports an error.
static std::optional<unsigned> fieldFor(Session &session, const syntax::CallExpr &call,
                                        const syntax::Argument &argument, StringRef name,
                                        ArrayRef<syntax::Field> fields, unsigned before) {
  if (!argument.name) {
    if (before < fields.size())
      return before;
    session.diagnostics.emit(call.range, diag::ArgumentCount, shown(name).str(),
                             counted(fields.size(), "argument"), call.arguments.size(), "");
    return std::nullopt;
  }
  TypoCorrection correction(argument.name->name);
  for (auto [index, field] : llvm::enumerate(fields)) {
    if (field.name.name == argument.name->name)
      return unsigned(index);
    correction.consider(field.name.name);
  }
  session.diagnostics.emit(argument.name->range, diag::UnknownMember,
                           ("'" + shown(name) + "'").str(), shown(argument.name->name),
                           didYouMean(correction.best()));
  return std::nullopt;
}

/// Assigns the arguments of `name(...)` to fields. Returns false if it reports an error.
static bool matchFields(Session &session, const syntax::CallExpr &call, StringRef name,
                        ArrayRef<syntax::Field> fields, CallArguments &result) {
  result.given.assign(fields.size(), nullptr);
  result.checked.assign(fields.size(), nullptr);
  bool sawName = false;
  for (const syntax::Argument &argument : call.arguments) {
    if (!argument.name && sawName) {
      session.diagnostics.emit(argument.value->range, diag::FieldOrder);
      return false;
    }
    sawName |= argument.name.has_value();
    std::optional<unsigned> field =
        fieldFor(session, call, argument, name, fields, result.written.size());
    if (!field)
      return false;
    if (result.given[*field]) {
      session.diagnostics.emit(argument.name->range, diag::FieldTwice, shown(argument.name->name));
      return false;
    }
    result.given[*field] = argument.value;
    result.written.push_back(*field);
  }
  for (auto [index, field] : llvm::enumerate(fields)) {
    if (result.given[index])
      continue;
    if (!field.byDefault) {
      session.diagnostics.emit(call.range, diag::MissingField, shown(name), shown(field.name.name));
      return false;
    }
    result.written.push_back(index);
  }
  return true;
}

/// Makes the struct of arguments that are assigned to its fields.
static const Expr *finishStructCall(ExpressionContext &context, const syntax::CallExpr &call,
                                    Type type, CallArguments &arguments) {
  const StructInfo &info = type.structInfo();
  const StructEntry &entry = *context.session.structEntries.lookup(&info);
  for (unsigned field : arguments.written) {
    const Expr *&value = arguments.checked[field];
    const Type expected = info.fields[field].type;
    if (!arguments.given[field])
      value = entry.defaults[field];
    else if (!value)
      value = checkAs(context, *arguments.given[field], expected);
    else
      value = llvm::is_contained(arguments.inferred, field) ? convertExact(context, value, expected)
                                                            : convert(context, value, expected);
  }
  return makeBuild(context.session, type, call.range, arguments.checked, arguments.written);
}

const Expr *checkStructCall(ExpressionContext &context, const syntax::CallExpr &call, Type type) {
  StructEntry &entry = *context.session.structEntries.lookup(&type.structInfo());
  CallArguments arguments;
  if (!context.session.complete(entry) ||
      !matchFields(context.session, call, entry.info->name, entry.item->fields, arguments))
    return abandonCall(context, call);
  return finishStructCall(context, call, type, arguments);
}

const Expr *checkGenericStructCall(ExpressionContext &context, const syntax::CallExpr &call,
                                   GenericStruct &generic, ArrayRef<const syntax::Expr *> brackets,
                                   Type expected) {
  Session &session = context.session;
  const syntax::StructItem &item = *generic.item;
  if (brackets.size() >= item.generics.size()) {
    Type type = readType(context, *call.callee);
    return type.isError() ? abandonCall(context, call) : checkStructCall(context, call, type);
  }
  if (brackets.empty() && isInstanceOf(session, expected, generic))
    return checkStructCall(context, call, expected);
  Generic inferred{item.name.name, item.generics, *generic.names};
  for (const syntax::Field &field : item.fields)
    inferred.types.push_back(field.type);
  CallArguments arguments;
  if (!matchFields(session, call, item.name.name, item.fields, arguments))
    return abandonCall(context, call);
  auto known = inferArguments(context, call, inferred, brackets, arguments, [&](unsigned index) {
    return checkValue(context, *arguments.given[index]);
  });
  Type type =
      known ? instanceOf(session, generic, *known, call.callee->range) : session.types.error();
  return type.isError() ? abandonCall(context, call)
                        : finishStructCall(context, call, type, arguments);
}

/// Whether an array that has elements of both types has elements of the second: a wider integer, or
/// the slice that is read-only.
static bool isWiderElement(Type element, Type other) {
  return widens(element, other) ||
         (element.isSlice() && other.isSlice() && element.isMut() && !other.isMut() &&
          element.element() == other.element() && element.rank() == other.rank());
}

const Expr *checkArray(ExpressionContext &context, const syntax::ArrayExpr &expr, Type expected) {
  const bool givesElement =
      expected && (expected.isArray() || (expected.isSlice() && expected.rank() == 1));
  Type element = givesElement ? expected.element() : Type();
  LiteralClass literals = LiteralClass::Int;
  llvm::SmallVector<const Expr *> parts(expr.elements.size());
  bool isWrong = false;
  for (auto [part, written] : llvm::zip_equal(parts, expr.elements)) {
    LiteralClass own = classify(context.literals, *written);
    literals = std::max(literals, own);
    if (own != LiteralClass::Rigid)
      continue;
    part = checkValue(context, *written, element);
    if (part && (!element || (!givesElement && isWiderElement(element, part->type))))
      element = part->type;
  }
  if (!element && literals != LiteralClass::Rigid)
    element = literalType(context.session, literals, {});
  for (auto [part, written] : llvm::zip_equal(parts, expr.elements))
    if (classify(context.literals, *written) != LiteralClass::Rigid)
      isWrong |= !(part = checkAs(context, *written, element ? element : context.types.error()));
    else
      isWrong |= !part || element.isError() || !(part = convert(context, part, element));
  const Expr *count = nullptr;
  if (expr.count) {
    count = checkLength(context, *expr.count);
    isWrong |= !count;
  }
  if (isWrong || (element && !context.session.requirePart(element, expr.range, "an array")))
    return nullptr;
  Type type = !element ? context.session.array(context.types.get(TypeKind::I64), 0, expr.range)
              : count  ? context.session.array(element, *count, expr.range)
                       : context.session.array(element, parts.size(), expr.range);
  return type.isError() ? nullptr : makeBuild(context.session, type, expr.range, parts);
}

const Expr *checkComprehension(ExpressionContext &context, const syntax::ComprehensionExpr &expr,
                               Type expected) {
  const bool givesElement =
      expected && (expected.isArray() || (expected.isSlice() && expected.rank() == 1));
  const Type i64 = context.types.get(TypeKind::I64);
  constexpr StringRef hint = "; the bounds of '[x for i in a..b]' are constants";
  const ConstantExpr *lower = checkConstantHere(context, *expr.lower, i64, hint);
  const ConstantExpr *upper = checkConstantHere(context, *expr.upper, i64, hint);

  context.scopes.enter();
  const Local *variable =
      declareLocal(context, expr.variable, i64, SymbolKind::LoopVariable, nullptr);
  const Expr *element = givesElement ? checkAs(context, *expr.element, expected.element())
                                     : checkValue(context, *expr.element);
  leaveScope(context);
  if (!lower || !upper || !element)
    return nullptr;
  const bool isView = element->type.isSlice() || element->type.holdsSlices();
  if (!context.session.requireHeld(element->type, element->range,
                                   isView ? "an array of constants" : "an array",
                                   "list the elements, as in '[x, y]'"))
    return nullptr;
  const llvm::APInt from = lower->intValue.sext(65), to = upper->intValue.sext(65);
  const llvm::APInt count = to - from + llvm::APInt(65, expr.isInclusive);
  const uint64_t length = count.isNegative() ? 0 : count.getLimitedValue(INT64_MAX);
  const Type type = context.session.array(element->type, length, expr.range);
  llvm::SmallVector<const Expr *> parts;
  if (type.isError() || !evaluateEach(context.session, *element, *variable,
                                      lower->intValue.getSExtValue(), length, parts))
    return nullptr;
  return makeBuild(context.session, type, expr.range, parts);
}

const Expr *checkTuple(ExpressionContext &context, const syntax::TupleExpr &expr, Type expected) {
  ArrayRef<Type> expectedTypes;
  if (expected && expected.isTuple() && expected.elements().size() == expr.elements.size())
    expectedTypes = expected.elements();
  llvm::SmallVector<const Expr *> parts;
  llvm::SmallVector<Type> elements;
  const bool isReported = expected && expected.isError(); // with the type of the tuple
  for (auto [number, written] : llvm::enumerate(expr.elements)) {
    auto *inner = llvm::dyn_cast<syntax::TupleExpr>(written);
    const Expr *part = inner && isReported     ? checkTuple(context, *inner, expected)
                       : expectedTypes.empty() ? checkValue(context, *written)
                                               : checkAs(context, *written, expectedTypes[number]);
    if (part && !part->type.isTuple() && !isReported &&
        !context.session.requireHeld(part->type, part->range, "a tuple",
                                     "declare a struct instead"))
      part = nullptr;
    parts.push_back(part);
    elements.push_back(part ? part->type : context.types.error());
  }
  if (llvm::is_contained(parts, nullptr))
    return nullptr;
  Type type = context.session.tuple(elements, expr.range);
  return type.isError() ? nullptr : makeBuild(context.session, type, expr.range, parts);
}

//===-- Their parts --===//

} // namespace spl::sema
