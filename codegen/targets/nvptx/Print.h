// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl.print on NVIDIA GPUs: a call of the driver's vprintf, which writes when the launch is waited
// for. The fewest digits of a float that read back are found on the device (intrinsics/device), as
// the driver writes what it is given. The message of an assertion is not written, since what is
// printed before a trap may be lost with the context.
#pragma once

#include "codegen/lower/Lowering.h"

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

void emitNvptxPrint(mir::PrintOp op, mlir::ValueRange values, Lowering &lowering,
                    mlir::OpBuilder &builder);

/// Adds to the module the functions that its prints call.
llvm::Error linkPrinting(llvm::Module &module);

} // namespace spl::codegen
