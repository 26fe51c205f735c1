// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/Entry.h"
#include "mir/dialect/GroupSize.h"
#include "mir/transforms/fission/SideBySide.h"
#include "spl/cpu_abi.h"

using namespace mlir;

namespace spl::codegen {

Value launchField(Value launch, size_t offset, Lowering &lowering, OpBuilder &builder,
                  Location loc) {
  return LLVM::GEPOp::create(builder, loc, lowering.pointer(), builder.getI8Type(), launch,
                             ArrayRef<LLVM::GEPArg>{int32_t(offset)});
}

/// Allocates the scratch memory, which the groups use one after the other.
static Value emitScratch(mir::KernelOp kernel, Value launch, const CpuScratch &scratch,
                         Lowering &lowering, OpBuilder &rewriter) {
  Location loc = kernel.getLoc();
  const CpuScratch::Needs &needs = scratch.needs(kernel);
  if (needs.bytes == 0 && !needs.hasDynamic)
    return LLVM::ZeroOp::create(rewriter, loc, lowering.pointer());
  LLVM::LLVMFuncOp ask = lowering.declare(rewriter, "spl_cpu_scratch", lowering.pointer(),
                                          {lowering.pointer(), lowering.i64()});
  return LLVM::CallOp::create(rewriter, loc, ask,
                              ValueRange{launch, i64Constant(rewriter, loc, int64_t(needs.bytes))})
      .getResult();
}

/// Loads the arguments of the body from the addresses that the entry gets.
static SmallVector<Value> loadArguments(Value places, ArrayRef<AbiParameter> parameters,
                                        Lowering &lowering, OpBuilder &rewriter) {
  Location loc = places.getLoc();
  Type pointer = lowering.pointer();
  SmallVector<Value> arguments;
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    Value place = LLVM::GEPOp::create(rewriter, loc, pointer, pointer, places,
                                      ArrayRef<LLVM::GEPArg>{int32_t(index)});
    Value slot = LLVM::LoadOp::create(rewriter, loc, pointer, place);
    arguments.push_back(
        parameter.inMemory ? slot : LLVM::LoadOp::create(rewriter, loc, parameter.type, slot));
  }
  return arguments;
}

/// The position of a parameter of the kernel among the parameters of the ABI.
static size_t positionOf(unsigned argument, mir::KernelOp kernel) {
  size_t position = 0;
  for (unsigned before = 0; before != argument; ++before) {
    auto slice = dyn_cast<mir::SliceType>(kernel.getArgumentTypes()[before]);
    const bool isByValue = bool(kernel.getArgAttr(before, mir::SplDialect::byValueAttr));
    position += slice && !isByValue ? 1 + slice.getRank() : 1;
  }
  return position;
}

/// Emits the private copies, and replaces the addresses of the slices that use theirs. Returns the
/// bits of these slices.
static Value emitCopies(mir::KernelOp kernel, const CpuScratch::Needs &needs, Value scratch,
                        Value items, MutableArrayRef<Value> arguments,
                        SmallVectorImpl<PrivateCopy> &copies, Lowering &lowering,
                        ConversionPatternRewriter &builder) {
  Location loc = kernel.getLoc();
  Value bits = i64Constant(builder, loc, 0);
  for (auto [number, slice] : llvm::enumerate(needs.privates)) {
    auto type = cast<mir::SliceType>(kernel.getArgumentTypes()[slice.argument]);
    const size_t position = positionOf(slice.argument, kernel);
    Value copy = LLVM::GEPOp::create(
        builder, loc, lowering.pointer(), builder.getI8Type(), scratch,
        ArrayRef<LLVM::GEPArg>{i64Constant(builder, loc, int64_t(needs.copies[number]))});
    const PrivateCopy &made =
        copies.emplace_back(slice, copy, ValueRange(arguments.slice(position, 1 + type.getRank())),
                            items, type.getElement(), loc, lowering, builder);
    made.emitEmpty(builder);
    arguments[position] = made.address();
    Value bit = LLVM::SelectOp::create(builder, loc, made.isUsed(),
                                       i64Constant(builder, loc, int64_t(1) << number),
                                       i64Constant(builder, loc, 0));
    bits = LLVM::OrOp::create(builder, loc, bits, bit);
  }
  return bits;
}

/// Whether groups of this size run side by side.
static Value emitIsSmall(ArrayRef<Value> localSize, int64_t most, OpBuilder &builder,
                         Location loc) {
  Value items = LLVM::MulOp::create(builder, loc, localSize[0], localSize[1]);
  Value areFew = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::sle, items,
                                      i64Constant(builder, loc, most));
  Value isFlat = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, localSize[2],
                                      i64Constant(builder, loc, 1));
  return LLVM::AndOp::create(builder, loc, areFew, isFlat);
}

