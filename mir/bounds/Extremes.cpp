// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Extremes.h"
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using spl::intrinsics::Id;

namespace spl::mir {

/// The function that computes the value, if it is one of signed integers.
static std::optional<Id> signedIntrinsic(Value value) {
  auto op = value.getDefiningOp<IntrinsicOp>();
  return op && value.getType().isInteger() && !op.getIsUnsigned() ? std::optional(op.getRow().id)
                                                                  : std::nullopt;
}

bool bounds::isMinimum(Value value) {
  const std::optional<Id> id = signedIntrinsic(value);
  return id == Id::Min || id == Id::Clamp || isa_and_nonnull<arith::MinSIOp>(value.getDefiningOp());
}

bool bounds::isMaximum(Value value) {
  return signedIntrinsic(value) == Id::Max ||
         isa_and_nonnull<arith::MaxSIOp>(value.getDefiningOp());
}

} // namespace spl::mir
