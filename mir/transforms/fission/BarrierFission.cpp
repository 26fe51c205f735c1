// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/fission/BarrierFission.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/fission/ParallelRegions.h"
#include "mir/transforms/fission/SideBySide.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Sync;

static bool holds(Operation *op, Sync sync) {
  return op
      ->walk([&](IntrinsicOp intrinsic) {
        return intrinsic.getRow().sync == sync ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool spl::mir::synchronisesGroup(Operation *op) { return holds(op, Sync::Group); }
bool spl::mir::synchronisesWarp(Operation *op) { return holds(op, Sync::Warp); }

void spl::mir::splitAtBarriers(KernelOp kernel, PassIds passIds, int64_t usualWidth) {
  FissionContext fission(kernel, passIds, usualWidth, synchronisesWarp(kernel));
  Block &body = kernel.getBody().front();
  Block old; // the body before the pass
  old.getOperations().splice(old.end(), body.getOperations());
  fission.builder.setInsertionPointToEnd(&body);
  SmallVector<Value, 4> sizes;
  if (kernel->hasAttr(SplDialect::sideBySideAttr))
    sizes.push_back(sideBySideCount(fission.builder, fission.loc));
  for (int64_t axis = 0; sizes.size() != fission.sizes.size(); ++axis)
    sizes.push_back(IntrinsicOp::create(fission.builder, fission.loc, fission.builder.getI64Type(),
                                        spl::intrinsics::row(Id::LocalSize).name, ValueRange(),
                                        fission.builder.getI64IntegerAttr(axis))
                        .getResult());
  llvm::copy(sizes, fission.sizes.begin());
  fission.count = fission.compute<arith::MulIOp>(
      fission.sizes[0], fission.compute<arith::MulIOp>(fission.sizes[1], fission.sizes[2]));
  fission.group.top = fission.count.getDefiningOp();
  emit(fission, old);
  ReturnOp::create(fission.builder, old.getTerminator()->getLoc());
  for (Operation &op : old)
    op.dropAllReferences();
  old.clear();
}

//===-- The context --===//

FissionContext::FissionContext(KernelOp kernel, PassIds passIds, int64_t usualWidth, bool hasWarps)
    : kernel(kernel), passIds(passIds), usualWidth(usualWidth),
      inGroup(kernel,
              kernel->hasAttr(SplDialect::sideBySideAttr) ? UniformIn::Grid : UniformIn::Group),
      inRow(hasWarps ? std::optional<Uniformity>(std::in_place, kernel, UniformIn::Warp)
                     : std::nullopt),
      builder(kernel.getContext()), loc(kernel.getLoc()) {}

const Uniformity &FissionContext::uniformity() const {
  return inWarp && lanes.areRow ? *inRow : inGroup;
}

Value FissionContext::integer(int64_t value, unsigned width) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(builder.getIntegerType(width), value));
}

Value FissionContext::zeroOf(Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Value FissionContext::load(Value slice, Value index) {
  Type element = cast<SliceType>(slice.getType()).getElement();
  return LoadOp::create(builder, loc, element, slice, index, /*unchecked=*/true);
}
