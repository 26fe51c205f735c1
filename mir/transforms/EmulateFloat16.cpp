// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-emulate-float16: see Passes.td.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Float16Emulation.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spl::mir {
#define GEN_PASS_DEF_EMULATEFLOAT16
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

namespace {

/// Builds the replacement of one operation that the target does not have. make() returns null if
/// the target has the operation.
class Replacement {
public:
  Replacement(Operation *op, Float16Support f16, Float16Support bf16)
      : op(op), emulator(op, f16, bf16), builder(op), loc(op->getLoc()) {}

  Value make() {
    return TypeSwitch<Operation *, Value>(op)
        .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(
            [&](auto each) { return arithmetic(each); })
        .Case<arith::NegFOp, arith::CmpFOp, arith::ExtFOp, arith::TruncFOp, FloatToIntOp,
              math::FmaOp, IntrinsicOp, AtomicOp>([&](auto each) { return replace(each); })
        .Case<arith::SIToFPOp>([&](auto each) { return fromInteger(each, /*isUnsigned=*/false); })
        .Case<arith::UIToFPOp>([&](auto each) { return fromInteger(each, /*isUnsigned=*/true); })
        .Default([](Operation *) { return Value(); });
  }

private:
  bool lacks(Type half, Float16Support what) const { return emulator.support(half) < what; }

  /// f32 has more than twice as many digits, so rounding to f32 first does not change the result.
  template <class Op> Value arithmetic(Op op) {
    Type type = op.getType();
    if (!isFloat16(type) || !lacks(type, Float16Support::Arithmetic))
      return {};
    Value a = emulator.widen(op.getLhs()), b = emulator.widen(op.getRhs());
    return emulator.narrow(Op::create(builder, loc, a, b, op.getFastmath()), type);
  }

  Value replace(arith::NegFOp op) {
    Type type = op.getType();
    return isFloat16(type) && lacks(type, Float16Support::Conversions)
               ? emulator.negate(op.getOperand())
               : Value();
  }

  Value replace(arith::CmpFOp op) {
    Type type = op.getLhs().getType();
    if (!isFloat16(type) || !lacks(type, Float16Support::Arithmetic))
      return {};
    Value a = emulator.widen(op.getLhs()), b = emulator.widen(op.getRhs());
    return arith::CmpFOp::create(builder, loc, op.getPredicate(), a, b);
  }

  Value replace(arith::ExtFOp op) {
    Type from = op.getIn().getType();
    if (!isFloat16(from) || !lacks(from, Float16Support::Conversions))
      return {};
    Value single = emulator.widen(op.getIn());
    return single.getType() == op.getType()
               ? single
               : Value(arith::ExtFOp::create(builder, loc, op.getType(), single));
  }

  Value replace(arith::TruncFOp op) {
    Type type = op.getType();
    if (!isFloat16(type))
      return {};
    if (getElementTypeOrSelf(op.getIn()).isF64())
      return emulator.convertsDouble(type) ? Value() : emulator.narrowDouble(op.getIn(), type);
    return lacks(type, Float16Support::Conversions) ? emulator.narrow(op.getIn(), type) : Value();
  }

  template <class Op> Value fromInteger(Op op, bool isUnsigned) {
    return isFloat16(op.getType()) ? emulator.fromInteger(op.getIn(), isUnsigned, op.getType())
                                   : Value();
  }

  Value replace(FloatToIntOp op) {
    if (!isFloat16(op.getOperand().getType()))
      return {};
    return FloatToIntOp::create(builder, loc, op.getType(), emulator.widen(op.getOperand()),
                                op.getIsUnsigned());
  }

  Value fma(ValueRange operands) {
    Type type = operands.front().getType();
    return isFloat16(type) && lacks(type, Float16Support::Arithmetic)
               ? emulator.fma(operands[0], operands[1], operands[2])
               : Value();
  }
  Value replace(math::FmaOp op) { return fma(op.getOperands()); }
  Value replace(IntrinsicOp op) {
    return op.getRow().id == Id::Fma ? fma(op.getOperands()) : Value();
  }

