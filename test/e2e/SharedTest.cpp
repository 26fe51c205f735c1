// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests static and dynamic shared memory, fences, warp barriers and gpu.uniform.
#include "test/e2e/Groups.h"

#include <numeric>

using namespace spl;
using namespace spl::e2e;

namespace {

LaunchConfig oneGroup(std::int64_t size, std::int64_t sharedBytes = 0) {
  return Grid{{size, 1, 1}, 1}.config(sharedBytes);
}

} // namespace

TEST(Shared, HasOneToThreeAxes) {
  forEachBuild({"shared.spl"}, extremeOptions(), [](const Build &build) {
    const auto a = smallValues<std::int32_t>(30);
    std::vector<std::int32_t> out(32);
    build.run("ranks", oneGroup(7), a, out);
    expectEach(
        out,
        [&](std::size_t i) {
          if (i < 30)
            return 6 * a[29 - i];
          return i == 30 ? 2 * a[3 * 6 + 2] + 3 * a[29] + 3 * a[15 + 1] : 30 + 600 + 2000 + 300000;
        },
        "ranks");
  });
}

TEST(Shared, IsOneArrayForEachPlace) {
  forEachBuild({"shared.spl"}, extremeOptions(), [](const Build &build) {
    std::vector<std::int32_t> out(37);
    build.run("places", oneGroup(37), out);
    // The second call overwrites the array of the first.
    expectEach(
        out, [](std::size_t) { return 1 + 20 + 400 + 4000; }, "places");
  });
}

TEST(Shared, IsOneArrayForEachInstance) {
  forEachBuild({"shared.spl"}, extremeOptions({"instances[i16]", "instances[f32]"}),
               [](const Build &build) {
                 auto test = [&](auto zero, const char *kernel) {
                   using T = decltype(zero);
                   const auto a = smallValues<T>(37);
                   std::vector<std::int64_t> out(37);
                   build.run(kernel, oneGroup(37), a, out);
                   expectEach(
                       out,
                       [&](std::size_t i) {
                         const T x = static_cast<T>(a[i] * 2 + static_cast<T>(a[i] * 0.5));
                         return static_cast<std::int64_t>(a[36 - i]) +
                                100 * static_cast<std::int64_t>(x) + std::int64_t(i) * 1000;
                       },
                       kernel);
                 };
                 test(std::int16_t{}, "instances[i16]");
                 test(float{}, "instances[f32]");
               });
}

TEST(Shared, TakesTheBytesOfTheLaunch) {
  forEachBuild({"shared.spl"}, extremeOptions(), [](const Build &build) {
    const std::size_t n = 37;
    const auto a = smallValues<std::int32_t>(n);
    for (std::int64_t bytes : {160 + 8 * 37, 160 + 8 * 37 + 7, 1000}) {
      std::vector<std::int64_t> out(n * 4);
      build.run("dynamic", oneGroup(n, bytes), a, out);
      expectFields(
          out, 4,
          [&](std::size_t at, std::size_t k) -> std::int64_t {
            const std::int32_t other = a[n - 1 - at];
            return (const std::int64_t[]){other + (other & 255), 1001 * std::int64_t(other),
                                          bytes / 4 * 1000 + bytes, bytes / 8 * 1000 + 370 + 3}[k];
          },
          "dynamic");
    }
  });
}

TEST(Shared, EndsWhereTheLaunchSays) {
  forEachBuild(
      {"shared.spl"}, {{.optLevel = 0, .checks = "all"}, {.optLevel = 3, .checks = "all"}},
      [](const Build &build) {
        std::vector<std::int32_t> out(1);
        for (auto [n, from] : {std::pair{10, 0}, {9, 4}, {1, 36}, {0, 40}}) {
          if (n == 0)
            continue; // the first element does not exist
          build.run("beyond", oneGroup(1, 40), std::int64_t(n), std::int64_t(from), out);
          EXPECT_EQ(out[0], 5 + n);
        }
        for (auto [n, from] : {std::pair{11, 0}, {10, 4}, {1, 40}, {-1, 0}, {1, -4}, {1, 2}})
          EXPECT_THROW(
              build.run("beyond", oneGroup(1, 40), std::int64_t(n), std::int64_t(from), out), Error)
              << n << " from " << from;
      });
}

