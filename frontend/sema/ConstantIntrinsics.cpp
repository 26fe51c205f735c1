// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of math.* in constants.
#include "frontend/sema/Evaluator.h"

namespace spl::sema {

using intrinsics::Id;
using llvm::APFloat;
using llvm::APInt;

static constexpr auto nearest = llvm::RoundingMode::NearestTiesToEven;

static Number numberOf(const ConstantExpr &constant) {
  if (constant.isFloat)
    return constant.floatValue;
  return llvm::APSInt(constant.intValue, /*isUnsigned=*/!Evaluator::isSigned(constant.type));
}

const Expr *Evaluator::evaluateIntrinsic(const IntrinsicExpr &expr) {
  llvm::SmallVector<const Expr *, 3> arguments;
  for (const Expr *argument : expr.arguments) {
    arguments.push_back(evaluate(*argument));
    if (!arguments.back())
      return nullptr;
  }
  if (expr.id == Id::Bitcast)
    return bitcast(expr, *arguments.front());
  if (expr.id == Id::Sincos)
    return sincos(expr, arguments.front());
  auto apply = [&](auto... lane) -> Scalar {
    std::optional<Number> value = mathOf(expr.id, {numberOf(*lane)...});
    return value ? number(expr.type.lane(), expr.range, *value) : notConstant(expr);
  };
  if (const Expr *value = acrossLanes(expr, arguments))
    return value;
  switch (arguments.size()) {
  case 1:
    return laneByLane(expr.type, expr.range, apply, arguments[0]);
  case 2:
    return laneByLane(expr.type, expr.range, apply, arguments[0], arguments[1]);
  case 3:
    return laneByLane(expr.type, expr.range, apply, arguments[0], arguments[1], arguments[2]);
  default:
    return notConstant(expr);
  }
}

Evaluator::Scalar Evaluator::number(Type type, SourceRange range, const Number &value) {
  if (auto *real = std::get_if<APFloat>(&value))
    return number(type, range, *real);
  return number(type, range, APInt(std::get<llvm::APSInt>(value)));
}

const Expr *Evaluator::sincos(const IntrinsicExpr &expr, const Expr *argument) {
  llvm::SmallVector<const Expr *, 2> parts;
  constexpr Id ids[] = {Id::Sin, Id::Cos};
  for (auto [id, type] : llvm::zip_equal(ids, expr.type.elements())) {
    auto apply = [&, id = id](Scalar lane) {
      return number(lane->type, expr.range, *mathOf(id, numberOf(*lane)));
    };
    parts.push_back(laneByLane(type, expr.range, apply, argument));
  }
  return make(BuildExpr{{expr.type, expr.range}, ArrayRef<const Expr *>(parts).copy(arena), {}});
}

//===-- Bits --===//

llvm::SmallVector<Evaluator::Scalar, 8> Evaluator::lanesOf(const Expr *value, Type type) {
  if (!type.isVector())
    return {llvm::cast<ConstantExpr>(value)};
  llvm::SmallVector<Scalar, 8> lanes;
  for (unsigned lane = 0; lane != type.lanes(); ++lane)
    lanes.push_back(llvm::cast<ConstantExpr>(part(value, lane)));
  return lanes;
}

// The first lane has the lowest bits.
const Expr *Evaluator::bitcast(const IntrinsicExpr &expr, const Expr &argument) {
  const Type from = expr.arguments.front()->type, to = expr.type.lane();
  const unsigned width = from.lane().bits();
  APInt bits(width * from.lanes(), 0);
  for (auto [index, lane] : llvm::enumerate(lanesOf(&argument, from)))
    bits.insertBits(lane->isFloat ? lane->floatValue.bitcastToAPInt() : lane->intValue,
                    index * width);
  llvm::SmallVector<const Expr *, 8> parts;
  for (unsigned lane = 0; lane != expr.type.lanes(); ++lane) {
    APInt part = bits.extractBits(to.bits(), lane * to.bits());
    parts.push_back(to.isFloat() ? number(to, expr.range, APFloat(semanticsOf(to), part))
                                 : number(to, expr.range, part));
  }
  if (!expr.type.isVector())
    return parts.front();
  return make(BuildExpr{{expr.type, expr.range}, ArrayRef<const Expr *>(parts).copy(arena), {}});
}

//===-- Vectors as a whole --===//

llvm::SmallVector<APFloat, 8> Evaluator::floatLanes(const Expr *vector, unsigned count) {
  llvm::SmallVector<APFloat, 8> lanes;
  for (unsigned lane = 0; lane != count; ++lane) {
    APFloat value = llvm::cast<ConstantExpr>(part(vector, lane))->floatValue;
    bool isLossy;
    if (APFloat::semanticsSizeInBits(value.getSemantics()) == 16)
      value.convert(APFloat::IEEEsingle(), nearest, &isLossy);
    lanes.push_back(value);
  }
  return lanes;
}

static APFloat fused(APFloat a, const APFloat &b, const APFloat &c) {
  a.fusedMultiplyAdd(b, c, nearest);
  return a;
}

static APFloat dot(ArrayRef<APFloat> a, ArrayRef<APFloat> b) {
  APFloat sum = a[0] * b[0];
  for (size_t lane = 1; lane != a.size(); ++lane)
    sum = fused(a[lane], b[lane], sum);
  return sum;
}

static APFloat length(ArrayRef<APFloat> a) {
  return std::get<APFloat>(*mathOf(Id::Sqrt, Number(dot(a, a))));
}

static llvm::SmallVector<APFloat, 8> cross(ArrayRef<APFloat> a, ArrayRef<APFloat> b) {
  llvm::SmallVector<APFloat, 8> result;
  for (unsigned lane = 0; lane != 3; ++lane) {
    const unsigned next = (lane + 1) % 3, last = (lane + 2) % 3;
    result.push_back(fused(a[next], b[last], -(a[last] * b[next])));
  }
  result.push_back(APFloat::getZero(a[0].getSemantics()));
  return result;
}

const Expr *Evaluator::acrossLanes(const IntrinsicExpr &expr, ArrayRef<const Expr *> arguments) {
  const unsigned count = expr.arguments.empty() ? 0 : expr.arguments.front()->type.lanes();
  auto lanes = [&](unsigned argument) { return floatLanes(arguments[argument], count); };
  auto rounded = [&](APFloat value) {
    bool isLossy;
    value.convert(semanticsOf(expr.type.lane()), nearest, &isLossy);
    return number(expr.type.lane(), expr.range, value);
  };
  auto vector = [&](ArrayRef<APFloat> values) {
    llvm::SmallVector<const Expr *, 8> parts;
    for (const APFloat &value : values)
      parts.push_back(rounded(value));
    return make(BuildExpr{{expr.type, expr.range}, ArrayRef<const Expr *>(parts).copy(arena), {}});
  };
  switch (expr.id) {
  case Id::Dot:
    return rounded(dot(lanes(0), lanes(1)));
  case Id::Length:
    return rounded(length(lanes(0)));
  case Id::Normalize: {
    llvm::SmallVector<APFloat, 8> values = lanes(0);
    const APFloat by = length(values);
    for (APFloat &value : values)
      value = value / by;
    return vector(values);
  }
  case Id::Cross:
    return vector(cross(lanes(0), lanes(1)));
  case Id::AnyLane:
  case Id::AllLanes: {
    auto isSet = [](Scalar lane) { return lane->intValue.isOne(); };
    auto mask = lanesOf(arguments[0], expr.arguments[0]->type);
    return truth(expr.range,
                 expr.id == Id::AnyLane ? llvm::any_of(mask, isSet) : llvm::all_of(mask, isSet));
  }
  default:
    return nullptr;
  }
}

} // namespace spl::sema
