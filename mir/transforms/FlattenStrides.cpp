// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-flatten-strides: see Passes.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/RangeLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_FLATTENSTRIDES
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// The number that the value has in every launch, if that follows from constants.
std::optional<int64_t> numberOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  Operation *op = value.getDefiningOp();
  if (auto choice = dyn_cast_if_present<arith::SelectOp>(op)) {
    const std::optional<int64_t> condition = numberOf(choice.getCondition());
    if (!condition)
      return std::nullopt;
    return numberOf(*condition ? choice.getTrueValue() : choice.getFalseValue());
  }
  if (!isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::CmpIOp>(op) ||
      !value.getType().isIntOrIndex())
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    const std::optional<int64_t> known = numberOf(operand);
    if (!known)
      return std::nullopt;
    operands.push_back(IntegerAttr::get(operand.getType(), *known));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  auto result = dyn_cast_if_present<IntegerAttr>(dyn_cast<Attribute>(results.front()));
  return result ? std::optional(result.getValue().getSExtValue()) : std::nullopt;
}

/// The value that a selection by a constant condition has.
Value selected(Value value) {
  auto choice = value.getDefiningOp<arith::SelectOp>();
  if (!choice)
    return value;
  const std::optional<int64_t> condition = numberOf(choice.getCondition());
  return condition ? (*condition ? choice.getTrueValue() : choice.getFalseValue()) : value;
}

/// The loops over all work-items of a group of fixed size, and nothing else with effects.
struct Nest {
  std::array<scf::ForOp, 3> loops; ///< over x, y and z
  std::array<int64_t, 3> sizes;

  int64_t count() const { return sizes[0] * sizes[1] * sizes[2]; }
  bool isInside(Value value) const { return !scf::ForOp(loops[2]).isDefinedOutsideOfLoop(value); }
};

/// The only operation of the loop's body that is not pure, or null if there are several.
Operation *onlyEffect(scf::ForOp loop) {
  Operation *found = nullptr;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isPure(&op))
      continue;
    if (found)
      return nullptr;
    found = &op;
  }
  return found;
}

std::optional<Nest> nestOf(scf::ForOp items) {
  Nest nest;
  scf::ForOp loop = items;
  for (int axis = 0; axis != 3; ++axis) {
    if (!loop || loop.getNumResults() != 0 || numberOf(loop.getLowerBound()) != 0 ||
        numberOf(loop.getStep()) != 1 || (axis != 0 && onlyEffect(loop) != nest.loops[axis - 1]))
      return std::nullopt;
    const std::optional<int64_t> size = numberOf(loop.getUpperBound());
    if (!size || *size < 1)
      return std::nullopt;
    nest.loops[axis] = loop;
    nest.sizes[axis] = *size;
    loop = dyn_cast<scf::ForOp>(loop->getParentOp());
  }
  return nest;
}

/// constant + the sum of factor * id over the axes.
struct Line {
  int64_t constant = 0;
  std::array<int64_t, 3> factors = {};
};

std::optional<Line> lineOf(Value value, const Nest &nest) {
  if (const std::optional<int64_t> number = numberOf(value))
    return Line{*number, {}};
  for (int axis = 0; axis != 3; ++axis)
    if (value == scf::ForOp(nest.loops[axis]).getInductionVar()) {
      Line line;
      line.factors[axis] = 1;
      return line;
    }
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<Line> a = lineOf(op->getOperand(0), nest), b = lineOf(op->getOperand(1), nest);
  if (!a || !b)
    return std::nullopt;
  const bool isProduct = isa<arith::MulIOp>(op);
  if (isProduct && a->factors != Line().factors)
    std::swap(a, b);
  if (isProduct && a->factors != Line().factors)
    return std::nullopt;
  // Sizes are small numbers, so that nothing overflows.
  constexpr int64_t most = int64_t(1) << 30;
  auto isSmall = [](const Line &line) {
    return std::abs(line.constant) < most &&
           llvm::all_of(line.factors, [](int64_t factor) { return std::abs(factor) < most; });
  };
  if (!isSmall(*a) || !isSmall(*b))
    return std::nullopt;
  Line line{isProduct ? a->constant * b->constant : a->constant + b->constant, {}};
  for (int axis = 0; axis != 3; ++axis)
    line.factors[axis] =
        isProduct ? a->constant * b->factors[axis] : a->factors[axis] + b->factors[axis];
  return line;
}

