// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The detector of checked launches, compared with one that keeps a whole vector clock for each
// work-item and every access to each element, on random traces.
#include "runtime/check/Detector.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace spl;
using namespace spl::detail;

namespace {

constexpr std::uint32_t groupSize = 40, groups = 3; // a warp, and a part of one
constexpr std::uint32_t elements = 6;

/// Happens-before as docs/language.md has it, with nothing left out.
class Reference {
public:
  using Clock = std::vector<std::uint32_t>;

  std::set<std::uint32_t> racy; ///< elements

  void beginGroup(std::uint32_t number) { group = number; }

  void access(std::uint32_t local, std::uint32_t element, bool stores) {
    add(local, element, {.stores = stores});
    if (stores)
      released.erase(element);
  }

  void atomic(std::uint32_t local, std::uint32_t element, const AtomicClocks::Atomic &op) {
    const bool isGroup = op.scope == AtomicScope::Group;
    const std::uint32_t me = item(local);
    const bool acquires = op.order == AtomicOrder::Acquire || op.order == AtomicOrder::AcqRel;
    const bool releases = op.order == AtomicOrder::Release || op.order == AtomicOrder::AcqRel;
    auto &heads = released[element];
    if (op.loads)
      for (const Release &head : heads) {
        const bool isSame = head.group == group;
        if (!isSame && (head.isGroup || isGroup))
          continue;
        if (acquires)
          join(clocks[me], head.clock);
        else
          (isSame ? readInGroup : readFromAll)[me].push_back(head);
      }
    add(local, element, {.stores = op.stores, .isAtomic = true, .isGroup = isGroup});
    if (!op.stores)
      return;
    if (!op.loads)
      heads.clear();
    if (releases)
      heads.push_back({publish(me), group, isGroup});
    else
      for (const Release &fence : fences[me])
        heads.push_back({fence.clock, group, fence.isGroup || isGroup});
  }

  void fence(std::uint32_t local, bool isGroup) {
    const std::uint32_t me = item(local);
    for (const Release &head : readInGroup[me])
      join(clocks[me], head.clock);
    for (const Release &head : readFromAll[me])
      if (!isGroup)
        join(clocks[me], head.clock);
    // A head of the same group for all is also acquired by a fence for the group.
    fences[me].push_back({publish(me), group, isGroup});
  }

  void barrier(const std::vector<std::uint32_t> &locals) {
    Clock all(groupSize * groups);
    for (std::uint32_t local : locals)
      join(all, publish(item(local)));
    for (std::uint32_t local : locals)
      join(clocks[item(local)], all);
  }

private:
  struct Past {
    bool stores = false, isAtomic = false, isGroup = false;
    std::uint32_t item = 0, group = 0, time = 0;
  };
  struct Release {
    Clock clock;
    std::uint32_t group;
    bool isGroup;
  };

  std::uint32_t item(std::uint32_t local) const { return group * groupSize + local; }

  static void join(Clock &to, const Clock &from) {
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] = std::max(to[i], from[i]);
  }

  Clock publish(std::uint32_t me) {
    Clock now = clocks[me];
    ++clocks[me][me];
    return now;
  }

  void add(std::uint32_t local, std::uint32_t element, Past now) {
    now.item = item(local);
    now.group = group;
    now.time = clocks[now.item][now.item];
    for (const Past &old : history[element]) {
      const bool areAtomic =
          old.isAtomic && now.isAtomic && (old.group == group || (!old.isGroup && !now.isGroup));
      if (old.item != now.item && (old.stores || now.stores) && !areAtomic &&
          clocks[now.item][old.item] < old.time)
        racy.insert(element);
    }
    history[element].push_back(now);
  }

  static std::vector<Clock> firstClocks() {
    std::vector<Clock> all(groupSize * groups, Clock(groupSize * groups));
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i][i] = 1;
    return all;
  }

  std::uint32_t group = 0;
  std::vector<Clock> clocks = firstClocks();
  std::map<std::uint32_t, std::vector<Past>> history;
  std::map<std::uint32_t, std::vector<Release>> released;
  std::map<std::uint32_t, std::vector<Release>> readInGroup, readFromAll, fences;
};

/// Makes the same trace for both.
class Trace {
public:
  explicit Trace(unsigned seed)
      : random(seed), log(Geometry{.numGroups = {groups, 1, 1}, .localSize = {groupSize, 1, 1}}),
        detector(groupSize, groupSize * groups, map(), log) {}

