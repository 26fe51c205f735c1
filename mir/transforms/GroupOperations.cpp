// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warp stores its partial result in shared memory. Then warps combine the partial results, and
// all work-items read the result. Two barriers are enough: memory that is written before the first
// barrier is read before the second one, so the next execution may write it after that.
//
// If a group has a fixed size of few warps, each work-item reads all partial results and combines
// them itself. Nothing is written to that memory after the first barrier. The second barrier is
// therefore only needed if the operation may be executed again. Groups of one warp need no memory.
//
// An integer scan also computes a sum of the same values that follows it in its block.
#include "mir/transforms/GroupOperations.h"
#include "intrinsics/Reductions.h"
#include "mir/dialect/GroupSize.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "spl/abi/Limits.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

namespace {

using spl::abi::maxWarps;
using spl::abi::warpSize;

/// The most warps whose partial results each work-item combines itself. ptxas joins the loads of
/// four results of 32 bits. A scan has fewer, because it also selects those of the warps before its
/// own.
constexpr int64_t maxDirectWarps = 8, maxDirectScanWarps = 4;

struct GroupExpansion {
  IntrinsicOp op;
  unsigned number;
  OpBuilder &builder;
  SmallVectorImpl<IntrinsicOp> *pending = nullptr; ///< intrinsics that may have to be expanded
  Location loc = op.getLoc();
  Type type = op->getNumResults() ? op.getType() : Type();

  IntrinsicOp create(Id id, TypeRange results, ValueRange operands = {}) {
    return IntrinsicOp::create(builder, loc, results, spl::intrinsics::row(id).name, operands);
  }
  Value ofWarp(Id id, Value value) {
    IntrinsicOp whole = create(id, type, value);
    whole.setIsUnsigned(op.getIsUnsigned());
    return whole.getResult();
  }
  Value i64(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }
  Value along(Id id, int64_t axis) {
    return IntrinsicOp::create(builder, loc, builder.getI64Type(), spl::intrinsics::row(id).name,
                               ValueRange(), builder.getI64IntegerAttr(axis))
        .getResult();
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  template <typename Op> Value compute(Value a, Value b) {
    using arith::IntegerOverflowFlags; // ids and sizes are small
    return Op::create(builder, loc, a, b, IntegerOverflowFlags::nsw | IntegerOverflowFlags::nuw);
  }
  /// The number of the warp of the work-item with this flat id.
  Value warpOf(Value flat) {
    return arith::ShRUIOp::create(builder, loc, flat, i64(spl::abi::warpShift));
  }

  Value flatId() {
    return flatId({along(Id::LocalId, 0), along(Id::LocalId, 1), along(Id::LocalId, 2)});
  }
  Value flatId(ValueRange ids) {
    Value row = compute<arith::MulIOp>(along(Id::LocalSize, 1), ids[2]);
    row = compute<arith::AddIOp>(ids[1], row);
    row = compute<arith::MulIOp>(along(Id::LocalSize, 0), row);
    return compute<arith::AddIOp>(ids[0], row);
  }
  Value groupSize() {
    Value row = compute<arith::MulIOp>(along(Id::LocalSize, 1), along(Id::LocalSize, 2));
    return compute<arith::MulIOp>(along(Id::LocalSize, 0), row);
  }

  Value cells(int64_t count) {
    auto slice = SliceType::get(builder.getContext(), type, /*isMut=*/true, 1);
    const StringRef function = op->getParentOfType<FunctionOpInterface>().getName();
    return SharedOp::create(builder, loc, slice,
                            builder.getStringAttr(function + "$group" + Twine(number)),
                            builder.getDenseI64ArrayAttr(count));
  }
  void barrier() { create(Id::Barrier, TypeRange()); }
  void storeIf(Value condition, Value value, Value cells, Value index) {
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    OpBuilder inside = branch.getThenBodyBuilder();
    StoreOp::create(inside, loc, value, cells, index);
  }
  Value combine(Value a, Value b) {
    Value result = emitCombination(op, a, b, builder);
    if (auto made = result.getDefiningOp<IntrinsicOp>())
      pending->push_back(made);
    return result;
  }
  Value load(Value cells, Value index) { return LoadOp::create(builder, loc, type, cells, index); }

  /// The operand of a lane for which there is no warp.
  Value identity() { return arith::ConstantOp::create(builder, loc, neutralElement(op)); }

  /// parts[lane] if lane < warps, otherwise the neutral element.
  Value partOf(Value lane, Value warps, Value parts) {
    Value isThere = compare(arith::CmpIPredicate::ult, lane, warps);
    auto branch = scf::IfOp::create(builder, loc, type, isThere, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, load(parts, lane));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, identity());
    return branch.getResult(0);
  }

