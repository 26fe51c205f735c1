// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Machine.h"

#include <algorithm>
#include <numeric>

namespace ptxsim {

Block::Block(Grid &grid) : grid(grid) {
  // Whole words, as the last one may be accessed as such.
  shared.resize((grid.kernel.sharedBytes + grid.options.dynamicSharedBytes + 3) / 4 * 4);
  const std::uint64_t threads = grid.options.threads.count();
  for (unsigned i = 0; i * std::uint64_t(warpSize) < threads; ++i)
    warps.emplace_back(grid, *this, i);
}

void Block::start(Dim3 where) {
  index = where;
  const unsigned fresh = grid.isSeeded() ? grid.pick(256) : freshByte;
  std::fill(shared.begin(), shared.end(), std::byte(fresh));
  barriers.fill({});
  for (Warp &warp : warps)
    warp.start(where);
  order.resize(warps.size());
  std::iota(order.begin(), order.end(), 0U);
}

bool Block::step() {
  bool progress = false;
  if (grid.isSeeded())
    std::shuffle(order.begin(), order.end(), grid.random);
  for (unsigned each : order) {
    if (!warps[each].isReady())
      continue;
    progress = true;
    warps[each].run(grid.isSeeded() ? 1 + grid.pick(200) : 2000);
  }
  if (progress)
    return true;
  if (std::any_of(warps.begin(), warps.end(), [](const Warp &warp) { return warp.living() != 0; }))
    deadlock();
  return false;
}

void Block::deadlock() const {
  std::string places;
  unsigned shown = 0, line = 0;
  for (const Warp &warp : warps) {
    std::uint32_t last = noRow;
    forLanes(warp.living(), [&](unsigned lane) {
      if (warp.placeOf(lane) == last || shown == 6)
        return;
      last = warp.placeOf(lane);
      line = grid.program.code[last].line;
      places += (shown++ ? "; " : "") + warp.describe(lane);
    });
  }
  throw Error(ErrorKind::Deadlock, line,
              "deadlock in " + grid.kernel.name + ": no thread can continue; " + places);
}

//===-- Barriers --===//

void Block::arrive(Warp &warp, const Inst &inst, unsigned barrier, unsigned count, Lanes lanes,
                   bool waits) {
  const unsigned lane = static_cast<unsigned>(std::countr_zero(lanes));
  Barrier &state = barriers[barrier];
  if (count % warpSize != 0)
    warp.fail(ErrorKind::BadSync, inst, lane, "the count of threads is no multiple of 32");
  if (state.arrived != 0 && state.expected != count)
    warp.fail(ErrorKind::BadSync, inst, lane, "others wait there for another count of threads");
  state.expected = count;
  state.arrived += static_cast<unsigned>(std::popcount(lanes));
  state.last = &inst;
  if (waits)
    warp.waitAt(barrier, lanes);
  else
    forLanes(lanes, [&](unsigned each) { warp.jump(1U << each, warp.placeOf(each) + 1); });
  releaseIfComplete(barrier);
}

void Block::threadsEnded() {
  for (unsigned barrier = 0; barrier != barriers.size(); ++barrier)
    if (barriers[barrier].arrived != 0)
      releaseIfComplete(barrier);
}

void Block::releaseIfComplete(unsigned barrier) {
  Barrier &state = barriers[barrier];
  unsigned expected = state.expected;
  if (expected == 0)
    for (const Warp &warp : warps)
      expected += static_cast<unsigned>(std::popcount(warp.living()));
  if (state.arrived < expected)
    return;
  checkAligned(barrier);
  reduce(barrier);
  state = {};
  for (Warp &warp : warps)
    warp.release(barrier);
}

/// All lanes of a warp must reach an .aligned barrier through the same instruction.
void Block::checkAligned(unsigned barrier) {
  for (Warp &warp : warps) {
    const Lanes lanes = warp.waitingAt(barrier);
    if (lanes == 0)
      continue;
    const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
    const Inst &inst = grid.program.code[warp.placeOf(first)];
    forLanes(inst.aligned ? warp.living() : 0, [&](unsigned lane) {
      if (warp.placeOf(lane) != warp.placeOf(first))
        warp.fail(ErrorKind::BadSync, inst, first,
                  "an aligned barrier in divergent control flow; " + warp.describe(lane));
    });
  }
}

/// Writes the result of bar.red to the threads that wait there.
void Block::reduce(unsigned barrier) {
  unsigned count = 0, trueCount = 0;
  auto eachWaiting = [&](auto &&each) {
    for (Warp &warp : warps)
      forLanes(warp.waitingAt(barrier), [&](unsigned lane) {
        const Inst &inst = grid.program.code[warp.placeOf(lane)];
        if (inst.mode != 0) // mode 0 is a barrier without a reduction
          each(warp, inst, lane);
      });
  };
  eachWaiting([&](Warp &warp, const Inst &inst, unsigned lane) {
    ++count;
    trueCount += (warp.source(inst.rows[1])[lane] & 1) != inst.negated;
  });
  eachWaiting([&](Warp &warp, const Inst &inst, unsigned lane) {
    warp.destination(inst.rows[0])[lane] = inst.mode == 1   ? trueCount
                                           : inst.mode == 2 ? trueCount == count
                                                            : trueCount != 0;
  });
}

} // namespace ptxsim
