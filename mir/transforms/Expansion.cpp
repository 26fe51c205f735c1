// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/Expansion.h"
#include "mir/transforms/Float16Emulation.h"
#include "mir/transforms/GroupOperations.h"
#include "mlir/IR/BuiltinTypes.h"
#include "spl/abi/Limits.h"

using namespace mlir;

namespace spl::mir {

Value Expansion::call(Id id, ValueRange operands) {
  made.push_back(IntrinsicOp::create(builder, loc, operands.front().getType(),
                                     intrinsics::row(id).name, operands, IntegerAttr(),
                                     op.getIsUnsigned()));
  inheritFastMath(made.back());
  return made.back().getResult();
}

//===-- Ids, sizes and collectives of a group --===//

namespace {

class Places : public Expansion {
public:
  explicit Places(const Expansion &expansion) : Expansion(expansion) {}
  Value run();
};

/// The only row with two results.
class Sincos : public Expansion {
public:
  explicit Sincos(const Expansion &expansion) : Expansion(expansion) {}
  bool run() {
    op->replaceAllUsesWith(ValueRange{call(Id::Sin, operand(0)), call(Id::Cos, operand(0))});
    return true;
  }
};

} // namespace

Value Places::run() {
  auto alongAxis = [&](Id id) -> Value {
    IntrinsicOp made = IntrinsicOp::create(builder, loc, op.getType(), intrinsics::row(id).name,
                                           ValueRange(), op.getAxisAttr(), /*isUnsigned=*/false);
    return made.getResult();
  };
  constexpr auto noOverflow = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  switch (op.getRow().id) {
  case Id::GlobalId: {
    Value group = alongAxis(Id::GroupId), size = alongAxis(Id::LocalSize);
    Value first = make<arith::MulIOp>(group, size, noOverflow);
    return make<arith::AddIOp>(first, alongAxis(Id::LocalId), noOverflow);
  }
  case Id::GlobalSize: {
    Value groups = alongAxis(Id::NumGroups), size = alongAxis(Id::LocalSize);
    return make<arith::MulIOp>(groups, size, noOverflow);
  }
  case Id::WarpSize:
    return integer(abi::warpSize, builder.getI64Type());
  case Id::WarpId:
    return make<arith::ShRUIOp>(flatLocalId(op, builder),
                                integer(abi::warpShift, builder.getI64Type()));
  default:
    return expandGroupOperation(op, index, builder, made); // nothing for other operations
  }
}

bool expand(IntrinsicOp op, unsigned index, SmallVectorImpl<IntrinsicOp> &made) {
  const Expansion expansion(op, index, made);
  if (op.getRow().id == intrinsics::Id::Sincos)
    return Sincos(expansion).run();
  const auto places = [](const Expansion &expansion) { return Places(expansion).run(); };
  for (Value (*family)(const Expansion &) :
       {+places, expandElementary, expandGamma, expandFast, expandFloats, expandFloatBits,
        expandIntegers, expandVectors})
    if (Value value = family(expansion)) {
      op->replaceAllUsesWith(ValueRange(value));
      return true;
    }
  return false;
}

//===-- Functions of f16 and bf16 --===//

namespace {

class Widened : public Expansion {
public:
  explicit Widened(const Expansion &expansion) : Expansion(expansion) {}
  void run();

private:
  Value signs();
};

} // namespace

void Widened::run() {
  if (Value value = signs())
    return op->replaceAllUsesWith(ValueRange(value));
  Type f32 = builder.getF32Type();
  SmallVector<Value> operands;
  for (Value value : op.getOperands())
    operands.push_back(isFloat16(value.getType())
                           ? make<arith::ExtFOp>(withElement(value.getType(), f32), value)
                           : value);
  SmallVector<Type> results;
  for (Type type : op.getResultTypes())
    results.push_back(isFloat16(type) ? withElement(type, f32) : type);
  made.push_back(IntrinsicOp::create(builder, loc, results, op.getName(), operands,
                                     op.getAxisAttr(), op.getIsUnsigned()));
  made.back().setExclusive(op.getExclusive());
  made.back().setWidthAttr(op.getWidthAttr());
  inheritFastMath(made.back());
  SmallVector<Value> rounded;
  for (auto [value, type] : llvm::zip(made.back().getResults(), op.getResultTypes()))
    rounded.push_back(isFloat16(type) ? make<arith::TruncFOp>(type, value) : Value(value));
  op->replaceAllUsesWith(ValueRange(rounded));
}

// Computes functions of the sign on the bits, because a NaN may lose its sign in a conversion to
// f32.
Value Widened::signs() {
  auto part = [&](unsigned index, int64_t mask) {
    Value bits = this->bits(operand(index));
    return make<arith::AndIOp>(bits, integer(mask, bits.getType()));
  };
  Type type = operand(0).getType();
  switch (op.getRow().id) {
  case Id::Abs:
    return make<arith::BitcastOp>(type, part(0, 0x7fff));
  case Id::Copysign:
    return make<arith::BitcastOp>(type, make<arith::OrIOp>(part(0, 0x7fff), part(1, -0x8000)));
  case Id::Signbit:
    return expandFloatBits(*this);
  default:
    return {};
  }
}

void expandWidened(IntrinsicOp op, unsigned index, SmallVectorImpl<IntrinsicOp> &made) {
  Widened(Expansion(op, index, made)).run();
}

} // namespace spl::mir
