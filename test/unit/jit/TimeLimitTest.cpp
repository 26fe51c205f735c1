// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests LaunchConfig::timeLimit on the CPU: which kernels it ends, which it does not, and which
// values are rejected.
#include "test/unit/jit/ErrorOf.h"
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <spl/spl.h>
#include <thread>

using namespace spl;
using spl::test::errorOf;
using namespace std::chrono_literals;

namespace {

const char *const waits = "#[gpu]\n"
                          "fn waits(gate: &mut [i32], out: &mut [i32]):\n"
                          "    out[gpu.global_id()] = 1\n"
                          "    while gpu.atomic_load(&gate[0]) == 0: pass\n"
                          "    out[gpu.global_id()] = 2\n";

class TimeLimits : public testing::Test {
protected:
  static jit::Options interruptible() {
    jit::Options options;
    options.interruptible = true;
    options.onWarning = [](const std::string &) {};
    return options;
  }
  static void expectTimeLimit(const std::optional<Error> &error) {
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::KernelFault);
    ASSERT_NE(error->fault(), nullptr);
    EXPECT_EQ(error->fault()->kind, FaultKind::TimeLimit);
    // The loop, or the first line of a group that began when the time was over.
    EXPECT_THAT(error->fault()->line, testing::AnyOf(4, 2));
    EXPECT_EQ(error->fault()->value, 50);
    EXPECT_EQ(error->fault()->sentence(), "the launch ran longer than its time limit of 50 ms");
  }

  const Context context = Context::make(Backend::Cpu);
  const Module module = jit::loadSource(context, waits, "waits.spl", interruptible());
  const Kernel kernel = module["waits"];
  Array<std::int32_t> gate = context.allocZeros<std::int32_t>(1);
  Array<std::int32_t> out = context.allocZeros<std::int32_t>(4);
  const LaunchConfig limited{.global = {4}, .local = {2}, .timeLimit = 50ms};
};

} // namespace

TEST_F(TimeLimits, EndALaunchAndLeaveTheContextUsable) {
  const auto start = std::chrono::steady_clock::now();
  expectTimeLimit(errorOf([&] { context.launch(kernel, limited, gate, out); }));
  EXPECT_GE(std::chrono::steady_clock::now() - start, 50ms);
  gate.upload({1});
  context.launch(kernel, limited, gate, out);
  EXPECT_EQ(out.download(), (std::vector<std::int32_t>{2, 2, 2, 2}));
}

TEST_F(TimeLimits, CountFromTheKernelsStart) {
  Stream stream = context.makeStream();
  stream.call([] { std::this_thread::sleep_for(100ms); });
  gate.upload({1});
  context.launchAsync(stream, kernel, limited, gate, out);
  stream.sync();
  EXPECT_EQ(out.download(), (std::vector<std::int32_t>{2, 2, 2, 2}));
}

TEST_F(TimeLimits, EndALaunchInAStream) {
  Stream stream = context.makeStream();
  context.launchAsync(stream, kernel, limited, gate, out);
  expectTimeLimit(errorOf([&] { stream.sync(); }));
}

TEST_F(TimeLimits, EndALaunchInAGraph) {
  Stream stream = context.makeStream();
  const Graph captured =
      Graph::capture(stream, [&] { context.launchAsync(stream, kernel, limited, gate, out); });
  GraphExec graph = captured.instantiate();
  graph.launch(stream);
  expectTimeLimit(errorOf([&] { stream.sync(); }));
}

TEST_F(TimeLimits, AreAnyLength) {
  gate.upload({1});
  LaunchConfig longest = limited;
  longest.timeLimit = std::chrono::milliseconds::max();
  context.launch(kernel, longest, gate, out);
  EXPECT_EQ(out.download(), (std::vector<std::int32_t>{2, 2, 2, 2}));
}

TEST_F(TimeLimits, AreRefusedWhereTheKernelCannotBeEnded) {
  const Module other = jit::loadSource(context, waits, "waits.spl");
  gate.upload({1});
  const auto error = errorOf([&] { context.launch(other["waits"], limited, gate, out); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::UnsupportedOnTarget);
  EXPECT_EQ(error->message(),
            "launch of waits: it has a time limit, and it was not compiled to be interruptible");
  EXPECT_EQ(error->hint(),
            "compile it with jit::Options::interruptible, or simple compile --interruptible");
  EXPECT_EQ(out.download(), (std::vector<std::int32_t>{0, 0, 0, 0}));
}

TEST_F(TimeLimits, AreNotNegative) {
  LaunchConfig negative = limited;
  negative.timeLimit = -1ms;
  const auto error = errorOf([&] { context.launch(kernel, negative, gate, out); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(error->message(), "launch of waits: timeLimit is -1 ms");
}
