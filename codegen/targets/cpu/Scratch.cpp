// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/Scratch.h"

using namespace mlir;

namespace spl::codegen {

/// The size of a cache line, which is added after each part. Parts at distances of whole pages
/// would compete for the same few cache lines.
static constexpr uint64_t lineBytes = 64;

CpuScratch::CpuScratch(Lowering &lowering) {
  for (auto kernel : lowering.module.getOps<mir::KernelOp>()) {
    Needs &needs = kernels[kernel.getSymName()];
    llvm::StringMap<uint64_t> arrays;
    auto take = [&](uint64_t bytes) {
      uint64_t place = needs.bytes;
      needs.bytes += llvm::alignTo(bytes, lineBytes) + lineBytes;
      return place;
    };
    kernel.walk([&](Operation *op) {
      if (auto scratch = dyn_cast<mir::ScratchOp>(op)) {
        offsets[op] =
            take(scratch.getCount() * lowering.layout(scratch.getType().getElement()).size);
      } else if (auto shared = dyn_cast<mir::SharedOp>(op)) {
        auto [found, isNew] = arrays.try_emplace(shared.getName(), 0);
        if (isNew)
          found->second = take(lowering.sharedBytes(shared));
        offsets[op] = found->second;
      }
      needs.hasDynamic |= isa<mir::SharedDynOp>(op);
    });
    needs.privates = privateSlices(kernel);
    for (auto [number, slice] : llvm::enumerate(needs.privates)) {
      needs.copies.push_back(take(privateBytes));
      for (mir::AtomicOp update : slice.updates)
        updates.insert({update, PrivateUpdate{unsigned(number), slice.update}});
    }
    kernel.walk([&](mir::SharedDynOp op) { offsets[op] = needs.bytes; });
  }
}

} // namespace spl::codegen
