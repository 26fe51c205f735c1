// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Dependences.h"
#include "mir/dialect/GroupSize.h"

#include "intrinsics/Intrinsics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "spl/abi/Limits.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using spl::intrinsics::Id;

namespace spl::mir::bounds {

/// Beyond these limits a value is unknown, so that the time is bounded for every kernel.
constexpr unsigned maxDepth = 200, maxInstructions = 500;

unsigned widthOf(Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  return type && type.getWidth() <= 64 ? type.getWidth() : 0;
}

Dependences::Dependences(KernelOp kernel, Operation *at, Value of) {
  newSlot(); // slot 0 is for all unknown values
  localSize = fixedGroupSize(kernel.getSignature());
  for (Region *region = at->getParentRegion();; region = region->getParentRegion()) {
    Operation *op = region->getParentOp();
    Level level;
    level.op = op;
    if (auto choice = dyn_cast<scf::IfOp>(op))
      level.isElse = region == &choice.getElseRegion();
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      level.isBefore = region == &loop.getBefore();
    levels.insert(levels.begin(), std::move(level));
    if (op == kernel)
      break;
  }
  condition = place(of).slot;
  for (Level &level : levels)
    if (auto choice = dyn_cast<scf::IfOp>(level.op))
      level.condition = place(choice.getCondition()).slot;
  bool isComplete = false;
  while (!isComplete) {
    isComplete = true;
    for (Level &level : levels)
      isComplete &= completeLoop(level);
  }
}

/// Adds what the iterations of the loop depend on. That may be more values that loops around it
/// carry. Returns whether all was there.
bool Dependences::completeLoop(Level &level) {
  const size_t before = level.next.size();
  auto loop = dyn_cast<scf::ForOp>(level.op);
  const bool isNew = level.carries() && !level.isCounted;
  if (isNew) {
    level.isCounted = true;
    if (loop) {
      level.lower = place(loop.getLowerBound()).slot;
      level.upper = place(loop.getUpperBound()).slot;
      level.step = place(loop.getStep()).slot;
    } else {
      level.condition = place(cast<scf::WhileOp>(level.op).getConditionOp().getCondition()).slot;
    }
  }
  while (level.next.size() != level.initial.size()) {
    const size_t k = level.next.size();
    const unsigned number = level.carried[k].getArgNumber();
    const Value yielded = loop ? loop.getYieldedValues()[number - loop.getNumInductionVars()]
                               : cast<scf::WhileOp>(level.op).getYieldOp().getOperand(number);
    const Slot to = level.initial[k].to;
    level.next.push_back({place(yielded).slot, to});
  }
  return !isNew && level.next.size() == before;
}

Dependences::Place Dependences::place(Value value) {
  if (widthOf(value) == 0 || nesting == maxDepth || count >= maxInstructions)
    return {};
  if (auto known = places.find(value); known != places.end())
    return known->second;
  ++nesting;
  const Place made = make(value);
  --nesting;
  places[value] = made;
  return made;
}

Dependences::Place Dependences::make(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return constant(number.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  Operation *op = value.getDefiningOp();
  if (auto choice = dyn_cast<scf::IfOp>(op)) {
    const unsigned result = cast<OpResult>(value).getResultNumber();
    return append(Code::Select, value,
                  {choice.getCondition(), choice.thenYield().getOperand(result),
                   choice.elseYield().getOperand(result)});
  }
  if (auto intrinsic = dyn_cast<IntrinsicOp>(op))
    return ofIntrinsic(intrinsic);
  if (auto extent = dyn_cast<ExtentOp>(op)) {
    std::optional<int64_t> fixed = fixedExtent(extent.getSlice(), extent.getAxis());
    return fixed ? constant(*fixed) : Place();
  }
  return ofOperation(op);
}

Dependences::Place Dependences::carry(Level &level, unsigned depth, BlockArgument argument,
                                      Value first) {
  const Place made{newSlot(), depth};
  places[argument] = made; // the first value of an inner loop may depend on the outer one's
  const Slot from = place(first).slot;
  level.initial.push_back({from, made.slot});
  level.carried.push_back(argument);
  return made;
}

Dependences::Place Dependences::ofArgument(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  auto level = llvm::find_if(levels, [&](const Level &each) { return each.op == op; });
  if (level == levels.end())
    return {};
  const unsigned number = argument.getArgNumber(), depth = 2 * unsigned(level - levels.begin());
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (argument != loop.getInductionVar())
      return carry(*level, depth, argument,
                   loop.getInitArgs()[number - loop.getNumInductionVars()]);
    level->variable = newSlot();
    return {level->variable, depth};
  }
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop)
    return {}; // of the kernel
  if (argument.getOwner() == loop.getBeforeBody())
    return carry(*level, depth, argument, loop.getInits()[number]);
  const Place made{newSlot(), depth + 1};
  level->arguments.push_back({place(loop.getConditionOp().getArgs()[number]).slot, made.slot});
  return made;
}

