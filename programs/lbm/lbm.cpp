// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <array>
#include <utility>

namespace programs {
namespace {

constexpr int Steps = 6;
constexpr std::size_t Velocities = 9;
constexpr float Omega = 1.3f, Force = 1e-3f;

struct Velocity {
  int x, y;
  double weight;
};

/// In the order of the kernel's constants.
constexpr std::array<Velocity, Velocities> Directions = {{{0, 0, 4.0 / 9},
                                                          {1, 0, 1.0 / 9},
                                                          {0, 1, 1.0 / 9},
                                                          {-1, 0, 1.0 / 9},
                                                          {0, -1, 1.0 / 9},
                                                          {1, 1, 1.0 / 36},
                                                          {-1, 1, 1.0 / 36},
                                                          {-1, -1, 1.0 / 36},
                                                          {1, -1, 1.0 / 36}}};

struct Flow {
  std::size_t height, width;
  std::vector<std::uint8_t> wall;
  std::vector<float> start; ///< of each velocity, the cells of all rows

  std::size_t cells() const { return height * width; }
};

/// A channel with a round obstacle, where the fluid is almost at rest.
Flow makeFlow(Run &run) {
  Flow flow{run.scaledSide(47), run.scaledSide(61), {}, {}};
  const double radius = double(flow.height) / 7;
  for (std::size_t y = 0; y < flow.height; ++y)
    for (std::size_t x = 0; x < flow.width; ++x) {
      const double distance =
          std::hypot(double(y) - double(flow.height) / 2, double(x) - double(flow.width) / 4);
      flow.wall.push_back(y == 0 || y == flow.height - 1 || distance < radius);
    }
  for (const Velocity &velocity : Directions)
    for (std::size_t i = 0; i < flow.cells(); ++i)
      flow.start.push_back(static_cast<float>(velocity.weight) * run.between(0.9f, 1.1f));
  return flow;
}

/// Pushes what each cell has to its neighbours, or back into the cell if there is a wall.
std::vector<double> streamed(const Flow &flow, const std::vector<double> &f) {
  std::vector<double> result(f.size());
  for (std::size_t k = 0; k < Velocities; ++k) {
    const auto [dx, dy, weight] = Directions[k];
    std::size_t back = 0;
    while (Directions[back].x != -dx || Directions[back].y != -dy)
      ++back;
    for (std::size_t y = 0; y < flow.height; ++y)
      for (std::size_t x = 0; x < flow.width; ++x) {
        const std::size_t here = y * flow.width + x;
        const std::size_t there =
            (y + flow.height + dy) % flow.height * flow.width + (x + flow.width + dx) % flow.width;
        if (flow.wall[here])
          continue;
        const bool blocked = flow.wall[there] != 0;
        result[blocked ? back * flow.cells() + here : k * flow.cells() + there] =
            f[k * flow.cells() + here];
      }
  }
  return result;
}

void collide(const Flow &flow, std::vector<double> &f) {
  for (std::size_t i = 0; i < flow.cells(); ++i) {
    if (flow.wall[i])
      continue;
    double density = 0, ux = 0, uy = 0;
    for (std::size_t k = 0; k < Velocities; ++k) {
      const double part = f[k * flow.cells() + i];
      density += part;
      ux += part * Directions[k].x;
      uy += part * Directions[k].y;
    }
    ux /= density;
    uy /= density;
    for (std::size_t k = 0; k < Velocities; ++k) {
      const auto [dx, dy, weight] = Directions[k];
      const double along = dx * ux + dy * uy;
      const double balanced =
          weight * density * (1 + 3 * along + 4.5 * along * along - 1.5 * (ux * ux + uy * uy));
      double &part = f[k * flow.cells() + i];
      part += Omega * (balanced - part) + 3 * weight * Force * dx;
    }
  }
}

std::vector<float> reference(const Flow &flow) {
  std::vector<double> f(flow.start.begin(), flow.start.end());
  for (int step = 0; step < Steps; ++step) {
    f = streamed(flow, f);
    collide(flow, f);
  }
  return {f.begin(), f.end()};
}

} // namespace

void lbm(Run &run) {
  const Flow flow = makeFlow(run);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto height = static_cast<std::int64_t>(flow.height);
  const auto width = static_cast<std::int64_t>(flow.width);
  const spl::Shape shape{std::int64_t(Velocities), height, width};
  const auto wall = context.allocUpload(flow.wall, {height, width});
  auto src = context.allocUpload(flow.start, shape);
  auto dst = context.allocZeros<float>(shape);
  for (int step = 0; step < Steps; ++step) {
    run.launch(kernels["step"], {.global = {width, height}, .local = {32, 4}}, wall, src, Omega,
               Force, dst);
    std::swap(src, dst);
  }
  // The kernels never write the cells of walls, so that those have the start or zeros.
  std::vector<float> found = src.download();
  for (std::size_t i = 0; i < found.size(); ++i)
    if (flow.wall[i % flow.cells()])
      found[i] = 0;
  run.expectNear("flow", found, reference(flow), 1e-5);
}

} // namespace programs
