// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

namespace programs {
namespace {

constexpr std::size_t Size = 100; // of a system
constexpr std::int64_t Most = 128;

/// All systems, one after the other.
struct Systems {
  std::size_t count;
  std::vector<float> lower, diagonal, upper, right;
};

Systems makeSystems(Run &run) {
  Systems systems{run.scaled(37), {}, {}, {}, {}};
  for (std::size_t i = 0; i < systems.count * Size; ++i) {
    systems.lower.push_back(i % Size == 0 ? 0 : run.between(-1.0f, 1.0f));
    systems.diagonal.push_back(run.between(2.5f, 4.0f));
    systems.upper.push_back(i % Size == Size - 1 ? 0 : run.between(-1.0f, 1.0f));
    systems.right.push_back(run.between(-9.0f, 9.0f));
  }
  return systems;
}

/// Thomas' algorithm: elimination from the first equation to the last, and substitution back.
std::vector<float> reference(const Systems &systems) {
  std::vector<double> upper(systems.upper.begin(), systems.upper.end());
  std::vector<double> x(systems.right.begin(), systems.right.end());
  for (std::size_t first = 0; first < x.size(); first += Size) {
    for (std::size_t i = first; i < first + Size; ++i) {
      const double lower = i == first ? 0 : systems.lower[i];
      const double diagonal = systems.diagonal[i] - (i == first ? 0 : lower * upper[i - 1]);
      x[i] = (x[i] - (i == first ? 0 : lower * x[i - 1])) / diagonal;
      upper[i] /= diagonal;
    }
    for (std::size_t i = first + Size - 1; i-- > first;)
      x[i] -= upper[i] * x[i + 1];
  }
  return {x.begin(), x.end()};
}

} // namespace

void tridiagonal(Run &run) {
  const Systems systems = makeSystems(run);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto count = static_cast<std::int64_t>(systems.count);
  const spl::Shape shape{count, std::int64_t(Size)};
  const auto lower = context.allocUpload(systems.lower, shape);
  const auto diagonal = context.allocUpload(systems.diagonal, shape);
  const auto upper = context.allocUpload(systems.upper, shape);
  const auto right = context.allocUpload(systems.right, shape);
  auto x = context.alloc<float>(shape);
  run.launch(kernels["solve"], {.global = {count * Most}, .local = {Most}}, lower, diagonal, upper,
             right, x);
  run.expectNear("x", x.download(), reference(systems), 1e-5);
}

} // namespace programs
