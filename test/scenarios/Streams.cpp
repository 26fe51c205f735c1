// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios with streams, events and host functions.
#include "test/scenarios/Scenario.h"

#include <optional>

using namespace spl;
using namespace spl::test;

SPL_SCENARIO(MakeStreams) {
  Context context = openCuda();
  Stream first = context.makeStream(), second = context.makeStream(/*priority=*/3);
  first = std::move(second);
  first.sync();
  require(first.query(), "an empty stream is done");
}

SPL_SCENARIO(CopyAsync) {
  Context context = openCuda();
  Stream stream = context.makeStream();
  const Ints source = {4, 5, 6};
  Ints result(3);
  auto array = context.alloc<std::int32_t>(3), other = context.alloc<std::int32_t>(3);
  array.uploadAsync(source, stream);
  array.copyToAsync(other, stream);
  other.downloadAsync(std::span(result), stream);
  stream.sync();
  require(result == source, "the elements");
}

SPL_SCENARIO(FillAsync) {
  Context context = openCuda();
  Stream stream = context.makeStream();
  auto array = context.alloc<double>(7);
  array.fillAsync(0.1, stream);
  require(array.download() == std::vector<double>(7, 0.1), "a transfer waits for streams");
}

SPL_SCENARIO(LaunchAsync) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  opened.add(stream, array, 1);
  opened.add(stream, array, 2);
  stream.sync();
  require(array.download() == Ints(3, 3), "the elements");
}

SPL_SCENARIO(OrderStreamsByEvents) {
  Opened opened;
  Stream first = opened.context.makeStream(), second = opened.context.makeStream();
  Event event = opened.context.makeEvent();
  auto array = opened.context.alloc<std::int32_t>(3);
  array.fillAsync(5, first);
  first.record(event);
  second.wait(event);
  opened.add(second, array, 1);
  second.sync();
  require(event.query(), "the event is reached");
  require(array.download() == Ints(3, 6), "the elements");
}

SPL_SCENARIO(MeasureTime) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  Event start = opened.context.makeEvent(), end = opened.context.makeEvent();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  stream.record(start);
  opened.add(stream, array, 1);
  stream.record(end);
  end.sync();
  require(end.elapsedMs(start) >= 0, "the time");
}

SPL_SCENARIO(QueryUntilDone) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  Event event = opened.context.makeEvent();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  opened.add(stream, array, 1);
  stream.record(event);
  opened.add(stream, array, 2);
  int rounds = 0;
  while (!event.query())
    require(++rounds < 100, "the event never comes");
  while (!stream.query())
    require(++rounds < 100, "the stream never ends");
  require(array.download() == Ints(3, 3), "the elements");
}

SPL_SCENARIO(CallTheHost) {
  std::int32_t seen = -1; // this and the following must outlive the streams that use them
  Opened opened;
  auto pinned = opened.context.allocPinned<std::int32_t>(1);
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(1);
  opened.add(stream, array, 8);
  array.downloadAsync(pinned.host(), stream);
  stream.call([&] { seen = pinned.host()[0]; });
  stream.sync();
  require(seen == 8, "what the function saw");
}

SPL_SCENARIO(CallWhatThrows) {
  Context context = openCuda();
  Stream stream = context.makeStream();
  stream.call([] { throw Error({.code = ErrorCode::InvalidArgument, .message = "thrown"}); });
  requireError(fake, ErrorCode::InvalidArgument, [&] { stream.sync(); });
  stream.sync();
}

SPL_SCENARIO(EndAStreamWithWork) {
  bool isCalled = false;
  Opened opened;
  auto array = opened.context.allocZeros<std::int32_t>(3);
  {
    Stream stream = opened.context.makeStream();
    opened.add(stream, array, 4);
    stream.call([&] { isCalled = true; });
  }
  opened.context.sync();
  require(isCalled && array.download() == Ints(3, 4), "the work is done");
}

SPL_SCENARIO(EndAnEventThatIsWaitedFor) {
  Opened opened;
  Stream first = opened.context.makeStream(), second = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  opened.add(first, array, 4);
  {
    Event event = opened.context.makeEvent();
    first.record(event);
    second.wait(event);
  }
  opened.add(second, array, 5);
  second.sync();
  require(array.download() == Ints(3, 9), "the elements");
}

SPL_SCENARIO(SyncTheContext) {
  Opened opened;
  std::vector<Stream> streams;
  std::vector<Array<std::int32_t>> arrays;
  for (std::int32_t i = 0; i < 4; ++i) {
    streams.push_back(opened.context.makeStream());
    arrays.push_back(opened.context.allocZeros<std::int32_t>(2));
    opened.add(streams.back(), arrays.back(), i);
  }
  opened.context.sync();
  for (std::int32_t i = 0; i < 4; ++i)
    require(streams[static_cast<std::size_t>(i)].query() &&
                arrays[static_cast<std::size_t>(i)].download() == Ints(2, i),
            "the elements");
}

SPL_SCENARIO(FreeWhatAStreamUses) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(2);
  auto result = opened.context.alloc<std::int32_t>(2);
  opened.add(stream, array, 6);
  array.copyToAsync(result, stream);
  array.free();
  stream.sync();
  require(result.download() == Ints{6, 6}, "the elements");
}

SPL_SCENARIO(EventsThatWereNeverRecorded) {
  Context context = openCuda();
  Stream stream = context.makeStream();
  Event event = context.makeEvent();
  stream.wait(event);
  event.sync();
  require(event.query(), "it is done");
  requireError(fake, ErrorCode::InvalidArgument, [&] { event.elapsedMs(event); });
}

SPL_SCENARIO(StreamsOutliveTheContext) {
  std::optional<Opened> opened(std::in_place);
  Stream stream = opened->context.makeStream();
  Event event = opened->context.makeEvent();
  auto array = opened->context.allocZeros<std::int32_t>(2);
  opened->add(stream, array, 3);
  opened.reset();
  stream.record(event);
  event.sync();
  require(array.download() == Ints{3, 3}, "the elements");
}

SPL_SCENARIO(UseTheDefaultStream) {
  Opened opened;
  Stream stream = opened.context.defaultStream();
  Event event = opened.context.makeEvent();
  auto array = opened.context.allocZeros<std::int32_t>(2);
  opened.add(stream, array, 3);
  stream.record(event);
  event.sync();
  require(array.download() == Ints{3, 3}, "the elements");
}

SPL_SCENARIO(WrapAStream) {
  int released = 0;
  Opened opened;
  Stream own = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  {
    Stream wrapped = opened.context.wrapStream(own.native(), [&] { ++released; });
    opened.add(wrapped, array, 4);
    Graph graph = Graph::capture(wrapped, [&] { opened.add(wrapped, array, 2); });
    graph.instantiate().launch(wrapped);
  }
  require(array.download() == Ints(3, 6), "the elements");
  require(released == 1, "how often it was given back");
  own.sync();
}

SPL_SCENARIO(WrapTheDefaultStream) {
  int released = 0;
  Opened opened;
  auto array = opened.context.allocZeros<std::int32_t>(3);
  opened.add(opened.context.wrapStream(0, [&] { ++released; }), array, 4);
  require(released == 1, "how often it was given back");
  require(array.download() == Ints(3, 4), "the elements");
}
