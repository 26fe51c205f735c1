// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers spl.atomic to the target's own instructions if they are better, or to LLVM's atomics, or
// to a loop around compare-and-swap if LLVM has no atomic with the same meaning.
#include "codegen/lower/Lowering.h"

using namespace mlir;

namespace spl::codegen {

using LLVM::AtomicBinOp;
using LLVM::AtomicOrdering;
using mir::AtomicKind;

namespace {

AtomicOrdering ordering(mir::MemoryOrder order) {
  switch (order) {
  case mir::MemoryOrder::Relaxed:
    return AtomicOrdering::monotonic;
  case mir::MemoryOrder::Acquire:
    return AtomicOrdering::acquire;
  case mir::MemoryOrder::Release:
    return AtomicOrdering::release;
  case mir::MemoryOrder::AcqRel:
    return AtomicOrdering::acq_rel;
  }
  llvm_unreachable("every order is above");
}

/// The ordering of a compare-and-swap that fails, which only reads.
AtomicOrdering orderingOfFailure(mir::MemoryOrder order) {
  bool acquires = order == mir::MemoryOrder::Acquire || order == mir::MemoryOrder::AcqRel;
  return acquires ? AtomicOrdering::acquire : AtomicOrdering::monotonic;
}

/// Lowers one spl.atomic.
class AtomicLowering {
public:
  AtomicLowering(mir::AtomicOp op, Value address, ValueRange values, Lowering &lowering,
                 ConversionPatternRewriter &rewriter)
      : op(op), address(address), values(values), lowering(lowering), rewriter(rewriter),
        loc(op.getLoc()), type(op.getSlice().getType().getElement()),
        scope(lowering.hooks->syncScope(op.getScope())) {
    const unsigned width = isa<VectorType>(type) ? 32 : type.getIntOrFloatBitWidth();
    bits = rewriter.getIntegerType(std::max(width, 8u)); // a bool is a byte in memory
  }

  /// Emits the operation. Returns the old value, or null for a store.
  Value emit() {
    switch (op.getKind()) {
    case AtomicKind::Load:
      return fromBits(load(isMovedAsBits() ? bits : type, ordering(op.getOrder())));
    case AtomicKind::Store:
      LLVM::StoreOp::create(rewriter, loc, toBits(values[0]), address, alignment(), false, false,
                            false, ordering(op.getOrder()), scope);
      return {};
    case AtomicKind::Cas: {
      Value pair = compareAndSwap(cast(bits, values[0]), cast(bits, values[1]));
      return cast(type, LLVM::ExtractValueOp::create(rewriter, loc, pair, 0));
    }
    case AtomicKind::Sub: // a - b is exactly a + -b
      return update(AtomicKind::Add, negate(values[0]));
    case AtomicKind::Add:
    case AtomicKind::Min:
    case AtomicKind::Max:
    case AtomicKind::And:
    case AtomicKind::Or:
    case AtomicKind::Xor:
    case AtomicKind::Inc:
    case AtomicKind::Dec:
    case AtomicKind::Exchange:
      return update(op.getKind(), values[0]);
    }
    llvm_unreachable("every kind is above");
  }

private:
  Value update(AtomicKind kind, Value value) {
    if (std::optional<Value> own = lowering.hooks->emitAtomic(op, kind, address, value, rewriter))
      return *own;
    bool isMinMax = kind == AtomicKind::Min || kind == AtomicKind::Max;
    if (isMinMax && !type.isInteger())
      return loop(kind, value);
    return LLVM::AtomicRMWOp::create(rewriter, loc, atomicBinOp(kind, type, op.getIsUnsigned()),
                                     address, value, ordering(op.getOrder()), scope, alignment());
  }

  /// Emits a loop that computes the new value and stores it by compare-and-swap, until no other
  /// write came between. LLVM can emit such loops itself, but its min and max may return either
  /// zero if both zeros are compared.
  Value loop(AtomicKind kind, Value value) {
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, op->getIterator());
    Block *again = rewriter.createBlock(after, {bits}, {loc});
    rewriter.setInsertionPointToEnd(before);
    LLVM::BrOp::create(rewriter, loc, load(bits, AtomicOrdering::monotonic), again);