/// Whether the value is the flat id of the work-item in its group.
bool isFlatId(Value value, const Nest &nest) {
  const std::optional<Line> line = lineOf(value, nest);
  int64_t expected = 1;
  if (!line || line->constant != 0)
    return false;
  for (int axis = 0; axis != 3; ++axis) {
    if (nest.sizes[axis] != 1 && line->factors[axis] != expected)
      return false;
    expected *= nest.sizes[axis];
  }
  return true;
}

/// A loop `for k in me..end step size`, where me is the flat id, and size the number of work-items.
struct Stride {
  Operation *loop;
  Block *body;
  Value variable, end;
};

/// The end of a range that begins at \p first, from the condition that it has a round. Null if
/// the condition has another form, or if the end is not the same for all work-items.
Value endOf(Value hasRound, Value first, const Nest &nest) {
  auto compare = selected(hasRound).getDefiningOp<arith::CmpIOp>();
  const bool isEnd = compare && compare.getPredicate() == arith::CmpIPredicate::slt &&
                     compare.getLhs() == first && !nest.isInside(compare.getRhs());
  return isEnd ? compare.getRhs() : Value();
}

/// A loop whose step is known only at run time (RangeLoop::Stride).
std::optional<Stride> strideOf(scf::WhileOp loop, const Nest &nest) {
  const std::optional<RangeLoop> range = RangeLoop::match(loop);
  if (loop.getNumResults() != 3 || !range || !range->stride() || range->mayBeLeft() ||
      numberOf(range->stride()->step) != nest.count() || !isFlatId(range->firstValue(), nest))
    return std::nullopt;
  Value end = endOf(range->stride()->hasRound, range->firstValue(), nest);
  return end ? std::optional(Stride{loop, loop.getAfterBody(), range->variableInBody(), end})
             : std::nullopt;
}

/// A loop with a constant step, which counts its rounds: the variable is first + round * step.
std::optional<Stride> strideOf(scf::ForOp loop, const Nest &nest) {
  auto rounds = loop.getUpperBound().getDefiningOp<arith::SelectOp>();
  if (loop.getNumResults() != 0 || !loop.getUnsignedCmp() || !rounds ||
      numberOf(loop.getLowerBound()) != 0 || numberOf(rounds.getFalseValue()) != 0)
    return std::nullopt;
  for (Operation &op : *loop.getBody()) {
    auto sum = dyn_cast<arith::AddIOp>(op);
    auto offset = sum ? sum.getRhs().getDefiningOp<arith::MulIOp>() : arith::MulIOp();
    if (!offset || offset.getLhs() != loop.getInductionVar() ||
        numberOf(offset.getRhs()) != nest.count() || !isFlatId(sum.getLhs(), nest))
      continue;
    if (Value end = endOf(rounds.getCondition(), sum.getLhs(), nest))
      return Stride{loop, loop.getBody(), sum, end};
  }
  return std::nullopt;
}

std::optional<Stride> strideOf(const Nest &nest) {
  Operation *loop = onlyEffect(nest.loops[0]);
  if (auto conditional = dyn_cast_if_present<scf::WhileOp>(loop))
    return strideOf(conditional, nest);
  auto counted = dyn_cast_if_present<scf::ForOp>(loop);
  return counted ? strideOf(counted, nest) : std::nullopt;
}

/// Whether the operation divides the variable by a constant, and by which one.
std::optional<int64_t> divisorOf(Operation &op, Value variable) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op) ||
      op.getOperand(0) != variable)
    return std::nullopt;
  const std::optional<int64_t> divisor = numberOf(op.getOperand(1));
  return divisor && *divisor > 1 ? divisor : std::nullopt;
}

/// The width of the rows that the loop's variable goes through: the only constant by which it is
/// divided. Zero if there are none or several.
int64_t widthOf(const Stride &stride) {
  int64_t width = 0;
  for (Operation &op : *stride.body)
    if (const std::optional<int64_t> divisor = divisorOf(op, stride.variable)) {
      if (width != 0 && width != *divisor)
        return 0;
      width = *divisor;
    }
  return width;
}