Dependences::Place Dependences::ofIntrinsic(IntrinsicOp op) {
  const unsigned axis = op.getAxis().value_or(0);
  auto once = [&](Slot &slot) {
    if (slot == 0)
      slot = newSlot();
    return Place{slot, 0};
  };
  switch (op.getRow().id) {
  case Id::LocalId:
    return localSize ? once(localIds[axis]) : Place();
  case Id::LocalSize:
    return localSize ? constant((*localSize)[axis]) : Place();
  case Id::LaneId:
    return once(lane);
  case Id::WarpId:
    return localSize ? once(warp) : Place();
  case Id::WarpSize:
    return constant(abi::warpSize);
  case Id::Min:
    return append(op.getIsUnsigned() ? Code::MinU : Code::MinS, op->getResult(0),
                  SmallVector<Value>(op.getOperands()));
  case Id::Max:
    return append(op.getIsUnsigned() ? Code::MaxU : Code::MaxS, op->getResult(0),
                  SmallVector<Value>(op.getOperands()));
  default:
    return {};
  }
}

/// The code of a comparison, and whether its operands must be swapped.
std::pair<Code, bool> codeOf(arith::CmpIPredicate predicate) {
  using arith::CmpIPredicate;
  switch (predicate) {
  case CmpIPredicate::eq:
    return {Code::Eq, false};
  case CmpIPredicate::ne:
    return {Code::Ne, false};
  case CmpIPredicate::slt:
  case CmpIPredicate::sgt:
    return {Code::LtS, predicate == CmpIPredicate::sgt};
  case CmpIPredicate::sle:
  case CmpIPredicate::sge:
    return {Code::LeS, predicate == CmpIPredicate::sge};
  case CmpIPredicate::ult:
  case CmpIPredicate::ugt:
    return {Code::LtU, predicate == CmpIPredicate::ugt};
  case CmpIPredicate::ule:
  case CmpIPredicate::uge:
    return {Code::LeU, predicate == CmpIPredicate::uge};
  }
  llvm_unreachable("all predicates return");
}

Dependences::Place Dependences::ofOperation(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    const auto [code, isSwapped] = codeOf(compare.getPredicate());
    const Value a = compare.getLhs(), b = compare.getRhs();
    return append(code, compare, isSwapped ? ArrayRef<Value>{b, a} : ArrayRef<Value>{a, b});
  }
  const std::optional<Code> code = llvm::TypeSwitch<Operation *, std::optional<Code>>(op)
                                       .Case([](arith::AddIOp) { return Code::Add; })
                                       .Case([](arith::SubIOp) { return Code::Sub; })
                                       .Case([](arith::MulIOp) { return Code::Mul; })
                                       .Case([](arith::DivSIOp) { return Code::DivS; })
                                       .Case([](arith::DivUIOp) { return Code::DivU; })
                                       .Case([](arith::RemSIOp) { return Code::RemS; })
                                       .Case([](arith::RemUIOp) { return Code::RemU; })
                                       .Case([](arith::AndIOp) { return Code::And; })
                                       .Case([](arith::OrIOp) { return Code::Or; })
                                       .Case([](arith::XOrIOp) { return Code::Xor; })
                                       .Case([](arith::ShLIOp) { return Code::Shl; })
                                       .Case([](arith::ShRSIOp) { return Code::ShrS; })
                                       .Case([](arith::ShRUIOp) { return Code::ShrU; })
                                       .Case([](arith::MinSIOp) { return Code::MinS; })
                                       .Case([](arith::MaxSIOp) { return Code::MaxS; })
                                       .Case([](arith::MinUIOp) { return Code::MinU; })
                                       .Case([](arith::MaxUIOp) { return Code::MaxU; })
                                       .Case([](arith::SelectOp) { return Code::Select; })
                                       .Case([](arith::ExtSIOp) { return Code::ExtS; })
                                       .Case([](arith::ExtUIOp) { return Code::ExtU; })
                                       .Case([](arith::TruncIOp) { return Code::Trunc; })
                                       .Default([](Operation *) { return std::nullopt; });
  return code ? append(*code, op->getResult(0), SmallVector<Value>(op->getOperands())) : Place();
}

Dependences::Place Dependences::append(Code code, Value result, ArrayRef<Value> operands) {
  Instruction made{code, widthOf(operands.back()), widthOf(result), 0, {}};
  unsigned depth = 0;
  bool isAnyKnown = false;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    const Place where = place(operand);
    made.operands[k] = where.slot;
    depth = std::max(depth, where.depth);
    isAnyKnown |= where.slot != 0;
  }
  if (!isAnyKnown || ++count >= maxInstructions)
    return {};
  made.result = newSlot();
  Level &level = levels[depth / 2];
  (depth % 2 == 0 ? level.instructions : level.bodyInstructions).push_back(made);
  return {made.result, depth};
}

} // namespace spl::mir::bounds
