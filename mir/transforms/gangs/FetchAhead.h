// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gang that strides over a range, as over `me..n step 128`, leaves a gap after the elements of
// each round, and soon goes on in another page. Machines then do not fetch what comes next by
// themselves, so the code does. After the last rounds of a row it fetches the next row.
#pragma once

#include "mir/transforms/gangs/Gang.h"

namespace spl::mir {

/// The loop, if it strides by a constant or the size of the group. Emits the distance in front of
/// it.
FetchedLoop fetchedLoop(Gang &gang, mlir::scf::WhileOp loop);
/// Emits the fetching of what a load of adjacent elements loads in a later round of the loop that is
/// fetched, if there is one and the load is of another element in each round.
void fetchAhead(Gang &gang, LoadOp load);

} // namespace spl::mir
