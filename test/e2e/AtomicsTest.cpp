// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics against loops without threads, for every type, order and scope; wide and hinted accesses.
#include "test/e2e/Harness.h"
#include <algorithm>
#include <numeric>

using namespace spl::e2e;

namespace {

const spl::LaunchConfig over(std::size_t n) {
  return {.global = {static_cast<std::int64_t>(n)}, .local = {96}};
}

template <class T> void checkIntegers(const Source &source, std::size_t n) {
  forEachBuild(source, extremeOptions(), [&](const Build &build) {
    const auto v = inputs<T>(n, 7);
    std::vector<T> r(10), swapped(n);
    std::iota(r.begin(), r.end(), T(3));
    const std::vector<T> before = r;
    build.run("integers", over(n), v, r, swapped);
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
    EXPECT_EQ(r, expected);
    // What was there at first and what was put there is what was taken out and what is left.
    std::vector<T> in = v, out = swapped;
    in.push_back(before[7]), out.push_back(r[7]);
    std::sort(in.begin(), in.end()), std::sort(out.begin(), out.end());
    EXPECT_EQ(in, out);
  });
}

Source integersOf(const std::string &type) {
  return {"atomics.spl",
          {{"v: &[i32], r: &mut [i32], swapped: &mut [i32]",
            "v: &[" + type + "], r: &mut [" + type + "], swapped: &mut [" + type + "]"}}};
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

TEST(Atomics, UpdateIntegersOfEveryType) {
  checkIntegers<std::int32_t>(integersOf("i32"), 1025);
  checkIntegers<std::uint32_t>(integersOf("u32"), 1025);
  checkIntegers<std::int64_t>(integersOf("i64"), 1025);
  checkIntegers<std::uint64_t>(integersOf("u64"), 1025);
}

TEST(Atomics, UpdateInEveryOrderAndScope) {
  for (const char *order : {"acquire", "release", "acq_rel"})
    for (const char *scope : {"device", "system"})
      checkIntegers<std::int32_t>({"atomics.spl",
                                   {{"order: relaxed", std::string("order: ") + order},
                                    {"scope: device", std::string("scope: ") + scope}}},
                                  97);
  // One group, as the scope asks for.
  checkIntegers<std::int32_t>({"atomics.spl", {{"scope: device", "scope: group"}}}, 95);
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
  forEachBuild({"atomics.spl"}, extremeOptions(), [](const Build &build) {
    const auto a = inputs<float>(192, 4);
    std::vector<float> out(a.size());
    build.run("hinted", over(a.size()), a, out);
    expectEach(out, [&](std::size_t i) { return a[i] + a[i]; }, "sum");
  });
}
