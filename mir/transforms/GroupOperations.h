// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands reductions, scans and broadcasts of a group to those of its warps, with shared memory and
// barriers. This is for targets with warps in hardware.
#pragma once

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir {
class OpBuilder;
} // namespace mlir

namespace spl::mir {

class IntrinsicOp;

/// The neutral element of an operation on a warp or group: a sum, minimum, maximum, any or all. A
/// scan has the neutral element of its sum.
mlir::TypedAttr neutralElement(IntrinsicOp op);

/// Emits the flat id in the group, x + y*X + z*X*Y: of the current work-item, or of the one with
/// these local ids.
mlir::Value flatLocalId(IntrinsicOp op, mlir::OpBuilder &builder);
mlir::Value flatLocalId(IntrinsicOp op, mlir::ValueRange localIds, mlir::OpBuilder &builder);
/// Emits the operation of a reduction or a scan of a warp or group on two values.
mlir::Value emitCombination(IntrinsicOp op, mlir::Value a, mlir::Value b, mlir::OpBuilder &builder);
/// Emits a reduction, a scan or a broadcast of a group at the insertion point, and returns the
/// result. number must be unique in the function, because it is in the name of the shared memory.
/// Appends intrinsics that may have to be expanded to \p pending. The expansion of a scan may also
/// replace a later sum of the same values, and removes it from \p pending.
mlir::Value expandGroupOperation(IntrinsicOp op, unsigned number, mlir::OpBuilder &builder,
                                 mlir::SmallVectorImpl<IntrinsicOp> &pending);

} // namespace spl::mir