TEST(Shared, IsOrderedByBarriersOfTheWarp) {
  forEachBuild({"shared.spl"}, everyOption(), [](const Build &build) {
    for (std::int64_t size : {1, 31, 33, 96, 111}) {
      const Grid grid{{size, 1, 1}, 1};
      const auto a = smallValues<std::int32_t>(grid.count());
      std::vector<std::int32_t> out(a.size() * 2);
      build.run("warp_ordered", grid.config(), a, out);
      auto next = [&](std::size_t at) {
        const Grid::Members warp = grid.warp(at);
        return a[warp.first + (grid.lane(at) + 1) % warp.count()];
      };
      expectFields(
          out, 2,
          [&](std::size_t at, std::size_t k) {
            const Grid::Members warp = grid.warp(at);
            if (k == 0)
              return next(at);
            const std::size_t evens = (warp.count() + 1) / 2;
            return grid.lane(at) % 2 != 0
                       ? 0
                       : 2 * next(warp.first + (grid.lane(at) / 2 + 1) % evens * 2);
          },
          "handed on");
    }
  });
}

TEST(Shared, EveryWorkItemComesToBarriersOfTheWarpAndToFences) {
  forEachBuild({"shared.spl"}, extremeOptions(), [](const Build &build) {
    for (std::int64_t size : {32, 40, 160}) {
      const Grid grid{{size, 1, 1}, 100000 / size};
      const auto a = smallValues<std::int32_t>(grid.count());
      std::vector<std::int32_t> out(a.size(), -1);
      build.run("ungrouped", grid.config(), a, out);
      expectEach(
          out, [&](std::size_t i) { return (a[i] + 1) * 3; }, "warp_barrier");
      build.run("fenced", grid.config(), a, out);
      expectEach(
          out, [&](std::size_t i) { return (a[i] + std::int32_t(i)) * 5 - 7; }, "fence");
    }
  });
}

TEST(Shared, GroupsMeetByFencesAndAtomics) {
  forEachBuild({"shared.spl"}, everyOption(), [](const Build &build) {
    const Grid grid{{48, 1, 1}, 23};
    const auto a = smallValues<std::int32_t>(grid.count());
    std::vector<std::int32_t> parts(23, -1), out = {-1};
    std::vector<std::uint32_t> arrived = {0};
    build.run("last_group", grid.config(), a, parts, arrived, out);
    EXPECT_EQ(out[0], std::accumulate(a.begin(), a.end(), 0));
    EXPECT_EQ(arrived[0], 23u);
  });
}

TEST(Uniform, IsWhatTheProgrammerSays) {
  forEachBuild({"shared.spl"}, everyOption(), [](const Build &build) {
    for (std::int32_t rounds : {0, 1, 5})
      for (std::int32_t second : {-1, 1}) {
        const std::int32_t size = 45;
        std::vector<std::int32_t> a = {rounds, second}, out(size);
        build.run("uniformly", oneGroup(size), a, out);
        std::int32_t sum = second > 0;
        for (std::int32_t k = 0; k != rounds; ++k)
          sum += size * k + size * (size - 1) / 2;
        expectEach(
            out, [&](std::size_t) { return sum; }, "uniformly");
      }
  });
}

TEST(Clock, Advances) {
  forEachBuild({"shared.spl"}, extremeOptions(), [](const Build &build) {
    std::vector<std::int64_t> out = {-1, 0};
    build.run("clocks", oneGroup(1), out);
    EXPECT_GT(out[0], 0);
    double x = 1;
    for (int k = 0; k != 100; ++k)
      x = std::sqrt(x + k);
    EXPECT_EQ(out[1], static_cast<std::int64_t>(x * 1000));
  });
}
