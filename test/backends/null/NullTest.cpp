// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the conformance tests that the null backend supports, and tests of its own.
#include "test/conformance/Conformance.h"

#include <algorithm>
#include <set>

using namespace spl;
using namespace spl::test;

namespace {

Backend nullBackend() { return chooseBackend("null"); }

/// The conformance tests that need only memory and streams.
const std::set<std::string> declaredTests = {
    "Conformance.FillsElementsOfEveryType",
    "Conformance.TransfersWholeArraysOnly",
    "Conformance.AlignsMemory",
    "Conformance.ReportsOutOfMemoryAndStaysUsable",
    "Conformance.RefusesShapesWithoutAMeaning",
    "Memory.OutOfMemoryNamesTheLargestArrays",
    "Memory.FillsElementsOfAnySizeInLargeArrays",
    "Memory.PinnedMemoryIsTheHostsToo",
    "Memory.TheDevicesOwnMemoryIsNotTheHosts",
    "Memory.ViewsShareRows",
    "Memory.ShapesChangeWithoutACopy",
    "Memory.UploadsTakeTheElementTypeOfTheirSource",
    "Memory.ExtentsAreLimitedAlsoInEmptyArrays",
    "Memory.CopiesNeedTheSameElements",
    "Memory.BorrowsAndGivesBackOnce",
    "Memory.ElementsMayHaveNoSize",
};

} // namespace

std::vector<Variant> spl::test::variants() {
  return {{.name = "null", .backend = nullBackend(), .isFake = false}};
}

TEST(NullBackend, IsFoundByItsName) {
  EXPECT_EQ(toString(nullBackend()), "null");
  EXPECT_TRUE(detectBackend(nullBackend()).available);
  EXPECT_EQ(devices(nullBackend()).size(), 1u);
  EXPECT_EQ(Context::make(nullBackend()).device().name, "null device");
  EXPECT_EQ(codeOf([] { Context::make(nullBackend(), 1); }), ErrorCode::BackendUnavailable);
}

TEST(NullBackend, RefusesLaunches) {
  const Context context = Context::make(nullBackend());
  const Module module = Module::load(context, HostCode{conformanceKernels(), nullptr});
  auto a = context.allocUpload<float>({1}), out = context.allocUpload<float>({2});
  auto launch = [&] {
    context.launch(module["vector_add"], {.global = {1}, .local = {1}}, a, a, out);
  };
  EXPECT_EQ(codeOf(launch), ErrorCode::UnsupportedOnTarget);
  EXPECT_EQ(messageOf(launch), "the null backend runs no kernels");
  EXPECT_EQ(out.download(), std::vector<float>{2});
}

TEST(NullBackend, RefusesGraphsPoolsAndStreamsOfOthers) {
  const Context context = Context::make(nullBackend());
  const Stream stream = context.makeStream();
  EXPECT_EQ(messageOf([&] { Graph::capture(stream, [] {}); }),
            "the null backend captures no graphs");
  EXPECT_EQ(messageOf([&] { context.makePool(); }), "the null backend has no memory pools");
  EXPECT_EQ(messageOf([&] { context.wrapStream(1); }),
            "the null backend has no streams of other libraries");
}

TEST(NullBackend, KeepsTheErrorsOfAStream) {
  const Context context = Context::make(nullBackend());
  const Stream stream = context.makeStream();
  stream.call([] { throw std::runtime_error("no data"); });
  EXPECT_EQ(messageOf([&] { stream.sync(); }), "no data");
  stream.sync();
}

/// Runs the tests of this file and the declared ones. Fails if a declared test does not exist.
int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string filter = "NullBackend.*";
  for (const std::string &test : declaredTests)
    filter += ":Backends/" + test + "/*";
  GTEST_FLAG_SET(filter, filter);
  const int status = RUN_ALL_TESTS();
  const testing::UnitTest &tests = *testing::UnitTest::GetInstance();
  int declared = 0;
  for (int i = 0; i < tests.total_test_suite_count(); ++i)
    if (std::string(tests.GetTestSuite(i)->name()) != "NullBackend")
      declared += tests.GetTestSuite(i)->successful_test_count();
  if (declared != static_cast<int>(declaredTests.size()))
    ADD_FAILURE() << "of " << declaredTests.size() << " declared tests " << declared << " passed";
  return status || declared != static_cast<int>(declaredTests.size());
}
