// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of graphs: captured, launched repeatedly, and changed.
#include "test/conformance/Conformance.h"

#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>

using namespace spl;
using namespace spl::test;

namespace {

class Graphs : public Conformance {
protected:
  static constexpr std::size_t count = 1025;

  /// Whether a capture fails, as the graph would lack some work.
  static bool isRefused(Stream &origin, const std::function<void()> &work) {
    try {
      Graph::capture(origin, work);
    } catch (const Error &error) {
      EXPECT_EQ(error.code(), ErrorCode::InvalidArgument) << error.what();
      return true;
    }
    return false;
  }
};

} // namespace

TEST_P(Graphs, RecordWithoutRunningAndRunManyTimes) {
  Module module = load();
  std::vector<float> x = numbers(count, 1), result(count);
  auto deviceX = context->allocUpload<float>(x), deviceY = context->allocZeros<float>(count);
  Stream stream = context->makeStream();
  int calls = 0;
  Graph graph = Graph::capture(stream, [&] {
    context->launchAsync(stream, module["saxpy"], {.global = {count}}, 2.0f, deviceX, deviceY);
    stream.call([&] { ++calls; });
    deviceY.downloadAsync(std::span(result), stream);
  });
  stream.sync();
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(deviceY.download(), std::vector<float>(count, 0.0f));
  ASSERT_EQ(graph.launches().size(), 1u);
  EXPECT_EQ(graph.launches()[0].name(), "saxpy");

  GraphExec exec = graph.instantiate();
  for (int run = 0; run < 5; ++run)
    exec.launch(stream);
  stream.sync();
  EXPECT_EQ(calls, 5);
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_EQ(result[i], 10 * x[i]);
}

TEST_P(Graphs, TakeNewArguments) {
  Module module = load();
  auto x = context->alloc<float>(count), y = context->allocZeros<float>(count),
       z = context->allocZeros<float>(count);
  x.fill(1.0f);
  Stream stream = context->makeStream();
  Graph graph = Graph::capture(stream, [&] {
    context->launchAsync(stream, module["saxpy"], {.global = {count}}, 2.0f, x, y);
    context->launchAsync(stream, module["saxpy"], {.global = {count}}, 10.0f, x, y);
  });
  GraphExec exec = graph.instantiate();
  exec.launch(stream);
  exec.setArguments(1, 100.0f, x, z);
  exec.launch(stream);
  stream.sync();
  EXPECT_EQ(y.download(), std::vector<float>(count, 14.0f));
  EXPECT_EQ(z.download(), std::vector<float>(count, 100.0f));

  GraphExec untouched = graph.instantiate(); // changes do not affect the captured graph
  untouched.launch(stream);
  EXPECT_EQ(y.download(), std::vector<float>(count, 26.0f));

  const LaunchConfig half = {.global = {count / 2}, .local = {1}};
  const std::vector<Argument> arguments = {1000.0f, x, z};
  exec.setLaunch(0, &half, arguments);
  exec.setArguments(1, 0.0f, x, y);
  exec.launch(stream);
  std::vector<float> result = z.download();
  EXPECT_EQ(result[count / 2 - 1], 1100.0f);
  EXPECT_EQ(result[count / 2], 100.0f);
}