  Value warpCount() { return warpOf(compute<arith::AddIOp>(groupSize(), i64(warpSize - 1))); }
  Value laneId() { return create(Id::LaneId, builder.getI64Type()).getResult(); }

  /// The number of warps of a kernel with a fixed group size. Nothing if the launch chooses it.
  std::optional<int64_t> fixedWarps() {
    auto kernel = op->getParentOfType<KernelOp>();
    const auto size = kernel ? fixedGroupSize(kernel.getSignature()) : std::nullopt;
    if (!size)
      return std::nullopt;
    return ((*size)[0] * (*size)[1] * (*size)[2] + warpSize - 1) >> spl::abi::warpShift;
  }
  /// The partial results of all warps.
  SmallVector<Value> loadAll(Value parts, int64_t warps) {
    SmallVector<Value> values;
    for (int64_t warp = 0; warp != warps; ++warp)
      values.push_back(load(parts, i64(warp)));
    return values;
  }
  /// Combines neighbours, then neighbours of these, until one value is left.
  Value combineAll(SmallVector<Value> values) {
    while (values.size() > 1) {
      for (size_t at = 0; 2 * at < values.size(); ++at)
        values[at] = 2 * at + 1 == values.size() ? values[2 * at]
                                                 : combine(values[2 * at], values[2 * at + 1]);
      values.truncate((values.size() + 1) / 2);
    }
    return values.front();
  }
  /// The barrier that separates the loads of this execution from the stores of the next one.
  void barrierBeforeNext() {
    Operation *parent = op->getParentOp();
    while (isa<scf::IfOp>(parent))
      parent = parent->getParentOp();
    if (!isa<KernelOp>(parent))
      barrier();
  }

  /// The reduction in groups of few warps.
  Value reduceDirectly(const spl::intrinsics::Reduction &reduction, int64_t warps) {
    Value part = ofWarp(reduction.warp, op.getOperand(0));
    if (warps == 1) {
      barrier();
      return create(Id::Uniform, type, part).getResult();
    }
    Value parts = cells(warps);
    storeIf(compare(arith::CmpIPredicate::eq, laneId(), i64(0)), part, parts, warpOf(flatId()));
    barrier();
    SmallVector<Value> values = loadAll(parts, warps);
    Value result = combineAll(std::move(values));
    barrierBeforeNext();
    return result;
  }

  // Every warp combines the partial results, but only the first one is sure to have a lane for each
  // of them. Therefore the first work-item stores the result.
  Value reduce(const spl::intrinsics::Reduction &reduction) {
    if (const auto warps = fixedWarps(); warps && *warps <= maxDirectWarps)
      return reduceDirectly(reduction, *warps);
    const Id id = reduction.warp;
    Value flat = flatId(), lane = laneId();
    Value parts = cells(maxWarps + 1), whole = i64(maxWarps);
    Value part = ofWarp(id, op.getOperand(0));
    storeIf(compare(arith::CmpIPredicate::eq, lane, i64(0)), part, parts, warpOf(flat));
    barrier();
    Value result = ofWarp(id, partOf(lane, warpCount(), parts));
    storeIf(compare(arith::CmpIPredicate::eq, flat, i64(0)), result, parts, whole);
    barrier();
    return load(parts, whole);
  }

  /// The exclusive scan over the warp, from the inclusive one.
  Value withoutOwn(Value within, Value lane) {
    if (isa<IntegerType>(getElementTypeOrSelf(type)))
      return arith::SubIOp::create(builder, loc, within, op.getOperand(0));
    return ofLaneBelow(within, lane);
  }
  /// The value of the lane below, and for lane 0 the neutral element.
  Value ofLaneBelow(Value value, Value lane) {
    Value below = create(Id::ShuffleUp, type, {value, i64(1)}).getResult();
    return arith::SelectOp::create(builder, loc, compare(arith::CmpIPredicate::eq, lane, i64(0)),
                                   identity(), below);
  }

