// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the LLVM options that the compiler changes for the whole process.
#include "test/unit/codegen/Harness.h"
#include "llvm/Support/CommandLine.h"
#include <cstdlib>
#include <gtest/gtest.h>

namespace spl::test {
namespace {

llvm::cl::opt<bool> *copyableElements() {
  llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup("slp-copyable-elements");
  return static_cast<llvm::cl::opt<bool> *>(option);
}

TEST(LlvmOptions, CompilingTurnsCopyableElementsOff) {
  ASSERT_NE(copyableElements(), nullptr) << "this LLVM has no such option: is it still needed?";
  llvmIr(vectorAdd, optionsFor("cpu"));
  EXPECT_FALSE(copyableElements()->getValue());
}

[[noreturn]] void compileWhereTheProgramTurnedThemOn() {
  const char *arguments[] = {"program", "-slp-copyable-elements=1"};
  llvm::cl::ParseCommandLineOptions(2, arguments);
  llvmIr(vectorAdd, optionsFor("cpu"));
  std::_Exit(copyableElements()->getValue() ? 0 : 1);
}

TEST(LlvmOptionsDeathTest, WhatTheProgramGaveStays) {
  // Runs in a new process, which has compiled nothing yet.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(compileWhereTheProgramTurnedThemOn(), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace spl::test
