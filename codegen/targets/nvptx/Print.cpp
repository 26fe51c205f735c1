// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Print.h"
#include "codegen/LinkNeeded.h"
#include "codegen/lower/Printing.h"
#include "spl/abi/PrintKind.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace spl::codegen {

using abi::PrintKind;

static constexpr StringLiteral shortestText = "spl_shortest_text";

static constexpr unsigned char deviceCode[] = {
#include "ShortestText.bc.inc"
};

/// The number of bits of a float's mantissa, without the leading one, and of its exponent.
struct FloatFormat {
  int32_t mantissaBits, exponentBits;
};

static std::optional<FloatFormat> floatFormatOf(PrintKind kind) {
  switch (kind) {
  case PrintKind::F16:
    return FloatFormat{10, 5};
  case PrintKind::BF16:
    return FloatFormat{7, 8};
  case PrintKind::F32:
    return FloatFormat{23, 8};
  case PrintKind::F64:
    return FloatFormat{52, 11};
  default:
    return std::nullopt;
  }
}

/// The conversion specifier of printf for a value.
static std::string conversion(PrintKind kind, int precision) {
  if (precision >= 0)
    return "%." + std::to_string(precision) + "f";
  return kind == PrintKind::Signed ? "%lld" : kind == PrintKind::Unsigned ? "%llu" : "%s";
}

static std::string formatOf(mir::PrintOp op) {
  std::string format;
  auto addText = [&](Attribute text) {
    for (char c : cast<StringAttr>(text).getValue())
      format += c == '%' ? "%%" : std::string(1, c);
  };
  addText(op.getTexts()[0]);
  for (auto [index, kind] : llvm::enumerate(op.getKinds())) {
    format += conversion(PrintKind(kind), op.getPrecisions()[index]);
    addText(op.getTexts()[index + 1]);
  }
  return format + "\n";
}

/// Converts a float to a double. NaN gets no sign, because printf would write it. On architectures
/// without arithmetic on bf16, the value is an i16 with its bits, which are the upper half of an
/// f32.
static Value asDouble(Value value, Location loc, OpBuilder &builder) {
  if (value.getType().isInteger(16)) {
    value = LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), value);
    Value half = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(16));
    value = LLVM::ShlOp::create(builder, loc, value, half);
    value = LLVM::BitcastOp::create(builder, loc, builder.getF32Type(), value);
  }
  if (!value.getType().isF64())
    value = LLVM::FPExtOp::create(builder, loc, builder.getF64Type(), value);
  Value isNan = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno, value, value);
  Value nan = LLVM::ConstantOp::create(
      builder, loc, builder.getF64FloatAttr(std::numeric_limits<double>::quiet_NaN()));
  return LLVM::SelectOp::create(builder, loc, isNan, nan, value);
}

/// Emits code that writes the shortest text of a float. Returns the address of the text.
static Value asText(Value value, FloatFormat format, Lowering &lowering, OpBuilder &builder) {
  Location loc = value.getLoc();
  Type pointer = lowering.pointer(), i64 = lowering.i64(), i32 = builder.getI32Type();
  Type bits = builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
  if (value.getType() != bits)
    value = LLVM::BitcastOp::create(builder, loc, bits, value);
  if (bits != i64)
    value = LLVM::ZExtOp::create(builder, loc, i64, value);
  Value text = LLVM::AllocaOp::create(builder, loc, pointer, builder.getI8Type(),
                                      i64Constant(builder, loc, 32));
  LLVM::LLVMFuncOp write =
      lowering.declare(builder, shortestText, LLVM::LLVMVoidType::get(builder.getContext()),
                       {pointer, i64, i32, i32});
  auto constant = [&](int32_t number) -> Value {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(number));
  };
  LLVM::CallOp::create(
      builder, loc, write,
      ValueRange{text, value, constant(format.mantissaBits), constant(format.exponentBits)});
  return text;
}

// vprintf reads its values from memory. Each value has eight bytes, as with variable arguments in
// C: a double, an integer, or the address of a text.
void emitNvptxPrint(mir::PrintOp op, ValueRange values, Lowering &lowering, OpBuilder &builder) {
  Location loc = op.getLoc();
  callOutlined(op, values, lowering, builder, [&](ValueRange parameters) {
    Type pointer = lowering.pointer(), i64 = lowering.i64(), i32 = builder.getI32Type();
    Value slots =
        LLVM::AllocaOp::create(builder, loc, pointer, i64,
                               i64Constant(builder, loc, std::max<int64_t>(parameters.size(), 1)));
    for (auto [index, parameter] : llvm::enumerate(parameters)) {
      Value value = parameter;
      std::optional<FloatFormat> format = floatFormatOf(PrintKind(op.getKinds()[index]));
      if (value.getType().isInteger(1))
        value = LLVM::SelectOp::create(builder, loc, value, constantText("true", lowering, builder),
                                       constantText("false", lowering, builder));
      else if (format)
        value = op.getPrecisions()[index] < 0 ? asText(value, *format, lowering, builder)
                                              : asDouble(value, loc, builder);
      Value slot = LLVM::GEPOp::create(builder, loc, pointer, i64, slots,
                                       ArrayRef<LLVM::GEPArg>{int32_t(index)});
      LLVM::StoreOp::create(builder, loc, value, slot);
    }
    LLVM::LLVMFuncOp print = lowering.declare(builder, "vprintf", i32, {pointer, pointer});
    LLVM::CallOp::create(builder, loc, print,
                         ValueRange{constantText(formatOf(op), lowering, builder), slots});
  });
}

llvm::Error linkPrinting(llvm::Module &module) {
  llvm::Function *write = module.getFunction(shortestText);
  if (!write || !write->isDeclaration())
    return llvm::Error::success();
  llvm::StringRef bytes(reinterpret_cast<const char *>(deviceCode), sizeof deviceCode);
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::parseBitcodeFile({bytes, shortestText}, module.getContext());
  if (!library)
    return library.takeError();
  return linkNeeded(module, std::move(*library), shortestText);
}

} // namespace spl::codegen
