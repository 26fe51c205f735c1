// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Calls.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/GenericStructs.h"
#include "frontend/sema/declarations/TypeExpressions.h"
#include "frontend/sema/expressions/Aggregates.h"
#include "frontend/sema/expressions/Bitcasts.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/FunctionCalls.h"
#include "frontend/sema/expressions/GenericArguments.h"
#include "frontend/sema/expressions/IntrinsicCalls.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Members.h"
#include "frontend/sema/expressions/MemoryCalls.h"
#include "frontend/sema/expressions/Modules.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/sema/expressions/TypeNumbers.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::sema {

static const Expr *checkUncallable(ExpressionContext &context, const syntax::CallExpr &call) {
  if (const Expr *callee = checkValue(context, *call.callee))
    context.diagnostics.emit(callee->range, diag::NotCallable, quoted(callee->range),
                             callee->type.str(), "");
  return abandonCall(context, call);
}

/// Checks base.name(...), where base is no module.
static const Expr *checkMethodCall(ExpressionContext &context, const syntax::CallExpr &call,
                                   const syntax::MemberExpr &callee, const Expr &base,
                                   ArrayRef<const syntax::Expr *> generics) {
  if (std::optional<unsigned> method = methodOf(context.session, base.type, callee.member.name))
    return checkFunctionCall(context, call, *method, generics, &base);
  if (const Expr *part = checkMemberOf(context.session, callee, base))
    context.diagnostics.emit(part->range, diag::NotCallable, quoted(part->range), part->type.str(),
                             "");
  return abandonCall(context, call);
}

// Checks calls with brackets: f[f32](x), p.scaled[f32](x), gpu.shared[f32](n),
// math.bitcast[u32](x).
static const Expr *checkBracketCall(ExpressionContext &context, const syntax::CallExpr &call,
                                    const syntax::IndexExpr &callee, Type expected) {
  if (auto *name = llvm::dyn_cast<syntax::NameExpr>(callee.base);
      name && !context.scopes.find(name->name)) {
    auto function = context.session.names->functions.find(name->name);
    if (function != context.session.names->functions.end())
      return checkFunctionCall(context, call, function->second, callee.indices);
    if (GenericStruct *generic = genericStructNamed(context.session, name->name))
      return checkGenericStructCall(context, call, *generic, callee.indices, expected);
    if (typeNamed(context.session, context.scopes, *name)) {
      readType(context, callee); // reports that it takes no arguments
      return abandonCall(context, call);
    }
    if (name->name == "size_of")
      return checkSizeOf(context, call, callee.indices);
  }
  auto *member = llvm::dyn_cast<syntax::MemberExpr>(callee.base);
  if (!member || typeNamed(context.session, context.scopes, *member->base))
    return checkUncallable(context, call);
  if (isModule(context.scopes, *member->base)) {
    if (const intrinsics::MemoryRow *row = findMemory(*member))
      return checkMemoryCall(context, call, *row, callee.indices);
    const intrinsics::Row *row = findIntrinsic(*member);
    if (!row)
      return checkUncallable(context, call);
    if (row->id == intrinsics::Id::Bitcast)
      return checkBitcast(context, call, *row, callee.indices);
    context.diagnostics.emit(callee.range, diag::NoBrackets, row->name);
    return abandonCall(context, call);
  }
  const Expr *base = checkValue(context, *member->base);
  if (!base)
    return abandonCall(context, call);
  if (base->type.isStruct() && base->type.structInfo().field(member->member.name))
    return checkUncallable(context, call);
  return checkMethodCall(context, call, *member, *base, callee.indices);
}

// Reports f32(i) and float(i), with the cast as the hint.
static const Expr *reportCallAsCast(ExpressionContext &context, const syntax::CallExpr &call,
                                    Type type) {
  const Expr *value = checkExpr(context, *call.arguments.front().value);
  std::string text = value ? castText(*value, type) : "";
  context.diagnostics.emit(
      call.callee->range, diag::NotCallable, quoted(call.callee->range), "a type",
      "; to convert a value, write '" + (text.empty() ? "x as " + type.str() : text) + "'");
  return nullptr;
}

