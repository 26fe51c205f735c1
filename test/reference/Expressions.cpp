// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates expressions, each once and from left to right.
#include "test/reference/Item.h"

using namespace spl;
using namespace spl::reference;
using llvm::cast;
using llvm::dyn_cast;
using sema::Expr;
using syntax::BinaryOp;

/// Applies \p f to each lane of a vector, or to a scalar.
template <class F> static Value lanewise(sema::Type type, F &&f) {
  if (!type.isVector())
    return Value::of(f(std::nullopt));
  std::vector<Value> lanes;
  for (unsigned lane = 0; lane != type.lanes(); ++lane)
    lanes.push_back(Value::of(f(std::optional(lane))));
  return Value::of(std::move(lanes));
}

static Bits laneOf(const Value &value, std::optional<unsigned> lane) {
  return lane ? value.parts[*lane].bits : value.bits;
}

//===-- Operators --===//

static Value constant(const sema::ConstantExpr &expr) {
  return Value::of(expr.isFloat ? expr.floatValue.bitcastToAPInt().getZExtValue()
                                : expr.intValue.getZExtValue());
}

/// Throws Faulted if a lane divides by zero or has a negative exponent.
static void checkOperands(Item &item, const sema::BinaryExpr &expr, const Value &rhs) {
  const sema::Type type = expr.rhs->type.lane();
  if (!type.isInt())
    return;
  lanewise(expr.rhs->type, [&](auto lane) {
    const std::int64_t value = asInteger(type, laneOf(rhs, lane));
    if ((expr.op == BinaryOp::Div || expr.op == BinaryOp::Rem) && value == 0)
      item.fail(FaultKind::DivisionByZero, expr.range.begin);
    if (expr.op == BinaryOp::Pow && type.isSignedInt() && value < 0)
      item.fail(FaultKind::NegativeExponent, expr.range.begin, value);
    return Bits{0};
  });
}

static Value operation(Item &item, const sema::BinaryExpr &expr) {
  const Value lhs = evaluate(item, *expr.lhs), rhs = evaluate(item, *expr.rhs);
  const sema::Type type = expr.lhs->type.lane();
  checkOperands(item, expr, rhs);
  return lanewise(expr.type, [&](auto lane) -> Bits {
    const Bits a = laneOf(lhs, lane);
    const Bits b = laneOf(rhs, expr.rhs->type.isVector() ? lane : std::nullopt);
    if (syntax::isComparison(expr.op))
      return reference::compare(expr.op, type, a, b);
    return syntax::isShift(expr.op) ? reference::shift(expr.op, type, a, b)
                                    : reference::binary(expr.op, type, a, b);
  });
}

static Value fusedProduct(Item &item, const sema::FmaExpr &expr) {
  Value c;
  if (expr.addendFirst)
    c = evaluate(item, *expr.c);
  const Value a = evaluate(item, *expr.a), b = evaluate(item, *expr.b);
  if (!expr.addendFirst)
    c = evaluate(item, *expr.c);
  const sema::Type type = expr.type.lane();
  auto signedBy = [&](bool isNegated, Bits bits) {
    return isNegated ? reference::unary(syntax::UnaryOp::Neg, type, bits) : bits;
  };
  return lanewise(expr.type, [&](auto lane) {
    return reference::fma(type, signedBy(expr.negateProduct, laneOf(a, lane)), laneOf(b, lane),
                          signedBy(expr.negateAddend, laneOf(c, lane)));
  });
}

static Value converted(Item &item, const sema::CastExpr &expr) {
  if (expr.type.isSlice())
    return Value::of(elementsOf(item, *expr.operand));
  const Value operand = evaluate(item, *expr.operand);
  return lanewise(expr.type, [&](auto lane) {
    return reference::convert(expr.operand->type.lane(), expr.type.lane(), laneOf(operand, lane));
  });
}

//===-- What evaluates only what it needs --===//

static Value logical(Item &item, const sema::LogicalExpr &expr) {
  const bool first = isTrue(item, *expr.lhs);
  Arm arm(item, 0);
  return Value::of(first == expr.isAnd ? isTrue(item, *expr.rhs) : first);
}

static Value chain(Item &item, const sema::CompareChainExpr &expr) {
  Value last = evaluate(item, *expr.operands[0]);
  Arm arm(item, 0);
  for (size_t i = 0; i != expr.ops.size(); ++i, arm.next()) {
    Value next = evaluate(item, *expr.operands[i + 1]);
    if (!reference::compare(expr.ops[i], expr.operands[i]->type, last.bits, next.bits))
      return Value::of(0);
    last = std::move(next);
  }
  return Value::of(1);
}

