// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/NvptxPrint.h"
#include "codegen/lower/Printing.h"

using namespace mlir;

namespace spl::codegen {

/// printf's conversion for a value.
static std::string conversion(char kind, int precision) {
  if (precision >= 0)
    return "%." + std::to_string(precision) + "f";
  switch (kind) {
  case 'i':
    return "%lld";
  case 'u':
    return "%llu";
  case 'b':
    return "%s";
  case 'd':
    return "%.17g";
  default:
    return "%.9g";
  }
}

static std::string formatOf(mir::PrintOp op) {
  std::string format;
  auto addText = [&](Attribute text) {
    for (char c : cast<StringAttr>(text).getValue())
      format += c == '%' ? "%%" : std::string(1, c);
  };
  addText(op.getTexts()[0]);
  for (auto [index, kind] : llvm::enumerate(op.getKinds())) {
    format += conversion(kind, op.getPrecisions()[index]);
    addText(op.getTexts()[index + 1]);
  }
  return format + "\n";
}

// Every value takes eight bytes of what vprintf reads, as C's variable arguments do: a double, an
// integer, or the address of a text.
void emitNvptxPrint(mir::PrintOp op, ValueRange values, Lowering &lowering, OpBuilder &builder) {
  if (op.getIsMessage())
    return;
  Location loc = op.getLoc();
  callOutlined(op, values, lowering, builder, [&](ValueRange parameters) {
    Type pointer = lowering.pointer(), i64 = lowering.i64(), i32 = builder.getI32Type();
    Value slots =
        LLVM::AllocaOp::create(builder, loc, pointer, i64,
                               i64Constant(builder, loc, std::max<int64_t>(parameters.size(), 1)));
    for (auto [index, parameter] : llvm::enumerate(parameters)) {
      Value value = parameter;
      if (value.getType().isInteger(1))
        value = LLVM::SelectOp::create(builder, loc, value, constantText("true", lowering, builder),
                                       constantText("false", lowering, builder));
      else if (isa<FloatType>(value.getType()) && !value.getType().isF64())
        value = LLVM::FPExtOp::create(builder, loc, builder.getF64Type(), value);
      Value slot = LLVM::GEPOp::create(builder, loc, pointer, i64, slots,
                                       ArrayRef<LLVM::GEPArg>{int32_t(index)});
      LLVM::StoreOp::create(builder, loc, value, slot);
    }
    LLVM::LLVMFuncOp print = lowering.declare(builder, "vprintf", i32, {pointer, pointer});
    LLVM::CallOp::create(builder, loc, print,
                         ValueRange{constantText(formatOf(op), lowering, builder), slots});
  });
}

} // namespace spl::codegen
