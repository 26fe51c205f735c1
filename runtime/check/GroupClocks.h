// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector clocks of the work-items of the group that runs, in a form that is small where
// work-items synchronise by barriers alone. What a work-item knows of the others is
//
//   - one time for the whole group: that of the last barrier
//   - for each lane of its warp a time, once there was a warp barrier
//   - times of single work-items and of whole groups, which it acquired by atomics (Times)
//
// Owned by the detector of one launch.
#ifndef SPL_RUNTIME_CHECK_GROUPCLOCKS_H
#define SPL_RUNTIME_CHECK_GROUPCLOCKS_H

#include "runtime/check/Access.h"
#include "runtime/check/TimeMap.h"

#include <array>
#include <vector>

namespace spl::detail {

/// Times of work-items, counted over the launch, and of groups: times up to which all work-items of
/// the group are known.
struct Times {
  TimeMap items, groups;

  bool isEmpty() const { return items.isEmpty() && groups.isEmpty(); }
  bool isSameAs(const Times &other) const {
    return items.isSameAs(other.items) && groups.isSameAs(other.groups);
  }
  void join(const Times &other) {
    items.join(other.items);
    groups.join(other.groups);
  }
};

class GroupClocks {
public:
  explicit GroupClocks(std::uint32_t groupSize);

  void beginGroup(std::uint32_t number);

  std::uint32_t group() const { return number; }
  /// \p local is a number within the group. \p item is a number within the launch.
  std::uint32_t itemOf(std::uint32_t local) const { return first + local; }
  std::uint32_t timeOf(std::uint32_t local) const { return times[local]; }
  /// The time of the last barrier. All work-items know all that was done until then.
  std::uint32_t barrierTime() const { return barrier; }
  bool isOfGroup(std::uint32_t item) const { return item - first < groupSize; }

  /// Whether the access happened before what the work-item does now.
  bool knows(std::uint32_t local, const Access &access) const {
    const std::uint32_t other = access.item - first;
    if (other < groupSize)
      return other == local || access.time <= barrier || knowsOfGroup(local, other, access.time);
    return knowsOfOtherGroup(local, access);
  }

  /// A work-item leaves a barrier, at which all have arrived. A work-item may arrive at the next
  /// barrier before others have left this one. Returns whether this is the first that leaves.
  bool leaveBarrier();
  /// The same for the lanes of a warp that take part in a warp barrier.
  void arriveAtWarpBarrier(std::uint32_t local);
  void leaveWarpBarrier(std::uint32_t local);

  /// The times of other work-items that this one knows.
  Times known(std::uint32_t local) const;
  /// Changes whenever the result of known() changes.
  std::uint32_t version(std::uint32_t local) const { return versions[local]; }
  /// Returns the time of the work-item, and advances it.
  std::uint32_t tick(std::uint32_t local) { return times[local]++; }
  /// The times that the work-item knows, with its own. Advances its time.
  Times release(std::uint32_t local);
  void acquire(std::uint32_t local, const Times &released);

private:
  static constexpr std::uint32_t warpSize = 32;

  struct Warp {
    std::uint32_t arrived = 0; ///< a mask of lanes: at a barrier that nobody has left
    std::uint32_t leaving = 0; ///< those that have not left the barrier before it
    std::uint32_t since = 0;   ///< the barrier after which known was written
    bool isUsed = false;
    std::array<std::array<std::uint32_t, warpSize>, warpSize> known{}; ///< by lane, of each lane
  };

  bool knowsOfGroup(std::uint32_t local, std::uint32_t other, std::uint32_t time) const;
  bool knowsOfOtherGroup(std::uint32_t local, const Access &access) const;
  const Warp *usedWarpOf(std::uint32_t local) const;
  void joinWarp(std::uint32_t warp);

  const std::uint32_t groupSize;
  std::uint32_t number = 0, first = 0;
  std::uint32_t barrier = 0;
  std::uint32_t leaving = 0; ///< work-items that have not left the last barrier
  bool hasAcquired = false;  ///< any work-item of the group
  std::vector<std::uint32_t> times;
  std::vector<std::uint32_t> versions;
  std::vector<Times> acquired;
  std::vector<Warp> warps;
};

} // namespace spl::detail

#endif
