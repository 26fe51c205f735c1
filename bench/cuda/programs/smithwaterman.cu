// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/smithwaterman/smithwaterman.spl.
#include "../Common.cuh"

constexpr int BLOCK = 64;
constexpr int LONGEST = 200;

struct Costs {
  int equal, different, openGap, extendGap;
};

struct Cell {
  int best, inQuery, inTarget;
};

struct Pair {
  int query, queryEnd, target, targetEnd;
};

struct Best {
  __device__ int operator()(int a, int b) const { return max(a, b); }
};

__device__ Cell computed(Cell left, Cell above, Cell diagonal, int score, const Costs &costs) {
  const int inQuery = max(left.best - costs.openGap, left.inQuery - costs.extendGap);
  const int inTarget = max(above.best - costs.openGap, above.inTarget - costs.extendGap);
  const int best = max(diagonal.best + score, max(inQuery, inTarget));
  return {max(best, 0), inQuery, inTarget};
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    align(const Pair *__restrict__ pairs, const std::uint8_t *__restrict__ letters, Costs costs,
          int *__restrict__ scores) {
  __shared__ Cell cells[3][LONGEST + 1];
  __shared__ int parts[WARP];
  const int me = threadIdx.x;
  const Pair pair = pairs[blockIdx.x];
  const std::uint8_t *query = letters + pair.query;
  const std::uint8_t *target = letters + pair.target;
  const int querySize = pair.queryEnd - pair.query;
  const int targetSize = pair.targetEnd - pair.target;
  for (int k = me; k < 3 * (LONGEST + 1); k += BLOCK)
    cells[0][k] = {0, 0, 0};

  int best = 0;
  for (int d = 2; d <= querySize + targetSize; ++d) {
    __syncthreads();
    Cell *now = cells[d % 3];
    const Cell *last = cells[(d - 1) % 3];
    const Cell *beforeLast = cells[(d - 2) % 3];
    for (int i = max(1, d - targetSize) + me; i <= min(querySize, d - 1); i += BLOCK) {
      const int score = query[i - 1] == target[d - i - 1] ? costs.equal : costs.different;
      const Cell cell = computed(last[i], last[i - 1], beforeLast[i - 1], score, costs);
      now[i] = cell;
      best = max(best, cell.best);
    }
  }
  best = reduceBlock(best, parts, 0, Best{});
  if (me == 0)
    scores[blockIdx.x] = best;
}
