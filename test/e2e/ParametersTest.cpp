// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/Harness.h"

#include <algorithm>

using namespace spl::e2e;

TEST(Parameters, ScalarsOfEveryType) {
  forEachBuild({"parameters.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : {std::size_t(1), std::size_t(33)}) {
      std::vector<unsigned char> flags(n), ubytes(n);
      std::vector<std::int8_t> bytes(n);
      std::vector<std::int16_t> shorts(n);
      std::vector<std::int32_t> ints(n);
      std::vector<std::int64_t> longs(n);
      std::vector<std::uint16_t> ushorts(n);
      std::vector<std::uint32_t> uints(n);
      std::vector<std::uint64_t> ulongs(n);
      std::vector<float> floats(n);
      std::vector<double> doubles(n);
      build.run("scalars", {.global = {std::int64_t(n)}}, true, std::int8_t(-128),
                std::int16_t(-32767), std::int32_t(-2000000000), std::int64_t(-9e18),
                std::uint8_t(255), std::uint16_t(65534), std::uint32_t(4000000000u),
                std::uint64_t(18000000000000000000u), 1.1F, -2.2e300, Bools{flags}, bytes, shorts,
                ints, longs, ubytes, ushorts, uints, ulongs, floats, doubles);
      expectEach(flags, [](auto) { return 1; }, "bool");
      expectEach(bytes, [](auto) { return -128; }, "i8");
      expectEach(shorts, [](auto) { return -32767; }, "i16");
      expectEach(ints, [](auto) { return -2000000000; }, "i32");
      expectEach(longs, [](auto) { return std::int64_t(-9e18); }, "i64");
      expectEach(ubytes, [](auto) { return 255; }, "u8");
      expectEach(ushorts, [](auto) { return 65534; }, "u16");
      expectEach(uints, [](auto) { return 4000000000u; }, "u32");
      expectEach(ulongs, [](auto) { return 18000000000000000000u; }, "u64");
      expectEach(floats, [](auto) { return 1.1F; }, "f32");
      expectEach(doubles, [](auto) { return -2.2e300; }, "f64");
    }
  });
}

TEST(Parameters, SlicesOfBool) {
  forEachBuild({"parameters.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : build.sizes()) {
      std::vector<unsigned char> p(n), q(n), out(n * 6, 1);
      for (std::size_t i = 0; i != n; ++i) {
        p[i] = i % 2 == 0;
        q[i] = i % 3 == 0;
      }
      build.run("bools", {.global = {std::int64_t(n)}}, Bools{p}, Bools{q}, Bools{out});
      expectFields(
          out, 6,
          [&](std::size_t i, std::size_t k) {
            const bool a = i % 2 == 0, b = i % 3 == 0;
            const bool results[] = {a && !b, a || b, a != b, a == b, a, a == b};
            return static_cast<unsigned char>(results[k]);
          },
          "bool");
    }
  });
}

TEST(Parameters, Lengths) {
  forEachBuild({"parameters.spl"}, everyOption(), [](const Build &build) {
    const std::vector<std::int8_t> a(1023);
    const std::vector<double> b;
    std::vector<std::int16_t> c(33);
    std::vector<std::int64_t> out(4);
    build.run("lengths", {.global = {1}}, a, b, c, out);
    EXPECT_EQ(out, (std::vector<std::int64_t>{1023, 0, 33, 4}));
  });
}

TEST(Parameters, ThirtyThreeOfThem) {
  forEachBuild({"parameters.spl"}, everyOption(), [](const Build &build) {
    const std::size_t n = 1025;
    std::vector<std::vector<std::int32_t>> a(16);
    for (std::size_t k = 0; k != 16; ++k)
      for (std::size_t i = 0; i != n; ++i)
        a[k].push_back(static_cast<std::int32_t>((i + 1) * (k + 3) % 101));
    std::vector<double> out(n);
    build.run("many", {.global = {std::int64_t(n)}}, std::int64_t(1), a[0], std::int8_t(-2), a[1],
              4.0, a[2], true, a[3], std::uint16_t(8), a[4], 16.0F, a[5], std::int32_t(-32), a[6],
              std::uint8_t(64), a[7], std::int64_t(3), a[8], std::int8_t(5), a[9], 7.0, a[10],
              false, a[11], std::uint16_t(11), a[12], 13.0F, a[13], std::int32_t(17), a[14],
              std::uint8_t(19), a[15], out);
    expectEach(
        out,
        [&](auto i) {
          double slices = 0;
          for (std::size_t k = 0; k != 16; ++k)
            slices += static_cast<double>(k + 1) * a[k][i];
          return slices + (1 - 2 + 4 + 1 + 8 + 16 - 32 + 64) * 1000.0 +
                 (3 + 5 + 7 + 0 + 11 + 13 + 17 + 19) * 1000000.0;
        },
        "sum");
  });
}

TEST(Parameters, NoneAtAll) {
  forEachBuild({"parameters.spl"}, everyOption(), [](const Build &build) {
    EXPECT_NO_THROW(build.run("no_parameters", {.global = {1000}}));
    EXPECT_NO_THROW(build.run("no_arguments_but_scalars", {.global = {1}}, 1, 2.0F));
    EXPECT_NO_THROW(build.run("no_parameters", {.global = {0}}));
  });
}
