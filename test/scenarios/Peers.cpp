// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios with several devices.
#include "test/scenarios/Scenario.h"

#include <spl/Graph.h>

using namespace spl;
using namespace spl::test;

SPL_SCENARIO(TwoDevices) {
  Context first = openCuda(0), second = openCuda(1);
  auto here = first.allocUpload<std::int32_t>({1}), there = second.allocUpload<std::int32_t>({2});
  require(here.download() == Ints{1} && there.download() == Ints{2}, "the elements");
}

SPL_SCENARIO(CopyToAPeerThatIsReached) {
  fake->peers = {{0, 1}, {1, 0}};
  Context first = openCuda(0), second = openCuda(1);
  require(first.enablePeerAccess(second) && first.enablePeerAccess(second), "it is reached");
  auto here = first.allocUpload<std::int32_t>({1, 2}), there = second.alloc<std::int32_t>(2);
  here.copyToPeer(there);
  require(there.download() == Ints{1, 2}, "the elements");
}

SPL_SCENARIO(CopyToAPeerThatIsNotReached) {
  Context first = openCuda(0), second = openCuda(1);
  require(!first.enablePeerAccess(second), "it is not reached");
  auto here = first.allocUpload<std::int32_t>({1, 2}), there = second.alloc<std::int32_t>(2);
  here.copyToPeer(there);
  require(there.download() == Ints{1, 2}, "the elements");
}

SPL_SCENARIO(CopyToAPeerAsync) {
  Context first = openCuda(0), second = openCuda(1);
  Stream stream = first.makeStream(), waiting = second.makeStream();
  Event event = first.makeEvent();
  auto here = first.alloc<std::int32_t>(2), there = second.alloc<std::int32_t>(2);
  Ints result(2);
  here.fillAsync(3, stream);
  here.copyToPeerAsync(there, stream);
  stream.record(event);
  waiting.wait(event);
  there.downloadAsync(std::span(result), waiting);
  waiting.sync();
  require(result == Ints{3, 3}, "the elements");
}

SPL_SCENARIO(CaptureACopyToAPeer) {
  Context first = openCuda(0), second = openCuda(1);
  Stream stream = first.makeStream();
  auto here = first.allocUpload<std::int32_t>({1, 2}), there = second.allocZeros<std::int32_t>(2);
  Graph graph = Graph::capture(stream, [&] { here.copyToPeerAsync(there, stream); });
  require(there.download() == Ints{0, 0}, "captured is not run");
  GraphExec exec = graph.instantiate();
  exec.launch(stream);
  stream.sync();
  require(there.download() == Ints{1, 2}, "the elements");
}

SPL_SCENARIO(CopyToTheCpu) {
  Context cuda = openCuda(), cpu = Context::make(Backend::Cpu);
  auto here = cuda.allocUpload<std::int32_t>({1, 2}), there = cpu.alloc<std::int32_t>(2);
  here.copyToPeer(there);
  require(there.download() == Ints{1, 2}, "the elements");
  auto back = cuda.alloc<std::int32_t>(2);
  there.copyToPeer(back);
  require(back.download() == Ints{1, 2}, "the elements");
}

SPL_SCENARIO(FreeAPeersTarget) {
  Context first = openCuda(0);
  Stream stream = first.makeStream();
  auto here = first.allocUpload<std::int32_t>({1, 2});
  {
    Context second = openCuda(1);
    auto there = second.alloc<std::int32_t>(2);
    here.copyToPeerAsync(there, stream);
  }
  stream.sync();
}

SPL_SCENARIO(WrapAStreamOfAnotherDevice) {
  int released = 0;
  Context first = openCuda(0), second = openCuda(1);
  Stream stream = first.makeStream();
  requireError(fake, ErrorCode::InvalidArgument,
               [&] { second.wrapStream(stream.native(), [&] { ++released; }); });
  require(released == 0, "it was not taken");
}

SPL_SCENARIO(CopyToAPeerAndEnd) {
  Context there = openCuda(1);
  auto target = there.allocZeros<std::int32_t>(3);
  {
    Context here = openCuda(0);
    auto source = here.allocUpload<std::int32_t>({1, 2, 3});
    source.copyToPeerAsync(target, here.defaultStream());
  }
  require(target.download() == Ints{1, 2, 3}, "the elements");
}
