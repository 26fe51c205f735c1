// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests group collectives on every type against loops over the members of the group: barriers,
// shared memory and the group_* functions.
#include "test/e2e/Groups.h"

#include <algorithm>
#include <numeric>

using namespace spl::e2e;

namespace {

template <class T> void checkReductions(const Build &build, const std::string &type) {
  for (const Grid &grid : grids) {
    const auto a = smallValues<T>(grid.count());
    std::vector<T> out(a.size() * 6);
    build.run("reductions[" + type + "]", grid.config(), a, out);
    auto sum = [&](std::size_t first, std::size_t end) {
      T total = 0;
      for (std::size_t i = first; i != end; ++i)
        total = static_cast<T>(total + a[i]);
      return total;
    };
    auto expected = [&](std::size_t at, std::size_t k) -> T {
      const Grid::Members group = grid.group(at);
      auto first = a.begin() + group.first, end = a.begin() + group.end;
      return (const T[]){
          sum(group.first, at + 1),      sum(group.first, at),
          sum(group.first, group.end),   *std::min_element(first, end),
          *std::max_element(first, end), sum(group.first, group.first + group.count() / 2 + 1)}[k];
    };
    expectFields(out, 6, expected, type.c_str());
  }
}

std::vector<spl::jit::Options> withReductions() {
  std::vector<std::string> instances;
  auto add = [&](auto, std::string type) { instances.push_back("reductions[" + type + "]"); };
  forEachInteger(add), forEachFloat(add);
  return extremeOptions(instances);
}

} // namespace

TEST(Groups, ReduceEveryType) {
  forEachBuild({"groups.spl"}, withReductions(), [](const Build &build) {
    forEachInteger(
        [&](auto zero, const char *type) { checkReductions<decltype(zero)>(build, type); });
    forEachFloat(
        [&](auto zero, const char *type) { checkReductions<decltype(zero)>(build, type); });
  });
}

