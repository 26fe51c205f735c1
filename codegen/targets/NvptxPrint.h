// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl.print on NVIDIA GPUs: a call of the driver's vprintf, which writes when the launch is waited for.
// A float is written with as many digits as always read back, 9 or 17 of them, which may be more than
// the fewest: choosing those is work for a host. The message of an assertion is not written, since
// what is printed before a trap may be lost with the context.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

void emitNvptxPrint(mir::PrintOp op, mlir::ValueRange values, Lowering &lowering,
                    mlir::OpBuilder &builder);

} // namespace spl::codegen
