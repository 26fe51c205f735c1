// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Cubin.h"
#include "codegen/targets/nvptx/Toolkit.h"
#include "test/unit/codegen/Harness.h"
#include <gtest/gtest.h>

namespace spl::test {
namespace {

TEST(Cubin, KernelsAssembleForEveryGenerationAtEveryLevel) {
  if (codegen::findPtxas().empty())
    GTEST_SKIP() << "no ptxas";
  for (const char *target : {"sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"})
    for (unsigned level : {0, 2}) {
      codegen::Options options = optionsFor(target);
      options.optLevel = level;
      auto cubin = codegen::assembleCubin(ptx(std::string(vectorAdd) + saxpy, options), options);
      ASSERT_TRUE(bool(cubin)) << target << llvm::toString(cubin.takeError());
      EXPECT_TRUE(llvm::StringRef(cubin->image.data(), cubin->image.size())
                      .starts_with("\x7f"
                                   "ELF"));
    }
}

TEST(Cubin, WhatTheAssemblerSaysIsInTheError) {
  if (codegen::findPtxas().empty())
    GTEST_SKIP() << "no ptxas";
  auto image = codegen::assembleCubin("no ptx at all", optionsFor("sm_90"));
  ASSERT_FALSE(bool(image));
  std::string text = llvm::toString(image.takeError());
  EXPECT_NE(text.find("a tool failed: "), std::string::npos) << text;
  EXPECT_NE(text.find("Missing .version"), std::string::npos) << text;
}

TEST(Cubin, WithoutAnAssemblerTheErrorSaysHowToGetOne) {
  if (!codegen::findPtxas().empty())
    GTEST_SKIP() << "there is a ptxas";
  auto image = codegen::assembleCubin("", optionsFor("sm_90"));
  ASSERT_FALSE(bool(image));
  EXPECT_NE(llvm::toString(image.takeError()).find("install a CUDA toolkit"), std::string::npos);
}

} // namespace
} // namespace spl::test
