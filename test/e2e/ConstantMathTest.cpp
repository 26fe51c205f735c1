// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares math functions that the compiler evaluates with the same functions in a kernel, and
// tests bitcasts.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

template <class T, class Word> void test() {
  std::vector<std::pair<std::string, std::string>> replacements;
  if (sizeof(T) == 8)
    replacements = {{"f32", "f64"}, {"f32x2", "f64x2"}, {"u32", "u64"}};
  forEachBuild({"constant-math.spl", replacements}, extremeOptions(), [&](const Build &build) {
    const spl::LaunchConfig once = {.global = {1}, .local = {1}};
    const T x = T(1.7), y = T(-0.3), z = T(0.6), halfway = T(-2.5);
    // Filled with different bytes, so that an element that is not written differs.
    std::vector<Word> exactKnown(32, Word(0x5a)), exactNow(32, Word(0xa5));
    build.run("exact", once, x, y, z, halfway, exactKnown, exactNow);
    expectEach(exactKnown, [&](std::size_t k) { return exactNow[k]; }, "exact");

    std::vector<T> nearKnown(35, T(1e3)), nearNow(35, T(-1e3));
    build.run("near", once, x, y, z, halfway, nearKnown, nearNow);
    const T most = 16 * std::numeric_limits<T>::epsilon();
    for (std::size_t k = 0; k != nearKnown.size(); ++k) {
      EXPECT_NEAR(nearKnown[k], nearNow[k], most * std::abs(nearNow[k])) << k;
      EXPECT_NE(nearKnown[k], 0) << k;
    }

    std::vector<std::int32_t> words(27, 0x5a5a), wordsNow(27, 0xa5a5);
    build.run("words", once, x, y, z, halfway, std::int32_t(-77), std::int32_t(1234567),
              std::uint8_t(0b10110000), words, wordsNow);
    expectEach(words, [&](std::size_t k) { return wordsNow[k]; }, "words");
  });
}

} // namespace

TEST(ConstantMath, IsAsAtRunTime) {
  test<float, std::uint32_t>();
  test<double, std::uint64_t>();
}

TEST(Bitcasts, KeepTheBits) {
  forEachBuild({"bitcasts.spl"}, everyOption(), [](const Build &build) {
    std::vector<std::uint32_t> a;
    for (float x : {1.5f, -0.0f, 123.456f, std::numeric_limits<float>::infinity()})
      a.push_back(std::bit_cast<std::uint32_t>(x));
    a.push_back(0x00123456); // subnormal
    const std::size_t n = a.size();
    std::vector<float> floats(n);
    std::vector<std::int32_t> back(n);
    std::vector<std::uint8_t> lanes(4 * n);
    std::vector<std::uint64_t> wide(n);
    build.run("bits", {.global = {std::int64_t(n)}}, a, floats, back, lanes, wide);
    expectEach(floats, [&](std::size_t i) { return std::bit_cast<float>(a[i]); }, "floats");
    expectEach(back, [&](std::size_t i) { return std::int32_t(a[i]); }, "back");
    expectEach(
        lanes, [&](std::size_t i) { return std::uint8_t(a[i / 4] >> (8 * (i % 4))); }, "lanes");
    expectEach(
        wide, [&](std::size_t i) { return std::uint64_t(~a[i]) << 32 | a[i]; }, "wide");

    std::vector<std::uint32_t> words(4);
    std::vector<double> numbers(2);
    build.run("known", {.global = {1}, .local = {1}}, words, numbers);
    EXPECT_EQ(words, (std::vector<std::uint32_t>{0x3f800000, 254, 255, 0x7fc00000}));
    EXPECT_EQ(numbers, (std::vector<double>{float(3.14159265358979), 1.0}));
  });
}
