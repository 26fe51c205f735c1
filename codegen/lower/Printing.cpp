// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/lower/Printing.h"

using namespace mlir;

namespace spl::codegen {

/// A new symbol. It differs from all symbols of the source, because these have no number after a
/// dot.
static std::string freshName(StringRef stem, Lowering &lowering) {
  return (stem + Twine(lowering.printSymbols++)).str();
}

void callOutlined(mir::PrintOp op, ValueRange arguments, Lowering &lowering, OpBuilder &builder,
                  llvm::function_ref<void(ValueRange)> fill) {
  Location loc = op.getLoc();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                          llvm::to_vector(arguments.getTypes()));
  LLVM::LLVMFuncOp function;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(lowering.module.getBody());
    function = LLVM::LLVMFuncOp::create(builder, loc, freshName("spl.print.", lowering), type,
                                        LLVM::Linkage::Internal);
    function.setPassthroughAttr(builder.getStrArrayAttr({"cold", "noinline"}));
    function.setNoUnwind(true);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    fill(function.getArguments());
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  }
  LLVM::CallOp::create(builder, loc, function, arguments);
}

std::string formatForHost(mir::PrintOp op, size_t maxValues) {
  std::string format;
  auto addText = [&](Attribute text) {
    for (char c : cast<StringAttr>(text).getValue())
      format += c == '\1' ? "\1\1\1" : std::string(1, c);
  };
  addText(op.getTexts()[0]);
  for (auto [index, kind] : llvm::enumerate(op.getKinds())) {
    if (index == maxValues)
      return format + "...";
    format += {'\1', kind, char(op.getPrecisions()[index] + 1)};
    addText(op.getTexts()[index + 1]);
  }
  return format;
}

Value printedBits(Value value, Location loc, OpBuilder &builder) {
  if (isa<FloatType>(value.getType()))
    value = LLVM::BitcastOp::create(
        builder, loc, builder.getIntegerType(value.getType().getIntOrFloatBitWidth()), value);
  if (value.getType().isInteger(64))
    return value;
  return LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), value);
}

Value constantText(StringRef text, Lowering &lowering, OpBuilder &builder) {
  std::string bytes = text.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(lowering.module.getBody());
    global = LLVM::GlobalOp::create(builder, lowering.module.getLoc(), type, /*isConstant=*/true,
                                    LLVM::Linkage::Private, freshName("spl.format.", lowering),
                                    builder.getStringAttr(bytes));
    global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  }
  return LLVM::AddressOfOp::create(builder, lowering.module.getLoc(), global);
}

} // namespace spl::codegen
