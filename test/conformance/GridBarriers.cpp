// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of kernels with grid barriers. All groups meet at each one, in every stream and
// in graphs. A launch of more groups than run at once is refused before it starts. A fault ends the
// launch.
#include "test/conformance/Conformance.h"
#include "test/conformance/HostAbi.h"
#include "test/conformance/MeetingKernel.h"
#include "test/unit/runtime/Thrown.h"

#include <vector>

using namespace spl;
using namespace spl::test;

namespace {

using Ints = std::vector<std::int32_t>;

/// The same as meetingPtx. What is needed after a barrier is in memory, as in compiled code.
void meet(void *const *params, const spl_cpu_launch *launch, std::int64_t begin, std::int64_t end) {
  static const spl_cpu_fault_site check{SPL_FAULT_IndexOutOfBounds, 7, 12, "meet.spl", "a"};
  static const spl_cpu_fault_site barriers[2] = {
      {SPL_FAULT_GridBarrierMissed, 6, 5, "meet.spl", ""},
      {SPL_FAULT_GridBarrierMissed, 8, 5, "meet.spl", ""}};
  const auto at = param<std::int64_t>(params, 0);
  auto *a = param<std::int32_t *>(params, 1);
  const auto length = param<std::int64_t>(params, 2);
  auto *others = static_cast<std::int32_t *>(
      spl_cpu_scratch(launch, launch->localSize[0] * std::int64_t{sizeof(std::int32_t)}));
  forEachWorkItem(launch, begin, end, [&](std::int64_t x, std::int64_t, std::int64_t) { ++a[x]; });
  spl_cpu_grid_barrier(launch, &barriers[0]);
  forEachWorkItem(launch, begin, end, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::int64_t ids[] = {x, y, z};
    if (x == at)
      spl_cpu_fault(launch, &check, x, length, ids);
    others[x % launch->localSize[0]] = a[length - 1 - x];
  });
  spl_cpu_grid_barrier(launch, &barriers[1]);
  forEachWorkItem(launch, begin, end, [&](std::int64_t x, std::int64_t, std::int64_t) {
    a[x] += others[x % launch->localSize[0]];
  });
}

/// Group 0 waits at a barrier that the others do not reach.
void miss(void *const *, const spl_cpu_launch *launch, std::int64_t begin, std::int64_t) {
  static const spl_cpu_fault_site barrier{SPL_FAULT_GridBarrierMissed, 6, 5, "miss.spl", ""};
  if (begin == 0)
    spl_cpu_grid_barrier(launch, &barrier);
}

class GridBarriers : public Conformance {
protected:
  void SetUp() override {
    Conformance::SetUp();
    if (!context) // skipped
      return;
    kernel.emplace(Module::load(*context, image())["meet"]);
  }
  void TearDown() override {
    kernel.reset();
    Conformance::TearDown();
  }

  bool isCpu() const { return GetParam().backend == Backend::Cpu; }
  Image image() const {
    if (isCpu())
      return HostCode{
          {{"#[cooperative] meet(at: i64, a: &mut [i32])", meet}, {"#[cooperative] miss()", miss}},
          nullptr};
    return DeviceCode{meetingPtx, {}};
  }

  static Ints input() {
    Ints values(size);
    for (std::size_t i = 0; i != values.size(); ++i)
      values[i] = static_cast<std::int32_t>(i * i % 97);
    return values;
  }
  /// What a launch without a fault makes of the values.
  static Ints met(const Ints &before) {
    Ints after = before;
    for (std::size_t i = 0; i != before.size(); ++i)
      after[i] = before[i] + before[before.size() - 1 - i] + 2;
    return after;
  }

  void launch(const Stream &stream, Array<std::int32_t> &a, std::int64_t at = -1) {
    context->launchAsync(stream, *kernel, config, at, a);
  }

  /// 13 groups, on an array that is no power of two.
  static constexpr std::int64_t local = 9, size = 13 * local;
  const LaunchConfig config{.global = {size}, .local = {local}};
  std::optional<Kernel> kernel;
};

} // namespace

TEST_P(GridBarriers, AreReachedByAllGroups) {
  auto a = context->allocUpload<std::int32_t>(input());
  context->launch(*kernel, config, std::int64_t{-1}, a);
  EXPECT_EQ(a.download(), met(input()));
  if (fake)
    EXPECT_TRUE((*fake)->launches.back().isCooperative);
}

TEST_P(GridBarriers, OfTwoStreamsAreIndependent) {
  auto a = context->allocUpload<std::int32_t>(input()), b = context->allocUpload(met(input()));
  Stream first = context->makeStream(), second = context->makeStream();
  Ints ofA = input(), ofB = met(input());
  for (int round = 0; round != 20; ++round) {
    launch(first, a);
    launch(second, b);
    ofA = met(ofA);
    ofB = met(ofB);
  }
  first.sync();
  second.sync();
  EXPECT_EQ(a.download(), ofA);
  EXPECT_EQ(b.download(), ofB);
}

TEST_P(GridBarriers, InAGraphServeEachRunAndEachExec) {
  auto a = context->allocUpload<std::int32_t>(input()),
       b = context->allocUpload<std::int32_t>(input());
  Stream stream = context->makeStream(), other = context->makeStream();
  Graph graph = Graph::capture(stream, [&] {
    launch(stream, a);
    launch(stream, a);
  });
  GraphExec one = graph.instantiate(), two = graph.instantiate();
  two.setArguments(0, std::int64_t{-1}, b);
  two.setArguments(1, std::int64_t{-1}, b);
  for (int run = 0; run != 3; ++run) {
    one.launch(stream);
    two.launch(other);
  }
  stream.sync();
  other.sync();
  Ints expected = input();
  for (int round = 0; round != 6; ++round)
    expected = met(expected);
  EXPECT_EQ(a.download(), expected);
  EXPECT_EQ(b.download(), expected);
}

