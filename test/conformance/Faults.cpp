// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of failed checks in kernels. On every backend the error says what happened,
// where, and in which work-item, whatever waits for the launch. The context stays usable.
#include "test/conformance/CheckedKernel.h"
#include "test/conformance/Conformance.h"
#include "test/conformance/HostAbi.h"
#include "test/unit/runtime/Thrown.h"

#include <vector>

using namespace spl;
using namespace spl::test;

namespace {

using Ints = std::vector<std::int32_t>;

void checked(void *const *params, const spl_cpu_launch *launch, std::int64_t begin,
             std::int64_t end) {
  static const spl_cpu_fault_site site{SPL_FAULT_IndexOutOfBounds, 7, 12, "checked.spl", "out"};
  const auto at = param<std::int64_t>(params, 0);
  auto *out = param<std::int32_t *>(params, 1);
  const auto length = param<std::int64_t>(params, 2);
  forEachWorkItem(launch, begin, end, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::int64_t ids[] = {x, y, z};
    if (x == at)
      spl_cpu_fault(launch, &site, x, length, ids);
    if (x < length)
      ++out[x];
  });
}

class Faults : public Conformance {
protected:
  void SetUp() override {
    Conformance::SetUp();
    if (!context) // skipped
      return;
    module.emplace(
        isCpu() ? Module::load(*context,
                               HostCode{{{"checked(at: i64, out: &mut [i32])", checked}}, nullptr})
                : Module::load(*context, checkedPtx));
    out.emplace(context->allocZeros<std::int32_t>(size));
  }
  void TearDown() override {
    out.reset();
    module.reset();
    Conformance::TearDown();
  }

  bool isCpu() const { return GetParam().backend == Backend::Cpu; }

  void launch(const Stream &stream, std::int64_t at) {
    context->launchAsync(stream, (*module)["checked"], config, at, *out);
  }

  /// Expects the whole error, word for word.
  static void expectFault(const Error &error, std::int64_t at, const std::string &rest = "") {
    const std::string index = std::to_string(at), group = std::to_string(at / local);
    EXPECT_EQ(error.code(), ErrorCode::KernelFault);
    EXPECT_EQ(error.what(), "checked.spl:7:12: error: index " + index +
                                " is out of bounds for 'out' of length 100 [index-out-of-bounds]; "
                                "in work-item (" +
                                index + ", 0, 0) of group (" + group + ", 0, 0)" + rest);
    ASSERT_TRUE(error.fault());
    EXPECT_EQ(error.fault()->value, at);
    EXPECT_EQ(error.fault()->bound, 100);
    EXPECT_EQ(error.context().find("checked on "), 0u) << error.context();
  }

  /// The context, the kernel and the memory continue working.
  void expectUsable() {
    Stream stream = context->makeStream();
    context->sync();
    const Ints before = out->download();
    launch(stream, -1);
    stream.sync();
    Ints after = out->download();
    for (std::size_t i = 0; i != after.size(); ++i)
      EXPECT_EQ(after[i], before[i] + 1) << i;
  }

  static constexpr std::int64_t size = 100, local = 64;
  const LaunchConfig config{.global = {256}, .local = {local}};
  std::optional<Module> module;
  std::optional<Array<std::int32_t>> out;
};

} // namespace

TEST_P(Faults, AreThrownByTheSyncOfTheStreamOnce) {
  Stream stream = context->makeStream();
  launch(stream, 130);
  expectFault(thrownBy([&] { stream.sync(); }), 130);
  stream.sync();
  context->sync();
  expectUsable();
}

TEST_P(Faults, AreThrownByTheSyncOfTheContext) {
  Stream stream = context->makeStream();
  launch(stream, 5);
  expectFault(thrownBy([&] { context->sync(); }), 5);
  context->sync();
  stream.sync();
  expectUsable();
}

TEST_P(Faults, AreThrownByATransferOfTheArray) {
  Stream stream = context->makeStream();
  launch(stream, 5);
  expectFault(thrownBy([&] { out->download(); }), 5);
  EXPECT_EQ(out->download().size(), 100u);
  launch(stream, 6);
  expectFault(thrownBy([&] { out->upload(Ints(size)); }), 6);
  expectUsable();
}

TEST_P(Faults, InTheDefaultStreamAreThrownByTheLaunchOrByWhatWaitsForIt) {
  auto fail = [&](auto &&wait) {
    expectFault(thrownBy([&] {
                  context->launch((*module)["checked"], config, std::int64_t{9}, *out);
                  wait();
                }),
                9);
  };
  fail([&] { context->sync(); });
  fail([&] { out->download(); });
  fail([&] { context->defaultStream().sync(); });
  expectUsable();
}

