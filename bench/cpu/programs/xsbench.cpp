// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int64_t Channels = 5;
constexpr std::int32_t Nuclides = 19, Points = 113;

struct Point {
  double energy;
  double sections[Channels];
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
  std::vector<Point> points;       ///< a row for each nuclide, sorted by energy
  std::vector<double> grid;        ///< the energies of all points, sorted
  std::vector<std::int32_t> below; ///< at each of them, the point of each nuclide
  std::vector<Material> materials;
  std::vector<Component> components;
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

void makeNuclides(Case &c, Data &data) {
  for (std::int32_t nuclide = 0; nuclide < Nuclides; ++nuclide) {
    std::vector<double> energies = {0.0, 1.0};
    while (std::ssize(energies) < Points)
      energies.push_back(c.draw(0.0, 1.0));
    std::ranges::sort(energies);
    for (const double energy : energies) {
      Point point{energy, {}};
      for (double &section : point.sections)
        section = c.draw(0.0, 1.0);
      data.points.push_back(point);
      data.grid.push_back(energy);
    }
  }
  std::ranges::sort(data.grid);
  for (const double energy : data.grid)
    for (std::int32_t nuclide = 0; nuclide < Nuclides; ++nuclide) {
      const Point *row = &data.points[nuclide * Points];
      std::int32_t point = 0;
      while (point + 2 < Points && row[point + 1].energy <= energy)
        ++point;
      data.below.push_back(point);
    }
}

Data makeData(Case &c) {
  Data data;
  makeNuclides(c, data);
  for (const double probability :
       {0.14, 0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.012}) {
    const Material material{static_cast<std::int32_t>(data.components.size()), c.draw(1, 10),
                            probability};
    for (std::int32_t k = 0; k < material.components; ++k)
      data.components.push_back({c.draw(0, Nuclides), c.draw(0.1, 10.0)});
    data.materials.push_back(material);
  }
  return data;
}

// Linear congruential numbers. Each lookup starts at its own place in one sequence.
constexpr std::uint64_t Multiplier = 2806196910506780709u, Mask = ~0ull >> 1;

std::uint64_t next(std::uint64_t seed) { return (Multiplier * seed + 1) & Mask; }
double unit(std::uint64_t seed) { return double(seed) / double(Mask); }

std::uint64_t after(std::uint64_t seed, std::uint64_t steps) {
  std::uint64_t power = Multiplier, sum = 1, factor = 1, addend = 0; // of 1, 2, 4, ... steps
  for (; steps > 0; steps >>= 1) {
    if (steps & 1) {
      factor *= power;
      addend = addend * power + sum;
    }
    sum *= power + 1;
    power *= power;
  }
  return (factor * seed + addend) & Mask;
}

const Material &chosen(const Data &data, double dice) {
  double sum = 0;
  for (const Material &material : data.materials)
    if (dice < (sum += material.probability))
      return material;
  return data.materials.back();
}

void lookUp(const Data &data, double energy, const Material &material, double *sections) {
  const auto above = std::upper_bound(data.grid.begin() + 1, data.grid.end() - 1, energy);
  const std::int32_t *below = &data.below[(above - data.grid.begin() - 1) * Nuclides];
  double sums[Channels] = {};
  for (std::int32_t k = material.first; k < material.first + material.components; ++k) {
    const Component component = data.components[k];
    const Point *left = &data.points[component.nuclide * Points + below[component.nuclide]];
    const double t = (energy - left[0].energy) / (left[1].energy - left[0].energy);
    for (std::int64_t channel = 0; channel < Channels; ++channel)
      sums[channel] +=
          component.density *
          (left[0].sections[channel] + t * (left[1].sections[channel] - left[0].sections[channel]));
  }
  std::copy_n(sums, Channels, sections);
}

void twin(const Data &data, std::uint64_t seed, double *sections, std::int64_t lookups) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < lookups; ++i) {
    const std::uint64_t first = next(after(seed, 2 * std::uint64_t(i)));
    lookUp(data, unit(first), chosen(data, unit(next(first))), sections + i * Channels);
  }
}

} // namespace

void xsbench(Case &c) {
  const Data data = makeData(c);
  const std::uint64_t seed = c.random()() >> 1;
  const std::int64_t lookups = c.size(500'000, 1001);
  const spl::Context &context = c.context();
  const DeviceData onDevice{
      context.allocUpload(data.materials), context.allocUpload(data.components),
      context.allocUpload(data.points, {Nuclides, Points}), context.allocUpload(data.grid),
      context.allocUpload(data.below, {std::ssize(data.grid), Nuclides})};
  auto sections = c.zeros<double>({lookups, Channels}),
       sectionsTwin = c.zeros<double>({lookups, Channels});
  const spl::Kernel kernel = c.load("programs/xsbench/xsbench.spl")["look_up"];
  c.measure({.ours = [&] { c.launch(kernel, {.global = {lookups}}, onDevice, seed, sections); },
             .twin = [&] { twin(data, seed, host(sectionsTwin), lookups); },
             .compare = [&] { c.expectNear("sections", sections, sectionsTwin, 1e-9); }});
}

} // namespace bench::programs
