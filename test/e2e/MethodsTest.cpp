// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests methods against the same computation without methods.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

TEST(Methods, AreCalledOnEveryValue) {
  forEachBuild({"methods.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : {1, 5, 37}) {
      std::vector<float> input(n), out(2 * n);
      for (std::size_t i = 0; i != n; ++i)
        input[i] = static_cast<float>(i * 7 % 23) - 9.5f;
      std::vector<std::int32_t> counts(3 * n);
      build.run("methods", {.global = {std::int64_t(n)}}, input, out, counts);
      expectEach(
          out,
          [&](std::size_t at) {
            const std::size_t i = at / 2;
            const float x = input[i], y = x + 1.0f;
            if (at % 2 == 0) // the dot product of (x, y) and (-y, x), scaled by x
              return std::fma(x, -y * x, y * (x * x)) + y * 0.5f;
            return i % 2 == 0 ? std::fma(x, 2.0f, y * 3.0f) : std::fma(-y, 2.0f, x * 3.0f);
          },
          "methods");
      expectEach(
          counts,
          [&](std::size_t at) {
            const auto m = static_cast<std::int32_t>(at / 3);
            return at % 3 == 0 ? 103 + 3 * m : at % 3 == 1 ? 3 + 3 * m : 81 + m * m;
          },
          "counts");
    }
  });
}

TEST(Methods, EvaluateTheirValueFirst) {
  forEachBuild({"methods.spl"}, everyOption(), [](const Build &build) {
    std::vector<std::int32_t> log(1);
    std::vector<float> out(3);
    build.run("orders", {.global = {1}, .local = {1}}, log, out);
    EXPECT_EQ(log[0], 123);
    EXPECT_EQ(out, (std::vector<float>{12, -49, 100}));
  });
}

TEST(Methods, MayBeCalledAsTheCompilerCallsItsOwn) {
  forEachBuild({"names.spl"}, extremeOptions(), [](const Build &build) {
    constexpr std::int32_t n = 33;
    std::vector<std::int32_t> a(n), out(9 * n);
    std::int32_t sum = 0;
    for (std::int32_t i = 0; i != n; ++i)
      sum += a[i] = i * 7 % 23 - 9;
    build.run("names", {.global = {n}, .local = {n}}, a, out);
    expectFields(
        out, 9,
        [&](std::size_t i, std::size_t k) {
          const std::int32_t x = a[i];
          std::int32_t power = 1;
          for (std::size_t round = 0; round != i % 5; ++round)
            power *= x;
          return (const std::int32_t[]){x - 2,  power,  x * 3, x * 5,         x * 7,
                                        x * 11, x * 13, sum,   a[(i + 1) % n]}[k];
        },
        "names");
  });
}
