// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/ValueRanges.h"
#include "spl/abi/Limits.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

namespace spl::sema {

using Op = syntax::BinaryOp;

static MaybeRange ofType(Type type) {
  if (type.isBool())
    return ValueRange{0, 1};
  if (type.isSignedInt() || type.isEnum())
    return ValueRange{llvm::minIntN(type.bits()), llvm::maxIntN(type.bits())};
  if (type.isUnsignedInt() && type.bits() < 64)
    return ValueRange{0, int64_t(llvm::maxUIntN(type.bits()))};
  return std::nullopt;
}

bool holds(Type type, MaybeRange range) {
  if (!range)
    return false;
  if (type.isUnsignedInt() && type.bits() == 64)
    return range->least >= 0;
  MaybeRange all = ofType(type);
  return all && all->least <= range->least && range->most <= all->most;
}

/// The range if the type holds it, else all values of the type, because a value may have wrapped.
static MaybeRange fitted(Type type, MaybeRange range) {
  return holds(type, range) ? range : ofType(type);
}

static ValueRange join(ValueRange a, ValueRange b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

//===-- Arithmetic without wrapping --===//

static MaybeRange sum(ValueRange a, ValueRange b) {
  ValueRange result;
  if (llvm::AddOverflow(a.least, b.least, result.least) ||
      llvm::AddOverflow(a.most, b.most, result.most))
    return std::nullopt;
  return result;
}

static MaybeRange difference(ValueRange a, ValueRange b) {
  ValueRange result;
  if (llvm::SubOverflow(a.least, b.most, result.least) ||
      llvm::SubOverflow(a.most, b.least, result.most))
    return std::nullopt;
  return result;
}

static MaybeRange product(ValueRange a, ValueRange b) {
  int64_t corners[4];
  if (llvm::MulOverflow(a.least, b.least, corners[0]) ||
      llvm::MulOverflow(a.least, b.most, corners[1]) ||
      llvm::MulOverflow(a.most, b.least, corners[2]) ||
      llvm::MulOverflow(a.most, b.most, corners[3]))
    return std::nullopt;
  return ValueRange{*std::min_element(corners, corners + 4),
                    *std::max_element(corners, corners + 4)};
}

// A power of a base that may be negative can have any sign below its largest magnitude.
static MaybeRange power(ValueRange base, ValueRange exponent) {
  if (exponent.least < 0 || exponent.most > 63)
    return std::nullopt;
  MaybeRange result = ValueRange{1, 1};
  for (int64_t count = 0; count != exponent.most && result; ++count) {
    result = product(*result, base);
    if (result)
      result = join(*result, {1, 1}); // of a smaller exponent
  }
  return result;
}

/// The value if the range has only one.
static std::optional<int64_t> single(MaybeRange range) {
  return range && range->least == range->most ? std::optional(range->least) : std::nullopt;
}

static MaybeRange arithmetic(Op op, ValueRange lhs, ValueRange rhs) {
  switch (op) {
  case Op::Add:
    return sum(lhs, rhs);
  case Op::Sub:
    return difference(lhs, rhs);
  case Op::Mul:
    return product(lhs, rhs);
  case Op::Pow:
    return power(lhs, rhs);
  default:
    return std::nullopt;
  }
}

MaybeRange ValueRanges::unbounded(const BinaryExpr &expr) const {
  MaybeRange lhs = of(*expr.lhs), rhs = of(*expr.rhs);
  return lhs && rhs ? arithmetic(expr.op, *lhs, *rhs) : std::nullopt;
}

//===-- Expressions --===//

static MaybeRange quotient(ValueRange a, int64_t by) {
  return by > 0 ? MaybeRange({a.least / by, a.most / by}) : std::nullopt;
}

static MaybeRange remainder(ValueRange a, ValueRange by) {
  if (by.least < -std::numeric_limits<int64_t>::max())
    return std::nullopt;
  const int64_t most = std::max<int64_t>(std::max(-by.least, by.most) - 1, 0);
  return ValueRange{a.least < 0 ? std::max(-most, a.least) : 0,
                    a.most > 0 ? std::min(most, a.most) : 0};
}

/// The range of a & b, a | b or a ^ b.
static MaybeRange bitwise(Op op, ValueRange a, ValueRange b) {
  if (op == Op::BitAnd && (a.least >= 0 || b.least >= 0))
    return ValueRange{0, a.least < 0 ? b.most : b.least < 0 ? a.most : std::min(a.most, b.most)};
  if (op == Op::BitAnd || a.least < 0 || b.least < 0)
    return std::nullopt;
  const uint64_t all = llvm::NextPowerOf2(uint64_t(std::max(a.most, b.most))) - 1;
  return ValueRange{0, int64_t(all)};
}

MaybeRange ValueRanges::ofBinary(const BinaryExpr &expr) const {
  MaybeRange lhs = of(*expr.lhs), rhs = of(*expr.rhs);
  // A remainder or a mask of a u64 is small if the other operand is.
  if ((expr.op == Op::Rem || expr.op == Op::BitAnd) && expr.type.isUnsignedInt())
    for (MaybeRange *side : {&lhs, &rhs})
      if (!*side)
        *side = ValueRange{0, std::numeric_limits<int64_t>::max()};
  if (!lhs || !rhs)
    return std::nullopt;
  const std::optional<int64_t> constant = single(rhs);
  const bool isCount = constant && *constant >= 0 && *constant < int64_t(expr.type.bits());
  switch (expr.op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Pow:
    return arithmetic(expr.op, *lhs, *rhs);
  case Op::Div:
    return constant ? quotient(*lhs, *constant) : std::nullopt;
  case Op::Rem:
    return remainder(*lhs, *rhs);
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
    return bitwise(expr.op, *lhs, *rhs);
  case Op::Shl:
    return isCount && *constant < 63
               ? product(*lhs, {int64_t(1) << *constant, int64_t(1) << *constant})
               : std::nullopt;
  case Op::Shr:
    return isCount ? MaybeRange({lhs->least >> *constant, lhs->most >> *constant}) : std::nullopt;
  default:
    return std::nullopt;
  }
}

MaybeRange ValueRanges::ofIntrinsic(const IntrinsicExpr &expr) const {
  using Id = intrinsics::Id;
  auto argument = [&](unsigned index) { return of(*expr.arguments[index]); };
  auto least = [](MaybeRange a, MaybeRange b) -> MaybeRange {
    return a && b ? MaybeRange({std::min(a->least, b->least), std::min(a->most, b->most)})
                  : std::nullopt;
  };
  auto largest = [](MaybeRange a, MaybeRange b) -> MaybeRange {
    return a && b ? MaybeRange({std::max(a->least, b->least), std::max(a->most, b->most)})
                  : std::nullopt;
  };
  switch (expr.id) {
  case Id::LocalId:
    return ValueRange{0, abi::maxLocalSize[expr.axis] - 1};
  case Id::LocalSize:
    return ValueRange{1, abi::maxLocalSize[expr.axis]};
  case Id::GroupId:
    return ValueRange{0, abi::maxGroups[expr.axis] - 1};
  case Id::NumGroups:
    return ValueRange{1, abi::maxGroups[expr.axis]};
  case Id::LaneId:
    return ValueRange{0, abi::warpSize - 1};
  case Id::WarpSize:
    return ValueRange{1, abi::warpSize};
  case Id::WarpId:
    return ValueRange{0, abi::maxGroupSize - 1}; // a warp may have one lane
  case Id::GlobalId:
  case Id::GlobalSize:
    return ValueRange{0, abi::maxExtent};
  case Id::Popcount:
  case Id::Clz:
  case Id::Ctz:
    return ValueRange{0, int64_t(expr.type.bits())};
  case Id::Min:
    return least(argument(0), argument(1));
  case Id::Max:
    return largest(argument(0), argument(1));
  case Id::Clamp:
    return least(largest(argument(0), argument(1)), argument(2));
  default:
    return std::nullopt;
  }
}

MaybeRange ValueRanges::of(const Expr &expr) const {
  if (!ofType(expr.type) && !expr.type.isInt())
    return std::nullopt;
  MaybeRange range;
  switch (expr.kind) {
  case Expr::Kind::Constant: {
    const llvm::APInt &value = llvm::cast<ConstantExpr>(expr).intValue;
    if (expr.type.isUnsignedInt() && value.getActiveBits() < 64)
      range = ValueRange{int64_t(value.getZExtValue()), int64_t(value.getZExtValue())};
    else if (expr.type.isSignedInt() || expr.type.isEnum())
      range = ValueRange{value.getSExtValue(), value.getSExtValue()};
    break;
  }
  case Expr::Kind::Local:
    if (auto found = known.find(llvm::cast<LocalExpr>(expr).local); found != known.end())
      return found->second;
    break;
  case Expr::Kind::Cast:
    range = of(*llvm::cast<CastExpr>(expr).operand);
    break;
  case Expr::Kind::Unary: {
    auto &unary = llvm::cast<UnaryExpr>(expr);
    MaybeRange operand = of(*unary.operand);
    if (operand && unary.op == syntax::UnaryOp::Neg)
      range = difference({0, 0}, *operand);
    else if (operand && expr.type.isSignedInt()) // ~x is -1 - x
      range = difference({-1, -1}, *operand);
    break;
  }
  case Expr::Kind::Binary:
    range = ofBinary(llvm::cast<BinaryExpr>(expr));
    break;
  case Expr::Kind::Conditional: {
    auto &conditional = llvm::cast<ConditionalExpr>(expr);
    MaybeRange then = of(*conditional.then), other = of(*conditional.other);
    if (then && other)
      range = join(*then, *other);
    break;
  }
  case Expr::Kind::Intrinsic:
    range = ofIntrinsic(llvm::cast<IntrinsicExpr>(expr));
    break;
  case Expr::Kind::Extent:
    return ValueRange{0, abi::maxExtent};
  default:
    break;
  }
  return fitted(expr.type, range);
}

MaybeRange ValueRanges::ofLoop(const Expr &lower, const Expr &upper, bool isInclusive,
                               const Expr *step) const {
  MaybeRange from = of(lower), to = of(upper), by = step ? of(*step) : ValueRange{1, 1};
  if (!from || !to || !by)
    return std::nullopt;
  if (by->least > 0) // counts up
    return ValueRange{from->least, to->most > from->least ? to->most - !isInclusive : from->least};
  return join(*from, *to);
}

void ValueRanges::declare(const Local &local, MaybeRange range) {
  MaybeRange all = ofType(local.type);
  if (range && (!all || range->least > all->least || range->most < all->most))
    known[&local] = *range;
}

} // namespace spl::sema
