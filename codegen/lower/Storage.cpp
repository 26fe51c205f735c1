// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the local memory of work-items and the constant data of the module.
#include "codegen/lower/Lowering.h"

using namespace mlir;

namespace spl::codegen {
namespace {

/// Creates an alloca in the function's first block, which LLVM can split into values. A lifetime
/// begins at the operation, so the contents are undefined each time that control reaches it.
struct LocalPattern : Pattern<mir::LocalOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::LocalOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = op.getType().getElement();
    Type memory = LLVM::LLVMArrayType::get(lowering.memoryType(element), op.getCount());
    const Lowering::Layout layout = lowering.layout(element);
    // LLVM loads and stores up to 16 bytes at once where the alignment allows it, for example the
    // zeros of an array.
    constexpr uint64_t mostAtOnce = 16;
    uint64_t align = layout.align;
    // A vector of a gang's lanes that crosses cache lines takes longer.
    if (auto lanes = op->getAttrOfType<IntegerAttr>(mir::SplDialect::lanesAttr))
      align = std::min<uint64_t>(llvm::bit_floor(layout.size * uint64_t(lanes.getInt())), 64);
    else if (layout.size * op.getCount() >= mostAtOnce)
      align = std::max(align, mostAtOnce);
    Value address;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
      rewriter.setInsertionPointToStart(&function.getBody().front());
      address = LLVM::AllocaOp::create(rewriter, loc, lowering.pointer(), memory,
                                       i64Constant(rewriter, loc, 1), unsigned(align));
    }
    LLVM::LifetimeStartOp::create(rewriter, loc, address);
    Value count = i64Constant(rewriter, loc, int64_t(op.getCount()));
    rewriter.replaceOpWithMultiple(op, {{address, count}});
    return success();
  }
};

/// Converts the attribute to the form that llvm.mlir.global expects: bytes for bools, dense
/// vectors.
Attribute constantOf(Attribute value, Type type, Lowering &lowering) {
  Type memory = lowering.memoryType(type);
  if (auto number = dyn_cast<IntegerAttr>(value))
    return IntegerAttr::get(memory, number.getValue().zext(memory.getIntOrFloatBitWidth()));
  auto parts = dyn_cast<ArrayAttr>(value);
  if (!parts)
    return value;
  auto fields = dyn_cast<mir::StructType>(type);
  auto array = dyn_cast<mir::ArrayType>(type);
  auto vector = dyn_cast<VectorType>(type);
  SmallVector<Attribute> converted;
  for (auto [index, part] : llvm::enumerate(parts)) {
    Type inside = fields  ? fields.getFields()[index]
                  : array ? array.getElement()
                          : vector.getElementType();
    converted.push_back(constantOf(part, inside, lowering));
  }
  if (vector)
    return DenseElementsAttr::get(cast<ShapedType>(memory), converted);
  return ArrayAttr::get(lowering.context(), converted);
}

/// Of constant data: the total size of the module's constants up to and including these, in bytes.
constexpr llvm::StringLiteral endAttr = "spl.end";

/// The type of the array that holds the data.
Type arrayOf(mir::ConstantDataOp op) {
  return mir::ArrayType::get(op.getContext(), op.getElements().size(), op.getType().getElement());
}

struct ConstantDataPattern : Pattern<mir::ConstantDataOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::ConstantDataOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LLVM::GlobalOp global = globalOf(op, rewriter);
    Value address = LLVM::AddressOfOp::create(rewriter, loc, global);
    if (address.getType() != lowering.pointer())
      address = LLVM::AddrSpaceCastOp::create(rewriter, loc, lowering.pointer(), address);
    Value count = i64Constant(rewriter, loc, int64_t(op.getElements().size()));
    rewriter.replaceOpWithMultiple(op, {{address, count}});
    return success();
  }

  /// Returns one global for equal data.
  LLVM::GlobalOp globalOf(mir::ConstantDataOp op, OpBuilder &builder) const {
    Type element = op.getType().getElement();
    LLVM::GlobalOp &global = lowering.constants[{op.getElements(), element}];
    if (global)
      return global;
    const Type whole = arrayOf(op);
    const auto end = uint64_t(op->getAttrOfType<IntegerAttr>(endAttr).getInt());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(lowering.module.getBody());
    std::string name = "spl.constant." + std::to_string(lowering.constants.size());
    global =
        LLVM::GlobalOp::create(builder, lowering.module.getLoc(), lowering.memoryType(whole),
                               /*isConstant=*/true, LLVM::Linkage::Private, name,
                               constantOf(op.getElements(), whole, lowering),
                               lowering.layout(whole).align, lowering.hooks->constantMemory(end));
    global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
    return global;
  }
};

} // namespace

void placeConstants(Lowering &lowering) {
  uint64_t bytes = 0;
  llvm::DenseMap<std::pair<Attribute, Type>, uint64_t> ends;
  lowering.module.walk([&](mir::ConstantDataOp op) {
    auto [end, isNew] = ends.try_emplace({op.getElements(), op.getType().getElement()}, 0);
    if (isNew) {
      const Lowering::Layout layout = lowering.layout(arrayOf(op));
      bytes = llvm::alignTo(bytes, layout.align) + layout.size;
      end->second = bytes;
    }
    op->setAttr(endAttr, Builder(op).getI64IntegerAttr(int64_t(end->second)));
  });
}

void addStoragePatterns(Lowering &lowering) {
  lowering.add<LocalPattern>();
  lowering.add<ConstantDataPattern>();
}

} // namespace spl::codegen
