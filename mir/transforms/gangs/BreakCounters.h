// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `while n < limit: ...; if ..: break; n += 1` does not count the round that a `break` leaves. The
// counter then differs between lanes, although all lanes that are still in the loop have the same
// number. If that round counts too, the counter is one scalar, and so is its comparison.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir {

/// Lets the counters of a loop also count the round that a `break` leaves, and takes it off behind
/// the loop. Returns whether there are any.
bool countLastRound(mlir::scf::WhileOp loop);

} // namespace spl::mir
