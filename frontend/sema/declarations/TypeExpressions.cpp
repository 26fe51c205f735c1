// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves types that are written in the source.
#include "frontend/sema/declarations/TypeExpressions.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/Leaves.h"
#include "frontend/sema/declarations/GenericStructs.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/Modules.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::sema {

static constexpr llvm::StringLiteral scalarNames[] = {
#define SPL_SCALAR_TYPE(Id, Name, Type, Class, Bits) Name,
#include "spl/ScalarTypes.def"
};

bool isTypeName(StringRef name) {
  return syntax::isScalarTypeName(name) || syntax::isVectorTypeName(name);
}

Type Session::typeNamed(StringRef name) {
  if (const GenericArgument *argument = bound(name); argument && !argument->value)
    return argument->type;
  if (Type scalar = types.scalarNamed(name))
    return scalar;
  if (Type named = names->types.lookup(name))
    return named;
  auto vector = syntax::parseVectorName(name);
  if (vector && vector->isValid())
    return types.vector(types.scalarNamed(vector->element), vector->lanes);
  return {};
}

/// Reports arguments of a type that has no parameters. 'Particle[4]' may be meant as an array.
static void reportNotGeneric(Session &session, const syntax::TypeExpr &type) {
  const std::string name = shown(type.name).str();
  const bool isLength =
      type.arguments.size() == 1 && type.arguments.front()->kind == syntax::Expr::Kind::Int;
  session.diagnostics.emit(type.range, diag::NotGeneric, name,
                           isLength ? "; an array is written '[" + name + "; " +
                                          type.arguments.front()->range.text().str() + "]'"
                                    : "");
}

static Type resolveNamed(Session &session, const syntax::TypeExpr &type) {
  TypeContext &types = session.types;
  if (GenericStruct *generic = genericStructNamed(session, type.name))
    return resolveInstance(session, *generic, type);
  if (Type known = session.typeNamed(type.name)) {
    if (type.arguments.empty())
      return known;
    reportNotGeneric(session, type);
    return types.error();
  }
  if (session.names->skipped.contains(type.name))
    return types.error();
  if (std::optional<syntax::VectorName> vector = syntax::parseVectorName(type.name)) {
    session.diagnostics.emit(
        type.range, diag::InvalidVector, shown(type.name),
        type.name.ends_with("x3")
            ? "has 2, 4, 8 or 16 lanes; use 4 lanes, or a struct of three fields"
        : vector->lanes == 0 ? "has 2, 4, 8 or 16 lanes"
                             : "has at most 16 bytes");
    return types.error();
  }
  if (std::string hint = foreignTypeHint(type.name); !hint.empty()) {
    session.diagnostics.emit(type.range, diag::UnknownType, shown(type.name), hint);
    return types.error();
  }
  TypoCorrection correction(type.name);
  for (StringRef name : scalarNames)
    correction.consider(name);
  for (const auto &[name, named] : session.names->types)
    correction.consider(name);
  for (const auto &[name, generic] : session.names->genericStructs)
    correction.consider(name);
  session.diagnostics.emit(type.range, diag::UnknownType, shown(type.name),
                           didYouMean(correction.best()));
  session.names->skipped.insert(type.name); // so that a missing declaration is reported once
  return types.error();
}

static Type resolveSlice(Session &session, const syntax::TypeExpr &type) {
  TypeContext &types = session.types;
  if (type.element->kind == syntax::TypeExpr::Kind::Slice) {
    session.diagnostics.emit(type.element->range, diag::SliceElement);
    return types.error();
  }
  Type element = session.resolve(*type.element);
  if (element.isError())
    return element;
  if (!session.requireHeld(element, type.element->range, "a slice",
                           "use an array of at most 16 elements"))
    return types.error();
  return types.slice(element, type.isMut, type.rank);
}

Type Session::resolveReference(const syntax::TypeExpr &type) {
  Type place = resolve(*type.element);
  if (place.isError())
    return place;
  // A reference may refer to a tuple.
  if (!place.isTuple() && !requireHeld(place, type.element->range, "a reference",
                                       place.isSlice() ? "pass the slice as a parameter of its own"
                                                       : "pass it by value"))
    return types.error();
  return types.slice(place, type.isMut, 1);
}

static Type resolveArray(Session &session, const syntax::TypeExpr &type) {
  Type element = session.resolve(*type.element);
  FunctionEntry noFunction{nullptr, nullptr, session.names};
  ExpressionContext context(session, noFunction);
  const Expr *length = checkLength(context, *type.length);
  if (!length || element.isError() ||
      !session.requirePart(element, type.element->range, "an array"))
    return session.types.error();
  return session.array(element, *length, type.range);
}

