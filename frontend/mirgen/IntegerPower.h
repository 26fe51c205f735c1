// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `**` on integers: wrapping exponentiation by squaring, as a helper function or, for an exponent
// known here, as multiplications. Signs do not matter: the exponent is not negative. Cannot fail.
#pragma once

#include "mlir/IR/Builders.h"
#include <string>

namespace spl::mirgen {

/// A name that no function or method of the source can have: "pow$i32".
std::string powHelperName(unsigned width);
void emitPowHelper(mlir::OpBuilder &builder, mlir::Location location, unsigned width);

/// base raised to the exponent by at most two multiplications for each of the exponent's bits.
mlir::Value emitConstantPower(mlir::OpBuilder &builder, mlir::Location location, mlir::Value base,
                              uint64_t exponent);

} // namespace spl::mirgen