TEST_P(GridBarriers, AfterAFaultEndTheLaunchAndTheNextOneWorks) {
  auto a = context->allocUpload<std::int32_t>(input());
  Stream stream = context->makeStream();
  // The first work-item of a group, another one, and the last one of the launch.
  for (const std::int64_t at : {std::int64_t{0}, 4 * local, 4 * local + 3, size - 1}) {
    launch(stream, a, at);
    const Error error = thrownBy([&] { stream.sync(); });
    EXPECT_EQ(error.code(), ErrorCode::KernelFault);
    EXPECT_NE(std::string(error.what())
                  .find("meet.spl:7:12: error: index " + std::to_string(at) +
                        " is out of bounds for 'a' of length 117 [index-out-of-bounds]"),
              std::string::npos)
        << error.what();
    a.upload(input());
    launch(stream, a);
    stream.sync();
    EXPECT_EQ(a.download(), met(input()));
  }
}

TEST_P(GridBarriers, AfterAFaultInAGraphServeItsNextRun) {
  auto a = context->allocUpload<std::int32_t>(input());
  Stream stream = context->makeStream();
  GraphExec exec = Graph::capture(stream, [&] { launch(stream, a, 40); }).instantiate();
  exec.launch(stream);
  EXPECT_EQ(thrownBy([&] { stream.sync(); }).code(), ErrorCode::KernelFault);
  a.upload(input());
  exec.setArguments(0, std::int64_t{-1}, a);
  exec.launch(stream);
  stream.sync();
  EXPECT_EQ(a.download(), met(input()));
}

TEST_P(GridBarriers, RefuseMoreGroupsThanRunAtOnce) {
  const std::int64_t most = kernel->maxCooperativeGroups(256);
  EXPECT_GE(most, 1);
  EXPECT_GE(kernel->maxCooperativeGroups(32), most);
  EXPECT_EQ(kernel->maxCooperativeGroups(100000), 0);
  EXPECT_EQ(textOf([&] { kernel->maxCooperativeGroups(0); }),
            "maxCooperativeGroups of meet: groups of 0 work-items and 0 bytes of shared memory");
  EXPECT_EQ(textOf([&] { kernel->maxCooperativeGroups(1, -1); }),
            "maxCooperativeGroups of meet: groups of 1 work-items and -1 bytes of shared memory");
  auto a = context->allocUpload<std::int32_t>(input());
  Stream stream = context->makeStream();
  const LaunchConfig large{.global = {(most + 1) * 256}, .local = {256}};
  const std::string reason = isCpu() ? "each has a stack of its own" : "multiprocessors run ";
  const auto expectRefusal = [&](const std::function<void()> &call) {
    const Error error = thrownBy(call);
    EXPECT_EQ(error.code(), ErrorCode::LaunchRefused);
    EXPECT_EQ(error.message().find("launch of meet: it has " + std::to_string(most + 1) +
                                   " groups, and a kernel with a grid barrier at most " +
                                   std::to_string(most) + ", which run at once ("),
              0u)
        << error.message();
    EXPECT_NE(error.message().find(reason), std::string::npos) << error.message();
    EXPECT_EQ(error.hint(), "launch at most " + std::to_string(most) +
                                " groups, and let each work-item do several elements");
  };
  expectRefusal([&] { context->launch(*kernel, large, std::int64_t{-1}, a); });
  expectRefusal([&] { context->launchAsync(stream, *kernel, large, std::int64_t{-1}, a); });
  GraphExec exec = Graph::capture(stream, [&] { launch(stream, a); }).instantiate();
  const std::vector<Argument> arguments = {Argument(std::int64_t{-1}), Argument(a)};
  expectRefusal([&] { exec.setLaunch(0, &large, arguments); });
  exec.launch(stream); // as it was
  stream.sync();
  EXPECT_EQ(a.download(), met(input()));
}

TEST_P(GridBarriers, NeedADeviceWithCooperativeLaunches) {
  if (!fake)
    GTEST_SKIP() << "this device has cooperative launches";
  (*fake)->isCooperative = false;
  auto a = context->allocUpload<std::int32_t>(input());
  const Error error = thrownBy([&] { context->launch(*kernel, config, std::int64_t{-1}, a); });
  EXPECT_EQ(error.code(), ErrorCode::UnsupportedOnTarget);
  EXPECT_EQ(error.message(), "launch of meet: it has a grid barrier, and the device has no "
                             "cooperative launches");
  EXPECT_EQ(a.download(), input());
}

TEST_P(GridBarriers, ThatSomeGroupsDoNotReachAreFaultsOnTheCpu) {
  if (!isCpu())
    GTEST_SKIP() << "on a GPU the launch never ends";
  const Kernel missing = Module::load(*context, image())["miss"];
  const Error error = thrownBy([&] { context->launch(missing, {.global = {30}, .local = {10}}); });
  EXPECT_EQ(error.what(),
            std::string("miss.spl:6:5: error: not all groups of the launch reach this "
                        "'gpu.grid_barrier' [grid-barrier-missed]; in work-item (0, "
                        "0, 0) of group (0, 0, 0)"));
  context->launch(missing, {.global = {10}, .local = {10}}); // one group: all
  // A signature that does not say that the groups run at once.
  const Kernel unmarked = Module::load(*context, HostCode{{{"miss()", miss}}, nullptr})["miss"];
  EXPECT_EQ(
      thrownBy([&] { context->launch(unmarked, {.global = {30}, .local = {10}}); }).fault()->kind,
      FaultKind::GridBarrierMissed);
}

SPL_ON_EVERY_BACKEND(GridBarriers);
