// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From types as written to types.
#include "frontend/sema/Nearest.h"
#include "frontend/sema/Session.h"
#include "frontend/sema/Wording.h"

namespace spl::sema {

static constexpr llvm::StringLiteral scalarNames[] = {
#define SCALAR(Id, Name, Class, Bits) Name,
#include "frontend/sema/Scalars.def"
};

static bool isScalarName(StringRef name) { return llvm::is_contained(scalarNames, name); }

// The parser keeps vectors from getting here.
static bool isLaterTypeName(StringRef name) { return name == "f16" || name == "bf16"; }

bool isTypeName(StringRef name) { return isScalarName(name) || isLaterTypeName(name); }
bool isModuleName(StringRef name) { return name == "gpu" || name == "math"; }

static Type resolveNamed(Session &session, const syntax::TypeExpr &type) {
  TypeContext &types = session.program.types;
  if (isLaterTypeName(type.name)) {
    session.diagnostics.emit(type.range, diag::NotYetSupported, quoted(type.range));
    return types.error();
  }
  if (Type scalar = types.scalarNamed(type.name))
    return scalar;
  if (session.skippedNames.contains(type.name))
    return types.error();
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
