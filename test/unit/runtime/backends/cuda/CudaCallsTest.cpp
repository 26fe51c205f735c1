// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that each call of the runtime makes the expected driver calls and no others, so that no
// hidden copy or wait happens. Also tests that calls return the sticky error of a context.
#include "test/unit/runtime/backends/cuda/Cuda.h"

#include <functional>
#include <utility>

using namespace spl;
using namespace spl::test;

namespace {

/// A fixture with one object of each kind that accepts work.
class CudaCalls : public Cuda {
protected:
  void TearDown() override {
    all.reset();
    Cuda::TearDown();
  }

  struct Objects {
    Objects(const Context &context, const Module &module)
        : context(context), kernel(module["saxpy"]) {
      host.host()[0] = 5;
    }

    void launch() { context.launchAsync(stream, kernel, {.global = {3}}, 2.0f, x, y); }

    const Context &context;
    const Kernel kernel;
    Stream stream = context.makeStream(), other = context.makeStream();
    Event start = context.makeEvent(), end = context.makeEvent();
    MemoryPool pool = context.makePool();
    Array<float> x = context.alloc<float>(3), y = context.alloc<float>(3);
    Array<double> wide = context.alloc<double>(3);
    Array<float> ofPool = pool.alloc<float>(3, stream), host = context.allocPinned<float>(3);
    Graph graph = Graph::capture(stream, [this] { launch(); });
    GraphExec exec = graph.instantiate();
    std::vector<float> values{1, 2, 3};
  };

  using Names = std::vector<std::string>;

  /// The driver calls that \p call makes, without those that make the context current.
  Names callsOf(const std::function<void()> &call) {
    fake->callNames.clear();
    call();
    Names names;
    for (const std::string name : fake->callNames)
      if (name != "cuCtxPushCurrent" && name != "cuCtxPopCurrent")
        names.push_back(name);
    return names;
  }

  std::optional<Objects> all{std::in_place, *context, *module};
};

} // namespace

TEST_F(CudaCalls, AreThoseOfTheDriverAndNoOthers) {
  Objects &o = *all;
  struct Case {
    const char *what;
    std::function<void()> call;
    Names expected;
  };
  const Case cases[] = {
      {"upload", [&] { o.x.upload(o.values); }, {"cuMemcpyHtoD"}},
      {"download", [&] { o.x.download(std::span(o.values)); }, {"cuMemcpyDtoH"}},
      {"launch",
       [&] { o.context.launch(o.kernel, {.global = {3}}, 2.0f, o.x, o.y); },
       {"cuLaunchKernel"}},
      {"record", [&] { o.stream.record(o.start); }, {"cuEventRecord"}},
      {"launchAsync", [&] { o.launch(); }, {"cuLaunchKernel"}},
      {"uploadAsync", [&] { o.x.uploadAsync(o.values, o.stream); }, {"cuMemcpyHtoDAsync"}},
      {"downloadAsync", [&] { o.x.downloadAsync(o.host.host(), o.stream); }, {"cuMemcpyDtoHAsync"}},
      {"copyToAsync", [&] { o.x.copyToAsync(o.y, o.stream); }, {"cuMemcpyDtoDAsync"}},
      {"copyToPeerAsync in one device",
       [&] { o.x.copyToPeerAsync(o.y, o.stream); },
       {"cuMemcpyDtoDAsync"}},
      {"fillAsync", [&] { o.x.fillAsync(1, o.stream); }, {"cuMemsetD32Async"}},
      {"fillAsync of 8 bytes alike", [&] { o.wide.fillAsync(0, o.stream); }, {"cuMemsetD8Async"}},
      {"call", [&] { o.stream.call([] {}); }, {"cuLaunchHostFunc"}},
      {"record again", [&] { o.stream.record(o.end); }, {"cuEventRecord"}},
      {"wait", [&] { o.other.wait(o.end); }, {"cuStreamWaitEvent"}},
      {"graph's launch", [&] { o.exec.launch(o.stream); }, {"cuGraphLaunch"}},
      {"setArguments",
       [&] { o.exec.setArguments(0, 3.0f, o.x, o.y); },
       {"cuGraphExecKernelNodeSetParams"}},
      {"event's sync", [&] { o.end.sync(); }, {"cuEventSynchronize"}},
      {"elapsedMs",
       [&] { o.end.elapsedMs(o.start); },
       {"cuEventQuery", "cuEventQuery", "cuEventElapsedTime"}},
      {"download after the stream's work",
       [&] { o.wide.download(); },
       {"cuStreamSynchronize", "cuMemcpyDtoH"}},
      {"query", [&] { o.stream.query(); }, {"cuStreamQuery"}},
      {"sync", [&] { o.stream.sync(); }, {"cuStreamSynchronize"}},
      {"context's sync", [&] { o.context.sync(); }, {"cuCtxSynchronize"}},
      {"view", [&] { o.x.view(1, 2); }, {}},
      {"borrow", [&] { Array<float>::borrow(o.context, o.x.address(), 3); }, {}},
      {"pool's alloc and free",
       [&] { o.pool.alloc<float>(3, o.stream); },
       {"cuMemAllocFromPoolAsync", "cuMemFreeAsync"}},
      {"alloc and free", [&] { o.context.alloc<float>(3); }, {"cuMemAlloc", "cuMemFree"}},
  };
  for (const Case &each : cases)
    EXPECT_EQ(callsOf(each.call), each.expected) << each.what;
}