/// Returns how many groups one call of the body runs, and what it gets for a gpu.local_size with
/// SplDialect::ungroupedAttr. \p left is the number of groups up to the end of the row.
static std::pair<Value, Value> emitTogether(mir::KernelOp kernel, Value left,
                                            ArrayRef<Value> localSize, OpBuilder &builder,
                                            Location loc) {
  Value one = i64Constant(builder, loc, 1);
  if (kernel->hasAttr(mir::SplDialect::ungroupedAttr))
    return {left, LLVM::MulOp::create(builder, loc, left, localSize[0])};
  const std::optional<mir::SideBySide> limits = mir::sideBySide(kernel);
  if (!limits)
    return {one, one};
  Value count = LLVM::SMinOp::create(builder, loc, left, i64Constant(builder, loc, limits->groups));
  if (!mir::fixedGroupSize(kernel.getSignature()))
    count = LLVM::SelectOp::create(builder, loc,
                                   emitIsSmall(localSize, limits->items, builder, loc), count, one);
  return {count, count};
}

LLVM::LLVMFuncOp emitEntry(mir::KernelOp kernel, LLVM::LLVMFuncOp body,
                           ArrayRef<AbiParameter> parameters, const CpuScratch &scratchMemory,
                           Lowering &lowering, ConversionPatternRewriter &rewriter) {
  Location loc = kernel.getLoc();
  Type pointer = lowering.pointer(), i64 = lowering.i64();
  rewriter.setInsertionPointAfter(body);
  auto entry = LLVM::LLVMFuncOp::create(
      rewriter, loc, lowering.target.entrySymbol(kernel.getSymName()),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(rewriter.getContext()),
                                  {pointer, pointer, i64, i64}));
  entry.setNoUnwind(true);
  Block *block = entry.addEntryBlock(rewriter);
  rewriter.setInsertionPointToStart(block);
  SmallVector<Value> arguments =
      loadArguments(block->getArgument(0), parameters, lowering, rewriter);
  Value launch = block->getArgument(1), begin = block->getArgument(2), end = block->getArgument(3);
  SmallVector<Value, 3> numGroups, localSize;
  auto loadSize = [&](size_t offset) -> Value {
    return LLVM::LoadOp::create(rewriter, loc, i64,
                                launchField(launch, offset, lowering, rewriter, loc));
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    numGroups.push_back(loadSize(offsetof(spl_cpu_launch, numGroups) + axis * sizeof(int64_t)));
    localSize.push_back(loadSize(offsetof(spl_cpu_launch, localSize) + axis * sizeof(int64_t)));
  }

  Value scratch = emitScratch(kernel, launch, scratchMemory, lowering, rewriter);
  Value items = LLVM::SubOp::create(rewriter, loc, end, begin);
  for (Value size : localSize)
    items = LLVM::MulOp::create(rewriter, loc, items, size);
  SmallVector<PrivateCopy> copies;
  Value privates = emitCopies(kernel, scratchMemory.needs(kernel), scratch, items, arguments,
                              copies, lowering, rewriter);

  Block *start = rewriter.getInsertionBlock();
  Block *run = rewriter.createBlock(&entry.getBody(), entry.getBody().end(), {i64}, {loc});
  Value flat = run->getArgument(0);
  Value x = LLVM::URemOp::create(rewriter, loc, flat, numGroups[0]);
  Value row = LLVM::UDivOp::create(rewriter, loc, flat, numGroups[0]);
  Value y = LLVM::URemOp::create(rewriter, loc, row, numGroups[1]);
  Value z = LLVM::UDivOp::create(rewriter, loc, row, numGroups[1]);
  Value toEnd = LLVM::SubOp::create(rewriter, loc, end, flat);
  Value toRowEnd = LLVM::SubOp::create(rewriter, loc, numGroups[0], x);
  Value left = LLVM::SMinOp::create(rewriter, loc, toEnd, toRowEnd);
  const auto [count, together] = emitTogether(kernel, left, localSize, rewriter, loc);
  arguments.push_back(together);
  llvm::append_range(arguments, ValueRange{scratch, privates});
  llvm::append_range(arguments, GroupContext{launch, {x, y, z}, localSize, numGroups}.values());
  LLVM::CallOp::create(rewriter, loc, body, arguments);
  Value next = LLVM::AddOp::create(rewriter, loc, flat, count);
  Value more = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::slt, next, end);

  Block *done = rewriter.createBlock(&entry.getBody(), entry.getBody().end());
  for (const PrivateCopy &copy : copies)
    copy.emitFlush(rewriter);
  LLVM::ReturnOp::create(rewriter, loc, ValueRange());
  rewriter.setInsertionPointToEnd(run);
  LLVM::CondBrOp::create(rewriter, loc, more, run, ValueRange(next), done, ValueRange());
  rewriter.setInsertionPointToEnd(start);
  Value some = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::slt, begin, end);
  LLVM::CondBrOp::create(rewriter, loc, some, run, ValueRange(begin), done, ValueRange());
  return entry;
}

} // namespace spl::codegen