TEST_P(Graphs, CheckNewArgumentsAsALaunchDoes) {
  Module module = load();
  auto x = context->allocZeros<float>(count), y = context->allocZeros<float>(count);
  auto doubles = context->allocZeros<double>(count);
  Stream stream = context->makeStream();
  GraphExec exec = Graph::capture(stream, [&] {
                     context->launchAsync(stream, module["saxpy"], {.global = {count}}, 2.0f, x, y);
                   }).instantiate();
  EXPECT_EQ(codeOf([&] { exec.setArguments(1, 2.0f, x, y); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { exec.setArguments(0, 2.0f, x); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { exec.setArguments(0, 2.0f, doubles, y); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { exec.setArguments(0, 2.0f, y, y); }), ErrorCode::OverlappingArguments);
}

TEST_P(Graphs, KeepWhatTheyUse) {
  Stream stream = context->makeStream();
  std::vector<float> result(count);
  std::optional<GraphExec> exec;
  {
    Module module = load();
    auto x = context->alloc<float>(count), y = context->allocZeros<float>(count);
    x.fill(1.0f);
    exec = Graph::capture(stream, [&] {
             context->launchAsync(stream, module["saxpy"], {.global = {count}}, 2.0f, x, y);
             y.downloadAsync(std::span(result), stream);
           }).instantiate();
  }
  exec->launch(stream);
  stream.sync();
  EXPECT_EQ(result, std::vector<float>(count, 2.0f));
}

TEST_P(Graphs, CopyToPeers) {
  Context peer = Context::make(GetParam().backend);
  auto array = context->alloc<float>(count), there = peer.allocZeros<float>(count);
  Stream stream = context->makeStream();
  Graph graph = Graph::capture(stream, [&] { array.copyToPeerAsync(there, stream); });
  EXPECT_EQ(there.download(), std::vector<float>(count, 0.0f)); // captured work does not run
  GraphExec exec = graph.instantiate();
  for (int run = 1; run <= 2; ++run) {
    const std::vector<float> values = numbers(count, run);
    array.upload(values);
    exec.launch(stream);
    stream.sync();
    EXPECT_EQ(there.download(), values);
  }
  // A captured graph keeps the memory of a peer's freed array.
  there = peer.allocZeros<float>(1);
  exec.launch(stream);
  stream.sync();
}

TEST_P(Graphs, ForkAndJoin) {
  Module module = load();
  auto x = context->alloc<float>(count), y = context->allocZeros<float>(count),
       z = context->allocZeros<float>(count), sum = context->alloc<float>(count);
  x.fill(1.0f);
  Stream first = context->makeStream(), second = context->makeStream();
  Event forked = context->makeEvent(), joined = context->makeEvent();
  GraphExec exec =
      Graph::capture(first, [&] {
        first.record(forked);
        second.wait(forked);
        context->launchAsync(first, module["saxpy"], {.global = {count}}, 2.0f, x, y);
        context->launchAsync(second, module["saxpy"], {.global = {count}}, 3.0f, x, z);
        second.record(joined);
        first.wait(joined);
        context->launchAsync(first, module["vector_add"], {.global = {count}}, y, z, sum);
      }).instantiate();
  second.sync(); // it does not capture any more
  exec.launch(second);
  exec.launch(second);
  EXPECT_EQ(sum.download(), std::vector<float>(count, 10.0f));
}

TEST_P(Graphs, RefuseStreamsThatAreNotWaitedForAgain) {
  Stream first = context->makeStream(), second = context->makeStream();
  Event forked = context->makeEvent();
  auto array = context->allocZeros<float>(count);
  EXPECT_EQ(codeOf([&] {
              Graph::capture(first, [&] {
                first.record(forked);
                second.wait(forked);
                array.fillAsync(1.0f, second);
              });
            }),
            ErrorCode::InvalidArgument);
  first.sync();
  second.sync();
  EXPECT_EQ(array.download(), std::vector<float>(count, 0.0f));
}

// A stream has been waited for if its last work has, whatever else was waited for, and in which
// order.
TEST_P(Graphs, AreWholeWhereTheLastWorkWasWaitedFor) {
  constexpr int numEvents = 3;
  for (int waits = 1; waits <= 3; ++waits)
    for (int order = 0, orders = static_cast<int>(std::pow(numEvents, waits)); order < orders;
         ++order) {
      Stream first = context->makeStream(), second = context->makeStream();
      Event forked = context->makeEvent();
      std::vector<Event> after;
      for (int i = 0; i < numEvents; ++i)
        after.push_back(context->makeEvent());
      auto array = context->allocZeros<float>(count);
      bool isWhole = false;
      auto capture = [&] {
        first.record(forked);
        second.wait(forked);
        for (Event &event : after) {
          array.fillAsync(1.0f, second);
          second.record(event);
        }
        for (int i = 0, rest = order; i < waits; ++i, rest /= numEvents) {
          first.wait(after[rest % numEvents]);
          isWhole |= rest % numEvents == numEvents - 1;
        }
      };
      EXPECT_EQ(isRefused(first, capture), !isWhole) << waits << " " << order;
    }
}

// By another stream that has waited for it, too; but not if more work came since.
TEST_P(Graphs, AreWholeWhereAnotherStreamHasWaited) {
  for (bool waitsForSecond : {false, true})
    for (bool addsWork : {false, true})
      for (bool thirdWaits : {false, true}) {
        Stream first = context->makeStream(), second = context->makeStream(),
               third = context->makeStream();
        Event forked = context->makeEvent(), early = context->makeEvent(),
              late = context->makeEvent();
        auto array = context->allocZeros<float>(count);
        auto capture = [&] {
          first.record(forked);
          second.wait(forked);
          third.wait(forked);
          array.fillAsync(1.0f, second);
          second.record(early);
          if (thirdWaits)
            third.wait(early);
          array.fillAsync(2.0f, third);
          third.record(late);
          if (addsWork)
            array.fillAsync(3.0f, second);
          first.wait(late);
          if (waitsForSecond) {
            second.record(early);
            first.wait(early);
          }
        };
        const bool isWhole = waitsForSecond || (thirdWaits && !addsWork);
        EXPECT_EQ(isRefused(first, capture), !isWhole) << waitsForSecond << addsWork << thirdWaits;
      }
}

TEST_P(Graphs, AreGivenUpWhereTheWorkThrows) {
  Stream stream = context->makeStream();
  auto array = context->allocZeros<float>(count);
  EXPECT_THROW(Graph::capture(stream,
                              [&] {
                                array.fillAsync(1.0f, stream);
                                throw std::runtime_error("changed my mind");
                              }),
               std::runtime_error);
  stream.sync();
  EXPECT_EQ(array.download(), std::vector<float>(count, 0.0f));
  array.fillAsync(2.0f, stream);
  EXPECT_EQ(array.download(), std::vector<float>(count, 2.0f));
}

TEST_P(Graphs, LastLongerThanAStreamThatJoined) {
  Stream stream = context->makeStream();
  Event event = context->makeEvent();
  auto array = context->allocZeros<float>(count);
  GraphExec exec = Graph::capture(stream, [&] {
                     stream.record(event);
                     Stream joined = context->makeStream();
                     joined.wait(event);
                     array.fillAsync(1.0f, joined);
                     joined.record(event);
                     stream.wait(event);
                   }).instantiate();
  exec.launch(stream);
  EXPECT_EQ(array.download(), std::vector<float>(count, 1.0f));
}

TEST_P(Graphs, LeaveTheDefaultStreamOut) {
  Stream stream = context->makeStream(), defaultStream = context->defaultStream();
  Event event = context->makeEvent();
  auto array = context->allocZeros<float>(count);
  Graph::capture(stream, [&] {
    stream.record(event);
    EXPECT_EQ(codeOf([&] { defaultStream.wait(event); }), ErrorCode::InvalidArgument);
    array.fill(1.0f); // runs immediately
  });
  EXPECT_EQ(array.download(), std::vector<float>(count, 1.0f));
  defaultStream.sync();
}

TEST_P(Graphs, LeaveEventsThatStandForNothing) {
  Stream stream = context->makeStream(), other = context->makeStream();
  Event event = context->makeEvent();
  Graph::capture(stream, [&] { stream.record(event); });
  for (Stream *each : {&stream, &other})
    EXPECT_EQ(codeOf([&] { each->wait(event); }), ErrorCode::InvalidArgument);
  stream.record(event);
  other.wait(event);
  other.sync();
}

TEST_P(Graphs, LastLongerThanTheStreamTheyAreCapturedFrom) {
  auto array = context->allocZeros<float>(count);
  Stream thrown = context->makeStream(), moved = context->makeStream();
  EXPECT_THROW(Graph::capture(thrown,
                              [&] {
                                Stream ended = std::move(thrown);
                                throw std::runtime_error("changed my mind");
                              }),
               std::runtime_error);
  GraphExec exec = Graph::capture(moved, [&] {
                     array.fillAsync(1.0f, moved);
                     Stream ended = std::move(moved);
                   }).instantiate();
  EXPECT_EQ(array.download(), std::vector<float>(count, 0.0f));
  exec.launch(context->makeStream());
  EXPECT_EQ(array.download(), std::vector<float>(count, 1.0f));
}

TEST_P(Graphs, WaitForNothingWhileTheyAreCaptured) {
  Stream stream = context->makeStream();
  Event event = context->makeEvent(), before = context->makeEvent();
  auto array = context->allocZeros<float>(count);
  stream.record(before);
  GraphExec exec =
      Graph::capture(stream, [&] {
        array.fillAsync(1.0f, stream);
        EXPECT_EQ(codeOf([&] { stream.sync(); }), ErrorCode::InvalidArgument);
        EXPECT_EQ(codeOf([&] { stream.query(); }), ErrorCode::InvalidArgument);
        EXPECT_EQ(codeOf([&] { context->sync(); }), ErrorCode::InvalidArgument);
        EXPECT_EQ(codeOf([&] { stream.wait(before); }), ErrorCode::InvalidArgument);
        stream.record(event);
        EXPECT_EQ(codeOf([&] { event.sync(); }), ErrorCode::InvalidArgument);
        EXPECT_EQ(codeOf([&] { event.elapsedMs(before); }), ErrorCode::InvalidArgument);
        auto inside = context->allocZeros<float>(3); // allocations are not captured
        EXPECT_EQ(inside.download(), std::vector<float>(3, 0.0f));
      }).instantiate();
  exec.launch(stream);
  EXPECT_EQ(array.download(), std::vector<float>(count, 1.0f));
  EXPECT_THROW(Graph::capture(stream, [] { throw std::runtime_error("given up"); }),
               std::runtime_error);
  context->sync();
}

TEST_P(Graphs, TransfersMeanwhileWaitForWhatCameBefore) {
  Stream stream = context->makeStream(), other = context->makeStream();
  Event fork = context->makeEvent(), join = context->makeEvent();
  auto first = context->allocZeros<float>(count), second = context->allocZeros<float>(count);
  first.fillAsync(1.0f, stream);
  second.fillAsync(2.0f, other);
  GraphExec exec = Graph::capture(stream, [&] {
                     stream.record(fork);
                     other.wait(fork);
                     first.fillAsync(3.0f, stream);
                     second.fillAsync(4.0f, other);
                     EXPECT_EQ(first.download(), std::vector<float>(count, 1.0f));
                     EXPECT_EQ(second.download(), std::vector<float>(count, 2.0f));
                     other.record(join);
                     stream.wait(join);
                   }).instantiate();
  exec.launch(stream);
  EXPECT_EQ(first.download(), std::vector<float>(count, 3.0f));
  EXPECT_EQ(second.download(), std::vector<float>(count, 4.0f));
}

TEST_P(Graphs, AreCapturedWhileOtherThreadsWaitForTheStreamsOfSharedMemory) {
  auto shared = context->allocZeros<std::int32_t>(48);
  std::atomic<int> right{0};
  std::vector<std::jthread> threads;
  for (std::int32_t each = 0; each < 6; ++each)
    threads.emplace_back([&, each, part = shared.view(8 * each, 8)]() mutable {
      Stream stream = context->makeStream();
      try {
        for (int round = 0; round < 1500; ++round) {
          part.fillAsync(-1, stream);
          GraphExec graph =
              Graph::capture(stream, [&] { part.fillAsync(each, stream); }).instantiate();
          graph.launch(stream);
          // Download waits for all streams.
          right += part.download() == std::vector<std::int32_t>(8, each);
        }
      } catch (const Error &error) {
        ADD_FAILURE() << error.what();
      }
    });
  threads.clear();
  EXPECT_EQ(right, 6 * 1500);
}

TEST_P(Graphs, AreCapturedWhileAnotherThreadWaitsForTheContext) {
  std::atomic<bool> isOver{false};
  std::jthread waiting([&] {
    while (!isOver)
      try {
        context->sync();
      } catch (const Error &error) { // the error during a capture
        EXPECT_EQ(error.code(), ErrorCode::InvalidArgument) << error.what();
      }
  });
  Stream stream = context->makeStream();
  auto array = context->allocZeros<std::int32_t>(8);
  for (std::int32_t round = 0; round < 2000 && !HasFailure(); ++round)
    try {
      Graph::capture(stream, [&] { array.fillAsync(round, stream); }).instantiate().launch(stream);
      ASSERT_EQ(array.download(), std::vector<std::int32_t>(8, round));
    } catch (const Error &error) {
      ADD_FAILURE() << error.what();
    }
  isOver = true;
}

TEST_P(Graphs, AreCapturedWhileAnotherThreadFreesWhatTheirStreamUsed) {
  constexpr int rounds = 3000;
  MemoryPool pool = context->makePool();
  Stream first = context->makeStream(), second = context->makeStream();
  // Arrays that the threads pass to each other.
  std::array<std::optional<Array<std::int32_t>>, 2> given;
  std::atomic<int> made{0}, used{0};
  std::atomic<bool> isOver{false};
  std::jthread capturing([&] {
    auto own = context->allocZeros<std::int32_t>(8);
    for (int round = 0; round < rounds && !isOver; ++round)
      try {
        while (made <= round && !isOver)
          std::this_thread::yield();
        given[round % 2]->fillAsync(1, first);
        given[round % 2].reset();
        ++used;
        Graph::capture(first, [&] { own.fillAsync(round, first); }).instantiate().launch(first);
        ASSERT_EQ(own.download(), std::vector<std::int32_t>(8, round));
      } catch (const Error &error) {
        ADD_FAILURE() << error.what();
        isOver = true;
      }
    isOver = true;
  });
  for (int round = 0; round < rounds && !isOver; ++round) {
    auto array = pool.alloc<std::int32_t>(8, second);
    array.fillAsync(2, second);
    second.sync(); // the memory is available to the other stream
    given[round % 2] = array.view(0, 8);
    ++made;
    while (used <= round && !isOver)
      std::this_thread::yield();
  }
}

TEST_P(Graphs, RefuseTheDefaultStream) {
  EXPECT_EQ(codeOf([&] { Graph::capture(context->defaultStream(), [] {}); }),
            ErrorCode::InvalidArgument);
}

TEST_P(Graphs, TellWhatTheirFunctionsThrew) {
  Stream stream = context->makeStream();
  GraphExec exec = Graph::capture(stream, [&] {
                     stream.call([] { throw std::runtime_error("again"); });
                   }).instantiate();
  for (int run = 0; run < 2; ++run) {
    exec.launch(stream);
    EXPECT_THROW(stream.sync(), std::runtime_error);
  }
}

SPL_ON_EVERY_BACKEND(Graphs);
