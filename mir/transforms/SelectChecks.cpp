// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-select-checks: see Passes.td.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/CheckKinds.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "spl/abi/CheckSubject.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spl::mir {
#define GEN_PASS_DEF_SELECTCHECKS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

namespace {

/// The kind of --check that selects checks for this fault, or std::nullopt if they are always kept.
std::optional<CheckKind> selectedBy(FaultKind fault) {
  switch (fault) {
  case FaultKind::IndexOutOfBounds:
  case FaultKind::MisalignedVector:
    return CheckKind::Bounds;
  case FaultKind::DivisionByZero:
  case FaultKind::StepZero:
    return CheckKind::Division;
  case FaultKind::NegativeExponent:
    return CheckKind::Exponent;
  case FaultKind::AssertionFailed:
    return CheckKind::Assert;
  case FaultKind::Trap:
  case FaultKind::TimeLimit:
  case FaultKind::GridBarrierMissed:
    return std::nullopt;
  }
  llvm_unreachable("every kind is above");
}

/// The name of the slice in the source: from the access, or from the parameter. Null if there is
/// none.
StringAttr declaredName(Operation *access, Value slice) {
  if (auto name = access->getAttrOfType<StringAttr>(SplDialect::nameAttr))
    return name;
  while (auto view = slice.getDefiningOp<ReadOnlyOp>())
    slice = view.getSlice();
  auto argument = dyn_cast<BlockArgument>(slice);
  if (!argument)
    return {};
  auto function = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function
             ? function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), SplDialect::nameAttr)
             : StringAttr();
}

/// The name for messages. For dynamic shared memory it is, for example, "tile in gpu.shared_dyn",
/// to show that the launch sets the length.
StringAttr sourceName(Operation *access, Value slice) {
  constexpr StringLiteral dynamic = "gpu.shared_dyn";
  StringAttr name = declaredName(access, slice);
  if (!isa_and_present<SharedDynOp>(rootOf(slice).getDefiningOp()) || (name && name == dynamic))
    return name;
  return StringAttr::get(access->getContext(), name ? name.getValue() + " in " + dynamic : dynamic);
}

/// The name for messages about an index of this axis: "axis 1 of a" for a slice of several axes. A
/// row without a name has the name of its slice. Therefore j in a[i][j] also indexes axis 1 of a.
StringAttr axisName(Operation *access, Value slice, int64_t axis) {
  StringAttr name = sourceName(access, slice);
  while (Operation *op = slice.getDefiningOp()) {
    if (auto view = dyn_cast<ReadOnlyOp>(op)) {
      slice = view.getSlice();
      continue;
    }
    auto row = dyn_cast<RowOp>(op);
    if (!row || sourceName(row, row.getSlice()) != name)
      break;
    axis += int64_t(row.getIndices().size());
    slice = row.getSlice();
  }
  if (!name || cast<SliceType>(slice.getType()).getRank() == 1)
    return name;
  return StringAttr::get(access->getContext(), spl::abi::axisSubject(axis, name.getValue()));
}

/// Inserts checks before one operation.
class Bounds {
public:
  explicit Bounds(Operation *access) : access(access), builder(access) {}

  // A negative index is a large unsigned number, so one unsigned comparison checks both limits.
  void check(Value slice, ValueRange indices, int64_t firstPosition = 0) {
    for (auto [axis, index] : llvm::enumerate(indices))
      require(arith::CmpIPredicate::ult, index, extent(slice, axis), axisName(access, slice, axis),
              firstPosition + int64_t(axis));
  }

  void checkRange(Value slice, Value from, Value to) {
    require(arith::CmpIPredicate::ule, to, extent(slice, 0), sourceName(access, slice), 1);
    auto range = access->getAttrOfType<StringAttr>(SplDialect::rangeAttr);
    require(arith::CmpIPredicate::ule, from, to, range ? range : sourceName(access, slice), 0);
  }

  /// Checks the flat id of a work-item, which is the second operand.
  void checkItem(Value id) {
    Location loc = access->getLoc();
    Value count;
    for (int64_t axis : {0, 1, 2}) {
      Value size = IntrinsicOp::create(builder, loc, builder.getI64Type(),
                                       spl::intrinsics::row(Id::LocalSize).name, ValueRange(),
                                       builder.getI64IntegerAttr(axis))
                       .getResult();
      count = count ? arith::MulIOp::create(builder, loc, count, size).getResult() : size;
    }
    require(arith::CmpIPredicate::ult, id, count, builder.getStringAttr("the group"), 1);
  }

private:
  /// The extent of a selected slice is a selection of extents, which the analysis of bounds
  /// follows.
  Value extent(Value slice, int64_t axis) {
    if (auto select = slice.getDefiningOp<arith::SelectOp>())
      return arith::SelectOp::create(builder, access->getLoc(), select.getCondition(),
                                     extent(select.getTrueValue(), axis),
                                     extent(select.getFalseValue(), axis));
    return ExtentOp::create(builder, access->getLoc(), slice, axis);
  }
  void require(arith::CmpIPredicate predicate, Value index, Value bound, StringAttr name,
               int64_t position) {
    Location loc = access->getLoc();
    Value inside = arith::CmpIOp::create(builder, loc, predicate, index, bound);
    auto check = CheckOp::create(builder, loc, inside, FaultKind::IndexOutOfBounds,
                                 ValueRange{index, bound}, name);
    auto unsignedIndices = access->getAttrOfType<DenseI64ArrayAttr>(SplDialect::unsignedAttr);
    check.setIsUnsigned(unsignedIndices &&
                        llvm::is_contained(unsignedIndices.asArrayRef(), position));
  }

  Operation *access;
  OpBuilder builder;
};

void insertBoundsChecks(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<LoadOp, StoreOp, RowOp, PartOp, AtomicOp>([](auto access) {
        if (!access.getUnchecked())
          Bounds(access).check(access.getSlice(), access.getIndices());
      })
      .Case([](CopyOp copy) {
        if (copy.getUnchecked())
          return;
        Bounds(copy).check(copy.getFrom(), copy.getFromIndices());
        Bounds(copy).check(copy.getTo(), copy.getToIndices(), copy.getFromIndices().size());
      })
      .Case([](IntrinsicOp op) {
        if (op.getRow().id == Id::GroupBroadcast)
          Bounds(op).checkItem(op.getOperand(1));
      })
      .Case([](SubsliceOp view) {
        if (!view.getUnchecked())
          Bounds(view).checkRange(view.getSlice(), view.getFrom(), view.getTo());
      });
}

struct SelectChecksPass : spl::mir::impl::SelectChecksBase<SelectChecksPass> {
  using SelectChecksBase::SelectChecksBase;

  void runOnOperation() override {
    llvm::Expected<CheckKinds> selected = CheckKinds::parse(kinds);
    if (!selected) {
      emitError(getOperation().getLoc()) << llvm::toString(selected.takeError());
      return signalPassFailure();
    }
    getOperation().walk([&](CheckOp check) {
      std::optional<CheckKind> kind = selectedBy(check.getKind());
      if (kind && !selected->has(*kind))
        check.erase();
    });
    if (!selected->has(CheckKind::Bounds))
      return;
    getOperation().walk([](Operation *op) { insertBoundsChecks(op); });
  }
};

} // namespace