  bool addsFloats() { return isa<FloatType>(getElementTypeOrSelf(type)); }
  /// The result of a scan from those over the warp and over the warps before it. An exclusive scan
  /// begins with 0: the sum of -0 before a work-item is 0.
  Value scanFrom(Value before, Value within, Value lane) {
    if (!op.getExclusive())
      return combine(before, within);
    if (addsFloats())
      before = combine(arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)), before);
    return combine(before, withoutOwn(within, lane));
  }
  /// The last work-item of each warp stores. The last warp may have fewer than 32.
  void storeLast(Value within, Value parts, Value flat, Value lane) {
    Value isLastLane = compare(arith::CmpIPredicate::eq, lane, i64(warpSize - 1));
    Value isLast =
        compare(arith::CmpIPredicate::eq, compute<arith::AddIOp>(flat, i64(1)), groupSize());
    storeIf(arith::OrIOp::create(builder, loc, isLastLane, isLast), within, parts, warpOf(flat));
  }

  /// A later sum of the values that an integer scan adds, in the same block. Not of floats: the
  /// scan begins with 0, and a sum of -0 is -0.
  IntrinsicOp sumOfScan() {
    if (isa<IntegerType>(getElementTypeOrSelf(type)))
      for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
        if (auto sum = dyn_cast<IntrinsicOp>(next);
            sum && sum.getRow().id == Id::GroupSum && sum.getOperand(0) == op.getOperand(0))
          return sum;
    return {};
  }
  /// Replaces the sum by this value. A barrier stays in its place, because a sum is one.
  void replaceSum(IntrinsicOp sum, Value total) {
    OpBuilder before(sum);
    IntrinsicOp::create(before, sum.getLoc(), TypeRange(), spl::intrinsics::row(Id::Barrier).name);
    sum.replaceAllUsesWith(ValueRange(total));
    llvm::erase(*pending, sum);
    sum.erase();
  }

  /// The scan in groups of few warps. The barrier of a sum also separates it from the next one.
  Value scanDirectly(int64_t warps) {
    Value flat = flatId(), lane = laneId();
    Value within = create(Id::WarpScan, type, op.getOperands()).getResult();
    if (warps == 1) {
      barrier();
      return scanFrom(identity(), within, lane);
    }
    Value parts = cells(warps);
    storeLast(within, parts, flat, lane);
    barrier();
    SmallVector<Value> values = loadAll(parts, warps);
    if (IntrinsicOp sum = sumOfScan())
      replaceSum(sum, combineAll(values));
    else
      barrierBeforeNext();
    values.pop_back();
    for (auto [warp, value] : llvm::enumerate(values)) {
      Value isBefore = compare(arith::CmpIPredicate::uge, flat, i64(int64_t(warp + 1) * warpSize));
      value = arith::SelectOp::create(builder, loc, isBefore, value, identity());
    }
    return scanFrom(combineAll(std::move(values)), within, lane);
  }

  Value scan() {
    if (const auto warps = fixedWarps(); warps && *warps <= maxDirectScanWarps)
      return scanDirectly(*warps);
    Value flat = flatId(), lane = laneId(), warp = warpOf(flat);
    Value parts = cells(2 * maxWarps), warps = warpCount();
    Value within = create(Id::WarpScan, type, op.getOperands()).getResult();
    storeLast(within, parts, flat, lane);
    barrier();
    auto scanned = create(Id::WarpScan, type, partOf(lane, warps, parts));
    Value beforeLane = scanned.getResult();
    if (addsFloats()) // an exclusive scan would begin with 0, and make a sum of -0 into 0
      beforeLane = ofLaneBelow(beforeLane, lane);
    else
      scanned.setExclusive(true);
    storeIf(compare(arith::CmpIPredicate::ult, flat, warps), beforeLane, parts,
            compute<arith::AddIOp>(lane, i64(maxWarps)));
    barrier();
    auto beforeWarp = [&](Value number) {
      return load(parts, compute<arith::AddIOp>(number, i64(maxWarps)));
    };
    if (IntrinsicOp sum = sumOfScan()) {
      Value last = arith::SubIOp::create(builder, loc, warps, i64(1));
      replaceSum(sum, combine(beforeWarp(last), load(parts, last)));
    }
    return scanFrom(beforeWarp(warp), within, lane);
  }

  // The first barrier ensures that all work-items have read the result of the previous execution.
  Value broadcast() {
    Value cell = cells(1);
    barrier();
    storeIf(compare(arith::CmpIPredicate::eq, flatId(), op.getOperand(1)), op.getOperand(0), cell,
            i64(0));
    barrier();
    return load(cell, i64(0));
  }
};

} // namespace

