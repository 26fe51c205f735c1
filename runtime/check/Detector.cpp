// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/Detector.h"

#include <new>

namespace spl::detail {

/// Sets of shared memory that may remain until the next barrier, which makes all of them obsolete.
static constexpr std::size_t maxSharedSets = 1 << 16;

/// How far back a load is searched in its set: the lanes of a warp may take turns. A work-item that
/// waits in a loop of atomics finds its own at the end.
static constexpr int searchedLoads = 64, searchedAtomics = 2;

/// How often the size of the detector is looked at. A trace may add one block of shadow memory.
static constexpr std::uint64_t tracesBetweenLooks = 256;

static constexpr std::uint32_t maxSync = (1u << Cell::maxSyncBits) - 1;

Detector::Detector(std::uint32_t groupSize, std::uint32_t items, MemoryMap memory, FindingLog &log,
                   std::size_t maxBytes)
    : clocks(groupSize), atomics(clocks, groupSize), uniforms(groupSize), gridUniforms(items),
      memory(std::move(memory)), log(log), maxBytes(maxBytes) {}

std::size_t Detector::bytes() const {
  return global.shadow.bytes() + global.sets.bytes() + shared.shadow.bytes() + shared.sets.bytes() +
         unwritten.bytes();
}

void Detector::beginGroup(std::uint32_t number) {
  continueGroup(number);
  shared.shadow.reset();
  shared.sets.clear();
}

void Detector::continueGroup(std::uint32_t number) {
  clocks.beginGroup(number);
  atomics.beginGroup();
  uniforms.beginGroup();
}

// No time before the barrier is needed any more, so the groups' clocks may start again.
void Detector::meet() {
  global.shadow.reset();
  global.sets.clear();
  forgetShared();
  shared.shadow.forAll([](Cell &cell) { cell.sync = 0; });
  atomics.forgetAll();
}

void Detector::trace(const spl_cpu_trace_site &site, std::uintptr_t address, std::uint32_t item,
                     std::int64_t value) {
  if (++traces % tracesBetweenLooks == 0 && bytes() > maxBytes)
    throw std::bad_alloc();
  const auto number = static_cast<std::size_t>(site.number);
  if (number >= knownSites.size())
    knownSites.resize(number + 1);
  if (!knownSites[number]) {
    knownSites[number] = true;
    log.addSite(site);
  }
  log.beginEvent();
  switch (static_cast<spl_cpu_trace_kind>(site.kind)) {
  case SPL_TRACE_LOAD:
  case SPL_TRACE_STORE:
  case SPL_TRACE_ATOMIC_LOAD:
  case SPL_TRACE_ATOMIC_STORE:
  case SPL_TRACE_ATOMIC_UPDATE:
    return access(site, address, item, value);
  case SPL_TRACE_FENCE:
    return atomics.fence(item, static_cast<AtomicScope>(site.scope));
  case SPL_TRACE_ARRIVE:
    return; // all have arrived where the first one leaves
  case SPL_TRACE_LEAVE:
    return leaveBarrier();
  case SPL_TRACE_WARP_ARRIVE:
    return clocks.arriveAtWarpBarrier(item);
  case SPL_TRACE_WARP_LEAVE:
    return clocks.leaveWarpBarrier(item);
  case SPL_TRACE_UNIFORM:
  case SPL_TRACE_GRID_UNIFORM: {
    const Access here{clocks.itemOf(item), clocks.timeOf(item),
                      static_cast<std::uint32_t>(site.number)};
    const auto other = site.kind == SPL_TRACE_UNIFORM ? uniforms.add({here, value}, item)
                                                      : gridUniforms.add({here, value}, here.item);
    if (other)
      log.divergent(here, value, other->by, other->value);
    return;
  }
  case SPL_TRACE_SHARED:
    return nameShared(site, address, value);
  }
}

void Detector::nameShared(const spl_cpu_trace_site &site, std::uintptr_t address,
                          std::int64_t count) {
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(site.bytes);
  if (bytes == 0 && site.detail[0] == SPL_TRACE_IS_DYNAMIC)
    log.dynamicSharedMissing();
  if (bytes == 0 || memory.hasShared(site.subject, address, bytes))
    return;
  MemoryRegion region{.name = site.subject,
                      .begin = address,
                      .bytes = bytes,
                      .elementBytes = static_cast<std::uint64_t>(site.bytes),
                      .extents = {0},
                      .isShared = true};
  for (const std::int32_t extent : site.detail)
    if (extent > 0)
      region.extents.push_back(extent);
  memory.add(std::move(region));
}

// What came before the barrier happened before all that follows in the group, which alone has the
// memory. Only whether it is written remains.
void Detector::leaveBarrier() {
  if (!clocks.leaveBarrier())
    return;
  reportUnwritten();
  if (shared.sets.size() >= maxSharedSets)
    forgetShared();
}

/// Keeps only whether each element is written, and what was released there.
void Detector::forgetShared() {
  shared.shadow.forAll([](Cell &cell) {
    const bool isWritten = cell.isWritten;
    const std::uint32_t sync = cell.sync;
    cell = Cell();
    cell.isWritten = isWritten;
    cell.sync = sync & maxSync;
  });
  shared.sets.clear();
}

void Detector::access(const spl_cpu_trace_site &site, std::uintptr_t address, std::uint32_t item,
                      std::int64_t value) {
  const MemoryRegion *region = memory.find(address);
  if (!region)
    return; // the work-item's own
  Here here{
      .access = {clocks.itemOf(item), clocks.timeOf(item), static_cast<std::uint32_t>(site.number)},
      .local = item,
      .address = address,
      .bytes = 0,
      .region = *region,
      .space = region->isShared ? shared : global};
  const auto bytes = static_cast<std::size_t>(site.bytes);
  const auto each = [&](auto visit) {
    here.space.shadow.forEach(address, bytes,
                              [&](Cell &cell, std::uintptr_t at, std::uintptr_t step) {
                                here.address = at;
                                here.bytes = static_cast<std::uint32_t>(step);
                                visit(cell);
                              });
  };
  if (site.kind == SPL_TRACE_LOAD)
    return each([&](Cell &cell) { load(here, cell); });
  if (site.kind == SPL_TRACE_STORE)
    return each([&](Cell &cell) { store(here, cell); });
  const AtomicClocks::Atomic atomic{.loads = site.kind != SPL_TRACE_ATOMIC_STORE,
                                    .stores = site.kind == SPL_TRACE_ATOMIC_STORE ||
                                              (site.kind == SPL_TRACE_ATOMIC_UPDATE && value != 0),
                                    .order = static_cast<AtomicOrder>(site.order),
                                    .scope = static_cast<AtomicScope>(site.scope)};
  // The order is the first cell's.
  std::uint32_t sync = 0;
  here.space.shadow.forEach(address, 1, [&](Cell &cell, auto, auto) { sync = cell.sync; });
  const std::uint32_t old = sync;
  atomics.load(atomic, item, sync);
  each([&](Cell &cell) { this->atomic(here, cell, atomic); });
  atomics.store(atomic, item, sync);
  if (sync != old)
    each([&](Cell &cell) { cell.sync = sync & maxSync; });
}

void Detector::report(const Here &here, const Access &before) {
  log.race(here.access, before, here.address, here.region);
}

void Detector::requireWritten(const Here &here, const Cell &cell, bool isAtomic) {
  if (!here.region.isShared)
    return;
  const UnwrittenReads::Cells cells{here.address, here.bytes};
  const auto knows = [&](const Access &access) { return clocks.knows(here.local, access); };
  // A plain store that is not ordered before the read is a race.
  const bool isUnwritten = !cell.isWritten || (isAtomic && cell.store.isNone() &&
                                               unwritten.hasOnlyUnorderedStores(cells, knows));
  if (isUnwritten)
    unwritten.add({here.access, cells, traces, isAtomic});
}

// The access stores to the cell. Reads that it races with are no uninitialised ones.
void Detector::addStore(const Here &here, Cell &cell, bool isAtomic) {
  const bool mayBeFirst = !cell.isWritten || (isAtomic && unwritten.hasAtomicStores());
  if (!here.region.isShared || (!mayBeFirst && !unwritten.hasReads())) {
    cell.isWritten = 1;
    return;
  }
  const UnwrittenReads::Cells cells{here.address, here.bytes};
  const auto knows = [&](const Access &access) { return clocks.knows(here.local, access); };
  if (unwritten.hasReads())
    unwritten.store(cells, isAtomic, knows, [&](const Access &read) { report(here, read); });
  // A store that happened after another one adds nothing: what is ordered after it is ordered after
  // both.
  if (isAtomic && (!cell.isWritten || unwritten.hasOnlyUnorderedStores(cells, knows)))
    unwritten.addAtomicStore(here.access, cells);
  cell.isWritten = 1;
}

void Detector::reportUnwritten() {
  std::uint64_t event = 0; // there is no trace of that number
  for (const UnwrittenReads::Read &read : unwritten.take()) {
    if (read.event != event)
      log.beginEvent();
    event = read.event;
    if (const MemoryRegion *region = memory.find(read.cells.begin))
      log.uninitialised(read.access, read.cells.begin, *region);
  }
}

void Detector::requireStoreKnown(const Here &here, const Cell &cell) {
  if (!cell.store.isNone() && !clocks.knows(here.local, cell.store))
    report(here, cell.store);
}

void Detector::requireLoadsKnown(const Here &here, const Cell &cell) {
  if (!cell.load.isNone()) {
    if (!clocks.knows(here.local, cell.load))
      report(here, cell.load);
    return;
  }
  const AccessSets &sets = here.space.sets;
  for (std::uint32_t set = cell.load.time; set != AccessSets::empty; set = sets[set].rest)
    if (!clocks.knows(here.local, sets[set].access))
      return report(here, sets[set].access);
}

void Detector::requireAtomicsKnown(const Here &here, const Cell &cell, bool storesOnly) {
  const AccessSets &sets = here.space.sets;
  if (isKnown(here, cell.atomics) || (storesOnly && !sets[cell.atomics].anyStores))
    return;
  for (std::uint32_t set = cell.atomics; set != AccessSets::empty; set = sets[set].rest)
    if ((!storesOnly || (sets[set].flags & AccessSets::Stores)) &&
        !clocks.knows(here.local, sets[set].access))
      return report(here, sets[set].access);
}

/// Two atomics race where one of them is for its group alone and the other is of another group.
void Detector::requireScopes(const Here &here, const Cell &cell,
                             const AtomicClocks::Atomic &atomic) {
  const AccessSets &sets = here.space.sets;
  const AccessSets::Node &all = sets[cell.atomics];
  const bool isForGroup = atomic.scope == AtomicScope::Group;
  const bool isOwnGroup = !all.manyGroups && all.group == clocks.group();
  if (cell.atomics == AccessSets::empty || isOwnGroup || (!isForGroup && !all.anyGroupScope))
    return;
  for (std::uint32_t set = cell.atomics; set != AccessSets::empty; set = sets[set].rest) {
    const AccessSets::Node &node = sets[set];
    if (node.group != clocks.group() && (isForGroup || (node.flags & AccessSets::GroupScope)) &&
        (atomic.stores || (node.flags & AccessSets::Stores)) &&
        !clocks.knows(here.local, node.access))
      return report(here, node.access);
  }
}

/// Whether a barrier has ordered all of the set, as far as a look at its last access says.
bool Detector::isKnown(const Here &here, std::uint32_t set) const {
  const AccessSets::Node &node = here.space.sets[set];
  return set == AccessSets::empty ||
         (!node.manyGroups && node.group == clocks.group() && node.latest <= clocks.barrierTime());
}

// A load that happened after all earlier ones replaces them: a store ordered after it is ordered
// after them.
void Detector::addLoad(const Here &here, Cell &cell) {
  const bool isOne = !cell.load.isNone();
  const bool replaces = isOne ? clocks.knows(here.local, cell.load) : isKnown(here, cell.load.time);
  if (replaces) {
    cell.load = here.access;
    return;
  }
  AccessSets &sets = here.space.sets;
  std::uint32_t set =
      isOne ? sets.with(AccessSets::empty, cell.load,
                        clocks.isOfGroup(cell.load.item) ? clocks.group() : Access::nobody, 0,
                        searchedLoads)
            : cell.load.time;
  set = sets.with(set, here.access, clocks.group(), 0, searchedLoads);
  cell.load = Access{.time = set};
}

void Detector::load(const Here &here, Cell &cell) {
  if (cell.load.isBySameItemAndTime(here.access))
    return;
  requireWritten(here, cell, /*isAtomic=*/false);
  requireStoreKnown(here, cell);
  if (cell.atomics != AccessSets::empty)
    requireAtomicsKnown(here, cell, /*storesOnly=*/true);
  addLoad(here, cell);
}

void Detector::store(const Here &here, Cell &cell) {
  const bool hasLoads = !cell.load.isNone() || cell.load.time != AccessSets::empty;
  if (cell.store.isBySameItemAndTime(here.access) && !hasLoads && cell.atomics == AccessSets::empty)
    return;
  requireStoreKnown(here, cell);
  requireLoadsKnown(here, cell);
  if (cell.atomics != AccessSets::empty)
    requireAtomicsKnown(here, cell, /*storesOnly=*/false);
  atomics.forget(cell.sync);
  cell.store = here.access;
  cell.load = Access();
  cell.atomics = AccessSets::empty;
  cell.ownsAtomics = 0;
  addStore(here, cell, /*isAtomic=*/false);
}

void Detector::atomic(const Here &here, Cell &cell, const AtomicClocks::Atomic &atomic) {
  if (atomic.loads)
    requireWritten(here, cell, /*isAtomic=*/true);
  requireStoreKnown(here, cell);
  if (atomic.stores)
    requireLoadsKnown(here, cell);
  requireScopes(here, cell, atomic);
  addAtomic(here, cell, atomic);
  if (atomic.stores)
    addStore(here, cell, /*isAtomic=*/true);
}

// An atomic that happened after all earlier ones replaces them, unless it only loads and an earlier
// one stores, or an earlier one has the scope of the group and this one has a larger scope.
void Detector::addAtomic(const Here &here, Cell &cell, const AtomicClocks::Atomic &atomic) {
  AccessSets &sets = here.space.sets;
  const AccessSets::Node &all = sets[cell.atomics];
  const bool isOne = cell.atomics != AccessSets::empty && all.rest == AccessSets::empty;
  const bool replaces =
      (isKnown(here, cell.atomics) || (isOne && clocks.knows(here.local, all.access))) &&
      (atomic.stores || !all.anyStores) &&
      (atomic.scope == AtomicScope::Group || !all.anyGroupScope);
  const auto flags =
      static_cast<std::uint8_t>((atomic.stores ? AccessSets::Stores : 0) |
                                (atomic.scope == AtomicScope::Group ? AccessSets::GroupScope : 0));
  if (replaces && cell.ownsAtomics) {
    sets.replace(cell.atomics, here.access, clocks.group(), flags);
  } else if (replaces && isOne) { // may become a long chain of releases
    cell.atomics = sets.single(here.access, clocks.group(), flags);
    cell.ownsAtomics = 1;
  } else {
    cell.atomics = sets.with(replaces ? AccessSets::empty : cell.atomics, here.access,
                             clocks.group(), flags, searchedAtomics);
    cell.ownsAtomics = 0;
  }
}

} // namespace spl::detail
