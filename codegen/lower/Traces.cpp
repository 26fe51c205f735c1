// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl.trace: a call of the runtime for each run of bytes that the access covers. Padding in structs
// is no part of an access.
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

struct TracePattern : Pattern<mir::TraceOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::TraceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value value = adaptor.getValue().empty() ? i64Constant(rewriter, loc, 0)
                                             : adaptor.getValue().front().front();
    auto trace = [&](Value address, uint64_t bytes) {
      lowering.hooks->emitTrace(op, address, bytes, value, rewriter);
    };
    if (op.getSlice().empty()) {
      trace(LLVM::ZeroOp::create(rewriter, loc, lowering.pointer()), 0);
    } else {
      ValueRange slice = adaptor.getSlice().front();
      Type element = cast<mir::SliceType>(op.getSlice().front().getType()).getElement();
      SmallVector<Value> indices = single(adaptor.getIndices());
      if (op.getIndices().empty()) {
        trace(slice.front(), lowering.layout(element).size);
      } else {
        Value address = elementAddress(loc, slice, indices, lowering.memoryType(element), rewriter);
        SmallVector<Run> runs;
        appendRuns(element, 0, lowering, runs);
        for (const Run &run : runs)
          trace(LLVM::GEPOp::create(rewriter, loc, lowering.pointer(), rewriter.getI8Type(),
                                    address, ArrayRef<LLVM::GEPArg>{int32_t(run.offset)}),
                run.bytes);
      }
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void addTracePatterns(Lowering &lowering) { lowering.add<TracePattern>(); }

} // namespace spl::codegen
