// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-instrument: see Passes.td.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/fission/BarrierFission.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "spl/cpu_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <array>

namespace spl::mir {
#define GEN_PASS_DEF_INSTRUMENT
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Sync;

namespace {

/// Whether only the work-item itself, or nobody in the launch, writes what the slice views.
bool isUnshared(Value slice) {
  return isa_and_present<LocalOp>(rootOf(slice).getDefiningOp()) || isNeverWritten(slice);
}

/// What the source calls the slice, or "".
StringAttr subjectOf(Operation *access, Value slice) {
  if (auto name = access->getAttrOfType<StringAttr>(SplDialect::nameAttr))
    return name;
  return StringAttr::get(slice.getContext(), "");
}

/// Makes the traces of one operation.
class Tracer {
public:
  explicit Tracer(Operation *op) : op(op), builder(op), loc(op->getLoc()) {}

  void before(TraceKind kind) { make(kind, {}, {}, {}); }
  void after(TraceKind kind) {
    builder.setInsertionPointAfter(op);
    make(kind, {}, {}, {});
  }

  void access(TraceKind kind, Value slice, ValueRange indices) {
    if (!isUnshared(slice))
      make(kind, slice, indices, {}).setSubjectAttr(subjectOf(op, slice));
  }

  void atomic(AtomicOp atomic) {
    if (isUnshared(atomic.getSlice()))
      return;
    builder.setInsertionPointAfter(op);
    const TraceKind kind = atomic.getKind() == AtomicKind::Load    ? TraceKind::AtomicLoad
                           : atomic.getKind() == AtomicKind::Store ? TraceKind::AtomicStore
                                                                   : TraceKind::AtomicUpdate;
    // A compare-and-swap stores if the old value is the expected one. Of vectors the hashes are
    // compared, which are rarely the same by chance.
    Value stores = atomic.getKind() == AtomicKind::Cas
                       ? extended(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                                        bitsOf(atomic.getResult()),
                                                        bitsOf(atomic.getValues()[0])))
                       : constant(1);
    auto trace = make(kind, atomic.getSlice(), atomic.getIndices(), stores);
    trace.setOrder(atomic.getOrder());
    trace.setScope(atomic.getScope());
    trace.setSubjectAttr(subjectOf(op, atomic.getSlice()));
  }

  void fence(IntrinsicOp fence) {
    builder.setInsertionPointAfter(op);
    make(TraceKind::Fence, {}, {}, {}).setScope(fence.getScope().value_or(MemoryScope::Device));
  }

  void uniform(TraceKind kind, IntrinsicOp hint) {
    Value given = hint.getOperand(0);
    FileLineColLoc barrier = barrierUnder(hint.getResult());
    const bool isNumber = isa<IntegerType>(given.getType());
    make(kind, {}, {}, hashOf(given))
        .setDetail(ArrayRef<int32_t>{barrier ? int32_t(barrier.getLine()) : 0,
                                     barrier ? int32_t(barrier.getColumn()) : 0, isNumber});
  }

  /// \p unnamed is the name of an array that the source does not name.
  void shared(Value slice, std::array<int32_t, 2> detail, StringRef unnamed) {
    builder.setInsertionPointAfter(op);
    auto type = cast<SliceType>(slice.getType());
    Value count = constant(1);
    for (unsigned axis = 0; axis < type.getRank(); ++axis)
      count = arith::MulIOp::create(builder, loc, count,
                                    ExtentOp::create(builder, loc, slice, int64_t(axis)));
    auto trace = make(TraceKind::Shared, slice, {}, count);
    trace.setDetail(ArrayRef<int32_t>(detail));
    auto name = op->getAttrOfType<StringAttr>(SplDialect::nameAttr);
    trace.setSubject(name ? name.getValue() : unnamed);
  }

private:
  TraceOp make(TraceKind kind, Value slice, ValueRange indices, Value value) {
    SmallVector<Value, 1> slices, values;
    if (slice)
      slices.push_back(slice);
    if (value)
      values.push_back(value);
    return TraceOp::create(builder, loc, kind, slices, indices, values, ValueRange(),
                           MemoryOrderAttr(), MemoryScopeAttr(), StringAttr(), DenseI32ArrayAttr());
  }

  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }

  Value bitsOf(Value value) {
    Type type = value.getType();
    if (!isa<FloatType>(type))
      return isa<VectorType>(type) ? hashOf(value) : value;
    Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
    return arith::BitcastOp::create(builder, loc, bits, value);
  }

  Value extended(Value bits) {
    if (bits.getType().isInteger(64))
      return bits;
    return bits.getType().isInteger(1)
               ? arith::ExtUIOp::create(builder, loc, builder.getI64Type(), bits).getResult()
               : arith::ExtSIOp::create(builder, loc, builder.getI64Type(), bits).getResult();
  }