/// Emits one loop over all values of the variable, or one over rows and one over columns.
class Flattener {
public:
  Flattener(Nest nest, Stride stride)
      : nest(nest), stride(stride), builder(nest.loops[2]), loc(stride.loop->getLoc()) {}

  void run() {
    const int64_t width = widthOf(stride);
    Value end = arith::MaxSIOp::create(builder, loc, stride.end, number(0));
    if (width == 0) {
      Value all = loopTo(end, numberOf(stride.end).value_or(0));
      emitBody(all, {}, {});
    } else {
      Value size = number(width);
      const std::optional<int64_t> known = numberOf(stride.end);
      Value rows = known ? number(llvm::divideCeil(std::max<int64_t>(*known, 0), width))
                         : arith::DivUIOp::create(
                               builder, loc,
                               arith::AddIOp::create(builder, loc, end, number(width - 1)), size);
      auto outer = scf::ForOp::create(builder, loc, number(0), rows, number(1));
      builder.setInsertionPointToStart(outer.getBody());
      Value row = outer.getInductionVar();
      Value first = make<arith::MulIOp>(row, size);
      Value left = size;
      if (!known || *known % width != 0)
        left = arith::MinSIOp::create(builder, loc, size,
                                      arith::SubIOp::create(builder, loc, end, first));
      Value column = loopTo(left, width);
      emitBody(make<arith::AddIOp>(first, column), row, column);
    }
    nest.loops[2].erase();
  }

private:
  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }
  /// Arithmetic that does not wrap.
  template <typename Op> Value make(Value a, Value b) {
    return Op::create(builder, loc, a, b,
                      arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
  }

  /// Emits a loop that runs like one over work-items, and continues in it. Returns its variable.
  Value loopTo(Value end, int64_t usual) {
    auto loop = scf::ForOp::create(builder, loc, number(0), end, number(1));
    loop->setDiscardableAttr(SplDialect::workItemsAttr, builder.getI64IntegerAttr(usual));
    builder.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  }

  /// Emits the body of the old loop. The ids are those of the work-item that had this value.
  void emitBody(Value variable, Value row, Value column) {
    IRMapping map;
    Value flat = arith::RemUIOp::create(builder, loc, variable, number(nest.count()));
    for (int axis = 0; axis != 3; ++axis) {
      Value size = number(nest.sizes[axis]);
      map.map(nest.loops[axis].getInductionVar(), arith::RemUIOp::create(builder, loc, flat, size));
      flat = arith::DivUIOp::create(builder, loc, flat, size);
    }
    for (int axis : {2, 1, 0})
      for (Operation &op : nest.loops[axis].getBody()->without_terminator())
        if (isPure(&op))
          copy(op, map);
    map.map(stride.variable, variable);
    for (BlockArgument argument : stride.body->getArguments())
      if (argument != stride.variable)
        map.map(argument, ownValue(argument, variable));
    for (Operation &op : stride.body->without_terminator()) {
      if (&op == stride.variable.getDefiningOp())
        continue;
      if (row && divisorOf(op, stride.variable))
        map.map(op.getResult(0), isa<arith::DivSIOp, arith::DivUIOp>(op) ? row : column);
      else
        copy(op, map);
    }
  }

  /// The value of an argument of the body that is not the variable: the number of the round, or
  /// whether and how far the loop continues, which nothing else depends on.
  Value ownValue(BlockArgument argument, Value variable) {
    if (isa<scf::ForOp>(stride.loop))
      return arith::DivUIOp::create(builder, loc, variable, number(nest.count()));
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(argument.getType(), 1));
  }

  /// Copies the operation, or folds it where it depends on constants.
  void copy(Operation &op, IRMapping &map) {
    Operation *made = builder.clone(op, map);
    SmallVector<Value> folded;
    if (made->getNumResults() != 1 || failed(builder.tryFold(made, folded)) || folded.empty())
      return;
    map.map(op.getResult(0), folded.front());
    made->erase();
  }

  Nest nest;
  Stride stride;
  OpBuilder builder;
  Location loc;
};

struct FlattenStridesPass : spl::mir::impl::FlattenStridesBase<FlattenStridesPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr(SplDialect::workItemsAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp items : loops) {
      std::optional<Nest> nest = nestOf(items);
      if (std::optional<Stride> stride = nest ? strideOf(*nest) : std::nullopt)
        Flattener(*nest, *stride).run();
    }
  }
};

} // namespace
