// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests parameters that are vectors, structs, enums, or slices of them, in the layout of C++
// programs.
#include "spl/Error.h"
#include "test/e2e/Harness.h"

using namespace spl;
using namespace spl::e2e;

namespace {

struct Spin {
  std::uint8_t axis;
  double rate;
};
enum class Level : std::int32_t { Low, High = 10, Lowest = -3 };
struct alignas(16) Body {
  std::array<float, 4> pos;
  float mass;
  Level level;
  Spin spins[2];
  bool fixed;
  std::int16_t tags[3];
};

template <class T> struct Pair {
  T first, second;
  bool operator==(const Pair &) const = default;
};
template <class T, std::size_t n> struct Ring {
  std::uint8_t next;
  std::array<Pair<T>, n> items;
};

const Source source{"composed-parameters.spl"};
const std::vector<std::size_t> counts = {1, 5, 37, 301};

Level levelOf(std::size_t i) {
  const Level levels[] = {Level::Low, Level::High, Level::Lowest};
  return levels[i % 3];
}

} // namespace

TEST(ComposedParameters, StructsByValueAndInSlices) {
  forEachBuild(source, everyOption(), [](const Build &build) {
    for (std::size_t n : counts) {
      std::vector<Body> bodies(n);
      for (std::size_t i = 0; i != n; ++i) {
        const auto f = static_cast<float>(i);
        const auto s = static_cast<std::int16_t>(i);
        bodies[i] = {{f, f + 1, f + 2, f + 3},
                     2 * f,
                     levelOf(i),
                     {{std::uint8_t(i), 0.25}, {9, f + 0.5}},
                     i % 2 == 0,
                     {s, s, s}};
      }
      const std::vector<Body> before = bodies;
      const Body by{{1, -2, 0.5f, 8}, 3.5f, Level::High, {{1, 2}, {77, 4}}, true, {5, 6, -7}};
      build.run("advance", {.global = {std::int64_t(n)}}, std::int8_t(-3), by, bodies, -1.5);
      for (std::size_t i = 0; i != n; ++i) {
        const Body &was = before[i], &is = bodies[i];
        for (std::size_t lane = 0; lane != 4; ++lane)
          EXPECT_EQ(is.pos[lane], was.pos[lane] + by.pos[lane]) << i;
        EXPECT_EQ(is.mass, was.mass - 3.5f) << i;
        EXPECT_EQ(is.level, was.level == Level::Low ? Level::High : was.level) << i;
        EXPECT_EQ(is.spins[0].axis, std::uint8_t(i + 77)) << i;
        EXPECT_EQ(is.spins[0].rate, 0.25) << i;
        EXPECT_EQ(is.spins[1].axis, 9) << i;
        EXPECT_EQ(is.spins[1].rate, was.spins[1].rate * -1.5) << i;
        EXPECT_EQ(is.fixed, i % 2 != 0) << i;
        for (std::size_t k = 0; k != 3; ++k)
          EXPECT_EQ(is.tags[k], k == i % 3 ? 21 : was.tags[k]) << i;
      }
    }
  });
}

TEST(ComposedParameters, VectorsOfEveryAlignment) {
  forEachBuild(source, everyOption(), [](const Build &build) {
    for (std::size_t n : counts) {
      std::vector<std::array<double, 2>> in(n);
      std::vector<std::array<float, 4>> out(n);
      std::vector<std::array<std::uint8_t, 4>> bytes(n);
      std::array<std::int8_t, 16> b;
      for (std::size_t k = 0; k != 16; ++k)
        b[k] = static_cast<std::int8_t>(k * 17 - 100);
      for (std::size_t i = 0; i != n; ++i) {
        in[i] = {double(i) * 0.5, -double(i)};
        bytes[i] = {std::uint8_t(i), std::uint8_t(i * 3 + 1), 0, 0};
      }
      const auto before = bytes;
      build.run("vectors", {.global = {std::int64_t(n)}}, std::array<float, 4>{1, 2, 3.25f, 4}, b,
                std::as_const(in), out, bytes, std::array<double, 2>{0.125, 1000});
      for (std::size_t i = 0; i != n; ++i) {
        const std::array<float, 4> expected = {float(double(i) * 0.5 + 0.125),
                                               float(1000 - double(i)), float(b[i % 16]), 3.25f};
        EXPECT_EQ(out[i], expected) << i;
        const std::array<std::uint8_t, 4> swapped = {before[i][1], before[i][0],
                                                     std::uint8_t(b[15 - i % 16]), 7};
        EXPECT_EQ(bytes[i], swapped) << i;
      }
    }
  });
}

