// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private copies of slices that a kernel only updates by atomics, such as the sums of clusters or
// the bins of a histogram. An atomic update takes the cache line from the other cores, and costs
// many times what an addition does. Each call of an entry updates a copy in its scratch memory
// without atomics, and then updates the slice by the elements of the copy. No work-item of the
// launch can tell the difference, because none reads the slice. The technique is known as
// privatization of reductions.
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
  mlir::LLVM::AtomicBinOp update; ///< add (also of floats), or, xor or umax
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

/// The private copy of one slice during one call of an entry. A fault leaves the entry by longjmp:
/// the updates in the copy are lost then.
class PrivateCopy {
public:
  /// Emits the test whether the groups use the copy at \p copy: the slice is small, and has no more
  /// elements than the groups have work-items. \p slice holds the address and the extents.
  PrivateCopy(const PrivateSlice &of, mlir::Value copy, mlir::ValueRange slice, mlir::Value items,
              mlir::Type element, mlir::Location loc, Lowering &lowering, mlir::OpBuilder &builder);

  mlir::Value isUsed() const { return used; }
  /// The address that the body gets.
  mlir::Value address() const { return chosen; }
  /// Emits the values that change nothing, before the first group. Continues in a new block at the
  /// end of the function.
  void emitEmpty(mlir::ConversionPatternRewriter &rewriter) const;
  /// Emits the updates of the slice by the elements that have changed, after the last group.
  /// Continues in a new block at the end of the function.
  void emitFlush(mlir::ConversionPatternRewriter &rewriter) const;

private:
  /// The bits of the value that changes nothing.
  mlir::Value unchangedBits(const PrivateSlice::Leaf &leaf, mlir::OpBuilder &builder) const;
  mlir::Value placeOf(const PrivateSlice::Leaf &leaf, mlir::Value base, mlir::Value index,
                      mlir::OpBuilder &builder) const;
  /// Emits a loop over the elements of the copy. \p body gets a leaf, the number of the element and
  /// the block before which it may create others.
  void forEachLeaf(
      mlir::ConversionPatternRewriter &rewriter,
      llvm::function_ref<void(const PrivateSlice::Leaf &, mlir::Value, mlir::Block *)> body) const;

  PrivateSlice of;
  mlir::Value copy, original, used, chosen, count;
  mlir::Type element; ///< as in memory
  mlir::Location loc;
};

} // namespace spl::codegen
