// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context and a module on the fake driver, which must be left as it was found.
#pragma once

#include "test/conformance/Kernels.h"
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <optional>

namespace spl::test {

class Cuda : public testing::Test {
protected:
  void TearDown() override {
    module.reset();
    context.reset();
    EXPECT_EQ(fake.complaints(), "");
  }

  /// Makes the driver's \p call give \p result from now on.
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
