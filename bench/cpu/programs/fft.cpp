// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <numbers>

namespace bench::programs {
namespace {

using Complex = std::array<float, 2>;

constexpr std::int64_t Length = 1024;

/// Powers of the roots of unity, for one direction.
struct Roots {
  Complex powers[Length];
  explicit Roots(float direction) {
    for (std::int64_t k = 0; k < Length; ++k) {
      const double angle = direction * 2 * std::numbers::pi * double(k) / Length;
      powers[k] = {float(std::cos(angle)), float(std::sin(angle))};
    }
  }
};

/// Three factors of a step.
struct Factors {
  Complex w1, w2, w3;
};

/// Joins the numbers x[0], x[gap], x[2 gap], x[3 gap] to y[0], y[stride] and so on.
[[gnu::always_inline]] inline void join(const Factors &w, float direction, const Complex *x,
                                        std::int64_t gap, Complex *y, std::int64_t stride) {
  const float ar = x[0][0] + x[2 * gap][0], ai = x[0][1] + x[2 * gap][1];
  const float br = x[0][0] - x[2 * gap][0], bi = x[0][1] - x[2 * gap][1];
  const float cr = x[gap][0] + x[3 * gap][0], ci = x[gap][1] + x[3 * gap][1];
  const float dr = -direction * (x[gap][1] - x[3 * gap][1]);
  const float di = direction * (x[gap][0] - x[3 * gap][0]);
  const float pr = br + dr, pi = bi + di, qr = ar - cr, qi = ai - ci, sr = br - dr, si = bi - di;
  y[0][0] = ar + cr;
  y[0][1] = ai + ci;
  y[stride][0] = w.w1[0] * pr - w.w1[1] * pi;
  y[stride][1] = w.w1[0] * pi + w.w1[1] * pr;
  y[2 * stride][0] = w.w2[0] * qr - w.w2[1] * qi;
  y[2 * stride][1] = w.w2[0] * qi + w.w2[1] * qr;
  y[3 * stride][0] = w.w3[0] * sr - w.w3[1] * si;
  y[3 * stride][1] = w.w3[0] * si + w.w3[1] * sr;
}

/// One step of Stockham's method with radix 4: `count` transforms of each `stride` numbers.
void step(const Roots &roots, float direction, const Complex *from, Complex *to, std::int64_t count,
          std::int64_t stride) {
  if (stride == 1) {
#pragma omp simd
    for (std::int64_t p = 0; p < count; ++p)
      join({roots.powers[p], roots.powers[2 * p], roots.powers[3 * p]}, direction, from + p, count,
           to + 4 * p, 1);
    return;
  }
  for (std::int64_t p = 0; p < count; ++p) {
    const Factors w{roots.powers[p * stride], roots.powers[2 * p * stride],
                    roots.powers[3 * p * stride]};
#pragma omp simd
    for (std::int64_t q = 0; q < stride; ++q)
      join(w, direction, from + stride * p + q, stride * count, to + stride * 4 * p + q, stride);
  }
}

void twin(const Complex *src, Complex *dst, float direction, std::int64_t batch) {
  static const Roots forward(-1), backward(1);
  const Roots &roots = direction < 0 ? forward : backward;
#pragma omp parallel for
  for (std::int64_t row = 0; row < batch; ++row) {
    Complex other[Length];
    const Complex *from = src + row * Length;
    Complex *result = dst + row * Length;
    // Five steps, of which the last one stores the result.
    for (std::int64_t stride = 1, number = 0; stride < Length; stride *= 4, ++number) {
      Complex *to = number % 2 ? other : result;
      step(roots, direction, from, to, Length / 4 / stride, stride);
      from = to;
    }
  }
}

} // namespace

void fft(Case &c) {
  const std::int64_t batch = c.size(2048, 3);
  const spl::Shape shape{batch, Length};
  auto src = c.zeros<Complex>(shape), spectra = c.zeros<Complex>(shape),
       back = c.zeros<Complex>(shape), spectraTwin = c.zeros<Complex>(shape),
       backTwin = c.zeros<Complex>(shape);
  for (std::int64_t i = 0; i < src.size(); ++i)
    host(src)[i] = {c.draw(-1.0f, 1.0f), c.draw(-1.0f, 1.0f)};
  const spl::Kernel kernel = c.load("programs/fft/fft.spl", {"fft[1024]"})["fft[1024]"];
  const spl::LaunchConfig all{.global = {batch * Length / 4}};
  c.measure({.ours =
                 [&] {
                   c.launch(kernel, all, src, spectra, -1.0f);
                   c.launch(kernel, all, spectra, back, 1.0f);
                 },
             .twin =
                 [&] {
                   twin(host(src), host(spectraTwin), -1, batch);
                   twin(host(spectraTwin), host(backTwin), 1, batch);
                 },
             .compare =
                 [&] {
                   c.expectNear("spectra", numbers<float>(spectra), numbers<float>(spectraTwin),
                                2e-6, std::sqrt(double(Length)));
                   c.expectNear("back", numbers<float>(back), numbers<float>(backTwin), 2e-6,
                                Length);
                 }});
}

} // namespace bench::programs
