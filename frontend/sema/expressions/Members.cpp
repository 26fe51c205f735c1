// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Members.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Modules.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/sema/expressions/TypeNumbers.h"

namespace spl::sema {

// Checks Level.High.
static const Expr *checkEnumMember(Session &session, const syntax::MemberExpr &expr, Type type) {
  if (const EnumInfo::Member *member = type.enumInfo().member(expr.member.name))
    return makeConstant(session, type, expr.range, llvm::APInt(32, uint32_t(member->value)));
  TypoCorrection correction(expr.member.name);
  for (const EnumInfo::Member &member : type.enumInfo().members)
    correction.consider(member.name);
  session.diagnostics.emit(expr.member.range, diag::UnknownMember,
                           ("'" + shown(type.str()) + "'").str(), shown(expr.member.name),
                           didYouMean(correction.best()));
  return nullptr;
}

const Expr *checkMember(ExpressionContext &context, const syntax::MemberExpr &expr, Type expected) {
  if (isModule(context.scopes, *expr.base)) {
    if (isLiteral(expr))
      return checkLiteral(context.session, expr, false, expr.range, expected);
    const intrinsics::Row *row = findIntrinsic(expr);
    const intrinsics::MemoryRow *memory = findMemory(expr);
    if (row || memory) {
      StringRef name = row ? row->name : memory->name;
      bool hasAxis = row && intrinsics::signature(row->id).hasAxis();
      context.diagnostics.emit(expr.range, diag::NotAValue, name, "a function",
                               ("call it as '" + name + (hasAxis ? "(0)'" : "(...)'")).str());
    } else
      reportUnknownMember(context.session, expr);
    return nullptr;
  }
  if (Type type = namedType(context, *expr.base); type && type.isEnum())
    return checkEnumMember(context.session, expr, type);
  else if (type && type.isError())
    return nullptr;
  else if (type && type.lane().isNumber())
    return checkTypeNumber(context.session, expr, type);
  const Expr *base = checkValue(context, *expr.base);
  if (!base)
    return nullptr;
  StringRef member = expr.member.name;
  bool isExtent = member == "len" || (member == "dim" && base->type.isSlice());
  if (isExtent && (base->type.isSlice() || base->type.isArray()))
    context.diagnostics.emit(expr.range, diag::NotAValue, member, "a function",
                             ("call it as '" + shortText(expr.base->range) + "." + member + "(" +
                              (member == "dim" ? "0" : "") + ")'")
                                 .str());
  else
    return checkMemberOf(context.session, expr, *base);
  return nullptr;
}

static bool areLanes(StringRef name) { return name.find_first_not_of("xyzw") == StringRef::npos; }

// Returns "f32x2(v.x, v.y)" for v.xy.
static std::string lanesText(Type type, StringRef vector, StringRef name) {
  std::string text;
  for (char lane : name)
    text += ((text.empty() ? "" : ", ") + vector + ".").str() + lane;
  return type.element().str() + "x" + std::to_string(name.size()) + "(" + text + ")";
}

static void reportNoMember(Session &session, const syntax::MemberExpr &member, const Expr &base) {
  StringRef name = member.member.name;
  Type type = base.type;
  if (methodOf(session, type, name)) {
    session.diagnostics.emit(
        member.range, diag::NotAValue, shown(name), "a method",
        ("call it as '" + shortText(base.range) + "." + shown(name) + "(...)'").str());
    return;
  }
  std::string hint = ", as its type is " + type.str();
  std::string function = "math." + name.take_front(64).str();
  // An expression would be evaluated once for each lane.
  std::string text = base.kind == Expr::Kind::Local ? base.range.text().str() : "v";
  StringRef argument = shortText(base.range);
  argument = argument.empty() ? "..." : argument;
  if (argument.starts_with("(") && argument.ends_with(")"))
    argument = argument.drop_front().drop_back();
  if (type.isSlice())
    hint = "; its members are 'len' and 'dim'";
  else if (type.isArray())
    hint = "; it has 'len'";
  else if (type.isVector() && (name.size() == 2 || name.size() == 4) && areLanes(name))
    hint = "; write '" + lanesText(type, text, name) + "'";
  else if (type.lanes() >= 4 && name.size() == 1)
    hint = "; its lanes are x, y, z and w, and '" + text + "[i]' is lane i";
  else if (type.lane().isNumber() && intrinsics::find(function))
    hint = ("; write '" + function + "(" + argument + ")'").str();
  if (std::string known = foreignHint(syntax::Foreign::Slice, name, base.range.text());
      !known.empty() && (type.isSlice() || type.isArray()))
    hint = known;
  if (type.isStruct() && session.isListening()) {
    TypoCorrection correction(name);
    for (const StructInfo::Field &field : type.structInfo().fields)
      correction.consider(field.name);
    for (const auto &[method, index] : session.structEntries.lookup(&type.structInfo())->methods)
      correction.consider(method);
    if (!correction.best().empty())
      hint = didYouMean(correction.best());
  }
  session.diagnostics.emit(member.member.range, diag::UnknownMember, quoted(base.range),
                           shown(name), hint);
}

const Expr *checkMemberOf(Session &session, const syntax::MemberExpr &expr, const Expr &base) {
  Type type = base.type;
  StringRef name = expr.member.name;
  if (type.isStruct()) {
    if (!session.complete(*session.structEntries.lookup(&type.structInfo())))
      return nullptr;
    if (std::optional<unsigned> field = type.structInfo().field(name))
      return session.make(
          FieldExpr{{type.structInfo().fields[*field].type, expr.range}, &base, *field});
  }
  unsigned number;
  if (type.isTuple() && !name.getAsInteger(10, number) && number < type.elements().size())
    return session.make(FieldExpr{{type.elements()[number], expr.range}, &base, number});
  size_t lane = name.size() == 1 ? StringRef("xyzw").find(name.front()) : StringRef::npos;
  if (type.isVector() && lane < type.lanes()) {
    const Expr *index = makeConstant(session, session.types.get(TypeKind::I64), expr.member.range,
                                     llvm::APInt(64, lane));
    return session.make(LaneExpr{{type.element(), expr.range}, &base, index});
  }
  reportNoMember(session, expr, base);
  return nullptr;
}

std::optional<unsigned> methodOf(Session &session, Type type, StringRef name) {
  if (!type.isStruct())
    return std::nullopt;
  const auto &methods = session.structEntries.lookup(&type.structInfo())->methods;
  auto found = methods.find(name);
  return found == methods.end() ? std::nullopt : std::optional(found->second);
}

} // namespace spl::sema