TEST_P(Faults, AreThrownByTheSyncOfAnEventBehindThem) {
  Stream stream = context->makeStream();
  Event before = context->makeEvent(), behind = context->makeEvent();
  launch(stream, -1);
  stream.record(before);
  launch(stream, 77);
  stream.record(behind);
  while (!behind.query())
    std::this_thread::yield();
  before.sync();
  expectFault(thrownBy([&] { behind.sync(); }), 77);
  behind.sync();
  stream.sync();
  expectUsable();
}

TEST_P(Faults, AreThrownByAStreamThatWaitsForThem) {
  Stream first = context->makeStream(), second = context->makeStream();
  Event event = context->makeEvent();
  bool ran = false;
  launch(first, 3);
  first.record(event);
  second.wait(event);
  second.call([&] { ran = true; });
  expectFault(thrownBy([&] { second.sync(); }), 3, "; 1 operation behind it was skipped");
  EXPECT_FALSE(ran);
  first.sync(); // it was told
  expectUsable();
}

TEST_P(Faults, AreThrownByAnotherContextThatWaitsForThem) {
  Context peer = Context::make(GetParam().backend);
  Stream first = context->makeStream(), second = peer.makeStream();
  Event event = context->makeEvent();
  launch(first, 3);
  first.record(event);
  second.wait(event);
  expectFault(thrownBy([&] { peer.sync(); }), 3);
  context->sync();
  expectUsable();
}

TEST_P(Faults, SkipTheFunctionsBehindThem) {
  Stream stream = context->makeStream();
  std::vector<int> ran;
  stream.call([&] { ran.push_back(1); });
  launch(stream, 8);
  stream.call([&] { ran.push_back(2); });
  stream.call([&] { ran.push_back(3); });
  expectFault(thrownBy([&] { stream.sync(); }), 8, "; 2 operations behind it were skipped");
  stream.call([&] { ran.push_back(4); });
  stream.sync();
  EXPECT_EQ(ran, (std::vector<int>{1, 4}));
  expectUsable();
}

TEST_P(Faults, OfTwoKernelsInFlightAreThrownWhereEachIsWaitedFor) {
  Stream first = context->makeStream(), second = context->makeStream();
  launch(first, 10);
  launch(second, 20);
  expectFault(thrownBy([&] { second.sync(); }), 20);
  expectFault(thrownBy([&] { first.sync(); }), 10);
  launch(first, 11);
  launch(second, 21);
  expectFault(thrownBy([&] { first.sync(); }), 11);
  expectFault(thrownBy([&] { second.sync(); }), 21);
  expectUsable();
}

TEST_P(Faults, OfSeveralInAStreamTheFirstIsThrown) {
  Stream stream = context->makeStream();
  Gate gate;
  gate.hold(stream); // so that the CPU has not begun, and skips a known number
  for (std::int64_t at : {-1, 30, 40, 50})
    launch(stream, at);
  gate.open();
  expectFault(thrownBy([&] { stream.sync(); }), 30,
              isCpu() ? "; 2 operations behind it were skipped" : "");
  stream.sync();
  expectUsable();
}

TEST_P(Faults, OfManyLaunchesThatNobodyWaitedForAreKept) {
  Stream stream = context->makeStream();
  for (int i = 0; i < 300; ++i)
    launch(stream, i == 3 ? 17 : -1);
  const Error error = thrownBy([&] { stream.sync(); });
  ASSERT_TRUE(error.fault());
  EXPECT_EQ(error.fault()->value, 17);
  EXPECT_EQ(error.others(), 0u);
  for (int i = 0; i < 300; ++i)
    launch(stream, -1);
  stream.sync();
  expectUsable();
}

TEST_P(Faults, OfAStreamThatHasEndedAreThrownByTheContext) {
  {
    Stream stream = context->makeStream();
    launch(stream, 64);
  }
  expectFault(thrownBy([&] { context->sync(); }), 64);
  context->sync();
  expectUsable();
}

