// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests objects that were made before fork. In the child their use is a clear error, and their
// destructors do nothing.
#include "test/unit/Fork.h"
#include "test/conformance/Kernels.h"
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <utility>

using namespace spl;
using spl::test::FakeDriver;
using spl::test::holdsInChild;

static bool isForkedProcess(const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    return error.code() == ErrorCode::ForkedProcess;
  }
  return false;
}

TEST(Fork, AContextOfTheParentIsRefusedInTheChild) {
  Context context = Context::make(Backend::Cpu);
  auto array = context.allocUpload<float>({1, 2});
  EXPECT_TRUE(holdsInChild([&] {
    return isForkedProcess([&] { context.sync(); }) && isForkedProcess([&] { array.download(); }) &&
           isForkedProcess([&] { context.alloc<float>(1); });
  }));
  EXPECT_EQ(array.download(), (std::vector<float>{1, 2}));
}

TEST(Fork, EventsAndPipelinesOfTheParentAreRefusedInTheChild) {
  Context context = Context::make(Backend::Cpu);
  Stream stream = context.makeStream();
  Event event = context.makeEvent();
  std::promise<void> end;
  stream.call([future = end.get_future().share()] { future.wait(); });
  stream.record(event); // not reached; in the child nothing would ever signal the event
  std::optional<Pipeline> pipeline(
      std::in_place, context,
      PipelineStages{.compute = [](auto, auto, const Stream &given) { given.call([] {}); }});
  pipeline->submit();
  EXPECT_TRUE(holdsInChild([&] {
    return isForkedProcess([&] { event.sync(); }) && isForkedProcess([&] { event.query(); }) &&
           isForkedProcess([&] { pipeline->submit(); }) && (pipeline.reset(), true);
  }));
  end.set_value();
  event.sync();
  pipeline->finish();
}

TEST(Fork, EveryCallOnWhatTheParentMadeIsRefusedInTheChild) {
  FakeDriver fake;
  for (Backend backend : {Backend::Cpu, Backend::Cuda}) {
    Context context = Context::make(backend), other = Context::make(backend);
    Module module = backend == Backend::Cpu
                        ? Module::load(context, HostCode{test::conformanceKernels(), nullptr})
                        : Module::load(context, test::conformancePtx());
    const Kernel kernel = module["saxpy"];
    MemoryPool pool = context.makePool();
    Stream stream = context.makeStream();
    Event event = context.makeEvent();
    auto x = context.allocZeros<float>(4), y = context.allocZeros<float>(4);
    auto none = context.alloc<float>(0), none2 = context.alloc<float>(0);
    auto unified = context.allocUnified<float>(4);
    Graph graph = Graph::capture(
        stream, [&] { context.launchAsync(stream, kernel, {.global = {4}}, 1.0f, x, y); });
    GraphExec exec = graph.instantiate();
    const std::pair<const char *, std::function<void()>> calls[] = {
        {"backend", [&] { context.backend(); }},
        {"device", [&] { context.device(); }},
        {"alloc of nothing", [&] { context.alloc<float>(0); }},
        {"defaultStream", [&] { context.defaultStream(); }},
        {"makeEvent", [&] { context.makeEvent(); }},
        {"enablePeerAccess", [&] { context.enablePeerAccess(other); }},
        {"launch", [&] { context.launch(kernel, {.global = {4}}, 1.0f, x, y); }},
        {"launch of nothing", [&] { context.launch(kernel, {.global = {0}}, 1.0f, x, y); }},
        {"unmetCondition", [&] { context.unmetCondition(kernel, {.global = {4}}, 1.0f, x, y); }},
        {"load", [&] { Module::load(context, HostCode{test::conformanceKernels(), nullptr}); }},
        {"borrow", [&] { Array<float>::borrow(context, unified.address(), 4); }},
        {"view", [&] { x.view(0, 2); }},
        {"upload of nothing", [&] { none.upload(std::span<const float>()); }},
        {"fill of nothing", [&] { none.fill(1); }},
        {"copyTo of nothing", [&] { none.copyTo(none2); }},
        {"copyTo", [&] { x.copyTo(y); }},
        {"host", [&] { unified.host(); }},
        {"toDLPack", [&] { x.toDLPack(); }},
        {"pool's state", [&] { pool.state(); }},
        {"trim", [&] { pool.trim(); }},
        {"record", [&] { stream.record(event); }},
        {"capture", [&] { Graph::capture(stream, [] {}); }},
        {"launches", [&] { graph.launches(); }},
        {"instantiate", [&] { graph.instantiate(); }},
        {"setArguments", [&] { exec.setArguments(0, 2.0f, x, y); }},
    };
    EXPECT_TRUE(holdsInChild([&] {
      for (const auto &[name, call] : calls)
        if (!isForkedProcess(call)) {
          std::fprintf(stderr, "%s\n", name);
          return false;
        }
      return true;
    })) << toString(backend);
  }
}