  Value replace(AtomicOp op) {
    Type type = op.getSlice().getType().getElement();
    return op.getKind() == AtomicKind::Add && isFloat16(type) &&
                   lacks(type, Float16Support::Atomics)
               ? atomicSum(op, type)
               : Value();
  }

  /// Emits a loop that adds, and stores the sum by compare-and-swap until no other write came
  /// between.
  Value atomicSum(AtomicOp op, Type pair) {
    auto access = [&](AtomicKind kind, ValueRange values, MemoryOrder order) -> Value {
      return AtomicOp::create(builder, loc, pair, kind, op.getSlice(), op.getIndices(), values,
                              order, op.getScope(), /*isUnsigned=*/false, op.getUnchecked())
          .getResult();
    };
    auto bits = [&](Value value) -> Value {
      return IntrinsicOp::create(builder, loc, builder.getI32Type(),
                                 spl::intrinsics::row(Id::Bitcast).name, value)
          .getResult();
    };
    Value first = access(AtomicKind::Load, {}, MemoryOrder::Relaxed);
    auto loop = scf::WhileOp::create(builder, loc, pair, first);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&loop.getBefore(), {}, pair, loc);
    Value old = loop.getBeforeArguments()[0];
    Value sum = arith::AddFOp::create(builder, loc, old, op.getValues()[0]);
    Value found = access(AtomicKind::Cas, {old, sum}, op.getOrder());
    Value isLate =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bits(found), bits(old));
    scf::ConditionOp::create(builder, loc, isLate, found);
    builder.createBlock(&loop.getAfter(), {}, pair, loc);
    scf::YieldOp::create(builder, loc, loop.getAfterArguments());
    return loop.getResult(0);
  }

  Operation *op;
  Float16Emulator emulator;
  OpBuilder builder;
  Location loc;
};

struct EmulateFloat16Pass : spl::mir::impl::EmulateFloat16Base<EmulateFloat16Pass> {
  using EmulateFloat16Base::EmulateFloat16Base;

  void runOnOperation() override {
    widen();
    if (f16 == Float16Support::None || bf16 == Float16Support::None)
      becomeIntegers();
  }

  // Replaces the operations in order. Those that a replacement adds are appended to the list.
  void widen() {
    SmallVector<Operation *> pending;
    auto collect = [&](Operation *root) {
      root->walk([&](Operation *op) { pending.push_back(op); });
    };
    collect(getOperation());
    for (size_t next = 0; next != pending.size(); ++next) {
      Operation *op = pending[next];
      Value value = Replacement(op, f16, bf16).make();
      if (!value)
        continue;
      if (auto loop = value.getDefiningOp<scf::WhileOp>())
        collect(loop);
      op->replaceAllUsesWith(ValueRange(value));
      op->erase();
    }
  }

  /// Replaces a float type by i16 if the target can only move its values. Otherwise LLVM would
  /// compute in its own way, for example by converting to f32 and back.
  void becomeIntegers() {
    auto isMoved = [&](Type type) {
      return (type.isF16() && f16 == Float16Support::None) ||
             (type.isBF16() && bf16 == Float16Support::None);
    };
    Type shorts = IntegerType::get(&getContext(), 16);
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](FloatType type) { return isMoved(type) ? std::optional(shorts) : std::nullopt; });
    replacer.addReplacement([&](FloatAttr number) -> std::optional<Attribute> {
      if (!isMoved(number.getType()))
        return std::nullopt;
      return IntegerAttr::get(shorts, number.getValue().bitcastToAPInt());
    });
    replacer.addReplacement([&](DenseElementsAttr numbers) -> std::optional<Attribute> {
      if (!isMoved(numbers.getElementType()))
        return std::nullopt;
      return numbers.bitcast(shorts);
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false, /*replaceTypes=*/true);
  }
};

} // namespace