TEST_F(CudaCalls, AfterALostContextAllNameTheFirstFailure) {
  Objects &o = *all;
  o.stream.record(o.start);
  o.stream.record(o.end);
  o.end.sync();
  failNow("cuCtxSynchronize", 700);
  const std::string first = thrownBy([&] { o.context.sync(); }).what();
  fake->failingCall.clear();
  const std::pair<const char *, std::function<void()>> calls[] = {
      {"device", [&] { o.context.device(); }},
      {"alloc", [&] { o.context.alloc<float>(3); }},
      {"allocPinned", [&] { o.context.allocPinned<float>(3); }},
      {"allocUnified", [&] { o.context.allocUnified<float>(3); }},
      {"makeStream", [&] { o.context.makeStream(); }},
      {"makeEvent", [&] { o.context.makeEvent(); }},
      {"makePool", [&] { o.context.makePool(); }},
      {"load", [&] { Module::load(o.context, conformancePtx()); }},
      {"context's sync", [&] { o.context.sync(); }},
      {"launch", [&] { o.context.launch(o.kernel, {.global = {3}}, 2.0f, o.x, o.y); }},
      {"launchAsync", [&] { o.launch(); }},
      {"upload", [&] { o.x.upload(o.values); }},
      {"download", [&] { o.x.download(); }},
      {"fill", [&] { o.x.fill(1); }},
      {"copyTo", [&] { o.x.copyTo(o.y); }},
      {"uploadAsync", [&] { o.x.uploadAsync(o.values, o.stream); }},
      {"downloadAsync", [&] { o.x.downloadAsync(std::span(o.values), o.stream); }},
      {"copyToAsync", [&] { o.x.copyToAsync(o.y, o.stream); }},
      {"fillAsync", [&] { o.x.fillAsync(1, o.stream); }},
      {"sync", [&] { o.stream.sync(); }},
      {"query", [&] { o.stream.query(); }},
      {"record", [&] { o.stream.record(o.start); }},
      {"wait", [&] { o.stream.wait(o.start); }},
      {"call", [&] { o.stream.call([] {}); }},
      {"capture", [&] { Graph::capture(o.stream, [] {}); }},
      {"event's sync", [&] { o.end.sync(); }},
      {"event's query", [&] { o.end.query(); }},
      {"elapsedMs", [&] { o.end.elapsedMs(o.start); }},
      {"pool's alloc", [&] { o.pool.alloc<float>(3, o.stream); }},
      {"pool's state", [&] { o.pool.state(); }},
      {"trim", [&] { o.pool.trim(); }},
      {"instantiate", [&] { o.graph.instantiate(); }},
      {"graph's launch", [&] { o.exec.launch(o.stream); }},
      {"setArguments", [&] { o.exec.setArguments(0, 3.0f, o.x, o.y); }},
      {"occupancy", [&] { o.kernel.occupancy(64); }},
  };
  for (const auto &[what, call] : calls) {
    const Error later = thrownBy(call);
    EXPECT_EQ(later.code(), ErrorCode::DeviceLost) << what;
    EXPECT_EQ(std::string(later.what()),
              "an earlier failure ended this context: " + first + "; start the process again")
        << what;
  }
}

