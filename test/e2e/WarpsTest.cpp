// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests warp collectives on values of every type, for all lanes and for some, against loops over
// the members of the warp.
#include "test/e2e/Groups.h"

#include <algorithm>

using namespace spl::e2e;

namespace {

using Holds = std::function<bool(std::size_t)>;

std::vector<std::size_t> members(const Grid &grid, std::size_t at, const Holds &holds) {
  std::vector<std::size_t> found;
  for (std::size_t i = grid.warp(at).first; i != grid.warp(at).end; ++i)
    if (holds(i))
      found.push_back(i);
  return found;
}

std::uint32_t maskOf(const Grid &grid, std::size_t at, const Holds &holds) {
  std::uint32_t mask = 0;
  for (std::size_t i : members(grid, at, holds))
    mask |= 1u << grid.lane(i);
  return mask;
}

/// Compares results that are specified. An empty optional means an unspecified one.
template <class T, class F>
void expectKnown(const std::vector<T> &actual, std::size_t width, F &&field, const char *what) {
  expectFields(
      actual, width,
      [&](std::size_t at, std::size_t k) {
        const std::optional<T> known = field(at, k);
        return known ? *known : actual[at * width + k];
      },
      what);
}

const std::int64_t distances[] = {0, 1, 3, 5, 16, 31, 32, 33, 40, 64 + 7, 128, 255};

template <class T> void checkReductions(const Build &build, const std::string &type) {
  for (const Grid &grid : grids) {
    const auto a = smallValues<T>(grid.count());
    std::vector<T> out(a.size() * 10);
    build.run("reductions[" + type + "]", grid.config(), a, out);
    auto expected = [&](std::size_t at, std::size_t k) -> T {
      const auto lanes = members(
          grid, at, [&](std::size_t i) { return k < 5 || (a[i] > T(7)) == (a[at] > T(7)); });
      T total = 0, to = 0, least = a[at], most = a[at];
      for (std::size_t i : lanes) {
        total = static_cast<T>(total + a[i]);
        if (i <= at)
          to = total;
        least = std::min(least, a[i]), most = std::max(most, a[i]);
      }
      return (const T[]){total, least, most, to, static_cast<T>(to - a[at])}[k % 5];
    };
    expectFields(out, 10, expected, type.c_str());
  }
}

template <class T>
T combined(const std::vector<T> &a, const std::vector<std::size_t> &lanes, std::size_t which) {
  T result = which == 0 ? static_cast<T>(~T(0)) : T(0);
  for (std::size_t i : lanes)
    result = static_cast<T>(which == 0   ? result & a[i]
                            : which == 1 ? result | a[i]
                                         : result ^ a[i]);
  return result;
}

template <class T> void checkBits(const Build &build, const std::string &type) {
  for (const Grid &grid : grids) {
    auto a = smallValues<T>(grid.count());
    for (std::size_t i = 0; i != a.size(); ++i)
      a[i] = static_cast<T>(static_cast<std::uint64_t>(a[i]) * 37 ^ i * 11 % 64
                                                                        << (8 * sizeof(T) - 7));
    std::vector<T> out(a.size() * 6);
    build.run("bits[" + type + "]", grid.config(), a, out);
    auto expected = [&](std::size_t at, std::size_t k) -> T {
      if (k < 3)
        return combined(a, members(grid, at, [](std::size_t) { return true; }), k);
      const T last = static_cast<T>(a[at] % 5 - 1); // the round in which the lane is last active
      if (a[at] % 5 <= 0)
        return 0;
      std::vector<T> values = a;
      for (T &each : values)
        each = static_cast<T>(each ^ last);
      return combined(values, members(grid, at, [&](std::size_t i) { return a[i] % 5 > last; }),
                      k - 3);
    };
    expectFields(out, 6, expected, type.c_str());
  }
}

/// Checks a kernel that shuffles in segments of so many lanes.
template <class T>
void checkShuffles(const Build &build, const std::string &kernel, std::size_t width) {
  for (const Grid &grid : grids) {
    const auto a = smallValues<T>(grid.count());
    std::vector<std::int64_t> by(a.size());
    for (std::size_t i = 0; i != by.size(); ++i)
      by[i] = distances[(i * 5 + 2) % std::size(distances)];
    std::vector<T> out(a.size() * 6);
    build.run(kernel, grid.config(), a, by, out);
    auto expected = [&](std::size_t at, std::size_t k) -> std::optional<T> {
      const std::size_t lane = grid.lane(at) % width, distance = static_cast<std::size_t>(by[at]);
      auto takesPart = [&](std::size_t i) { return k < 4 || a[i] > T(7); };
      auto of = [&](std::size_t source) -> std::optional<T> {
        const std::size_t i = at - lane + source;
        return i < grid.group(at).end && takesPart(i) ? std::optional(a[i]) : std::nullopt;
      };
      if (!takesPart(at))
        return a[at];
      switch (k) {
      case 0:
      case 4:
        return of(distance % width);
      case 1:
        return of(distance <= lane ? lane - distance : lane);
      case 2:
        return of(lane + distance < width ? lane + distance : lane);
      case 3:
        return of((lane ^ static_cast<std::size_t>(by[0])) % width);
      default:
        return of(lane >= 1 ? lane - 1 : lane);
      }
    };
    expectKnown(out, 6, expected, kernel.c_str());
  }
}

/// The members of the segment of so many lanes.
std::vector<std::size_t> inSegment(const Grid &grid, std::size_t at, std::size_t width,
                                   const Holds &holds) {
  return members(grid, at, [&](std::size_t i) {
    return grid.lane(i) / width == grid.lane(at) / width && holds(i);
  });
}

template <class T>
void checkSegments(const Build &build, const std::string &type, std::size_t width) {
  for (const Grid &grid : grids) {
    const auto a = smallValues<T>(grid.count());
    std::vector<T> out(a.size() * 10);
    build.run("segments[" + type + "," + std::to_string(width) + "]", grid.config(), a, out);
    auto expected = [&](std::size_t at, std::size_t k) -> T {
      T last = 0; // the round in which the lane is last active
      while (k >= 5 && a[at] > T(10 * (last + 1)))
        last = static_cast<T>(last + 1);
      if (k >= 5 && !(a[at] > T(0)))
        return 0;
      const auto lanes =
          inSegment(grid, at, width, [&](std::size_t i) { return k < 5 || a[i] > T(10 * last); });
      T total = 0, to = 0, least = a[at], most = a[at];
      for (std::size_t i : lanes) {
        total = static_cast<T>(total + a[i] - last);
        if (i <= at)
          to = total;
        least = std::min(least, a[i]), most = std::max(most, a[i]);
      }
      return (const T[]){total, static_cast<T>(least - last), static_cast<T>(most - last), to,
                         static_cast<T>(to - a[at] + last)}[k % 5];
    };
    expectFields(out, 10, expected, type.c_str());
  }
}

void checkBitsOfSegments(const Build &build, std::size_t width) {
  for (const Grid &grid : grids) {
    const auto a = smallValues<std::int32_t>(grid.count());
    std::vector<std::int32_t> out(a.size() * 3);
    build.run("bits_of_segment[" + std::to_string(width) + "]", grid.config(), a, out);
    auto takesPart = [&](std::size_t i) { return a[i] % 3 != 0; };
    expectFields(
        out, 3,
        [&](std::size_t at, std::size_t k) {
          return takesPart(at) ? combined(a, inSegment(grid, at, width, takesPart), k) : 0;
        },
        "bits");
  }
}

const std::size_t widths[] = {2, 4, 8, 16, 32};

template <class T> void checkMatches(const Build &build, const std::string &type) {
  for (const Grid &grid : grids) {
    auto a = smallValues<T>(grid.count());
    for (T &each : a)
      each = static_cast<T>(static_cast<int>(each) % 4);
    std::vector<std::uint32_t> out(a.size() * 2);
    build.run("matches[" + type + "]", grid.config(), a, out);
    auto expected = [&](std::size_t at, std::size_t k) {
      auto isThere = [&](std::size_t i) { return k == 0 || grid.lane(i) % 5 > 1; };
      if (!isThere(at))
        return 0u;
      return maskOf(grid, at, [&](std::size_t i) { return isThere(i) && a[i] == a[at]; });
    };
    expectFields(out, 2, expected, type.c_str());
  }
}

template <class T> void checkVectors(const Build &build, const std::string &type, std::size_t n) {
  const std::string kernel =
      "vectors[" + type + "x" + std::to_string(n) + "," + type + "," + std::to_string(n) + "]";
  for (const Grid &grid : {Grid{{33, 1, 1}}, Grid{{5, 7, 3}}}) {
    const auto a = smallValues<T>(grid.count() * n);
    std::vector<T> out(a.size() * 4);
    build.run(kernel, grid.config(), a, out);
    auto expected = [&](std::size_t element, std::size_t) -> T {
      const std::size_t at = element / (4 * n), k = element / n % 4, part = element % n;
      const std::size_t lane = grid.lane(at), first = grid.warp(at).first;
      auto of = [&](std::size_t i) { return a[i * n + part]; };
      if (k == 0)
        return of(first + lane / 2);
      if (k == 1)
        return of(lane < 3 ? at : at - 3);
      if (lane % 3 == 1)
        return of(at);
      T sum = 0, most = of(at);
      for (std::size_t i : members(grid, at, [&](std::size_t i) { return grid.lane(i) % 3 != 1; }))
        sum = static_cast<T>(sum + of(i)), most = std::max(most, of(i));
      return k == 2 ? sum : most;
    };
    expectFields(out, 1, expected, kernel.c_str());
  }
}

template <class F> void forEachNumber(F &&f) {
  forEachInteger(f);
  forEachFloat(f);
}

/// Calls f for every vector type of the language of at most 16 bytes.
template <class F> void forEachVector(F &&f) {
  forEachNumber([&](auto zero, const char *type) {
    for (std::size_t n = 2; n * sizeof zero <= 16; n *= 2)
      f(zero, type, n);
  });
}

std::vector<spl::jit::Options> forNumbers(const std::string &kernel) {
  std::vector<std::string> instances;
  forEachNumber([&](auto, std::string type) { instances.push_back(kernel + "[" + type + "]"); });
  return extremeOptions(instances);
}

} // namespace

