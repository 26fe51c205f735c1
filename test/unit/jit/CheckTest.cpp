// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests checked launches: jit::Options::instrument, SPL_CHECK=1, and the errors of both.
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/jit/ErrorOf.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <spl/spl.h>

using namespace spl;
using spl::test::errorOf;

namespace {

const char *const kernels = "#[gpu]\n"
                            "fn racy(a: &mut [i32]):\n"
                            "    val i = gpu.global_id()\n"
                            "    a[i / 2] = i as i32\n"
                            "\n"
                            "#[gpu]\n"
                            "fn clean(a: &mut [i32]):\n"
                            "    val i = gpu.global_id()\n"
                            "    if i < a.len():\n"
                            "        a[i] *= 2\n"
                            "\n"
                            "#[gpu]\n"
                            "fn outside(a: &mut [i32]):\n"
                            "    a[gpu.global_id()] = 1\n"
                            "\n"
                            "#[gpu]\n"
                            "fn both(a: &mut [i32]):\n"
                            "    a[gpu.global_id() / 2] = 1\n";

/// Sets an environment variable while it exists.
struct Environment {
  explicit Environment(const char *name, const char *value) : name(name) {
    setenv(name, value, /*overwrite=*/1);
  }
  ~Environment() { unsetenv(name); }
  const char *name;
};

class Checked : public ::testing::Test {
protected:
  Module load(jit::Options options = {.instrument = true}) const {
    options.cache = false;
    return jit::loadSource(context, kernels, "k.spl", options);
  }
  std::optional<Error> launch(const Module &module, const char *kernel, std::int64_t items) {
    return errorOf(
        [&] { context.launch(module[kernel], {.global = {items}, .local = {4}}, array); });
  }

  Context context = Context::make(Backend::Cpu);
  Array<std::int32_t> array = context.allocUpload<std::int32_t>({1, 2, 3, 4});
};

TEST_F(Checked, ARaceIsAnError) {
  const auto error = launch(load(), "racy", 4);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::CheckFailed);
  EXPECT_EQ(error->fault(), nullptr);
  ASSERT_EQ(error->findings().size(), 1u);
  const Finding &race = error->findings().front();
  EXPECT_EQ(race.kind, FindingKind::RaceGlobal);
  EXPECT_EQ(race.name, "race-global");
  EXPECT_EQ(race.element, "a[0]");
  EXPECT_EQ(race.count, 2u);
  ASSERT_EQ(race.places.size(), 2u);
  for (const FindingPlace &place : race.places)
    EXPECT_EQ(place.where(), "k.spl:4:5");
  EXPECT_EQ(race.places[0].workItem[0], 1);
  EXPECT_EQ(race.places[1].workItem[0], 0);
  const std::string text = error->what();
  EXPECT_NE(text.find(race.diagnostic()), text.npos) << text;
  EXPECT_NE(text.find("work-item (1, 0, 0) of group (0, 0, 0) stores"), text.npos) << text;
}

TEST_F(Checked, WithoutFindingsTheResultIsThatOfAnOtherLaunch) {
  EXPECT_FALSE(launch(load(), "clean", 8));
  EXPECT_EQ(array.download(), (std::vector<std::int32_t>{2, 4, 6, 8}));
}

TEST_F(Checked, FaultsAloneAreAKernelFault) {
  const auto error = launch(load(), "outside", 12);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::KernelFault);
  ASSERT_TRUE(error->fault());
  EXPECT_EQ(error->fault()->value, 4);
  ASSERT_EQ(error->findings().size(), 1u);
  EXPECT_EQ(error->findings().front().kind, FindingKind::Fault);
  EXPECT_EQ(error->findings().front().name, "index-out-of-bounds");
  EXPECT_EQ(error->findings().front().count, 2u); // one of each of two groups
}

TEST_F(Checked, AFaultAndARaceAreBothListed) {
  const auto error = launch(load(), "both", 12);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::CheckFailed);
  ASSERT_EQ(error->findings().size(), 2u);
  EXPECT_EQ(error->findings()[0].name, "race-global");
  EXPECT_EQ(error->findings()[1].name, "index-out-of-bounds");
}

TEST_F(Checked, ChecksStayEvenIfTheOptionsOmitThem) {
  const auto error = launch(load({.checks = "none", .instrument = true}), "outside", 8);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::KernelFault);
}

TEST_F(Checked, AStreamThrowsWhereItIsWaitedFor) {
  const Module module = load();
  const Stream stream = context.makeStream();
  context.launchAsync(stream, module["racy"], {.global = {4}, .local = {4}}, array);
  const auto error = errorOf([&] { stream.sync(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::CheckFailed);
  EXPECT_EQ(error->findings().size(), 1u);
  EXPECT_FALSE(launch(module, "clean", 4)) << "the context stays usable";
}

TEST_F(Checked, TheEnvironmentDoesItForAProgramThatKnowsNothing) {
  EXPECT_FALSE(launch(load({}), "racy", 4));
  const Environment check("SPL_CHECK", "1");
  const auto error = launch(load({}), "racy", 4);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::CheckFailed);
}

TEST_F(Checked, TheEnvironmentHasZeroOrOne) {
  {
    const Environment check("SPL_CHECK", "0");
    EXPECT_FALSE(launch(load({}), "racy", 4));
  }
  const Environment check("SPL_CHECK", "on");
  const auto error = errorOf([&] { load({}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::InvalidArgument);
}

TEST(CheckedOnCuda, IsRefusedAndTheEnvironmentIsIgnored) {
  const test::FakeDriver fake;
  const Context context = Context::make(Backend::Cuda);
  const auto error =
      errorOf([&] { jit::loadSource(context, kernels, "k.spl", {.instrument = true}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::InvalidArgument);
  const Environment check("SPL_CHECK", "1");
  const Module module = jit::loadSource(context, kernels, "k.spl", {.cache = false});
  auto array = context.allocUpload<std::int32_t>({1, 2, 3, 4});
  context.launch(module["racy"], {.global = {4}, .local = {4}}, array);
  context.sync();
}

} // namespace
