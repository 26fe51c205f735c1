// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Members.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/Functions.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Modules.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/sema/expressions/TypeNumbers.h"
#include "llvm/ADT/StringSwitch.h"

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

/// "1" for the 'y' of 'threadIdx.y'. Empty for members that are no axis.
static StringRef axisNamed(StringRef member) {
  return llvm::StringSwitch<StringRef>(member).Case("x", "0").Case("y", "1").Case("z", "2").Default(
      "");
}

/// Reports 'threadIdx.y', once for each axis. Returns false for other expressions.
static bool reportForeignId(ExpressionContext &context, const syntax::MemberExpr &expr) {
  StringRef axis = axisNamed(expr.member.name);
  if (axis.empty() || !isUndeclared(context.session, context.scopes, *expr.base))
    return false;
  StringRef name = static_cast<const syntax::NameExpr &>(*expr.base).name;
  std::string hint = foreignHint(syntax::Foreign::Value, name, axis);
  if (hint.empty())
    return false;
  if (!context.nameReports.lostStatement &&
      context.nameReports.unknown.insert(expr.range.text()).second)
    context.diagnostics.emit(expr.base->range, diag::UnknownName, shown(name), hint);
  return true;
}

namespace {
/// The meaning of 'threadIdx.y': the name of this language, and the number of the axis.
struct ForeignId {
  StringRef name, axis;
};
} // namespace

/// The id that an expression such as 'threadIdx.y' is. It has no axis if the expression is no id.
static ForeignId foreignId(ExpressionContext &context, const syntax::Expr &expr) {
  auto *member = llvm::dyn_cast<syntax::MemberExpr>(&expr);
  if (!member || !isUndeclared(context.session, context.scopes, *member->base))
    return {};
  StringRef name =
      llvm::StringSwitch<StringRef>(static_cast<const syntax::NameExpr &>(*member->base).name)
          .Case("threadIdx", "local_id")
          .Case("thread_idx", "local_id")
          .Case("blockIdx", "group_id")
          .Case("block_idx", "group_id")
          .Case("blockDim", "local_size")
          .Case("block_dim", "local_size")
          .Default("");
  return name.empty() ? ForeignId() : ForeignId{name, axisNamed(member->member.name)};
}

/// The terms of a sum, from left to right.
static void addTerms(const syntax::Expr *expr, llvm::SmallVectorImpl<const syntax::Expr *> &terms) {
  auto *sum = llvm::dyn_cast<syntax::BinaryExpr>(expr);
  if (!sum || sum->op != syntax::BinaryOp::Add) {
    terms.push_back(expr);
    return;
  }
  addTerms(sum->lhs, terms);
  addTerms(sum->rhs, terms);
}

namespace {
/// The sum of 'blockIdx.x * blockDim.x', or 'blockIdx.x * 256', and 'threadIdx.x'.
struct ForeignGlobalId {
  StringRef axis;      ///< empty if the terms are no such sum
  StringRef groupSize; ///< '256'; empty for 'blockDim.x'
};
} // namespace

static ForeignGlobalId foreignGlobalId(ExpressionContext &context, const syntax::Expr *term,
                                       const syntax::Expr *rest) {
  auto *product = llvm::dyn_cast<syntax::BinaryExpr>(term);
  const ForeignId local = foreignId(context, *rest);
  if (!product || product->op != syntax::BinaryOp::Mul || local.name != "local_id")
    return {};
  const syntax::Expr *factor = product->rhs;
  ForeignId group = foreignId(context, *product->lhs);
  if (group.name != "group_id") {
    factor = product->lhs;
    group = foreignId(context, *product->rhs);
  }
  if (group.name != "group_id" || group.axis != local.axis)
    return {};
  const ForeignId size = foreignId(context, *factor);
  if (size.name == "local_size" && size.axis == local.axis)
    return {local.axis, ""};
  if (llvm::isa<syntax::IntExpr, syntax::NameExpr>(factor))
    return {local.axis, shortText(factor->range)};
  return {};
}