static Type resolveTuple(Session &session, const syntax::TypeExpr &type) {
  TypeContext &types = session.types;
  llvm::SmallVector<Type> elements;
  bool isWrong = false;
  for (const syntax::TypeExpr *written : type.elements) {
    elements.push_back(session.resolve(*written));
    isWrong |= elements.back().isError();
    if (!elements.back().isTuple())
      isWrong |= !session.requireHeld(elements.back(), written->range, "a tuple",
                                      "declare a struct instead");
  }
  return isWrong ? types.error() : session.tuple(elements, type.range);
}

Type Session::resolve(const syntax::TypeExpr &type) {
  switch (type.kind) {
  case syntax::TypeExpr::Kind::Named:
    return resolveNamed(*this, type);
  case syntax::TypeExpr::Kind::Slice:
    return resolveSlice(*this, type);
  case syntax::TypeExpr::Kind::Reference:
    diagnostics.emit(type.range, diag::ReferenceType,
                     type.element->kind == syntax::TypeExpr::Kind::Array
                         ? "; a slice has no constant length"
                         : "");
    return types.error();
  case syntax::TypeExpr::Kind::Array:
    return resolveArray(*this, type);
  case syntax::TypeExpr::Kind::Tuple:
    return resolveTuple(*this, type);
  case syntax::TypeExpr::Kind::Error:
    return types.error();
  }
  llvm_unreachable("every kind is handled");
}

bool Session::requirePart(Type type, SourceRange range, StringRef holder) {
  if (!type.isTuple())
    return true;
  diagnostics.emit(range, diag::CannotHold, holder, "tuples", "; declare a struct instead");
  return false;
}

bool Session::requireHeld(Type type, SourceRange range, StringRef holder, StringRef remedy) {
  if (type.isError() || !completeInside(type))
    return false;
  if (!type.isSlice() && !type.holdsSlices())
    return requirePart(type, range, holder);
  const std::string what = type.isSlice()    ? "slices"
                           : type.isStruct() ? "'" + type.str() + "', a struct with slices"
                                             : "arrays of slices";
  diagnostics.emit(range, diag::CannotHold, holder, what, ("; " + remedy).str());
  return false;
}

Type Session::array(Type element, uint64_t length, SourceRange range) {
  if (!completeInside(element))
    return types.error();
  if (element.isSlice() || element.holdsSlices()) {
    if (length == 0 || length > maxSlicesInArray) {
      diagnostics.emit(range, diag::SliceArrayLength, quoted(range), int64_t(length),
                       maxSlicesInArray);
      return types.error();
    }
    if (!requireLeaves(length * element.leafCount(), range, quoted(range)))
      return types.error();
  }
  if (element.depth() >= maxTypeDepth) {
    diagnostics.emit(range, diag::NestingTooDeep, "a type", maxTypeDepth);
    return types.error();
  }
  if (length >= 1 && length <= maxTypeBytes && element.layout().size * length <= maxTypeBytes)
    return types.array(element, length);
  diagnostics.emit(range, diag::ArrayLength, maxTypeBytes, quoted(range),
                   std::to_string(int64_t(length)));
  return types.error();
}

Type Session::tuple(ArrayRef<Type> elements, SourceRange range) {
  for (Type element : elements)
    if (element.isStruct() && !complete(*structEntries.lookup(&element.structInfo())))
      return types.error();
  Type type = types.tuple(elements);
  const uint64_t size = type.layout().size;
  if (type.depth() > maxTypeDepth)
    diagnostics.emit(range, diag::NestingTooDeep, "a type", maxTypeDepth);
  else if (size > maxTypeBytes)
    diagnostics.emit(range, diag::TupleSize, maxTypeBytes, size);
  else
    return type;
  return types.error();
}

Type Session::array(Type element, const Expr &length, SourceRange range) {
  const llvm::APInt &count = llvm::cast<ConstantExpr>(length).intValue;
  return array(element,
               length.type.isSignedInt() ? uint64_t(count.getSExtValue()) : count.getZExtValue(),
               range);
}

bool Session::requireLeaves(uint64_t count, SourceRange range, StringRef what) {
  if (count <= maxLeaves)
    return true;
  diagnostics.emit(range, diag::TooManyLeaves, what, count, maxLeaves);
  return false;
}

bool Session::rejectReserved(const syntax::Identifier &name) {
  if (!isModuleName(name.name))
    return false;
  diagnostics.emit(name.range, diag::ReservedName, name.name, "the name of a module", "declared");
  return true;
}

} // namespace spl::sema