// Returns "math.sqrt" for sqrt, and the corresponding name for C's sqrtf, fabs and __expf. Returns
// an empty text if no module has such a function.
static std::string nameInModule(StringRef name) {
  if (name.size() >= 64)
    return {};
  bool isFast = name.consume_front("__");
  StringRef noEnd = name.ends_with("f") ? name.drop_back() : name;
  StringRef noBegin = noEnd.starts_with("f") ? noEnd.drop_front() : noEnd;
  for (StringRef module : {"math.fast.", "math.", "gpu."})
    for (StringRef candidate : {name, noEnd, noBegin})
      if (std::string path = (module + candidate).str();
          (isFast || module != "math.fast.") && intrinsics::find(path))
        return path;
  return {};
}

static void reportNotCallable(ExpressionContext &context, const syntax::CallExpr &call,
                              const syntax::NameExpr &callee) {
  StringRef name = callee.name;
  std::string text = quoted(callee.range);
  if (Symbol *symbol = lookUp(context.scopes, name)) {
    if (!symbol->local->type.isError())
      context.diagnostics.emit(callee.range, diag::NotCallable, text, symbol->local->type.str(), "")
          .note(symbol->local->range, diag::DeclaredHere, shown(name));
    return;
  }
  if (context.session.names->skipped.contains(name))
    return;
  if (isModuleName(name)) {
    context.diagnostics.emit(callee.range, diag::NotCallable, text, "a module", "");
    return;
  }
  if (isTypeName(name) || context.session.names->types.contains(name) ||
      context.session.bound(name)) {
    Type type = context.session.names->types.lookup(name);
    context.diagnostics.emit(
        callee.range, diag::NotCallable, text,
        !context.session.bound(name) || !context.session.bound(name)->value ? "a type"
                                                                            : "a constant",
        type && type.isEnum() ? membersHint(type)
                              : ("; to convert a value, write 'x as " + name + "'").str());
    return;
  }
  if (syntax::parseVectorName(name)) { // the vector does not exist, and resolve() reports that
    context.session.resolve({syntax::TypeExpr::Kind::Named, callee.range, name});
    return;
  }
  std::string hint = selfHint(context.session, context.entry, name, /*isCalled=*/true);
  if (hint.empty())
    hint = foreignHint(syntax::Foreign::Function, name, argumentTexts(call));
  if (hint.empty())
    hint = didYouMean(nameInModule(name));
  if (hint.empty() && context.session.isListening()) {
    TypoCorrection correction(name);
    for (const auto &[known, index] : context.session.names->functions)
      correction.consider(known);
    hint = didYouMean(correction.best());
  }
  context.diagnostics.emit(callee.range, diag::UnknownFunction, shown(name), hint);
}

static const Expr *checkNamedCall(ExpressionContext &context, const syntax::CallExpr &call,
                                  const syntax::NameExpr &callee, Type expected) {
  auto function = context.session.names->functions.find(callee.name);
  if (!context.scopes.find(callee.name) && function != context.session.names->functions.end())
    return checkFunctionCall(context, call, function->second, {});
  if (GenericStruct *generic = genericStructNamed(context.session, callee.name);
      generic && !context.scopes.find(callee.name))
    return checkGenericStructCall(context, call, *generic, {}, expected);
  if (Type type = typeNamed(context.session, context.scopes, callee); type && type.isVector())
    return checkVectorCall(context, call, type);
  else if (type && type.isStruct())
    return checkStructCall(context, call, type);
  else if (type && type.isError())
    return abandonCall(context, call);
  Type target = context.scopes.find(callee.name) ? Type() : context.types.scalarNamed(callee.name);
  StringRef ours = syntax::typeForForeign(callee.name);
  if (!ours.empty() && !context.scopes.find(callee.name))
    target = context.types.scalarNamed(ours);
  if (target && call.arguments.size() == 1)
    return reportCallAsCast(context, call, target);
  reportNotCallable(context, call, callee);
  return abandonCall(context, call);
}

