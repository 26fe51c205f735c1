// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `while n < limit: ...; if ..: break; n += 1` does not increase the counter in the round in which
// it breaks. The counter then differs between lanes, although all lanes that are still in the loop
// have the same number. If that round counts too, the counter is one scalar, and so is its
// comparison.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir {

/// Increases the counters of a loop also in the round in which it breaks, and subtracts that after
/// the loop. Returns whether there are any.
bool countLastRound(mlir::scf::WhileOp loop);

} // namespace spl::mir
