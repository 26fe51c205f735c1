// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests ranges with steps and at the limits of types against 128-bit counting. Also tests loops
// over elements.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

using Wide = __int128;

/// Calls visit for each value of the range.
template <class T, class F> void walk(T lower, T upper, T step, bool isInclusive, F &&visit) {
  for (Wide i = lower;
       step > 0 ? (isInclusive ? i <= upper : i < upper) : (isInclusive ? i >= upper : i > upper);
       i += step) {
    if (i < std::numeric_limits<T>::min() || i > std::numeric_limits<T>::max() ||
        !visit(static_cast<std::uint64_t>(static_cast<T>(i))))
      break;
  }
}

/// As walk, from the last value to the first.
template <class T, class F> void walkBack(T lower, T upper, T step, bool isInclusive, F &&visit) {
  std::vector<std::uint64_t> values;
  walk(lower, upper, step, isInclusive, [&](std::uint64_t i) { return values.push_back(i), true; });
  for (std::size_t i = values.size(); i != 0 && visit(values[i - 1]); --i) {
  }
}

template <class T> struct Ranges {
  std::vector<T> lower, upper, step;
};

/// Ranges of few iterations at the limits of the type and around zero.
template <class T> Ranges<T> ranges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> bounds = {Limits::min(),
                           T(Limits::min() + 1),
                           T(Limits::min() + 9),
                           Limits::max(),
                           T(Limits::max() - 1),
                           T(Limits::max() - 20),
                           T(0),
                           T(1),
                           T(17),
                           T(100)};
  std::vector<T> steps = {T(1),          T(2),  T(7),  Limits::max(),       T(Limits::max() / 2),
                          Limits::min(), T(-1), T(-3), T(Limits::min() / 2)};
  Ranges<T> result;
  for (T lower : bounds)
    for (T upper : bounds)
      for (T step : steps) {
        if (step == 0)
          continue;
        const Wide distance = step > 0 ? Wide(upper) - lower : Wide(lower) - upper;
        if (distance / (step > 0 ? Wide(step) : -Wide(step)) > 1000)
          continue;
        result.lower.push_back(lower);
        result.upper.push_back(upper);
        result.step.push_back(step);
      }
  return result;
}

TEST(Ranges, GoThroughTheirValues) {
  forEachInteger([](auto zero, const char *name) {
    using T = decltype(zero);
    const Ranges<T> all = ranges<T>();
    const std::size_t n = all.lower.size();
    ASSERT_GT(n, 100u);
    forEachBuild({"ranges.spl", {{"i32", name}}}, extremeOptions(), [&](const Build &build) {
      std::vector<std::uint64_t> out(n);
      build.run("by_step", {.global = {std::int64_t(n)}}, all.lower, all.upper, all.step, out);
      expectEach(
          out,
          [&](std::size_t k) {
            std::uint64_t folded = 1;
            walk(all.lower[k], all.upper[k], all.step[k], false,
                 [&](std::uint64_t i) { return folded = folded * 31 + i, true; });
            return folded;
          },
          name);
      build.run("backwards", {.global = {std::int64_t(n)}}, all.lower, all.upper, all.step, out);
      expectEach(
          out,
          [&](std::size_t k) {
            std::uint64_t folded = 1;
            walkBack(all.lower[k], all.upper[k], all.step[k], false,
                     [&](std::uint64_t i) { return folded = folded * 31 + i, true; });
            walkBack(all.lower[k], all.upper[k], all.step[k], true, [&](std::uint64_t i) {
              folded = folded * 31 + i;
              return folded % 16 != 9;
            });
            return folded;
          },
          name);
      build.run("by_step_inclusive", {.global = {std::int64_t(n)}}, all.lower, all.upper, all.step,
                out);
      expectEach(
          out,
          [&](std::size_t k) {
            std::uint64_t folded = 1;
            walk(all.lower[k], all.upper[k], all.step[k], true, [&](std::uint64_t i) {
              folded = folded * 31 + i;
              if (folded % 5 != 3)
                folded += 7;
              return true;
            });
            return folded;
          },
          name);
    });
  });
}

