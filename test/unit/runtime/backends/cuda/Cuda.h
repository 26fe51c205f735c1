// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fixture with a context and a module on the fake driver. After a test all objects must be
// released.
#pragma once

#include "test/conformance/Kernels.h"
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <optional>

namespace spl::test {

/// A stream of another library, in the primary context of the first device. That context is current
/// to the thread while the object exists.
class ForeignStream {
public:
  ForeignStream() {
    driver.deviceGet(&device, 0);
    driver.primaryCtxRetain(&primary, device);
    driver.ctxPushCurrent(primary);
    driver.streamCreate(&handle, 1u, 0);
  }
  ~ForeignStream() {
    detail::CuContext ignored = nullptr;
    driver.streamDestroy(handle);
    driver.ctxPopCurrent(&ignored);
    driver.primaryCtxRelease(device);
  }
  ForeignStream(const ForeignStream &) = delete;
  ForeignStream &operator=(const ForeignStream &) = delete;

  const detail::Driver &driver = *detail::cudaDriver().driver;
  detail::CuStream handle = nullptr;

private:
  detail::CuDevice device = 0;
  detail::CuContext primary = nullptr;
};

class Cuda : public testing::Test {
protected:
  void TearDown() override {
    module.reset();
    context.reset();
    EXPECT_EQ(fake.complaints(), "");
  }

  /// From now on \p call fails with \p result.
  void failNow(const char *call, int result) {
    fake->failingCall = call;
    fake->failingResult = result;
    fake->callsBefore = 0;
  }

  FakeDriver fake;
  std::optional<Context> context = Context::make(Backend::Cuda);
  std::optional<Module> module = Module::load(*context, conformancePtx());
};

} // namespace spl::test