TEST(Warps, AreConsecutiveRunsOfTheGroup) {
  forEachBuild({"warps.spl"}, extremeOptions(), [](const Build &build) {
    for (const Grid &grid : grids) {
      std::vector<std::int64_t> out(grid.count() * 3);
      build.run("ids", grid.config(), out);
      expectFields(
          out, 3,
          [&](std::size_t at, std::size_t k) {
            const std::size_t flat = at % grid.size();
            return (const std::size_t[]){flat % 32, flat / 32, 32}[k];
          },
          "ids");
    }
  });
}

TEST(Warps, Vote) {
  forEachBuild({"warps.spl"}, everyOption(), [](const Build &build) {
    for (const Grid &grid : grids)
      for (std::int32_t limit : {-60, -13, 40, 60}) {
        const auto a = smallValues<std::int32_t>(grid.count());
        std::vector<std::uint32_t> out(a.size() * 6);
        build.run("votes", grid.config(), a, limit, out);
        expectFields(
            out, 6,
            [&](std::size_t at, std::size_t k) {
              auto isThere = [&](std::size_t i) {
                return k < 3 || (a[i] % 3 == 0) == (a[at] % 3 == 0);
              };
              const std::uint32_t all = maskOf(grid, at, isThere);
              const std::uint32_t above =
                  maskOf(grid, at, [&](std::size_t i) { return isThere(i) && a[i] > limit; });
              const std::uint32_t below =
                  maskOf(grid, at, [&](std::size_t i) { return isThere(i) && a[i] < limit; });
              return (const std::uint32_t[]){above, (above != 0) + 2u * (below == all), all}[k % 3];
            },
            "votes");
      }
  });
}

