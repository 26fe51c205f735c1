// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests kernels of examples/ that compute: option prices, motions of bodies, clusters, random
// numbers, images.
#include "test/e2e/Examples.h"

using namespace spl;
using namespace spl::e2e;

namespace {

template <class T>
void testBlackScholes(const Build &build, const std::string &kernel, double tolerance) {
  const std::size_t n = 301;
  std::vector<T> spot(n), strike(n), years(n), call(n, -1), put(n, -1);
  std::vector<double> expectedCall(n), expectedPut(n);
  const T rate = T(0.02), volatility = T(0.3);
  auto cdf = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  for (std::size_t i = 0; i != n; ++i) {
    spot[i] = T(5 + (i * 7) % 26);
    strike[i] = T(1 + (i * 13) % 100);
    years[i] = T(0.25 + double(i % 39) / 4);
    const double s = spot[i], k = strike[i], t = years[i], r = rate, v = volatility;
    const double d1 = (std::log(s / k) + (r + v * v / 2) * t) / (v * std::sqrt(t));
    const double d2 = d1 - v * std::sqrt(t);
    expectedCall[i] = s * cdf(d1) - k * std::exp(-r * t) * cdf(d2);
    expectedPut[i] = k * std::exp(-r * t) * cdf(-d2) - s * cdf(-d1);
  }
  build.run(kernel, {.global = {std::int64_t(n)}, .local = {64}}, std::as_const(spot),
            std::as_const(strike), std::as_const(years), call, put, rate, volatility);
  expectNear(call, expectedCall, tolerance, "call");
  expectNear(put, expectedPut, tolerance, "put");
}

template <class T> void testTranspose(const Build &build, const std::string &kernel) {
  for (const auto &[rows, cols] :
       {std::pair<std::int64_t, std::int64_t>{1, 1}, {33, 70}, {64, 31}}) {
    const auto src = inputs<T>(rows * cols, 9);
    std::vector<T> dst(src.size());
    const std::int64_t tiles[] = {(cols + 31) / 32, (rows + 31) / 32};
    build.run(kernel, {.global = {tiles[0] * 32, tiles[1] * 8}, .local = {32, 8}},
              Shaped(src, {rows, cols}), Shaped(dst, {cols, rows}));
    expectEach(dst, [&](auto i) { return src[i % rows * cols + i / rows]; }, "transposed");
  }
}

} // namespace

TEST(Numerics, LayerNorm) {
  forEachBuild(example("layer_norm.spl"), extremeOptions(), [](const Build &build) {
    const std::int64_t rows = 5;
    for (const std::int64_t cols : {1, 127, 301}) {
      const auto src = plainFloats<float>(rows * cols, 21), gain = plainFloats<float>(cols, 22),
                 bias = plainFloats<float>(cols, 23);
      std::vector<float> dst(src.size(), -1);
      std::vector<double> expected(src.size());
      const double epsilon = 1e-3;
      for (std::int64_t row = 0; row != rows; ++row) {
        const float *x = &src[row * cols];
        double mean = 0, variance = 0;
        for (std::int64_t i = 0; i != cols; ++i)
          mean += x[i] / double(cols);
        for (std::int64_t i = 0; i != cols; ++i)
          variance += (x[i] - mean) * (x[i] - mean) / double(cols);
        for (std::int64_t i = 0; i != cols; ++i)
          expected[row * cols + i] =
              (x[i] - mean) / std::sqrt(variance + epsilon) * gain[i] + bias[i];
      }
      build.run("layer_norm", {.global = {rows * 128}, .local = {128}}, Shaped(src, {rows, cols}),
                gain, bias, Shaped(dst, {rows, cols}), float(epsilon));
      expectNear(dst, expected, 1e-5, "normalised");
    }
  });
}

TEST(Numerics, NBody) {
  struct Body {
    alignas(16) std::array<float, 4> pos;
    alignas(16) std::array<float, 4> vel;
  };
  forEachBuild(example("nbody.spl"), extremeOptions(), [](const Build &build) {
    const std::size_t n = 301;
    const double dt = 0.125, softening = 0.01F;
    std::mt19937 generator(5);
    std::uniform_real_distribution<float> place(-4, 4);
    std::vector<Body> bodies(n), out(n);
    for (Body &body : bodies) {
      body.pos = {place(generator), place(generator), place(generator), place(generator) + 5};
      body.vel = {place(generator), place(generator), place(generator), 0};
    }
    build.run("step", {.global = {std::int64_t(n)}, .local = {128}}, std::as_const(bodies), out,
              float(dt));
    std::vector<float> actual;
    std::vector<double> expected;
    for (std::size_t i = 0; i != n; ++i) {
      double acc[3] = {};
      for (const Body &other : bodies) {
        double d[3], distance2 = softening;
        for (int k = 0; k != 3; ++k)
          d[k] = double(other.pos[k]) - bodies[i].pos[k], distance2 += d[k] * d[k];
        for (int k = 0; k != 3; ++k)
          acc[k] += d[k] * other.pos[3] / (distance2 * std::sqrt(distance2));
      }
      for (int k = 0; k != 3; ++k) {
        const double velocity = bodies[i].vel[k] + acc[k] * dt;
        expected.push_back(velocity);
        expected.push_back(bodies[i].pos[k] + velocity * dt);
        actual.push_back(out[i].vel[k]);
        actual.push_back(out[i].pos[k]);
      }
      EXPECT_EQ(out[i].pos[3], bodies[i].pos[3]) << "the mass of body " << i;
    }
    expectNear(actual, expected, 1e-4, "bodies");
  });
}

