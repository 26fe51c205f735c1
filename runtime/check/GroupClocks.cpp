// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/GroupClocks.h"

#include <algorithm>

namespace spl::detail {

GroupClocks::GroupClocks(std::uint32_t groupSize)
    : groupSize(groupSize), times(groupSize), versions(groupSize), acquired(groupSize),
      warps((groupSize + warpSize - 1) / warpSize) {}

void GroupClocks::beginGroup(std::uint32_t group) {
  number = group;
  first = group * groupSize;
  barrier = 0;
  leaving = 0;
  std::ranges::fill(times, 1);
  if (hasAcquired)
    std::ranges::fill(acquired, Times());
  hasAcquired = false;
  for (Warp &warp : warps) {
    warp.isUsed = false;
    warp.arrived = 0;
    warp.leaving = 0;
  }
}

const GroupClocks::Warp *GroupClocks::usedWarpOf(std::uint32_t local) const {
  const Warp &warp = warps[local / warpSize];
  return warp.isUsed && warp.since == barrier ? &warp : nullptr;
}

bool GroupClocks::knowsOfGroup(std::uint32_t local, std::uint32_t other, std::uint32_t time) const {
  if (local / warpSize == other / warpSize)
    if (const Warp *warp = usedWarpOf(local))
      if (warp->known[local % warpSize][other % warpSize] >= time)
        return true;
  return hasAcquired && acquired[local].items.at(first + other) >= time;
}

bool GroupClocks::knowsOfOtherGroup(std::uint32_t local, const Access &access) const {
  if (!hasAcquired)
    return false;
  const Times &known = acquired[local];
  return known.groups.at(access.item / groupSize) >= access.time ||
         known.items.at(access.item) >= access.time;
}

bool GroupClocks::leaveBarrier() {
  if (leaving != 0) {
    --leaving;
    return false;
  }
  leaving = groupSize - 1;
  barrier = *std::ranges::max_element(times);
  std::ranges::fill(times, barrier + 1);
  for (std::uint32_t &version : versions)
    ++version;
  if (!hasAcquired)
    return true;
  Times all;
  for (const Times &each : acquired)
    if (!each.isSameAs(all))
      all.join(each);
  std::ranges::fill(acquired, all);
  return true;
}

void GroupClocks::arriveAtWarpBarrier(std::uint32_t local) {
  warps[local / warpSize].arrived |= 1u << (local % warpSize);
}

void GroupClocks::leaveWarpBarrier(std::uint32_t local) {
  Warp &warp = warps[local / warpSize];
  const std::uint32_t lane = 1u << (local % warpSize);
  if (!(warp.leaving & lane))
    joinWarp(local / warpSize);
  warp.leaving &= ~lane;
}

void GroupClocks::joinWarp(std::uint32_t index) {
  Warp &warp = warps[index];
  const std::uint32_t lanes = std::exchange(warp.arrived, 0), start = index * warpSize;
  warp.leaving |= lanes;
  if (!warp.isUsed || warp.since != barrier)
    warp.known = {};
  warp.isUsed = true;
  warp.since = barrier;
  std::array<std::uint32_t, warpSize> all{};
  Times joined;
  for (std::uint32_t lane = 0; lane < warpSize; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    for (std::uint32_t other = 0; other < warpSize; ++other)
      all[other] = std::max(all[other], warp.known[lane][other]);
    all[lane] = std::max(all[lane], times[start + lane]);
    if (hasAcquired && !acquired[start + lane].isSameAs(joined))
      joined.join(acquired[start + lane]);
  }
  for (std::uint32_t lane = 0; lane < warpSize; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    warp.known[lane] = all;
    ++times[start + lane];
    ++versions[start + lane];
    if (hasAcquired)
      acquired[start + lane] = joined;
  }
}

Times GroupClocks::known(std::uint32_t local) const {
  Times known = acquired[local];
  if (barrier != 0)
    known.groups.raise(number, barrier);
  if (const Warp *warp = usedWarpOf(local))
    for (std::uint32_t lane = 0; lane < warpSize; ++lane)
      if (const std::uint32_t time = warp->known[local % warpSize][lane])
        known.items.raise(first + local / warpSize * warpSize + lane, time);
  return known;
}

Times GroupClocks::release(std::uint32_t local) {
  Times all = known(local);
  all.items.raise(itemOf(local), tick(local));
  return all;
}

void GroupClocks::acquire(std::uint32_t local, const Times &released) {
  if (released.isEmpty())
    return;
  const Times before = acquired[local];
  acquired[local].join(released);
  if (!acquired[local].isSameAs(before))
    ++versions[local];
  hasAcquired = true;
}

} // namespace spl::detail
