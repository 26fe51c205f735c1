// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis begins with the values of the first iterations, and joins the shapes of later ones
// until nothing changes. A shape changes at most twice, so this ends.
#include "mir/transforms/gangs/LaneShapes.h"
#include "intrinsics/Intrinsics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

LaneShapes::LaneShapes(scf::ForOp items) : items(items) {
  shapes.try_emplace(items.getInductionVar(), LaneShape::linear(1));
  do {
    changed = false;
    visit(*items.getBody());
  } while (changed);
}

//===-- Queries --===//

LaneShape LaneShapes::of(Value value) const {
  auto found = shapes.find(value);
  return found == shapes.end() ? LaneShape::uniform() : found->second;
}

bool LaneShapes::areUniform(ValueRange values) const {
  return llvm::all_of(values, [&](Value value) { return isUniform(value); });
}

bool LaneShapes::isDivergent(Operation *branch) const {
  if (auto loop = dyn_cast<scf::ForOp>(branch))
    return !areUniform({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  if (auto loop = dyn_cast<scf::WhileOp>(branch))
    return !isUniform(loop.getConditionOp().getCondition());
  return !isUniform(cast<scf::IfOp>(branch).getCondition());
}

bool spl::mir::isAdjacent(const LaneShapes &shapes, Value slice, ValueRange indices) {
  return shapes.isUniform(slice) &&
         llvm::all_of(indices.drop_back(), [&](Value index) { return shapes.isUniform(index); }) &&
         shapes.of(indices.back()) == LaneShape::linear(1);
}

bool spl::mir::loadsRow(const LaneShapes &shapes, LoadOp load) {
  return isAdjacent(shapes, load.getSlice(), load.getIndices()) ||
         shapes.isUniform(load.getResult());
}

bool spl::mir::storesRow(const LaneShapes &shapes, StoreOp store) {
  return isAdjacent(shapes, store.getSlice(), store.getIndices());
}

/// Whether the integer is above 0: a size of the launch, a positive constant, or a product of such
/// that does not overflow.
static bool isPositive(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isStrictlyPositive();
  if (auto narrow = value.getDefiningOp<arith::TruncIOp>())
    return matchPattern(narrow.getIn(), m_ConstantInt(&constant)) &&
           constant.trunc(narrow.getType().getIntOrFloatBitWidth()).isStrictlyPositive();
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return bitEnumContainsAll(product.getOverflowFlags(), arith::IntegerOverflowFlags::nsw) &&
           isPositive(product.getLhs()) && isPositive(product.getRhs());
  auto intrinsic = value.getDefiningOp<IntrinsicOp>();
  if (!intrinsic)
    return false;
  Id id = intrinsic.getRow().id;
  return id == Id::LocalSize || id == Id::NumGroups || id == Id::GlobalSize;
}

Value LaneShapes::chosen(Operation *op) {
  auto select = dyn_cast_if_present<arith::SelectOp>(op);
  if (!select)
    return {};
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return {};
  if (compare.getPredicate() == arith::CmpIPredicate::sgt &&
      matchPattern(compare.getRhs(), m_Zero()) && isPositive(compare.getLhs()))
    return select.getTrueValue();
  APInt a, b;
  if (matchPattern(compare.getLhs(), m_ConstantInt(&a)) &&
      matchPattern(compare.getRhs(), m_ConstantInt(&b)))
    return arith::applyCmpPredicate(compare.getPredicate(), a, b) ? select.getTrueValue()
                                                                  : select.getFalseValue();
  return {};
}

//===-- Propagation --===//

void LaneShapes::join(Value value, LaneShape shape) {
  auto [found, isNew] = shapes.try_emplace(value, shape);
  if (!isNew && (found->second == shape || found->second.isVarying()))
    return;
  if (!isNew)
    found->second = LaneShape::varying();
  changed = true;
}

void LaneShapes::joinEach(ValueRange values, ValueRange from) {
  for (auto [value, source] : llvm::zip(values, from))
    join(value, of(source));
}

void LaneShapes::visit(Block &block) {
  for (Operation &op : block.without_terminator())
    visit(&op);
}

void LaneShapes::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) { visitFor(loop); })
      .Case([&](scf::IfOp branch) { visitIf(branch); })
      .Case([&](scf::WhileOp loop) { visitWhile(loop); })
      .Default([&](Operation *) {
        const LaneShape shape = ofResult(op);
        for (Value result : op->getResults())
          join(result, shape);
      });
}

