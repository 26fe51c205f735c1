// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/Modules.h"
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

// Whether the result of an operator has the type of its operands.
static bool keepsType(syntax::BinaryOp op) {
  return !syntax::isComparison(op) && syntax::familyOf(op) != syntax::OperatorFamily::Logical;
}

// Classifies a call. The result of math.sqrt(2.0) takes the expected type, as 2.0 does.
static LiteralClass classifyCall(LiteralClasses &literals, const syntax::CallExpr &call) {
  if (call.callee->kind != syntax::Expr::Kind::Member)
    return LiteralClass::Rigid;
  const intrinsics::Row *row = findIntrinsic(static_cast<const syntax::MemberExpr &>(*call.callee));
  if (!row || call.arguments.empty())
    return LiteralClass::Rigid;
  const intrinsics::Signature &signature = intrinsics::signature(row->id);
  if (signature.results.size() != 1 || !signature.results.front().isLetter())
    return LiteralClass::Rigid;
  if (signature.results.front().kind == intrinsics::Signature::Kind::Word)
    return LiteralClass::Rigid; // it does not have every type that may be expected
  bool isFloat = signature.results.front().kind == intrinsics::Signature::Kind::Float;
  LiteralClass all = isFloat ? LiteralClass::Float : LiteralClass::Int;
  for (auto [argument, slot] : llvm::zip(call.arguments, signature.parameters))
    if (slot.isLetter())
      all = join(all, classify(literals, *argument.value));
  return all;
}

static LiteralClass computeClass(LiteralClasses &literals, const syntax::Expr &expr) {
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
    return unary.op == syntax::UnaryOp::Not ? LiteralClass::Rigid
                                            : classify(literals, *unary.operand);
  }
  case Kind::Binary: {
    auto &binary = static_cast<const syntax::BinaryExpr &>(expr);
    if (!keepsType(binary.op))
      return LiteralClass::Rigid;
    LiteralClass lhs = classify(literals, *binary.lhs);
    return syntax::isShift(binary.op) || lhs == LiteralClass::Rigid
               ? lhs
               : join(lhs, classify(literals, *binary.rhs));
  }
  case Kind::Conditional: {
    auto &conditional = static_cast<const syntax::ConditionalExpr &>(expr);
    return join(classify(literals, *conditional.then), classify(literals, *conditional.other));
  }
  case Kind::Call:
    return classifyCall(literals, static_cast<const syntax::CallExpr &>(expr));
  case Kind::Member:
    return isLiteral(expr) ? LiteralClass::Float : LiteralClass::Rigid;
  case Kind::Bool:
  case Kind::Name:
  case Kind::CompareChain:
  case Kind::Cast:
  case Kind::Index:
  case Kind::Range:
  case Kind::Array:
  case Kind::Comprehension:
  case Kind::Tuple:
  case Kind::PlaceRef:
  case Kind::TypeTest:
  case Kind::String:
  case Kind::Error:
    return LiteralClass::Rigid;
  }
  llvm_unreachable("every kind is handled");
}

LiteralClass classify(LiteralClasses &literals, const syntax::Expr &expr) {
  using Kind = syntax::Expr::Kind;
  bool isDeep = expr.kind == Kind::Unary || expr.kind == Kind::Binary ||
                expr.kind == Kind::Conditional || expr.kind == Kind::Call;
  if (!isDeep)
    return computeClass(literals, expr);
  if (auto known = literals.find(&expr); known != literals.end())
    return known->second;
  LiteralClass computed = computeClass(literals, expr);
  literals[&expr] = computed;
  return computed;
}

Type literalType(Session &session, LiteralClass literals, Type expected) {
  bool isFloat = literals == LiteralClass::Float;
  // An integer literal can have a float type, but a float literal cannot have an integer type.
  // Beside a vector, a literal has the type of a lane.
  if (expected && (isFloat ? expected.lane().isFloat() : expected.lane().isNumber()))
    return expected.lane();
  return session.types.get(isFloat ? TypeKind::F32 : TypeKind::I64);
}

std::pair<const Expr *, const Expr *> checkPair(ExpressionContext &context, const syntax::Expr &lhs,
                                                const syntax::Expr &rhs, Type expected) {
  LiteralClass left = classify(context.literals, lhs), right = classify(context.literals, rhs);
  bool isLeftRigid = left == LiteralClass::Rigid, isRightRigid = right == LiteralClass::Rigid;
  if (!isLeftRigid && !isRightRigid) {
    Type type = literalType(context.session, join(left, right), expected);
    const Expr *first = checkValue(context, lhs, type);
    return {first, checkValue(context, rhs, type)};
  }
  if (isLeftRigid) {
    const Expr *first = checkValue(context, lhs, expected);
    Type type = isRightRigid ? expected : first ? first->type : Type();
    return {first, checkValue(context, rhs, type)};
  }
  const Expr *second = checkValue(context, rhs, expected);
  return {checkValue(context, lhs, second ? second->type : Type()), second};
}

} // namespace spl::sema
