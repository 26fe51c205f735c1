// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/StridedLoops.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/RangeLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace spl::mir {

/// How deep expressions are followed. Their operations may use one value several times.
static constexpr unsigned deepest = 8;

std::optional<int64_t> numberOf(Value value, unsigned depth) {
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
static Value selected(Value value) {
  auto choice = value.getDefiningOp<arith::SelectOp>();
  if (!choice)
    return value;
  const std::optional<int64_t> condition = numberOf(choice.getCondition());
  return condition ? (*condition ? choice.getTrueValue() : choice.getFalseValue()) : value;
}

/// The only operation of the loop's body that is not pure, or null if there are several.
static Operation *onlyEffect(scf::ForOp loop) {
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

namespace {
/// constant + the sum of factor * id over the axes.
struct LinearForm {
  int64_t constant = 0;
  std::array<int64_t, 3> factors = {};
};
} // namespace

static std::optional<LinearForm> linearFormOf(Value value, const Nest &nest, unsigned depth = 0) {
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
static bool isFlatId(Value value, const Nest &nest) {
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

/// The end of a range that begins at \p first, from the condition that it has a round. Null if
/// the condition has another form, or if the end is not the same for all work-items.
static Value endOf(Value hasRound, Value first, const Nest &nest) {
  auto compare = selected(hasRound).getDefiningOp<arith::CmpIOp>();
  const bool isEnd = compare && compare.getPredicate() == arith::CmpIPredicate::slt &&
                     compare.getLhs() == first && !nest.isInside(compare.getRhs());
  return isEnd ? compare.getRhs() : Value();
}

/// Whether the value is the distance from \p first to the last value before \p end.
static bool isDistance(Value value, Value first, Value end) {
  auto less = value.getDefiningOp<arith::SubIOp>();
  auto far = less ? selected(less.getLhs()).getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  return far && numberOf(less.getRhs()) == 1 && far.getLhs() == end && far.getRhs() == first;
}

/// Whether the other arguments of the body are used only to compute whether the loop continues.
static bool ownsArguments(scf::WhileOp loop) {
  scf::YieldOp yield = loop.getYieldOp();
  Operation *again = yield.getOperand(1).getDefiningOp(),
            *left = yield.getOperand(2).getDefiningOp();
  ValueRange arguments = loop.getAfterArguments();
  return arguments[1].use_empty() && llvm::all_of(arguments[2].getUsers(), [&](Operation *user) {
           return user == again || user == left;
         });
}

/// A loop whose step is known only at run time (RangeLoop::Stride).
static std::optional<Stride> strideOf(scf::WhileOp loop, const Nest &nest) {
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
static std::optional<Stride> strideOf(scf::ForOp loop, const Nest &nest) {
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

std::optional<int64_t> divisorOf(Operation &op, Value variable) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op) ||
      op.getOperand(0) != variable)
    return std::nullopt;
  const std::optional<int64_t> divisor = numberOf(op.getOperand(1));
  return divisor && *divisor > 1 ? divisor : std::nullopt;
}

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
static bool movesWith(Value value, Value origin, const Nest &nest) {
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
static bool areDistinct(ValueRange indices, const Stride &stride, const Nest &nest) {
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

} // namespace spl::mir