TEST_P(Faults, InAGraphAreThrownByWhatWaitsForItsRun) {
  Stream stream = context->makeStream();
  bool ran = false;
  GraphExec exec = Graph::capture(stream, [&] {
                     launch(stream, -1);
                     launch(stream, 12);
                     stream.call([&] { ran = true; });
                   }).instantiate();
  for (int run = 0; run < 3; ++run) {
    exec.launch(stream);
    const Error error = thrownBy([&] { stream.sync(); });
    ASSERT_TRUE(error.fault());
    EXPECT_EQ(error.fault()->value, 12);
  }
  EXPECT_FALSE(ran);
  exec.setArguments(1, std::int64_t{13}, *out);
  exec.launch(stream);
  const Error changed = thrownBy([&] { stream.sync(); });
  ASSERT_TRUE(changed.fault());
  EXPECT_EQ(changed.fault()->value, 13);
  const LaunchConfig smaller{.global = {64}, .local = {16}};
  const std::vector<Argument> arguments = {Argument(std::int64_t{33}), Argument(*out)};
  exec.setLaunch(1, &smaller, arguments);
  exec.launch(stream);
  const Error resized = thrownBy([&] { context->sync(); });
  ASSERT_TRUE(resized.fault());
  EXPECT_EQ(resized.fault()->group[0], 2);
  EXPECT_EQ(resized.fault()->workItem[0], 33);
  exec.setArguments(1, std::int64_t{-1}, *out);
  exec.launch(stream);
  stream.sync();
  EXPECT_TRUE(ran);
  expectUsable();
}

TEST_P(Faults, OfTwoRunsOfAGraphAreThrownInEachStream) {
  Stream first = context->makeStream(), second = context->makeStream();
  const Graph graph = Graph::capture(first, [&] { launch(first, 12); });
  GraphExec one = graph.instantiate(), other = graph.instantiate();
  other.setArguments(0, std::int64_t{14}, *out);
  one.launch(first);
  other.launch(second);
  expectFault(thrownBy([&] { second.sync(); }), 14);
  expectFault(thrownBy([&] { first.sync(); }), 12);
  expectUsable();
}

TEST_P(Faults, OfAModuleThatIsGoneAreThrownToo) {
  Stream stream = context->makeStream();
  launch(stream, 2);
  module.reset();
  expectFault(thrownBy([&] { stream.sync(); }), 2);
  context->sync();
}

TEST_P(Faults, OfAKernelInABundleAreThrown) {
  if (isCpu())
    GTEST_SKIP() << "cpu: its images are object files";
  // The signature may come without the mark of the record, which PTX has itself.
  const std::vector<BundleImage> images = {
      {"sm_75", checkedPtx, {"checked(at: i64, out: &mut [i32])"}}};
  module.emplace(Module::load(*context, writeBundle(images)));
  Stream stream = context->makeStream();
  launch(stream, 131);
  expectFault(thrownBy([&] { stream.sync(); }), 131);
  expectUsable();
}

TEST_P(Faults, InARecordThatCannotBeReadSaySo) {
  if (isCpu())
    GTEST_SKIP() << "cpu: it has no fault records";
  const struct {
    const char *correct, *wrong, *message;
  } rows[] = {
      {"0xfa017001", "0xfa017002",
       "a check failed, but the fault record is of version 2; this runtime reads version 1"},
      {"0xfa017001", "12345", "a check failed, but the fault record is damaged"},
      {"[%rd7+8], 0", "[%rd7+8], 1", "a check failed, but the fault record is damaged"},
      {"[%rd7+40], %r7", "[%rd7+40], %r2", "a check failed, but the fault record is damaged"},
  };
  for (const auto &[correct, wrong, message] : rows) {
    std::string ptx = checkedPtx;
    ptx.replace(ptx.find(correct), std::string(correct).size(), wrong);
    module.emplace(Module::load(*context, ptx));
    Stream stream = context->makeStream();
    launch(stream, 7);
    const Error error = thrownBy([&] { stream.sync(); });
    EXPECT_EQ(error.code(), ErrorCode::KernelFault) << wrong;
    EXPECT_EQ(error.message(), message) << wrong;
    EXPECT_EQ(error.fault(), nullptr) << wrong;
    EXPECT_EQ(error.hint(), "run the kernel on the CPU to see where") << wrong;
    expectUsable();
  }
}

TEST_P(Faults, AnImageWithAnotherVersionOfTheTableIsRefused) {
  if (isCpu())
    GTEST_SKIP() << "cpu: it has no table of checks";
  std::string ptx = checkedPtx;
  const std::string version = "70, 83, 1,";
  ptx.replace(ptx.find(version), version.size(), "70, 83, 2,");
  const Error error = thrownBy([&] { Module::load(*context, ptx); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
  EXPECT_EQ(error.message(), "the image's table of checks is of version 2; this runtime reads "
                             "version 1");
  expectUsable();
}

TEST_P(Faults, AreLeftBehindByAContextThatEnds) {
  Stream stream = context->makeStream();
  launch(stream, 2);
}

SPL_ON_EVERY_BACKEND(Faults);
