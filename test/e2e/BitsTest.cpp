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

/// Bit by bit, from the bits of both words in a row.
template <class T> T funnelUp(T high, T low, long long count) {
  const int by = int(((count % width<T>)+width<T>) % width<T>);
  std::make_unsigned_t<T> result = 0;
  for (int at = 0; at != width<T>; ++at)
    result |= std::make_unsigned_t<T>(at < by ? bit(low, at + width<T> - by) : bit(high, at - by))
              << at;
  return T(result);
}

/// A shift to the right by n is one of the swapped words to the left by -n, except by 0.
template <class T> T funnelDown(T high, T low, unsigned long long count) {
  const int by = int(count % width<T>);
  return by == 0 ? low : funnelUp(high, low, width<T> - by);
}

template <class T> T ofThree(T a, T b, T n, std::size_t which) {
  switch (which) {
  case 0:
    return funnelUp(a, b, static_cast<long long>(n));
  case 1:
  case 3:
    return funnelDown(a, b, static_cast<std::uint64_t>(n));
  case 2:
    return funnelUp(a, b, static_cast<std::int8_t>(n));
  default:
    return funnelDown(T(7), a, 3);
  }
}

template <class T> std::array<T, 4> bytesOf(T word) {
  std::array<std::conditional_t<std::is_signed_v<T>, std::int8_t, std::uint8_t>, 4> bytes;
  std::memcpy(bytes.data(), &word, 4);
  return {bytes[0], bytes[1], bytes[2], bytes[3]};
}

template <class T> T dotOfBytes(T a, T b, T c) {
  std::int64_t sum = c;
  for (std::size_t i = 0; i != 4; ++i)
    sum += std::int64_t(bytesOf(a)[i]) * bytesOf(b)[i];
  return T(sum);
}

template <class T> T permuted(T a, T b, T selectors) {
  std::uint8_t from[8], to[4];
  std::memcpy(from, &a, 4);
  std::memcpy(from + 4, &b, 4);
  for (int i = 0; i != 4; ++i) {
    const int digit = selectors >> (4 * i) & 15;
    to[i] = digit < 8 ? from[digit] : from[digit - 8] >= 128 ? 255 : 0;
  }
  T result;
  std::memcpy(&result, to, 4);
  return result;
}

template <class T> T ofWords(T a, T b, T c, std::size_t i, std::size_t which) {
  const T known[] = {T(0x7f8001ff), T(0x12808003)};
  switch (which) {
  case 0:
    return dotOfBytes(a, b, c);
  case 1:
    return permuted(a, b, c);
  case 2:
    return permuted(a, b, T(0x7430));
  case 3:
    return dotOfBytes(a, T(0x1ff), T(0));
  default:
    return i % 3 == 0   ? dotOfBytes(known[0], known[1], T(0x807ffe01))
           : i % 3 == 1 ? dotOfBytes(known[1], known[1], T(2000000000))
                        : permuted(known[0], known[1], T(0xfa50));
  }
}

template <class T> void testWords(const char *name) {
  forEachBuild({"words.spl", {{"i32", name}}}, everyOption(), [&](const Build &build) {
    const std::size_t n = 10007;
    const auto [a, b] = pairs<T>(n);
    auto c = inputs<T>(n, 5);
    for (std::size_t i = 0; i < n; i += 2)
      c[i] = T(i * 2654435761u); // most of the inputs are near zero
    std::vector<T> out(n * 5);
    build.run("of_words", {.global = {std::int64_t(n)}}, a, b, c, out);
    expectFields(out, 5, [&](auto i, auto k) { return ofWords(a[i], b[i], c[i], i, k); }, name);
  });
}

} // namespace

TEST(Bits, OfThreeOperands) {
  forEachInteger([&](auto zero, const char *name) {
    using T = decltype(zero);
    forEachBuild({"bits.spl", {{"i32", name}}}, everyOption(), [&](const Build &build) {
      const std::size_t n = 10007;
      const auto [a, b] = pairs<T>(n);
      const auto by = inputs<T>(n, 3);
      std::vector<T> out(n * 5);
      build.run("of_three", {.global = {std::int64_t(n)}}, a, b, by, out);
      expectFields(out, 5, [&](auto i, auto k) { return ofThree(a[i], b[i], by[i], k); }, name);
    });
  });
}

TEST(Bits, OfTheBytesOfWords) {
  testWords<std::int32_t>("i32");
  testWords<std::uint32_t>("u32");
}

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