TEST(ComposedParameters, Enums) {
  forEachBuild(source, everyOption(), [](const Build &build) {
    for (std::size_t n : counts) {
      std::vector<Level> levels(n);
      std::vector<std::int32_t> numbers(n);
      for (std::size_t i = 0; i != n; ++i)
        levels[i] = levelOf(i);
      build.run("enums", {.global = {std::int64_t(n)}}, Level::Low, levels, numbers);
      for (std::size_t i = 0; i != n; ++i) {
        EXPECT_EQ(levels[i], levelOf(i) == Level::High ? Level::Low : Level::Lowest) << i;
        EXPECT_EQ(numbers[i], static_cast<std::int32_t>(levelOf(i)) * 100) << i;
      }
    }
  });
}

TEST(ComposedParameters, InstancesOfGenericStructs) {
  forEachBuild(source, everyOption(), [](const Build &build) {
    for (std::size_t n : counts) {
      std::vector<Ring<std::int16_t, 3>> rings(n);
      std::vector<Pair<double>> sums(n);
      for (std::size_t i = 0; i != n; ++i) {
        const auto s = static_cast<std::int16_t>(i);
        rings[i] = {std::uint8_t(i), {{{s, 1}, {s, 2}, {s, 3}}}};
      }
      build.run("generics", {.global = {std::int64_t(n)}}, Pair<double>{0.5, 3}, rings, sums);
      for (std::size_t i = 0; i != n; ++i) {
        const std::size_t at = i % 256 % 3;
        EXPECT_EQ(sums[i], (Pair<double>{0.5 * double(i + at + 1), 3.5})) << i;
        EXPECT_EQ(rings[i].next, std::uint8_t(i + 1)) << i;
        for (std::size_t k = 0; k != 3; ++k) {
          const Pair<std::int16_t> was{std::int16_t(i), std::int16_t(k + 1)};
          EXPECT_EQ(rings[i].items[k], k == at ? (Pair<std::int16_t>{std::int16_t(at), -1}) : was);
        }
      }
    }
  });
}

TEST(ComposedParameters, SlicesOfEveryRank) {
  forEachBuild(source, everyOption(), [](const Build &build) {
    const std::int64_t height = 7, width = 13;
    std::vector<std::array<float, 2>> a;
    std::vector<Spin> b;
    std::vector<std::array<std::int32_t, 3>> rows;
    for (int i = 0; i != height * width; ++i)
      a.push_back({float(i * 3), float(i % 5)});
    for (int i = 0; i != 2 * 3 * 5; ++i)
      b.push_back({std::uint8_t(200 - i), double(i)});
    for (int i = 0; i != 4; ++i)
      rows.push_back({i, i + 1, i + 2});
    std::vector<std::int32_t> c(static_cast<std::size_t>(height * width * 2 * 3), -1);
    build.run("ranks", {.global = {width, height}}, Shaped(std::as_const(a), {height, width}),
              Shaped(std::as_const(b), {2, 3, 5}), std::as_const(rows),
              Shaped(c, {height, width, 2, 3}));
    expectEach(
        c,
        [&](std::size_t at) -> std::int32_t {
          const int x = int(at / 6 % width), y = int(at / 6 / width), i = y * width + x;
          switch (at % 6) {
          case 0:
            return 7000 + 1300 + 20 + 3;
          case 2: {
            const int spin = (y % 2 * 3 + x % 3) * 5 + (x + y) % 5;
            return spin * 1000 + 200 - spin;
          }
          case 3:
            return i * 3 - i % 5;
          case 4: {
            const int row = x % 4;
            return row + (row + 1) * 10 + (row + 2) * 100;
          }
          default:
            return -1;
          }
        },
        "element");
  });
}

TEST(ComposedParameters, OfAnotherLayoutAreRefused) {
  struct Packed {
    float pos[4], mass;
  };
  forEachBuild(source, extremeOptions(), [](const Build &build) {
    std::vector<Body> bodies(3);
    try {
      build.run("advance", {.global = {3}}, std::int8_t(1), Packed{}, bodies, 1.0);
      ADD_FAILURE() << "a struct of another size was taken";
    } catch (const Error &error) {
      EXPECT_EQ(error.message(), "parameter 'by' of advance is Body (64 bytes, aligned to 16); got "
                                 "C++ class (20 bytes, aligned to 4)");
    }
  });
}
