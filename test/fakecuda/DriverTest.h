// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of the tests of the fake driver. A device's context is current during a test. After
// it, the fixture checks that every object was released.
#pragma once

#include "test/fakecuda/FakeDriver.h"

#include <gtest/gtest.h>

#include <functional>

namespace spl::test {

using namespace spl::detail;

class DriverTest : public testing::Test {
protected:
  void SetUp() override {
    fake->deviceCount = 2;
    ASSERT_NE(cudaDriver().driver, nullptr) << cudaDriver().reason;
    driver = cudaDriver().driver;
    context = open(0);
  }

  void TearDown() override {
    for (int i = opened; i-- > 0;) {
      CuContext popped;
      EXPECT_EQ(driver->ctxPopCurrent(&popped), CuResult::Success);
    }
    for (CuDevice device : retained)
      EXPECT_EQ(driver->primaryCtxRelease(device), CuResult::Success);
    EXPECT_EQ(fake->misuses, expectedMisuses);
    EXPECT_EQ(fake->live, (std::map<std::string, int>()));
    EXPECT_EQ(fake->pushed, 0);
  }

  /// Opens a device; its context is then current.
  CuContext open(int ordinal) {
    CuDevice device = 0;
    CuContext made = nullptr;
    EXPECT_EQ(driver->deviceGet(&device, ordinal), CuResult::Success);
    EXPECT_EQ(driver->primaryCtxRetain(&made, device), CuResult::Success);
    EXPECT_EQ(driver->ctxPushCurrent(made), CuResult::Success);
    retained.push_back(device);
    ++opened;
    return made;
  }

  CuStream makeStream(unsigned flags = 1) {
    CuStream stream = nullptr;
    EXPECT_EQ(driver->streamCreate(&stream, flags, 0), CuResult::Success);
    return stream;
  }

  CuEvent makeEvent(unsigned flags = 0) {
    CuEvent event = nullptr;
    EXPECT_EQ(driver->eventCreate(&event, flags), CuResult::Success);
    return event;
  }

  CuDevicePtr allocate(std::size_t bytes) {
    CuDevicePtr address = 0;
    EXPECT_EQ(driver->memAlloc(&address, bytes), CuResult::Success);
    return address;
  }

  /// Allocates page-locked memory for \p count numbers and sets each to 7.
  int *makePinned(std::size_t count) {
    void *address = nullptr;
    EXPECT_EQ(driver->memAllocHost(&address, count * sizeof(int)), CuResult::Success);
    std::fill_n(static_cast<int *>(address), count, 7);
    return static_cast<int *>(address);
  }

  CuModule load(const std::string &ptx) {
    CuModule module = nullptr;
    EXPECT_EQ(driver->moduleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr),
              CuResult::Success);
    return module;
  }

  CuFunction function(CuModule module, const char *name) {
    CuFunction found = nullptr;
    EXPECT_EQ(driver->moduleGetFunction(&found, module, name), CuResult::Success);
    return found;
  }

  /// Launches \p kernel with one thread and two arguments, a pointer and a number.
  CuResult launch(CuFunction kernel, CuDevicePtr address, int number, CuStream stream) {
    void *params[] = {&address, &number};
    return driver->launchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, params, nullptr);
  }

  int download(CuDevicePtr address) {
    int value = -1;
    EXPECT_EQ(driver->memcpyDtoH(&value, address, sizeof value), CuResult::Success);
    return value;
  }

  FakeDriver fake;
  const Driver *driver = nullptr;
  CuContext context = nullptr;
  std::vector<std::string> expectedMisuses;
  int opened = 0;

private:
  std::vector<CuDevice> retained;
};

/// Converts the code of a result that only tests use.
constexpr auto result(int code) { return static_cast<CuResult>(code); }

/// The kernel append(to, number) sets *to = 10 * *to + number. The digits show the order of
/// launches.
inline const char *const appendPtx = R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry append(.param .u64 to, .param .u32 number)
{
.reg .b32 %r<4>; .reg .b64 %rd;
ld.param.b64 %rd, [to];
ld.param.b32 %r1, [number];
ld.global.b32 %r2, [%rd];
mad.lo.s32 %r3, %r2, 10, %r1;
st.global.b32 [%rd], %r3;
ret;
})";

} // namespace spl::test