  void run(unsigned steps) {
    for (std::uint32_t group = 0; group < groups; ++group) {
      reference.beginGroup(group);
      detector.beginGroup(group);
      for (unsigned step = 0; step < steps; ++step)
        this->step();
    }
  }

  std::set<std::uint32_t> expected() const { return reference.racy; }
  std::set<std::uint32_t> found() {
    std::set<std::uint32_t> elements;
    for (const Finding &finding : log.take())
      if (finding.kind == FindingKind::RaceGlobal)
        elements.insert(static_cast<std::uint32_t>(finding.places.front().line));
    return elements;
  }

private:
  static MemoryMap map() {
    MemoryMap map;
    map.add({.name = "a",
             .begin = 4096,
             .bytes = elements * 4,
             .elementBytes = 4,
             .extents = {elements}});
    return map;
  }

  unsigned below(unsigned end) {
    return std::uniform_int_distribution<unsigned>(0, end - 1)(random);
  }

  /// The line of a site is its element.
  const spl_cpu_trace_site &site(spl_cpu_trace_kind kind, std::uint32_t element = 0, int order = 0,
                                 int scope = 0) {
    const auto key = std::tuple<int, std::uint32_t, int, int>(kind, element, order, scope);
    const auto [found, isNew] = sites.try_emplace(key);
    if (isNew)
      found->second = {static_cast<int>(sites.size()) - 1, kind, 4,  order,   scope,
                       static_cast<int>(element),          1,    {}, "k.spl", "a"};
    return found->second;
  }

  /// Work-items leave a barrier. One that has left loads and stores before the next one leaves, and
  /// may arrive at another barrier, as in the loops that the compiler makes.
  void leave(spl_cpu_trace_kind kind, const std::vector<std::uint32_t> &some) {
    reference.barrier(some);
    const bool meetAgain = below(2), isWarp = kind == SPL_TRACE_WARP_LEAVE;
    for (std::uint32_t local : some) {
      detector.trace(site(kind), 0, local, 0);
      if (below(4) == 0) {
        const std::uint32_t element = below(elements);
        const bool stores = below(3) == 0;
        detector.trace(site(stores ? SPL_TRACE_STORE : SPL_TRACE_LOAD, element), 4096 + element * 4,
                       local, 0);
        reference.access(local, element, stores);
      }
      if (meetAgain)
        detector.trace(site(isWarp ? SPL_TRACE_WARP_ARRIVE : SPL_TRACE_ARRIVE), 0, local, 0);
    }
    if (!meetAgain)
      return;
    for (std::uint32_t local : some)
      detector.trace(site(kind), 0, local, 0);
    reference.barrier(some);
  }

  void step() {
    const std::uint32_t local = below(groupSize), element = below(elements);
    const std::uintptr_t address = 4096 + element * 4;
    switch (below(12)) {
    case 0: { // a barrier
      std::vector<std::uint32_t> all;
      for (std::uint32_t i = 0; i < groupSize; ++i) {
        all.push_back(i);
        detector.trace(site(SPL_TRACE_ARRIVE), 0, i, 0);
      }
      return leave(SPL_TRACE_LEAVE, all);
    }
    case 1:
    case 2: { // a barrier of some lanes
      std::vector<std::uint32_t> some;
      const std::uint32_t start = local / 32 * 32;
      for (std::uint32_t i = start; i < std::min(start + 32, groupSize); ++i)
        if (i == local || below(3) != 0)
          some.push_back(i);
      for (std::uint32_t i : some)
        detector.trace(site(SPL_TRACE_WARP_ARRIVE), 0, i, 0);
      return leave(SPL_TRACE_WARP_LEAVE, some);
    }
    case 3: {
      const bool isGroup = below(2);
      detector.trace(site(SPL_TRACE_FENCE, 0, 0, isGroup ? 0 : 1), 0, local, 0);
      return reference.fence(local, isGroup);
    }
    case 4:
    case 5: // elements 0 and 1 are data
      detector.trace(site(SPL_TRACE_LOAD, element), address, local, 0);
      return reference.access(local, element, false);
    case 6:
      if (below(3) != 0)
        return;
      detector.trace(site(SPL_TRACE_STORE, element), address, local, 0);
      return reference.access(local, element, true);
    default: {
      const spl_cpu_trace_kind kind = std::array{SPL_TRACE_ATOMIC_LOAD, SPL_TRACE_ATOMIC_STORE,
                                                 SPL_TRACE_ATOMIC_UPDATE}[below(3)];
      const bool loads = kind != SPL_TRACE_ATOMIC_STORE;
      const bool stores =
          kind == SPL_TRACE_ATOMIC_STORE || (kind == SPL_TRACE_ATOMIC_UPDATE && below(4) != 0);
      const int scope = below(4) == 0 ? 0 : 1;
      int order = static_cast<int>(below(4));
      if (kind == SPL_TRACE_ATOMIC_LOAD && order >= 2)
        order = 1;
      if (kind == SPL_TRACE_ATOMIC_STORE && order != 0)
        order = 2;
      detector.trace(site(kind, element, order, scope), address, local, stores);
      return reference.atomic(local, element,
                              {loads, stores, AtomicOrder(order), AtomicScope(scope)});
    }
    }
  }

