// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU's memory: shared arrays, atomics, and accesses with hints or as vectors.
#pragma once

#include "frontend/mirgen/FunctionContext.h"
#include "mir/dialect/SplDialect.h"

namespace spl::mirgen {

mlir::Value emitShared(FunctionContext &fn, const sema::SharedExpr &expr);
mlir::Value emitSharedDyn(FunctionContext &fn, const sema::SharedDynExpr &expr);
mlir::Value emitAtomic(FunctionContext &fn, const sema::AtomicExpr &expr);
mlir::Value emitAccess(FunctionContext &fn, const sema::AccessExpr &expr);
mir::MemoryScope scopeOf(sema::MemoryScope scope);

} // namespace spl::mirgen