TEST(Numerics, KMeans) {
  using Point = std::array<float, 2>;
  struct Cluster {
    double x, y;
    std::uint32_t count;
  };
  forEachBuild(example("kmeans.spl"), extremeOptions(), [](const Build &build) {
    const std::size_t n = 1003, k = 7;
    std::mt19937 generator(6);
    std::uniform_real_distribution<float> place(-1, 1);
    std::vector<Point> points(n), centres(k);
    for (Point &point : points)
      point = {place(generator), place(generator)};
    for (Point &centre : centres)
      centre = {place(generator), place(generator)};
    centres[k - 1] = {100, 100}; // no point is nearest to this centre
    const std::vector<Point> before = centres;

    std::vector<std::int32_t> label(n, -1);
    std::vector<Cluster> clusters(k, Cluster{0, 0, 0});
    const LaunchConfig each{.global = {std::int64_t(n)}, .local = {64}};
    build.run("assign", each, std::as_const(points), std::as_const(centres), label);
    build.run("accumulate", {.global = {256}, .local = {64}}, std::as_const(points),
              std::as_const(label), clusters);
    build.run("new_centres", {.global = {std::int64_t(k)}}, std::as_const(clusters), centres);

    std::vector<Cluster> expected(k, Cluster{0, 0, 0});
    for (std::size_t i = 0; i != n; ++i) {
      auto distance = [&](std::size_t c) {
        return std::hypot(double(points[i][0]) - before[c][0], double(points[i][1]) - before[c][1]);
      };
      ASSERT_TRUE(label[i] >= 0 && std::size_t(label[i]) < k) << "point " << i << ": " << label[i];
      for (std::size_t c = 0; c != k; ++c)
        ASSERT_LE(distance(label[i]), distance(c) * (1 + 1e-6)) << "point " << i;
      Cluster &mine = expected[label[i]];
      mine = {mine.x + points[i][0], mine.y + points[i][1], mine.count + 1};
    }
    for (std::size_t c = 0; c != k; ++c) {
      EXPECT_EQ(clusters[c].count, expected[c].count);
      EXPECT_NEAR(clusters[c].x, expected[c].x, 1e-10);
      EXPECT_NEAR(clusters[c].y, expected[c].y, 1e-10);
      for (int axis : {0, 1}) {
        const double sum = axis == 0 ? expected[c].x : expected[c].y;
        EXPECT_FLOAT_EQ(centres[c][axis],
                        expected[c].count == 0 ? before[c][axis] : float(sum / expected[c].count));
      }
    }
  });
}