namespace spl::mir {

TypedAttr neutralElement(IntrinsicOp op) {
  Type type = op.getType(), element = getElementTypeOrSelf(type);
  Id id = op.getRow().id;
  bool isMin = id == Id::GroupMin || id == Id::WarpMin;
  bool isMax = id == Id::GroupMax || id == Id::WarpMax;
  TypedAttr value;
  if (auto real = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &kind = real.getFloatSemantics();
    // -0 + x is x, also if x is -0. min and max of NaN and x are x.
    value = FloatAttr::get(real, isMin || isMax ? APFloat::getQNaN(kind)
                                                : APFloat::getZero(kind, /*Negative=*/true));
  } else {
    unsigned width = element.getIntOrFloatBitWidth();
    APInt least = op.getIsUnsigned() ? APInt::getZero(width) : APInt::getSignedMinValue(width);
    bool isAnd = id == Id::GroupAll || id == Id::GroupAnd || id == Id::WarpAnd;
    value = IntegerAttr::get(element, isMin   ? ~least
                                      : isMax ? least
                                      : isAnd ? APInt::getAllOnes(width)
                                              : APInt::getZero(width));
  }
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return value;
}

Value emitCombination(IntrinsicOp op, Value a, Value b, OpBuilder &builder) {
  const Location loc = op.getLoc();
  switch (op.getRow().id) {
  case Id::GroupAny:
  case Id::WarpOr:
  case Id::GroupOr:
    return arith::OrIOp::create(builder, loc, a, b);
  case Id::GroupAll:
  case Id::WarpAnd:
  case Id::GroupAnd:
    return arith::AndIOp::create(builder, loc, a, b);
  case Id::WarpXor:
  case Id::GroupXor:
    return arith::XOrIOp::create(builder, loc, a, b);
  case Id::WarpMin:
  case Id::GroupMin:
  case Id::WarpMax:
  case Id::GroupMax: {
    const bool isMin = op.getRow().id == Id::WarpMin || op.getRow().id == Id::GroupMin;
    return IntrinsicOp::create(builder, loc, a.getType(),
                               spl::intrinsics::row(isMin ? Id::Min : Id::Max).name,
                               ValueRange{a, b}, IntegerAttr(), op.getIsUnsigned())
        .getResult();
  }
  default:
    if (!isa<FloatType>(getElementTypeOrSelf(a.getType())))
      return arith::AddIOp::create(builder, loc, a, b);
    // The language does not define the order of such a sum.
    return arith::AddFOp::create(builder, loc, a, b, arith::FastMathFlags::reassoc);
  }
}

Value flatLocalId(IntrinsicOp op, OpBuilder &builder) {
  return GroupExpansion{op, 0, builder}.flatId();
}
Value flatLocalId(IntrinsicOp op, ValueRange localIds, OpBuilder &builder) {
  return GroupExpansion{op, 0, builder}.flatId(localIds);
}

Value expandGroupOperation(IntrinsicOp op, unsigned number, OpBuilder &builder,
                           SmallVectorImpl<IntrinsicOp> &pending) {
  GroupExpansion expansion{op, number, builder, &pending};
  const Id id = op.getRow().id;
  if (const spl::intrinsics::Reduction *reduction = spl::intrinsics::findGroupReduction(id))
    return expansion.reduce(*reduction);
  switch (id) {
  case Id::GroupScan:
    return expansion.scan();
  case Id::GroupBroadcast:
    return expansion.broadcast();
  default:
    return {};
  }
}

} // namespace spl::mir
