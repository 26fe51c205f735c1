// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/FindingLog.h"

#include "runtime/system/Checks.h"

#include <algorithm>

namespace spl::detail {

static std::string_view nameOf(FindingKind kind) {
  switch (kind) {
#define SPL_FINDING_KIND(NAME, TEXT, MEANING)                                                      \
  case FindingKind::NAME:                                                                          \
    return TEXT;
#include "spl/FindingKinds.def"
  }
  return "";
}

void FindingLog::addSite(const spl_cpu_trace_site &site) {
  const auto number = static_cast<std::size_t>(site.number);
  if (number >= sites.size()) {
    sites.resize(number + 1);
    lines.resize(number + 1);
  }
  sites[number] = &site;
  lines[number] = siteOfLine.try_emplace({site.file, site.line}, static_cast<std::uint32_t>(number))
                      .first->second;
}

Finding *FindingLog::add(FindingKind kind, std::uint32_t first, std::uint32_t second,
                         const std::string &subject, RaceScope scope) {
  const Key key{kind, std::min(first, second), std::max(first, second), subject};
  const auto [found, isNew] = known.try_emplace(key, Known{findings.size(), event});
  auto &[index, lastEvent] = found->second;
  if (isNew) {
    findings.push_back({.kind = kind, .name = std::string(nameOf(kind)), .scope = scope});
    return &findings.back();
  }
  Finding &finding = findings[index];
  if (lastEvent != event)
    ++finding.count;
  lastEvent = event;
  if (scope <= finding.scope)
    return nullptr;
  finding.scope = scope;
  return &finding;
}

std::uint32_t FindingLog::groupSize() const {
  const auto &size = geometry.localSize;
  return static_cast<std::uint32_t>(size[0] * size[1] * size[2]);
}

void FindingLog::addCalls(FindingPlace &place, const spl_cpu_call *caller) const {
  for (; caller; caller = caller->caller)
    if (caller->line != 0)
      place.calls.push_back({caller->file, caller->line, caller->column});
    else
      place.kernel = kernel;
}

FindingPlace FindingLog::placeOf(const Access &access, const std::string &note) const {
  const spl_cpu_trace_site &site = *sites[access.site];
  FindingPlace place;
  place.note = note;
  place.file = site.file;
  place.line = site.line;
  place.column = site.column;
  addCalls(place, site.caller);
  std::int64_t group = access.item / groupSize(), local = access.item % groupSize();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    place.group[axis] = group % geometry.numGroups[axis];
    group /= geometry.numGroups[axis];
    place.workItem[axis] =
        place.group[axis] * geometry.localSize[axis] + local % geometry.localSize[axis];
    local /= geometry.localSize[axis];
  }
  return place;
}

static const char *verbOf(const spl_cpu_trace_site &site) {
  switch (site.kind) {
  case SPL_TRACE_LOAD:
    return "loads";
  case SPL_TRACE_STORE:
    return "stores";
  case SPL_TRACE_ATOMIC_LOAD:
    return "loads atomically";
  case SPL_TRACE_ATOMIC_STORE:
    return "stores atomically";
  default:
    return "updates atomically";
  }
}

static const char *nounOf(const spl_cpu_trace_site &site) {
  switch (site.kind) {
  case SPL_TRACE_LOAD:
    return "load";
  case SPL_TRACE_STORE:
    return "store";
  case SPL_TRACE_ATOMIC_LOAD:
    return "atomic load";
  case SPL_TRACE_ATOMIC_STORE:
    return "atomic store";
  default:
    return "atomic update";
  }
}

static const char *memoryOf(const MemoryRegion &region) {
  return region.isShared ? " in shared memory" : " in global memory";
}

RaceScope FindingLog::scopeOf(const Access &a, const Access &b) const {
  constexpr std::uint32_t warpSize = 32;
  const std::uint32_t size = groupSize();
  if (a.item / size != b.item / size)
    return RaceScope::Launch;
  return a.item % size / warpSize == b.item % size / warpSize ? RaceScope::Warp : RaceScope::Group;
}

struct ScopeText {
  const char *who, *remedy;
};

static ScopeText textOf(RaceScope scope) {
  switch (scope) {
#define SPL_RACE_SCOPE(NAME, WHO, REMEDY)                                                          \
  case RaceScope::NAME:                                                                            \
    return {WHO, REMEDY};
#include "spl/RaceScopes.def"
  }
  return {};
}

