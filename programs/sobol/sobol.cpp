// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <bit>

namespace programs {
namespace {

/// Of Joe and Kuo (2008): the coefficients of a primitive polynomial without the first and the last
/// one, and the first direction numbers, one for each degree.
struct Dimension {
  std::uint32_t coefficients;
  std::vector<std::uint32_t> first;
};
const std::vector<Dimension> Dimensions = {
    {0, {1}},          {1, {1, 3}},        {1, {1, 3, 1}},        {2, {1, 1, 1}},
    {1, {1, 1, 3, 3}}, {4, {1, 3, 5, 13}}, {2, {1, 1, 5, 5, 17}}, {4, {1, 1, 5, 5, 5}},
};

constexpr std::size_t Bits = 32;
using Directions = std::vector<std::uint32_t>; // Bits for each dimension

/// The first dimension has no polynomial: it is van der Corput's sequence.
Directions makeDirections() {
  Directions all;
  for (std::size_t k = 0; k < Bits; ++k)
    all.push_back(1u << (Bits - 1 - k));
  for (const Dimension &dimension : Dimensions) {
    const std::size_t degree = dimension.first.size();
    Directions v;
    for (std::size_t k = 0; k < degree; ++k)
      v.push_back(dimension.first[k] << (Bits - 1 - k));
    for (std::size_t k = degree; k < Bits; ++k) {
      std::uint32_t next = v[k - degree] ^ (v[k - degree] >> degree);
      for (std::size_t j = 1; j < degree; ++j)
        if (dimension.coefficients >> (degree - 1 - j) & 1)
          next ^= v[k - j];
      v.push_back(next);
    }
    all.insert(all.end(), v.begin(), v.end());
  }
  return all;
}

/// Each number from the one before it: they differ by one direction number (Antonov, Saleev, 1979).
std::vector<float> reference(const Directions &directions, std::size_t count) {
  std::vector<float> points;
  for (std::size_t first = 0; first < directions.size(); first += Bits) {
    std::uint32_t x = 0;
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back(static_cast<float>(x >> 8) / (1 << 24));
      x ^= directions[first + std::countr_one(i)];
    }
  }
  return points;
}

} // namespace

void sobol(Run &run) {
  const Directions directions = makeDirections();
  const auto dimensions = static_cast<std::int64_t>(directions.size() / Bits);
  const auto count = static_cast<std::int64_t>(run.scaled(2777));
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto table = context.allocUpload(directions, {dimensions, Bits});
  auto points = context.alloc<float>({dimensions, count});
  const spl::LaunchConfig some{.global = {count / 3, dimensions}}; // about 3 points a work-item
  run.launch(kernels["sobol"], some, table, points);
  run.expectEqual("points", points.download(), reference(directions, std::size_t(count)));
}

} // namespace programs