TEST(Numerics, Philox) {
  using Words = std::array<std::uint32_t, 4>;
  using Seed = std::array<std::uint32_t, 2>;
  // The round function of the paper, on 64-bit products.
  auto block = [](Words c, Seed key) {
    for (int round = 0; round != 10; ++round) {
      const std::uint64_t p = std::uint64_t{0xD2511F53} * c[0],
                          q = std::uint64_t{0xCD9E8D57} * c[2];
      c = {std::uint32_t(q >> 32) ^ c[1] ^ key[0], std::uint32_t(q),
           std::uint32_t(p >> 32) ^ c[3] ^ key[1], std::uint32_t(p)};
      key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
    }
    return c;
  };
  // Known results of Random123, the library of the authors.
  ASSERT_EQ(block({}, {}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  ASSERT_EQ(block({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  forEachBuild(example("philox.spl"), extremeOptions(), [&](const Build &build) {
    for (const Seed seed : {Seed{}, Seed{0x12345678, 0x9abcdef0}}) {
      std::vector<std::uint32_t> words(1003);
      std::vector<float> uniform(301, -1);
      build.run("random_words", {.global = {251}}, words, seed);
      build.run("random_floats", {.global = {301}}, uniform, seed);
      auto word = [&](std::size_t i, std::size_t k) {
        return block({std::uint32_t(i), 0, 0, 0}, seed)[k];
      };
      expectEach(words, [&](std::size_t i) { return word(i / 4, i % 4); }, "words");
      expectEach(
          uniform, [&](std::size_t i) { return float(word(i, 0) >> 8) * 0x1p-24F; }, "uniform");
    }
  });
}

TEST(Numerics, Resize) {
  using Pixel = std::array<std::uint8_t, 4>;
  const struct {
    std::int64_t rows, cols, newRows, newCols;
  } shapes[] = {{1, 1, 3, 5}, {13, 17, 29, 7}, {20, 9, 20, 9}};
  forEachBuild(example("resize.spl"), extremeOptions(), [&](const Build &build) {
    for (const auto &[rows, cols, newRows, newCols] : shapes) {
      std::mt19937 generator(7);
      std::vector<Pixel> src(rows * cols), dst(newRows * newCols);
      for (Pixel &pixel : src)
        for (std::uint8_t &channel : pixel)
          channel = std::uint8_t(generator());
      build.run("resize", {.global = {newCols, newRows}, .local = {32, 8}},
                Shaped(std::as_const(src), {rows, cols}), Shaped(dst, {newRows, newCols}));
      // Along one axis: the two pixels on either side of a pixel's centre, and the weight of the
      // second.
      auto along = [](std::int64_t i, std::int64_t from, std::int64_t to) {
        const double at =
            std::clamp((double(i) + 0.5) * double(from) / double(to) - 0.5, 0.0, double(from - 1));
        const auto first = std::int64_t(at);
        return std::tuple(first, std::min(first + 1, from - 1), at - double(first));
      };
      for (std::int64_t i = 0; i != newRows * newCols; ++i) {
        const auto [y0, y1, t] = along(i / newCols, rows, newRows);
        const auto [x0, x1, s] = along(i % newCols, cols, newCols);
        for (std::size_t c = 0; c != 4; ++c) {
          auto at = [&](std::int64_t y, std::int64_t x) { return double(src[y * cols + x][c]); };
          const double expected = (at(y0, x0) * (1 - s) + at(y0, x1) * s) * (1 - t) +
                                  (at(y1, x0) * (1 - s) + at(y1, x1) * s) * t;
          ASSERT_NEAR(dst[i][c], expected, 0.501) << "pixel " << i << ", channel " << c;
        }
      }
    }
  });
}

TEST(Numerics, BlackScholes) {
  forEachBuild(example("black_scholes.spl"),
               extremeOptions({"black_scholes[f32]", "black_scholes[f64]"}),
               [](const Build &build) {
                 testBlackScholes<float>(build, "black_scholes[f32]", 2e-5);
                 testBlackScholes<double>(build, "black_scholes[f64]", 1e-13);
               });
}

TEST(Numerics, Transpose) {
  forEachBuild(example("transpose.spl"), extremeOptions({"transpose[f32]", "transpose[u8]"}),
               [](const Build &build) {
                 testTranspose<float>(build, "transpose[f32]");
                 testTranspose<std::uint8_t>(build, "transpose[u8]");
               });
}

TEST(Numerics, GradientDescent) {
  forEachBuild(example("linear_regression.spl"), extremeOptions(), [](const Build &build) {
    const std::size_t n = 601;
    const auto x = plainFloats<float>(n, 31), noise = plainFloats<float>(n, 32);
    std::vector<float> y(n), model = {0.5F, -1.0F}, sums(3, 0.0F);
    std::vector<double> expected(3);
    for (std::size_t i = 0; i != n; ++i) {
      y[i] = 3 * x[i] - 2 + 0.1F * noise[i];
      const double off = 0.5 * x[i] - 1 - y[i];
      const double terms[] = {off * x[i], off, off * off};
      for (std::size_t k = 0; k != 3; ++k)
        expected[k] += terms[k];
    }
    build.run("gradient", {.global = {std::int64_t(n)}, .local = {256}}, x, y, std::as_const(model),
              sums);
    expectNear(sums, expected, 1e-4, "sums");
    build.run("descend", {.global = {2}, .local = {2}}, 0.25F, float(n), std::as_const(sums),
              model);
    expectNear(model, {0.5 - 0.5 * expected[0] / n, -1 - 0.5 * expected[1] / n}, 1e-4, "model");
  });
}

TEST(Numerics, LogisticMap) {
  forEachBuild(example("logistic.spl"), extremeOptions(), [](const Build &build) {
    std::vector<float> src(301), dst(301, -1);
    for (std::size_t i = 0; i != src.size(); ++i)
      src[i] = float(i + 1) / 303;
    build.run("logistic", {.global = {301}, .local = {64}}, std::int64_t(5), std::as_const(src),
              dst);
    expectEach(
        dst,
        [&](std::size_t i) {
          float x = src[i];
          for (int round = 0; round != 5; ++round)
            x = 3.7F * x * (1.0F - x);
          return x;
        },
        "x");
  });
}
