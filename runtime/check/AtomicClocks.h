// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What atomics and fences order. A release makes what a work-item did known to those who acquire
// it: with order release or acq_rel, or by a fence before a relaxed atomic. An acquire is an order
// acquire or acq_rel, or a fence after a relaxed atomic. An atomic that reads and writes continues
// what was released before it, and a store begins anew, as release sequences do in C++20.
//
// A release that is for a group alone is seen in its group only. Owned by the detector of one
// launch.
#ifndef SPL_RUNTIME_CHECK_ATOMICCLOCKS_H
#define SPL_RUNTIME_CHECK_ATOMICCLOCKS_H

#include "runtime/check/GroupClocks.h"

#include <vector>

namespace spl::detail {

/// The numbers are those of a site (spl/cpu_abi.h).
enum class AtomicOrder : std::int32_t { Relaxed, Acquire, Release, AcqRel };
enum class AtomicScope : std::int32_t { Group, Device, System };

class AtomicClocks {
public:
  AtomicClocks(GroupClocks &clocks, std::uint32_t groupSize)
      : clocks(clocks), items(groupSize), released(1) {}

  void beginGroup();

  struct Atomic {
    bool loads, stores;
    AtomicOrder order;
    AtomicScope scope;
  };
  /// The two parts of an atomic of a work-item of the group: what it acquires before the access,
  /// and what it releases after it. \p sync is what the place has released, as a number; 0 at
  /// first.
  void load(const Atomic &atomic, std::uint32_t local, std::uint32_t sync);
  void store(const Atomic &atomic, std::uint32_t local, std::uint32_t &sync);
  void fence(std::uint32_t local, AtomicScope scope);

  /// What was released before a grid barrier is known to all. No place refers to it any more.
  void forgetAll() { released.assign(1, Released()); }

  /// A plain store ends what was released at the place.
  void forget(std::uint32_t sync);

private:
  struct Released {
    Times toAll;   ///< for every group
    Times ofGroup; ///< for the group alone, and what is for every group
    std::uint32_t group = 0;
    bool isAllForAll = true; ///< whether toAll has all that ofGroup has
    /// The last release, without its work-item's time, which is not yet in the maps: a work-item
    /// that releases again and again only changes this time.
    struct {
      std::uint32_t item = Access::nobody, time = 0, version = 0;
      bool isForAll = false;
    } last;

    void settle();
  };
  /// Of a work-item: what a later fence acquires, and what an earlier fence released.
  struct Fences {
    Times readFromAll, readInGroup;
    Times toAll, toGroup;
  };

  GroupClocks &clocks;
  std::vector<Fences> items;
  bool hasFences = false; ///< whether items has anything
  std::vector<Released> released;
};

} // namespace spl::detail

#endif
