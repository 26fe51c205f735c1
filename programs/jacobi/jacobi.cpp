// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <utility>

namespace programs {
namespace {

constexpr int StepsAtOnce = 10; // before the host looks at the change
constexpr float SmallChange = 1e-7f;

struct Problem {
  std::size_t rows, cols;
  std::vector<float> charge, start;
};

/// The number of steps depends on the shorter side, which is the same at all scales.
Problem makeProblem(Run &run) {
  Problem problem{run.scaled(29), 19, {}, {}};
  for (std::size_t row = 0; row < problem.rows; ++row)
    for (std::size_t col = 0; col < problem.cols; ++col) {
      const bool edge = row == 0 || col == 0 || row == problem.rows - 1 || col == problem.cols - 1;
      problem.start.push_back(edge ? run.between(-1.0f, 3.0f) : 0);
      problem.charge.push_back(run.below(20) == 0 ? run.between(-1.0f, 1.0f) : 0);
    }
  return problem;
}

/// Returns the sum of the squares of the changes.
double referenceStep(const Problem &problem, const std::vector<float> &src,
                     std::vector<float> &dst) {
  double change = 0;
  for (std::size_t row = 1; row < problem.rows - 1; ++row)
    for (std::size_t col = 1; col < problem.cols - 1; ++col) {
      const std::size_t i = row * problem.cols + col;
      const float around = src[i - problem.cols] + src[i + problem.cols] + src[i - 1] + src[i + 1];
      dst[i] = (around + problem.charge[i]) / 4;
      change += double(dst[i] - src[i]) * (dst[i] - src[i]);
    }
  return change;
}

std::vector<float> reference(const Problem &problem) {
  std::vector<float> src = problem.start, dst = src;
  double change = 0;
  do {
    for (int step = 0; step < StepsAtOnce; ++step) {
      change = referenceStep(problem, src, dst);
      std::swap(src, dst);
    }
  } while (change > SmallChange);
  return src;
}

} // namespace

void jacobi(Run &run) {
  const Problem problem = makeProblem(run);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto rows = static_cast<std::int64_t>(problem.rows);
  const auto cols = static_cast<std::int64_t>(problem.cols);
  const auto charge = context.allocUpload(problem.charge, {rows, cols});
  auto src = context.allocUpload(problem.start, {rows, cols});
  auto dst = context.allocUpload(problem.start, {rows, cols});
  auto change = context.alloc<float>(1);
  do {
    for (int step = 0; step < StepsAtOnce; ++step) {
      change.fill(0);
      run.launch(kernels["relax"], {.global = {cols - 2, rows - 2}}, charge, src, dst, change);
      std::swap(src, dst);
    }
  } while (change.download()[0] > SmallChange);
  // The changes are added in another order, so that one of both may make ten more small steps.
  run.expectNear("values", src.download(), reference(problem), 1e-3);
}

} // namespace programs
