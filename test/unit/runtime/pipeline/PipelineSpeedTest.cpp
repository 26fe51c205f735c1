// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the speed-up of a pipeline. The stages sleep instead of computing, so that the number of
// cores does not matter. A busy machine wakes them late. A failed measurement is therefore repeated
// with longer stages, for which the delay is smaller in proportion.
#include <spl/spl.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <sstream>
#include <thread>
#include <vector>

using namespace spl;
using Milliseconds = std::chrono::duration<double, std::milli>;

namespace {

constexpr int batches = 40;

using Lengths = std::array<Milliseconds, 3>;

/// Sleeps, and returns the measured time.
Milliseconds wait(Milliseconds length) {
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(length);
  return std::chrono::steady_clock::now() - start;
}

struct Times {
  Milliseconds wall{};
  Lengths inStages{};
};

/// Runs all batches through the stages in order, without a pipeline.
Times runSequentially(const Lengths &lengths) {
  Times run;
  for (int batch = 0; batch < batches; ++batch)
    for (std::size_t stage = 0; stage < 3; ++stage) {
      const Milliseconds spent = wait(lengths[stage]);
      run.inStages[stage] += spent;
      run.wall += spent;
    }
  return run;
}

Times runPipelined(const Lengths &lengths, std::size_t buffers) {
  Context context = Context::make(Backend::Cpu);
  Times run;
  auto stage = [&](std::size_t which) {
    return [&, which](std::size_t, std::size_t, const Stream &stream) {
      stream.call([&run, which, length = lengths[which]] { run.inStages[which] += wait(length); });
    };
  };
  Pipeline pipeline(context, {stage(0), stage(1), stage(2)}, {.buffers = buffers});
  const auto start = std::chrono::steady_clock::now();
  pipeline.run(batches);
  run.wall = std::chrono::steady_clock::now() - start;
  return run;
}

/// Whether the median of three calls of \p measure is at most \p limit, for some length of the
/// stages.
testing::AssertionResult isAtMost(double limit,
                                  const std::function<double(Milliseconds)> &measure) {
  std::ostringstream tried;
  for (double length : {3, 6, 12, 24, 48}) {
    std::vector<double> values;
    for (int i = 0; i < 3; ++i)
      values.push_back(measure(Milliseconds(length)));
    std::sort(values.begin(), values.end());
    if (values[1] <= limit)
      return testing::AssertionSuccess();
    tried << " " << values[1] << " with " << length << " ms";
  }
  return testing::AssertionFailure() << "more than " << limit << ":" << tried.str();
}

} // namespace

TEST(PipelineSpeed, ThreeBuffersTakeAThirdOfTheTimeOfStagesOfEqualLength) {
  EXPECT_TRUE(isAtMost(0.40, [](Milliseconds length) {
    const Lengths lengths = {length, length, length};
    return runPipelined(lengths, 3).wall / runSequentially(lengths).wall;
  }));
}

TEST(PipelineSpeed, StagesOfDifferentLengthTakeAsLongAsTheSlowest) {
  for (std::size_t slowest = 0; slowest < 3; ++slowest)
    EXPECT_TRUE(isAtMost(1.10,
                         [slowest](Milliseconds length) {
                           Lengths lengths = {length / 2, length / 3, length};
                           std::swap(lengths[2], lengths[slowest]);
                           const Times run = runPipelined(lengths, 3);
                           return run.wall / run.inStages[slowest];
                         }))
        << "the slowest stage is number " << slowest;
}

TEST(PipelineSpeed, FewerBuffersOverlapLess) {
  const Lengths lengths = {Milliseconds(2), Milliseconds(2), Milliseconds(2)};
  // A depth of 1 runs one batch at a time. With a depth of 2 a batch waits for the batch before the
  // previous one.
  EXPECT_GE(runPipelined(lengths, 1).wall, batches * 3 * lengths[0]);
  EXPECT_GE(runPipelined(lengths, 2).wall, batches / 2 * 3 * lengths[0]);
  EXPECT_TRUE(isAtMost(0.60, [](Milliseconds length) {
    const Lengths same = {length, length, length};
    return runPipelined(same, 2).wall / runSequentially(same).wall;
  }));
}
