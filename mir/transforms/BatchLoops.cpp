// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-batch-loops: see Passes.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_BATCHLOOPS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using arith::CmpIPredicate;

namespace {

constexpr uint64_t batch = 4; ///< iterations; nvcc unrolls such loops by the same factor
/// The maximum number of operations of a body.
constexpr size_t maxOperations = 16;

/// A loop over a range whose step is not constant (frontend/mirgen/Ranges.cpp). Its first three
/// carried values are the variable, whether there is another iteration, and the distance to the
/// bound. The others are those of the body.
struct RangeLoop {
  scf::WhileOp loop;
  Value step; ///< is added to the variable
  Value size; ///< the step's magnitude, which the distance is compared with

  /// Returns nothing for a loop of another form.
  static std::optional<RangeLoop> match(scf::WhileOp loop);
};

bool isOutside(scf::WhileOp loop, Value value) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

std::optional<RangeLoop> RangeLoop::match(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  if (loop.getInits().size() < 3 || !llvm::hasSingleElement(*loop.getBeforeBody()) ||
      !llvm::equal(condition.getArgs(), loop.getBeforeArguments()) ||
      condition.getCondition() != loop.getBeforeArguments()[1])
    return std::nullopt;
  ValueRange carried = loop.getAfterArguments(), yielded = loop.getYieldOp().getOperands();
  auto next = yielded[0].getDefiningOp<arith::AddIOp>();
  auto continues = yielded[1].getDefiningOp<arith::CmpIOp>();
  auto left = yielded[2].getDefiningOp<arith::SubIOp>();
  if (!next || next.getLhs() != carried[0] || !isOutside(loop, next.getRhs()) || !continues ||
      continues.getPredicate() != CmpIPredicate::uge || continues.getLhs() != carried[2] ||
      !isOutside(loop, continues.getRhs()) || !left || left.getLhs() != carried[2] ||
      left.getRhs() != continues.getRhs())
    return std::nullopt;
  return RangeLoop{loop, next.getRhs(), continues.getRhs()};
}

/// Whether a batch makes the loop faster: its iterations load together, and compute little. Four
/// stores or four divisions at once need so many registers that fewer warps run at once.
bool pays(scf::WhileOp loop) {
  if (loop->hasAttr(SplDialect::unrollAttr))
    return false;
  bool loads = false;
  for (Operation &op : loop.getAfterBody()->without_terminator()) {
    if (op.getNumRegions() != 0 || (!isMemoryEffectFree(&op) && !isa<LoadOp>(op)) ||
        isa<IntrinsicOp, arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
            arith::RemSIOp, arith::RemUIOp>(op))
      return false;
    loads |= isa<LoadOp>(op);
  }
  return loads && loop.getAfterBody()->getOperations().size() <= maxOperations;
}

/// Puts a loop of batches before the loop, which then runs the last one to four iterations.
void addBatches(const RangeLoop &range) {
  scf::WhileOp loop = range.loop;
  const Location location = loop.getLoc();
  OpBuilder builder(loop);
  Type type = range.size.getType();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, location, builder.getIntegerAttr(type, value));
  };
  const unsigned bits = type.getIntOrFloatBitWidth();
  auto timesBatch = [&](Value value) -> Value {
    return arith::MulIOp::create(builder, location, value, constant(APInt(bits, batch)));
  };
  const Value stepOfBatch = timesBatch(range.step), sizeOfBatch = timesBatch(range.size);
  // A batch needs four steps that fit in the type.
  const Value fits = arith::CmpIOp::create(builder, location, CmpIPredicate::ult, range.size,
                                           constant(APInt::getOneBitSet(bits, bits - 3)));
  const Value mayRun = arith::AndIOp::create(builder, location, loop.getInits()[1], fits);

  auto batches = scf::WhileOp::create(builder, location, loop.getResultTypes(), loop.getInits());
  const SmallVector<Location> locations(loop.getInits().size(), location);
  OpBuilder::InsertionGuard guard(builder);
  Block *before =
      builder.createBlock(&batches.getBefore(), {}, loop.getInits().getTypes(), locations);
  // After a batch at least one iteration is left, so a batch does not change the second value.
  const Value isLeft = arith::CmpIOp::create(builder, location, CmpIPredicate::uge,
                                             before->getArgument(2), sizeOfBatch);
  scf::ConditionOp::create(builder, location,
                           arith::AndIOp::create(builder, location, mayRun, isLeft),
                           before->getArguments());

  Block *body = builder.createBlock(&batches.getAfter(), {}, loop.getResultTypes(), locations);
  SmallVector<Value> values(body->getArguments());
  Operation *yield = loop.getAfterBody()->getTerminator();
  for (uint64_t iteration = 0; iteration != batch; ++iteration) {
    IRMapping mapping;
    mapping.map(loop.getAfterArguments(), values);
    for (Operation &op : loop.getAfterBody()->without_terminator())
      builder.clone(op, mapping);
    for (auto [value, next] : llvm::zip_equal(values, yield->getOperands()))
      value = mapping.lookupOrDefault(next);
  }
  values[0] = arith::AddIOp::create(builder, location, body->getArgument(0), stepOfBatch);
  values[1] = body->getArgument(1);
  values[2] = arith::SubIOp::create(builder, location, body->getArgument(2), sizeOfBatch);
  scf::YieldOp::create(builder, location, values);
  loop.getInitsMutable().assign(batches.getResults());
}

struct BatchLoopsPass : spl::mir::impl::BatchLoopsBase<BatchLoopsPass> {
  void runOnOperation() override {
    SmallVector<RangeLoop> loops;
    getOperation()->walk([&](scf::WhileOp loop) {
      if (std::optional<RangeLoop> range = RangeLoop::match(loop); range && pays(loop))
        loops.push_back(*range);
    });
    llvm::for_each(loops, addBatches);
  }
};

} // namespace
