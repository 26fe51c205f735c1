// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

struct alignas(16) Body {
  std::array<float, 4> pos, vel;
};

/// The positions are copied into an array for each coordinate, so that the loop over all bodies
/// loads consecutive numbers.
void twin(const Body *bodies, Body *out, std::int64_t n, float dt) {
  std::vector<float> xs(n), ys(n), zs(n), masses(n);
  for (std::int64_t i = 0; i < n; ++i) {
    xs[i] = bodies[i].pos[0];
    ys[i] = bodies[i].pos[1];
    zs[i] = bodies[i].pos[2];
    masses[i] = bodies[i].pos[3];
  }
  const float *x = xs.data(), *y = ys.data(), *z = zs.data(), *mass = masses.data();
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i) {
    float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (std::int64_t j = 0; j < n; ++j) {
      const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      const float pull = mass[j] * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    const float acceleration[] = {ax, ay, az};
    out[i] = bodies[i];
    for (int k = 0; k < 3; ++k) {
      out[i].vel[k] += acceleration[k] * dt;
      out[i].pos[k] += out[i].vel[k] * dt;
    }
  }
}

} // namespace

void nbody(Case &c) {
  const std::int64_t n = c.size(8192, 301);
  const float dt = 1e-4f;
  auto bodies = c.zeros<Body>(n), out = c.zeros<Body>(n), outTwin = c.zeros<Body>(n),
       outCl = c.zeros<Body>(n);
  for (std::int64_t i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k)
      host(bodies)[i].pos[k] = c.draw(0.0f, 1.0f);
  const spl::Kernel kernel = c.load("examples/nbody.spl")["step"];
  const auto kernelCl = c.loadOpenCl("nbody.cl", "step_bodies");
  c.measure(
      {.ours = [&] { c.launch(kernel, {.global = {n}}, bodies, out, dt); },
       .twin = [&] { twin(host(bodies), host(outTwin), n, dt); },
       .compare =
           [&] { c.expectNear("bodies", numbers<float>(out), numbers<float>(outTwin), 1e-4); },
       .openCl =
           [&] {
             c.launch(kernelCl, {.global = {n}, .local = {128}}, bodies, outCl, dt,
                      std::int32_t(n));
           },
       .compareOpenCl =
           [&] { c.expectNear("bodies", numbers<float>(out), numbers<float>(outCl), 1e-4); }});
}

} // namespace bench::examples
