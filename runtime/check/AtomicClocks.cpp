// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/AtomicClocks.h"

#include <algorithm>

namespace spl::detail {

static bool acquires(AtomicOrder order) {
  return order == AtomicOrder::Acquire || order == AtomicOrder::AcqRel;
}
static bool releases(AtomicOrder order) {
  return order == AtomicOrder::Release || order == AtomicOrder::AcqRel;
}

void AtomicClocks::beginGroup() {
  if (hasFences)
    std::ranges::fill(items, Fences());
  hasFences = false;
}

void AtomicClocks::Released::settle() {
  if (last.item == Access::nobody)
    return;
  ofGroup.items.raise(last.item, last.time);
  if (last.isForAll)
    toAll.items.raise(last.item, last.time);
  last.item = Access::nobody;
}

void AtomicClocks::load(const Atomic &atomic, std::uint32_t local, std::uint32_t sync) {
  if (!atomic.loads || sync == 0)
    return;
  Released &from = released[sync];
  if (from.last.item != clocks.itemOf(local))
    from.settle();
  const bool isSameGroup = from.group == clocks.group();
  const bool seesAll = atomic.scope != AtomicScope::Group;
  if (acquires(atomic.order)) {
    if (isSameGroup && !(seesAll && from.isAllForAll))
      clocks.acquire(local, from.ofGroup);
    if (seesAll)
      clocks.acquire(local, from.toAll);
    return;
  }
  hasFences = true;
  if (isSameGroup)
    items[local].readInGroup.join(from.ofGroup);
  if (seesAll)
    items[local].readFromAll.join(from.toAll);
}

void AtomicClocks::store(const Atomic &atomic, std::uint32_t local, std::uint32_t &sync) {
  if (!atomic.stores)
    return;
  const bool hasReleased =
      releases(atomic.order) || !items[local].toAll.isEmpty() || !items[local].toGroup.isEmpty();
  if (!hasReleased && sync == 0)
    return;
  if (sync == 0) {
    sync = static_cast<std::uint32_t>(released.size());
    released.emplace_back();
  }
  if (!atomic.loads)
    forget(sync);
  Released &to = released[sync];
  const std::uint32_t item = clocks.itemOf(local), version = clocks.version(local);
  const bool isForAll = atomic.scope != AtomicScope::Group;
  if (releases(atomic.order) && to.last.item == item && to.last.version == version &&
      to.last.isForAll == isForAll) {
    to.last.time = clocks.tick(local);
    return;
  }
  to.settle();
  if (to.group != clocks.group()) {
    to.group = clocks.group();
    to.ofGroup = Times();
    to.isAllForAll = true;
  }
  const auto add = [&](const Times &times, bool reachesAll) {
    to.ofGroup.join(times);
    if (reachesAll)
      to.toAll.join(times);
    else if (!times.isEmpty())
      to.isAllForAll = false;
  };
  if (releases(atomic.order)) {
    add(clocks.known(local), isForAll);
    to.last = {item, clocks.tick(local), version, isForAll};
    to.isAllForAll = to.isAllForAll && isForAll;
    return;
  }
  add(items[local].toGroup, false);
  add(items[local].toAll, isForAll);
}

void AtomicClocks::fence(std::uint32_t local, AtomicScope scope) {
  hasFences = true;
  Fences &fences = items[local];
  const bool isForAll = scope != AtomicScope::Group;
  clocks.acquire(local, fences.readInGroup);
  if (isForAll)
    clocks.acquire(local, fences.readFromAll);
  (isForAll ? fences.toAll : fences.toGroup) = clocks.release(local);
}

void AtomicClocks::forget(std::uint32_t sync) {
  if (sync != 0)
    released[sync] = Released();
}

} // namespace spl::detail
