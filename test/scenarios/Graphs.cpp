// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of graphs.
#include "test/scenarios/Scenario.h"

#include <spl/Graph.h>

#include <optional>

using namespace spl;
using namespace spl::test;

SPL_SCENARIO(CaptureAndReplay) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  Graph graph = Graph::capture(stream, [&] {
    opened.add(stream, array, 1);
    opened.add(stream, array, 2);
  });
  GraphExec exec = graph.instantiate();
  exec.launch(stream);
  exec.launch(stream);
  stream.sync();
  require(array.download() == Ints(3, 6), "the elements");
}

SPL_SCENARIO(CaptureTwoStreams) {
  Opened opened;
  Stream stream = opened.context.makeStream(), other = opened.context.makeStream();
  Event fork = opened.context.makeEvent(), join = opened.context.makeEvent();
  auto first = opened.context.allocZeros<std::int32_t>(3);
  auto second = opened.context.allocZeros<std::int32_t>(3);
  Graph graph = Graph::capture(stream, [&] {
    stream.record(fork);
    other.wait(fork);
    opened.add(stream, first, 1);
    opened.add(other, second, 2);
    other.record(join);
    stream.wait(join);
    first.copyToAsync(second, stream);
  });
  GraphExec exec = graph.instantiate();
  exec.launch(stream);
  stream.sync();
  require(second.download() == Ints(3, 1), "the elements");
}

SPL_SCENARIO(UpdateAGraph) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto first = opened.context.allocZeros<std::int32_t>(3);
  auto second = opened.context.allocZeros<std::int32_t>(3);
  Graph graph = Graph::capture(stream, [&] {
    opened.add(stream, first, 1);
    opened.add(stream, first, 10);
  });
  GraphExec exec = graph.instantiate();
  exec.launch(stream);
  exec.setArguments(1, second, 20);
  exec.launch(stream);
  stream.sync();
  require(first.download() == Ints(3, 12) && second.download() == Ints(3, 20), "the elements");
}

SPL_SCENARIO(UpdateAGraphWhoseRecordHasEnded) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  GraphExec exec = Graph::capture(stream, [&] { opened.add(stream, array, 1); }).instantiate();
  exec.setArguments(0, array, 5);
  exec.launch(stream);
  stream.sync();
  require(array.download() == Ints(3, 5), "the elements");
}

SPL_SCENARIO(CaptureTransfers) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto pinned = opened.context.allocPinned<std::int32_t>(2);
  auto array = opened.context.alloc<std::int32_t>(2);
  Graph graph = Graph::capture(stream, [&] {
    array.uploadAsync(pinned.host(), stream);
    opened.add(stream, array, 1);
    array.downloadAsync(pinned.host(), stream);
  });
  GraphExec exec = graph.instantiate();
  pinned.host()[0] = 40;
  pinned.host()[1] = 50;
  exec.launch(stream);
  exec.launch(stream);
  stream.sync();
  require(pinned.host()[0] == 42 && pinned.host()[1] == 52, "the elements");
}

SPL_SCENARIO(CaptureAFill) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto array = opened.context.alloc<double>(5);
  GraphExec exec = Graph::capture(stream, [&] { array.fillAsync(0.1, stream); }).instantiate();
  exec.launch(stream);
  require(array.download() == std::vector<double>(5, 0.1), "the elements");
}

SPL_SCENARIO(CaptureACallOfTheHost) {
  int calls = 0; // must outlive the streams that call the function
  Opened opened;
  Stream stream = opened.context.makeStream();
  Graph graph = Graph::capture(stream, [&] { stream.call([&] { ++calls; }); });
  GraphExec exec = graph.instantiate();
  for (int i = 0; i < 3; ++i)
    exec.launch(stream);
  stream.sync();
  require(calls == 3, "the calls");
}

SPL_SCENARIO(GraphsKeepWhatTheyUse) {
  std::optional<Opened> opened(std::in_place);
  Stream stream = opened->context.makeStream();
  auto result = opened->context.alloc<std::int32_t>(2);
  std::optional<GraphExec> exec;
  {
    auto array = opened->context.allocZeros<std::int32_t>(2);
    Graph graph = Graph::capture(stream, [&] {
      opened->add(stream, array, 7);
      array.copyToAsync(result, stream);
    });
    exec = graph.instantiate();
  }
  opened.reset();
  exec->launch(stream);
  exec.reset(); // while the graph runs
  require(result.download() == Ints{7, 7}, "the elements");
}

SPL_SCENARIO(GiveACaptureUp) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(2);
  requireError(fake, ErrorCode::UnknownKernel, [&] {
    Graph::capture(stream, [&] {
      opened.add(stream, array, 7);
      opened.module["missing"];
    });
  });
  opened.add(stream, array, 5);
  require(array.download() == Ints{5, 5}, "the elements");
}

SPL_SCENARIO(WaitWithinACapture) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(2);
  requireError(fake, ErrorCode::InvalidArgument, [&] { // its work does not run yet
    Graph::capture(stream, [&] {
      opened.add(stream, array, 7);
      stream.sync();
    });
  });
  opened.add(stream, array, 5);
  require(array.download() == Ints{5, 5}, "the elements");
}

SPL_SCENARIO(DownloadWithinACapture) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(2);
  opened.add(stream, array, 5);
  GraphExec exec = Graph::capture(stream, [&] {
                     opened.add(stream, array, 7);
                     require(array.download() == Ints{5, 5}, "the elements before");
                   }).instantiate();
  exec.launch(stream);
  require(array.download() == Ints{12, 12}, "the elements");
}

SPL_SCENARIO(AllocateWithinACapture) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto result = opened.context.alloc<std::int32_t>(2);
  GraphExec exec = Graph::capture(stream, [&] {
                     auto array = opened.context.alloc<std::int32_t>(2);
                     array.fillAsync(3, stream);
                     array.copyToAsync(result, stream);
                   }).instantiate();
  exec.launch(stream);
  require(result.download() == Ints{3, 3}, "the elements");
}

SPL_SCENARIO(FreePoolMemoryWithinACapture) {
  Opened opened;
  Stream stream = opened.context.makeStream(), other = opened.context.makeStream();
  MemoryPool pool = opened.context.makePool();
  auto result = opened.context.allocZeros<std::int32_t>(2);
  auto ofOne = pool.alloc<std::int32_t>(2, stream), ofBoth = pool.alloc<std::int32_t>(2, stream);
  auto unused = pool.alloc<std::int32_t>(2, stream);
  Event made = opened.context.makeEvent();
  stream.record(made);
  other.wait(made);
  ofBoth.fillAsync(1, other);
  ofOne.fillAsync(5, stream);
  ofOne.copyToAsync(result, stream);
  GraphExec exec = Graph::capture(stream, [&] {
                     opened.add(stream, result, 7);
                     ofOne.free();
                     ofBoth.free();
                     unused.free();
                   }).instantiate();
  exec.launch(stream);
  require(result.download() == Ints{12, 12}, "the elements");
}
