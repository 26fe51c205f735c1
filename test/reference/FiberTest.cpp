// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/reference/Fiber.h"

#include <gtest/gtest.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

using spl::reference::Fiber;

namespace {

/// Where AddressSanitizer keeps the variables of what is running, or null without it.
void *fakeStack() {
#if defined(__SANITIZE_ADDRESS__)
  return __asan_get_current_fake_stack();
#else
  return nullptr;
#endif
}

} // namespace

TEST(Fiber, ResumesWhereItWasSuspended) {
  std::vector<int> order;
  Fiber *running = nullptr;
  Fiber fiber([&] {
    void *const own = fakeStack();
    for (int i = 0; i < 3; ++i) {
      order.push_back(i);
      running->suspend();
      EXPECT_EQ(fakeStack(), own);
    }
  });
  running = &fiber;
  void *const callers = fakeStack();
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(fiber.isDone());
    fiber.resume();
    EXPECT_EQ(fakeStack(), callers);
    order.push_back(10 + i);
  }
  EXPECT_TRUE(fiber.isDone());
  EXPECT_EQ(order, (std::vector<int>{0, 10, 1, 11, 2, 12, 13}));
}

TEST(Fiber, UnwindsItsBodyIfDestroyedWhileSuspended) {
  struct Guard {
    bool &isGone;
    ~Guard() { isGone = true; }
  };
  bool isGone = false, isReached = false;
  void *const callers = fakeStack();
  {
    Fiber *running = nullptr;
    Fiber fiber([&] {
      const Guard guard{isGone};
      running->suspend();
      isReached = true;
    });
    running = &fiber;
    fiber.resume();
    EXPECT_FALSE(isGone);
  }
  EXPECT_EQ(fakeStack(), callers);
  EXPECT_TRUE(isGone);
  EXPECT_FALSE(isReached);
}
