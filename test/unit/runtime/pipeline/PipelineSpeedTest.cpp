// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much a pipeline gains. The stages wait instead of computing, so that the number of cores does
// not matter; a busy machine wakes them late, so a claim that does not hold is tried again with
// longer stages, beside which that is less.
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

/// Waits, and returns for how long by a clock of its own.
Milliseconds wait(Milliseconds length) {
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(length);
  return std::chrono::steady_clock::now() - start;
}

struct Times {
  Milliseconds wall{};
  Lengths inStages{};
};

/// All batches, one stage after another, without the pipeline.
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

/// Whether \p measure returns \p limit or less, as the median of three, for some length of stages.
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
  // One: a batch at a time. Two: a batch waits for the one before the last.
  EXPECT_GE(runPipelined(lengths, 1).wall, batches * 3 * lengths[0]);
  EXPECT_GE(runPipelined(lengths, 2).wall, batches / 2 * 3 * lengths[0]);
  EXPECT_TRUE(isAtMost(0.60, [](Milliseconds length) {
    const Lengths same = {length, length, length};
    return runPipelined(same, 2).wall / runSequentially(same).wall;
  }));
}