    rewriter.setInsertionPointToEnd(again);
    Value old = again->getArgument(0);
    Value pair = compareAndSwap(old, cast(bits, combine(kind, cast(type, old), value)));
    Value found = LLVM::ExtractValueOp::create(rewriter, loc, pair, 0);
    Value done = LLVM::ExtractValueOp::create(rewriter, loc, pair, 1);
    LLVM::CondBrOp::create(rewriter, loc, done, after, ValueRange(), again, found);
    rewriter.setInsertionPoint(op);
    return cast(type, old);
  }

  Value combine(AtomicKind kind, Value old, Value value) {
    StringRef name = kind == AtomicKind::Min ? "llvm.minimumnum" : "llvm.maximumnum";
    return LLVM::CallIntrinsicOp::create(rewriter, loc, type, rewriter.getStringAttr(name),
                                         ValueRange{old, value})
        .getResult(0);
  }

  Value load(Type as, AtomicOrdering order) {
    return LLVM::LoadOp::create(rewriter, loc, as, address, alignment(), false, false, false, false,
                                order, scope);
  }

  /// Emits a compare-and-swap of integers. Returns a pair: the old value, and whether it was the
  /// expected one.
  Value compareAndSwap(Value expected, Value value) {
    return LLVM::AtomicCmpXchgOp::create(rewriter, loc, address, expected, value,
                                         ordering(op.getOrder()), orderingOfFailure(op.getOrder()),
                                         scope, alignment());
  }

  Value negate(Value value) {
    if (!type.isInteger())
      return LLVM::FNegOp::create(rewriter, loc, value);
    Value zero = LLVM::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, 0));
    return LLVM::SubOp::create(rewriter, loc, zero, value);
  }

  /// Whether loads and stores have no form for the type itself.
  bool isMovedAsBits() const { return isa<VectorType>(type) || type.getIntOrFloatBitWidth() < 32; }
  Value toBits(Value value) {
    if (!isMovedAsBits())
      return value;
    return type.isInteger(1) ? Value(LLVM::ZExtOp::create(rewriter, loc, bits, value))
                             : cast(bits, value);
  }
  Value fromBits(Value value) {
    return type.isInteger(1) ? Value(LLVM::TruncOp::create(rewriter, loc, type, value))
                             : cast(type, value);
  }

  Value cast(Type to, Value value) {
    return value.getType() == to ? value : LLVM::BitcastOp::create(rewriter, loc, to, value);
  }

  unsigned alignment() const { return bits.getIntOrFloatBitWidth() / 8; }

  mir::AtomicOp op;
  Value address;
  ValueRange values;
  Lowering &lowering;
  ConversionPatternRewriter &rewriter;
  Location loc;
  Type type, bits; ///< the element type, and the integer type of the same size
  StringRef scope;
};

struct AtomicPattern : Pattern<mir::AtomicOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::AtomicOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values = single(adaptor.getValues());
    Value address =
        elementAddress(op.getLoc(), adaptor.getSlice(), single(adaptor.getIndices()),
                       lowering.memoryType(op.getSlice().getType().getElement()), rewriter);
    if (Value old = AtomicLowering(op, address, values, lowering, rewriter).emit())
      rewriter.replaceOp(op, old);
    else
      rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

AtomicBinOp atomicBinOp(AtomicKind kind, Type type, bool isUnsigned) {
  switch (kind) {
  case AtomicKind::Add:
    return type.isInteger() ? AtomicBinOp::add : AtomicBinOp::fadd;
  case AtomicKind::Min:
    return isUnsigned ? AtomicBinOp::umin : AtomicBinOp::min;
  case AtomicKind::Max:
    return isUnsigned ? AtomicBinOp::umax : AtomicBinOp::max;
  case AtomicKind::And:
    return AtomicBinOp::_and;
  case AtomicKind::Or:
    return AtomicBinOp::_or;
  case AtomicKind::Xor:
    return AtomicBinOp::_xor;
  case AtomicKind::Inc:
    return AtomicBinOp::uinc_wrap;
  case AtomicKind::Dec:
    return AtomicBinOp::udec_wrap;
  case AtomicKind::Exchange:
    return AtomicBinOp::xchg;
  case AtomicKind::Sub:
  case AtomicKind::Cas:
  case AtomicKind::Load:
  case AtomicKind::Store:
    break;
  }
  llvm_unreachable("lowered in other ways");
}

void addAtomicPatterns(Lowering &lowering) { lowering.add<AtomicPattern>(); }

} // namespace spl::codegen
