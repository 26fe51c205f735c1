// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is called: a function, an intrinsic, len and dim; and what cannot be.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/TypoCorrection.h"
#include "frontend/syntax/TypeNames.h"

namespace spl::sema {

const Expr *BodyChecker::checkCall(const syntax::CallExpr &call, Type expected) {
  if (call.callee->kind == syntax::Expr::Kind::Name)
    return checkNamedCall(call, static_cast<const syntax::NameExpr &>(*call.callee));
  if (call.callee->kind == syntax::Expr::Kind::Member)
    return checkMemberCall(call, static_cast<const syntax::MemberExpr &>(*call.callee), expected);
  if (call.callee->kind == syntax::Expr::Kind::Index)
    return checkBracketCall(call, static_cast<const syntax::IndexExpr &>(*call.callee));
  return checkUncallable(call);
}

// f[f32](x), p.scaled[f32](x), gpu.shared[f32](n), math.bitcast[u32](x)
const Expr *BodyChecker::checkBracketCall(const syntax::CallExpr &call,
                                          const syntax::IndexExpr &callee) {
  if (auto *name = llvm::dyn_cast<syntax::NameExpr>(callee.base))
    if (auto function = session.names->functions.find(name->name);
        !scopes.find(name->name) && function != session.names->functions.end())
      return checkFunctionCall(call, function->second, callee.indices);
  auto *member = llvm::dyn_cast<syntax::MemberExpr>(callee.base);
  if (!member || typeNamed(*member->base))
    return checkUncallable(call);
  if (isModule(*member->base)) {
    if (const intrinsics::MemoryRow *row = findMemory(*member))
      return checkMemoryCall(call, *row, callee.indices);
    const intrinsics::Row *row = findIntrinsic(*member);
    if (!row)
      return checkUncallable(call);
    if (row->id == intrinsics::Id::Bitcast)
      return checkBitcast(call, *row, callee.indices);
    diagnostics.emit(callee.range, diag::NoBrackets, row->name);
    return abandonCall(call);
  }
  const Expr *base = checkValue(*member->base);
  if (!base)
    return abandonCall(call);
  if (base->type.isStruct() && base->type.structInfo().field(member->member.name))
    return checkUncallable(call);
  return checkMethodCall(call, *member, *base, callee.indices);
}

const Expr *BodyChecker::checkUncallable(const syntax::CallExpr &call) {
  if (const Expr *callee = checkValue(*call.callee))
    diagnostics.emit(callee->range, diag::NotCallable, quoted(callee->range), callee->type.str(),
                     "");
  return abandonCall(call);
}

// What only some calls take, a place, a string or a type, may be right.
const Expr *BodyChecker::abandonCall(const syntax::CallExpr &call) {
  for (const syntax::Argument &argument : call.arguments) {
    const syntax::Expr *value = argument.value;
    if (auto *place = llvm::dyn_cast<syntax::PlaceRefExpr>(value))
      value = place->place;
    auto *name = llvm::dyn_cast<syntax::NameExpr>(value);
    bool isType = name && (isTypeName(name->name) || !foreignTypeHint(name->name).empty());
    if (value->kind != syntax::Expr::Kind::String && !isType)
      check(*value);
  }
  return nullptr;
}

bool BodyChecker::requirePositional(const syntax::CallExpr &call) {
  for (const syntax::Argument &argument : call.arguments)
    if (argument.name) {
      diagnostics.emit(argument.name->range, diag::UnknownParameter,
                       shown(call.callee->range.text()), shown(argument.name->name), inOrder);
      return false;
    }
  return true;
}

const Expr *BodyChecker::checkNamedCall(const syntax::CallExpr &call,
                                        const syntax::NameExpr &callee) {
  auto function = session.names->functions.find(callee.name);
  if (!scopes.find(callee.name) && function != session.names->functions.end())
    return checkFunctionCall(call, function->second, {});
  if (Type type = typeNamed(callee); type && type.isVector())
    return checkVectorCall(call, type);
  else if (type && type.isStruct())
    return checkStructCall(call, type);
  else if (type && type.isError())
    return abandonCall(call);
  Type target = scopes.find(callee.name) ? Type() : types.scalarNamed(callee.name);
  StringRef ours = syntax::typeForForeign(callee.name);
  if (!ours.empty() && !scopes.find(callee.name))
    target = types.scalarNamed(ours);
  if (target && call.arguments.size() == 1)
    return reportCallAsCast(call, target);
  reportNotCallable(callee);
  return abandonCall(call);
}

// f32(i), float(i)
const Expr *BodyChecker::reportCallAsCast(const syntax::CallExpr &call, Type type) {
  const Expr *value = check(*call.arguments.front().value);
  std::string text = value ? castText(*value, type) : "";
  diagnostics.emit(call.callee->range, diag::NotCallable, quoted(call.callee->range), "a type",
                   "; to convert a value write '" + (text.empty() ? "x as " + type.str() : text) +
                       "'");
  return nullptr;
}

// "math.sqrt" for sqrt, and for C's sqrtf, fabs and __expf; empty where there is none.
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

void BodyChecker::reportNotCallable(const syntax::NameExpr &callee) {
  StringRef name = callee.name;
  std::string text = quoted(callee.range);
  if (Symbol *symbol = lookUp(name)) {
    if (!symbol->local->type.isError())
      diagnostics.emit(callee.range, diag::NotCallable, text, symbol->local->type.str(), "")
          .note(symbol->local->range, diag::DeclaredHere, shown(name));
    return;
  }
  if (session.names->skipped.contains(name))
    return;
  if (isModuleName(name)) {
    diagnostics.emit(callee.range, diag::NotCallable, text, "a group of functions", "");
    return;
  }
  if (isTypeName(name) || session.names->types.contains(name) || session.bound(name)) {
    Type type = session.names->types.lookup(name);
    diagnostics.emit(callee.range, diag::NotCallable, text,
                     !session.bound(name) || !session.bound(name)->value ? "a type" : "a constant",
                     type && type.isEnum()
                         ? membersHint(type)
                         : ("; to convert a value write 'x as " + name + "'").str());
    return;
  }
  if (syntax::parseVectorName(name)) { // one that there is not, which says so
    session.resolve({syntax::TypeExpr::Kind::Named, callee.range, name});
    return;
  }
  std::string hint = selfHint(name, /*isCalled=*/true);
  if (hint.empty())
    hint = foreignHint(syntax::Foreign::Function, name);
  if (hint.empty())
    hint = didYouMean(nameInModule(name));
  if (hint.empty() && session.isListening()) {
    TypoCorrection correction(name);
    for (const auto &[known, index] : session.names->functions)
      correction.consider(known);
    hint = didYouMean(correction.best());
  }
  diagnostics.emit(callee.range, diag::UnknownFunction, shown(name), hint);
}

const Expr *BodyChecker::checkMemberCall(const syntax::CallExpr &call,
                                         const syntax::MemberExpr &callee, Type expected) {
  if (isModule(*callee.base)) {
    if (const intrinsics::Row *row = findIntrinsic(callee))
      return checkIntrinsic(call, *row, expected);
    if (const intrinsics::MemoryRow *row = findMemory(callee))
      return checkMemoryCall(call, *row, {});
    if (isLiteral(callee))
      diagnostics.emit(callee.range, diag::NotCallable, quoted(callee.range), "a number", "");
    else
      reportUnknownMember(callee);
    return abandonCall(call);
  }
  const Expr *base = checkValue(*callee.base);
  if (!base)
    return abandonCall(call);
  StringRef member = callee.member.name;
  if (base->type.isArray() && member == "len" && call.arguments.empty())
    return constant(types.get(TypeKind::I64), call.range, llvm::APInt(64, base->type.length()));
  if (base->type.isSlice() && (member == "len" || member == "dim"))
    return checkExtent(call, callee, *base);
  return checkMethodCall(call, callee, *base, {});
}

const Expr *BodyChecker::checkMethodCall(const syntax::CallExpr &call,
                                         const syntax::MemberExpr &callee, const Expr &base,
                                         ArrayRef<const syntax::Expr *> generics) {
  if (std::optional<unsigned> method = methodOf(base.type, callee.member.name))
    return checkFunctionCall(call, *method, generics, &base);
  if (const Expr *part = checkPart(callee, base))
    diagnostics.emit(part->range, diag::NotCallable, quoted(part->range), part->type.str(), "");
  return abandonCall(call);
}

const Expr *BodyChecker::checkExtent(const syntax::CallExpr &call, const syntax::MemberExpr &callee,
                                     const Expr &slice) {
  StringRef member = callee.member.name;
  bool isDim = member == "dim";
  if (!requirePositional(call))
    return abandonCall(call);
  if (call.arguments.size() != isDim) {
    diagnostics.emit(call.range, diag::ArgumentCount, member.str(), counted(isDim, "argument"),
                     call.arguments.size(), "");
    return abandonCall(call);
  }
  std::optional<unsigned> axis;
  if (slice.type.rank() == 1)
    axis = 0;
  if (isDim) {
    unsigned rank = slice.type.rank();
    std::string wanted = rank == 1
                             ? "0: " + quoted(slice.range) + " has one axis"
                             : "a constant from 0 to " + std::to_string(rank - 1) + ": " +
                                   quoted(slice.range) + " has " + std::to_string(rank) + " axes";
    axis = checkAxis(*call.arguments[0].value, slice.type.rank(), wanted);
    if (!axis)
      return nullptr;
  }
  return make(ExtentExpr{{types.get(TypeKind::I64), call.range}, &slice, axis});
}

} // namespace spl::sema