bool reportForeignGlobalId(ExpressionContext &context, const syntax::BinaryExpr &sum) {
  llvm::SmallVector<const syntax::Expr *, 4> left, right;
  addTerms(sum.lhs, left);
  addTerms(sum.rhs, right);
  for (const syntax::Expr *first : left)
    for (const syntax::Expr *second : right) {
      ForeignGlobalId id = foreignGlobalId(context, first, second);
      if (id.axis.empty())
        id = foreignGlobalId(context, second, first);
      if (id.axis.empty())
        continue;
      if (context.nameReports.lostStatement ||
          !context.nameReports.unknown.insert(sum.range.text()).second)
        return true;
      const bool isAlone = left.size() + right.size() == 2;
      const std::string ours = ("gpu.global_id(" + id.axis + ")").str();
      std::string hint = isAlone ? "; for this sum, write '" + ours + "'"
                                 : ("; for the sum of '" + shortText(first->range) + "' and '" +
                                    shortText(second->range) + "', write '" + ours + "'")
                                       .str();
      if (!id.groupSize.empty())
        hint += (", if " + id.groupSize + " is the size of a group").str();
      StringRef name = first->range.text().split('.').first;
      name = name.take_back(name.size() - (name.find_last_of(" *(") + 1)); // of '256 * blockIdx'
      auto report = context.diagnostics.emit(isAlone ? sum.range : first->range, diag::UnknownName,
                                             shown(name), hint);
      if (isAlone && id.groupSize.empty())
        report.fix(ours);
      return true;
    }
  return false;
}

/// Reports the name of a function of a module without a call. `axis` is empty if it is not known.
static void reportUncalled(ExpressionContext &context, const syntax::MemberExpr &expr,
                           StringRef name, const intrinsics::Row *row, StringRef axis) {
  const bool hasAxis = row && intrinsics::signature(row->id).hasAxis();
  const bool isEmpty = row && intrinsics::signature(row->id).positionalCount() == 0;
  StringRef argument = isEmpty ? "" : !hasAxis ? "..." : axis.empty() ? "0" : axis;
  context.diagnostics.emit(expr.range, diag::NotAValue, name, "a function",
                           ("call it as '" + name + "(" + argument + ")'").str());
}

const Expr *checkMember(ExpressionContext &context, const syntax::MemberExpr &expr, Type expected) {
  if (isModule(context.scopes, *expr.base)) {
    if (isLiteral(expr))
      return checkLiteral(context.session, expr, false, expr.range, expected);
    const intrinsics::Row *row = findIntrinsic(expr);
    const intrinsics::MemoryRow *memory = findMemory(expr);
    if (row || memory)
      reportUncalled(context, expr, row ? row->name : memory->name, row, "");
    else
      reportUnknownMember(context.session, expr);
    return nullptr;
  }
  if (auto *id = llvm::dyn_cast<syntax::MemberExpr>(expr.base); // gpu.global_id.y
      id && isModule(context.scopes, *id->base)) {
    const StringRef axis = axisNamed(expr.member.name);
    if (const intrinsics::Row *row = findIntrinsic(*id)) {
      reportUncalled(context, *id, row->name, row, axis);
      return nullptr;
    }
    if (!axis.empty() && !foreignHint(syntax::Foreign::Value, id->member.name).empty()) {
      reportUnknownMember(context.session, *id, axis); // gpu.threadIdx.y
      return nullptr;
    }
  }
  if (reportForeignId(context, expr))
    return nullptr;
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
  if (hasMethod(session, type, name)) {
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
  else if (auto *id = llvm::dyn_cast<IntrinsicExpr>(&base);
           id && intrinsics::signature(id->id).hasAxis() && !axisNamed(name).empty())
    hint = writeHint((intrinsics::row(id->id).name + "(" + axisNamed(name) + ")").str());
  else if (type.lane().isNumber() && intrinsics::find(function))
    hint = ("; write '" + function + "(" + argument + ")'").str();
  if (std::string known = foreignHint(syntax::Foreign::Slice, name, base.range.text());
      !known.empty() && (type.isSlice() || type.isArray()))
    hint = known;
  if (type.isStruct() && session.isListening()) {
    TypoCorrection correction(name);
    for (const StructInfo::Field &field : type.structInfo().fields)
      correction.consider(field.name);
    for (const auto *method : session.structEntries.lookup(&type.structInfo())->item->methods)
      correction.consider(method->name.name);
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

bool hasMethod(Session &session, Type type, StringRef name) {
  return type.isStruct() &&
         methodNamed(*session.structEntries.lookup(&type.structInfo())->item, name);
}

std::optional<unsigned> methodOf(Session &session, Type type, StringRef name) {
  if (!type.isStruct())
    return std::nullopt;
  StructEntry &entry = *session.structEntries.lookup(&type.structInfo());
  if (auto found = entry.methods.find(name); found != entry.methods.end())
    return found->second;
  const syntax::FunctionItem *method = methodNamed(*entry.item, name);
  return method ? std::optional(addMethod(session, entry, *method)) : std::nullopt;
}

} // namespace spl::sema
