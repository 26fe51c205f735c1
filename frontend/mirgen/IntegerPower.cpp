// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/IntegerPower.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

std::string spl::mirgen::powHelperName(unsigned width) { return "pow$i" + std::to_string(width); }

// result * base ** exponent stays the same in each round, and exponent goes down to 0.
static Value emitSquaring(OpBuilder &builder, Location location, Value base, Value exponent) {
  Type type = base.getType();
  Value one = arith::ConstantIntOp::create(builder, location, type, 1);
  Value zero = arith::ConstantIntOp::create(builder, location, type, 0);
  auto before = [&](OpBuilder &b, Location loc, ValueRange args) {
    Value left = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, args[2], zero);
    scf::ConditionOp::create(b, loc, left, args);
  };
  auto after = [&](OpBuilder &b, Location loc, ValueRange args) {
    Value bit = arith::AndIOp::create(b, loc, args[2], one);
    Value isOdd = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit, zero);
    Value product = arith::MulIOp::create(b, loc, args[0], args[1]);
    Value result = arith::SelectOp::create(b, loc, isOdd, product, args[0]);
    Value square = arith::MulIOp::create(b, loc, args[1], args[1]);
    Value rest = arith::ShRUIOp::create(b, loc, args[2], one);
    scf::YieldOp::create(b, loc, ValueRange{result, square, rest});
  };
  auto loop = scf::WhileOp::create(builder, location, TypeRange{type, type, type},
                                   ValueRange{one, base, exponent}, before, after);
  return loop.getResult(0);
}

void spl::mirgen::emitPowHelper(OpBuilder &builder, Location location, unsigned width) {
  Type type = builder.getIntegerType(width);
  auto function = mir::FuncOp::create(
      builder, location, builder.getStringAttr(powHelperName(width)),
      TypeAttr::get(builder.getFunctionType({type, type}, {type})),
      /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr(), builder.getStringAttr("private"));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&function.getBody(), {}, {type, type}, {location, location});
  Value result = emitSquaring(builder, location, body->getArgument(0), body->getArgument(1));
  mir::ReturnOp::create(builder, location, result);
}

Value spl::mirgen::emitConstantPower(OpBuilder &builder, Location location, Value base,
                                     uint64_t exponent) {
  Value result; // null is 1
  for (Value square = base;;) {
    if (exponent & 1)
      result = result ? Value(arith::MulIOp::create(builder, location, result, square)) : square;
    exponent >>= 1;
    if (exponent == 0)
      break;
    square = arith::MulIOp::create(builder, location, square, square);
  }
  return result ? result : arith::ConstantIntOp::create(builder, location, base.getType(), 1);
}
