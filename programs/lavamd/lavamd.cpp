// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <array>
#include <cstdlib>

namespace programs {
namespace {

constexpr std::int64_t Capacity = 64;
constexpr float Alpha = 0.5f;

struct Box {
  std::int32_t first, count, neighbours;
  std::array<std::int32_t, 27> neighbour;
};

struct alignas(16) Particle {
  float x, y, z, charge;
};

struct Force {
  float x, y, z, potential;
};

struct Space {
  std::int32_t depth, height, width; ///< in boxes
  std::vector<Box> boxes;
  std::vector<Particle> particles;

  /// Calls \p use with the index and the coordinates of each box.
  template <typename Use> void eachBox(const Use &use) const {
    std::int32_t index = 0;
    for (std::int32_t z = 0; z < depth; ++z)
      for (std::int32_t y = 0; y < height; ++y)
        for (std::int32_t x = 0; x < width; ++x)
          use(index++, std::array{x, y, z});
  }
};

bool areNeighbours(const std::array<std::int32_t, 3> &a, const std::array<std::int32_t, 3> &b) {
  return std::abs(a[0] - b[0]) <= 1 && std::abs(a[1] - b[1]) <= 1 && std::abs(a[2] - b[2]) <= 1;
}

/// Boxes of side 1 with 17 to 43 particles.
Space makeSpace(Run &run) {
  Space space{2, 3, static_cast<std::int32_t>(run.scaled(4)), {}, {}};
  space.eachBox([&](std::int32_t, const std::array<std::int32_t, 3> &at) {
    Box box{static_cast<std::int32_t>(space.particles.size()), 17 + run.below(27), 0, {}};
    space.eachBox([&](std::int32_t other, const std::array<std::int32_t, 3> &there) {
      if (areNeighbours(at, there))
        box.neighbour[static_cast<std::size_t>(box.neighbours++)] = other;
    });
    space.boxes.push_back(box);
    for (std::int32_t i = 0; i < box.count; ++i)
      space.particles.push_back({float(at[0]) + run.between(0.0f, 1.0f),
                                 float(at[1]) + run.between(0.0f, 1.0f),
                                 float(at[2]) + run.between(0.0f, 1.0f), run.between(-1.0f, 1.0f)});
  });
  return space;
}

/// x, y, z and the potential of each particle in turn.
std::vector<float> reference(const Space &space) {
  std::vector<std::array<std::int32_t, 3>> boxOf;
  space.eachBox([&](std::int32_t index, const std::array<std::int32_t, 3> &at) {
    boxOf.insert(boxOf.end(), static_cast<std::size_t>(space.boxes[index].count), at);
  });
  std::vector<float> forces;
  for (std::size_t i = 0; i < space.particles.size(); ++i) {
    const Particle &a = space.particles[i];
    std::array<double, 4> force{};
    for (std::size_t j = 0; j < space.particles.size(); ++j) {
      if (!areNeighbours(boxOf[i], boxOf[j]))
        continue;
      const Particle &b = space.particles[j];
      const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
      const double potential = b.charge * std::exp(-Alpha * (x * x + y * y + z * z));
      force[0] += 2 * potential * x;
      force[1] += 2 * potential * y;
      force[2] += 2 * potential * z;
      force[3] += potential;
    }
    forces.insert(forces.end(), force.begin(), force.end());
  }
  return forces;
}

} // namespace

void lavamd(Run &run) {
  const Space space = makeSpace(run);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto boxes = context.allocUpload(space.boxes);
  const auto particles = context.allocUpload(space.particles);
  auto forces = context.alloc<Force>(static_cast<std::int64_t>(space.particles.size()));
  run.launch(kernels["forces"], {.global = {boxes.size() * Capacity}, .local = {Capacity}}, boxes,
             particles, Alpha, forces);

  std::vector<float> found;
  for (const Force &force : forces.download())
    found.insert(found.end(), {force.x, force.y, force.z, force.potential});
  run.expectNear("forces", found, reference(space), 1e-4);
}

} // namespace programs
