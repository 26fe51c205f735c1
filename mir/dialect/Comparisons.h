// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of integers.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/ErrorHandling.h"

namespace spl::mir {

/// The predicate of the same comparison with swapped operands.
inline mlir::arith::CmpIPredicate swapped(mlir::arith::CmpIPredicate predicate) {
  using mlir::arith::CmpIPredicate;
  switch (predicate) {
  case CmpIPredicate::eq:
  case CmpIPredicate::ne:
    return predicate;
  case CmpIPredicate::slt:
    return CmpIPredicate::sgt;
  case CmpIPredicate::sle:
    return CmpIPredicate::sge;
  case CmpIPredicate::sgt:
    return CmpIPredicate::slt;
  case CmpIPredicate::sge:
    return CmpIPredicate::sle;
  case CmpIPredicate::ult:
    return CmpIPredicate::ugt;
  case CmpIPredicate::ule:
    return CmpIPredicate::uge;
  case CmpIPredicate::ugt:
    return CmpIPredicate::ult;
  case CmpIPredicate::uge:
    return CmpIPredicate::ule;
  }
  llvm_unreachable("every predicate is above");
}

} // namespace spl::mir
