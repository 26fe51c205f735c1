// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the versions of kernels that are loaded when a launch first needs them.
#include "test/unit/runtime/backends/cuda/Cuda.h"

#include <spl/Graph.h>

#include <atomic>
#include <functional>
#include <thread>

using namespace spl;
using namespace spl::test;

/// Calls \p work while another library captures in the mode that forbids loading in all threads.
static void duringACapture(const std::function<void()> &work) {
  const ForeignStream other;
  detail::CuGraph graph = nullptr;
  constexpr int global = 0;
  ASSERT_EQ(other.driver.streamBeginCapture(other.handle, global), detail::CuResult::Success);
  work();
  EXPECT_EQ(other.driver.streamEndCapture(other.handle, &graph), detail::CuResult::Success);
  other.driver.graphDestroy(graph);
}

TEST_F(Cuda, LaunchesLeaveNothingToBeLoaded) {
  Stream stream = context->makeStream();
  auto x = context->allocZeros<float>(3), y = context->allocZeros<float>(3);
  Module fresh = Module::load(*context, test::conformancePtx());
  duringACapture(
      [&] { context->launchAsync(stream, fresh["saxpy"], {.global = {3}}, 2.0f, x, y); });
}

namespace {

/// A kernel whose version with all checks is compiled later. It adds 1 to each element, and the
/// version for launches that meet the contract adds 10.
class LaterVersions : public Cuda {
protected:
  static std::string ptx(const std::string &name, int number, const std::string &limits = "") {
    std::string text =
        ".version 6.3\n.target sm_75\n.address_size 64\n" +
        test::elementEntry(name, ".param .u32 most, .param .u64 out, .param .u64 out_len",
                           "ld.global.b32 %r1, [%rd3];\nadd.s32 %r1, %r1, " +
                               std::to_string(number) + ";\nst.global.b32 [%rd3], %r1;\n");
    return text.insert(text.find("{\n"), limits);
  }

  void load() {
    CompiledCode code{ptx("tell$unchecked", 10, ".maxntid 96\n"),
                      {Signature("tell(most: i32, x: &mut [i32]) unchecked if x.len() <= most")},
                      {"tell"}};
    code.compileLater = [this](const std::string &entry, std::int64_t groupSize) {
      ++compilations;
      EXPECT_EQ(entry, "tell");
      EXPECT_EQ(groupSize, 96);
      if (!failure.empty())
        throw Error({.code = ErrorCode::CompileFailed, .message = failure});
      return ptx(entry, 1, ".maxntid 96\n") + broken;
    };
    module = Module::load(*context, std::move(code));
  }

  /// What each element is after a launch: 10 if the contract is met.
  std::int32_t launched(std::int32_t most, std::int64_t groupSize = 3) {
    auto x = context->allocZeros<std::int32_t>(3);
    context->launch((*module)["tell"], {.global = {3}, .local = {groupSize}}, most, x);
    return x.download()[2];
  }

  std::atomic<int> compilations = 0;
  std::string failure, broken;
};

} // namespace

TEST_F(LaterVersions, AreCompiledByTheFirstLaunchThatNeedsThem) {
  load();
  EXPECT_EQ(launched(3), 10);
  EXPECT_EQ(compilations, 0);
  EXPECT_EQ(launched(2), 1);
  EXPECT_EQ(launched(2), 1);
  EXPECT_EQ(launched(3), 10);
  EXPECT_EQ(compilations, 1);
}

TEST_F(LaterVersions, AreNotNeededForAttributes) {
  load();
  const Kernel kernel = (*module)["tell"];
  EXPECT_EQ(kernel.attributes().groupSize, 96);
  EXPECT_GT(kernel.suggestedGroupSize(), 0);
  EXPECT_GT(kernel.occupancy(32).groupsPerUnit, 0);
  // The driver refuses a group that is too large, whether the contract is met or not.
  for (std::int32_t most : {2, 3})
    EXPECT_EQ(thrownBy([&] { launched(most, 97); }).code(), ErrorCode::LaunchRefused);
  EXPECT_EQ(compilations, 0);
}

TEST_F(LaterVersions, ThatCannotBeCompiledFailTheLaunch) {
  load();
  failure = "no memory";
  for (int launch = 1; launch != 3; ++launch) {
    const Error error = thrownBy([&] { launched(2); });
    EXPECT_EQ(error.code(), ErrorCode::CompileFailed);
    EXPECT_EQ(error.message(), "no memory");
    EXPECT_EQ(compilations, launch);
    EXPECT_EQ(launched(3), 10);
  }
  // The capture does not begin.
  const Stream stream = context->makeStream();
  EXPECT_EQ(thrownBy([&] { Graph::capture(stream, [] { FAIL(); }); }).code(),
            ErrorCode::CompileFailed);
  failure.clear();
  broken = "nonsense";
  EXPECT_EQ(thrownBy([&] { launched(2); }).code(), ErrorCode::InvalidImage);
  broken.clear();
  EXPECT_EQ(launched(2), 1);
}

