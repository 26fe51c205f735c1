// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the graphs of the fake driver, and which calls a capture rejects.
#include "test/fakecuda/DriverTest.h"

#include <thread>

using namespace spl::test;

namespace {

enum Mode { Global, OfThread, Relaxed };

class FakeGraphs : public DriverTest {
protected:
  void SetUp() override {
    DriverTest::SetUp();
    module = load(appendPtx);
    append = function(module, "append");
    driver->funcLoad(append);
    memory = allocate(4);
    driver->memsetD32Async(memory, 0, 1, nullptr);
    driver->ctxSynchronize();
    stream = makeStream();
    other = makeStream();
  }

  void TearDown() override {
    driver->memFree(memory);
    driver->moduleUnload(module);
    driver->streamDestroy(stream);
    driver->streamDestroy(other);
    DriverTest::TearDown();
  }

  CuGraphExec instantiate(CuGraph graph) {
    CuGraphExec exec = nullptr;
    EXPECT_EQ(driver->graphInstantiate(&exec, graph, 0), CuResult::Success);
    return exec;
  }

  int status() {
    int status = -1;
    EXPECT_EQ(driver->streamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr),
              CuResult::Success);
    return status;
  }

  /// The node that was captured last.
  CuGraphNode lastNode() {
    int status = -1;
    std::uint64_t id = 0;
    const CuGraphNode *nodes = nullptr;
    std::size_t count = 0;
    driver->streamGetCaptureInfo(stream, &status, &id, nullptr, &nodes, &count);
    EXPECT_EQ(status, 1);
    EXPECT_EQ(count, 1u);
    return count == 1 ? *nodes : nullptr;
  }

  /// Checks that \p call returns \p code during a capture. \p ends says whether the call ends the
  /// capture.
  void expectRefusal(Mode mode, int code, bool ends, const std::function<CuResult()> &call) {
    EXPECT_EQ(driver->streamBeginCapture(stream, mode), CuResult::Success);
    EXPECT_EQ(call(), result(code)) << mode;
    EXPECT_EQ(status(), ends ? 2 : 1) << mode << ' ' << code;
    CuGraph graph = nullptr;
    EXPECT_EQ(driver->streamEndCapture(stream, &graph), result(ends ? 901 : 0));
    if (!ends)
      driver->graphDestroy(graph);
    EXPECT_EQ(status(), 0);
  }

  CuModule module = nullptr;
  CuFunction append = nullptr;
  CuDevicePtr memory = 0;
  CuStream stream = nullptr, other = nullptr;
};

} // namespace

TEST_F(FakeGraphs, RecordWithoutRunningAndReplay) {
  EXPECT_EQ(driver->streamBeginCapture(stream, OfThread), CuResult::Success);
  launch(append, memory, 1, stream);
  launch(append, memory, 2, stream);
  CuGraph graph = nullptr;
  EXPECT_EQ(driver->streamEndCapture(stream, &graph), CuResult::Success);
  EXPECT_EQ(download(memory), 0);
  CuGraphExec exec = instantiate(graph);
  driver->graphDestroy(graph);
  EXPECT_EQ(driver->graphLaunch(exec, stream), CuResult::Success);
  EXPECT_EQ(driver->graphLaunch(exec, stream), CuResult::Success);
  EXPECT_EQ(driver->graphExecDestroy(exec), CuResult::Success) << "while it runs";
  driver->streamSynchronize(stream);
  EXPECT_EQ(download(memory), 1212);
}

