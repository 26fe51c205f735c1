// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Parallel.h"
#include "test/unit/OneProcessor.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <new>
#include <vector>

namespace spl::test {
namespace {

using codegen::forEachInParallel;

TEST(Parallel, RunsEachStepOnce) {
  std::vector<int> runs(1000);
  llvm::Error error = forEachInParallel(runs.size(), [&](size_t number) {
    ++runs[number];
    return llvm::Error::success();
  });
  EXPECT_FALSE(bool(error));
  EXPECT_EQ(runs, std::vector<int>(1000, 1));
}

TEST(Parallel, HasNoStepsToRun) {
  llvm::Error error = forEachInParallel(0, [](size_t) -> llvm::Error { abort(); });
  EXPECT_FALSE(bool(error));
}

TEST(Parallel, ReturnsTheErrorOfTheLowestNumberAfterAllSteps) {
  std::atomic<int> runs = 0;
  llvm::Error error = forEachInParallel(50, [&](size_t number) -> llvm::Error {
    ++runs;
    if (number < 20)
      return llvm::Error::success();
    return llvm::createStringError("step " + std::to_string(number));
  });
  EXPECT_EQ(llvm::toString(std::move(error)), "step 20");
  EXPECT_EQ(runs, 50);
}

TEST(Parallel, ReturnsACrashAsAnError) {
  llvm::CrashRecoveryContext::Enable();
  std::vector<int> runs(50);
  llvm::Error error = forEachInParallel(runs.size(), [&](size_t number) {
    ++runs[number];
    if (number % 2 == 1)
      std::raise(SIGSEGV);
    return llvm::Error::success();
  });
  llvm::CrashRecoveryContext::Disable();
  EXPECT_EQ(llvm::toString(std::move(error)), "it crashed");
  EXPECT_EQ(runs, std::vector<int>(50, 1));
}

TEST(Parallel, PassesOnThatThereIsTooLittleMemory) {
  for (size_t failing : {0, 20, 49})
    EXPECT_THROW((void)forEachInParallel(50,
                                         [&](size_t number) {
                                           if (number == failing)
                                             throw std::bad_alloc();
                                           return llvm::Error::success();
                                         }),
                 std::bad_alloc);
  // No step begins afterwards.
  const OneProcessor limit;
  int runs = 0;
  EXPECT_THROW((void)forEachInParallel(50,
                                       [&](size_t) -> llvm::Error {
                                         ++runs;
                                         throw std::bad_alloc();
                                       }),
               std::bad_alloc);
  EXPECT_EQ(runs, 1);
}

} // namespace
} // namespace spl::test
