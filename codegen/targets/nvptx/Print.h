// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers spl.print for NVIDIA GPUs to a call of the driver's vprintf. The driver writes the output
// when the host waits for the launch. vprintf cannot write the fewest digits of a float that read
// back as the same value. Therefore code on the device converts floats to text (intrinsics/device).
// The message of an assertion is written to the fault record (Faults.h).
#pragma once

#include "codegen/lower/Lowering.h"

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

void emitNvptxPrint(mir::PrintOp op, mlir::ValueRange values, Lowering &lowering,
                    mlir::OpBuilder &builder);

/// Copies the device functions that prints call into the module.
llvm::Error linkPrinting(llvm::Module &module);

} // namespace spl::codegen