TEST(Ranges, OfConstantSteps) {
  forEachInteger([](auto zero, const char *name) {
    using T = decltype(zero);
    Ranges<T> all;
    const Ranges<T> every = ranges<T>();
    for (std::size_t k = 0; k != every.lower.size(); ++k)
      if (every.step[k] == 1) { // few iterations by 1 are few by a larger step
        all.lower.push_back(every.lower[k]);
        all.upper.push_back(every.upper[k]);
      }
    const std::size_t n = all.lower.size();
    ASSERT_GT(n, 10u);
    for (const T step : {T(3), std::numeric_limits<T>::max()}) {
      const Source source{"ranges.spl",
                          {{"i32", name}, {"step 3", "step " + std::to_string(step)}}};
      forEachBuild(source, extremeOptions(), [&](const Build &build) {
        std::vector<std::uint64_t> out(n);
        build.run("by_three", {.global = {std::int64_t(n)}}, all.lower, all.upper, out);
        expectEach(
            out,
            [&](std::size_t k) {
              std::uint64_t folded = 1;
              auto fold = [&](std::uint64_t i) { return folded = folded * 31 + i, true; };
              walk(all.lower[k], all.upper[k], step, false, fold);
              walk(all.lower[k], all.upper[k], step, true, fold);
              walk(all.lower[k], all.upper[k], step, false,
                   [&](std::uint64_t i) { return folded % 16 != 9 && fold(i); });
              walk(all.lower[k], all.upper[k], T(1), true, fold);
              return folded;
            },
            name);
        build.run("backwards_by_three", {.global = {std::int64_t(n)}}, all.lower, all.upper, out);
        expectEach(
            out,
            [&](std::size_t k) {
              std::uint64_t folded = 1;
              auto fold = [&](std::uint64_t i) { return folded = folded * 31 + i, true; };
              walkBack(all.lower[k], all.upper[k], step, false, fold);
              walkBack(all.lower[k], all.upper[k], step, true,
                       [&](std::uint64_t i) { return folded % 16 == 9 || fold(i); });
              walkBack(all.lower[k], all.upper[k], T(1), false, fold);
              walkBack(all.lower[k], all.upper[k], T(1), true, fold);
              walkBack(T(2), T(5), T(1), true, fold);
              return folded;
            },
            name);
      });
    }
  });
}

TEST(Ranges, StrideTheGrid) {
  forEachBuild({"ranges.spl"}, extremeOptions(), [](const Build &build) {
    for (std::int64_t n : {0, 1, 63, 64, 65, 1000}) {
      std::vector<std::int64_t> out(1000);
      build.run("grid", {.global = {64}, .local = {32}}, n, out);
      expectEach(
          out, [&](std::size_t i) { return std::int64_t(i) < n ? std::int64_t(i) % 64 + 1 : 0; },
          "grid");
    }
  });
}

TEST(Ranges, GoOverElements) {
  forEachBuild({"ranges.spl"}, extremeOptions(), [](const Build &build) {
    std::vector<std::int32_t> a = {3, -1, 4, 1, 5, 9, 2}, b = {9, 9, 9, 9, 9, 9, 9};
    std::vector<std::int64_t> out(3);
    build.run("elements", {.global = {1}, .local = {1}}, a, b, out);
    std::int64_t first = 0, whole = 0, eight = 0;
    for (int k = 0; k != 4; ++k)
      first = first * 3 + a[k];
    for (std::int32_t x : a)
      whole = whole * 3 + x;
    for (int k = 0; k != 8; ++k)
      eight = eight * 3 + k;
    expectEach(
        out, [&](std::size_t k) { return k == 0   ? first
                                         : k == 1 ? whole
                                                  : eight; }, "elements");
  });
}

} // namespace
