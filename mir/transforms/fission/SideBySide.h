// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small groups side by side. A barrier ends a loop over the work-items of a group, which is short
// in a small group. If several groups do the same between the same barriers, they run as one group,
// in which the number of the group is the id along the first axis. The innermost loop is then over
// groups, and it becomes vectors.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include <optional>

namespace spl::mir {

/// The limits of a kernel, in SplDialect::sideBySideAttr.
struct SideBySide {
  int64_t groups = 0; ///< that run side by side, at most
  int64_t items = 0;  ///< in such a group, at most
};
std::optional<SideBySide> sideBySide(KernelOp kernel);

/// Returns a copy of the kernel, outside of the module, for several groups side by side along x, or
/// null if they cannot run so, or are not small. The copy has SplDialect::sideBySideAttr. Its axes
/// are: the number of the group, then x and y of the kernel.
///
/// Groups run side by side if their control flow around barriers is the same, because it depends
/// only on arguments. Each group has its own part of the shared memory: the elements of all groups
/// with the same index are adjacent.
mlir::OwningOpRef<KernelOp> copyForSideBySide(KernelOp kernel);

/// Makes the kernel run the body of the copy if there are several groups. Both are split at
/// barriers.
void addSideBySide(KernelOp kernel, mlir::OwningOpRef<KernelOp> copy);

/// Emits the number of groups that run side by side, which is 1 if they are not small.
mlir::Value sideBySideCount(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace spl::mir
