// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-flatten-strides: see Passes.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Forwarding.h"
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

/// How deep expressions are followed. Their operations may use one value several times.
constexpr unsigned deepest = 8;

/// The number that the value has in every launch, if that follows from constants.
std::optional<int64_t> numberOf(Value value, unsigned depth = 0) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  Operation *op = value.getDefiningOp();
  if (auto choice = dyn_cast_if_present<arith::SelectOp>(op)) {
    const std::optional<int64_t> condition = numberOf(choice.getCondition(), depth + 1);
    if (!condition)
      return std::nullopt;
    return numberOf(*condition ? choice.getTrueValue() : choice.getFalseValue(), depth + 1);
  }
  if (!isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::CmpIOp>(op) ||
      !value.getType().isIntOrIndex() || depth == deepest)
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    const std::optional<int64_t> known = numberOf(operand, depth + 1);
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
struct LinearForm {
  int64_t constant = 0;
  std::array<int64_t, 3> factors = {};
};

std::optional<LinearForm> linearFormOf(Value value, const Nest &nest, unsigned depth = 0) {
  if (const std::optional<int64_t> number = numberOf(value))
    return LinearForm{*number, {}};
  for (int axis = 0; axis != 3; ++axis)
    if (value == scf::ForOp(nest.loops[axis]).getInductionVar()) {
      LinearForm form;
      form.factors[axis] = 1;
      return form;
    }
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::MulIOp>(op) || depth == deepest)
    return std::nullopt;
  std::optional<LinearForm> a = linearFormOf(op->getOperand(0), nest, depth + 1),
                            b = linearFormOf(op->getOperand(1), nest, depth + 1);
  if (!a || !b)
    return std::nullopt;
  const bool isProduct = isa<arith::MulIOp>(op);
  if (isProduct && a->factors != LinearForm().factors)
    std::swap(a, b);
  if (isProduct && a->factors != LinearForm().factors)
    return std::nullopt;
  // Sizes are small numbers, so that nothing overflows.
  constexpr int64_t most = int64_t(1) << 30;
  auto isSmall = [](const LinearForm &form) {
    return std::abs(form.constant) < most &&
           llvm::all_of(form.factors, [](int64_t factor) { return std::abs(factor) < most; });
  };
  if (!isSmall(*a) || !isSmall(*b))
    return std::nullopt;
  LinearForm form{isProduct ? a->constant * b->constant : a->constant + b->constant, {}};
  for (int axis = 0; axis != 3; ++axis)
    form.factors[axis] =
        isProduct ? a->constant * b->factors[axis] : a->factors[axis] + b->factors[axis];
  return form;
}

