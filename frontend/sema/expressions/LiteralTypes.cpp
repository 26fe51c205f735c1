// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where literals get their types from: a tree of literals has none of its own and takes the one
// expected there, which is the other operand's where there is one.
#include "frontend/sema/BodyChecker.h"
#include "llvm/ADT/StringSwitch.h"

namespace spl::sema {

StringRef mathConstant(const syntax::MemberExpr &member) {
  if (member.base->kind != syntax::Expr::Kind::Name ||
      static_cast<const syntax::NameExpr &>(*member.base).name != "math")
    return {};
  return llvm::StringSwitch<StringRef>(member.member.name)
      .Case("PI", "3.14159265358979323846264338327950288")
      .Case("E", "2.71828182845904523536028747135266250")
      .Case("TAU", "6.28318530717958647692528676655900577")
      .Case("INF", "inf")
      .Case("NAN", "nan")
      .Default({});
}

bool isLiteral(const syntax::Expr &expr) {
  using Kind = syntax::Expr::Kind;
  return expr.kind == Kind::Int || expr.kind == Kind::Float ||
         (expr.kind == Kind::Member &&
          !mathConstant(static_cast<const syntax::MemberExpr &>(expr)).empty());
}

const syntax::Expr *literalOf(const syntax::Expr &expr, bool &isNegative) {
  isNegative = false;
  if (isLiteral(expr))
    return &expr;
  if (expr.kind != syntax::Expr::Kind::Unary)
    return nullptr;
  auto &unary = static_cast<const syntax::UnaryExpr &>(expr);
  isNegative = unary.op == syntax::UnaryOp::Neg;
  return isNegative && isLiteral(*unary.operand) ? unary.operand : nullptr;
}

static LiteralClass join(LiteralClass a, LiteralClass b) { return std::max(a, b); }

// Remembered, because every level of a deep expression asks about what is below it.
LiteralClass BodyChecker::classify(const syntax::Expr &expr) {
  using Kind = syntax::Expr::Kind;
  bool isDeep = expr.kind == Kind::Unary || expr.kind == Kind::Binary ||
                expr.kind == Kind::Conditional || expr.kind == Kind::Call;
  if (!isDeep)
    return computeClass(expr);
  if (auto known = classes.find(&expr); known != classes.end())
    return known->second;
  LiteralClass computed = computeClass(expr);
  classes[&expr] = computed;
  return computed;
}

// Whether the result has the type of the operands.
static bool keepsType(syntax::BinaryOp op) {
  return !syntax::isComparison(op) && syntax::familyOf(op) != syntax::OperatorFamily::Logical;
}

LiteralClass BodyChecker::computeClass(const syntax::Expr &expr) {
  using Kind = syntax::Expr::Kind;
  switch (expr.kind) {
  case Kind::Int:
    return static_cast<const syntax::IntExpr &>(expr).suffix.empty() ? LiteralClass::Int
                                                                     : LiteralClass::Rigid;
  case Kind::Float:
    return static_cast<const syntax::FloatExpr &>(expr).suffix.empty() ? LiteralClass::Float
                                                                       : LiteralClass::Rigid;
  case Kind::Unary: {
    auto &unary = static_cast<const syntax::UnaryExpr &>(expr);
    return unary.op == syntax::UnaryOp::Not ? LiteralClass::Rigid : classify(*unary.operand);
  }
  case Kind::Binary: {
    auto &binary = static_cast<const syntax::BinaryExpr &>(expr);
    if (!keepsType(binary.op))
      return LiteralClass::Rigid;
    LiteralClass lhs = classify(*binary.lhs);
    return syntax::isShift(binary.op) || lhs == LiteralClass::Rigid
               ? lhs
               : join(lhs, classify(*binary.rhs));
  }
  case Kind::Conditional: {
    auto &conditional = static_cast<const syntax::ConditionalExpr &>(expr);
    return join(classify(*conditional.then), classify(*conditional.other));
  }
  case Kind::Call:
    return classifyCall(static_cast<const syntax::CallExpr &>(expr));
  case Kind::Member:
    return isLiteral(expr) ? LiteralClass::Float : LiteralClass::Rigid;
  case Kind::Bool:
  case Kind::Name:
  case Kind::CompareChain:
  case Kind::Cast:
  case Kind::Index:
  case Kind::Range:
  case Kind::Array:
  case Kind::Tuple:
  case Kind::PlaceRef:
  case Kind::String:
  case Kind::Error:
    return LiteralClass::Rigid;
  }
  llvm_unreachable("every kind is handled");
}

// math.sqrt(2.0) is of the type that is expected of it, as 2.0 is.
LiteralClass BodyChecker::classifyCall(const syntax::CallExpr &call) {
  if (call.callee->kind != syntax::Expr::Kind::Member)
    return LiteralClass::Rigid;
  const intrinsics::Row *row = findIntrinsic(static_cast<const syntax::MemberExpr &>(*call.callee));
  if (!row || call.arguments.empty())
    return LiteralClass::Rigid;
  const intrinsics::Signature &signature = intrinsics::signature(row->id);
  if (signature.results.size() != 1 || !signature.results.front().isLetter())
    return LiteralClass::Rigid;
  bool isFloat = signature.results.front().kind == intrinsics::Signature::Kind::Float;
  LiteralClass all = isFloat ? LiteralClass::Float : LiteralClass::Int;
  for (auto [argument, slot] : llvm::zip(call.arguments, signature.parameters))
    if (slot.isLetter())
      all = join(all, classify(*argument.value));
  return all;
}

Type BodyChecker::literalType(LiteralClass literals, Type expected) const {
  bool isFloat = literals == LiteralClass::Float;
  // A whole literal may stand where a float is expected, not the other way.
  // Beside a vector it is as one of its lanes.
  if (expected && (isFloat ? expected.lane().isFloat() : expected.lane().isNumber()))
    return expected.lane();
  return types.get(isFloat ? TypeKind::F32 : TypeKind::I64);
}

std::pair<const Expr *, const Expr *>
BodyChecker::checkPair(const syntax::Expr &lhs, const syntax::Expr &rhs, Type expected) {
  LiteralClass left = classify(lhs), right = classify(rhs);
  bool isLeftRigid = left == LiteralClass::Rigid, isRightRigid = right == LiteralClass::Rigid;
  if (!isLeftRigid && !isRightRigid) {
    Type type = literalType(join(left, right), expected);
    const Expr *first = checkValue(lhs, type);
    return {first, checkValue(rhs, type)};
  }
  if (isLeftRigid) {
    const Expr *first = checkValue(lhs, expected);
    Type type = isRightRigid ? expected : first ? first->type : Type();
    return {first, checkValue(rhs, type)};
  }
  const Expr *second = checkValue(rhs, expected);
  return {checkValue(lhs, second ? second->type : Type()), second};
}

} // namespace spl::sema