TEST_F(FakeGraphs, TakeTheStreamsThatJoinIn) {
  CuEvent fork = makeEvent(), join = makeEvent();
  const CuDevicePtr second = allocate(4);
  driver->memsetD32Async(second, 0, 1, nullptr);
  driver->streamBeginCapture(stream, Relaxed);
  launch(append, memory, 1, stream);
  driver->eventRecord(fork, stream);
  EXPECT_EQ(driver->streamWaitEvent(other, fork, 0), CuResult::Success);
  launch(append, second, 4, other);
  launch(append, memory, 2, stream);
  driver->eventRecord(join, other);
  driver->streamWaitEvent(stream, join, 0);
  launch(append, second, 5, stream);
  CuGraph graph = nullptr;
  EXPECT_EQ(driver->streamEndCapture(stream, &graph), CuResult::Success);
  CuGraphExec exec = instantiate(graph);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    fake->seed = seed;
    driver->memsetD32Async(memory, 0, 1, nullptr);
    driver->memsetD32Async(second, 0, 1, nullptr);
    driver->ctxSynchronize();
    driver->graphLaunch(exec, other);
    driver->streamSynchronize(other);
    EXPECT_EQ(download(memory), 12);
    EXPECT_EQ(download(second), 45);
  }
  fake->seed.reset();
  EXPECT_EQ(driver->eventSynchronize(join), result(907));
  driver->graphExecDestroy(exec);
  driver->graphDestroy(graph);
  driver->eventDestroy(fork);
  driver->eventDestroy(join);
  driver->memFree(second);
}

TEST_F(FakeGraphs, RefuseAnEndThatLeavesAStreamBehind) {
  CuEvent fork = makeEvent();
  driver->streamBeginCapture(stream, Relaxed);
  driver->eventRecord(fork, stream);
  driver->streamWaitEvent(other, fork, 0);
  launch(append, memory, 1, other);
  CuGraph graph = nullptr;
  EXPECT_EQ(driver->streamEndCapture(other, &graph), result(903));
  EXPECT_EQ(driver->streamEndCapture(stream, &graph), result(901));
  driver->streamBeginCapture(stream, Relaxed);
  driver->eventRecord(fork, stream);
  driver->streamWaitEvent(other, fork, 0);
  launch(append, memory, 1, other);
  EXPECT_EQ(driver->streamEndCapture(stream, &graph), result(904));
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(driver->streamEndCapture(stream, &graph), result(401)) << "it is over";
  EXPECT_EQ(launch(append, memory, 1, other), CuResult::Success);
  EXPECT_EQ(download(memory), 0) << "the other stream is not blocking";
  driver->eventDestroy(fork);
}

TEST_F(FakeGraphs, TakeNewParametersForALaunch) {
  driver->streamBeginCapture(stream, OfThread);
  launch(append, memory, 1, stream);
  const CuGraphNode first = lastNode();
  launch(append, memory, 2, stream);
  EXPECT_NE(lastNode(), first);
  CuGraph graph = nullptr;
  driver->streamEndCapture(stream, &graph);
  CuGraphExec exec = instantiate(graph);
  driver->graphLaunch(exec, stream);
  int number = 8;
  void *values[] = {&memory, &number};
  CuKernelNodeParams params;
  params.function = append;
  params.params = values;
  EXPECT_EQ(driver->graphExecKernelNodeSetParams(exec, first, &params), CuResult::Success);
  number = 9;
  driver->graphLaunch(exec, stream);
  driver->streamSynchronize(stream);
  EXPECT_EQ(download(memory), 1282) << "a run that was queued keeps the old ones";
  params.blockX = 2000;
  EXPECT_EQ(driver->graphExecKernelNodeSetParams(exec, first, &params), result(1));
  driver->graphDestroy(graph);
  EXPECT_EQ(driver->graphExecKernelNodeSetParams(exec, first, &params), result(1));
  driver->graphExecDestroy(exec);
  EXPECT_EQ(driver->graphLaunch(exec, stream), result(400));
  expectedMisuses = {"cuGraphExecKernelNodeSetParams of a node of no graph",
                     "cuGraphLaunch of what is no graph exec"};
}

TEST_F(FakeGraphs, TakeOtherKernelsSinceCuda12) {
  CuModule more = load(appendPtx);
  driver->streamBeginCapture(stream, OfThread);
  launch(append, memory, 1, stream);
  const CuGraphNode node = lastNode();
  CuGraph graph = nullptr;
  driver->streamEndCapture(stream, &graph);
  CuGraphExec exec = instantiate(graph);
  int number = 3;
  void *values[] = {&memory, &number};
  CuKernelNodeParams params;
  params.params = values;
  const auto set = [&](CuFunction kernel) {
    params.function = kernel;
    return driver->graphExecKernelNodeSetParams(exec, node, &params);
  };
  EXPECT_EQ(set(function(more, "append")), CuResult::Success);
  driver->graphLaunch(exec, stream);
  driver->streamSynchronize(stream);
  EXPECT_EQ(download(memory), 3);
  EXPECT_EQ(set(append), CuResult::Success);
  fake->driverVersion = 11080;
  EXPECT_EQ(set(append), CuResult::Success);
  EXPECT_EQ(set(function(more, "append")), result(1));
  driver->graphExecDestroy(exec);
  driver->graphDestroy(graph);
  driver->moduleUnload(more);
}

