// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rounds of a gang that strides over a range, as over `me..n step 128`, are not adjacent in
// memory, and soon reach another page. Hardware prefetchers stop at the end of a page, so the code
// fetches what it will load. After the last rounds of a row it fetches the next row.
#pragma once

#include "mir/transforms/gangs/Gang.h"

namespace spl::mir {

/// Describes the loop, if it strides by a constant or by the size of the group. Emits the distance
/// in front of it.
FetchedLoop fetchedLoop(Gang &gang, mlir::scf::WhileOp loop);
/// If such a loop is emitted, and the load of adjacent elements has its variable as the index:
/// emits the fetching of what the load loads in a later round.
void fetchAhead(Gang &gang, LoadOp load);

} // namespace spl::mir
