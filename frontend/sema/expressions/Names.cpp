// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/declarations/TypeExpressions.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Members.h"
#include "frontend/sema/expressions/Modules.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::sema {

/// Adds a local to the innermost block.
static void declare(ExpressionContext &context, Local &local, SymbolKind kind) {
  const syntax::Identifier name{local.name, local.range};
  bool isDiscarded = name.name == "_";
  bool isWrong = context.session.rejectReserved(name);
  if (Symbol *first = isDiscarded ? nullptr : context.scopes.findInBlock(name.name)) {
    context.diagnostics.emit(name.range, diag::DuplicateName, shown(name.name), "in this block")
        .note(first->local->range, diag::DeclaredHere, shown(name.name));
    first->isRead = true;
    isWrong = true;
  }
  if (isWrong)
    local.type = context.types.error();
  if (!isDiscarded)
    context.scopes.declare({&local, kind, isWrong});
}

const Local *declareLocal(ExpressionContext &context, const syntax::Identifier &name, Type type,
                          SymbolKind kind, const Expr *value, SourceRange literal) {
  auto *local = new (context.arena)
      Local{name.name, type, name.range, kind == SymbolKind::Var, /*isReference=*/false, literal};
  declare(context, *local, kind);
  if (kind == SymbolKind::Val && value && (value->type.isSlice() || value->type.holdsSlices()))
    context.sliceVals[local] = value;
  if (kind == SymbolKind::Val && value && local->type.isInt())
    context.ranges.declare(*local, context.ranges.of(*value));
  return local;
}

const Local *declareReference(ExpressionContext &context, const syntax::Identifier &name,
                              Type type) {
  auto *local = new (context.arena)
      Local{name.name, type, name.range, /*isMutable=*/false, /*isReference=*/true};
  declare(context, *local, SymbolKind::Val);
  return local;
}

const Local *makeHiddenLocal(Session &session, StringRef name, Type type, SourceRange range) {
  return session.make(Local{name, type, range, false});
}

void leaveScope(ExpressionContext &context) {
  for (const Symbol &symbol : context.scopes.innermost()) {
    const Local &local = *symbol.local;
    bool isSilent = context.nameReports.isBroken || symbol.isRead ||
                    symbol.kind == SymbolKind::Parameter || local.type.isError() ||
                    local.name.starts_with("_");
    if (!isSilent)
      context.diagnostics.emit(local.range, diag::UnusedName, shown(local.name));
  }
  context.scopes.leave();
}

Symbol *lookUp(Scopes &scopes, StringRef name) {
  Symbol *symbol = scopes.find(name);
  if (symbol)
    symbol->isRead = true;
  return symbol;
}

// Makes the use of a constant. A constant array is memory; any other constant is replaced by its
// value.
static const Expr *useConstant(Session &session, const Constant &constant, SourceRange range) {
  if (constant.type.isArray())
    return session.make(ConstantDataExpr{{constant.type, range}, &constant});
  if (auto *number = llvm::dyn_cast<ConstantExpr>(constant.value)) {
    ConstantExpr *copy = session.make(*number);
    copy->range = range;
    return copy;
  }
  BuildExpr *copy = session.make(llvm::cast<BuildExpr>(*constant.value));
  copy->range = range;
  return copy;
}

const Expr *useLocal(ExpressionContext &context, const Local &local, SourceRange range) {
  const Expr *use = context.make(LocalExpr{{local.type, range}, &local});
  if (!local.isReference)
    return use;
  const Expr *zero =
      makeConstant(context.session, context.types.get(TypeKind::I64), range, llvm::APInt(64, 0));
  return context.make(IndexExpr{{local.type.element(), range},
                                use,
                                ArrayRef(zero).copy(context.arena),
                                /*isInside=*/true});
}

