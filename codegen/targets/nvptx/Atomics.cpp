// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Atomics.h"

using namespace mlir;

namespace spl::codegen {
namespace {

using mir::AtomicKind;

StringRef ptxScope(mir::MemoryScope scope) {
  switch (scope) {
  case mir::MemoryScope::Group:
    return "cta";
  case mir::MemoryScope::Device:
    return "gpu";
  case mir::MemoryScope::System:
    return "sys";
  }
  llvm_unreachable("every scope is above");
}

/// The operation in PTX, such as ".add.u32". Returns std::nullopt if there is no single
/// instruction.
std::optional<std::string> operation(AtomicKind kind, Type type, bool isUnsigned) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType().isF16() ? ".add.noftz.f16x2" : ".add.noftz.bf16x2";
  std::string bits = std::to_string(type.getIntOrFloatBitWidth());
  std::string sign = isUnsigned ? ".u" : ".s";
  switch (kind) {
  case AtomicKind::Add:
    return (type.isInteger() ? ".add.u" : ".add.f") + bits;
  case AtomicKind::Min:
    return type.isInteger() ? std::optional(".min" + sign + bits) : std::nullopt;
  case AtomicKind::Max:
    return type.isInteger() ? std::optional(".max" + sign + bits) : std::nullopt;
  case AtomicKind::And:
    return ".and.b" + bits;
  case AtomicKind::Or:
    return ".or.b" + bits;
  case AtomicKind::Xor:
    return ".xor.b" + bits;
  case AtomicKind::Inc:
  case AtomicKind::Dec:
    if (bits != "32")
      return std::nullopt;
    return kind == AtomicKind::Inc ? ".inc.u32" : ".dec.u32";
  case AtomicKind::Exchange:
    return ".exch.b" + bits;
  case AtomicKind::Sub:
  case AtomicKind::Cas:
  case AtomicKind::Load:
  case AtomicKind::Store:
    return std::nullopt;
  }
  llvm_unreachable("every kind is above");
}

} // namespace

std::optional<Value> emitNvptxAtomic(mir::AtomicOp op, AtomicKind kind, Value address, Value value,
                                     OpBuilder &builder) {
  Type type = value.getType();
  bool isRelaxed = op.getOrder() == mir::MemoryOrder::Relaxed;
  // LLVM's instructions are relaxed with the scope of the device, which is correct for a group too.
  if (isRelaxed && op.getScope() != mir::MemoryScope::System && !isa<VectorType>(type))
    return std::nullopt;
  if (type.isInteger() && type.getIntOrFloatBitWidth() < 32)
    return std::nullopt; // LLVM makes a compare-and-swap of the word around it
  std::optional<std::string> what = operation(kind, type, op.getIsUnsigned());
  if (!what)
    return std::nullopt;

  Location loc = op.getLoc();
  unsigned bits = isa<VectorType>(type) ? 32 : type.getIntOrFloatBitWidth();
  Type word = builder.getIntegerType(bits);
  if (type != word)
    value = LLVM::BitcastOp::create(builder, loc, word, value);
  std::string reg = bits == 32 ? "r" : "l";
  std::string how =
      ("." + mir::stringifyMemoryOrder(op.getOrder()) + "." + ptxScope(op.getScope()) + *what)
          .str();
  bool reduces = op.getResult().use_empty() && kind != AtomicKind::Exchange &&
                 (isRelaxed || op.getOrder() == mir::MemoryOrder::Release);
  auto run = [&](TypeRange results, const std::string &text, const std::string &constraints) {
    return LLVM::InlineAsmOp::create(builder, loc, results, ValueRange{address, value}, text,
                                     constraints + ",~{memory}", /*has_side_effects=*/true,
                                     /*is_align_stack=*/false,
                                     LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
                                     ArrayAttr());
  };
  if (reduces) {
    run(TypeRange(), "red" + how + " [$0], $1;", "l," + reg);
    return LLVM::PoisonOp::create(builder, loc, type).getResult();
  }
  Value old = run(word, "atom" + how + " $0, [$1], $2;", "=" + reg + ",l," + reg).getRes();
  if (type != word)
    old = LLVM::BitcastOp::create(builder, loc, type, old);
  return old;
}

} // namespace spl::codegen
