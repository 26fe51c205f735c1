// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-instrument: see Passes.td.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/fission/BarrierFission.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
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

/// Whether a value is what an operation loads from the element that the store writes.
bool isOldValue(Value value, StoreOp store) {
  auto load = value.getDefiningOp<LoadOp>();
  if (!load || load.getSlice() != store.getSlice())
    return false;
  return llvm::all_of(llvm::zip_equal(load.getIndices(), store.getIndices()), [](auto pair) {
    auto [a, b] = pair;
    APInt first, second;
    return a == b || (matchPattern(a, m_ConstantInt(&first)) &&
                      matchPattern(b, m_ConstantInt(&second)) && first == second);
  });
}

/// Whether a value may be computed from an element of the slice.
bool isFromSlice(Value value, Value slice) {
  SetVector<Operation *> computed;
  BackwardSliceOptions options;
  options.inclusive = options.omitBlockArguments = true;
  (void)getBackwardSlice(value, &computed, options);
  return llvm::any_of(computed, [&](Operation *op) {
    auto load = dyn_cast<LoadOp>(op);
    return (load && load.getSlice() == slice) || op->getNumRegions() != 0;
  });
}

/// The atomic that could replace the store with its operation and load, as for `a[i] += x`.
spl_cpu_trace_update updateOf(StoreOp store) {
  Operation *op = store.getValue().getDefiningOp();
  Type type = store.getValue().getType();
  const bool isFloat = type.isF32() || type.isF64();
  if (!op || !(isFloat || (type.isInteger() && !type.isInteger(1))))
    return SPL_TRACE_NO_UPDATE;
  // An atomic does not make the other loads of `a[i] += a[j]` atomic.
  auto isOld = [&](unsigned operand) {
    return isOldValue(op->getOperand(operand), store) &&
           llvm::none_of(llvm::enumerate(op->getOperands()), [&](auto other) {
             return other.index() != operand && isFromSlice(other.value(), store.getSlice());
           });
  };
  auto commutative = [&](spl_cpu_trace_update update) {
    return isOld(0) || isOld(1) ? update : SPL_TRACE_NO_UPDATE;
  };
  return TypeSwitch<Operation *, spl_cpu_trace_update>(op)
      .Case<arith::AddIOp, arith::AddFOp>([&](auto) { return commutative(SPL_TRACE_ADD); })
      .Case<arith::SubIOp, arith::SubFOp>(
          [&](auto) { return isOld(0) ? SPL_TRACE_SUB : SPL_TRACE_NO_UPDATE; })
      .Case<arith::AndIOp>([&](auto) { return commutative(SPL_TRACE_AND); })
      .Case<arith::OrIOp>([&](auto) { return commutative(SPL_TRACE_OR); })
      .Case<arith::XOrIOp>([&](auto) { return commutative(SPL_TRACE_XOR); })
      .Case([&](math::FmaOp fma) { // of a[i] += x * y, and of a[i] -= x * y
        const bool isDifference = fma.getA().getDefiningOp<arith::NegFOp>() != nullptr;
        return !isOld(2) ? SPL_TRACE_NO_UPDATE : isDifference ? SPL_TRACE_SUB : SPL_TRACE_ADD;
      })
      .Case([&](IntrinsicOp call) {
        const Id id = call.getRow().id;
        return id == Id::Min   ? commutative(SPL_TRACE_MIN)
               : id == Id::Max ? commutative(SPL_TRACE_MAX)
                               : SPL_TRACE_NO_UPDATE;
      })
      .Default(SPL_TRACE_NO_UPDATE);
}

/// The same for the load of such a store.
spl_cpu_trace_update updateOf(LoadOp load) {
  for (Operation *operation : load->getUsers())
    for (Operation *user : operation->getUsers())
      if (auto store = dyn_cast<StoreOp>(user);
          store && store.getValue().getDefiningOp() == operation && isOldValue(load, store))
        return updateOf(store);
  return SPL_TRACE_NO_UPDATE;
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

  void access(TraceKind kind, Value slice, ValueRange indices,
              spl_cpu_trace_update update = SPL_TRACE_NO_UPDATE) {
    if (isUnshared(slice))
      return;
    auto trace = make(kind, slice, indices, {});
    trace.setSubjectAttr(subjectOf(op, slice));
    if (update != SPL_TRACE_NO_UPDATE)
      trace.setDetail(ArrayRef<int32_t>(update));
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
        Tracer(load).access(TraceKind::Load, load.getSlice(), load.getIndices(), updateOf(load));
      })
      .Case([](StoreOp store) {
        Tracer(store).access(TraceKind::Store, store.getSlice(), store.getIndices(),
                             updateOf(store));
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