TEST_F(LaterVersions, AreCompiledOnceIfSeveralThreadsNeedThem) {
  load();
  std::vector<std::thread> threads;
  std::atomic<int> sum = 0;
  for (int thread = 0; thread != 8; ++thread)
    threads.emplace_back([&, thread] { sum += launched(thread % 2 + 2); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sum, 4 * 1 + 4 * 10);
  EXPECT_EQ(compilations, 1);
}

TEST_F(LaterVersions, DoNotDisturbCapturesOfOthers) {
  load();
  const Stream stream = context->makeStream();
  auto x = context->allocZeros<std::int32_t>(3);
  duringACapture([&] {
    context->launchAsync(stream, (*module)["tell"], {.global = {3}, .local = {3}}, 2, x);
    EXPECT_EQ(compilations, 1);
  });
  stream.sync();
  EXPECT_EQ(x.download(), std::vector<std::int32_t>(3, 1));
}

TEST_F(LaterVersions, AreCompiledBeforeACapture) {
  load();
  const Stream stream = context->makeStream();
  auto x = context->allocZeros<std::int32_t>(3);
  const auto launch = [&] {
    EXPECT_EQ(compilations, 1);
    context->launchAsync(stream, (*module)["tell"], {.global = {3}, .local = {3}}, 2, x);
  };
  GraphExec exec = Graph::capture(stream, launch).instantiate();
  exec.launch(stream);
  stream.sync();
  EXPECT_EQ(x.download(), std::vector<std::int32_t>(3, 1));
  EXPECT_EQ(compilations, 1);
}

namespace {

/// The same kernel in a file of PTX, with the version with all checks behind a line "// spl.later".
class LaterEntries : public LaterVersions {
protected:
  static constexpr const char *signature =
      "// spl.kernel tell(most: i32, x: &mut [i32]) unchecked if x.len() <= most\n";

  /// The text of an entry without the directives in front of it.
  static std::string entry(const std::string &name, int number, const std::string &limits = "") {
    const std::string module = ptx(name, number, limits);
    return module.substr(module.find(".visible"));
  }
  static std::string file(const std::string &later = "tell", const std::string &limits = "") {
    return signature + ptx("tell$unchecked", 10, ".maxntid 96\n") + "// spl.later " + later + "\n" +
           entry("tell", 1, limits);
  }

  int loads() const { return fake->calls["cuModuleLoadDataEx"]; }
  /// The number of loads since then of the file, and then of the launch.
  void expectLoads(const std::string &text, int ofFile, int ofLaunch) {
    int before = loads();
    module = Module::load(*context, text);
    EXPECT_EQ(loads() - before, ofFile);
    before = loads();
    EXPECT_EQ(launched(3), 10);
    EXPECT_EQ(loads() - before, 0);
    for (int launch = 0; launch != 2; ++launch)
      EXPECT_EQ(launched(2), 1);
    EXPECT_EQ(loads() - before, ofLaunch);
  }
};

} // namespace

TEST_F(LaterEntries, AreLoadedByTheFirstLaunchThatNeedsThem) {
  expectLoads(file(), 1, 1);
  std::string windows;
  for (char c : file())
    windows += c == '\n' ? "\r\n" : std::string(1, c);
  expectLoads(windows, 1, 1);
  expectLoads(writeBundle({{{.target = "sm_75", .bytes = file(), .signatures = {}}}}), 1, 1);
}

TEST_F(LaterEntries, AreLoadedAtOnceUnlessTheyAreSeldomRun) {
  // Another name, the entry that most launches run, and lines in front of the directives.
  expectLoads(file("other"), 1, 0);
  expectLoads(file("tell$unchecked"), 1, 0);
  expectLoads("// spl.later tell\n" + file("other"), 1, 0);
  // Of several lines with one name, the parts belong together.
  expectLoads(file("tell") + "// spl.later tell\n.global .b32 unused;\n", 1, 1);
}

TEST_F(LaterEntries, AcceptTheGroupsOfTheOthers) {
  module = Module::load(*context, file());
  EXPECT_EQ((*module)["tell"].attributes().groupSize, 96);
  EXPECT_EQ(launched(2, 96), 1);
  EXPECT_EQ(thrownBy([&] { launched(2, 97); }).code(), ErrorCode::LaunchRefused);
  // A limit of their own stays.
  module = Module::load(*context, file("tell", ".maxntid 64\n"));
  EXPECT_EQ(launched(2, 64), 1);
  EXPECT_EQ(thrownBy([&] { launched(2, 96); }).code(), ErrorCode::LaunchRefused);
}

TEST_F(LaterEntries, ThatAreMissingOrDamagedFailTheLaunch) {
  std::string text = file();
  module = Module::load(*context, text.substr(0, text.find(".visible", text.find("spl.later"))));
  EXPECT_EQ(launched(3), 10);
  EXPECT_EQ(thrownBy([&] { launched(2); }).message(),
            "the image's signatures have a launch contract for a kernel 'tell' that is not in it");
  module = Module::load(*context, text + "nonsense");
  EXPECT_EQ(thrownBy([&] { launched(2); }).code(), ErrorCode::InvalidImage);
  EXPECT_EQ(launched(3), 10);
}

TEST_F(LaterEntries, AreLoadedBeforeACapture) {
  module = Module::load(*context, file());
  const int before = loads();
  const Stream stream = context->makeStream();
  auto x = context->allocZeros<std::int32_t>(3);
  Graph::capture(stream, [&] {
    EXPECT_EQ(loads() - before, 1);
    context->launchAsync(stream, (*module)["tell"], {.global = {3}, .local = {3}}, 2, x);
  });
  EXPECT_EQ(loads() - before, 1);
}