TEST(Groups, CombineBits) {
  forEachBuild({"groups.spl"}, extremeOptions(), [](const Build &build) {
    for (const Grid &grid : grids) {
      const auto a = smallValues<std::int32_t>(grid.count());
      std::vector<std::uint64_t> b;
      for (std::int32_t each : a)
        b.push_back(0xf0f0'0000'0000'1234u | std::uint64_t(each & 0xffff) << 20);
      std::vector<std::int64_t> out(a.size() * 4);
      build.run("bits", grid.config(), a, b, out);
      expectFields(
          out, 4,
          [&](std::size_t at, std::size_t k) -> std::int64_t {
            const Grid::Members group = grid.group(at);
            std::int32_t all = -1, any = 0, odd = 0;
            std::uint64_t wideAll = ~0ull, wideAny = 0, wideOdd = 0;
            for (std::size_t i = group.first; i != group.end; ++i) {
              all &= a[i], any |= a[i], odd ^= a[i];
              wideAll &= b[i], wideAny |= b[i], wideOdd ^= b[i];
            }
            const std::int64_t wide(wideAny - wideAll ^ wideOdd);
            return (const std::int64_t[]){all, any, odd, wide}[k];
          },
          "bits");
    }
  });
}

TEST(Groups, VoteAndBroadcast) {
  forEachBuild({"groups.spl"}, extremeOptions(), [](const Build &build) {
    for (const Grid &grid : grids)
      for (std::int32_t limit : {-60, -13, 0, 46, 60}) {
        const auto a = smallValues<std::int32_t>(grid.count());
        std::vector<std::int32_t> out(a.size() * 4);
        build.run("votes", grid.config(), a, limit, out);
        expectFields(
            out, 4,
            [&](std::size_t at, std::size_t k) {
              const Grid::Members group = grid.group(at);
              auto first = a.begin() + group.first, end = a.begin() + group.end;
              return (const std::int32_t[]){
                  std::any_of(first, end, [&](auto x) { return x > limit; }),
                  std::all_of(first, end, [&](auto x) { return x < limit; }),
                  3 * a[group.end - 1] + 31000, a[group.first] < limit}[k];
            },
            "votes");
      }
  });
}

/// Tests the sums of values and of squares over each group, which use shared memory.
static void testSums(const Build &build, const Grid &grid) {
  const auto a = smallValues<float>(grid.count());
  std::vector<float> out(a.size() * 2);
  build.run("sums", grid.config(), a, out);
  expectFields(
      out, 2,
      [&](std::size_t at, std::size_t k) {
        float sum = 0;
        for (std::size_t i = grid.group(at).first; i != grid.group(at).end; ++i)
          sum += k == 0 ? a[i] : a[i] * a[i];
        return sum;
      },
      "sums");
}

TEST(Groups, ShareMemoryAcrossBarriers) {
  forEachBuild({"groups.spl"}, everyOption(), [](const Build &build) {
    for (const Grid &grid : grids)
      testSums(build, grid);
  });
}

TEST(Groups, TakeTheDynamicMemoryOfTheLaunch) {
  forEachBuild({"groups.spl"}, extremeOptions(), [](const Build &build) {
    for (const Grid &grid : grids)
      for (std::int64_t rounds : {0, 1, 4, 9}) {
        const auto a = smallValues<std::int64_t>(grid.count());
        std::vector<std::int64_t> out(a.size() * 2), x = a, seen(a.size());
        build.run("rotate", grid.config(static_cast<std::int64_t>(grid.size() * 8)), a, rounds,
                  out);
        for (std::int64_t round = 0; round != std::min<std::int64_t>(rounds, 5); ++round) {
          const std::vector<std::int64_t> before = x;
          for (std::size_t at = 0; at != x.size(); ++at) {
            const std::size_t first = grid.group(at).first;
            x[at] = before[first + (at - first + round) % grid.size()];
            seen[at] += x[at] >= 0;
          }
        }
        expectFields(
            out, 2, [&](std::size_t at, std::size_t k) { return k == 0 ? x[at] : seen[at]; },
            "rotated");
      }
  });
}

TEST(Groups, KeepStructsArraysAndVectorsAcrossBarriers) {
  forEachBuild({"groups.spl"}, everyOption(), [](const Build &build) {
    for (const Grid &grid : grids) {
      const auto a = smallValues<std::int32_t>(grid.count());
      std::vector<double> out(a.size());
      build.run("structs", grid.config(), a, out);
      expectEach(
          out,
          [&](std::size_t at) {
            const Grid::Members group = grid.group(at);
            const int other = a[group.end - 1 - (at - group.first)];
            return 0.5 * a[at] + 0.5 * other + 2 * a[at] + a[group.first] + 2 * (a[at] + 1);
          },
          "structs");
    }
  });
}

TEST(Groups, MeetInUniformControlFlow) {
  forEachBuild({"groups.spl"}, extremeOptions(), [](const Build &build) {
    for (const Grid &grid : grids)
      for (std::int64_t n : {-1, 0, 6, 9})
        for (std::int32_t way : {0, 1, 2, 3}) {
          const auto a = smallValues<std::int32_t>(grid.count());
          std::vector<std::int32_t> out(a.size());
          build.run("ways", grid.config(), a, n, way, out);
          auto alone = [&](std::size_t at) {
            const Grid::Members group = grid.group(at);
            auto first = a.begin() + group.first, end = a.begin() + group.end;
            const std::size_t flat = at - group.first;
            std::int32_t x = 0;
            if (way == 0)
              return std::accumulate(first, end, 0);
            if (way == 1)
              return a[group.end - 1 - flat];
            if (way == 2)
              return *std::max_element(first, end);
            for (std::int64_t k = 0; k < n; k += 2) {
              if (std::any_of(first, end, [&](auto value) { return value % 7 == k; }))
                x += first[(flat + k) % group.count()];
              if (at / grid.size() == 1 && k > 3)
                break;
            }
            return x;
          };
          expectEach(
              out,
              [&](std::size_t at) {
                if (n < 0)
                  return -1;
                return at < grid.size() ? alone(at) + alone(0) : alone(at);
              },
              "ways");
        }
  });
}

// Tests a thousand work-items, each with a large saved context.
TEST(Groups, HoldManyWorkItems) {
  forEachBuild({"groups.spl"}, extremeOptions(),
               [](const Build &build) { testSums(build, Grid{{1024, 1, 1}, 2}); });
}

// Tests a thousand work-items, each with more than 2 KiB of saved context.
TEST(Groups, KeepMuch) {
  const Grid grid{{1000, 1, 1}, 2};
  forEachBuild({"groups.spl"}, extremeOptions(), [&](const Build &build) {
    const auto a = smallValues<std::int32_t>(grid.count());
    std::vector<double> out(a.size());
    build.run("hoard", grid.config(), a, out);
    expectEach(
        out,
        [&](std::size_t at) {
          auto from = [&](std::size_t i) { return a[grid.group(i).end - 1 - i % grid.size()]; };
          std::int32_t least = from(at);
          for (std::size_t i = grid.warp(at).first; i != grid.warp(at).end; ++i)
            least = std::min(least, from(i));
          return least + 150 + a[at] * (299 * 300 / 2) + 1000.0;
        },
        "hoard");
  });
}

// Tests arrays larger than a thread's stack: five of 64000 bytes for each of 32 lanes.
TEST(Groups, PileUp) {
  if (isOnDevice())
    GTEST_SKIP() << "large local arrays: CUDA reserves memory for all work-items that the device "
                    "holds at once";
  const Grid grid{{40, 1, 1}, 2};
  forEachBuild({"groups.spl"}, extremeOptions(), [&](const Build &build) {
    const auto a = smallValues<std::int32_t>(grid.count());
    std::vector<double> out(a.size());
    build.run("pile", grid.config(), a, out);
    expectEach(
        out,
        [&](std::size_t at) {
          std::int32_t all = 0;
          for (std::size_t i = grid.warp(at).first; i != grid.warp(at).end; ++i)
            all += a[i] + 100;
          return 20 + (all == a[at] + 100 ? 20 : 1.9375);
        },
        "pile");
  });
}
