// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/WarpRows.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/NonNegative.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "spl/abi/Limits.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

/// Which intrinsic computes the value, or nothing if none does.
static std::optional<Id> idOf(Value value) {
  auto intrinsic = value.getDefiningOp<IntrinsicOp>();
  return intrinsic ? std::optional(intrinsic.getRow().id) : std::nullopt;
}

static bool isAlongX(Value value) { return value.getDefiningOp<IntrinsicOp>().getAxis() == 0; }

static std::optional<APInt> constantOf(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant) : std::nullopt;
}

/// Whether the value is a multiple of the size of a warp.
static bool isMultiple(Value value) {
  if (std::optional<APInt> constant = constantOf(value))
    return constant->urem(spl::abi::warpSize) == 0;
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return isMultiple(op->getOperand(0)) && isMultiple(op->getOperand(1));
  if (isa_and_present<arith::MulIOp>(op))
    return isMultiple(op->getOperand(0)) || isMultiple(op->getOperand(1));
  const std::optional<Id> id = idOf(value);
  return (id == Id::LocalSize || id == Id::GlobalSize) && isAlongX(value);
}

/// Whether the value is a local id along x, plus multiples of the size of a warp.
static bool isIdAlongX(Value value) {
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return (isIdAlongX(sum.getLhs()) && isMultiple(sum.getRhs())) ||
           (isMultiple(sum.getLhs()) && isIdAlongX(sum.getRhs()));
  const std::optional<Id> id = idOf(value);
  return (id == Id::LocalId || id == Id::GlobalId) && isAlongX(value);
}

bool spl::mir::isQuotientOfWarp(Operation *op) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(op) ||
      !isIdAlongX(op->getOperand(0)))
    return false;
  std::optional<APInt> divisor = constantOf(op->getOperand(1));
  if (divisor && isa<arith::ShRSIOp, arith::ShRUIOp>(op)) {
    if (divisor->uge(divisor->getBitWidth() - 1))
      return false;
    divisor = APInt(divisor->getBitWidth(), 1).shl(*divisor);
  }
  return divisor && divisor->isStrictlyPositive() && divisor->urem(spl::abi::warpSize) == 0 &&
         (!isa<arith::DivSIOp>(op) || isNonNegative(op->getOperand(0)));
}
