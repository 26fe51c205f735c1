// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests shift counts of every type, also beyond the width, against repeated shifts by one.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

/// The count modulo the width. Every width is a power of two, so these are its low bits.
template <class T, class Count> int steps(Count count) {
  return static_cast<int>(static_cast<std::uint64_t>(count) & (8 * sizeof(T) - 1));
}

template <class T, class Count> T left(T value, Count count) {
  for (int i = steps<T>(count); i != 0; --i)
    value = static_cast<T>(static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(value));
  return value;
}

/// Half of the value, rounded down.
template <class T, class Count> T right(T value, Count count) {
  for (int i = steps<T>(count); i != 0; --i)
    value = static_cast<T>(value / 2 - (value % 2 < 0));
  return value;
}

} // namespace

TEST(Shifts, ByCountsOfEveryType) {
  forEachInteger([](auto zero, const char *name) {
    using T = decltype(zero);
    const std::size_t n = 1025;
    const auto a = inputs<T>(n, 1);
    const auto i8 = inputs<std::int8_t>(n, 2);
    const auto i16 = inputs<std::int16_t>(n, 3);
    const auto own = inputs<T>(n, 4);
    const auto i64 = inputs<std::int64_t>(n, 5);
    const auto u8 = inputs<std::uint8_t>(n, 6);
    const auto u16 = inputs<std::uint16_t>(n, 7);
    const auto u32 = inputs<std::uint32_t>(n, 8);
    const auto u64 = inputs<std::uint64_t>(n, 9);
    const auto shifted = [&](std::size_t i, std::size_t k, auto shift) {
      const T results[] = {shift(a[i], i8[i]),  shift(a[i], i16[i]), shift(a[i], own[i]),
                           shift(a[i], i64[i]), shift(a[i], u8[i]),  shift(a[i], u16[i]),
                           shift(a[i], u32[i]), shift(a[i], u64[i])};
      return results[k];
    };
    const Source source{"shifts.spl",
                        {{"a: &[i32]", std::string("a: &[") + name + "]"},
                         {"by_int: &[i32]", std::string("by_int: &[") + name + "]"},
                         {"&mut [i32]", std::string("&mut [") + name + "]"}}};
    forEachBuild(source, everyOption(), [&](const Build &build) {
      std::vector<T> lefts(n * 8), rights(n * 8);
      build.run("shifts", {.global = {std::int64_t(n)}}, a, i8, i16, own, i64, u8, u16, u32, u64,
                lefts, rights);
      expectFields(
          lefts, 8,
          [&](auto i, auto k) {
            return shifted(i, k, [](T value, auto count) { return left(value, count); });
          },
          "<<");
      expectFields(
          rights, 8,
          [&](auto i, auto k) {
            return shifted(i, k, [](T value, auto count) { return right(value, count); });
          },
          ">>");

      std::vector<T> out(n * 6);
      build.run("by_constants", {.global = {std::int64_t(n)}}, a, out);
      expectFields(
          out, 6,
          [&](auto i, auto k) {
            const T x = a[i];
            const T results[] = {x,           left(x, 100), right(x, 100),
                                 left(x, -1), right(x, -1), right(x, 64)};
            return results[k];
          },
          "shifts by constants");
    });
  });
}
