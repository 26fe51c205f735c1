// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the list of devices, and how environment variables choose one.
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/Environment.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <set>

using namespace spl;
using spl::test::Environment;
using spl::test::FakeDriver;
using spl::test::textOf;
using spl::test::thrownBy;

namespace {

class Devices : public testing::Test {
protected:
  ~Devices() override { test::useCudaLibrary(nullptr); }

  /// Hides the CUDA driver of this machine, if it has one.
  void hideCuda() { test::useCudaLibrary("libspl-no-such-driver.so.1"); }

  Environment backend{"SPL_BACKEND", std::nullopt};
  Environment device{"SPL_DEVICE", std::nullopt};
};

} // namespace

TEST_F(Devices, ListsEveryBackendWithItsReason) {
  hideCuda();
  std::vector<BackendStatus> all = detectBackends();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(toString(all[0].backend), "cuda");
  EXPECT_FALSE(all[0].available);
  EXPECT_EQ(all[0].reason.find("no CUDA driver is installed (libspl-no-such-driver.so.1"), 0u)
      << all[0].reason;
  EXPECT_EQ(toString(all[1].backend), "cpu");
  EXPECT_TRUE(all[1].available);
  EXPECT_EQ(all[1].reason, "");
}

TEST_F(Devices, AutoTakesTheCpuWhereCudaCannotBeUsed) {
  hideCuda();
  EXPECT_EQ(preferredBackend(), Backend::Cpu);
  EXPECT_EQ(Context::makeDefault().backend(), Backend::Cpu);
  Environment chosen("SPL_BACKEND", "auto");
  EXPECT_EQ(Context::makeDefault().backend(), Backend::Cpu);
}

TEST_F(Devices, AutoTakesCudaWhereItCanBeUsed) {
  FakeDriver fake;
  EXPECT_EQ(preferredBackend(), Backend::Cuda);
  EXPECT_EQ(Context::makeDefault().device().name, "PTX interpreter");
}

TEST_F(Devices, TheEnvironmentChoosesTheBackend) {
  FakeDriver fake;
  Environment chosen("SPL_BACKEND", "cpu");
  EXPECT_EQ(Context::makeDefault().backend(), Backend::Cpu);
}

TEST_F(Devices, ABackendThatIsAskedForIsNeverReplaced) {
  hideCuda();
  {
    Environment chosen("SPL_BACKEND", "cuda");
    Error error = thrownBy([] { Context::makeDefault(); });
    EXPECT_EQ(error.code(), ErrorCode::BackendUnavailable);
    EXPECT_EQ(error.message().find("the cuda backend cannot be used here: no CUDA driver is "
                                   "installed"),
              0u);
    EXPECT_NE(std::string(error.what()).find("; set SPL_BACKEND to another backend, or to auto"),
              std::string::npos);
  }
  EXPECT_EQ(thrownBy([] { devices(Backend::Cuda); }).code(), ErrorCode::BackendUnavailable);
}

TEST_F(Devices, AnUnknownBackendIsAnErrorThatListsTheKnown) {
  for (const char *name : {" ", "CPU", "gpu", "cud", "vulkan"}) {
    Environment chosen("SPL_BACKEND", name);
    Error error = thrownBy([] { Context::makeDefault(); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    const std::string known = "'; the backends are auto, cuda and cpu";
    EXPECT_EQ(error.message(), "SPL_BACKEND is '" + std::string(name) + known);
    EXPECT_EQ(thrownBy([] { preferredBackend(); }).message(), error.message());
    EXPECT_EQ(thrownBy([&] { chooseBackend(name); }).message(),
              "there is no backend '" + std::string(name) + known);
  }
}

TEST_F(Devices, EmptyVariablesChooseNothing) {
  FakeDriver fake;
  Environment backend("SPL_BACKEND", ""), device("SPL_DEVICE", "");
  EXPECT_EQ(preferredBackend(), Backend::Cuda);
  Context context = Context::makeDefault();
  EXPECT_EQ(context.backend(), Backend::Cuda);
  EXPECT_EQ(context.device().index, 0);
}

TEST_F(Devices, TheEnvironmentChoosesTheDevice) {
  FakeDriver fake;
  fake->deviceCount = 3;
  Environment chosen("SPL_DEVICE", "2");
  EXPECT_EQ(Context::makeDefault().device().index, 2);
}

TEST_F(Devices, ADeviceThatIsNotThereIsAnErrorThatListsThose) {
  FakeDriver fake;
  fake->deviceCount = 2;
  EXPECT_EQ(textOf([] { Context::make(Backend::Cuda, 2); }),
            "the cuda backend has no device 2; its devices are 0 (PTX interpreter) and 1 (PTX "
            "interpreter)");
  EXPECT_EQ(thrownBy([] { Context::make(Backend::Cpu, -1); }).code(),
            ErrorCode::BackendUnavailable);
  EXPECT_EQ(thrownBy([] { Context::make(Backend::Cpu, 1); }).code(), ErrorCode::BackendUnavailable);
}

TEST_F(Devices, ADeviceThatIsNoNumberIsAnError) {
  hideCuda();
  for (const char *text : {" ", "x", "-1", "1x", " 1", "99999999999"}) {
    Environment chosen("SPL_DEVICE", text);
    Error error = thrownBy([] { Context::makeDefault(); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument) << text;
    EXPECT_EQ(error.message(), "SPL_DEVICE is '" + std::string(text) +
                                   "'; it must be the index of a device, 0 or more");
  }
}

TEST_F(Devices, DescribesTheCpu) {
  std::vector<DeviceInfo> all = devices(Backend::Cpu);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].index, 0);
  EXPECT_FALSE(all[0].name.empty());
  EXPECT_GT(all[0].memoryTotal, std::uint64_t{64} << 20);
  EXPECT_GT(all[0].memoryFree, 0u);
  EXPECT_GE(all[0].computeUnits, 1);
  EXPECT_EQ(all[0].capability, 0);
}

TEST_F(Devices, InstancesOfOneCardHaveUuidsOfTheirOwn) {
  for (const char *library : {SPL_FAKE_CUDA, SPL_FAKE_CUDA_11, SPL_FAKE_CUDA_OLD}) {
    FakeDriver fake(library);
    fake->deviceCount = 3;
    std::set<std::string> uuids;
    for (const DeviceInfo &device : devices(Backend::Cuda)) {
      EXPECT_EQ(device.problem, "");
      EXPECT_EQ(device.uuid.substr(2), "112233-4455-6677-8899-aabbccddeeff") << library;
      uuids.insert(device.uuid);
    }
    EXPECT_EQ(uuids.size(), 3u) << library;
  }
}

TEST_F(Devices, DescribesAGpu) {
  FakeDriver fake;
  std::vector<DeviceInfo> all = devices(Backend::Cuda);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "PTX interpreter");
  EXPECT_EQ(all[0].memoryTotal, std::uint64_t{1} << 30);
  EXPECT_EQ(all[0].memoryFree, std::nullopt);
  EXPECT_EQ(all[0].computeUnits, 132);
  EXPECT_EQ(all[0].capability, 90);
  EXPECT_EQ(all[0].driverVersion, 13000);
  EXPECT_EQ(all[0].uuid, "00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(all[0].limits.numGroups, (std::array<std::int64_t, 3>{2147483647, 65535, 65535}));
  EXPECT_EQ(all[0].limits.sharedBytes, 232448);
  EXPECT_EQ(fake.complaints(), "") << "asking opened a device";
}
