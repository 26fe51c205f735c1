// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bounds of the results of operations, from the bounds of their operands.
#include "intrinsics/Intrinsics.h"
#include "mir/bounds/Analysis.h"
#include "mir/bounds/Loads.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "spl/abi/Limits.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using spl::intrinsics::Id;

namespace spl::mir::bounds {

/// Sets constant bounds by MLIR's inference of integer ranges, from the ranges of the operands.
void Analysis::narrowByRanges(OpResult value, Bounds &bounds) {
  auto inference = dyn_cast<InferIntRangeInterface>(value.getOwner());
  if (!inference)
    return;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : value.getOwner()->getOperands()) {
    auto type = dyn_cast<IntegerType>(operand.getType());
    if (!type || type.getWidth() > 64)
      return;
    Bounds known = type.getWidth() == 1 ? Bounds() : of(operand);
    if (!known.needs.empty()) // the ranges must hold in every launch
      known = {};
    Range range = arithmetic.rangeOf(known, type.getWidth());
    auto number = [&](Wide wide) {
      return APInt(type.getWidth(), static_cast<uint64_t>(wide), /*isSigned=*/false,
                   /*implicitTrunc=*/true);
    };
    operands.push_back(ConstantIntRanges::fromSigned(number(range.least), number(range.most)));
  }
  inference.inferResultRanges(operands, [&](Value result, const ConstantIntRanges &range) {
    const APInt least = range.smin(), most = range.smax();
    if (result != value || (least.isMinSignedValue() && most.isMaxSignedValue()))
      return;
    bounds.least = {Polynomial::constant(least.getSExtValue())};
    bounds.most = {Polynomial::constant(most.getSExtValue())};
  });
}

Bounds Analysis::ofExtent(Value slice, unsigned axis) {
  Operation *op = slice.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(slice);
      argument && !isa<KernelOp>(argument.getOwner()->getParentOp()))
    return Bounds::exactly(symbols.unknown(slice, axis));
  if (!op)
    return Bounds::exactly(symbols.extent(cast<BlockArgument>(slice), axis));
  if (std::optional<int64_t> fixed = fixedExtent(slice, axis))
    return Bounds::exactly(*fixed);
  auto unknown = [&] {
    Bounds bounds = Bounds::exactly(symbols.unknown(leader(slice), axis));
    bounds.least.push_back(Polynomial());
    return bounds;
  };
  return llvm::TypeSwitch<Operation *, Bounds>(op)
      .Case([&](ReadOnlyOp view) { return ofExtent(view.getSlice(), axis); })
      .Case([&](RowOp row) { return ofExtent(row.getSlice(), axis + row.getIndices().size()); })
      .Case([&](SubsliceOp view) {
        // A check ensures that the end is not before the beginning.
        Bounds bounds = arithmetic.fitted(
            arithmetic.subtract(ofUnwrapped(view.getTo()), ofUnwrapped(view.getFrom())), 64);
        if (!bounds.isBounded())
          return unknown();
        arithmetic.addLeast(bounds, Polynomial());
        return bounds;
      })
      .Case([&](VectorsOp view) {
        const int64_t lanes = cast<VectorType>(view.getType().getElement()).getDimSize(0);
        Bounds bounds = arithmetic.divide(ofExtent(view.getSlice(), axis), Bounds::exactly(lanes));
        return bounds.isBounded() ? bounds : unknown();
      })
      .Default([&](Operation *) { return unknown(); });
}

/// A difference of a value and a positive constant.
struct Decreased {
  Value whole;
  APInt by;
};

static std::optional<Decreased> decreased(Value value) {
  Operation *op = value.getDefiningOp();
  APInt number;
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&number)) || number.isMinSignedValue())
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    number.negate();
  return number.isStrictlyPositive() ? std::optional(Decreased{op->getOperand(0), number})
                                     : std::nullopt;
}

/// Where x is at least k, max(x - c, k) is at most x. The bounds of x need no condition that says
/// which of x - c and k is the larger one.
Bounds Analysis::ofLarger(Value a, Value b) {
  Bounds result = arithmetic.larger(of(a), of(b));
  for (auto [value, limit] : {std::pair(a, b), std::pair(b, a)}) {
    const std::optional<Decreased> less = decreased(leader(value));
    APInt least;
    if (!less || !matchPattern(leader(limit), m_ConstantInt(&least)))
      continue;
    bool wraps = false;
    (void)least.ssub_ov(less->by, wraps);
    const Bounds whole = of(less->whole);
    const Polynomial lower = Polynomial::constant(least.getSExtValue());
    const auto isAbove = [&](const Polynomial &sum) { return conditions.isAtMost(lower, sum); };
    if (wraps || llvm::none_of(whole.least, isAbove))
      continue;
    Needs needs = of(value).needs;
    merge(needs, whole.needs);
    if (needs.size() < result.needs.size()) { // the bounds without what larger() has assumed
      result.most.clear();
      result.needs = needs;
    }
    merge(result.needs, needs);
    for (const Polynomial &sum : whole.upper())
      arithmetic.addMost(result, sum);
  }
  return result;
}

