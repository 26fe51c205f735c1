// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers spl.print, and spl.check. A check is alone in a block that is entered if it fails
// (Flatten.h). It becomes the report of the fault.
#include "codegen/lower/Lowering.h"

using namespace mlir;

namespace spl::codegen {
namespace {

struct CheckPattern : Pattern<mir::CheckOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::CheckOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    lowering.hooks->emitFault(op, adaptor.getDetails(), rewriter);
    rewriter.eraseOp(op);
    return success();
  }
};

struct PrintPattern : Pattern<mir::PrintOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::PrintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    lowering.hooks->emitPrint(op, adaptor.getValues(), rewriter);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

FileLineColLoc sourceLine(Location loc) {
  if (auto line = dyn_cast<FileLineColLoc>(loc))
    return line;
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return sourceLine(call.getCallee());
  if (auto name = dyn_cast<NameLoc>(loc))
    return sourceLine(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColLoc line = sourceLine(part))
        return line;
  return {};
}

void addCheckPatterns(Lowering &lowering) {
  lowering.add<CheckPattern>();
  lowering.add<PrintPattern>();
}

} // namespace spl::codegen
