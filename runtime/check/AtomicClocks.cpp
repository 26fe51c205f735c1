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

void AtomicClocks::apply(const Atomic &atomic, std::uint32_t local, std::uint32_t &sync) {
  if (atomic.loads && sync != 0)
    load(atomic, local, released[sync]);
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
  store(atomic, local, released[sync]);
}

void AtomicClocks::load(const Atomic &atomic, std::uint32_t local, const Released &from) {
  const bool isSameGroup = from.group == clocks.group();
  const bool seesAll = atomic.scope != AtomicScope::Group;
  if (acquires(atomic.order)) {
    if (isSameGroup)
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

void AtomicClocks::store(const Atomic &atomic, std::uint32_t local, Released &to) {
  if (to.group != clocks.group()) {
    to.group = clocks.group();
    to.ofGroup = Times();
  }
  const bool isForAll = atomic.scope != AtomicScope::Group;
  const auto add = [&](const Times &times, bool reachesAll) {
    to.ofGroup.join(times);
    if (reachesAll)
      to.toAll.join(times);
  };
  if (releases(atomic.order))
    return add(clocks.release(local), isForAll);
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
