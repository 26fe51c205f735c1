// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests what is specific to the CPU backend: faults, and the distribution of groups over threads.
#include "test/conformance/HostAbi.h"
#include "test/unit/Sanitizers.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <thread>

using namespace spl;
using namespace spl::test;

using Id = std::int64_t;

static const spl_cpu_fault_site outOfBounds = {SPL_FAULT_IndexOutOfBounds, 7, 12, "gather.spl",
                                               "src"};
static const spl_cpu_fault_site divisionByZero = {SPL_FAULT_DivisionByZero, 3, 5, "div.spl", ""};
static const spl_cpu_fault_site negativeExponent = {SPL_FAULT_NegativeExponent, 8, 1, "pow.spl",
                                                    ""};

/// gather(src: &[f32], out: &mut [f32]): out[i] = src[i], checked against src only.
static void gather(void *const *params, const spl_cpu_launch *launch, Id begin, Id end) {
  auto *src = param<const float *>(params, 0);
  auto length = param<Id>(params, 1);
  auto *out = param<float *>(params, 2);
  auto count = param<Id>(params, 3);
  forEachWorkItem(launch, begin, end, [&](Id x, Id y, Id z) {
    if (x >= count)
      return;
    const Id workItem[3] = {x, y, z};
    if (x >= length)
      spl_cpu_fault(launch, &outOfBounds, x, length, workItem);
    out[x] = src[x];
  });
}

/// Faults at the work-item whose ids are the parameters.
static void faultAt(void *const *params, const spl_cpu_launch *launch, Id begin, Id end) {
  forEachWorkItem(launch, begin, end, [&](Id x, Id y, Id z) {
    const Id workItem[3] = {x, y, z};
    if (x == param<Id>(params, 0) && y == param<Id>(params, 1) && z == param<Id>(params, 2))
      spl_cpu_fault(launch, param<bool>(params, 3) ? &divisionByZero : &negativeExponent, -1, 0,
                    workItem);
  });
}

static std::atomic<Id> groupsRun;
static void faultEverywhere(void *const *, const spl_cpu_launch *launch, Id begin, Id end) {
  forEachWorkItem(launch, begin, end, [&](Id x, Id y, Id z) {
    ++groupsRun;
    const Id workItem[3] = {x, y, z};
    spl_cpu_fault(launch, &divisionByZero, 0, 0, workItem);
  });
}

static std::thread::id lastThread;
static void notesItsThread(void *const *, const spl_cpu_launch *, Id, Id) {
  lastThread = std::this_thread::get_id();
}

/// The kernel counts(hits: &mut [u32]) counts every group once.
static void countsGroups(void *const *params, const spl_cpu_launch *, Id begin, Id end) {
  auto *hits = param<std::uint32_t *>(params, 0);
  for (Id group = begin; group < end; ++group)
    __atomic_fetch_add(&hits[group], 1, __ATOMIC_RELAXED);
}

namespace {

class Cpu : public testing::Test {
protected:
  Context context = Context::make(Backend::Cpu);
  Module module =
      Module::load(context, HostCode{{
                                         {"gather(src: &[f32], out: &mut [f32])", gather},
                                         {"fault_at(x: i64, y: i64, z: i64, div: bool)", faultAt},
                                         {"fault_everywhere()", faultEverywhere},
                                         {"notes_its_thread()", notesItsThread},
                                         {"counts(hits: &mut [u32])", countsGroups},
                                     },
                                     nullptr});
};

} // namespace

TEST_F(Cpu, AFaultIsAnErrorWithPlaceAndWorkItem) {
  auto src = context.allocZeros<float>(277);
  auto out = context.allocZeros<float>(1000);
  Error error = thrownBy(
      [&] { context.launch(module["gather"], {.global = {278}, .local = {32}}, src, out); });
  EXPECT_EQ(error.code(), ErrorCode::KernelFault);
  EXPECT_STREQ(error.what(),
               "gather.spl:7:12: error: index 277 is out of bounds for 'src' of length 277 "
               "[index-out-of-bounds]; in work-item (277, 0, 0) of group (8, 0, 0)");
  ASSERT_NE(error.fault(), nullptr);
  const Fault &fault = *error.fault();
  EXPECT_EQ(fault.kind, FaultKind::IndexOutOfBounds);
  EXPECT_EQ(fault.file, "gather.spl");
  EXPECT_EQ(fault.line, 7);
  EXPECT_EQ(fault.column, 12);
  EXPECT_EQ(fault.subject, "src");
  EXPECT_GE(fault.value, 277);
  EXPECT_EQ(fault.bound, 277);
  EXPECT_EQ(fault.workItem, (std::array<Id, 3>{fault.value, 0, 0}));
  EXPECT_EQ(fault.group, (std::array<Id, 3>{fault.value / 32, 0, 0}));
}

