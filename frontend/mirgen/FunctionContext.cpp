// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/FunctionContext.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

FunctionContext::FunctionContext(ModuleGen &module, const sema::Function &function)
    : module(module), builder(module.builder), function(function), facts(function),
      env(facts.slotCount()) {}

Value FunctionContext::integer(Type type, int64_t value, Location location) {
  TypedAttr number = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    number = DenseElementsAttr::get(vector, Attribute(number));
  return arith::ConstantOp::create(builder, location, number);
}

Value FunctionContext::noValue(Type type, Location location) {
  return ub::PoisonOp::create(builder, location, type);
}