  std::mt19937 random;
  std::map<std::tuple<int, std::uint32_t, int, int>, spl_cpu_trace_site> sites;
  FindingLog log;
  Detector detector;
  Reference reference;
};

TEST(Detector, FindsTheRacesOfRandomTraces) {
  unsigned racy = 0, clean = 0;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    Trace trace(seed);
    trace.run(2 + seed % 12);
    const std::set<std::uint32_t> expected = trace.expected();
    ASSERT_EQ(trace.found(), expected) << "seed " << seed;
    racy += expected.size();
    clean += elements - expected.size();
  }
  EXPECT_GT(racy, 1000u);
  EXPECT_GT(clean, 1000u);
}

/// What work-items do with shared memory between two barriers: each its own accesses in their
/// order, in any order of the work-items.
struct Epoch {
  struct Step {
    spl_cpu_trace_kind kind;
    std::uint32_t element;

    bool isAtomic() const { return kind != SPL_TRACE_LOAD && kind != SPL_TRACE_STORE; }
    bool loads() const { return kind != SPL_TRACE_STORE && kind != SPL_TRACE_ATOMIC_STORE; }
    bool stores() const { return kind != SPL_TRACE_LOAD && kind != SPL_TRACE_ATOMIC_LOAD; }
  };
  std::vector<std::vector<Step>> steps; ///< of each work-item
};

/// The elements with a read that no store is ordered before, and that no store races with.
std::set<std::uint32_t> unwrittenElements(const std::vector<Epoch> &epochs) {
  std::set<std::uint32_t> unwritten, written;
  for (const Epoch &epoch : epochs) {
    std::set<std::uint32_t> now;
    for (std::size_t item = 0; item < epoch.steps.size(); ++item) {
      std::set<std::uint32_t> own;
      for (const Epoch::Step &step : epoch.steps[item]) {
        bool isRace = false;
        for (std::size_t other = 0; other < epoch.steps.size(); ++other)
          for (const Epoch::Step &store : epoch.steps[other])
            isRace |= other != item && store.element == step.element && store.stores() &&
                      !(store.isAtomic() && step.isAtomic());
        if (step.loads() && !written.contains(step.element) && !own.contains(step.element) &&
            !isRace)
          unwritten.insert(step.element);
        if (step.stores())
          own.insert(step.element);
      }
      now.insert(own.begin(), own.end());
    }
    written.insert(now.begin(), now.end());
  }
  return unwritten;
}

