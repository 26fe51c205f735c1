// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int64_t Size = 100, Most = 128; // equations of a system

struct Systems {
  const float *lower, *diagonal, *upper, *right;
};

/// Thomas' algorithm: elimination from the first equation to the last, and substitution back.
void twin(const Systems &s, float *x, std::int64_t count) {
#pragma omp parallel for
  for (std::int64_t system = 0; system < count; ++system) {
    const std::int64_t first = system * Size;
    float upper[Size], last = 0, lastUpper = 0;
    for (std::int64_t i = 0; i < Size; ++i) {
      const float lower = s.lower[first + i];
      const float inverse = 1 / (s.diagonal[first + i] - lower * lastUpper);
      upper[i] = lastUpper = s.upper[first + i] * inverse;
      x[first + i] = last = (s.right[first + i] - lower * last) * inverse;
    }
    for (std::int64_t i = Size - 2; i >= 0; --i)
      x[first + i] = last = x[first + i] - upper[i] * last;
  }
}

} // namespace

void tridiagonal(Case &c) {
  const std::int64_t count = c.size(20'000, 37);
  const spl::Shape shape{count, Size};
  auto lower = c.uniform(shape, -1.0f, 1.0f), upper = c.uniform(shape, -1.0f, 1.0f);
  const auto diagonal = c.uniform(shape, 2.5f, 4.0f), right = c.uniform(shape, -9.0f, 9.0f);
  for (std::int64_t system = 0; system < count; ++system)
    host(lower)[system * Size] = host(upper)[system * Size + Size - 1] = 0;
  auto x = c.zeros<float>(shape), xTwin = c.zeros<float>(shape);
  const spl::Kernel kernel = c.load("programs/tridiagonal/tridiagonal.spl")["solve"];
  c.measure({.ours =
                 [&] {
                   c.launch(kernel, {.global = {count * Most}, .local = {Most}}, lower, diagonal,
                            upper, right, x);
                 },
             .twin =
                 [&] {
                   twin({host(lower), host(diagonal), host(upper), host(right)}, host(xTwin),
                        count);
                 },
             .compare = [&] { c.expectNear("x", x, xTwin, 1e-5); }});
}

} // namespace bench::programs
