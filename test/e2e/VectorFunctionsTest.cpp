// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests functions of vectors against the same functions of scalars.
#include "test/e2e/Harness.h"
#include <algorithm>

using namespace spl::e2e;

namespace {

float dot(const float *v, const float *w) {
  return std::fma(v[3], w[3], std::fma(v[2], w[2], std::fma(v[1], w[1], v[0] * w[0])));
}

float crossed(const float *v, const float *w, std::size_t lane) {
  const std::size_t next = (lane + 1) % 3, last = (lane + 2) % 3;
  return std::fma(v[next], w[last], -(v[last] * w[next]));
}

float expected(const float *v, const float *w, std::size_t which) {
  const bool less[] = {v[0] < w[0], v[1] < w[1], v[2] < w[2], v[3] < w[3]};
  switch (which) {
  case 0:
    return dot(v, w);
  case 1:
    return std::sqrt(dot(w, w));
  case 5:
    return 0;
  case 6:
    return v[0] / std::sqrt(dot(v, v));
  case 7:
    return v[3] / std::sqrt(dot(v, v));
  case 8:
    return less[0] || less[1] || less[2] || less[3];
  case 9:
    return less[0] && less[1] && less[2] && less[3];
  default:
    return crossed(v, w, which - 2);
  }
}

} // namespace

TEST(VectorFunctions, OfAllLanes) {
  forEachBuild({"vector-functions.spl"}, everyOption(), [](const Build &build) {
    const std::size_t n = 1001;
    auto a = plainFloats<float>(n * 4, 3), b = plainFloats<float>(n * 4, 4);
    for (std::size_t lane = 0; lane != 4; ++lane)
      a[4 + lane] = 0; // the length is 0
    std::vector<float> out(n * 12);
    build.run("together", {.global = {std::int64_t(n)}}, std::as_const(a), std::as_const(b), out);
    for (std::size_t i = 0; i != n; ++i) {
      EXPECT_NEAR(out[i * 12 + 10], std::sin(double(a[i * 4 + 1])), 2.5e-7);
      EXPECT_NEAR(out[i * 12 + 11], std::cos(double(a[i * 4 + 2])), 2.5e-7);
      out[i * 12 + 10] = out[i * 12 + 11] = 0;
    }
    expectFields(
        out, 12, [&](auto i, auto k) { return k < 10 ? expected(&a[i * 4], &b[i * 4], k) : 0.0f; },
        "vectors");
  });
}

// Each lane must have the same bits, regardless of how the loop is vectorised.
TEST(VectorFunctions, LaneByLane) {
  forEachBuild({"vector-functions.spl"}, everyOption(), [](const Build &build) {
    const std::size_t n = 1001;
    const auto a = plainFloats<float>(n * 4, 5);
    std::vector<float> vectors(n * 8), scalars(n * 8);
    build.run("lanewise", {.global = {std::int64_t(n)}}, a, vectors, scalars);
    expectEach(
        vectors, [&](auto i) { return scalars[i]; }, "lanes");
    EXPECT_GT(*std::max_element(vectors.begin(), vectors.end()), 1000);
  });
}
