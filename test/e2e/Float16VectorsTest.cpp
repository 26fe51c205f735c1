// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests f16 and bf16 in vectors, structs, arrays and shared memory, and in collectives.
#include "test/e2e/Float16.h"

#include "llvm/ADT/APSInt.h"

#include <array>

using namespace spl::e2e;
using llvm::APFloat;

namespace {

constexpr const char *file = "float16-vectors.spl";

template <class Half> Half fused(Half a, Half b, Half c) {
  APFloat product = exact(a);
  product.fusedMultiplyAdd(exact(b), exact(c), nearest);
  return halfOf<Half>(product);
}
template <class Half> Half negated(Half value) {
  value.bits ^= 0x8000;
  return value;
}
template <class Half> Half product(Half a, Half b) { return halfOf<Half>(exact(a) * exact(b)); }

/// Integers from -2 to 2. Their sums over a group are exact in both types.
template <class Half> std::vector<Half> smallNumbers(std::size_t n) {
  std::vector<Half> values;
  for (std::size_t i = 0; i != n; ++i)
    values.push_back(Half(double(i * 7 % 11 % 5) - 2));
  return values;
}

/// The sum of the values in [first, last).
template <class Half>
double sum(const std::vector<Half> &values, std::size_t first, std::size_t last) {
  double result = 0;
  for (std::size_t i = first; i != last; ++i)
    result += static_cast<float>(values[i]);
  return result;
}
template <class Half>
std::pair<double, double> extremes(const std::vector<Half> &values, std::size_t first,
                                   std::size_t last) {
  double least = INFINITY, greatest = -INFINITY;
  for (std::size_t i = first; i != last; ++i) {
    least = std::min<double>(least, static_cast<float>(values[i]));
    greatest = std::max<double>(greatest, static_cast<float>(values[i]));
  }
  return {least, greatest};
}

} // namespace

TEST(Float16Vectors, Vectors) {
  forEachHalf(
      []<class Half>(Half, const Build &build) {
        const auto [a, b] = operands<Half, 2>(2048);
        const std::size_t n = a.size();
        std::vector<Half> out(n * 6);
        build.run("vectors", {.global = {std::int64_t(n / 8)}}, a, b, out);
        const auto expected = [&](std::size_t at) -> Half {
          const std::size_t item = at / 48, lane = at % 8, i = item * 8 + lane;
          const APFloat x = exact(a[i]), y = exact(b[i]);
          switch (at / 8 % 6) {
          case 0:
            return halfOf<Half>(x + y);
          case 1:
            return fused(a[i], b[i], negated(a[i]));
          case 2:
            return x < y ? a[i] : halfOf<Half>(y / exact(Half(3)));
          case 3:
            return fused(a[i], Half(2), negated(b[i]));
          case 4:
            return halfOf<Half>(llvm::maximumnum(x, abs(y)));
          default:
            APFloat rest = lane == item % 8 ? exact(b[item * 8]) : x;
            rest.mod(y);
            return halfOf<Half>(rest);
          }
        };
        expectEach(out, expected, "vectors");
      },
      file);
}

TEST(Float16Vectors, CastsOfVectors) {
  forEachHalf(
      []<class Half>(Half, const Build &build) {
        const auto [a] = operands<Half, 1>(1024);
        const std::vector<std::int32_t> numbers = inputs<std::int32_t>(a.size(), 5);
        std::vector<float> toF32(a.size());
        std::vector<std::int32_t> toI32(a.size());
        std::vector<Half> fromI32(a.size());
        build.run("lane_casts", {.global = {std::int64_t(a.size() / 4)}}, a, numbers, toF32, toI32,
                  fromI32);
        expectEach(toF32, [&](auto i) { return static_cast<float>(a[i]); }, "to f32");
        expectEach(
            toI32,
            [&](auto i) -> std::int32_t {
              llvm::APSInt whole(32, /*isUnsigned=*/false);
              bool isExact;
              exact(a[i]).convertToInteger(whole, APFloat::rmTowardZero, &isExact);
              return static_cast<std::int32_t>(whole.getSExtValue());
            },
            "to i32");
        expectEach(fromI32, [&](auto i) { return Half(double(numbers[i])); }, "from i32");
      },
      file);
}

