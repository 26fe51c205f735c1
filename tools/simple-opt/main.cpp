// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple-opt: runs passes on MIR text, for tests and to debug single passes.
#include "codegen/Pipeline.h"
#include "mir/dialect/Register.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerLoopInvariantCodeMotionPass();
  spl::mir::registerPasses();
  spl::codegen::registerPasses();

  mlir::DialectRegistry registry;
  spl::mir::registerDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Passes over the MIR of the Simple kernel language\n", registry));
}
