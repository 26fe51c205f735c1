// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans and broadcasts of a group, composed of those of its warps, shared memory and
// barriers: for targets that have warps of their own.
#pragma once

namespace mlir {
class OpBuilder;
class Value;
} // namespace mlir

namespace spl::mir {

class IntrinsicOp;

/// The work-item's flat id in its group: x + y*X + z*X*Y.
mlir::Value flatLocalId(IntrinsicOp op, mlir::OpBuilder &builder);
/// The result of gpu.group_sum, min, max, scan or broadcast, computed at the builder's place.
/// number tells the shared memory of one place from another's.
mlir::Value expandGroupOperation(IntrinsicOp op, unsigned number, mlir::OpBuilder &builder);

} // namespace spl::mir