TEST(Detector, FindsUnwrittenReadsInEachOrderOfTheWorkItems) {
  constexpr std::uint32_t items = 6;
  constexpr std::array kinds{SPL_TRACE_LOAD, SPL_TRACE_STORE, SPL_TRACE_ATOMIC_LOAD,
                             SPL_TRACE_ATOMIC_STORE, SPL_TRACE_ATOMIC_UPDATE};
  std::vector<spl_cpu_trace_site> sites;
  for (std::uint32_t element = 0; element < elements; ++element)
    for (const spl_cpu_trace_kind kind : kinds)
      sites.push_back({static_cast<int>(sites.size()),
                       kind,
                       4,
                       0,
                       1,
                       static_cast<int>(element),
                       1,
                       {},
                       "k.spl",
                       "a"});
  const spl_cpu_trace_site leave{
      static_cast<int>(sites.size()), SPL_TRACE_LEAVE, 0, 0, 0, 1, 1, {}, "k.spl", ""};
  std::mt19937 random(1);
  std::size_t found = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Epoch> epochs(1 + random() % 3);
    for (Epoch &epoch : epochs) {
      epoch.steps.resize(items);
      for (auto &steps : epoch.steps)
        for (unsigned count = random() % 3; count != 0; --count)
          steps.push_back(
              {kinds[random() % kinds.size()], static_cast<std::uint32_t>(random() % elements)});
    }
    const std::set<std::uint32_t> expected = unwrittenElements(epochs);
    found += expected.size();
    std::vector<std::uint32_t> order(items);
    for (std::uint32_t item = 0; item < items; ++item)
      order[item] = item;
    for (int schedule = 0; schedule < 3; ++schedule) {
      FindingLog log(Geometry{.numGroups = {1, 1, 1}, .localSize = {items, 1, 1}});
      MemoryMap map;
      map.add({.name = "a",
               .begin = 4096,
               .bytes = elements * 4,
               .elementBytes = 4,
               .extents = {elements},
               .isShared = true});
      Detector detector(items, items, map, log);
      detector.beginGroup(0);
      for (const Epoch &epoch : epochs) {
        for (const std::uint32_t item : order)
          for (const Epoch::Step &step : epoch.steps[item])
            for (const spl_cpu_trace_site &site : sites)
              if (site.kind == step.kind && site.line == static_cast<int>(step.element))
                detector.trace(site, 4096 + step.element * 4, item, 1);
        for (std::uint32_t item = 0; item < items; ++item)
          detector.trace(leave, 0, item, 0);
      }
      detector.endGroup();
      std::set<std::uint32_t> unwritten;
      for (const Finding &finding : log.take())
        if (finding.kind == FindingKind::UninitialisedShared)
          unwritten.insert(static_cast<std::uint32_t>(finding.places.front().line));
      ASSERT_EQ(unwritten, expected) << "round " << round << ", schedule " << schedule;
      std::ranges::shuffle(order, random);
    }
  }
  EXPECT_GT(found, 1000u);
}

TEST(Detector, HasAtMostTheMemoryThatItMayHave) {
  const std::size_t bytes = 64 << 20;
  FindingLog log(Geometry{.numGroups = {1, 1, 1}, .localSize = {2, 1, 1}});
  MemoryMap map;
  map.add({.name = "a", .begin = 4096, .bytes = bytes, .elementBytes = 4, .extents = {bytes / 4}});
  const std::size_t limit = 8 << 20;
  Detector detector(2, 2, map, log, limit);
  detector.beginGroup(0);
  const spl_cpu_trace_site site{0, SPL_TRACE_STORE, 4, 0, 0, 1, 1, {}, "k.spl", "a"};
  const auto storeAll = [&] {
    for (std::uintptr_t at = 0; at < bytes; at += 4)
      detector.trace(site, 4096 + at, 0, 0);
  };
  EXPECT_THROW(storeAll(), std::bad_alloc);
  EXPECT_LT(detector.bytes(), 2 * limit);
}

TEST(TimeMap, IsAMapWhoseJoinTakesTheLargerTime) {
  std::mt19937 random(1);
  std::map<std::uint32_t, std::uint32_t> expected[4];
  TimeMap maps[4];
  for (int step = 0; step < 3000; ++step) {
    const unsigned a = random() % 4, b = random() % 4;
    if (random() % 4 == 0) {
      maps[a].join(maps[b]);
      for (const auto &[key, time] : std::map(expected[b]))
        expected[a][key] = std::max(expected[a][key], time);
    } else if (random() % 64 == 0) {
      maps[a] = TimeMap();
      expected[a].clear();
    } else {
      const std::uint32_t key = random() >> (random() % 32), time = 1 + random() % 100;
      maps[a].raise(key, time);
      expected[a][key] = std::max(expected[a][key], time);
    }
    const std::uint32_t key = random() >> (random() % 32);
    ASSERT_EQ(maps[a].at(key), expected[a].contains(key) ? expected[a][key] : 0);
  }
  for (int i = 0; i < 4; ++i)
    for (const auto &[key, time] : expected[i])
      ASSERT_EQ(maps[i].at(key), time);
}

} // namespace