/// The atomic that does what the load and the store of one line do, as of `a[i] += x`; or null.
static const char *atomicFor(const spl_cpu_trace_site &one, const spl_cpu_trace_site &other) {
  switch (one.detail[0] == other.detail[0] ? one.detail[0] : SPL_TRACE_NO_UPDATE) {
  case SPL_TRACE_ADD:
    return "gpu.atomic_add";
  case SPL_TRACE_SUB:
    return "gpu.atomic_sub";
  case SPL_TRACE_MIN:
    return "gpu.atomic_min";
  case SPL_TRACE_MAX:
    return "gpu.atomic_max";
  case SPL_TRACE_AND:
    return "gpu.atomic_and";
  case SPL_TRACE_OR:
    return "gpu.atomic_or";
  case SPL_TRACE_XOR:
    return "gpu.atomic_xor";
  default:
    return nullptr;
  }
}

static bool isAtomic(const spl_cpu_trace_site &site) {
  return site.kind != SPL_TRACE_LOAD && site.kind != SPL_TRACE_STORE;
}

/// What to do about a race of two accesses that are not atomic. Only a loop or a function has room
/// for a barrier between two accesses of one line.
static std::string plainRemedy(const spl_cpu_trace_site &here, const spl_cpu_trace_site &there,
                               bool isOneLine, RaceScope scope) {
  const bool isLaunch = scope == RaceScope::Launch, hasLoad = here.kind != there.kind;
  const std::string order = textOf(scope).remedy;
  if (!isOneLine)
    return order;
  if (const char *update = atomicFor(here, there))
    return std::string("use ") + update + (isLaunch ? ", because " : ", or ") + order;
  if (hasLoad && here.column == there.column) // a[i] *= x
    return (isLaunch ? "" : "use an atomic, or ") + order;
  if (hasLoad) // a stencil in one array
    return "read from one array and write to another" +
           ((isLaunch ? ", because " : ", or load into a 'val' first, and ") + order);
  return std::string("let one work-item store") + (isLaunch ? " or " : ", ") +
         "give each an element of its own" +
         ((isLaunch ? ", because " : ", use an atomic, or ") + order);
}

void FindingLog::race(const Access &now, const Access &before, std::uintptr_t address,
                      const MemoryRegion &region) {
  const RaceScope scope = scopeOf(now, before);
  Finding *finding = add(region.isShared ? FindingKind::RaceShared : FindingKind::RaceGlobal,
                         lines[now.site], lines[before.site], region.name, scope);
  if (!finding)
    return;
  const spl_cpu_trace_site &here = *sites[now.site], &there = *sites[before.site];
  finding->element = region.describe(address);
  const auto [who, remedy] = textOf(scope);
  std::string problem = " have the scope group; give both the scope device";
  if (!isAtomic(here) && !isAtomic(there)) {
    const bool isOneLine = lines[now.site] == lines[before.site];
    problem = " are not ordered; " + plainRemedy(here, there, isOneLine, scope);
    if (scope == RaceScope::Launch)
      plainRaces[static_cast<std::size_t>(finding - findings.data())] =
          !isOneLine && here.kind != there.kind
              ? "; if the load is to read the value from before, store to another array"
              : "";
  } else if (!isAtomic(here) || !isAtomic(there)) {
    const spl_cpu_trace_site &plain = isAtomic(here) ? there : here;
    problem = std::string(" are not ordered; use gpu.atomic_") + nounOf(plain) + " for the " +
              nounOf(plain) + ", or " + (scope == RaceScope::Launch ? "separate launches" : remedy);
  }
  finding->message = "race on '" + finding->element + "'" + memoryOf(region) + ": a " +
                     std::string(nounOf(here)) + " and " + (isAtomic(there) ? "an " : "a ") +
                     nounOf(there) + " by work-items " + who + problem;
  if (isAtomic(here))
    finding->message.replace(finding->message.find(": a ") + 2, 1, "an");
  finding->places = {placeOf(now, verbOf(here)), placeOf(before, verbOf(there))};
}

/// To order accesses of two groups by a flag, one group stores the flag (publishes) and the other
/// one loads it (observes). An atomic update does both.
static bool canPublish(const spl_cpu_trace_site &site) {
  return site.kind == SPL_TRACE_ATOMIC_STORE || site.kind == SPL_TRACE_ATOMIC_UPDATE;
}
static bool canObserve(const spl_cpu_trace_site &site) {
  return site.kind == SPL_TRACE_ATOMIC_LOAD || site.kind == SPL_TRACE_ATOMIC_UPDATE;
}

/// Which memory orders two atomics lack to order other accesses by a flag. Empty if they lack none.
static std::string missingOrders(const spl_cpu_trace_site &publish,
                                 const spl_cpu_trace_site &observe) {
  const auto lacks = [](const spl_cpu_trace_site &site, const char *order) {
    return std::string("the ") + nounOf(site) + " in line " + std::to_string(site.line) +
           " needs 'order: " + order + "'";
  };
  const bool releases = (publish.order & 2) != 0, acquires = (observe.order & 1) != 0;
  if (&publish == &observe)
    return releases && acquires ? "" : lacks(publish, "acq_rel");
  const std::string release = releases ? "" : lacks(publish, "release"),
                    acquire = acquires ? "" : lacks(observe, "acquire");
  return release + (release.empty() || acquire.empty() ? "" : ", and ") + acquire;
}