TEST_F(Cpu, AFaultIsReportedFromAnyWorkItemOfAnyGroup) {
  for (Id z : {0, 4})
    for (Id y : {0, 1, 8})
      for (Id x : {0, 3, 32}) {
        Error error = thrownBy([&] {
          context.launch(module["fault_at"], {.global = {33, 9, 5}, .local = {4, 2, 3}}, x, y, z,
                         true);
        });
        EXPECT_EQ(error.fault()->diagnostic(),
                  "div.spl:3:5: error: division by zero [division-by-zero]");
        EXPECT_EQ(error.fault()->workItem, (std::array<Id, 3>{x, y, z}));
        EXPECT_EQ(error.fault()->group, (std::array<Id, 3>{x / 4, y / 2, z / 3}));
      }
}

TEST_F(Cpu, AFaultInASingleGroupIsReportedToo) {
  EXPECT_EQ(textOf([&] {
              context.launch(module["fault_at"], {.global = {1}, .local = {1}}, Id{0}, Id{0}, Id{0},
                             false);
            }),
            "pow.spl:8:1: error: negative exponent -1 [negative-exponent]; in work-item (0, 0, 0) "
            "of group (0, 0, 0)");
}

TEST_F(Cpu, TheContextStaysUsableAfterAFault) {
  auto src = context.allocUpload<float>({1, 2, 3});
  auto out = context.allocZeros<float>(3);
  auto tooLong = context.allocZeros<float>(4);
  for (int round = 0; round < 100; ++round) {
    EXPECT_THROW(context.launch(module["gather"], {.global = {4}}, src, tooLong), Error);
    context.launch(module["gather"], {.global = {3}}, src, out);
    ASSERT_EQ(out.download(), (std::vector<float>{1, 2, 3}));
  }
}

TEST_F(Cpu, AFaultInAStreamSkipsWhatIsBehindIt) {
  Stream stream = context.makeStream();
  auto src = context.allocZeros<float>(3), out = context.allocZeros<float>(4);
  auto hits = context.allocZeros<std::uint32_t>(1);
  bool isCalled = false;
  context.launchAsync(stream, module["gather"], {.global = {4}}, src, out);
  context.launchAsync(stream, module["counts"], {.global = {1}, .local = {1}}, hits);
  stream.call([&] { isCalled = true; });
  const Error error = thrownBy([&] { stream.sync(); });
  EXPECT_EQ(error.code(), ErrorCode::KernelFault);
  EXPECT_STREQ(error.what(),
               "gather.spl:7:12: error: index 3 is out of bounds for 'src' of "
               "length 3 [index-out-of-bounds]; in work-item (3, 0, 0) of group (0, 0, 0); "
               "2 operations behind it were skipped");
  ASSERT_NE(error.fault(), nullptr);
  EXPECT_EQ(error.fault()->value, 3);
  EXPECT_FALSE(isCalled);
  context.launchAsync(stream, module["counts"], {.global = {1}, .local = {1}}, hits);
  EXPECT_EQ(hits.download(), std::vector<std::uint32_t>{1});
}

TEST_F(Cpu, ABatchWhoseKernelFaultsIsNotHandedOn) {
  auto src = context.allocZeros<float>(3), out = context.allocZeros<float>(3);
  auto tooLong = context.allocZeros<float>(4);
  std::vector<std::size_t> consumed;
  Pipeline pipeline(context, {.compute =
                                  [&](std::size_t batch, std::size_t, const Stream &stream) {
                                    context.launchAsync(stream, module["gather"], {.global = {4}},
                                                        src, batch == 2 ? tooLong : out);
                                  },
                              .download =
                                  [&](std::size_t batch, std::size_t, const Stream &stream) {
                                    stream.call([&, batch] { consumed.push_back(batch); });
                                  }});
  try {
    pipeline.run(9);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const BatchError &error) {
    EXPECT_EQ(error.batch(), 2u);
    EXPECT_EQ(error.stage(), PipelineStage::Compute);
    ASSERT_NE(error.fault(), nullptr);
    EXPECT_EQ(error.fault()->bound, 3);
  }
  EXPECT_EQ(consumed, (std::vector<std::size_t>{0, 1}));
}

TEST_F(Cpu, AFaultStopsTheOtherGroups) {
  groupsRun = 0;
  const Id groups = 100000;
  EXPECT_THROW(context.launch(module["fault_everywhere"], {.global = {groups}, .local = {1}}),
               Error);
  // Every call of compiled code ends at its first fault. No call starts after a fault is known, but
  // each thread may already be in one.
  EXPECT_GE(groupsRun, 1);
  EXPECT_LE(groupsRun, context.device().computeUnits + 1);
}

