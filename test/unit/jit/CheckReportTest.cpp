// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests reportChecksOfFile and reportChecksOfSource.
#include "test/unit/jit/ErrorOf.h"
#include <gtest/gtest.h>

#include <spl/spl.h>

using namespace spl;
using spl::test::errorOf;

namespace {

const char *const kernels = "#[gpu]\n"
                            "fn fill(a: &mut [f32]):\n"
                            "    for i in gpu.grid_stride(a.len()):\n"
                            "        a[i] = 1\n"
                            "\n"
                            "#[gpu]\n"
                            "fn gather[T: Num](at: &[i32], a: &[T], out: &mut [T]):\n"
                            "    val i = gpu.global_id()\n"
                            "    if i < out.len():\n"
                            "        out[i] = a[at[i]]\n";

Context cpu() { return Context::make(Backend::Cpu); }

} // namespace

TEST(CheckReports, SayWhatBecameOfTheChecksOfEachKernel) {
  const auto reports =
      jit::reportChecksOfSource(cpu(), kernels, "k.spl", {.instances = {"gather[f32]"}});
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].kernel, "fill");
  EXPECT_EQ(reports[0].str(), "checks: 2 proved, 0 lifted into the launch contract, 0 left\n");
  EXPECT_EQ(reports[1].kernel, "gather[f32]");
  EXPECT_EQ(reports[1].proved, 1);
  EXPECT_EQ(reports[1].lifted, 1);
  ASSERT_EQ(reports[1].left.size(), 1u);
  const spl::abi::LeftCheck &left = reports[1].left[0];
  EXPECT_EQ(left.file, "k.spl");
  EXPECT_EQ(left.line, 10u);
  EXPECT_EQ(left.column, 18u);
  EXPECT_EQ(left.check, "index-out-of-bounds of 'a'");
  EXPECT_EQ(left.reason, "depends on memory: 'at'");
}

TEST(CheckReports, FollowTheOptions) {
  const Context context = cpu();
  const auto numbers = [&](const jit::Options &options) {
    jit::Options all = options;
    all.instances = {"gather[i32]"};
    return jit::reportChecksOfSource(context, kernels, "k.spl", all).at(1).str();
  };
  EXPECT_EQ(numbers({.checks = "none"}),
            "checks: 0 proved, 0 lifted into the launch contract, 0 left\n");
  EXPECT_EQ(numbers({.contracts = false}).substr(0, 59),
            "checks: 1 proved, 0 lifted into the launch contract, 2 left");
}

TEST(CheckReports, OfAFile) {
  const auto reports =
      jit::reportChecksOfFile(cpu(), std::string(SPL_EXAMPLES_FOLDER) + "/vector_add.spl");
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].str(), "checks: 1 proved, 2 lifted into the launch contract, 0 left\n");
}

TEST(CheckReports, ErrorsAreThoseOfLoading) {
  const Context context = cpu();
  auto error = errorOf([&] { jit::reportChecksOfSource(context, "fn f(", "bad.spl"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::CompileFailed);
  EXPECT_NE(std::string(error->what()).find("bad.spl:1"), std::string::npos) << error->what();

  error = errorOf([&] { jit::reportChecksOfFile(context, "/nothing/here.spl"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::CompileFailed);

  error = errorOf([&] { jit::reportChecksOfSource(context, kernels, "k.spl", {.optLevel = 4}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::InvalidArgument);
}
