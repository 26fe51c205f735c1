// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests integer operators against the low bits of 128-bit arithmetic.
#include "test/e2e/Harness.h"

#include <algorithm>

using namespace spl::e2e;

namespace {

using Wide = __int128;

template <class T> T wrap(Wide value) {
  return static_cast<T>(static_cast<unsigned __int128>(value));
}

template <class T, class Count> unsigned countModuloWidth(Count count) {
  constexpr int width = 8 * sizeof(T);
  const Wide remainder = static_cast<Wide>(count) % width;
  return static_cast<unsigned>(remainder < 0 ? remainder + width : remainder);
}

template <class T, class Count> T shiftedLeft(T x, Count count) {
  return wrap<T>(
      static_cast<Wide>(static_cast<unsigned __int128>(Wide(x)) << countModuloWidth<T>(count)));
}

/// Rounds down. For unsigned types this is a logical shift.
template <class T, class Count> T shiftedRight(T x, Count count) {
  const Wide divisor = Wide(1) << countModuloWidth<T>(count);
  const Wide value = x;
  return wrap<T>(value / divisor - (value < 0 && value % divisor != 0));
}

template <class T> T power(T base, T exponent) {
  T result = 1;
  for (T i = 0; i != exponent; ++i)
    result = wrap<T>(static_cast<Wide>(static_cast<unsigned __int128>(result) *
                                       static_cast<unsigned __int128>(base)));
  return result;
}

template <class T> T arithmetic(T a, T b, std::size_t which) {
  const Wide x = a, y = b;
  const T results[] = {wrap<T>(x + y),
                       wrap<T>(x - y),
                       wrap<T>(static_cast<Wide>(static_cast<unsigned __int128>(x) *
                                                 static_cast<unsigned __int128>(y))),
                       wrap<T>(x & y),
                       wrap<T>(x | y),
                       wrap<T>(x ^ y),
                       wrap<T>(-x),
                       wrap<T>(-x - 1),
                       shiftedLeft(a, b),
                       shiftedRight(a, b)};
  return results[which];
}

/// Every pair of values for types of one byte, otherwise pairs of special and random values.
template <class T> std::pair<std::vector<T>, std::vector<T>> operands(std::size_t n) {
  if (sizeof(T) != 1)
    return pairs<T>(n);
  std::vector<T> a(n), b(n);
  for (std::size_t i = 0; i != n; ++i) {
    a[i] = static_cast<T>(i + 1);
    b[i] = static_cast<T>((i >> 8) + 3);
  }
  return {a, b};
}

template <class T> std::size_t manyOf() { return sizeof(T) == 1 ? 65536 : 1025; }

/// Calls f with the kernels of every integer type, for several numbers of operands.
template <class F> void forEachCase(F &&f) {
  forEachInteger([&](auto zero, const char *name) {
    using T = decltype(zero);
    forEachBuild({"integers.spl", {{"i32", name}}}, everyOption(), [&](const Build &build) {
      for (std::size_t n :
           {std::size_t(0), std::size_t(1), std::size_t(31), std::size_t(33), manyOf<T>()}) {
        const auto [a, b] = operands<T>(n);
        f(build, a, b);
      }
    });
  });
}

} // namespace

TEST(Integers, ArithmeticAndBits) {
  forEachCase([]<class T>(const Build &build, const std::vector<T> &a, const std::vector<T> &b) {
    const auto n = static_cast<std::int64_t>(a.size());
    std::vector<T> out(a.size() * 10);
    build.run("arithmetic", {.global = {n}}, a, b, out);
    expectFields(out, 10, [&](auto i, auto k) { return arithmetic(a[i], b[i], k); }, "arithmetic");

    for (std::size_t i = 0; i != out.size(); ++i)
      out[i] = a[i / 10];
    build.run("compound", {.global = {n}}, a, b, out);
    const std::size_t operatorOf[] = {0, 1, 2, 0, 0, 3, 4, 5, 8, 9};
    expectFields(
        out, 10,
        [&](auto i, auto k) {
          const Wide divisor = b[i] | 1;
          return k == 3   ? wrap<T>(Wide(a[i]) / divisor)
                 : k == 4 ? wrap<T>(Wide(a[i]) % divisor)
                          : arithmetic(a[i], b[i], operatorOf[k]);
        },
        "compound assignment");
  });
}

