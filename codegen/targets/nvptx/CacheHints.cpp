// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/CacheHints.h"

using namespace mlir;

namespace spl::codegen {
namespace {

unsigned bitsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() *
         (vector ? vector.getNumElements() : 1);
}

/// The constraint of a register for a value of this number of bits. A value of 8 bits needs a
/// register of 16 bits.
StringRef registerOf(unsigned bits) { return bits <= 16 ? "h" : bits == 32 ? "r" : "l"; }

/// The instruction, such as "ld.L1::evict_last.b32". An access of 16 bytes has two words.
std::string form(bool isStore, StringRef hint, unsigned bits) {
  StringRef qualifier = hint == "keep"                   ? ".L1::evict_last"
                        : hint == "last_use" && !isStore ? ".lu"
                                                         : ".cs";
  return ((isStore ? "st" : "ld") + qualifier + (bits == 128 ? ".v2" : "") + ".b" +
          Twine(std::min(bits, 64u)))
      .str();
}

LLVM::InlineAsmOp run(Location loc, TypeRange results, ValueRange operands, const std::string &text,
                      const std::string &constraints, OpBuilder &builder) {
  return LLVM::InlineAsmOp::create(builder, loc, results, operands, text,
                                   constraints + ",~{memory}", /*has_side_effects=*/true,
                                   /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr());
}

} // namespace

Value emitHintedLoad(Location loc, Type type, Value address, StringRef hint, OpBuilder &builder) {
  unsigned bits = bitsOf(type);
  if (bits == 128) {
    Type word = builder.getI64Type(), both = VectorType::get(2, word);
    Type pair = LLVM::LLVMStructType::getLiteral(builder.getContext(), {word, word});
    Value words =
        run(loc, pair, address, form(false, hint, bits) + " {$0, $1}, [$2];", "=l,=l,l", builder)
            .getRes();
    Value whole = LLVM::PoisonOp::create(builder, loc, both);
    for (int64_t index : {0, 1}) {
      Value part = LLVM::ExtractValueOp::create(builder, loc, words, index);
      whole = LLVM::InsertElementOp::create(builder, loc, whole, part,
                                            i64Constant(builder, loc, index));
    }
    return LLVM::BitcastOp::create(builder, loc, type, whole);
  }
  Type word = builder.getIntegerType(std::max(bits, 16u));
  Value loaded = run(loc, word, address, form(false, hint, bits) + " $0, [$1];",
                     ("=" + registerOf(bits) + ",l").str(), builder)
                     .getRes();
  if (bits == 8)
    return LLVM::TruncOp::create(builder, loc, type, loaded);
  return word == type ? loaded : LLVM::BitcastOp::create(builder, loc, type, loaded);
}

void emitHintedStore(Location loc, Value value, Value address, StringRef hint, OpBuilder &builder) {
  unsigned bits = bitsOf(value.getType());
  if (bits == 128) {
    Value both =
        LLVM::BitcastOp::create(builder, loc, VectorType::get(2, builder.getI64Type()), value);
    SmallVector<Value> operands{address};
    for (int64_t index : {0, 1})
      operands.push_back(
          LLVM::ExtractElementOp::create(builder, loc, both, i64Constant(builder, loc, index)));
    run(loc, TypeRange(), operands, form(true, hint, bits) + " [$0], {$1, $2};", "l,l,l", builder);
    return;
  }
  Type word = builder.getIntegerType(std::max(bits, 16u));
  if (bits == 8)
    value = LLVM::ZExtOp::create(builder, loc, word, value);
  else if (value.getType() != word)
    value = LLVM::BitcastOp::create(builder, loc, word, value);
  run(loc, TypeRange(), {address, value}, form(true, hint, bits) + " [$0], $1;",
      ("l," + registerOf(bits)).str(), builder);
}

} // namespace spl::codegen
