// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comparisons of the language as those of MIR.
#pragma once

#include "frontend/syntax/Expressions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace spl::mirgen {

struct Comparison {
  syntax::BinaryOp op;
  syntax::BinaryOp opposite; ///< what holds where op does not, of operands without NaN
  mlir::arith::CmpFPredicate onFloats;
  mlir::arith::CmpIPredicate onSigned, onUnsigned;
};

constexpr Comparison comparisonOf(syntax::BinaryOp op) {
  using Op = syntax::BinaryOp;
  using Floats = mlir::arith::CmpFPredicate;
  using Integers = mlir::arith::CmpIPredicate;
  constexpr Comparison rows[] = {
      {Op::Eq, Op::Ne, Floats::OEQ, Integers::eq, Integers::eq},
      // NaN differs from everything, itself included.
      {Op::Ne, Op::Eq, Floats::UNE, Integers::ne, Integers::ne},
      {Op::Lt, Op::Ge, Floats::OLT, Integers::slt, Integers::ult},
      {Op::Le, Op::Gt, Floats::OLE, Integers::sle, Integers::ule},
      {Op::Gt, Op::Le, Floats::OGT, Integers::sgt, Integers::ugt},
      {Op::Ge, Op::Lt, Floats::OGE, Integers::sge, Integers::uge},
  };
  for (const Comparison &row : rows)
    if (row.op == op)
      return row;
  llvm_unreachable("every comparison is above");
}

#define BINARY(Id, Spelling, Token, Precedence, Family)                                            \
  static_assert(!syntax::isComparison(syntax::BinaryOp::Id) ||                                     \
                comparisonOf(syntax::BinaryOp::Id).op == syntax::BinaryOp::Id);
#include "frontend/syntax/Operators.def"

} // namespace spl::mirgen
