// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates calls of math.* in constants.
#include "frontend/sema/evaluation/Evaluator.h"
#include "intrinsics/Rows.h"

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
    lanes.push_back(llvm::cast<ConstantExpr>(partOf(value, lane)));
  return lanes;
}

// Evaluates math.bitcast. The first lane has the lowest bits.
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

using Floats = llvm::SmallVector<APFloat, 8>;

static APFloat fused(APFloat a, const APFloat &b, const APFloat &c) {
  a.fusedMultiplyAdd(b, c, nearest);
  return a;
}

static APFloat dot(const Floats &a, const Floats &b) {
  APFloat sum = a[0] * b[0];
  for (size_t lane = 1; lane != a.size(); ++lane)
    sum = fused(a[lane], b[lane], sum);
  return sum;
}

static APFloat length(const Floats &a) {
  return std::get<APFloat>(*mathOf(Id::Sqrt, Number(dot(a, a))));
}

static Floats normalized(Floats a) {
  const APFloat by = length(a);
  for (APFloat &value : a)
    value = value / by;
  return a;
}

static Floats cross(const Floats &a, const Floats &b) {
  Floats result;
  for (unsigned lane = 0; lane != 3; ++lane) {
    const unsigned next = (lane + 1) % 3, last = (lane + 2) % 3;
    result.push_back(fused(a[next], b[last], -(a[last] * b[next])));
  }
  result.push_back(APFloat::getZero(a[0].getSemantics()));
  return result;
}

/// A function that needs all lanes of its vectors at once. It returns the lanes of a vector, or one
/// scalar.
using OfVectors = Floats (*)(ArrayRef<Floats>);
static constexpr OfVectors ofVectors(Id id) {
  switch (id) {
    // clang-format off
  case Id::Dot: return [](ArrayRef<Floats> v) -> Floats { return {dot(v[0], v[1])}; };
  case Id::Length: return [](ArrayRef<Floats> v) -> Floats { return {length(v[0])}; };
  case Id::Normalize: return [](ArrayRef<Floats> v) { return normalized(v[0]); };
  case Id::Cross: return [](ArrayRef<Floats> v) { return cross(v[0], v[1]); };
  default: return nullptr;
    // clang-format on
  }
}

using OfMask = bool (*)(ArrayRef<bool>);
static constexpr OfMask ofMask(Id id) {
  switch (id) {
    // clang-format off
  case Id::AnyLane: return [](ArrayRef<bool> lanes) { return llvm::is_contained(lanes, true); };
  case Id::AllLanes: return [](ArrayRef<bool> lanes) { return !llvm::is_contained(lanes, false); };
  default: return nullptr;
    // clang-format on
  }
}

using intrinsics::Row;
static_assert(
    intrinsics::handlesJust(ofVectors,
                            [](const Row &row) { return row.signature.data()[1] == 'V'; }) &&
        intrinsics::handlesJust(ofMask,
                                [](const Row &row) { return row.signature.data()[1] == 'M'; }),
    "each function of vectors and of masks is above");

Floats Evaluator::floatLanes(const Expr *vector, unsigned count) {
  Floats lanes;
  for (unsigned lane = 0; lane != count; ++lane) {
    APFloat value = llvm::cast<ConstantExpr>(partOf(vector, lane))->floatValue;
    bool isLossy;
    if (APFloat::semanticsSizeInBits(value.getSemantics()) == 16)
      value.convert(APFloat::IEEEsingle(), nearest, &isLossy);
    lanes.push_back(value);
  }
  return lanes;
}

const Expr *Evaluator::acrossLanes(const IntrinsicExpr &expr, ArrayRef<const Expr *> arguments) {
  if (OfMask function = ofMask(expr.id)) {
    llvm::SmallVector<bool, 16> lanes;
    for (Scalar lane : lanesOf(arguments[0], expr.arguments[0]->type))
      lanes.push_back(lane->intValue.isOne());
    return truth(expr.range, function(lanes));
  }
  OfVectors function = ofVectors(expr.id);
  if (!function)
    return nullptr;
  llvm::SmallVector<Floats, 2> vectors;
  for (const Expr *argument : arguments)
    vectors.push_back(floatLanes(argument, expr.arguments[0]->type.lanes()));
  llvm::SmallVector<const Expr *, 8> parts;
  const Type lane = expr.type.lane();
  for (APFloat &value : function(vectors)) {
    bool isLossy;
    value.convert(semanticsOf(lane), nearest, &isLossy);
    parts.push_back(number(lane, expr.range, value));
  }
  if (!expr.type.isVector())
    return parts.front();
  return make(BuildExpr{{expr.type, expr.range}, ArrayRef<const Expr *>(parts).copy(arena), {}});
}

} // namespace spl::sema
