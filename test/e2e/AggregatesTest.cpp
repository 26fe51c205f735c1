// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/Harness.h"

#include "spl/Error.h"
#include <algorithm>
#include <numeric>

using namespace spl::e2e;

namespace {

const std::vector<std::size_t> counts = {1, 5, 37, 301};

std::vector<float> smallFloats(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i != n; ++i)
    values[i] = static_cast<float>(i * 7 % 23) - 9.5f;
  return values;
}

} // namespace

TEST(Aggregates, StructsAreValues) {
  forEachBuild({"aggregates.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : counts) {
      const auto input = smallFloats(n);
      std::vector<float> out(4 * n);
      build.run("structs", {.global = {std::int64_t(n)}}, input, out);
      expectEach(
          out,
          [&](auto at) -> float {
            const std::size_t i = at / 4;
            const float x = input[i], moved = std::fma(x, 2.0f, 0.5f);
            switch (at % 4) {
            case 0:
              return std::fma(moved, 16.0f, 8.0f);
            case 1: // trail[1] is the position before the swap
              return std::fma(8.0f, 256.0f, std::fma(x, 16.0f, moved));
            case 2: {
              const float trail[] = {x, moved, x};
              return i % 2 == 0 ? x + trail[i % 3] : 2.0f + 1.0f;
            }
            default:
              return std::fma(i % 2 == 0 ? 1.0f : 4.0f, -3.0f, 99.0f + x);
            }
          },
          "struct");
    }
  });
}

TEST(Aggregates, ArraysAreIndexedAtRunTime) {
  forEachBuild({"aggregates.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : counts) {
      std::vector<std::int32_t> input(n), out(n);
      for (std::size_t i = 0; i != n; ++i)
        input[i] = static_cast<std::int32_t>(i * 7919 % 1000) - 500;
      build.run("medians", {.global = {std::int64_t(n)}}, input, out);
      expectEach(
          out,
          [&](auto i) {
            std::vector<std::int32_t> window;
            for (std::size_t k = 0; k != 7; ++k)
              window.push_back(input[(i + k) % n]);
            std::nth_element(window.begin(), window.begin() + 3, window.end());
            return window[3];
          },
          "median");
    }
  });
}

TEST(Aggregates, VectorsGoLaneByLane) {
  forEachBuild({"aggregates.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : counts) {
      const auto input = smallFloats(n);
      std::vector<float> out(4 * n);
      build.run("vectors", {.global = {std::int64_t(n)}}, input, out);
      expectEach(
          out,
          [&](auto at) -> float {
            const std::size_t i = at / 4, lane = i % 4;
            const float x = input[i];
            float v[] = {std::fma(x, 2.0f, x), 2.0f + x, std::fma(-x, 2.0f, x), 1.0f + x};
            v[1] -= 3.0f;
            v[lane] = v[(i + 1) % 4] * 4.0f;
            const std::int32_t dividends[] = {1, -7, 9, 100};
            float wide[4];
            for (int k = 0; k != 4; ++k) {
              const auto shifted = std::int32_t(i) * 4;
              wide[k] = float(dividends[k] / (std::int32_t(i) % 5 + 1) + shifted * shifted);
            }
            const unsigned added[] = {100, 56, 1, 2}, by[] = {1, 1, 0, 3}; // 9 is 1 modulo 8
            switch (at % 4) {
            case 0:
              return std::fma(v[1], v[2], v[0]) - v[3];
            case 1:
              return wide[lane] - wide[3];
            case 2:
              return float(((200 + added[lane]) & 255) >> by[lane]);
            default:
              return v[lane] > wide[lane] && v[lane] != 0.5f;
            }
          },
          "vector");
    }
  });
}

TEST(Aggregates, TuplesEnumsAndNestedArrays) {
  forEachBuild({"aggregates.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : counts) {
      std::vector<std::int32_t> input(n), out(3 * n);
      for (std::size_t i = 0; i != n; ++i)
        input[i] = static_cast<std::int32_t>(i * 31 % 97) - 48;
      build.run("others", {.global = {std::int64_t(n)}}, input, out);
      expectEach(
          out,
          [&](auto at) -> std::int32_t {
            const auto i = static_cast<std::int32_t>(at / 3);
            const std::int32_t rest = input[i] % 7;
            if (at % 3 == 0)
              return input[i] / 7 * 2 + rest * 1000;
            if (at % 3 == 1)
              return rest > 3 ? 1011 : rest < 0 ? 1110 : 0;
            std::int32_t cells[] = {1, 2, 3, 4, 5, 6};
            cells[i % 2 * 3 + i % 3] += i;
            return cells[3] + cells[4] * 10 + cells[5] * 100 + cells[2] * 1000;
          },
          "other");
    }
  });
}

TEST(Aggregates, PartsOfSlicesAndArraysAreSlices) {
  forEachBuild({"aggregates.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : counts) {
      const auto input = smallFloats(n);
      std::vector<float> out(2 * n);
      build.run("slices", {.global = {std::int64_t(n)}}, input, out);
      expectEach(
          out,
          [&](auto at) -> float {
            const std::size_t i = at / 2;
            const float x = input[i];
            if (at % 2 == 0) // x, x + 1 and x + 2 in the middle, where the last is added again
              return x + (x + 1) + (x + 2) + (x + 2);
            const float weights[] = {0.25f, 0.5f, 0.125f};
            float before = 0, tail = 0;
            for (std::size_t k = 0; k != i; ++k)
              before += input[k];
            for (std::size_t k = i % 3; k != 3; ++k)
              tail += weights[k];
            return std::fma(0.875f, 6.0f, before + tail);
          },
          "slice");
    }
  });
}

TEST(Aggregates, WhatIsOutsideIsAFault) {
  forEachBuild({"aggregates.spl"}, {{.optLevel = 0}, {.optLevel = 3}}, [](const Build &build) {
    std::vector<float> out(5, 1.0f);
    auto faults = [&](const char *kernel, const char *text, auto... arguments) {
      try {
        build.run(kernel, {.global = {1}}, arguments..., out);
        ADD_FAILURE() << kernel << " did not fault";
      } catch (const spl::Error &error) {
        if (error.fault()) // PTX traps, so the driver has no details
          EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
      }
    };
    faults("outside_array", "index 2 is out of bounds for 'local' of length 2", std::int64_t(2));
    faults("outside_array", "index -1 is out of bounds for 'local' of length 2", std::int64_t(-1));
    faults("outside_lane", "index 4 is out of bounds for 'v' of length 4", std::int64_t(4));
    faults("outside_slice", "index 6 is out of bounds for 'out' of length 5", std::int64_t(2),
           std::int64_t(6));
    faults("outside_slice", "index 3 is out of bounds for 'out[..to]' of length 2", std::int64_t(3),
           std::int64_t(2));
    faults("outside_slice", "index -1 is out of bounds for 'out[..to]' of length 2",
           std::int64_t(-1), std::int64_t(2));
    build.run("outside_slice", {.global = {1}, .local = {1}}, std::int64_t(5), std::int64_t(5),
              out);
    EXPECT_EQ(out[0], 0.0f);
  });
}
