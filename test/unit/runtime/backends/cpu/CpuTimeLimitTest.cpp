// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests how the runtime enforces time limits of launches on the CPU, in several threads, with
// entries written in C++. For compiled kernels see test/unit/jit/TimeLimitTest.cpp.
#include "test/conformance/HostAbi.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace spl;
using namespace spl::test;
using namespace std::chrono_literals;

using Id = std::int64_t;

static const spl_cpu_fault_site atLoop = {SPL_FAULT_TimeLimit, 4, 5, "waits.spl", ""};
static const spl_cpu_fault_site divisionByZero = {SPL_FAULT_DivisionByZero, 9, 5, "waits.spl", ""};

/// An endless interruptible loop. It tests the flag in each iteration.
static void waitForEver(const spl_cpu_launch *launch, const Id workItem[3]) {
  while (__atomic_load_n(&launch->hasStopped, __ATOMIC_RELAXED) == 0)
    std::this_thread::yield();
  spl_cpu_fault(launch, &atLoop, 0, 0, workItem);
}

static void waits(void *const *, const spl_cpu_launch *launch, Id begin, Id end) {
  forEachWorkItem(launch, begin, end, [&](Id x, Id y, Id z) {
    const Id workItem[3] = {x, y, z};
    waitForEver(launch, workItem);
  });
}

/// The first work-item faults. The others loop until they are stopped.
static void faultsWhileOthersWait(void *const *, const spl_cpu_launch *launch, Id begin, Id end) {
  forEachWorkItem(launch, begin, end, [&](Id x, Id y, Id z) {
    const Id workItem[3] = {x, y, z};
    if (x == 0)
      spl_cpu_fault(launch, &divisionByZero, 0, 0, workItem);
    waitForEver(launch, workItem);
  });
}

static void ends(void *const *, const spl_cpu_launch *, Id, Id) {}

namespace {

class CpuTimeLimits : public testing::Test {
protected:
  std::optional<Error> launch(spl_cpu_entry entry, std::chrono::milliseconds limit,
                              bool isInterruptible = true) {
    const Module module = Module::load(
        context,
        HostCode{
            .kernels = {{.signature = "k()", .entry = entry, .interruptible = isInterruptible}}});
    try {
      context.launch(module["k"], {.global = {64}, .local = {1}, .timeLimit = limit});
      return std::nullopt;
    } catch (const Error &error) {
      return error;
    }
  }

  const Context context = Context::make(Backend::Cpu);
};

} // namespace

TEST_F(CpuTimeLimits, EndEveryThreadOfALaunch) {
  const auto start = std::chrono::steady_clock::now();
  const auto error = launch(waits, 30ms);
  ASSERT_TRUE(error && error->fault());
  EXPECT_GE(std::chrono::steady_clock::now() - start, 30ms);
  EXPECT_EQ(error->fault()->kind, FaultKind::TimeLimit);
  EXPECT_EQ(error->fault()->line, 4);
  EXPECT_EQ(error->fault()->value, 30);
}

TEST_F(CpuTimeLimits, AFaultEndsWhatWaitsForIt) {
  const auto error = launch(faultsWhileOthersWait, 1h);
  ASSERT_TRUE(error && error->fault());
  EXPECT_EQ(error->fault()->kind, FaultKind::DivisionByZero);
  EXPECT_EQ(error->fault()->line, 9);
}

TEST_F(CpuTimeLimits, LeaveAloneWhatEnds) {
  for (int round = 0; round < 200; ++round)
    EXPECT_FALSE(launch(ends, 1h));
  EXPECT_FALSE(launch(ends, std::chrono::milliseconds::max()));
}

TEST_F(CpuTimeLimits, OfSeveralStreamsAtOnce) {
  const Module module = Module::load(
      context, HostCode{.kernels = {{.signature = "k()", .entry = waits, .interruptible = true}}});
  std::vector<Stream> streams;
  for (int i = 0; i < 4; ++i) {
    streams.push_back(context.makeStream());
    context.launchAsync(streams.back(), module["k"],
                        {.global = {2}, .local = {1}, .timeLimit = 20ms});
  }
  for (Stream &stream : streams)
    try {
      stream.sync();
      FAIL() << "the launch did not end by its limit";
    } catch (const Error &error) {
      EXPECT_EQ(error.code(), ErrorCode::KernelFault);
    }
}

TEST_F(CpuTimeLimits, AreRefusedForWhatCannotBeEnded) {
  const auto error = launch(ends, 1ms, /*isInterruptible=*/false);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::UnsupportedOnTarget);
}