/// Whether the value is the flat id of the work-item in its group.
bool isFlatId(Value value, const Nest &nest) {
  const std::optional<LinearForm> form = linearFormOf(value, nest);
  int64_t expected = 1;
  if (!form || form->constant != 0)
    return false;
  for (int axis = 0; axis != 3; ++axis) {
    if (nest.sizes[axis] != 1 && form->factors[axis] != expected)
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

/// Whether the value is the distance from \p first to the last value before \p end.
bool isDistance(Value value, Value first, Value end) {
  auto less = value.getDefiningOp<arith::SubIOp>();
  auto far = less ? selected(less.getLhs()).getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  return far && numberOf(less.getRhs()) == 1 && far.getLhs() == end && far.getRhs() == first;
}

/// Whether only what says how far the loop goes on uses the other arguments of its body.
bool ownsArguments(scf::WhileOp loop) {
  scf::YieldOp yield = loop.getYieldOp();
  Operation *again = yield.getOperand(1).getDefiningOp(),
            *left = yield.getOperand(2).getDefiningOp();
  ValueRange arguments = loop.getAfterArguments();
  return arguments[1].use_empty() && llvm::all_of(arguments[2].getUsers(), [&](Operation *user) {
           return user == again || user == left;
         });
}

/// A loop whose step is known only at run time (RangeLoop::Stride).
std::optional<Stride> strideOf(scf::WhileOp loop, const Nest &nest) {
  const std::optional<RangeLoop> range = RangeLoop::match(loop);
  if (loop.getNumResults() != 3 || !range || !range->stride() || range->mayBeLeft() ||
      numberOf(range->stride()->step) != nest.count() || !isFlatId(range->firstValue(), nest) ||
      !ownsArguments(loop))
    return std::nullopt;
  Value end = endOf(range->stride()->hasRound, range->firstValue(), nest);
  return end && isDistance(range->stride()->distance, range->firstValue(), end)
             ? std::optional(Stride{loop, loop.getAfterBody(), range->variableInBody(), end})
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
    Value end = endOf(rounds.getCondition(), sum.getLhs(), nest);
    auto count = rounds.getTrueValue().getDefiningOp<arith::AddIOp>();
    auto last = count ? count.getLhs().getDefiningOp<arith::DivUIOp>() : arith::DivUIOp();
    if (end && last && numberOf(count.getRhs()) == 1 && numberOf(last.getRhs()) == nest.count() &&
        isDistance(last.getLhs(), sum.getLhs(), end))
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

/// Whether the value is \p origin, plus or minus values from before the loops.
bool movesWith(Value value, Value origin, const Nest &nest) {
  value = selected(value);
  if (value == origin)
    return true;
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return false;
  const Value left = op->getOperand(0), right = op->getOperand(1);
  return (!nest.isInside(right) && movesWith(left, origin, nest)) ||
         (isa<arith::AddIOp>(op) && !nest.isInside(left) && movesWith(right, origin, nest));
}

/// Whether the indices select another element for each value of the loop's variable: one of them is
/// the variable, or two are its quotient and its remainder by the same number. Each may be moved.
bool areDistinct(ValueRange indices, const Stride &stride, const Nest &nest) {
  auto isMoved = [&](Value origin) {
    return llvm::any_of(indices, [&](Value index) { return movesWith(index, origin, nest); });
  };
  if (isMoved(stride.variable))
    return true;
  if (widthOf(stride) == 0)
    return false;
  bool hasQuotient = false, hasRemainder = false;
  for (Operation &op : *stride.body)
    if (divisorOf(op, stride.variable) && isMoved(op.getResult(0)))
      (isa<arith::DivSIOp, arith::DivUIOp>(op) ? hasQuotient : hasRemainder) = true;
  return hasQuotient && hasRemainder;
}

/// Whether the rounds of a work-item may run in any order. What the body stores to has one store,
/// to another element in each round, and the body does not load from it.
bool hasIndependentRounds(const Stride &stride, const Nest &nest) {
  auto kernel = stride.loop->getParentOfType<KernelOp>();
  if (!kernel || llvm::any_of(kernel.getSignature().parameters,
                              [](const auto &parameter) { return parameter.isAlias; }))
    return false;
  // Slices of different parameters, and different arrays in shared memory, do not overlap. Null for
  // other slices: two parts of dynamic shared memory may be the same bytes.
  auto memoryOf = [&](Value slice) {
    const Value root = rootOf(slice);
    const bool isKnown = llvm::is_contained(kernel.getBody().getArguments(), root) ||
                         isa_and_present<SharedOp, ConstantDataOp>(root.getDefiningOp());
    return isKnown ? root : Value();
  };
  llvm::SmallDenseSet<Value, 8> loaded, stored;
  auto fits = [&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      loaded.insert(memoryOf(load.getSlice()));
      return true;
    }
    if (auto store = dyn_cast<StoreOp>(op))
      return !nest.isInside(store.getSlice()) && areDistinct(store.getIndices(), stride, nest) &&
             stored.insert(memoryOf(store.getSlice())).second;
    return isMemoryEffectFree(op) || isa<CheckOp>(op) ||
           op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  };
  const bool isOther = stride.loop
                           ->walk([&](Operation *op) {
                             return fits(op) ? WalkResult::advance() : WalkResult::interrupt();
                           })
                           .wasInterrupted();
  if (isOther || stored.contains(Value()) || (loaded.contains(Value()) && !stored.empty()))
    return false;
  return llvm::none_of(stored, [&](Value memory) { return loaded.contains(memory); });
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
      for (Operation &op : nest.loops[axis].getBody()->without_terminator()) {
        if (&op == stride.loop || (axis != 0 && &op == nest.loops[axis - 1]))
          break;
        copy(op, map);
      }
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
      std::optional<Stride> stride = nest ? strideOf(*nest) : std::nullopt;
      if (stride && hasIndependentRounds(*stride, *nest))
        Flattener(*nest, *stride).run();
    }
  }
};

} // namespace