Type typeNamed(Session &session, Scopes &scopes, const syntax::Expr &expr) {
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

Type namedType(ExpressionContext &context, const syntax::Expr &expr) {
  if (Type type = typeNamed(context.session, context.scopes, expr))
    return type;
  auto *name = llvm::dyn_cast<syntax::NameExpr>(&expr);
  return name && !context.scopes.find(name->name) ? context.session.typeNamed(name->name) : Type();
}

const Expr *checkName(ExpressionContext &context, const syntax::NameExpr &expr) {
  StringRef name = expr.name;
  if (Symbol *symbol = lookUp(context.scopes, name)) {
    return symbol->local->type.isError() ? nullptr : useLocal(context, *symbol->local, expr.range);
  }
  const GenericArgument *generic = context.session.bound(name);
  if (generic && generic->value)
    return makeConstant(context.session, generic->type, expr.range, generic->value->intValue);
  if (ConstEntry *entry = context.session.names->constants.lookup(name)) {
    const Constant *constant = context.session.complete(*entry);
    return constant ? useConstant(context.session, *constant, expr.range) : nullptr;
  }
  if (generic)
    context.diagnostics.emit(expr.range, diag::NotAValue, shown(name), "a type",
                             ("to convert a value, write 'x as " + shown(name) + "'").str());
  else if (isModuleName(name))
    context.diagnostics.emit(expr.range, diag::NotAValue, name, "a module",
                             name == "gpu" ? "call one of its functions, as in 'gpu.global_id()'"
                                           : "call one of its functions, as in 'math.sqrt(x)'");
  else if (isTypeName(name))
    context.diagnostics.emit(expr.range, diag::NotAValue, name, "a type",
                             ("to convert a value, write 'x as " + name + "'").str());
  else if (GenericStruct *record = context.session.names->genericStructs.lookup(name))
    context.diagnostics.emit(expr.range, diag::NotAValue, shown(name), "a generic struct",
                             "make one with '" + exampleOf(shown(name), record->item->generics) +
                                 "(...)'");
  else if (Type type = context.session.names->types.lookup(name))
    context.diagnostics.emit(expr.range, diag::NotAValue, shown(name), "a type",
                             type.isEnum() ? "its values are its members, as in '" +
                                                 shown(name).str() + ".Name'"
                                           : "make one with '" + shown(name).str() + "(...)'");
  else if (context.session.names->functions.contains(name))
    context.diagnostics.emit(expr.range, diag::NotAValue, shown(name), "a function",
                             ("call it as '" + shown(name) + "(...)'").str());
  else if (!context.session.names->skipped.contains(name))
    reportUnknownName(context, name, expr.range);
  return nullptr;
}

std::string selfHint(Session &session, const FunctionEntry &entry, StringRef name, bool isCalled) {
  bool hasIt = entry.self && (isCalled ? hasMethod(session, entry.self, name)
                                       : entry.self.structInfo().field(name).has_value());
  return hasIt ? writeHint(("self." + name + (isCalled ? "(...)" : "")).str()) : std::string();
}

/// How to declare the local as a constant. The symbol may be null.
static std::string constantHint(const Symbol *symbol) {
  const bool isInt = symbol && symbol->local->type.isInt();
  const StringRef name = isInt ? shown(symbol->local->name) : "";
  if (isInt && symbol->kind == SymbolKind::Parameter)
    return ("; a parameter in brackets is a constant: 'fn f[const " + name + ": " +
            symbol->local->type.str() + "]'")
        .str();
  const StringRef value = isInt ? shortText(symbol->local->literal) : "";
  if (!value.empty())
    return ("; write 'const " + name + " = " + value + "' outside of the function").str();
  return "; a constant is a number, a 'const' or a parameter in brackets, '[const N: i64]'";
}

std::string constantHint(ExpressionContext &context, const syntax::Expr &expr) {
  auto *name = llvm::dyn_cast<syntax::NameExpr>(&expr);
  return constantHint(name ? context.scopes.find(name->name) : nullptr);
}

/// Returns "Level.Low" if exactly one enum has a member called `name`, else an empty text.
static std::string enumMemberNamed(Session &session, StringRef name) {
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

/// Reports a local in a type, as in [f32; n]. Returns false if there is no such local.
static bool reportLocalInType(ExpressionContext &context, StringRef name, SourceRange range) {
  Scopes *locals = context.session.locals;
  Symbol *symbol = locals && locals != &context.scopes ? lookUp(*locals, name) : nullptr;
  if (symbol)
    context.diagnostics.emit(range, diag::NotConstant, quoted(range), constantHint(symbol));
  return symbol;
}

void reportUnknownName(ExpressionContext &context, StringRef name, SourceRange range,
                       StringRef otherwise) {
  if (reportLocalInType(context, name, range))
    return;
  if (context.nameReports.lostStatement || !context.nameReports.unknown.insert(name).second)
    return;
  std::string hint = selfHint(context.session, context.entry, name, /*isCalled=*/false);
  if (hint.empty())
    hint = foreignHint(syntax::Foreign::Value, name);
  if (hint.empty())
    hint = foreignTypeHint(name);
  if (hint.empty())
    hint = writeHint(enumMemberNamed(context.session, name));
  if (!hint.empty()) {
    context.diagnostics.emit(range, diag::UnknownName, shown(name), hint);
    return;
  }
  TypoCorrection correction(name);
  if (context.session.isListening()) {
    for (const Symbol &symbol : context.scopes.visible())
      correction.consider(symbol.local->name);
    for (const auto &[item, range] : context.session.names->items)
      correction.consider(item);
    for (StringRef module : {"gpu", "math"})
      correction.consider(module);
  }
  context.diagnostics.emit(range, diag::UnknownName, shown(name),
                           correction.best().empty() ? otherwise.str()
                                                     : didYouMean(correction.best()));
}

bool isUndeclared(Session &session, Scopes &scopes, const syntax::Expr &target) {
  auto *name = llvm::dyn_cast<syntax::NameExpr>(&target);
  return name && !scopes.find(name->name) && !session.bound(name->name) &&
         !session.names->items.contains(name->name) &&
         !session.names->skipped.contains(name->name) && !isTypeName(name->name) &&
         !isModuleName(name->name);
}

} // namespace spl::sema