void LaneShapes::visitFor(scf::ForOp loop) {
  const bool isSplit = isDivergent(loop);
  join(loop.getInductionVar(),
       isUniform(loop.getStep()) ? of(loop.getLowerBound()) : LaneShape::varying());
  joinEach(loop.getRegionIterArgs(), loop.getInitArgs());
  visit(*loop.getBody());
  joinEach(loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOperands());
  for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getRegionIterArgs()))
    join(result, isSplit ? LaneShape::varying() : of(argument));
}

void LaneShapes::visitIf(scf::IfOp branch) {
  for (Region &region : branch->getRegions())
    if (!region.empty())
      visit(region.front());
  for (Region &region : branch->getRegions()) {
    if (region.empty())
      continue;
    for (auto [result, value] :
         llvm::zip(branch.getResults(), region.front().getTerminator()->getOperands()))
      join(result, isDivergent(branch) ? LaneShape::varying() : of(value));
  }
}

// All lanes that are still in a divergent loop have run the same number of iterations. The result
// of a lane is what it had when it left the loop.
void LaneShapes::visitWhile(scf::WhileOp loop) {
  joinEach(loop.getBeforeArguments(), loop.getInits());
  visit(*loop.getBeforeBody());
  joinEach(loop.getAfterArguments(), loop.getConditionOp().getArgs());
  visit(*loop.getAfterBody());
  joinEach(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
  for (auto [result, value] : llvm::zip(loop.getResults(), loop.getConditionOp().getArgs()))
    join(result, isDivergent(loop) ? LaneShape::varying() : of(value));
}

LaneShape LaneShapes::ofResult(Operation *op) const {
  if (auto load = dyn_cast<LoadOp>(op))
    return areUniform(load->getOperands()) ? LaneShape::uniform() : LaneShape::varying();
  if (!isMemoryEffectFree(op))
    return LaneShape::varying();
  if (areUniform(op->getOperands()))
    return LaneShape::uniform();
  if (Value value = chosen(op))
    return of(value);
  return ofArithmetic(op);
}

/// The step of a product of a linear value and a constant.
static LaneShape scaled(LaneShape shape, const APInt &factor) {
  const int64_t step = int64_t(uint64_t(shape.getStep()) * uint64_t(factor.getSExtValue()));
  return LaneShape::linear(step);
}

LaneShape LaneShapes::ofArithmetic(Operation *op) const {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isSignlessInteger() ||
      op->getResult(0).getType().isInteger(1) ||
      llvm::any_of(op->getOperands(), [&](Value operand) { return isVarying(operand); }))
    return LaneShape::varying();
  auto step = [&](unsigned operand) { return uint64_t(of(op->getOperand(operand)).getStep()); };
  APInt constant;
  return llvm::TypeSwitch<Operation *, LaneShape>(op)
      .Case([&](arith::AddIOp) { return LaneShape::linear(int64_t(step(0) + step(1))); })
      .Case([&](arith::SubIOp) { return LaneShape::linear(int64_t(step(0) - step(1))); })
      .Case([&](arith::MulIOp product) {
        if (matchPattern(product.getRhs(), m_ConstantInt(&constant)))
          return scaled(of(product.getLhs()), constant);
        if (matchPattern(product.getLhs(), m_ConstantInt(&constant)))
          return scaled(of(product.getRhs()), constant);
        return LaneShape::varying();
      })
      .Case([&](arith::TruncIOp) { return LaneShape::linear(int64_t(step(0))); })
      .Case([&](arith::SelectOp select) {
        return isUniform(select.getCondition()) &&
                       of(select.getTrueValue()) == of(select.getFalseValue())
                   ? of(select.getTrueValue())
                   : LaneShape::varying();
      })
      .Default([](Operation *) { return LaneShape::varying(); });
}
