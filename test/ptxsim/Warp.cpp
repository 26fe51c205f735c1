// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Machine.h"

#include <bit>

namespace ptxsim {

Warp::Warp(Grid &grid, Block &block, unsigned index) : grid(grid), block(block), index(index) {
  registers.resize(grid.program.fresh.size() * std::size_t(warpSize));
  local.resize(grid.program.localBytes * warpSize);
}

void Warp::start(Dim3 blockIndex) {
  for (std::size_t at = 0; at != registers.size(); ++at)
    registers[at] = grid.program.fresh[at / warpSize];
  std::fill(local.begin(), local.end(), std::byte(freshByte));
  const Dim3 threads = grid.options.threads, groups = grid.options.groups;
  const std::uint64_t count = threads.count();
  const std::uint64_t left = count - threadOf(0);
  alive = ready =
      static_cast<Lanes>(lowBits(static_cast<unsigned>(std::min<std::uint64_t>(left, 32))));
  syncing = 0;
  barriers.fill(0);
  places.fill(0);
  depth.fill(0);
  carry.fill(0);
  auto set = [&](Special which, auto &&value) {
    for (unsigned lane = 0; lane != warpSize; ++lane)
      destination(static_cast<std::uint32_t>(which))[lane] = value(lane);
  };
  auto setAll = [&](Special which, Value value) { set(which, [=](unsigned) { return value; }); };
  set(Special::TidX, [&](unsigned lane) { return threadOf(lane) % threads.x; });
  set(Special::TidY, [&](unsigned lane) { return threadOf(lane) / threads.x % threads.y; });
  set(Special::TidZ, [&](unsigned lane) { return threadOf(lane) / threads.x / threads.y; });
  setAll(Special::NtidX, threads.x), setAll(Special::NtidY, threads.y);
  setAll(Special::NtidZ, threads.z);
  setAll(Special::CtaidX, blockIndex.x), setAll(Special::CtaidY, blockIndex.y);
  setAll(Special::CtaidZ, blockIndex.z);
  setAll(Special::NctaidX, groups.x), setAll(Special::NctaidY, groups.y);
  setAll(Special::NctaidZ, groups.z);
  setAll(Special::Warpid, index), setAll(Special::Nwarpid, 64);
  setAll(Special::Smid, 0), setAll(Special::Nsmid, 1), setAll(Special::Gridid, 1);
  setAll(Special::DynamicSmemSize, grid.options.dynamicSharedBytes);
  setAll(Special::TotalSmemSize, grid.kernel.sharedBytes + grid.options.dynamicSharedBytes);
  set(Special::Laneid, [](unsigned lane) { return lane; });
  set(Special::LanemaskEq, [](unsigned lane) { return 1U << lane; });
  set(Special::LanemaskLt, [](unsigned lane) { return (1U << lane) - 1; });
  set(Special::LanemaskLe, [](unsigned lane) { return lowBits(lane + 1); });
  set(Special::LanemaskGt, [](unsigned lane) { return ~lowBits(lane + 1) & lowBits(32); });
  set(Special::LanemaskGe, [](unsigned lane) { return ~lowBits(lane) & lowBits(32); });
}

Lanes Warp::truth(std::uint32_t row) const {
  const Value *values = source(row);
  Lanes lanes = 0;
  for (unsigned lane = 0; lane != warpSize; ++lane)
    lanes |= static_cast<Lanes>(values[lane] & 1) << lane;
  return lanes;
}

//===-- Which lanes run --===//

void Warp::run(unsigned instructions) {
  while (instructions != 0 && ready != 0) {
    select();
    runGroup(instructions);
  }
}

/// Selects the lanes that run next: those deepest in calls, and among them those with the lowest
/// program counter. Paths thus reconverge where they join. From time to time other lanes are
/// selected, so that a lane that spins does not block the lane that it waits for. With a seed, a
/// part of the lanes may run ahead of the others.
void Warp::select() {
  unsigned chosen = static_cast<unsigned>(std::countr_zero(ready));
  forLanes(ready, [&](unsigned lane) {
    if (depth[lane] > depth[chosen] ||
        (depth[lane] == depth[chosen] && places[lane] < places[chosen]))
      chosen = lane;
  });
  if (++selections % 64 == 0 || (grid.isSeeded() && grid.pick(4) == 0)) {
    Lanes rest = ready;
    for (unsigned skip = grid.pick(static_cast<unsigned>(std::popcount(ready))); skip != 0; --skip)
      rest &= rest - 1;
    chosen = static_cast<unsigned>(std::countr_zero(rest));
  }
  place = places[chosen];
  group = 0;
  nextPlace = noRow;
  forLanes(ready, [&](unsigned lane) {
    if (places[lane] == place)
      group |= 1U << lane;
    else if (places[lane] > place)
      nextPlace = std::min(nextPlace, places[lane]);
  });
  // Lanes of a warp need not run in lockstep. Those that are left out are the next ones.
  if (grid.isSeeded() && grid.pick(8) == 0)
    if (const Lanes some = group & static_cast<Lanes>(grid.random()))
      group = some;
}

void Warp::runGroup(unsigned &instructions) {
  const std::vector<Inst> &code = grid.program.code;
  while (instructions != 0) {
    const Inst &inst = code[place];
    Lanes lanes = group;
    if (inst.guard != noRow)
      lanes &= inst.guardNegated ? ~truth(inst.guard) : truth(inst.guard);
    --instructions;
    grid.result.instructions += static_cast<unsigned>(std::popcount(group));
    if (++grid.executed > grid.options.budget)
      fail(ErrorKind::Budget, inst, static_cast<unsigned>(std::countr_zero(group)),
           "the launch takes more than " + std::to_string(grid.options.budget) + " instructions");
    if (lanes != 0 && inst.isControl) {
      if (inst.isBranch && lanes == ready) { // no other lane is ready: continue
        place = inst.target;
        continue;
      }
      forLanes(group, [&](unsigned lane) { places[lane] = place + !(lanes >> lane & 1); });
      inst.run(*this, inst, lanes);
      return;
    }
    if (lanes != 0)
      inst.run(*this, inst, lanes);
    if (++place == nextPlace)
      break;
  }
  jump(group, place);
}

//===-- Control --===//

void Warp::jump(Lanes lanes, std::uint32_t target) {
  forLanes(lanes, [&](unsigned lane) { places[lane] = target; });
}

void Warp::exit(Lanes lanes) {
  alive &= ~lanes;
  ready &= ~lanes;
  forLanes(syncing, [&](unsigned lane) {
    if (syncing >> lane & 1)
      releaseSyncs(places[lane]);
  });
  block.threadsEnded();
}

void Warp::arrive(const Inst &inst, Lanes lanes) {
  const Value *masks = source(inst.target);
  forLanes(lanes, [&](unsigned lane) {
    if (!(masks[lane] >> lane & 1))
      fail(ErrorKind::BadSync, inst, lane, "the thread is not in the instruction's own mask");
  });
  ready &= ~lanes;
  syncing |= lanes;
  releaseSyncs(places[static_cast<unsigned>(std::countr_zero(lanes))]);
}

void Warp::releaseSyncs(std::uint32_t where) {
  const Inst &inst = grid.program.code[where];
  const Value *masks = source(inst.target);
  Lanes waiting = 0;
  forLanes(syncing, [&](unsigned lane) { waiting |= Lanes(places[lane] == where) << lane; });
  while (waiting != 0) {
    const auto mask = static_cast<Lanes>(masks[std::countr_zero(waiting)]);
    Lanes callers = 0;
    forLanes(waiting, [&](unsigned lane) {
      callers |= Lanes(static_cast<Lanes>(masks[lane]) == mask) << lane;
    });
    waiting &= ~callers;
    if ((mask & alive & ~callers) != 0)
      continue;
    inst.perform(*this, inst, callers);
    syncing &= ~callers;
    ready |= callers;
    jump(callers, where + 1);
  }
}

void Warp::waitAt(unsigned barrier, Lanes lanes) {
  ready &= ~lanes;
  barriers[barrier] |= lanes;
}

void Warp::release(unsigned barrier) {
  const Lanes lanes = barriers[barrier];
  barriers[barrier] = 0;
  ready |= lanes;
  forLanes(lanes, [&](unsigned lane) { ++places[lane]; });
}

//===-- Errors --===//

static std::string text(Dim3 index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

static std::string placeText(const Grid &grid, const Inst &inst) {
  const auto at = static_cast<std::size_t>(&inst - grid.program.code.data());
  return "line " + std::to_string(inst.line) + ": " + grid.program.names[at];
}

static Dim3 threadIndex(const Grid &grid, std::uint64_t thread) {
  const Dim3 size = grid.options.threads;
  return {static_cast<std::uint32_t>(thread % size.x),
          static_cast<std::uint32_t>(thread / size.x % size.y),
          static_cast<std::uint32_t>(thread / size.x / size.y)};
}

void Warp::fail(ErrorKind kind, const Inst &inst, unsigned lane, const std::string &what) const {
  throw Error(kind, inst.line,
              placeText(grid, inst) + ": " + what + ", in thread " +
                  text(threadIndex(grid, threadOf(lane))) + " of block " + text(block.index) +
                  " of " + grid.kernel.name);
}

std::string Warp::describe(unsigned lane) const {
  return "thread " + text(threadIndex(grid, threadOf(lane))) + " is at " +
         placeText(grid, grid.program.code[places[lane]]);
}

} // namespace ptxsim