TEST(Warps, MatchValuesOfEveryType) {
  forEachBuild({"warps.spl"}, forNumbers("matches"), [](const Build &build) {
    forEachNumber([&](auto zero, const char *type) { checkMatches<decltype(zero)>(build, type); });
  });
}

TEST(Warps, ReduceAndScanEveryType) {
  forEachBuild({"warps.spl"}, forNumbers("reductions"), [](const Build &build) {
    forEachNumber(
        [&](auto zero, const char *type) { checkReductions<decltype(zero)>(build, type); });
  });
}

TEST(Warps, CombineBitsOfEveryType) {
  std::vector<std::string> instances;
  forEachInteger([&](auto, std::string type) { instances.push_back("bits[" + type + "]"); });
  forEachBuild({"warps.spl"}, extremeOptions(instances), [](const Build &build) {
    forEachInteger([&](auto zero, const char *type) { checkBits<decltype(zero)>(build, type); });
  });
}

TEST(Warps, HaveSegments) {
  std::vector<std::string> instances;
  for (std::size_t width : widths) {
    const std::string w = std::to_string(width);
    for (const std::string type : {"i32", "u8", "f32", "f64"})
      instances.insert(instances.end(), {"segments[" + type + "," + w + "]",
                                         "shuffles_in_segments[" + type + "," + w + "]"});
    instances.push_back("bits_of_segment[" + w + "]");
  }
  forEachBuild({"warps.spl"}, extremeOptions(instances), [](const Build &build) {
    for (std::size_t width : widths) {
      auto shuffles = [&](const std::string &type) {
        return "shuffles_in_segments[" + type + "," + std::to_string(width) + "]";
      };
      checkSegments<std::int32_t>(build, "i32", width);
      checkSegments<std::uint8_t>(build, "u8", width);
      checkSegments<float>(build, "f32", width);
      checkSegments<double>(build, "f64", width);
      checkShuffles<std::int32_t>(build, shuffles("i32"), width);
      checkShuffles<std::uint8_t>(build, shuffles("u8"), width);
      checkShuffles<float>(build, shuffles("f32"), width);
      checkShuffles<double>(build, shuffles("f64"), width);
      checkBitsOfSegments(build, width);
    }
  });
}

