// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/dialect/Register.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace spl::mir {

void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<SplDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::ub::UBDialect, mlir::vector::VectorDialect>();
}

void loadDialects(mlir::MLIRContext &context) {
  context.loadDialect<SplDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                      mlir::scf::SCFDialect, mlir::ub::UBDialect, mlir::vector::VectorDialect>();
}

} // namespace spl::mir
