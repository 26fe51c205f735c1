// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans and broadcasts of a group, composed of those of its warps, shared memory and
// barriers: for targets that have warps of their own.
#pragma once

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/ValueRange.h"

namespace mlir {
class OpBuilder;
} // namespace mlir

namespace spl::mir {

class IntrinsicOp;

/// What changes nothing under a sum, minimum, maximum, any or all of a warp or group, or under the
/// sum of a scan.
mlir::TypedAttr neutralElement(IntrinsicOp op);

/// The work-item's flat id in its group, x + y*X + z*X*Y: of the one that asks, or that has those
/// local ids by axis.
mlir::Value flatLocalId(IntrinsicOp op, mlir::OpBuilder &builder);
mlir::Value flatLocalId(IntrinsicOp op, mlir::ValueRange localIds, mlir::OpBuilder &builder);
/// The result of gpu.group_sum, min, max, scan or broadcast, computed at the builder's place.
/// number tells the shared memory of one place from another's.
mlir::Value expandGroupOperation(IntrinsicOp op, unsigned number, mlir::OpBuilder &builder);

} // namespace spl::mir
