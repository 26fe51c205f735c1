// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <utility>

namespace programs {
namespace {

constexpr int Steps = 7;
constexpr std::int64_t Layers = 6;
constexpr float NorthSouth = 0.11f, EastWest = 0.13f, AboveBelow = 0.07f, Ambient = 0.02f;

struct Material {
  float centre, northSouth, eastWest, aboveBelow, power, ambient, air;
};

struct Chip {
  std::int64_t rows, cols;
  Material material;
  std::vector<float> power, temperature;

  std::size_t index(std::int64_t z, std::int64_t y, std::int64_t x) const {
    z = std::clamp<std::int64_t>(z, 0, Layers - 1);
    y = std::clamp<std::int64_t>(y, 0, rows - 1);
    x = std::clamp<std::int64_t>(x, 0, cols - 1);
    return static_cast<std::size_t>((z * rows + y) * cols + x);
  }
};

Chip makeChip(Run &run) {
  Chip chip{static_cast<std::int64_t>(run.scaledSide(45)),
            static_cast<std::int64_t>(run.scaledSide(61)),
            {.centre = 1 - 2 * (NorthSouth + EastWest + AboveBelow) - Ambient,
             .northSouth = NorthSouth,
             .eastWest = EastWest,
             .aboveBelow = AboveBelow,
             .power = 2.5f,
             .ambient = Ambient,
             .air = 80},
            {},
            {}};
  for (std::int64_t i = 0; i < Layers * chip.rows * chip.cols; ++i) {
    chip.power.push_back(run.below(5) == 0 ? run.between(0.0f, 3.0f) : 0.0f);
    chip.temperature.push_back(run.between(310.0f, 350.0f));
  }
  return chip;
}

std::vector<float> referenceStep(const Chip &chip, const std::vector<float> &old) {
  const Material &m = chip.material;
  std::vector<float> next(old.size());
  for (std::int64_t z = 0; z < Layers; ++z)
    for (std::int64_t y = 0; y < chip.rows; ++y)
      for (std::int64_t x = 0; x < chip.cols; ++x) {
        const auto pair = [&](std::int64_t dz, std::int64_t dy, std::int64_t dx) {
          return old[chip.index(z - dz, y - dy, x - dx)] + old[chip.index(z + dz, y + dy, x + dx)];
        };
        const std::size_t i = chip.index(z, y, x);
        next[i] = m.centre * old[i] + m.northSouth * pair(0, 1, 0) + m.eastWest * pair(0, 0, 1) +
                  m.aboveBelow * pair(1, 0, 0) + m.power * chip.power[i] + m.ambient * m.air;
      }
  return next;
}

} // namespace

void hotspot3d(Run &run) {
  const Chip chip = makeChip(run);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const spl::Shape shape{Layers, chip.rows, chip.cols};
  const auto power = context.allocUpload(chip.power, shape);
  auto src = context.allocUpload(chip.temperature, shape);
  auto dst = context.alloc<float>(shape);
  std::vector<float> expected = chip.temperature;
  for (int step = 0; step < Steps; ++step) {
    run.launch(kernels["step"], {.global = {chip.cols, chip.rows}, .local = {16, 8}}, power, src,
               chip.material, dst);
    std::swap(src, dst);
    expected = referenceStep(chip, expected);
  }
  run.expectNear("temperature", src.download(), expected, 1e-6);
}

} // namespace programs