static const Expr *checkExtent(ExpressionContext &context, const syntax::CallExpr &call,
                               const syntax::MemberExpr &callee, const Expr &slice) {
  StringRef member = callee.member.name;
  bool isDim = member == "dim";
  if (!requirePositional(context.session, call))
    return abandonCall(context, call);
  if (call.arguments.size() != isDim) {
    context.diagnostics.emit(call.range, diag::ArgumentCount, member.str(),
                             counted(isDim, "argument"), call.arguments.size(), "");
    return abandonCall(context, call);
  }
  std::optional<unsigned> axis;
  if (slice.type.rank() == 1)
    axis = 0;
  if (isDim) {
    unsigned rank = slice.type.rank();
    std::string allowed = rank == 1
                              ? "0: " + quoted(slice.range) + " has one axis"
                              : "a constant from 0 to " + std::to_string(rank - 1) + ": " +
                                    quoted(slice.range) + " has " + std::to_string(rank) + " axes";
    axis = checkAxis(context, *call.arguments[0].value, slice.type.rank(), allowed);
    if (!axis)
      return nullptr;
  }
  return context.make(ExtentExpr{{context.types.get(TypeKind::I64), call.range}, &slice, axis});
}

static const Expr *checkMemberCall(ExpressionContext &context, const syntax::CallExpr &call,
                                   const syntax::MemberExpr &callee, Type expected) {
  if (isModule(context.scopes, *callee.base)) {
    if (const intrinsics::Row *row = findIntrinsic(callee))
      return checkIntrinsic(context, call, *row, expected);
    if (const intrinsics::MemoryRow *row = findMemory(callee))
      return checkMemoryCall(context, call, *row, {});
    if (isLiteral(callee))
      context.diagnostics.emit(callee.range, diag::NotCallable, quoted(callee.range), "a number",
                               "");
    else
      reportUnknownMember(context.session, callee, argumentTexts(call));
    return abandonCall(context, call);
  }
  const Expr *base = checkValue(context, *callee.base);
  if (!base)
    return abandonCall(context, call);
  StringRef member = callee.member.name;
  if (base->type.isArray() && member == "len" && call.arguments.empty())
    return makeConstant(context.session, context.types.get(TypeKind::I64), call.range,
                        llvm::APInt(64, base->type.length()));
  if (base->type.isSlice() && (member == "len" || member == "dim"))
    return checkExtent(context, call, callee, *base);
  return checkMethodCall(context, call, callee, *base, {});
}

const Expr *checkCall(ExpressionContext &context, const syntax::CallExpr &call, Type expected) {
  if (call.callee->kind == syntax::Expr::Kind::Name)
    return checkNamedCall(context, call, static_cast<const syntax::NameExpr &>(*call.callee),
                          expected);
  if (call.callee->kind == syntax::Expr::Kind::Member)
    return checkMemberCall(context, call, static_cast<const syntax::MemberExpr &>(*call.callee),
                           expected);
  if (call.callee->kind == syntax::Expr::Kind::Index)
    return checkBracketCall(context, call, static_cast<const syntax::IndexExpr &>(*call.callee),
                            expected);
  return checkUncallable(context, call);
}

// Does not report a place, a string or a type, because only some calls accept them.
const Expr *abandonCall(ExpressionContext &context, const syntax::CallExpr &call) {
  for (const syntax::Argument &argument : call.arguments) {
    const syntax::Expr *value = argument.value;
    if (auto *place = llvm::dyn_cast<syntax::PlaceRefExpr>(value))
      value = place->place;
    auto *name = llvm::dyn_cast<syntax::NameExpr>(value);
    bool isType = name && (isTypeName(name->name) || !foreignTypeHint(name->name).empty());
    if (value->kind != syntax::Expr::Kind::String && !isType)
      checkExpr(context, *value);
  }
  return nullptr;
}

bool requirePositional(Session &session, const syntax::CallExpr &call) {
  for (const syntax::Argument &argument : call.arguments)
    if (argument.name) {
      session.diagnostics.emit(argument.name->range, diag::UnknownParameter,
                               shown(call.callee->range.text()), shown(argument.name->name),
                               inOrder);
      return false;
    }
  return true;
}

} // namespace spl::sema