// Two views are two objects, which two threads may use at once. One thread waits for the work that
// uses the memory while the other adds such work.
TEST_F(CudaCalls, WorkThatIsGivenWhileAnotherThreadWaitsIsNotForgotten) {
  Objects &o = *all;
  const std::pair<const char *, std::function<void(Array<float> &)>> gives[] = {
      {"cuMemsetD32Async", [&](auto &array) { array.fillAsync(7, o.other); }},
      {"cuMemcpyHtoDAsync", [&](auto &array) { array.uploadAsync(o.values, o.other); }},
      {"cuMemcpyDtoDAsync", [&](auto &array) { array.copyToAsync(o.x, o.other); }},
      {"cuLaunchKernel",
       [&](auto &array) {
         o.context.launchAsync(o.other, o.kernel, {.global = {3}}, 2.0f, o.y, array);
       }},
  };
  for (const auto &[call, give] : gives) {
    auto array = o.pool.alloc<float>(3, o.stream);
    array.fillAsync(0, o.stream);
    o.stream.record(o.start);
    o.other.wait(o.start);
    auto view = array.view(0, 3);
    fake->hookedCall = call;
    fake->hook = [&] { view.download(); };
    give(array);
    EXPECT_EQ(fake->hookedCall, "");
    view.free();
    array.free(); // ordered after the work in the other stream
    o.stream.sync();
    o.other.sync();
    EXPECT_EQ(fake.complaints().find("runs when"), std::string::npos) << call;
  }
}

// Two threads wait for the work that uses the memory. The second also blocks until it is done.
TEST_F(CudaCalls, WorkThatAnotherThreadWaitsForIsWaitedFor) {
  Objects &o = *all;
  o.x.fillAsync(7, o.stream);
  const auto view = o.x.view(0, 3);
  Names names;
  fake->hookedCall = "cuStreamSynchronize";
  fake->hook = [&] { names = callsOf([&] { view.download(); }); };
  o.x.download();
  EXPECT_EQ(names, (Names{"cuStreamSynchronize", "cuMemcpyDtoH"}));
  EXPECT_EQ(callsOf([&] { view.download(); }), Names{"cuMemcpyDtoH"});
}

TEST_F(CudaCalls, AWaitThatFailedIsMadeAgain) {
  Objects &o = *all;
  o.x.fillAsync(7, o.stream);
  failNow("cuStreamSynchronize", 1);
  EXPECT_NE(textOf([&] { o.x.download(); }).find("cuStreamSynchronize"), std::string::npos);
  fake->failingCall.clear();
  EXPECT_EQ(callsOf([&] { o.x.download(); }), (Names{"cuStreamSynchronize", "cuMemcpyDtoH"}));
  EXPECT_EQ(callsOf([&] { o.x.download(); }), Names{"cuMemcpyDtoH"});
}

TEST_F(CudaCalls, GivePrioritiesAsTheDriverCountsThem) {
  fake->priorities.clear();
  for (int priority : {0, 1, 5, 100})
    context->makeStream(priority);
  EXPECT_EQ(fake->priorities, (std::vector<int>{0, -1, -5, -5})); // clamped to -5, the lowest value
}
