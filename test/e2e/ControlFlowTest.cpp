// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests branches and loops against the same control flow in C++.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

void forEachSize(const std::function<void(const Build &, std::size_t)> &test) {
  forEachBuild({"control-flow.spl"}, everyOption(), [&](const Build &build) {
    for (std::size_t n : build.sizes())
      test(build, n);
  });
}

std::vector<std::int32_t> smallNumbers(std::size_t n, int seed, int span) {
  std::vector<std::int32_t> values(n);
  for (std::size_t i = 0; i != n; ++i)
    values[i] = static_cast<int>((i * 7919 + static_cast<std::size_t>(seed)) % (2 * span)) - span;
  return values;
}

std::int64_t firstPair(const std::vector<std::int32_t> &a, std::int32_t wanted) {
  const auto n = static_cast<std::int64_t>(a.size());
  for (std::int64_t j = 0; j < n; ++j) {
    if (a[j] < 0)
      continue;
    for (std::int64_t k = j + 1; k < n; ++k) {
      if (a[k] < 0)
        continue;
      if (a[j] + a[k] > 2 * wanted)
        break;
      if (a[j] + a[k] == wanted)
        return j * 1000 + k;
    }
  }
  return -1;
}

std::int64_t countUntilReturn(std::int64_t n) {
  std::int64_t out = 0;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t k = j;;) {
      for (int m = 0; m < 3; ++m) {
        if (m == 1 && k % 5 == 4)
          return out;
        ++out;
      }
      ++k;
      if (k % 3 == 0)
        break;
      if (k % 7 == 0)
        continue;
      out += 100;
    }
  return out + 10000;
}

} // namespace

TEST(ControlFlow, IfElifElse) {
  forEachSize([](const Build &build, std::size_t n) {
    const auto a = smallNumbers(n, 5, 1500);
    std::vector<std::int32_t> out(n, 100);
    build.run("classify", {.global = {std::int64_t(n)}}, a, out);
    expectEach(
        out,
        [&](auto i) {
          const int x = a[i];
          return x < -1000   ? 1
                 : x < 0     ? (x % 2 == 0 ? 2 : 3)
                 : x == 0    ? 100
                 : x >= 1000 ? 5
                 : x > 500   ? 4
                             : 14;
        },
        "classified");
  });
}

TEST(ControlFlow, WhileWithBreakAndContinue) {
  forEachSize([](const Build &build, std::size_t n) {
    std::vector<std::uint32_t> a(n);
    for (std::size_t i = 0; i != n; ++i)
      a[i] = static_cast<std::uint32_t>(i * 2654435761u % 1000) + (i % 97 != 5);
    std::vector<std::int32_t> out(n);
    build.run("collatz", {.global = {std::int64_t(n)}}, a, 60, out);
    expectEach(
        out,
        [&](auto i) {
          int steps = 0;
          for (std::uint64_t x = a[i]; x != 1; ++steps) {
            if (x == 0)
              return -1;
            if (steps == 60)
              break;
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
          }
          return steps;
        },
        "steps");
  });
}

TEST(ControlFlow, ReturnOutOfNestedLoops) {
  forEachSize([](const Build &build, std::size_t n) {
    const auto a = smallNumbers(40, 3, 50);
    const auto wanted = smallNumbers(n, 11, 90);
    std::vector<std::int64_t> out(n, -7);
    build.run("find_pairs", {.global = {std::int64_t(n)}}, a, wanted, out);
    std::vector<std::int64_t> known(180);
    for (std::int32_t w = -90; w != 90; ++w)
      known[static_cast<std::size_t>(w + 90)] = firstPair(a, w);
    expectEach(
        out, [&](auto i) { return known[static_cast<std::size_t>(wanted[i] + 90)]; }, "pair");
  });
}

TEST(ControlFlow, ReturnFromFourLevels) {
  forEachSize([](const Build &build, std::size_t n) {
    std::vector<std::int64_t> counts(n), out(n);
    for (std::size_t i = 0; i != n; ++i)
      counts[i] = static_cast<std::int64_t>(i % 9) - 1;
    build.run("return_from_depth", {.global = {std::int64_t(n)}}, counts, out);
    expectEach(out, [&](auto i) { return countUntilReturn(counts[i]); }, "count");
  });
}

TEST(ControlFlow, RangesEvaluateTheirBoundsOnce) {
  forEachSize([](const Build &build, std::size_t n) {
    const auto from = smallNumbers(n, 1, 12), to = smallNumbers(n, 8, 17);
    std::vector<std::int64_t> out(n * 2);
    build.run("ranges", {.global = {std::int64_t(n)}}, from, to, out);
    expectFields(
        out, 2,
        [&](auto i, auto k) {
          const std::int64_t a = from[i], b = to[i];
          if (a >= b)
            return k == 0 ? 0 : b;
          return k == 0 ? b - a : (a + b - 1) * (b - a) / 2;
        },
        "range");
  });
}

TEST(ControlFlow, RangesAtTheEdgesOfTheirTypes) {
  forEachBuild({"control-flow.spl"}, everyOption(), [](const Build &build) {
    std::vector<std::int64_t> out(7);
    build.run("extreme_ranges", {.global = {1}}, out);
    EXPECT_EQ(
        out, (std::vector<std::int64_t>{250 + 251 + 252 + 253 + 254, 255, 2, 2, 0, 9000000003, 0}));
  });
}

TEST(ControlFlow, FlagsAndBreaks) {
  forEachSize([](const Build &build, std::size_t n) {
    std::vector<unsigned char> out(n, 2);
    build.run("primes", {.global = {std::int64_t(n)}}, std::int64_t(n), Bools{out});
    std::vector<unsigned char> sieve(n, 1); // computed by another algorithm
    for (std::size_t i = 0; i < n; ++i) {
      if (i < 2)
        sieve[i] = 0;
      for (std::size_t multiple = 2 * i; sieve[i] && multiple < n; multiple += i)
        sieve[multiple] = 0;
    }
    expectEach(out, [&](auto i) { return sieve[i]; }, "prime");
  });
}

TEST(ControlFlow, Shadowing) {
  forEachSize([](const Build &build, std::size_t n) {
    const auto a = smallNumbers(n, 5, 20);
    std::vector<std::int32_t> out(n, 1);
    build.run("shadows", {.global = {std::int64_t(n)}}, a, out);
    expectEach(
        out,
        [&](auto i) {
          const int x = a[i];
          const int y = x > 0 ? 3 * x : x - 3;
          const int before = x > 0 && 2 * x > 10 ? 7 + 2 * x : 1;
          return before + x * 1000 + y + 1;
        },
        "shadowed");
  });
}
