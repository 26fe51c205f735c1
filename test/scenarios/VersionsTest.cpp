// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs every scenario on other versions of the driver and other devices. A missing feature of the
// driver is a clear error. All other features must work.
#include "test/scenarios/Scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace spl;
using namespace spl::test;

namespace {

class OtherVersions : public testing::TestWithParam<Scenario> {
protected:
  /// Runs the scenario and checks that it succeeds.
  void expectSound(FakeDriver &fake) {
    fake->deviceCount = 2;
    const RunResult result = outcomeOf(GetParam(), fake);
    EXPECT_FALSE(result.error) << result.error->what();
    expectNothingLeft(result, fake);
  }

  static void expectNothingLeft(const RunResult &result, FakeDriver &fake) {
    EXPECT_EQ(result.other, "");
    EXPECT_EQ(fake.complaints(), "");
  }

  /// Whether the scenario calls a function of a feature that this version lacks.
  bool needsMoreThan(int version) {
    FakeDriver fake;
    fake->deviceCount = 2;
    outcomeOf(GetParam(), fake);
    bool needsMore = false;
    [[maybe_unused]] auto look = [&](const std::string &feature, const char *name, int since) {
      // These features are optional.
      if (feature == "the UUIDs of devices" || feature == "lazy loading under control")
        return;
      needsMore |= since > version && fake->calls.count(name) != 0;
    };
#define SPL_DRIVER_FEATURE(FEATURE, MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                     \
  look(FEATURE, NAME, VERSION);
#include "runtime/backends/cuda/DriverTable.def"
    return needsMore;
  }
};

} // namespace

TEST_P(OtherVersions, ADriverOf114) {
  FakeDriver fake(SPL_FAKE_CUDA_11);
  expectSound(fake);
}

TEST_P(OtherVersions, ADriverWithoutPoolsAndGraphs) {
  constexpr int version = 11010;
  const bool isLost = needsMoreThan(version);
  FakeDriver fake;
  fake->driverVersion = version;
  if (!isLost)
    return expectSound(fake);
  fake->deviceCount = 2;
  const RunResult result = outcomeOf(GetParam(), fake);
  expectNothingLeft(result, fake);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->code(), ErrorCode::UnsupportedOnTarget) << result.error->what();
  EXPECT_TRUE(result.error->message() == "the CUDA driver is too old for graphs" ||
              result.error->message() == "the CUDA driver is too old for memory pools")
      << result.error->what();
  EXPECT_NE(result.error->hint().find("install a driver for CUDA 11."), std::string::npos)
      << result.error->hint();
  EXPECT_EQ(fake->calls.count("cuStreamBeginCapture"), 0u) << "a capture that leads nowhere";
}

TEST(OlderDrivers, SayThatGraphsAreMissingBeforeACaptureBegins) {
  FakeDriver fake;
  fake->driverVersion = 11030; // this version has graphs but no cuGraphInstantiateWithFlags
  Context context = openCuda();
  Stream stream = context.makeStream();
  try {
    Graph::capture(stream, [] { FAIL() << "the capture began"; });
    FAIL() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::UnsupportedOnTarget);
    EXPECT_EQ(error.hint(), "install a driver for CUDA 11.4 or later");
  }
  EXPECT_EQ(fake->calls.count("cuStreamBeginCapture"), 0u);
  stream.sync(); // the stream still works
}

TEST_P(OtherVersions, ADriverNewerThanTheLibrary) {
  FakeDriver fake;
  fake->driverVersion = 13090;
  expectSound(fake);
}

TEST_P(OtherVersions, ADeviceOfCapability75) {
  FakeDriver fake;
  fake->capability = 75;
  expectSound(fake);
}

INSTANTIATE_TEST_SUITE_P(All, OtherVersions, testing::ValuesIn(scenarios()),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(NewerDrivers, MayReturnUnknownValues) {
  FakeDriver fake;
  fake->driverVersion = 13090;
  Context context = openCuda();
  fake->failingCall = "cuMemAlloc";
  fake->failingResult = 12345;
  try {
    context.alloc<float>(1);
    FAIL() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::DriverError);
    EXPECT_EQ(error.call(), "cuMemAlloc");
    EXPECT_EQ(error.nativeCode(), 12345);
    EXPECT_EQ(error.nativeName(), "unknown CUDA error");
  }
  fake->failingCall.clear();
  EXPECT_EQ(context.allocUpload<float>({1}).download(), std::vector<float>{1});
}

TEST(NewerDrivers, NoDeviceIsNoBackend) {
  for (int initResult : {0, 100}) {
    FakeDriver fake;
    fake->initResult = initResult;
    fake->deviceCount = 0;
    EXPECT_FALSE(detectBackend(Backend::Cuda).available);
    EXPECT_THROW(openCuda(), Error);
    EXPECT_EQ(Context::makeDefault().backend(), Backend::Cpu);
    EXPECT_EQ(fake.complaints(), "");
  }
}
