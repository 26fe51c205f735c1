// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests atomics against sequential loops, for every type, order and scope. Also tests wide and
// hinted accesses.
#include "test/e2e/Harness.h"
#include <algorithm>
#include <numeric>

using namespace spl::e2e;

namespace {

const spl::LaunchConfig over(std::size_t n) {
  return {.global = {static_cast<std::int64_t>(n)}, .local = {96}};
}

/// Runs kernels in global memory, or in shared memory with one group.
template <class T>
void checkIntegers(const Build &build, const std::string &kernel, std::size_t n, bool isOneGroup) {
  const auto v = inputs<T>(n, 7);
  std::vector<T> r(10), swapped(n);
  std::iota(r.begin(), r.end(), T(3));
  const std::vector<T> before = r;
  build.run(kernel, isOneGroup ? over(96) : over(n), v, r, swapped);
  using U = std::make_unsigned_t<T>;
  U sum = 0, all = U(before[4]), any = U(before[5]), odd = U(before[6]);
  T least = before[2], most = before[3];
  for (T x : v) {
    sum += U(x), all &= U(x), any |= U(x), odd ^= U(x);
    least = std::min(least, x), most = std::max(most, x);
  }
  const std::vector<T> expected = {T(U(before[0]) + sum),
                                   T(U(before[1]) - sum),
                                   least,
                                   most,
                                   T(all),
                                   T(any),
                                   T(odd),
                                   r[7],
                                   T(U(before[8]) + sum),
                                   T(77)};
  EXPECT_EQ(r, expected) << kernel;
  // The initial values and the stored values together are the loaded values and the final values.
  std::vector<T> in = v, out = swapped;
  in.push_back(before[7]), out.push_back(r[7]);
  std::sort(in.begin(), in.end()), std::sort(out.begin(), out.end());
  EXPECT_EQ(in, out) << kernel;
}

template <class F> void forEachAtomicInteger(F &&f) {
  f(std::int8_t{}, "[i8]"), f(std::uint8_t{}, "[u8]");
  f(std::int16_t{}, "[i16]"), f(std::uint16_t{}, "[u16]");
  f(std::int32_t{}, "[i32]"), f(std::uint32_t{}, "[u32]");
  f(std::int64_t{}, "[i64]"), f(std::uint64_t{}, "[u64]");
}

void checkFields(const Build &build) {
  std::vector<std::int32_t> v(1025);
  for (std::size_t i = 0; i != v.size(); ++i)
    v[i] = static_cast<std::int32_t>(i * 7919 % 1013) - 300;
  std::vector<double> out(20), expected(20);
  std::uint64_t total = 5;
  for (std::size_t k : {0, 1}) {
    double *board = &expected[k * 10];
    board[0] = 7, board[1] = 9, board[2] = 1, board[3] = -1e9;
    std::fill(board + 4, board + 9, 3);
    for (std::size_t i = k; i < v.size(); i += 2) {
      board[2] += v[i];
      board[3] = std::max(board[3], v[i] / 2.0);
      board[4 + i % 5] += 1;
    }
  }
  for (std::size_t i = 0; i != v.size(); ++i)
    total ^= std::uint64_t(i) << 33;
  expected[9] = 5, expected[19] = static_cast<double>(total);
  build.run("fields", over(96), v, out);
  EXPECT_EQ(out, expected);
}

/// Tests elements in both memories for every type, and fields.
void checkEverywhere(const Source &source, bool isOneGroup) {
  std::vector<std::string> instances;
  forEachAtomicInteger([&](auto, const std::string &type) {
    instances.push_back("integers" + type), instances.push_back("shared_integers" + type);
  });
  forEachBuild(source, extremeOptions(instances), [&](const Build &build) {
    forEachAtomicInteger([&](auto zero, const std::string &type) {
      const std::size_t n = isOneGroup ? 95 : 1025;
      checkIntegers<decltype(zero)>(build, "integers" + type, n, isOneGroup);
      checkIntegers<decltype(zero)>(build, "shared_integers" + type, 1025, /*isOneGroup=*/true);
    });
    checkFields(build);
  });
}

template <class T> void checkFloats(const Source &source) {
  forEachBuild(source, extremeOptions(), [&](const Build &build) {
    const std::size_t n = 1025;
    std::vector<T> v(n), r = {T(0.5), T(3), T(-3), T(-0.5)};
    T sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      v[i] = T(static_cast<int>(i * 7919 % 513) - 256);
      if (i % 17 == 3)
        v[i] = std::numeric_limits<T>::quiet_NaN();
      else
        sum += v[i];
    }
    build.run("floats", over(n), v, r);
    EXPECT_EQ(r, (std::vector<T>{T(0.5) + sum, -256, 256, T(-0.5) - sum}));
  });
}

} // namespace

TEST(Atomics, UpdateIntegersOfEveryType) { checkEverywhere({"atomics.spl"}, false); }

TEST(Atomics, UpdateInEveryOrderAndScope) {
  for (const std::string order : {"relaxed", "acquire", "release", "acq_rel"})
    for (const std::string scope : {"device", "system", "group"})
      if (order != "relaxed" || scope != "device")
        checkEverywhere(
            {"atomics.spl",
             {{"order: relaxed", "order: " + order}, {"scope: device", "scope: " + scope}}},
            /*isOneGroup=*/scope == "group");
}

