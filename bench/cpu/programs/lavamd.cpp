// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int64_t Capacity = 64;
constexpr std::int32_t Around = 27;
constexpr float Alpha = 0.5f;

using Particle = std::array<float, 4>; // x, y, z and the charge

struct Box {
  std::int32_t first, count, neighbours;
  std::int32_t neighbour[Around];
};

struct Force {
  float x, y, z, potential;
};

struct Space {
  std::vector<Box> boxes;
  std::vector<Particle> particles;
};

/// A cube of boxes of side 1 with 17 to 43 particles.
Space makeSpace(Case &c, std::int32_t side) {
  Space space;
  for (std::int32_t i = 0; i < side * side * side; ++i) {
    const std::int32_t at[] = {i / side / side, i / side % side, i % side};
    Box box{static_cast<std::int32_t>(space.particles.size()), c.draw(17, 44), 0, {}};
    for (std::int32_t k = 0; k < Around; ++k) {
      const std::int32_t z = at[0] + k / 9 - 1, y = at[1] + k / 3 % 3 - 1, x = at[2] + k % 3 - 1;
      if (std::min({z, y, x}) >= 0 && std::max({z, y, x}) < side)
        box.neighbour[box.neighbours++] = (z * side + y) * side + x;
    }
    space.boxes.push_back(box);
    for (std::int32_t p = 0; p < box.count; ++p)
      space.particles.push_back({float(at[0]) + c.draw(0.0f, 1.0f),
                                 float(at[1]) + c.draw(0.0f, 1.0f),
                                 float(at[2]) + c.draw(0.0f, 1.0f), c.draw(-1.0f, 1.0f)});
  }
  return space;
}

Force forceOn(const Particle &a, const Box &home, const Space &space) {
  float x = 0, y = 0, z = 0, total = 0;
  for (std::int32_t k = 0; k < home.neighbours; ++k) {
    const Box &other = space.boxes[home.neighbour[k]];
    const Particle *near = &space.particles[other.first];
    for (std::int32_t j = 0; j < other.count; ++j) {
      const float dx = a[0] - near[j][0], dy = a[1] - near[j][1], dz = a[2] - near[j][2];
      const float potential = near[j][3] * std::exp(-Alpha * (dx * dx + dy * dy + dz * dz));
      x += 2 * potential * dx;
      y += 2 * potential * dy;
      z += 2 * potential * dz;
      total += potential;
    }
  }
  return {x, y, z, total};
}

void twin(const Space &space, Force *out) {
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t box = 0; box < space.boxes.size(); ++box) {
    const Box &home = space.boxes[box];
    for (std::int32_t i = home.first; i < home.first + home.count; ++i)
      out[i] = forceOn(space.particles[i], home, space);
  }
}

} // namespace

void lavamd(Case &c) {
  const Space space = makeSpace(c, static_cast<std::int32_t>(c.size(8, 2)));
  const auto boxes = c.context().allocUpload(space.boxes);
  // The kernel has vectors, which are aligned to 16 bytes.
  const auto particles = c.context().allocUpload(space.particles);
  auto forces = c.zeros<Force>(particles.size()), forcesTwin = c.zeros<Force>(particles.size());
  const spl::Kernel kernel = c.load("programs/lavamd/lavamd.spl")["forces"];
  const spl::LaunchConfig all{.global = {boxes.size() * Capacity}, .local = {Capacity}};
  c.measure({.ours = [&] { c.launch(kernel, all, boxes, particles, Alpha, forces); },
             .twin = [&] { twin(space, host(forcesTwin)); },
             .compare =
                 [&] {
                   c.expectNear("forces", numbers<float>(forces), numbers<float>(forcesTwin), 1e-4);
                 }});
}

} // namespace bench::programs
