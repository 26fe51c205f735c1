// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests queries for backends and devices before a context is opened. A child process answers them,
// so that this process does not change.
#include "test/scenarios/Scenario.h"
#include "test/unit/Fork.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <unistd.h>

using namespace spl;
using namespace spl::test;

namespace {

/// Whether a context can be opened on CUDA and used.
bool usesCuda(FakeDriver &fake) {
  try {
    Opened opened;
    auto array = opened.context.allocUpload<std::int32_t>({1, 2, 3});
    opened.context.launch(opened.module["add"], {.global = {3}}, array, 4);
    if (array.download() != Ints{5, 6, 7})
      return false;
  } catch (const Error &) {
    return false;
  }
  return fake.complaints().empty();
}

void askForAll() {
  EXPECT_TRUE(detectBackends()[0].available);
  EXPECT_EQ(preferredBackend(), Backend::Cuda);
  EXPECT_EQ(devices(Backend::Cuda).size(), 3u);
}

/// A fixture with three devices and no context.
class Asking : public testing::Test {
protected:
  Asking() { fake->deviceCount = 3; }
  ~Asking() override { EXPECT_EQ(fake.complaints(), ""); }

  /// Discards the cached results of a child process.
  static void forget() { test::useCudaLibrary(SPL_FAKE_CUDA); }

  FakeDriver fake;
};

} // namespace

TEST_F(Asking, LeavesTheDriverToChildrenMadeByFork) {
  askForAll();
  EXPECT_EQ(fake->calls.count("cuInit"), 0u);
  EXPECT_TRUE(holdsInChild([&] {
    askForAll(); // asks a new child process
    return !testing::Test::HasFailure() && usesCuda(fake);
  }));
  EXPECT_TRUE(usesCuda(fake));
  EXPECT_FALSE(holdsInChild([&] { return usesCuda(fake); })) << "the test cannot fail";
}

TEST_F(Asking, LeavesNoProcessBehind) {
  askForAll();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(Asking, SaysWhatIsSaidWhereTheDriverIsInUse) {
  const std::vector<DeviceInfo> byChild = devices(Backend::Cuda);
  Context context = openCuda();
  const int before = fake->calls["cuDeviceGetName"];
  EXPECT_EQ(devices(Backend::Cuda), byChild);
  EXPECT_EQ(fake->calls["cuDeviceGetName"], before + 3);
  for (const DeviceInfo &each : byChild)
    EXPECT_EQ(each.problem, "");
  EXPECT_NE(byChild[1].uuid, byChild[2].uuid);
}

TEST_F(Asking, IsDirectWhereAnotherLibraryInitialisedTheDriver) {
  ASSERT_NE(detail::cudaDriver().driver, nullptr);
  forget(); // the runtime did not initialise the driver
  fake->calls.clear();
  EXPECT_TRUE(detectBackend(Backend::Cuda).available); // a child process could no longer answer
  EXPECT_EQ(fake->calls["cuDeviceGetName"], 3);
}

TEST_F(Asking, AChildMadeWhileAThreadAsksIsNotHeldUp) {
  std::jthread asking([] {
    detail::askCudaDriver(
        [](detail::Driver &) {
          usleep(300000);
          return std::string();
        },
        std::chrono::seconds(20));
  });
  usleep(50000);
  EXPECT_TRUE(holdsInChild([&] { return usesCuda(fake); }));
  asking.join();
  forget();
}

TEST_F(Asking, SurvivesEachCallsFailure) {
  const std::vector<DeviceInfo> whole = devices(Backend::Cuda);
  std::array<int, 3> failures{}; // for each device
  int refusals = 0;
  bool isOver = false;
  // Call 1 decides whether a child process is asked.
  for (std::uint64_t number = 2; !isOver; ++number) {
    forget();
    fake->failAt = fake->callCount + number;
    fake->failingResult = 999;
    const BackendStatus status = detectBackend(Backend::Cuda);
    if (!status.available) {
      ++refusals;
      EXPECT_EQ(status.reason.find("the CUDA driver does not start: cu"), 0u) << status.reason;
      EXPECT_NE(status.reason.find("CUDA_ERROR_UNKNOWN (999)"), std::string::npos);
      continue;
    }
    fake->failAt = 0;
    std::vector<DeviceInfo> found = devices(Backend::Cuda);
    ASSERT_EQ(found.size(), 3u);
    isOver = true;
    for (std::size_t i = 0; i < 3; ++i) {
      if (found[i].problem.empty()) {
        EXPECT_EQ(found[i], whole[i]) << number;
        continue;
      }
      EXPECT_TRUE(isOver) << "two devices have the trouble of one";
      isOver = false;
      ++failures[i];
      EXPECT_EQ(found[i].problem.find("unknown error (cuDevice"), 0u) << found[i].problem;
    }
  }
  fake->failAt = 0;
  EXPECT_EQ(refusals, 3);
  EXPECT_GT(failures[0], 10);
  EXPECT_EQ(failures[1], failures[0]);
  EXPECT_EQ(failures[2], failures[0]);
  EXPECT_TRUE(usesCuda(fake));
}

TEST_F(Asking, ListsASickDeviceWithItsReasonAndTheOthersCanBeUsed) {
  const DeviceInfo well = devices(Backend::Cuda)[2];
  forget();
  fake->sickDevice = 1;
  const auto expectListed = [&] {
    const std::vector<DeviceInfo> found = devices(Backend::Cuda);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].problem, "");
    EXPECT_EQ(found[1].problem, "unknown error (cuDeviceGetName: CUDA_ERROR_UNKNOWN, 999)");
    EXPECT_EQ(found[1].name, "unknown");
    EXPECT_EQ(found[1].index, 1);
    EXPECT_EQ(found[2], well);
  };
  expectListed();
  try {
    openCuda(1);
    FAIL() << "a sick device was opened";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::DriverError);
    EXPECT_EQ(error.call(), "cuDeviceGetName");
    EXPECT_EQ(error.context(), "cuda device 1");
  }
  Context third = openCuda(2);
  EXPECT_EQ(third.allocUpload<float>({1, 2}).download(), (std::vector<float>{1, 2}));
  expectListed(); // the driver is in use now
}

TEST_F(Asking, ADriverThatEndsTheProcessEndsTheChildAlone) {
  fake->deadlyCall = "cuInit";
  EXPECT_EQ(
      detectBackend(Backend::Cuda).reason,
      "the CUDA driver could not be probed: the child process that probes it ended by signal 6");
  EXPECT_EQ(preferredBackend(), Backend::Cpu);
  fake->deadlyCall.clear();
  EXPECT_TRUE(usesCuda(fake)) << "opening asks no child";
  EXPECT_TRUE(detectBackend(Backend::Cuda).available);
}

TEST(AskingAtOnce, ManyThreadsMayAskAndOpenAtOnce) {
  for (int round = 0; round < 20; ++round) {
    FakeDriver fake;
    fake->deviceCount = 3;
    std::atomic<int> right{0};
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 8; ++i)
        threads.emplace_back([&, i] {
          if (i == 7)
            openCuda();
          right += detectBackend(Backend::Cuda).available && devices(Backend::Cuda).size() == 3;
        });
    }
    EXPECT_EQ(right, 8);
    EXPECT_TRUE(usesCuda(fake));
  }
}
