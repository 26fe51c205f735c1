// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl.trace: a call of the runtime for each run of bytes that the access covers. Padding in structs
// is no part of an access. The calls of a module are numbered from 0.
#include "codegen/lower/Lowering.h"

using namespace mlir;

namespace spl::codegen {
namespace {

struct Run {
  uint64_t offset, bytes;
};

/// Appends a run, or lengthens the last one.
void append(SmallVectorImpl<Run> &runs, uint64_t offset, uint64_t bytes) {
  if (!runs.empty() && runs.back().offset + runs.back().bytes == offset)
    runs.back().bytes += bytes;
  else
    runs.push_back({offset, bytes});
}

/// Appends the runs of a type at an offset. Of an array whose elements have padding, all bytes are
/// one run: there may be many elements.
void appendRuns(Type type, uint64_t offset, Lowering &lowering, SmallVectorImpl<Run> &runs) {
  auto fields = dyn_cast<mir::StructType>(type);
  if (!fields)
    return append(runs, offset, lowering.layout(type).size);
  for (Type field : fields.getFields()) {
    offset = llvm::alignTo(offset, lowering.layout(field).align);
    appendRuns(field, offset, lowering, runs);
    offset += lowering.layout(field).size;
  }
}

/// Of a trace: the number of its first call.
constexpr llvm::StringLiteral numberAttr = "spl.number";

/// The runs of one call each: of the element, or of the whole memory without indices.
SmallVector<Run> runsOf(mir::TraceOp op, Lowering &lowering) {
  if (op.getSlice().empty())
    return {{0, 0}};
  SmallVector<Run> runs;
  Type element = cast<mir::SliceType>(op.getSlice().front().getType()).getElement();
  if (op.getIndices().empty())
    append(runs, 0, lowering.layout(element).size);
  else
    appendRuns(element, 0, lowering, runs);
  return runs;
}

struct TracePattern : Pattern<mir::TraceOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::TraceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value value = adaptor.getValue().empty() ? i64Constant(rewriter, loc, 0)
                                             : adaptor.getValue().front().front();
    const int64_t first = op->getAttrOfType<IntegerAttr>(numberAttr).getInt();
    const Value address = addressOf(op, adaptor, rewriter);
    for (auto [number, run] : llvm::enumerate(runsOf(op, lowering))) {
      const Value place =
          run.offset == 0
              ? address
              : LLVM::GEPOp::create(rewriter, loc, lowering.pointer(), rewriter.getI8Type(),
                                    address, ArrayRef<LLVM::GEPArg>{int32_t(run.offset)});
      lowering.hooks->emitTrace(op, unsigned(first + number), place, run.bytes, value, rewriter);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The address of the element, or of the memory, or null.
  Value addressOf(mir::TraceOp op, OneToNOpAdaptor adaptor, OpBuilder &builder) const {
    Location loc = op.getLoc();
    if (op.getSlice().empty())
      return LLVM::ZeroOp::create(builder, loc, lowering.pointer());
    ValueRange slice = adaptor.getSlice().front();
    if (op.getIndices().empty())
      return slice.front();
    Type element = cast<mir::SliceType>(op.getSlice().front().getType()).getElement();
    return elementAddress(loc, slice, single(adaptor.getIndices()), lowering.memoryType(element),
                          builder);
  }
};

} // namespace

void numberTraces(Lowering &lowering) {
  size_t number = 0;
  lowering.module.walk([&](mir::TraceOp op) {
    op->setAttr(numberAttr, Builder(op).getI64IntegerAttr(int64_t(number)));
    number += runsOf(op, lowering).size();
  });
}

void addTracePatterns(Lowering &lowering) { lowering.add<TracePattern>(); }

} // namespace spl::codegen