TEST(Float16Vectors, Warps) {
  forEachHalf(
      []<class Half>(Half, const Build &build) {
        const auto a = smallNumbers<Half>(192);
        std::vector<Half> out(a.size() * 12);
        build.run("of_warp", {.global = {192}, .local = {64}}, a, out);
        const auto expected = [&](std::size_t at) -> Half {
          const std::size_t i = at / 12, warp = i / 32 * 32, lane = i % 32;
          const auto [least, greatest] = extremes(a, warp, warp + 32);
          switch (at % 12) {
          case 0:
            return Half(sum(a, warp, warp + 32));
          case 1:
            return Half(0 - sum(a, warp, warp + 32));
          case 2:
            return Half(least);
          case 3:
            return Half(-least);
          case 4:
            return Half(sum(a, warp, i + 1));
          case 5:
            return Half(sum(a, warp, i));
          case 6:
            return a[warp + 5];
          case 7:
            return negated(a[lane + 3 < 32 ? i + 3 : i]);
          case 8:
            return a[i ^ 1];
          case 9:
            return a[lane < 2 ? i : i - 2];
          case 10:
            return Half(double(std::count(a.begin() + warp, a.begin() + warp + 32, a[i])));
          default:
            return Half(0);
          }
        };
        // A sum of 0 may have either sign.
        for (std::size_t at = 0; at != out.size(); ++at)
          if (at % 12 < 6 && static_cast<float>(out[at]) == 0)
            out[at] = Half(0);
        expectEach(out, expected, "of_warp");
      },
      file);
}

TEST(Float16Vectors, Groups) {
  forEachHalf(
      []<class Half>(Half, const Build &build) {
        const auto a = smallNumbers<Half>(192);
        std::vector<Half> out(a.size() * 8);
        build.run("of_group", {.global = {192}, .local = {64}}, a, out);
        const auto expected = [&](std::size_t at) -> Half {
          const std::size_t i = at / 8, first = i / 64 * 64, local = i % 64;
          const auto [least, greatest] = extremes(a, first, first + 64);
          const std::size_t end = first + 64; // the group reads the elements in reverse
          switch (at % 8) {
          case 0:
            return a[end - 1 - local];
          case 1:
          case 7:
            return Half(sum(a, first, end));
          case 2:
            return Half(least);
          case 3:
            return Half(-least);
          case 4:
            return Half(sum(a, end - 1 - local, end));
          case 5:
            return Half(sum(a, end - local, end));
          default:
            return a[end - 1 - 7];
          }
        };
        for (std::size_t at = 0; at != out.size(); ++at)
          if (static_cast<float>(out[at]) == 0 && at % 8 != 0 && at % 8 != 6)
            out[at] = Half(0);
        expectEach(out, expected, "of_group");
      },
      file);
}

TEST(Float16Vectors, AtomicsOfPairs) {
  forEachHalf(
      []<class Half>(Half, const Build &build) {
        const auto a = smallNumbers<Half>(192);
        std::vector<Half> out(3 * 5 * 2);
        build.run("atomics", {.global = {192}, .local = {64}}, a, out);
        for (std::size_t group = 0; group != 3; ++group) {
          std::array<double, 10> expected{};
          for (std::size_t local = 0; local != 64; ++local) {
            expected[local % 3 * 2] += static_cast<float>(a[group * 64 + local]);
            expected[local % 3 * 2 + 1] += 1;
          }
          expected[6] = 64, expected[7] = -64;
          for (std::size_t at = 0; at != 8; ++at)
            EXPECT_EQ(static_cast<float>(out[group * 10 + at]), expected[at]) << at;
          // The sum of the old values 0 to 63. They are added in an arbitrary order, and large sums
          // are rounded.
          EXPECT_NEAR(static_cast<float>(out[group * 10 + 8]), 2016, 150);
          EXPECT_NEAR(static_cast<float>(out[group * 10 + 9]), -2016, 150);
        }
      },
      file);
}

TEST(Float16Vectors, Aggregates) {
  forEachHalf(
      []<class Half>(Half, const Build &build) {
        const auto [a] = operands<Half, 1>(1031);
        std::vector<Half> out(a.size() * 5);
        build.run("aggregates", {.global = {std::int64_t(a.size())}}, a, out);
        std::array<Half, 5> weights;
        for (std::size_t i = 0; const char *text : {"0.25", "0.1", "-2", "1e-7", "65504"})
          weights[i++] = halfOf<Half>(APFloat(semanticsOf<Half>(), text));
        const auto expected = [&](std::size_t at) -> Half {
          const std::size_t i = at / 5;
          Half weight = a[i], x = a[i], y = weights[i % 5], count(0);
          std::array<Half, 3> kept = {Half(0), Half(1), Half(2)};
          for (std::size_t k = 0; k < i % 4; ++k) {
            if (k % 2 == 0) {
              const Half by = weights[(i + k) % 5];
              weight = product(weight, by), x = product(x, by), y = product(y, by);
              count = Half(static_cast<float>(count) + 1);
            }
            kept[k % 3] = weight;
          }
          return std::array{weight, x, y, count, fused(kept[1], kept[2], kept[0])}[at % 5];
        };
        expectEach(out, expected, "aggregates");
      },
      file);
}