TEST_F(FakeGraphs, MayNotOutliveTheirKernels) {
  CuModule shortLived = load(appendPtx);
  driver->streamBeginCapture(stream, Relaxed);
  launch(function(shortLived, "append"), memory, 1, stream);
  CuGraph graph = nullptr;
  driver->streamEndCapture(stream, &graph);
  CuGraphExec exec = instantiate(graph);
  driver->graphDestroy(graph);
  driver->moduleUnload(shortLived);
  EXPECT_EQ(driver->graphLaunch(exec, stream), CuResult::Success);
  EXPECT_EQ(driver->streamSynchronize(stream), CuResult::IllegalAddress);
  expectedMisuses = {"a launch of append runs after its module is unloaded"};
}

TEST_F(FakeGraphs, KnowWhatCannotBeCaptured) {
  CuEvent event = makeEvent();
  driver->eventRecord(event, other);
  CuDevicePtr address = 0;
  for (Mode mode : {Global, OfThread, Relaxed}) {
    expectRefusal(mode, 900, true, [&] { return driver->streamSynchronize(stream); });
    expectRefusal(mode, 900, true, [&] { return driver->streamQuery(stream); });
    expectRefusal(mode, 900, true, [&] { return driver->ctxSynchronize(); });
    expectRefusal(mode, 905, true, [&] { return driver->streamWaitEvent(stream, event, 0); });
    expectRefusal(mode, 401, false, [&] { return driver->streamBeginCapture(stream, mode); });
    const bool isRelaxed = mode == Relaxed;
    expectRefusal(mode, isRelaxed ? 0 : 900, !isRelaxed,
                  [&] { return driver->memAlloc(&address, 4); });
    CuModule again = load(appendPtx);
    CuFunction lazy = function(again, "append");
    expectRefusal(mode, isRelaxed ? 0 : 900, !isRelaxed,
                  [&] { return launch(lazy, memory, 1, other); });
    driver->streamSynchronize(other);
    driver->moduleUnload(again);
  }
  driver->memFree(address);
  driver->eventDestroy(event);
  EXPECT_EQ(driver->streamBeginCapture(nullptr, Relaxed), result(900));

  // A call in the default stream fails while a blocking stream is captured.
  std::swap(stream, other);
  driver->streamDestroy(stream);
  stream = makeStream(/*flags=*/0);
  int value = 0;
  expectRefusal(Relaxed, 906, true, [&] { return driver->memcpyDtoH(&value, memory, 4); });
  expectRefusal(Relaxed, 906, true, [&] { return launch(append, memory, 1, nullptr); });
}

TEST_F(FakeGraphs, AreEndedByTheThreadThatBegan) {
  driver->streamBeginCapture(stream, OfThread);
  CuGraph graph = nullptr;
  auto inThread = [&](const std::function<CuResult()> &call) {
    CuResult answer = CuResult::Success;
    std::thread([&] {
      driver->ctxPushCurrent(context);
      answer = call();
      CuContext popped;
      driver->ctxPopCurrent(&popped);
    }).join();
    return answer;
  };
  EXPECT_EQ(inThread([&] { return driver->streamEndCapture(stream, &graph); }), result(908));
  CuDevicePtr address = 0;
  EXPECT_EQ(inThread([&] { return driver->memAlloc(&address, 4); }), CuResult::Success);
  EXPECT_EQ(status(), 1);
  EXPECT_EQ(driver->streamEndCapture(stream, &graph), CuResult::Success);
  driver->graphDestroy(graph);

  driver->streamBeginCapture(stream, Global);
  EXPECT_EQ(inThread([&] { return driver->memFree(address); }), result(900));
  EXPECT_EQ(driver->streamEndCapture(stream, &graph), result(901));
  driver->memFree(address);
}