template <class T> static void testCounters(const char *type, const std::string &order) {
  const Source source{"counters.spl", {{"u32", type}, {"order: relaxed", "order: " + order}}};
  forEachBuild(source, extremeOptions(), [&](const Build &build) {
    const std::size_t n = 1025;
    // Neighbours in one word, with different limits. The last one begins above its limit.
    const std::vector<T> limits = {0, 1, 6, 100, T(-1), 50};
    std::vector<T> up = {0, 0, 3, 99, T(-3), 200}, down = up, ups = up, downs = up;
    std::vector<std::int32_t> seen(256);
    build.run("count", over(n), limits, up, down, seen);
    for (std::size_t k = 0; k != limits.size(); ++k)
      for (std::size_t i = 0; i != n; ++i) {
        ups[k] = T(ups[k] >= limits[k] ? 0 : ups[k] + 1);
        downs[k] = T(downs[k] == 0 || downs[k] > limits[k] ? limits[k] : downs[k] - 1);
      }
    EXPECT_EQ(up, ups) << type;
    EXPECT_EQ(down, downs) << type;
    // Counter 3 goes through 99, 100, 0, 1, ..., each old value as often as in the loop.
    for (std::size_t x = 0; x != seen.size(); ++x) {
      std::int32_t expected = 0;
      for (std::size_t i = 0; i != n; ++i)
        expected += (i + 99) % 101 == x;
      EXPECT_EQ(seen[x], expected) << x;
    }
  });
}

TEST(Atomics, CountToALimit) {
  for (const std::string order : {"relaxed", "acq_rel"}) {
    testCounters<std::uint8_t>("u8", order);
    testCounters<std::uint16_t>("u16", order);
    testCounters<std::uint32_t>("u32", order);
    testCounters<std::uint64_t>("u64", order);
  }
}

TEST(Atomics, MoveValuesOfEveryType) {
  forEachBuild({"counters.spl"}, extremeOptions(), [](const Build &build) {
    const std::vector<float> x = {1.5f, -0.0f, 0.25f, -3.0f, 100.0f, 0.0f};
    std::vector<float> out(30);
    build.run("moves", {.global = {6}, .local = {6}}, x, out);
    expectFields(
        out, 5,
        [&](std::size_t i, std::size_t k) {
          const float known[] = {x[i], x[i] * 2, x[i] > 0 ? 1.0f : 0.0f, x[i] + float(i), x[i]};
          return known[k];
        },
        "moves");
  });
}

TEST(Atomics, HandOutEachNumberOnce) {
  forEachBuild({"atomics.spl"}, extremeOptions(), [](const Build &build) {
    std::vector<std::uint32_t> counter = {5}, out(1025);
    build.run("tickets", over(out.size()), counter, out);
    std::sort(out.begin(), out.end());
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], 5 + i);
    EXPECT_EQ(counter[0], 5 + out.size());
  });
}

TEST(Atomics, UpdateFloatsPastNaN) {
  checkFloats<float>({"atomics.spl"});
  checkFloats<double>({"atomics.spl", {{"v: &[f32], r: &mut [f32]", "v: &[f64], r: &mut [f64]"}}});
  checkFloats<float>({"atomics.spl", {{"order: relaxed", "order: acq_rel"}}});
}

TEST(Atomics, CompareBitsAndKnowTheZerosApart) {
  forEachBuild({"atomics.spl"}, extremeOptions(), [](const Build &build) {
    std::vector<float> r = {-0.0f, 0.0f, -0.0f}, out(4);
    build.run("bits", {.global = {1}, .local = {1}}, r, out);
    EXPECT_TRUE(std::signbit(out[0]) && std::signbit(out[1]));
    EXPECT_EQ(r[0], 2.0f);
    EXPECT_TRUE(std::signbit(r[1])) << "the least of 0 and -0";
    EXPECT_FALSE(std::signbit(r[2])) << "the greatest of -0 and 0";
    EXPECT_FALSE(std::signbit(out[2]));
    EXPECT_TRUE(std::signbit(out[3]));
  });
}

TEST(Accesses, WideOnesTakeTheElementsOfTheSlice) {
  forEachBuild({"atomics.spl"}, extremeOptions(), [](const Build &build) {
    const auto a = inputs<float>(64, 9);
    std::vector<float> out(16, 1.0f), expected = out;
    for (int k = 0; k < 4; ++k)
      expected[8 + k] = a[12 + 8 + k] * 2.0f;
    build.run("wide", {.global = {1}, .local = {1}}, a, out, std::int64_t(12), std::int64_t(28),
              std::int64_t(8));
    EXPECT_EQ(out, expected);
  });
}

TEST(Accesses, HintsChangeNoResult) {
  auto forEachType = [](auto &&f) {
    forEachInteger(f);
    forEachFloat(f);
  };
  std::vector<std::string> instances;
  forEachType([&](auto, std::string type) { instances.push_back("hinted[" + type + "]"); });
  forEachBuild({"atomics.spl"}, extremeOptions(instances), [&](const Build &build) {
    forEachType([&](auto zero, std::string type) {
      using T = decltype(zero);
      auto twice = [](T x) {
        if constexpr (std::is_integral_v<T>)
          return static_cast<T>(std::make_unsigned_t<T>(x) * 2u);
        else
          return x + x;
      };
      const auto a = inputs<T>(192, 4);
      std::vector<T> out(a.size() * 3);
      build.run("hinted[" + type + "]", over(a.size()), a, out);
      expectFields(
          out, 3, [&](std::size_t at, std::size_t k) { return k == 0 ? twice(a[at]) : a[at]; },
          type.c_str());
    });
  });
}
