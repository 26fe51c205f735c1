// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Target.h"
#include "codegen/targets/nvptx/Archs.h"
#include <gtest/gtest.h>

namespace spl::codegen {
namespace {

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<TargetSpec> spec = TargetSpec::parse(text);
  return spec ? "no error" : llvm::toString(spec.takeError());
}

TEST(TargetSpec, EveryArchitectureParsesAndPrintsTheSame) {
  ASSERT_FALSE(nvptxArchs().empty());
  for (const NvptxArch &arch : nvptxArchs()) {
    llvm::Expected<TargetSpec> spec = TargetSpec::parse(arch.name);
    ASSERT_TRUE(bool(spec));
    EXPECT_EQ(spec->target->name(), "nvptx");
    EXPECT_EQ(spec->str(), arch.name.str());
  }
}

TEST(TargetSpec, CpuByNameOrTheHostsOwn) {
  for (const char *text : {"cpu", "cpu:znver4", "cpu:x86-64-v3"}) {
    llvm::Expected<TargetSpec> spec = TargetSpec::parse(text);
    ASSERT_TRUE(bool(spec)) << text;
    EXPECT_EQ(spec->target->name(), "cpu");
    EXPECT_EQ(spec->str(), text);
  }
}

TEST(TargetSpec, UnknownTargetsAreErrorsThatSayWhatThereIs) {
  EXPECT_NE(errorOf("sm_70").find("unknown target 'sm_70'; the targets are sm_75, sm_80"),
            std::string::npos);
  for (const char *text : {"", "sm_", "sm_999", "sm_90b", "SM_90", "sm_90 ", "gpu", "cpux"})
    EXPECT_NE(errorOf(text).find("unknown target"), std::string::npos) << text;
  for (const char *text : {"sm80", "SM_80", "sm-80", "compute_80"})
    EXPECT_EQ(errorOf(text), "unknown target '" + std::string(text) + "'; did you mean 'sm_80'?");
  EXPECT_NE(errorOf("cpu:").find("name must follow"), std::string::npos);
  EXPECT_NE(errorOf("cpu:nosuch").find("unknown CPU 'nosuch'"), std::string::npos);
  EXPECT_NE(errorOf("vulkan1.2").find("not in this version"), std::string::npos);
}

TEST(TargetSpec, EntriesOnTheCpuMeetNoFunctionOfTheHost) {
  EXPECT_EQ(llvm::cantFail(TargetSpec::parse("cpu"))->entrySymbol("memset"), "spl_entry_memset");
  EXPECT_EQ(llvm::cantFail(TargetSpec::parse("sm_90"))->entrySymbol("memset"), "memset");
}

} // namespace
} // namespace spl::codegen