TEST(Fork, DestructorsInTheChildWaitForNoThreadOfTheParents) {
  FakeDriver fake;
  for (Backend backend : {Backend::Cpu, Backend::Cuda}) {
    Context context = Context::make(backend);
    MemoryPool pool = context.makePool();
    Stream stream = context.makeStream();
    std::atomic<bool> ends = false;
    std::thread busy([&] { // mostly holds the locks that arrays share with their context and pool
      Stream own = context.makeStream();
      while (!ends) {
        auto array = context.alloc<float>(3);
        auto pooled = pool.alloc<float>(3, own);
      }
    });
    bool holds = true;
    for (int round = 0; round < 400 && holds; ++round) {
      std::optional<Array<float>> array = context.alloc<float>(5),
                                  pooled = pool.alloc<float>(5, stream);
      holds = holdsInChild([&] { return array.reset(), pooled.reset(), true; });
    }
    EXPECT_TRUE(holds) << toString(backend);
    ends = true;
    busy.join();
  }
}

/// Whether a launch of many groups computes the right sums.
static bool addsVectors(const Context &context) {
  const std::size_t count = 100000;
  auto a = context.allocZeros<float>(count), b = context.allocZeros<float>(count);
  auto out = context.allocZeros<float>(count);
  a.fill(1);
  b.fill(2);
  Module module = Module::load(context, HostCode{test::conformanceKernels(), nullptr});
  context.launch(module["vector_add"], {.global = {count}, .local = {4}}, a, b, out);
  return out.download() == std::vector<float>(count, 3);
}

TEST(Fork, TheChildOpensACpuOfItsOwn) {
  Context context = Context::make(Backend::Cpu);
  EXPECT_TRUE(addsVectors(context)); // starts the threads of the parent
  EXPECT_TRUE(holdsInChild([] { return addsVectors(Context::make(Backend::Cpu)); }));
  EXPECT_TRUE(addsVectors(context));
}

TEST(Fork, DestructorsInTheChildDoNotTouchTheDriver) {
  FakeDriver fake;
  std::optional<Context> context = Context::make(Backend::Cuda);
  std::optional<Module> module = Module::load(*context, test::conformancePtx());
  std::optional<Array<float>> array = context->alloc<float>(4);
  EXPECT_TRUE(holdsInChild([&] {
    auto before = fake->calls;
    bool refused = isForkedProcess([&] { context->sync(); });
    array.reset();
    module.reset();
    context.reset();
    return refused && fake->calls == before;
  }));
}

TEST(Fork, TheChildGivesNothingBackToOwners) {
  FakeDriver fake;
  int released = 0;
  auto release = [&] { ++released; };
  Context context = Context::make(Backend::Cuda);
  Stream own = context.makeStream();
  auto memory = context.alloc<float>(4);
  std::optional<Stream> stream = context.wrapStream(own.native(), release);
  std::optional<Stream> standard = context.wrapStream(0, release);
  std::optional<Array<float>> array = Array<float>::borrow(context, memory.address(), 4, release);
  auto endAll = [&] {
    stream.reset();
    standard.reset();
    array.reset();
  };
  EXPECT_TRUE(holdsInChild([&] {
    const bool refused = isForkedProcess([&] { context.wrapStream(own.native(), release); });
    endAll();
    return refused && released == 0;
  }));
  endAll();
  EXPECT_EQ(released, 3);
}

/// The exit status of a child that a host function forks during a capture and that returns from it.
/// 0 if the runtime reports an error.
static int forkInCapture(const Stream &stream) {
  pid_t child = -1;
  const bool isTold = isForkedProcess([&] { Graph::capture(stream, [&] { child = fork(); }); });
  if (child == 0)
    _exit(isTold ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return isTold ? -1 : status;
}

TEST(Fork, WithinACaptureTheChildIsToldOfTheFork) {
  FakeDriver fake;
  for (Backend backend : {Backend::Cpu, Backend::Cuda}) {
    Context context = Context::make(backend);
    Stream stream = context.makeStream();
    Graph::capture(stream, [&] {
      EXPECT_TRUE(holdsInChild([&] {
        return isForkedProcess([&] { context.sync(); }) &&
               isForkedProcess([&] { stream.sync(); }) && isForkedProcess([&] { stream.query(); });
      })) << toString(backend);
    });
    // The child returns from the host function.
    const int status = forkInCapture(stream);
    EXPECT_EQ(status, 0) << toString(backend);
  }
}

TEST(Fork, ADriverThatTheParentUsedIsUnavailableInTheChild) {
  FakeDriver fake;
  Context::make(Backend::Cuda);
  EXPECT_TRUE(holdsInChild([] {
    BackendStatus status = detectBackend(Backend::Cuda);
    return !status.available &&
           status.reason == "this process was forked from one that already used the CUDA driver" &&
           preferredBackend() == Backend::Cpu;
  }));
}