  /// The bits of a scalar, extended to 64 bits; of a vector a hash of its lanes. Different vectors
  /// rarely have the same hash.
  Value hashOf(Value value) {
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector)
      return extended(bitsOf(value));
    Value hash = constant(0), factor = constant(int64_t(0x9e3779b97f4a7c15));
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
      Value part = vector::ExtractOp::create(builder, loc, value, lane);
      hash = arith::MulIOp::create(builder, loc, hash, factor);
      hash = arith::AddIOp::create(builder, loc, hash, extended(bitsOf(part)));
    }
    return hash;
  }

  /// The first barrier under a condition that follows from the value; null if there is none.
  static FileLineColLoc barrierUnder(Value value) {
    llvm::SetVector<Value> derived;
    derived.insert(value);
    for (size_t next = 0; next < derived.size(); ++next)
      for (OpOperand &use : derived[next].getUses()) {
        Operation *user = use.getOwner();
        Operation *branch = isa<scf::ConditionOp>(user) ? user->getParentOp() : user;
        if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(branch))
          if (FileLineColLoc place = barrierIn(branch))
            return place;
        for (Value passed : forwarded(use))
          derived.insert(passed);
        if (user->getNumRegions() == 0 && isMemoryEffectFree(user))
          derived.insert(user->result_begin(), user->result_end());
      }
    return {};
  }

  static FileLineColLoc barrierIn(Operation *branch) {
    FileLineColLoc place;
    branch->walk([&](IntrinsicOp op) {
      if (op.getRow().sync != Sync::Group)
        return WalkResult::advance();
      place = op.getLoc()->findInstanceOf<FileLineColLoc>();
      return WalkResult::interrupt();
    });
    return place;
  }

  Operation *op;
  OpBuilder builder;
  Location loc;
};

void instrument(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([](LoadOp load) {
        Tracer(load).access(TraceKind::Load, load.getSlice(), load.getIndices());
      })
      .Case([](StoreOp store) {
        Tracer(store).access(TraceKind::Store, store.getSlice(), store.getIndices());
      })
      .Case([](CopyOp copy) {
        Tracer(copy).access(TraceKind::Load, copy.getFrom(), copy.getFromIndices());
        Tracer(copy).access(TraceKind::Store, copy.getTo(), copy.getToIndices());
      })
      .Case([](AtomicOp atomic) { Tracer(atomic).atomic(atomic); })
      .Case([](SharedOp array) {
        std::array<int32_t, 2> extents{};
        for (auto [index, extent] : llvm::enumerate(array.getExtents().drop_front()))
          extents[index] = int32_t(extent);
        Tracer(array).shared(array.getResult(), extents, "gpu.shared");
      })
      .Case([](SharedDynOp memory) {
        Tracer(memory).shared(memory.getResult(), {SPL_TRACE_IS_DYNAMIC, 0}, "gpu.shared_dyn");
      })
      .Case([](IntrinsicOp intrinsic) {
        if (intrinsic.getRow().sync == Sync::Group) {
          Tracer(intrinsic).before(TraceKind::Arrive);
          Tracer(intrinsic).after(TraceKind::Leave);
        } else if (intrinsic.getRow().id == Id::WarpBarrier) {
          Tracer(intrinsic).before(TraceKind::WarpArrive);
          Tracer(intrinsic).after(TraceKind::WarpLeave);
        } else if (intrinsic.getRow().id == Id::Fence) {
          Tracer(intrinsic).fence(intrinsic);
        } else if (intrinsic.getRow().id == Id::Uniform) {
          Tracer(intrinsic).uniform(TraceKind::Uniform, intrinsic);
        } else if (intrinsic.getRow().id == Id::GridUniform) {
          Tracer(intrinsic).uniform(TraceKind::GridUniform, intrinsic);
        }
      });
}

/// Marks the caller of a function that is not inlined as unknown, in the locations of its
/// operations (mir/dialect/Frames.h).
void markCaller(FuncOp function) {
  function.walk([](Operation *op) {
    op->setLoc(CallSiteLoc::get(op->getLoc(), UnknownLoc::get(op->getContext())));
  });
}

struct InstrumentPass : spl::mir::impl::InstrumentBase<InstrumentPass> {
  using InstrumentBase::InstrumentBase;

  void runOnOperation() override {
    for (FuncOp function : getOperation().getOps<FuncOp>())
      markCaller(function);
    SmallVector<Operation *> all;
    getOperation().walk([&](Operation *op) { all.push_back(op); });
    for (Operation *op : all)
      instrument(op);
  }
};

} // namespace
