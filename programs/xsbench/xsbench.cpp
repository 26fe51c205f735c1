// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>

namespace programs {
namespace {

constexpr std::int64_t channels = 5;

struct Point {
  double energy;
  double sections[channels];
};

struct Material {
  std::int32_t first, components;
  double probability;
};

struct Component {
  std::int32_t nuclide;
  double density;
};

struct Data {
  std::int64_t nuclides, points; ///< points of each nuclide
  std::vector<Point> table{};    ///< with a row for each nuclide
  std::vector<double> grid{};    ///< the energies of all points
  std::vector<std::int32_t> below{};
  std::vector<Material> materials{};
  std::vector<Component> components{};
};

/// The kernel's struct.
struct DeviceData {
  spl::Array<Material> materials;
  spl::Array<Component> components;
  spl::Array<Point> points;
  spl::Array<double> grid;
  spl::Array<std::int32_t> below;
  SPL_FIELDS(materials, components, points, grid, below)
};

/// The last point of a nuclide that is not above an energy, of those that another one follows.
std::int32_t pointBelow(const Data &data, std::int64_t nuclide, double energy) {
  std::int64_t point = 0;
  while (point + 2 < data.points && data.table[nuclide * data.points + point + 1].energy <= energy)
    ++point;
  return static_cast<std::int32_t>(point);
}

void makeNuclides(Run &run, Data &data) {
  data.table.resize(data.nuclides * data.points);
  for (std::int64_t nuclide = 0; nuclide < data.nuclides; ++nuclide) {
    const auto row = data.table.begin() + nuclide * data.points;
    std::vector<double> energies = {0.0, 1.0};
    while (std::ssize(energies) < data.points)
      energies.push_back(run.between(0.0, 1.0));
    std::ranges::sort(energies);
    for (std::int64_t i = 0; i < data.points; ++i) {
      row[i].energy = energies[i];
      for (double &section : row[i].sections)
        section = run.between(0.0, 1.0);
      data.grid.push_back(energies[i]);
    }
  }
  std::ranges::sort(data.grid);
  for (const double energy : data.grid)
    for (std::int64_t nuclide = 0; nuclide < data.nuclides; ++nuclide)
      data.below.push_back(pointBelow(data, nuclide, energy));
}

void makeMaterials(Run &run, Data &data) {
  constexpr double probabilities[] = {0.14,  0.052, 0.275, 0.134, 0.154, 0.064,
                                      0.066, 0.055, 0.008, 0.015, 0.025, 0.012};
  for (const double probability : probabilities) {
    Material material{static_cast<std::int32_t>(data.components.size()), 1 + run.below(9),
                      probability};
    for (std::int32_t k = 0; k < material.components; ++k)
      data.components.push_back(
          {static_cast<std::int32_t>(run.below(data.nuclides)), run.between(0.1, 10.0)});
    data.materials.push_back(material);
  }
}

/// The next number of the sequence, in [0, 1).
double next(std::uint64_t &seed) {
  constexpr std::uint64_t mask = ~0ull >> 1;
  seed = (2806196910506780709ull * seed + 1) & mask;
  return static_cast<double>(seed) / static_cast<double>(mask);
}

std::vector<double> reference(const Data &data, std::uint64_t seed, std::size_t lookups) {
  std::vector<double> result;
  for (std::size_t i = 0; i < lookups; ++i) {
    const double energy = next(seed);
    double dice = next(seed);
    std::size_t chosen = 0;
    for (; chosen + 1 < data.materials.size() && dice >= data.materials[chosen].probability;
         ++chosen)
      dice -= data.materials[chosen].probability;
    const Material material = data.materials[chosen];
    for (std::int64_t c = 0; c < channels; ++c) {
      double sum = 0;
      for (std::int32_t k = 0; k < material.components; ++k) {
        const auto [nuclide, density] = data.components[material.first + k];
        const Point *left = &data.table[nuclide * data.points + pointBelow(data, nuclide, energy)];
        const double t = (energy - left[0].energy) / (left[1].energy - left[0].energy);
        sum += density * ((1 - t) * left[0].sections[c] + t * left[1].sections[c]);
      }
      result.push_back(sum);
    }
  }
  return result;
}

} // namespace

void xsbench(Run &run) {
  Data data{.nuclides = 19, .points = 113};
  makeNuclides(run, data);
  makeMaterials(run, data);
  const std::uint64_t seed = run.bits() >> 1;
  const auto lookups = static_cast<std::int64_t>(run.scaled(1003));
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const DeviceData onDevice{
      context.allocUpload(data.materials), context.allocUpload(data.components),
      context.allocUpload(data.table, {data.nuclides, data.points}), context.allocUpload(data.grid),
      context.allocUpload(data.below, {std::ssize(data.grid), data.nuclides})};
  auto sections = context.alloc<double>({lookups, channels});
  run.launch(kernels["look_up"], {.global = {lookups}}, onDevice, seed, sections);
  run.expectNear("sections", sections.download(), reference(data, seed, lookups), 1e-9);
}

} // namespace programs
