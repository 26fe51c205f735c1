// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print and assert.
#pragma once

#include "frontend/mirgen/FunctionContext.h"

namespace spl::mirgen {

void emitPrint(FunctionContext &fn, llvm::ArrayRef<sema::FormatPiece> format, bool isMessage,
               mlir::Location location);
void emitAssert(FunctionContext &fn, const sema::AssertStmt &stmt);

} // namespace spl::mirgen
