// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers shared memory: the arrays of the source, and the launch's dynamic shared memory.
#include "codegen/lower/Lowering.h"
#include "mir/dialect/Report.h"
#include "spl/abi/Limits.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace spl::codegen {
namespace {

struct SharedPattern : Pattern<mir::SharedOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::SharedOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FailureOr<Value> address = lowering.hooks->sharedArray(op, rewriter);
    if (failed(address))
      return failure();
    SmallVector<Value> parts{*address};
    for (int64_t extent : op.getExtents())
      parts.push_back(i64Constant(rewriter, op.getLoc(), extent));
    rewriter.replaceOpWithMultiple(op, {ValueRange(parts)});
    return success();
  }
};

struct SharedDynPattern : Pattern<mir::SharedDynOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::SharedDynOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<TargetHooks::Bytes> all = lowering.hooks->dynamicShared(op, rewriter);
    if (failed(all))
      return failure();
    Value offset = adaptor.getOffset().front();
    Value address = LLVM::GEPOp::create(rewriter, loc, lowering.pointer(), rewriter.getI8Type(),
                                        all->address, ArrayRef<LLVM::GEPArg>{offset});
    Value left = LLVM::SubOp::create(rewriter, loc, all->count, offset);
    Value size = i64Constant(rewriter, loc, lowering.layout(op.getType().getElement()).size);
    Value count = LLVM::UDivOp::create(rewriter, loc, left, size);
    rewriter.replaceOpWithMultiple(op, {{address, count}});
    return success();
  }
};

/// The shared arrays of a kernel and of the functions that it calls, by name.
using Arrays = llvm::MapVector<StringRef, mir::SharedOp>;
void collect(FunctionOpInterface function, const SymbolTable &symbols, Arrays &arrays,
             llvm::DenseSet<Operation *> &seen) {
  if (!seen.insert(function).second)
    return;
  function.walk([&](Operation *op) {
    if (auto array = dyn_cast<mir::SharedOp>(op))
      arrays.insert({array.getName(), array});
    else if (auto call = dyn_cast<mir::CallOp>(op))
      collect(symbols.lookup<mir::FuncOp>(call.getCallee()), symbols, arrays, seen);
  });
}

/// The limit of Lowering::sharedBytes.
constexpr uint64_t maxKnownSize = uint64_t(1) << 62;

/// The number, if it is known.
std::string sizeText(uint64_t bytes) {
  return (bytes < maxKnownSize ? "" : "at least ") + std::to_string(std::min(bytes, maxKnownSize));
}

/// The name and size of an array, as in "'tile' 16384", or the size and line, as in "16384 in line
/// 3".
std::string described(mir::SharedOp op, const std::string &bytes) {
  if (auto name = op->getAttrOfType<StringAttr>(mir::SplDialect::nameAttr))
    return ("'" + name.getValue() + "' " + Twine(bytes)).str();
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    return (Twine(bytes) + " in line " + Twine(place.getLine())).str();
  return ("'" + op.getName() + "' " + Twine(bytes)).str();
}

LogicalResult checkKernel(mir::KernelOp kernel, const SymbolTable &symbols, Lowering &lowering) {
  Arrays arrays;
  llvm::DenseSet<Operation *> seen;
  collect(kernel, symbols, arrays, seen);
  uint64_t total = 0;
  std::string list;
  for (auto &[name, op] : arrays) {
    uint64_t bytes = lowering.sharedBytes(op);
    total = llvm::SaturatingAdd(total, llvm::alignTo(bytes, sharedAlignment));
    list += (list.empty() ? "" : ", ") + described(op, sizeText(bytes));
  }
  if (total <= abi::maxSharedBytes)
    return success();
  return mir::emitPassDiagnostic(kernel.getLoc(), mir::PassDiagnostic::SharedSize)
         << "the shared arrays of '" << mir::writtenName(kernel) << "' take " << sizeText(total)
         << " bytes; the maximum is " << abi::maxSharedBytes << "; they are " << list
         << "; make them smaller, or use gpu.shared_dyn";
}

} // namespace

LogicalResult checkSharedMemory(Lowering &lowering) {
  const SymbolTable symbols(lowering.module);
  for (auto kernel : lowering.module.getOps<mir::KernelOp>())
    if (failed(checkKernel(kernel, symbols, lowering)))
      return failure();
  return success();
}

uint64_t Lowering::sharedBytes(mir::SharedOp op) {
  uint64_t bytes = layout(op.getType().getElement()).size;
  for (int64_t extent : op.getExtents())
    bytes = llvm::SaturatingMultiply(bytes, uint64_t(extent));
  return std::min(bytes, maxKnownSize); // so that it can still be rounded up
}

void addSharedPatterns(Lowering &lowering) {
  lowering.add<SharedPattern>();
  lowering.add<SharedDynPattern>();
}

} // namespace spl::codegen