Bounds Analysis::ofIntrinsic(IntrinsicOp op) {
  const unsigned axis = op.getAxis().value_or(0);
  auto globalSize = [&] {
    return *Polynomial::multiply(symbols.numGroups(axis), symbols.localSize(axis));
  };
  auto operand = [&](unsigned index) { return of(op.getOperand(index)); };
  // Bounds are of signed values. Unsigned operands must be known to be the same as signed values.
  auto isSigned = [&] {
    return !op.getIsUnsigned() || llvm::all_of(op.getOperands(), [&](Value value) {
      return arithmetic.isNotNegative(of(value));
    });
  };
  switch (op.getRow().id) {
  case Id::GlobalId:
    return Bounds::below(globalSize());
  case Id::GlobalSize:
    return Bounds::exactly(globalSize());
  case Id::LocalId:
    return Bounds::below(symbols.localSize(axis));
  case Id::LocalSize:
    return Bounds::exactly(symbols.localSize(axis));
  case Id::GroupId:
    return Bounds::below(symbols.numGroups(axis));
  case Id::NumGroups:
    return Bounds::exactly(symbols.numGroups(axis));
  case Id::LaneId:
    return Bounds::below(Polynomial::constant(abi::warpSize));
  case Id::WarpId:
    return Bounds::below(Polynomial::constant(abi::maxWarps));
  case Id::WarpSize:
    return Bounds::exactly(abi::warpSize);
  case Id::Min:
    return isSigned() ? arithmetic.smaller(operand(0), operand(1)) : Bounds();
  case Id::Max:
    return isSigned() ? ofLarger(op.getOperand(0), op.getOperand(1)) : Bounds();
  case Id::Clamp:
    return isSigned() ? arithmetic.clamped(operand(0), operand(1), operand(2)) : Bounds();
  case Id::Abs:
    return isSigned() ? arithmetic.absolute(operand(0), op.getType().getIntOrFloatBitWidth())
                      : Bounds();
  default: // the results of other intrinsics are unknown
    return {};
  }
}

static Bounds ofLoad(Symbols &symbols, Value value) {
  if (std::optional<ParameterPart> part = parameterPart(value))
    return Bounds::exactly(symbols.part(part->parameter, part->path, value));
  const std::optional<Range> range = rangeOfConstants(value);
  if (!range)
    return {};
  if (range->least == range->most)
    return Bounds::exactly(int64_t(range->least));
  return {{},
          {Polynomial::constant(int64_t(range->least))},
          {Polynomial::constant(int64_t(range->most))},
          {}};
}

/// A lower bound of the difference from comparisons of its operands that are known to hold.
std::optional<int64_t> Analysis::leastDifference(arith::SubIOp difference) const {
  using arith::CmpIPredicate;
  const Value larger = leader(difference.getLhs()), smaller = leader(difference.getRhs());
  for (auto [condition, truth] : truths) {
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!compare)
      continue;
    CmpIPredicate predicate =
        truth ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
    const Value a = leader(compare.getLhs()), b = leader(compare.getRhs());
    if (a == smaller && b == larger && predicate == CmpIPredicate::slt)
      return 1;
    if (a == smaller && b == larger && predicate == CmpIPredicate::sle)
      return 0;
    if (a == larger && b == smaller && predicate == CmpIPredicate::sgt)
      return 1;
    if (a == larger && b == smaller && predicate == CmpIPredicate::sge)
      return 0;
  }
  return std::nullopt;
}

/// Whether `yes if compare else no` is the smaller of both values, as in `a if a < b else b`. It is
/// the larger one if the result is false.
static std::optional<bool> isWrittenMinimum(arith::CmpIOp compare, Value yes, Value no,
                                            const ValueNumbers &numbers) {
  using arith::CmpIPredicate;
  auto areSame = [&](Value a, Value b) { return numbers.leader(a) == numbers.leader(b); };
  const bool isFirst = areSame(compare.getLhs(), yes) && areSame(compare.getRhs(), no);
  if (!isFirst && !(areSame(compare.getLhs(), no) && areSame(compare.getRhs(), yes)))
    return std::nullopt;
  switch (compare.getPredicate()) {
  case CmpIPredicate::slt:
  case CmpIPredicate::sle:
    return isFirst;
  case CmpIPredicate::sgt:
  case CmpIPredicate::sge:
    return !isFirst;
  default:
    return std::nullopt;
  }
}

Bounds Analysis::ofSelect(Value condition, Value yes, Value no) {
  std::optional<Needs> isTrue = prove(condition, true), isFalse = prove(condition, false);
  if (isTrue && isTrue->empty())
    return of(yes);
  if (isFalse && isFalse->empty())
    return of(no);
  // The value \p yes is for a divisor of -1. A condition on the launch excludes it.
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (isFalse && compare && isOfRareDivisor(compare)) {
    Bounds bounds = of(no);
    merge(bounds.needs, *isFalse);
    return bounds;
  }
  if (compare)
    if (std::optional<bool> isSmaller = isWrittenMinimum(compare, yes, no, numbers))
      return *isSmaller ? arithmetic.smaller(of(yes), of(no)) : ofLarger(yes, no);
  auto assuming = [&](bool truth, Value value) {
    Scope scope(*this);
    assume(condition, truth);
    return of(value);
  };
  return arithmetic.joined(assuming(true, yes), assuming(false, no));
}

