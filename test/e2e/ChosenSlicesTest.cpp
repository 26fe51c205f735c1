// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests slices that each work-item selects for itself before a barrier or warp collective and uses
// after it.
#include "test/e2e/Groups.h"

#include <numeric>

using namespace spl;
using namespace spl::e2e;

namespace {

/// The array that a work-item selects, and the part of it.
struct Chosen {
  bool isFirst;
  std::size_t from, count;
};

Chosen larger(std::size_t k, std::size_t first, std::size_t second) {
  const std::size_t n = k % 2 * 2;
  return k % 3 == 0 ? Chosen{true, 0, first} : Chosen{false, n, second - 2 * n};
}

} // namespace

TEST(ChosenSlices, OutliveBarriers) {
  forEachBuild({"chosen.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t size : {1, 33, 96}) {
      std::vector<std::int32_t> a = smallValues<std::int32_t>(size + 9),
                                b = smallValues<std::int32_t>(size + 14, 5);
      const std::vector<std::int32_t> grid = smallValues<std::int32_t>(3 * 5),
                                      tall = smallValues<std::int32_t>(7 * 3, 8);
      std::vector<std::int32_t> first = a, second = b, out(size * 4);
      build.run("barriers", Grid{{std::int64_t(size), 1, 1}, 1}.config(), a, b,
                Shaped(grid, {3, 5}), Shaped(tall, {7, 3}), out);
      for (std::size_t k = 0; k != size; ++k) {
        const Chosen at = larger(k, first.size(), second.size());
        (at.isFirst ? first : second)[at.from + k + 4] = std::int32_t(k * 3 + at.count);
      }
      expectFields(
          out, 4,
          [&](std::size_t k, std::size_t field) {
            const bool isGrid = std::has_single_bit(k);
            const std::size_t seen =
                k % 2 == 0 ? first[k + 3] + first.size() : second[k + 4] + second.size() - 1;
            return (const std::int32_t[]){
                std::int32_t(seen), isGrid ? 305 : 703, isGrid ? grid[7] : tall[5],
                std::int32_t(k * 3 + larger(k, first.size(), second.size()).count)}[field];
          },
          "barriers");
      EXPECT_EQ(a, first);
      EXPECT_EQ(b, second);
    }
  });
}

TEST(ChosenSlices, OutliveOperationsOfTheWarp) {
  forEachBuild({"chosen.spl"}, everyOption(), [](const Build &build) {
    for (std::int64_t size : {1, 33, 96}) {
      const Grid grid{{size, 1, 1}, 1};
      std::vector<std::int32_t> a(grid.size() + 9), b(grid.size() + 14), out(grid.size() * 2);
      std::vector<std::int32_t> first = a, second = b;
      build.run("lanes", grid.config(), a, b, out);
      auto sumOver = [&](std::size_t k, bool all, auto &&value) {
        std::int32_t sum = 0;
        for (std::size_t i = grid.warp(k).first; i != grid.warp(k).end; ++i)
          sum += all || i % 5 != 2 ? std::int32_t(value(i)) : 0;
        return sum;
      };
      auto other = [&](std::size_t k) { return larger(k + 1, second.size(), first.size()); };
      auto before = [&](std::size_t k) {
        auto id = [](std::size_t i) { return i; };
        return sumOver(k, true, id) + (k % 5 != 2 ? sumOver(k, false, id) : 0);
      };
      for (std::size_t k = 0; k != grid.size(); ++k)
        if (k % 5 != 2)
          (other(k).isFirst ? second : first)[other(k).from + k + 4] = before(k);
      expectFields(
          out, 2,
          [&](std::size_t k, std::size_t field) {
            if (field == 1)
              return std::int32_t(larger(k, first.size(), second.size()).count);
            return before(k) + (k % 5 != 2 ? sumOver(k, false, [&](std::size_t i) {
                                  return other(i).count;
                                })
                               : 0);
          },
          "lanes");
      EXPECT_EQ(a, first);
      EXPECT_EQ(b, second);
    }
  });
}

TEST(ChosenSlices, MayBeOfAnArrayThatEachHas) {
  forEachBuild({"chosen.spl"}, everyOption(), [](const Build &build) {
    for (std::int64_t size : {1, 33, 96})
      for (std::int64_t n : {2, 3}) {
        const Grid grid{{size, 1, 1}, 1};
        std::vector<std::int32_t> out(grid.size() * 4);
        build.run("own", grid.config(), n, out);
        expectFields(
            out, 4,
            [&](std::size_t k, std::size_t field) {
              std::vector<std::int32_t> x = {1, 2, 3, 4, 5, 6, 7, 8}, y = {10, 20, 30, 40, 50, 60};
              std::vector<std::int32_t> &same = n % 2 == 0 ? x : y;
              same[2] += std::int32_t(k);
              same[1] += same[2];
              const Chosen at = larger(k, x.size(), y.size());
              std::int32_t &cell = (at.isFirst ? x : y)[at.from];
              for (std::size_t i = grid.warp(k).first; i != grid.warp(k).end; ++i)
                cell += std::int32_t(i);
              return (const std::int32_t[]){cell, std::int32_t(at.count),
                                            x[0] + x[1] * 2 + x[2] * 4,
                                            y[0] + y[1] * 2 + y[2] * 4 + y[3] * 8}[field];
            },
            "own");
      }
  });
}
