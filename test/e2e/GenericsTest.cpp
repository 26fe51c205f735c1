// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests instances of generics, named arguments and launch bounds.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

TEST(Generics, AreCompiledForEachInstance) {
  forEachBuild({"generics.spl"}, extremeOptions({"scale[f64]", "scale[i32]", "scale[u8]"}),
               [](const Build &build) {
                 auto test = [&](auto zero, const std::string &kernel) {
                   using T = decltype(zero);
                   std::vector<T> x = {T(1), T(50), T(7), T(200)};
                   const std::vector<T> before = x;
                   build.run(kernel, {.global = {4}}, T(5), x);
                   expectEach(
                       x, [&](std::size_t i) { return static_cast<T>(T(5) * before[i] + T(3)); },
                       kernel.c_str());
                 };
                 test(double{}, "scale[f64]");
                 test(std::int32_t{}, "scale__i32");
                 test(std::uint8_t{}, "scale[ u8 ]");
               });
}

TEST(Generics, TakeConstants) {
  forEachBuild({"generics.spl"}, extremeOptions({"powers[3, i64]", "powers[0,f32]"}),
      [](const Build &build) {
        std::vector<std::int64_t> x = {-3, 2, 11};
        build.run("powers[3,i64]", {.global = {3}}, x);
        expectEach(
                     x, [](std::size_t i) { return (const int[]){-27 - 9, 8 - 4, 1331 - 121}[i]; },
                     "cubes");
        std::vector<float> y = {1.5f, -4};
        build.run("powers[0, f32]", {.global = {2}}, y);
                 expectEach(y, [](std::size_t i) { return i == 0 ? 1 - 2.25f : 1 - 16.0f; },
                            "ones");
      });
}

TEST(Generics, TakeLengthsOfAnyIntegerType) {
  forEachBuild({"generics.spl"}, extremeOptions(), [](const Build &build) {
    std::vector<std::int32_t> out(3);
    build.run("lengths", {.global = {1}, .local = {1}}, out);
    EXPECT_EQ(out, (std::vector<std::int32_t>{15, 24, 15}));
  });
}

TEST(Arguments, AreEvaluatedAsTheyStand) {
  forEachBuild({"generics.spl"}, extremeOptions(), [](const Build &build) {
    std::vector<std::int64_t> out(4);
    build.run("orders", {.global = {1}, .local = {1}}, out);
    expectEach(
        out,
        [](std::size_t i) {
          return (const std::int64_t[]){123, 1003002, 300020007, 5020004}[i];
        },
        "orders");
  });
}

TEST(Attributes, FixTheGroupSize) {
  forEachBuild({"generics.spl"}, extremeOptions(), [](const Build &build) {
    std::vector<std::int32_t> a(100), out(100);
    for (int i = 0; i != 100; ++i)
      a[i] = i * i;
    build.run("fixed", {.global = {100}}, a, out);
    expectEach(out, [&](std::size_t i) { return a[i] + 64; }, "fixed");
    build.run("fixed", {.global = {100}, .local = {64, 1}}, a, out);
    try {
      build.run("fixed", {.global = {100}, .local = {32}}, a, out);
      ADD_FAILURE() << "a group of another size was launched";
    } catch (const spl::Error &error) {
      EXPECT_EQ(error.code(), spl::ErrorCode::LaunchRefused);
      EXPECT_NE(std::string(error.what()).find("compiled for groups of 64"), std::string::npos)
          << error.what();
    }
  });
}
