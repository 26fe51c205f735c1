// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MIR's types in the LLVM dialect. A slice is no struct but its parts, an address and an i64 for
// each axis, so that nothing has to be taken apart again.
#include "codegen/lower/Lowering.h"

using namespace mlir;

namespace spl::codegen {

static LowerToLLVMOptions loweringOptions(MLIRContext *context) {
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  return options;
}

Lowering::Lowering(ModuleOp module, Target &target)
    : module(module), target(target),
      types(module.getContext(), loweringOptions(module.getContext())),
      patterns(module.getContext()) {
  types.addConversion([](mir::SliceType slice, SmallVectorImpl<Type> &parts) {
    MLIRContext *context = slice.getContext();
    parts.push_back(LLVM::LLVMPointerType::get(context));
    parts.append(slice.getRank(), IntegerType::get(context, 64));
    return success();
  });
}

Type Lowering::memoryType(Type scalar) {
  return scalar.isInteger(1) ? IntegerType::get(context(), 8) : scalar;
}

LLVM::LLVMFuncOp Lowering::declare(OpBuilder &builder, StringRef name, Type result,
                                   TypeRange parameters) {
  if (auto found = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return found;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(parameters));
  auto function = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  function.setNoUnwind(true);
  return function;
}

Value i64Constant(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
}

} // namespace spl::codegen