/// The end of the message about a race between groups: which memory order an atomic of the launch
/// lacks, if a flag is to order the accesses. Empty if no array has atomics that could be a flag,
/// or if the launch has fences, which may order them.
std::string FindingLog::flagRemedy() const {
  for (const spl_cpu_trace_site *site : sites)
    if (site && site->kind == SPL_TRACE_FENCE)
      return "";
  for (const bool isOneSite : {false, true}) // a store and a load are more often a flag
    for (const spl_cpu_trace_site *publish : sites)
      for (const spl_cpu_trace_site *observe : sites) {
        if (!publish || !observe || (publish == observe) != isOneSite || !canPublish(*publish) ||
            !canObserve(*observe) || std::string_view(publish->subject) != observe->subject)
          continue;
        if (const std::string missing = missingOrders(*publish, *observe); !missing.empty())
          return "; if '" + std::string(publish->subject) + "' has a flag that orders them, " +
                 missing;
      }
  return "";
}

std::vector<Finding> FindingLog::take() {
  if (!plainRaces.empty()) {
    const std::string remedy = flagRemedy();
    for (const auto &[index, otherwise] : plainRaces)
      findings[index].message += remedy.empty() ? otherwise : remedy;
    plainRaces.clear();
  }
  return std::move(findings);
}

void FindingLog::uninitialised(const Access &load, std::uintptr_t address,
                               const MemoryRegion &region) {
  Finding *finding =
      add(FindingKind::UninitialisedShared, lines[load.site], lines[load.site], region.name);
  if (!finding)
    return;
  finding->element = region.describe(address);
  finding->message = "'" + finding->element + "'" + memoryOf(region) +
                     " is read before it is written; store to it first, and put gpu.barrier() "
                     "between the store and this load";
  finding->places = {placeOf(load, verbOf(*sites[load.site]))};
}

void FindingLog::divergent(const Access &now, std::int64_t value, const Access &before,
                           std::int64_t first) {
  const spl_cpu_trace_site &site = *sites[now.site];
  const bool isGrid = site.kind == SPL_TRACE_GRID_UNIFORM;
  const char *const promise = isGrid ? "gpu.grid_uniform" : "gpu.uniform";
  const auto describe = [&](std::int64_t number) {
    return site.bytes == 0 ? std::string("another value") : "the value " + std::to_string(number);
  };
  const auto fill = [&](Finding &finding) {
    finding.places = {placeOf(now, "has " + describe(value)),
                      placeOf(before, "has " + describe(first))};
  };
  const std::uint32_t original = lines[now.site];
  if (Finding *finding = add(FindingKind::NotUniform, original, original)) {
    finding->message = std::string("the argument of ") + promise +
                       " differs between work-items of " + (isGrid ? "the launch" : "one group");
    fill(*finding);
  }
  if (site.detail[0] == 0)
    return;
  if (Finding *finding = add(FindingKind::BarrierDivergence, original, original)) {
    finding->message = std::string("not all work-items of the ") + (isGrid ? "launch" : "group") +
                       " reach this barrier: whether they do depends on a " + promise +
                       " whose argument differs between them";
    fill(*finding);
    FindingPlace barrier = finding->places.front();
    barrier.line = site.detail[0];
    barrier.column = site.detail[1];
    barrier.calls.clear(); // those of the promise
    barrier.kernel.clear();
    barrier.note = "may not reach this barrier";
    finding->places.insert(finding->places.begin(), barrier);
  }
}

void FindingLog::fault(const Fault &fault, const spl_cpu_call *caller) {
  beginEvent();
  Finding *finding =
      add(FindingKind::Fault, static_cast<std::uint32_t>(fault.line),
          static_cast<std::uint32_t>(fault.column), fault.file + std::string(toString(fault.kind)));
  if (!finding)
    return;
  finding->name = toString(fault.kind);
  finding->message = fault.sentence();
  if (isDynamicSharedMissing && fault.bound == 0 && !finding->message.ends_with(noDynamicShared))
    finding->message += noDynamicShared;
  FindingPlace place;
  place.note = "fails";
  if (fault.isBeyondLaunch()) {
    const std::string who = fault.inWorkItem();
    place.note += who.substr(who.find(';'));
  }
  place.file = fault.file;
  place.line = fault.line;
  place.column = fault.column;
  place.workItem = fault.workItem;
  place.group = fault.group;
  addCalls(place, caller);
  finding->places = {place};
}

} // namespace spl::detail
