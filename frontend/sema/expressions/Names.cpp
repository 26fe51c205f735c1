// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declaring names, finding them, and what is said of those that are unknown or unused.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/TypoCorrection.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::sema {

// A name that is declared twice, or that nothing may be declared as, has the type Error from then
// on: what it means is unclear, so its uses are not judged.
const Local *BodyChecker::declare(const syntax::Identifier &name, Type type, SymbolKind kind,
                                  const Expr *value) {
  bool isDiscarded = name.name == "_";
  bool isWrong = session.rejectReserved(name);
  if (Symbol *first = isDiscarded ? nullptr : scopes.findInBlock(name.name)) {
    diagnostics.emit(name.range, diag::DuplicateName, shown(name.name), "in this block")
        .note(first->local->range, diag::DeclaredHere, shown(name.name));
    first->isRead = true;
    isWrong = true;
  }
  auto *local = new (arena)
      Local{name.name, isWrong ? types.error() : type, name.range, kind == SymbolKind::Var};
  if (kind == SymbolKind::Val && value && value->type.isSlice())
    sliceVals[local] = value;
  if (!isDiscarded)
    scopes.declare({local, kind, isWrong});
  return local;
}

void BodyChecker::leaveScope() {
  for (const Symbol &symbol : scopes.innermost()) {
    const Local &local = *symbol.local;
    bool isSilent = isBroken || symbol.isRead || symbol.kind == SymbolKind::Parameter ||
                    local.type.isError() || local.name.starts_with("_");
    if (!isSilent)
      diagnostics.emit(local.range, diag::UnusedName, shown(local.name));
  }
  scopes.leave();
}

Symbol *BodyChecker::lookUp(StringRef name) {
  Symbol *symbol = scopes.find(name);
  if (symbol)
    symbol->isRead = true;
  return symbol;
}

// An array is memory; any other constant is its value, at the place where it is used.
const Expr *BodyChecker::named(const Constant &constant, SourceRange range) {
  if (constant.type.isArray())
    return make(ConstantDataExpr{{constant.type, range}, &constant});
  if (auto *number = llvm::dyn_cast<ConstantExpr>(constant.value)) {
    ConstantExpr *copy = make(*number);
    copy->range = range;
    return copy;
  }
  BuildExpr *copy = make(llvm::cast<BuildExpr>(*constant.value));
  copy->range = range;
  return copy;
}

Type BodyChecker::typeNamed(const syntax::Expr &expr) {
  if (expr.kind != syntax::Expr::Kind::Name)
    return {};
  StringRef name = static_cast<const syntax::NameExpr &>(expr).name;
  if (scopes.find(name))
    return {};
  if (Type type = session.names->types.lookup(name))
    return type;
  auto vector = syntax::parseVectorName(name);
  if (vector && vector->isValid()) {
    syntax::TypeExpr written{syntax::TypeExpr::Kind::Named, expr.range, name};
    return session.resolve(written);
  }
  return {};
}

const Expr *BodyChecker::checkName(const syntax::NameExpr &expr) {
  StringRef name = expr.name;
  if (Symbol *symbol = lookUp(name)) {
    if (symbol->local->type.isError())
      return nullptr;
    return make(LocalExpr{{symbol->local->type, expr.range}, symbol->local});
  }
  const GenericArgument *generic = session.bound(name);
  if (generic && generic->value)
    return constant(generic->type, expr.range, generic->value->intValue);
  if (ConstEntry *entry = session.names->constants.lookup(name)) {
    const Constant *constant = session.complete(*entry);
    return constant ? named(*constant, expr.range) : nullptr;
  }
  if (generic)
    diagnostics.emit(expr.range, diag::NotAValue, shown(name), "a type",
                     ("to convert a value write 'x as " + shown(name) + "'").str());
  else if (isModuleName(name))
    diagnostics.emit(expr.range, diag::NotAValue, name, "a group of functions",
                     name == "gpu" ? "one of them is 'gpu.global_id()'"
                                   : "one of them is 'math.sqrt(x)'");
  else if (isTypeName(name))
    diagnostics.emit(expr.range, diag::NotAValue, name, "a type",
                     ("to convert a value write 'x as " + name + "'").str());
  else if (Type type = session.names->types.lookup(name))
    diagnostics.emit(expr.range, diag::NotAValue, shown(name), "a type",
                     type.isEnum()
                         ? "its values are its members, as in '" + shown(name).str() + ".Name'"
                         : "build one as '" + shown(name).str() + "(...)'");
  else if (session.names->functions.contains(name))
    diagnostics.emit(expr.range, diag::NotAValue, shown(name), "a function",
                     ("call it as '" + shown(name) + "(...)'").str());
  else if (!session.names->skipped.contains(name))
    reportUnknownName(name, expr.range);
  return nullptr;
}

std::string BodyChecker::selfHint(StringRef name, bool isCalled) const {
  bool hasIt = entry.self && (isCalled ? methodOf(entry.self, name).has_value()
                                       : entry.self.structInfo().field(name).has_value());
  return hasIt ? writeHint(("self." + name + (isCalled ? "(...)" : "")).str()) : std::string();
}

std::string BodyChecker::memberNamed(StringRef name) const {
  std::string found;
  for (const auto &[known, type] : session.names->types) {
    if (!type.isEnum())
      continue;
    for (const EnumInfo::Member &member : type.enumInfo().members) {
      if (member.name != name)
        continue;
      if (!found.empty())
        return {};
      found = (shown(known) + "." + name).str();
    }
  }
  return found;
}

void BodyChecker::reportUnknownName(StringRef name, SourceRange range, StringRef otherwise) {
  if (lostStatement || !reportedNames.insert(name).second)
    return;
  std::string hint = selfHint(name, /*isCalled=*/false);
  if (hint.empty())
    hint = foreignHint(syntax::Foreign::Value, name);
  if (hint.empty())
    hint = foreignTypeHint(name);
  if (hint.empty())
    hint = writeHint(memberNamed(name));
  if (!hint.empty()) {
    diagnostics.emit(range, diag::UnknownName, shown(name), hint);
    return;
  }
  TypoCorrection correction(name);
  if (session.isListening()) {
    for (const Symbol &symbol : scopes.visible())
      correction.consider(symbol.local->name);
    for (const auto &[item, range] : session.names->items)
      correction.consider(item);
    for (StringRef module : {"gpu", "math"})
      correction.consider(module);
  }
  diagnostics.emit(range, diag::UnknownName, shown(name),
                   correction.best().empty() ? otherwise.str() : didYouMean(correction.best()));
}

} // namespace spl::sema
