// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests functions on the bits of integers against loops over the bits.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

template <class T> constexpr int width = std::numeric_limits<std::make_unsigned_t<T>>::digits;

template <class T> bool bit(T x, int at) { return std::make_unsigned_t<T>(x) >> at & 1; }

template <class T> T ofOne(T x, std::size_t which) {
  int set = 0, leading = 0, trailing = 0;
  std::make_unsigned_t<T> reversed = 0;
  for (int at = 0; at != width<T>; ++at) {
    set += bit(x, at);
    reversed = reversed * 2 + bit(x, at);
  }
  while (leading != width<T> && !bit(x, width<T> - 1 - leading))
    ++leading;
  while (trailing != width<T> && !bit(x, trailing))
    ++trailing;
  const T results[] = {T(set), T(leading), T(trailing), T(reversed),
                       T(x > 0    ? 1
                         : x == 0 ? 0
                                  : -1)};
  return results[which];
}

template <class T> T rotatedUp(T x, long long count) {
  const int by = int(((count % width<T>)+width<T>) % width<T>);
  std::make_unsigned_t<T> result = 0;
  for (int at = 0; at != width<T>; ++at)
    result |= std::make_unsigned_t<T>(bit(x, at)) << (at + by) % width<T>;
  return T(result);
}

template <class T> T ofTwo(T a, T b, std::size_t which) {
  switch (which) {
  case 0:
    return rotatedUp(a, static_cast<long long>(b));
  case 1:
    return rotatedUp(a, -static_cast<long long>(b % T(width<T>)));
  case 2:
    return rotatedUp(a, static_cast<std::int8_t>(b));
  case 3:
    return rotatedUp(a, -static_cast<long long>(static_cast<std::uint64_t>(b) % width<T>));
  case 4: {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return T(static_cast<Wide>(a) * static_cast<Wide>(b) >> width<T>);
  }
  default:
    return std::min(std::max(a, T(5)), b);
  }
}

} // namespace

TEST(Bits, OfOneOperand) {
  forEachInteger([&](auto zero, const char *name) {
    using T = decltype(zero);
    forEachBuild({"bits.spl", {{"i32", name}}}, everyOption(), [&](const Build &build) {
      const std::size_t n = 10007;
      const auto a = inputs<T>(n, 2);
      std::vector<T> out(n * 5);
      build.run("of_one", {.global = {std::int64_t(n)}}, a, out);
      expectFields(out, 5, [&](auto i, auto k) { return ofOne(a[i], k); }, name);
    });
  });
}

TEST(Bits, OfTwoOperands) {
  forEachInteger([&](auto zero, const char *name) {
    using T = decltype(zero);
    forEachBuild({"bits.spl", {{"i32", name}}}, everyOption(), [&](const Build &build) {
      const std::size_t n = 10007;
      const auto [a, b] = pairs<T>(n);
      std::vector<T> out(n * 6);
      build.run("of_two", {.global = {std::int64_t(n)}}, a, b, out);
      expectFields(out, 6, [&](auto i, auto k) { return ofTwo(a[i], b[i], k); }, name);
    });
  });
}