TEST_F(Cpu, FaultsOfConcurrentLaunchesAreKeptApart) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (Id t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (Id round = 0; round < 50; ++round) {
        Id at = 100 * t + round;
        try {
          context.launch(module["fault_at"], {.global = {1000}, .local = {8}}, at, Id{0}, Id{0},
                         true);
        } catch (const Error &error) {
          right += error.fault() && error.fault()->workItem[0] == at;
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 300);
}

TEST_F(Cpu, ASingleGroupRunsOnTheCallingThread) {
  context.launch(module["notes_its_thread"], {.global = {256}});
  EXPECT_EQ(lastThread, std::this_thread::get_id());
}

TEST_F(Cpu, EveryGroupRunsOnce) {
  for (Id groups : {1, 2, 3, 31, 1000, 65537, 1000003}) {
    auto hits = context.allocZeros<std::uint32_t>(groups);
    context.launch(module["counts"], {.global = {groups}, .local = {1}}, hits);
    ASSERT_EQ(hits.download(), std::vector<std::uint32_t>(groups, 1)) << groups;
  }
}

TEST_F(Cpu, KeepsTheCodesOwnerUntilTheLastKernelEnds) {
  auto owner = std::make_shared<int>(0);
  std::weak_ptr<int> watch = owner;
  std::optional<Kernel> kernel;
  {
    Module loaded = Module::load(context, HostCode{{{"k()", notesItsThread}}, std::move(owner)});
    kernel = loaded["k"];
  }
  EXPECT_FALSE(watch.expired());
  context.launch(*kernel, {.global = {1}});
  kernel.reset();
  EXPECT_TRUE(watch.expired());
}

TEST_F(Cpu, AFunctionCannotWaitForItsOwnStream) {
  Stream stream = context.makeStream(), other = context.makeStream();
  auto array = context.allocZeros<float>(3);
  array.fillAsync(1, stream);
  for (const std::function<void()> &wait : {std::function<void()>([&] { stream.sync(); }),
                                            std::function<void()>([&] { context.sync(); }),
                                            std::function<void()>([&] { array.download(); })}) {
    array.fillAsync(2, stream);
    stream.call(wait);
    EXPECT_EQ(textOf([&] { stream.sync(); }),
              "a function in a stream waits for that stream itself; wait for it elsewhere");
  }
  stream.call([&] { other.sync(); });
  stream.sync();
}

TEST_F(Cpu, AWaitThatWasRefusedLeavesTheWorkToBeWaitedFor) {
  Stream stream = context.makeStream();
  auto array = context.allocZeros<float>(3);
  std::promise<void> go, tried;
  stream.call([&] {
    go.get_future().wait(); // wait until all work is queued
    EXPECT_THROW(array.download(), Error);
    tried.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  array.fillAsync(9, stream);
  go.set_value();
  tried.get_future().wait();
  EXPECT_EQ(array.download(), std::vector<float>(3, 9));
}

/// Requests more scratch memory than there is, or a small amount if the launch has shared memory.
static void keepsMuch(void *const *, const spl_cpu_launch *launch, Id, Id) {
  auto *kept = static_cast<char *>(spl_cpu_scratch(launch, launch->sharedBytes ? 64 : Id{1} << 60));
  kept[63] = 1;
}

TEST_F(Cpu, WorkItemsThatKeepTooMuchAreAnErrorAndNotACrash) {
  SPL_SKIP_UNDER_SANITIZERS("asking for more memory than there is");
  Module keeps = Module::load(context, HostCode{{{"keep()", keepsMuch}}, nullptr});
  for (Id groups : {1, 100}) {
    const Error error =
        thrownBy([&] { context.launch(keeps["keep"], {.global = {groups}, .local = {1}}); });
    EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
    EXPECT_EQ(error.message(),
              "out of memory: a group's work-items keep 1152921504606846976 bytes across barriers");
    EXPECT_EQ(error.hint(), "keep fewer or smaller values across barriers");
    context.launch(keeps["keep"], {.global = {groups}, .local = {1}, .shared = 1});
  }
}

TEST_F(Cpu, AnEmptyImageIsNoCodeForAGpu) {
  EXPECT_EQ(textOf([&] { Module::load(context, ""); }),
            "the image is empty; see whether the file that it was read from is there");
}

TEST_F(Cpu, RefusesHostCodeThatIsNotWhole) {
  EXPECT_EQ(textOf([&] { Module::load(context, HostCode{{{"k()", nullptr}}, nullptr}); }),
            "kernel k has no entry");
  EXPECT_EQ(
      thrownBy([&] { Module::load(context, HostCode{{{"k(", notesItsThread}}, nullptr}); }).code(),
      ErrorCode::InvalidImage);
  Module empty = Module::load(context, HostCode{});
  EXPECT_EQ(textOf([&] { empty["k"]; }), "there is no kernel 'k'; the module has no kernels");
}
