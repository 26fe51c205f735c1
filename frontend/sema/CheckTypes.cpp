// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From types as written to types.
#include "frontend/sema/Nearest.h"
#include "frontend/sema/Session.h"
#include "frontend/sema/Wording.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::sema {

static constexpr llvm::StringLiteral scalarNames[] = {
#define SCALAR(Id, Name, Class, Bits) Name,
#include "frontend/sema/Scalars.def"
};

static bool isScalarName(StringRef name) { return llvm::is_contained(scalarNames, name); }

static bool isLaterTypeName(StringRef name) {
  return name == "f16" || name == "bf16" || syntax::isVectorTypeName(name);
}

bool isTypeName(StringRef name) { return isScalarName(name) || isLaterTypeName(name); }
bool isModuleName(StringRef name) { return name == "gpu" || name == "math"; }

Type Session::typeNamed(StringRef name) {
  if (const GenericArgument *argument = bound(name); argument && !argument->value)
    return argument->type;
  return program.types.scalarNamed(name);
}

static Type resolveNamed(Session &session, const syntax::TypeExpr &type) {
  TypeContext &types = session.program.types;
  if (isLaterTypeName(type.name)) {
    session.diagnostics.emit(type.range, diag::NotYetSupported, quoted(type.range));
    return types.error();
  }
  if (Type known = session.typeNamed(type.name))
    return known;
  if (session.names->skipped.contains(type.name))
    return types.error();
  if (std::optional<syntax::VectorName> vector = syntax::parseVectorName(type.name)) {
    session.diagnostics.emit(type.range, diag::InvalidVector, shown(type.name),
                             vector->lanes == 0 ? "has 2, 4, 8 or 16 lanes"
                                                : "takes 16 bytes at most");
    return types.error();
  }
  Nearest nearest(type.name);
  for (StringRef name : scalarNames)
    nearest.consider(name);
  session.diagnostics.emit(type.range, diag::UnknownType, shown(type.name),
                           didYouMean(nearest.best()));
  return types.error();
}

static Type resolveSlice(Session &session, const syntax::TypeExpr &type) {
  TypeContext &types = session.program.types;
  if (type.element->kind == syntax::TypeExpr::Kind::Slice) {
    session.diagnostics.emit(type.element->range, diag::SliceElement);
    return types.error();
  }
  Type element = session.resolve(*type.element);
  if (element.isError())
    return element;
  if (type.rank != 1) {
    session.diagnostics.emit(type.range, diag::NotYetSupported, quoted(type.range));
    return types.error();
  }
  return types.slice(element, type.isMut, type.rank);
}

Type Session::resolve(const syntax::TypeExpr &type) {
  switch (type.kind) {
  case syntax::TypeExpr::Kind::Named:
    return resolveNamed(*this, type);
  case syntax::TypeExpr::Kind::Slice:
    return resolveSlice(*this, type);
  case syntax::TypeExpr::Kind::Array:
    diagnostics.emit(type.range, diag::NotYetSupported, "an array type (a slice is written '&[T]')");
    return program.types.error();
  case syntax::TypeExpr::Kind::Tuple:
    diagnostics.emit(type.range, diag::NotYetSupported, "a tuple type");
    return program.types.error();
  case syntax::TypeExpr::Kind::Error:
    return program.types.error();
  }
  llvm_unreachable("every kind is handled");
}

bool Session::rejectReserved(const syntax::Identifier &name) {
  if (!isModuleName(name.name))
    return false;
  diagnostics.emit(name.range, diag::ReservedName, name.name, "a word of the language", "declared");
  return true;
}

} // namespace spl::sema
