// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts MIR's types to types of the LLVM dialect. A slice becomes several values, an address and
// an i64 for each axis. A struct would need operations that extract its parts.
#include "codegen/lower/Lowering.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace spl::codegen {

static LowerToLLVMOptions loweringOptions(MLIRContext *context) {
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  return options;
}

Lowering::Lowering(ModuleOp module, const Target &target)
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

Type Lowering::memoryType(Type type) {
  if (type.isInteger(1))
    return IntegerType::get(context(), 8);
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), memoryType(vector.getElementType()));
  if (auto array = dyn_cast<mir::ArrayType>(type))
    return LLVM::LLVMArrayType::get(memoryType(array.getElement()), array.getCount());
  if (auto fields = dyn_cast<mir::StructType>(type)) {
    if (Type known = memoryTypes.lookup(type))
      return known;
    auto parts = llvm::map_to_vector(fields.getFields(), [&](Type f) { return memoryType(f); });
    return memoryTypes[type] = LLVM::LLVMStructType::getLiteral(context(), parts);
  }
  if (auto slice = dyn_cast<mir::SliceType>(type)) {
    SmallVector<Type> parts(1 + slice.getRank(), i64());
    parts.front() = pointer();
    return LLVM::LLVMStructType::getLiteral(context(), parts);
  }
  return type;
}

// Scalars and vectors are aligned to their size. Structs and arrays have the alignment of their
// parts. This is so on all targets.
Lowering::Layout Lowering::layout(Type type) {
  if (auto slice = dyn_cast<mir::SliceType>(type))
    return {8 * (1 + uint64_t(slice.getRank())), 8};
  if (auto array = dyn_cast<mir::ArrayType>(type))
    return layout(array.getElement()).times(array.getCount());
  if (auto fields = dyn_cast<mir::StructType>(type)) {
    if (auto known = layouts.find(type); known != layouts.end())
      return known->second;
    Layout whole;
    for (Type field : fields.getFields())
      whole.append(layout(field));
    return layouts[type] = whole.padded();
  }
  auto vector = dyn_cast<VectorType>(type);
  return Layout::ofLanes(getElementTypeOrSelf(type).getIntOrFloatBitWidth(),
                         vector ? vector.getNumElements() : 1);
}

LLVM::LLVMFuncOp Lowering::declare(OpBuilder &builder, StringRef name, Type result,
                                   TypeRange parameters) {
  LLVM::LLVMFuncOp &function = declared[name];
  if (function || (function = module.lookupSymbol<LLVM::LLVMFuncOp>(name)))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(parameters));
  function = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  function.setNoUnwind(true);
  return function;
}

Value i64Constant(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
}

} // namespace spl::codegen
