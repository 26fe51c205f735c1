// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-flatten-strides: see CpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/StridedLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_FLATTENSTRIDES
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

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