TEST(Warps, ReduceSpecialFloats) {
  forEachBuild({"warps.spl"}, forNumbers("reductions"), [](const Build &build) {
    const Grid grid{{48, 1, 1}, 1};
    std::vector<float> a(grid.count(), 3.0F), out(a.size() * 10);
    a[5] = std::numeric_limits<float>::quiet_NaN();
    a[9] = std::numeric_limits<float>::infinity();
    for (std::size_t i = 32; i != a.size(); ++i)
      a[i] = i == 40 ? -0.0F : 0.0F;
    build.run("reductions[f32]", grid.config(), a, out);
    for (std::size_t at = 0; at != a.size(); ++at) {
      const float least = out[at * 10 + 1], most = out[at * 10 + 2];
      EXPECT_EQ(least, at < 32 ? 3.0F : 0.0F) << at;
      EXPECT_EQ(std::signbit(least), at >= 32) << at;
      EXPECT_EQ(most, at < 32 ? a[9] : 0.0F) << at;
      EXPECT_FALSE(std::signbit(most)) << at;
      EXPECT_EQ(std::isnan(out[at * 10]), at < 32) << at;
      EXPECT_EQ(std::isnan(out[at * 10 + 3]), at >= 5 && at < 32) << at;
      EXPECT_EQ(std::isnan(out[at * 10 + 4]), at > 5 && at < 32) << at;
    }
  });
}

TEST(Warps, ShuffleEveryType) {
  forEachBuild({"warps.spl"}, forNumbers("shuffles"), [](const Build &build) {
    forEachNumber([&](auto zero, const char *type) {
      checkShuffles<decltype(zero)>(build, "shuffles[" + std::string(type) + "]", 32);
    });
  });
}

TEST(Warps, ShuffleAndMatchBools) {
  forEachBuild({"warps.spl"}, extremeOptions(), [](const Build &build) {
    for (const Grid &grid : grids) {
      const auto a = smallValues<std::int32_t>(grid.count());
      std::vector<std::int64_t> by(a.size());
      for (std::size_t i = 0; i != by.size(); ++i)
        by[i] = static_cast<std::int64_t>(grid.lane(i) * 7 % (grid.warp(i).count())) - 32;
      std::vector<std::int32_t> out(a.size() * 2);
      build.run("bools", grid.config(), a, by, out);
      expectFields(
          out, 2,
          [&](std::size_t at, std::size_t k) {
            const auto from = grid.warp(at).first + static_cast<std::size_t>(by[at] + 32);
            auto isSame = [&](std::size_t i) { return a[i] % 2 == 0 == (a[at] % 2 == 0); };
            return k == 0 ? a[from] % 2 != 0 : static_cast<std::int32_t>(maskOf(grid, at, isSame));
          },
          "bools");
    }
  });
}

TEST(Warps, TakeVectorsOfEveryType) {
  std::vector<std::string> instances;
  forEachVector([&](auto, std::string type, std::size_t n) {
    const std::string lanes = std::to_string(n);
    instances.push_back("vectors[" + type + "x" + lanes + "," + type + "," + lanes + "]");
  });
  forEachBuild({"warps.spl"}, extremeOptions(instances), [](const Build &build) {
    forEachVector([&](auto zero, const char *type, std::size_t n) {
      checkVectors<decltype(zero)>(build, type, n);
    });
  });
}
