// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs every scenario with each of its driver calls failing, once or from then on. In each case
// there must be an Error that names the call, all objects must be released, and no context may stay
// current.
#include "test/scenarios/Scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace spl;
using namespace spl::test;

namespace {

/// The results of the failing call, in turn.
constexpr int once[] = {1, 2, 4, 46, 100, 201, 209, 214, 222, 400, 500, 700, 701, 719, 999};
constexpr int fromThenOn[] = {1, 2, 4, 46, 214, 400, 700, 719, 999};

/// Calls whose failure may be ignored. If destructors make such a call and the program does too,
/// Cuda.AFailingCallIsNamed tests that the program gets the error.
bool mayBeIgnored(const std::string &call) {
  static const std::set<std::string> ignored = {
      // They release objects, mostly in destructors.
      "cuMemFree",
      "cuMemFreeHost",
      "cuMemFreeAsync",
      "cuStreamDestroy",
      "cuEventDestroy",
      "cuModuleUnload",
      "cuGraphDestroy",
      "cuGraphExecDestroy",
      "cuMemPoolDestroy",
      "cuDevicePrimaryCtxRelease",
      "cuCtxPopCurrent",
      // They come before calls that release objects. Those objects are released with the context.
      "cuCtxPushCurrent",
      // A destructor waits. The next call also returns an error of the work.
      "cuStreamSynchronize",
      "cuEventSynchronize",
      "cuCtxSynchronize",
      // Tests whether the work of a destroyed stream is done. If it fails, the stream is released
      // later.
      "cuStreamQuery",
      // Pool memory is freed in the order of several streams. Without events the host waits.
      "cuEventCreate",
      "cuEventRecord",
      "cuStreamWaitEvent",
      // Part of the message of another failure.
      "cuMemGetInfo",
      // Exempts a thread from the rules of a capture. There is none, or loading code fails in it.
      "cuThreadExchangeStreamCaptureMode",
      // Ends a capture that is abandoned.
      "cuStreamEndCapture",
  };
  return ignored.count(call) != 0;
}

/// Whether the error names the failing call, or one of those that failed after it.
bool namesOneOf(const Error &error, FakeDriver &fake, std::uint64_t number, bool onwards) {
  const std::vector<const char *> &calls = fake->callNames;
  const auto first = calls.begin() + static_cast<std::ptrdiff_t>(number - 1);
  return std::any_of(first, onwards ? calls.end() : first + 1, [&](const char *call) {
    return error.call() == call || std::string(error.what()).find(call) != std::string::npos;
  });
}

class Scenarios : public testing::TestWithParam<Scenario> {
protected:
  /// Runs the scenario while call \p number fails. Returns false if a check fails.
  bool holds(std::uint64_t number, int code, bool onwards) {
    FakeDriver fake;
    fake->deviceCount = 2;
    fake->failAt = number;
    fake->failsOnwards = onwards;
    fake->failingResult = code;
    const RunResult result = outcomeOf(GetParam(), fake);
    if (fake->callCount < number)
      return true; // the number of calls of several threads varies
    const std::string call = fake->callNames[number - 1];
    const std::string where = "call " + std::to_string(number) + " (" + call + ") gives " +
                              std::to_string(code) + (onwards ? " from then on" : "");
    EXPECT_EQ(result.other, "") << where;
    if (result.error)
      EXPECT_TRUE(namesOneOf(*result.error, fake, number, onwards || fake->lostContext) ||
                  (call == "cuInit" && code == 100) || mayBeIgnored(call))
          << where << ": " << result.error->what();
    else
      EXPECT_TRUE(mayBeIgnored(call)) << where << ", and nobody is told";

    EXPECT_EQ(fake->pushed, 0) << where;
    EXPECT_EQ(fake->misuses, std::vector<std::string>()) << where;
    // Some objects are released only with their context: if it could not be made current, or if
    // there was no wait for a stream that used them.
    if (call == "cuCtxPushCurrent" || call == "cuStreamSynchronize" ||
        call == "cuEventSynchronize" || call == "cuCtxSynchronize" || onwards)
      EXPECT_EQ(fake->live.count("context"), 0u) << where;
    else
      EXPECT_EQ(fake->live, (std::map<std::string, int>())) << where;
    return !HasFailure();
  }

  std::uint64_t countCalls() {
    FakeDriver fake;
    fake->deviceCount = 2;
    outcomeOf(GetParam(), fake);
    return fake->callCount;
  }
};

} // namespace

TEST_P(Scenarios, EndAsTheyShould) {
  FakeDriver fake;
  fake->deviceCount = 2;
  const RunResult result = outcomeOf(GetParam(), fake);
  EXPECT_FALSE(result.error) << result.error->what();
  EXPECT_EQ(result.other, "");
  EXPECT_EQ(fake.complaints(), "");
}

TEST_P(Scenarios, EndAsTheyShouldInAnyOrderOfStreams) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    FakeDriver fake;
    fake->deviceCount = 2;
    fake->seed = seed;
    const RunResult result = outcomeOf(GetParam(), fake);
    EXPECT_FALSE(result.error) << result.error->what();
    EXPECT_EQ(result.other, "") << seed;
    EXPECT_EQ(fake.complaints(), "") << seed;
  }
}

TEST_P(Scenarios, SurviveEachCallsFailure) {
  const std::uint64_t calls = countCalls();
  for (std::uint64_t number = 1; number <= calls; ++number)
    for (int code : once)
      if (!holds(number, code, /*onwards=*/false))
        return;
}

TEST_P(Scenarios, SurviveEveryFurtherCallsFailure) {
  const std::uint64_t calls = countCalls();
  for (std::uint64_t number = 1; number <= calls; ++number)
    for (int code : fromThenOn)
      if (!holds(number, code, /*onwards=*/true))
        return;
}

TEST(ScenarioList, IsLongAndCallsNearlyEveryFunction) {
  EXPECT_GE(scenarios().size(), 40u);
  std::set<std::string> called;
  for (const Scenario &scenario : scenarios()) {
    FakeDriver fake;
    fake->deviceCount = 2;
    outcomeOf(scenario, fake);
    called.insert(fake->callNames.begin(), fake->callNames.end());
  }
  std::vector<std::string> missing;
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  if (!called.count(NAME))                                                                         \
    missing.push_back(NAME);
#include "runtime/backends/cuda/DriverTable.def"
  EXPECT_EQ(missing, (std::vector<std::string>{"cuGetErrorName", "cuGetErrorString"}))
      << "functions of which no failure is tried";
}

INSTANTIATE_TEST_SUITE_P(All, Scenarios, testing::ValuesIn(scenarios()),
                         [](const auto &info) { return std::string(info.param.name); });
