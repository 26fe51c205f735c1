// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Multiples.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spl::mir::bounds {

static unsigned trailingZeros(Value value, unsigned depth) {
  constexpr unsigned maxDepth = 8;
  const unsigned width = value.getType().getIntOrFloatBitWidth();
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.countr_zero();
  if (depth == maxDepth)
    return 0;
  auto of = [&](Value operand) { return trailingZeros(operand, depth + 1); };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar()
               ? std::min(of(loop.getLowerBound()), of(loop.getStep()))
               : 0;
  }
  return llvm::TypeSwitch<Operation *, unsigned>(value.getDefiningOp())
      .Case([&](arith::MulIOp op) { return std::min(of(op.getLhs()) + of(op.getRhs()), width); })
      .Case<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp>(
          [&](auto op) { return std::min(of(op.getLhs()), of(op.getRhs())); })
      .Case([&](arith::AndIOp op) { return std::max(of(op.getLhs()), of(op.getRhs())); })
      .Case([&](arith::ShLIOp op) {
        const bool isKnown = matchPattern(op.getRhs(), m_ConstantInt(&number));
        return std::min(of(op.getLhs()) + unsigned(isKnown ? number.getLimitedValue(width) : 0),
                        width);
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp>([&](auto op) {
        const unsigned zeros = of(op.getIn());
        return zeros == op.getIn().getType().getIntOrFloatBitWidth() ? width : zeros;
      })
      .Case([&](arith::TruncIOp op) { return std::min(of(op.getIn()), width); })
      .Case([&](arith::SelectOp op) {
        return std::min(of(op.getTrueValue()), of(op.getFalseValue()));
      })
      .Default(0u);
}

unsigned trailingZeros(Value value) { return trailingZeros(value, 0); }

} // namespace spl::mir::bounds
