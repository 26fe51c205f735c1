// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

int signOf(int x) { return (x > 0) - (x < 0); }
int both(int x) { return signOf(x) * 9; }

} // namespace

TEST(Functions, TakeSlicesAndTheirLengths) {
  forEachBuild({"functions.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t rows : smallSizes) {
      const std::size_t columns = 7;
      const auto a = plainFloats<double>(rows * columns, 1),
                 b = plainFloats<double>(rows * columns, 2);
      std::vector<double> out(rows);
      build.run("dot_rows", {.global = {std::int64_t(rows)}}, a, b, std::int64_t(columns), out);
      expectEach(
          out,
          [&](auto row) {
            double total = 0;
            for (std::size_t k = row * columns; k != (row + 1) * columns; ++k)
              total = std::fma(a[k], b[k], total);
            return total + static_cast<double>(2 * rows * columns - rows);
          },
          "dot product");
    }
  });
}

TEST(Functions, WriteThroughSlices) {
  forEachBuild({"functions.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : build.sizes()) {
      std::vector<std::int32_t> source(n), target(2 * n, -5);
      for (std::size_t i = 0; i != n; ++i)
        source[i] = static_cast<std::int32_t>(i * i % 1009 + 1);
      build.run("stencil", {.global = {std::int64_t(n)}}, source, target);
      expectEach(
          target,
          [&](auto at) {
            const std::size_t i = at / 2;
            const int left = i == 0 ? -100 : source[i - 1];
            const int right = i + 1 == n ? 100 : source[i + 1];
            return left + source[i] * 2 + right + static_cast<int>(at % 2);
          },
          "stencil");
    }
  });
}

TEST(Functions, ReturnFromEveryBranch) {
  forEachBuild({"functions.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : build.sizes()) {
      std::vector<std::int32_t> a(n), out(n);
      for (std::size_t i = 0; i != n; ++i)
        a[i] = static_cast<std::int32_t>((i * 7 + 3) % 5) - 2;
      build.run("signs", {.global = {std::int64_t(n)}}, a, out);
      expectEach(
          out, [&](auto i) { return both(a[i]) * 100 + both(a[i] + 1) + signOf(both(a[i] - 1)); },
          "signs");
    }
  });
}

TEST(Functions, SeeTheWorkItemOfTheirCaller) {
  forEachBuild({"functions.spl"}, everyOption(), [](const Build &build) {
    std::vector<std::int64_t> out(1025, -1);
    build.run("ids_in_functions", {.global = {1025}, .local = {33}}, out);
    expectEach(out, [](auto i) { return 2 * i; }, "id");
  });
}

TEST(Functions, TakeEveryScalarType) {
  forEachBuild({"functions.spl"}, everyOption(), [](const Build &build) {
    std::vector<double> out(2);
    build.run("every_type", {.global = {1}}, out);
    EXPECT_EQ(out, (std::vector<double>{-100.0 + 60000 + 4000000000.0 - 1000000000000.0, 0.125}));
  });
}

TEST(Functions, Nest) {
  const auto a = inputs<std::uint64_t>(1025, 3);
  forEachBuild({"functions.spl"}, everyOption(), [&](const Build &build) {
    std::vector<std::uint64_t> out(a.size());
    build.run("nested_calls", {.global = {1025}}, a, out);
    expectEach(out, [&](auto i) { return std::rotl(a[i] + 1, 32); }, "swapped");
  });
}