/// The power of two by which a constant shift multiplies or divides.
static std::optional<Bounds> powerOfTwo(Value shift) {
  APInt by;
  const unsigned width = cast<IntegerType>(shift.getType()).getWidth();
  if (!matchPattern(shift, m_ConstantInt(&by)) || by.uge(std::min(width, 62u)))
    return std::nullopt;
  return Bounds::exactly(int64_t(1) << by.getZExtValue());
}

Bounds Analysis::ofDifference(arith::SubIOp difference) {
  std::optional<int64_t> least = leastDifference(difference);
  // The comparison is of the wrapped values, so their bounds are used.
  if (least)
    return arithmetic.subtract(of(difference.getLhs()), of(difference.getRhs()), least);
  return arithmetic.subtract(ofUnwrapped(difference.getLhs()), ofUnwrapped(difference.getRhs()));
}

bool isRingOperation(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
         (isa<arith::ShLIOp>(op) && powerOfTwo(op->getOperand(1)));
}

Bounds Analysis::computeUnwrapped(Operation *op) {
  auto operand = [&](unsigned index) { return ofUnwrapped(op->getOperand(index)); };
  if (isa<arith::AddIOp>(op))
    return arithmetic.add(operand(0), operand(1));
  if (auto difference = dyn_cast<arith::SubIOp>(op))
    return ofDifference(difference);
  if (isa<arith::MulIOp>(op))
    return arithmetic.multiply(operand(0), operand(1));
  return arithmetic.multiply(operand(0), *powerOfTwo(op->getOperand(1)));
}

Bounds Analysis::compute(OpResult value) {
  Operation *op = value.getOwner();
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type || type.getWidth() == 1 || type.getWidth() > 64)
    return unknown(value);
  const unsigned width = type.getWidth();
  auto operand = [&](unsigned index) { return of(op->getOperand(index)); };
  Bounds bounds =
      isRingOperation(op)
          ? arithmetic.fitted(computeUnwrapped(op), width)
          : llvm::TypeSwitch<Operation *, Bounds>(op)
                .Case([&](arith::ConstantOp constant) {
                  return Bounds::exactly(
                      (cast<IntegerAttr>(constant.getValue()).getValue().getSExtValue()));
                })
                .Case(
                    [&](ExtentOp extent) { return ofExtent(extent.getSlice(), extent.getAxis()); })
                .Case([&](IntrinsicOp intrinsic) { return ofIntrinsic(intrinsic); })
                .Case<LoadOp, vector::ExtractOp>([&](auto) { return ofLoad(symbols, value); })
                .Case<arith::DivSIOp, arith::DivUIOp>(
                    [&](auto) { return arithmetic.divide(operand(0), operand(1)); })
                .Case<arith::RemSIOp, arith::RemUIOp>(
                    [&](auto) { return arithmetic.remainder(operand(0), operand(1)); })
                .Case([&](arith::MinSIOp) { return arithmetic.smaller(operand(0), operand(1)); })
                .Case([&](arith::MaxSIOp maximum) {
                  return ofLarger(maximum.getLhs(), maximum.getRhs());
                })
                .Case([&](arith::ExtSIOp) { return operand(0); })
                .Case([&](arith::ExtUIOp) { return arithmetic.notNegative(operand(0)); })
                .Case([&](arith::TruncIOp) { return arithmetic.fitted(operand(0), width); })
                .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto shift) {
                  std::optional<Bounds> factor = powerOfTwo(shift.getRhs());
                  return factor ? arithmetic.divide(operand(0), *factor) : Bounds();
                })
                .Case([&](arith::SelectOp select) {
                  return ofSelect(select.getCondition(), select.getTrueValue(),
                                  select.getFalseValue());
                })
                .Case([&](scf::IfOp ifOp) {
                  auto yielded = [&](Region &arm) {
                    return arm.front().getTerminator()->getOperand(value.getResultNumber());
                  };
                  return ofSelect(ifOp.getCondition(), yielded(ifOp.getThenRegion()),
                                  yielded(ifOp.getElseRegion()));
                })
                .Case<scf::ForOp, scf::WhileOp>([&](auto) { return ofResult(value); })
                .Default([&](Operation *) { return Bounds(); });
  if (bounds.isBounded()) {
    if (!bounds.exact) // the value is the same for all its uses
      bounds.exact = symbols.unknown(value);
    return bounds;
  }
  // Keeps the bounds that are known on one side, and adds constant ranges.
  Bounds rest = unknown(value);
  narrowByRanges(value, rest);
  for (const Polynomial &sum : bounds.least)
    arithmetic.addLeast(rest, sum);
  for (const Polynomial &sum : bounds.most)
    arithmetic.addMost(rest, sum);
  rest.needs = bounds.needs;
  return rest;
}

} // namespace spl::mir::bounds