TEST(Integers, DivisionTruncatesAndLeastByMinusOneWraps) {
  forEachCase([]<class T>(const Build &build, const std::vector<T> &a, const std::vector<T> &b) {
    const auto n = static_cast<std::int64_t>(a.size());
    std::vector<T> quotient(a.size(), T(42)), remainder(a.size(), T(43));
    build.run("divide", {.global = {n}}, a, b, quotient, remainder);
    expectEach(
        quotient, [&](auto i) { return b[i] == 0 ? T(42) : wrap<T>(Wide(a[i]) / Wide(b[i])); },
        "quotient");
    expectEach(
        remainder, [&](auto i) { return b[i] == 0 ? T(43) : wrap<T>(Wide(a[i]) % Wide(b[i])); },
        "remainder");

    std::vector<T> out(a.size() * 6);
    build.run("divide_by_constants", {.global = {n}}, a, out);
    expectFields(
        out, 6,
        [&](auto i, auto k) {
          const Wide x = a[i];
          const Wide results[] = {x, x / 7, x % 7, x / 64, x % 64, 100 / (x | 1)};
          return wrap<T>(results[k]);
        },
        "division by a constant");
  });
}

TEST(Integers, PowerWrapsAndBindsTighterThanMinus) {
  forEachCase([]<class T>(const Build &build, const std::vector<T> &a, const std::vector<T> &b) {
    std::vector<T> exponents(b);
    for (T &exponent : exponents)
      exponent = wrap<T>(Wide(exponent) & 0x7f);
    std::vector<T> out(a.size() * 4);
    build.run("power", {.global = {std::int64_t(a.size())}}, a, exponents, out);
    expectFields(
        out, 4,
        [&](auto i, auto k) {
          const T results[] = {power<T>(a[i], exponents[i]), power<T>(a[i], 2), T(1),
                               wrap<T>(-Wide(power<T>(a[i], 3)))};
          return results[k];
        },
        "power");
  });
}

TEST(Integers, ComparisonsAndSelections) {
  forEachCase([]<class T>(const Build &build, const std::vector<T> &a, const std::vector<T> &b) {
    const auto n = static_cast<std::int64_t>(a.size());
    std::vector<unsigned char> truths(a.size() * 6, 2);
    build.run("compare", {.global = {n}}, a, b, Bools{truths});
    expectFields(
        truths, 6,
        [&](auto i, auto k) {
          const Wide difference = Wide(a[i]) - Wide(b[i]);
          const bool results[] = {difference < 0,  difference <= 0, difference > 0,
                                  difference >= 0, difference == 0, difference != 0};
          return static_cast<unsigned char>(results[k]);
        },
        "comparison");

    std::vector<T> out(a.size() * 3);
    build.run("select", {.global = {n}}, a, b, out);
    expectFields(
        out, 3,
        [&](auto i, auto k) {
          const Wide x = a[i], y = b[i];
          const Wide results[] = {x < 0 ? -x : x, x < y ? x : y, x < y ? y : x};
          return wrap<T>(results[k]);
        },
        "abs, min, max");
  });
}

TEST(Integers, Precedence) {
  forEachCase([]<class T>(const Build &build, const std::vector<T> &a, const std::vector<T> &b) {
    std::vector<T> out(a.size() * 6);
    build.run("precedence", {.global = {std::int64_t(a.size())}}, a, b, out);
    const auto mul = [](T x, T y) { return arithmetic<T>(x, y, 2); };
    expectFields(
        out, 6,
        [&](auto i, auto k) {
          const T x = a[i], y = b[i];
          const T results[] = {wrap<T>(Wide(x) + mul(y, x) - y),
                               wrap<T>(x | (y ^ (x & shiftedLeft(y, 2)))),
                               wrap<T>(-Wide(mul(x, x)) + mul(wrap<T>(-Wide(y) - 1), 2)),
                               wrap<T>(Wide(x) - y - wrap<T>(Wide(mul(x, y)) / 3) % 5),
                               wrap<T>(wrap<T>(Wide(512)) % 100 + Wide(x)),
                               shiftedRight(shiftedLeft(shiftedRight(x, 1), 2), 1)};
          return results[k];
        },
        "precedence");
  });
}

// The largest size, in a launch of many groups.
TEST(Integers, OfAPrimeAboveAMillion) {
  const std::size_t n = 1000003;
  const auto [a, b] = pairs<std::uint32_t>(n);
  forEachBuild({"integers.spl", {{"i32", "u32"}}}, everyOption(), [&](const Build &build) {
    std::vector<std::uint32_t> quotient(n, 42), remainder(n, 43);
    build.run("divide", {.global = {std::int64_t(n)}}, a, b, quotient, remainder);
    expectEach(quotient, [&](auto i) { return b[i] == 0 ? 42 : a[i] / b[i]; }, "quotient");
    expectEach(remainder, [&](auto i) { return b[i] == 0 ? 43 : a[i] % b[i]; }, "remainder");
  });
}
