// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private copies of slices that a kernel only updates by atomics, such as the sums of clusters or
// the bins of a histogram. An atomic update takes the cache line from the other cores, and costs
// many times what an addition does. Each call of an entry updates a copy in its scratch memory
// without atomics, and then adds the elements of the copy to the slice. No work-item can tell the
// difference, because none reads the slice. The technique is known as privatization of reductions.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

/// The size of a copy in scratch memory. Larger slices are updated atomically.
inline constexpr uint64_t privateBytes = 16384;

/// A slice of a kernel that may have private copies.
struct PrivateSlice {
  /// A scalar in each element that is updated.
  struct Leaf {
    llvm::SmallVector<int32_t, 2> fields; ///< the numbers of nested fields; none for the element
    mlir::Type type;
    bool operator==(const Leaf &) const = default;
  };
  unsigned argument;              ///< its number among the kernel's
  mlir::LLVM::AtomicBinOp update; ///< add, fadd, or, xor or umax, which leave x with 0 as x
  llvm::SmallVector<Leaf> leaves;
  llvm::SmallVector<mir::AtomicOp> updates;
};

/// The slices that the kernel accesses by relaxed atomics of one kind only, without using the old
/// values. Updates of different kinds do not commute.
std::vector<PrivateSlice> privateSlices(mir::KernelOp kernel);

/// Emits an atomic update in a kernel's body. \p isPrivate is whether \p address is in a private
/// copy. \p op is at the insertion point, and its block is split there.
void emitPrivateUpdate(mir::AtomicOp op, mlir::LLVM::AtomicBinOp update, mlir::Value isPrivate,
                       mlir::Value address, mlir::Value value, llvm::StringRef scopeOfGroup,
                       mlir::ConversionPatternRewriter &rewriter);

/// A slice in an entry, which calls the body for some groups.
class PrivateCopy {
public:
  /// Emits the decision whether the groups use the copy at \p copy: whether the slice is small, and
  /// has no more elements than the groups have work-items. Emits an empty copy if they do.
  /// \p slice holds the address and the extents.
  PrivateCopy(const PrivateSlice &of, mlir::Value copy, mlir::ValueRange slice, mlir::Value items,
              mlir::Type element, mlir::Location loc, Lowering &lowering, mlir::OpBuilder &builder);

  mlir::Value isUsed() const { return used; }
  /// The address that the body gets.
  mlir::Value address() const { return chosen; }
  /// Emits the updates of the slice by the elements of the copy. Continues in a new block at the
  /// end of the function.
  void emitFlush(mlir::ConversionPatternRewriter &rewriter) const;

private:
  void emitElement(mlir::Value index, mlir::OpBuilder &builder) const;

  PrivateSlice of;
  mlir::Value copy, original, used, chosen, count;
  mlir::Type element; ///< as in memory
  mlir::Location loc;
};

} // namespace spl::codegen
