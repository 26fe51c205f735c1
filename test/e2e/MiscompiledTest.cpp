// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests kernels that LLVM miscompiles without codegen/targets/cpu/LlvmWorkarounds.cpp and
// PoisonLanes.cpp.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

constexpr std::size_t count = 64;
const spl::LaunchConfig config{.global = {count}, .local = {32}};

std::vector<spl::jit::Options> everyLevel() {
  std::vector<spl::jit::Options> options;
  for (int level : {0, 1, 2, 3})
    options.push_back({.optLevel = level});
  return options;
}

} // namespace

// LLVM widened the mask of 8 lanes to 16 without clearing the upper lanes, so 16 bytes were stored.
TEST(Miscompiled, GuardedBytes) {
  for (std::size_t only : {1, 9, 30, 63})
    forEachBuild({"miscompiled.spl"}, everyLevel(), [&](const Build &build) {
      std::vector<unsigned char> skip(count, 1);
      skip[only] = 0;
      std::vector<std::uint64_t> wide(count), wantedWide(count);
      std::vector<std::uint8_t> bytes(count), wantedBytes(count);
      wantedWide[only] = 5;
      wantedBytes[only] = 34;
      build.run("guarded_bytes", config, Bools{skip}, wide, bytes);
      EXPECT_EQ(wide, wantedWide) << only;
      EXPECT_EQ(bytes, wantedBytes) << only;
    });
}

// llvm.maximumnum returned NaN if the other operand was known not to be NaN.
TEST(Miscompiled, LargerAndSmallerOfWhatCannotBeNaN) {
  forEachBuild({"miscompiled.spl"}, everyLevel(), [](const Build &build) {
    std::vector<double> a(count, std::numeric_limits<double>::quiet_NaN()), larger(count);
    std::vector<float> b(count, -std::numeric_limits<float>::quiet_NaN()), smaller(count);
    std::vector<std::int64_t> longs(count);
    std::vector<std::int32_t> ints(count);
    for (std::size_t i = 0; i != count; ++i)
      longs[i] = ints[i] = static_cast<int>(i) - 7;
    a[3] = std::numeric_limits<double>::infinity();
    b[3] = -std::numeric_limits<float>::infinity();
    a[7] = -0.0; // next to the integer 0
    b[7] = -0.0F;
    build.run("larger", config, a, longs, larger);
    build.run("smaller", config, b, ints, smaller);
    for (std::size_t i = 0; i != count; ++i) {
      EXPECT_TRUE(isSame(larger[i], i == 3 ? a[3] : static_cast<double>(longs[i]))) << i;
      EXPECT_TRUE(isSame(smaller[i], i == 3 || i == 7 ? b[i] : static_cast<float>(ints[i]))) << i;
    }
  });
}

// InstCombine assumed that a dividend that is never infinite is never NaN.
TEST(Miscompiled, RemainderOfNaN) {
  forEachBuild({"miscompiled.spl"}, everyLevel(), [](const Build &build) {
    std::vector<float> a(count, 2.0F), out(count);
    a[0] = std::numeric_limits<float>::infinity();
    a[1] = std::numeric_limits<float>::quiet_NaN();
    build.run("remainder", config, a, out);
    for (std::size_t i = 0; i != count; ++i)
      EXPECT_EQ(out[i], i == 0 ? 0.0F : i == 1 ? -1.0F : 0.5F) << i;
  });
}

// LLVM combined the lanes of the vectors by fmin and fmax, which may return a zero of either sign.
TEST(Miscompiled, ExtremesOfZeros) {
  forEachBuild({"miscompiled.spl"}, everyLevel(), [](const Build &build) {
    for (std::size_t at : {0, 5, 62})
      for (float other : {0.0F, -0.0F}) {
        std::vector<float> a(67, other), out(2);
        a[at] = -other;
        build.run("extremes", {.global = {1}, .local = {1}}, a, out);
        EXPECT_TRUE(std::signbit(out[0])) << at;
        EXPECT_FALSE(std::signbit(out[1])) << at;
      }
  });
}