static Value conditional(Item &item, const sema::ConditionalExpr &expr) {
  const bool isThen = isTrue(item, *expr.condition);
  Arm arm(item, Arm::ofBranch(isThen));
  return evaluate(item, isThen ? *expr.then : *expr.other);
}

//===-- Parts --===//

static Value build(Item &item, const sema::BuildExpr &expr) {
  std::vector<Value> parts(expr.parts.size());
  for (size_t i = 0; i != parts.size(); ++i) {
    const size_t part = expr.written.empty() ? i : expr.written[i];
    parts[part] = evaluate(item, *expr.parts[part]);
  }
  if (parts.size() == 1)
    parts.resize(partCount(expr.type), parts.front());
  return Value::of(std::move(parts));
}

static Value extent(Item &item, const sema::ExtentExpr &expr) {
  const Slice slice = elementsOf(item, *expr.slice);
  if (expr.axis)
    return Value::of(static_cast<Bits>(slice.extents[*expr.axis]));
  std::int64_t count = 1;
  for (unsigned axis = 0; axis != (expr.slice->type.isSlice() ? expr.slice->type.rank() : 1);
       ++axis)
    count *= slice.extents[axis];
  return Value::of(static_cast<Bits>(count));
}

static Value atPlace(Item &item, const Expr &expr) {
  return load(expr.type, used(placeOf(item, expr)));
}

Value reference::evaluate(Item &item, const Expr &expr) {
  using Kind = Expr::Kind;
  switch (expr.kind) {
  case Kind::Constant:
    return constant(*cast<sema::ConstantExpr>(&expr));
  case Kind::Local: {
    const sema::Local *local = cast<sema::LocalExpr>(&expr)->local;
    return expr.type.isSlice() ? Value::of(item.frame->slices.at(local))
                               : load(expr.type, item.frame->memory.at(local));
  }
  case Kind::PlaceValue:
    return load(expr.type, used(*item.assigned));
  case Kind::Unary: {
    auto &unary = *cast<sema::UnaryExpr>(&expr);
    const Value operand = evaluate(item, *unary.operand);
    return lanewise(expr.type, [&](auto lane) {
      return reference::unary(unary.op, expr.type.lane(), laneOf(operand, lane));
    });
  }
  case Kind::Binary:
    return operation(item, *cast<sema::BinaryExpr>(&expr));
  case Kind::Logical:
    return logical(item, *cast<sema::LogicalExpr>(&expr));
  case Kind::CompareChain:
    return chain(item, *cast<sema::CompareChainExpr>(&expr));
  case Kind::Conditional:
    return conditional(item, *cast<sema::ConditionalExpr>(&expr));
  case Kind::Cast:
    return converted(item, *cast<sema::CastExpr>(&expr));
  case Kind::Fma:
    return fusedProduct(item, *cast<sema::FmaExpr>(&expr));
  case Kind::Index:
    if (cast<sema::IndexExpr>(&expr)->base->type.isSlice() && expr.type.isSlice())
      return Value::of(rowOf(item, *cast<sema::IndexExpr>(&expr)));
    return atPlace(item, expr);
  case Kind::Field:
  case Kind::Lane:
  case Kind::ConstantData:
    return atPlace(item, expr);
  case Kind::Reference:
    return Value::of(Slice{used(placeOf(item, *cast<sema::ReferenceExpr>(&expr)->place)), {1}});
  case Kind::Subslice:
    return Value::of(subsliceOf(item, *cast<sema::SubsliceExpr>(&expr)));
  case Kind::Build:
    return build(item, *cast<sema::BuildExpr>(&expr));
  case Kind::Extent:
    return extent(item, *cast<sema::ExtentExpr>(&expr));
  case Kind::Intrinsic:
    return intrinsic(item, *cast<sema::IntrinsicExpr>(&expr));
  case Kind::Call:
    return call(item, *cast<sema::CallExpr>(&expr));
  case Kind::Atomic:
    return atomic(item, *cast<sema::AtomicExpr>(&expr));
  case Kind::Shared:
    return Value::of(shared(item, *cast<sema::SharedExpr>(&expr)));
  case Kind::SharedDyn:
    return Value::of(sharedDynamic(item, *cast<sema::SharedDynExpr>(&expr)));
  case Kind::Access:
    return access(item, *cast<sema::AccessExpr>(&expr));
  }
  llvm_unreachable("an expression has a kind");
}

bool reference::isTrue(Item &item, const Expr &condition) {
  return evaluate(item, condition).bits != 0;
}

std::int64_t reference::indexOf(Item &item, const Expr &expr) {
  return asInteger(expr.type, evaluate(item, expr).bits);
}
