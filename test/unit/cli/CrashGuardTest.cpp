// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/CrashGuard.h"
#include "cli/Failure.h"
#include "codegen/Parallel.h"
#include "test/unit/Sanitizers.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemAlloc.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>

using namespace spl;

namespace {

/// The diagnostics of a step that fails or crashes.
std::string saidOf(const std::function<bool()> &step) {
  driver::CompileOptions options;
  options.codegen.target = cantFail(codegen::TargetSpec::parse("sm_80"));
  driver::Compilation compilation(options);
  compilation.setText("k.spl", "#[gpu]\nfn k(out: &mut [i32]):\n    out[0] = 1\n");
  llvm::SmallVector<char, 0> output;
  EXPECT_TRUE(compilation.emit("mir", output));
  EXPECT_FALSE(cli::withoutCrash(compilation, step));
  std::string text;
  llvm::raw_string_ostream os(text);
  compilation.diagnostics().print(os, /*colour=*/false);
  return text;
}

} // namespace

TEST(CrashGuard, ReportsASignalAtAKernel) {
  EXPECT_EQ(saidOf([] { return std::raise(SIGSEGV) == 0; })
                .find("k.spl:2:4: error: internal compiler error: it "
                      "crashed [codegen-failed]"),
            0u);
}

TEST(CrashGuard, ReportsThatLlvmGivesUp) {
  EXPECT_NE(
      saidOf([]() -> bool { llvm::report_fatal_error("cannot select"); }).find("[codegen-failed]"),
      std::string::npos);
}

TEST(CrashGuard, LeavesAloneWhatReturns) {
  driver::Compilation compilation({});
  EXPECT_TRUE(cli::withoutCrash(compilation, [] { return true; }));
  EXPECT_FALSE(cli::withoutCrash(compilation, [] { return false; }));
  EXPECT_FALSE(compilation.diagnostics().hasErrors());
}

TEST(CrashGuard, PassesOnWhatIsThrown) {
  driver::Compilation compilation({});
  EXPECT_THROW(cli::withoutCrash(compilation, []() -> bool { throw std::runtime_error("x"); }),
               std::runtime_error);
}

// A step may have threads, so the test begins its process anew.
TEST(CrashGuardDeathTest, ReportsThatThereIsTooLittleMemory) {
  SPL_SKIP_UNDER_SANITIZERS("an allocation that is too large");
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto allocate = [](const std::function<void *(std::size_t)> &function) {
    driver::Compilation compilation({});
    cli::withoutCrash(compilation, [&] {
      llvm::Error error = codegen::forEachInParallel(2, [&](size_t) {
        return function(SIZE_MAX / 4) ? llvm::Error::success() : llvm::createStringError("none");
      });
      return !error;
    });
  };
  const char *const report = "simple: error: not enough memory \\[out-of-memory\\]";
  EXPECT_EXIT(allocate([](std::size_t size) { return operator new(size); }),
              testing::ExitedWithCode(cli::Failed), report);
  EXPECT_EXIT(allocate([](std::size_t size) { return llvm::safe_malloc(size); }),
              testing::ExitedWithCode(cli::Failed), report);
  driver::Compilation compilation({});
  EXPECT_TRUE(cli::withoutCrash(compilation, [] { return true; }));
  EXPECT_THROW(static_cast<void>(operator new(SIZE_MAX / 4)), std::bad_alloc);
}

TEST(LaunchGuard, LetsAStepOfTheCompilerFail) {
  const cli::LaunchGuard guard;
  llvm::Error error = codegen::forEachInParallel(
      1, [](size_t) -> llvm::Error { llvm::report_fatal_error("cannot select"); });
  EXPECT_EQ(llvm::toString(std::move(error)), "it crashed");
}

TEST(LaunchGuardDeathTest, LeavesOtherCrashesAsTheyAre) {
  const cli::LaunchGuard guard;
  EXPECT_EXIT(std::raise(SIGSEGV), testing::KilledBySignal(SIGSEGV), "");
}