// The quotient of a uniform division was poison if the first lane had not divided.
TEST(Miscompiled, QuotientsUnderACondition) {
  forEachBuild({"miscompiled.spl"}, everyLevel(), [](const Build &build) {
    std::vector<std::int64_t> rounds(64);
    std::iota(rounds.begin(), rounds.end(), 0); // the first lane has no iterations
    std::vector<std::uint8_t> expected(1200);
    expected[512 + 100 % 128 % 64] = 1;
    auto given = build.context().allocUpload<std::int64_t>(rounds);
    auto bytes = build.context().allocZeros<std::uint8_t>(1200);
    auto matrix = build.context().allocZeros<std::int64_t>({64, 100});
    build.launch("quotients", {.global = {8, 2}}, given, bytes, matrix, std::int64_t{128});
    EXPECT_EQ(bytes.download(), expected);
  });
}

namespace {

/// Small and large integers of both signs. A lane that is wrongly all ones is visible in the
/// result.
std::vector<std::int64_t> integers() {
  std::vector<std::int64_t> values{-2,   200,   3,      -4,        128,
                                   -129, 65535, -65536, 1LL << 40, -(1LL << 40)};
  for (std::int64_t i = 0; values.size() != 67; ++i)
    values.push_back((i - 30) * 0x1234567);
  return values;
}

} // namespace

// LLVM replaced a select between two vectors by an OR. Lanes that were not selected were poison.
TEST(Miscompiled, CastsSideBySide) {
  forEachBuild({"miscompiled.spl"}, everyLevel(), [](const Build &build) {
    const std::vector<std::int64_t> a = integers();
    std::vector<std::int64_t> out(a.size() * 4), expected;
    for (std::int64_t x : a)
      for (std::int64_t value : {std::int64_t(std::uint8_t(x)), std::int64_t(std::uint16_t(x)),
                                 std::int64_t(std::uint32_t(x)), std::int64_t(std::int8_t(x))})
        expected.push_back(value);
    build.run("widened", {.global = {a.size()}, .local = {8}}, a, Shaped(out, {a.size(), 4}));
    EXPECT_EQ(out, expected);
  });
}

// The same without copyable elements: alternating operations are each applied to all lanes.
TEST(Miscompiled, ShiftsAndMasksSideBySide) {
  forEachBuild({"miscompiled.spl"}, everyLevel(), [](const Build &build) {
    std::vector<std::uint64_t> a, expected;
    for (std::int64_t x : integers()) {
      a.push_back(std::uint64_t(x));
      for (std::int64_t value : {std::int64_t(std::int8_t(x)), std::int64_t(std::uint8_t(x)),
                                 std::int64_t(std::uint32_t(x)), std::int64_t(std::int8_t(x)),
                                 std::int64_t(std::int32_t(x)) >> 2, std::int64_t(std::uint8_t(x)),
                                 std::int64_t(std::int8_t(x)), x >> 48})
        expected.push_back(std::uint64_t(value));
    }
    std::vector<std::uint64_t> out(expected.size());
    build.run("alternated", {.global = {a.size()}, .local = {8}}, std::as_const(a),
              Shaped(out, {a.size(), 8}));
    EXPECT_EQ(out, expected);
  });
}

TEST(Miscompiled, StepsSideBySide) {
  forEachBuild({"miscompiled.spl"}, everyLevel(), [](const Build &build) {
    const std::vector<std::int64_t> a = integers(), b(a.rbegin(), a.rend());
    std::vector<std::uint64_t> out(a.size() * 8), expected;
    for (std::size_t i = 0; i != a.size(); ++i) {
      const std::int64_t x = a[i], rounded = static_cast<std::int64_t>(static_cast<float>(x));
      for (std::int64_t value :
           {std::int64_t(std::int8_t(rounded - 7)), x, std::int64_t(std::int8_t(x - 15)),
            std::int64_t(std::int8_t(x >> 1)), std::int64_t(std::int8_t(std::uint16_t(x) - 15)),
            std::int64_t(std::uint16_t(x)), std::int64_t(std::int8_t(x)),
            std::int64_t(std::int8_t(b[i]) - 7)})
        expected.push_back(std::uint64_t(value));
    }
    build.run("stepped", {.global = {a.size()}, .local = {8}}, a, b, Shaped(out, {a.size(), 8}));
    EXPECT_EQ(out, expected);
  });
}
