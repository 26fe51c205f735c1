// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of streams, events and host functions in streams.
#include "test/conformance/Conformance.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

using namespace spl;
using namespace spl::test;
using namespace std::chrono_literals;

namespace {

class Streams : public Conformance {};

} // namespace

TEST_P(Streams, RunTheirWorkInOrder) {
  Module module = load();
  const std::size_t count = 1025;
  std::vector<float> x = numbers(count, 1), y = numbers(count, 2), result(count);
  auto deviceX = context->alloc<float>(count), deviceY = context->alloc<float>(count);
  Stream stream = context->makeStream();
  deviceX.uploadAsync(x, stream);
  deviceY.uploadAsync(y, stream);
  for (int round = 0; round < 3; ++round)
    context->launchAsync(stream, module["saxpy"], {.global = {count}}, 2.0f, deviceX, deviceY);
  deviceY.downloadAsync(std::span(result), stream);
  stream.sync();
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_EQ(result[i], std::fma(2.0f, x[i], std::fma(2.0f, x[i], std::fma(2.0f, x[i], y[i]))));
}

TEST_P(Streams, ReturnBeforeTheirWorkIsDone) {
  Stream stream = context->makeStream();
  Gate gate;
  gate.hold(stream);
  auto target = context->allocPinned<std::int32_t>(3); // with pageable memory CUDA would wait
  std::fill(target.host().begin(), target.host().end(), 0);
  auto array = context->allocUpload<std::int32_t>({1, 2, 3});
  array.downloadAsync(target.host(), stream);
  EXPECT_FALSE(stream.query());
  EXPECT_EQ(target.host()[2], 0);
  gate.open();
  stream.sync();
  EXPECT_TRUE(stream.query());
  EXPECT_EQ(target.host()[2], 3);
}

TEST_P(Streams, DoNotWaitForEachOther) {
  Stream held = context->makeStream(), free = context->makeStream();
  Gate gate;
  gate.hold(held);
  // Not a function of the host: CUDA may run those of all streams one after the other.
  auto array = context->allocZeros<std::int32_t>(3);
  array.fillAsync(7, free);
  free.sync();
  EXPECT_FALSE(held.query());
  EXPECT_EQ(array.download(), (std::vector<std::int32_t>{7, 7, 7}));
  gate.open(); // before the array is freed, because CUDA then waits for all streams
}

TEST_P(Streams, WaitForEventsOfOthers) {
  Stream first = context->makeStream(), second = context->makeStream();
  Event event = context->makeEvent();
  std::mutex mutex;
  std::vector<int> order;
  auto note = [&](int what) {
    return [&, what] {
      std::lock_guard lock(mutex);
      order.push_back(what);
    };
  };
  Gate gate;
  gate.hold(first);
  first.call(note(1));
  first.record(event);
  second.wait(event);
  second.call(note(2));
  EXPECT_FALSE(event.query());
  EXPECT_FALSE(second.query());
  gate.open();
  second.sync();
  EXPECT_TRUE(event.query());
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_P(Streams, AnEventThatWasNeverRecordedHoldsUpNothing) {
  Stream stream = context->makeStream();
  Event event = context->makeEvent();
  stream.wait(event);
  stream.sync();
  EXPECT_TRUE(event.query());
  event.sync();
}

TEST_P(Streams, AnEventMeansItsLastRecord) {
  Stream stream = context->makeStream();
  Event event = context->makeEvent();
  stream.record(event);
  event.sync();
  Gate gate;
  gate.hold(stream);
  stream.record(event);
  EXPECT_FALSE(event.query());
  gate.open();
  event.sync();
  EXPECT_TRUE(event.query());
}

TEST_P(Streams, AWaitIsForTheRecordThatCameBefore) {
  auto source = context->alloc<std::int32_t>(3), target = context->allocZeros<std::int32_t>(3);
  source.fill(1);
  Stream slow = context->makeStream(), fast = context->makeStream(), after = context->makeStream();
  Event event = context->makeEvent();
  Gate gate;
  gate.hold(slow);
  source.fillAsync(2, slow);
  slow.record(event);
  after.wait(event);
  source.copyToAsync(target, after);
  fast.record(event); // now marks a later point, which is reached at once
  event.sync();
  std::this_thread::sleep_for(5ms);
  gate.open();
  after.sync();
  EXPECT_EQ(target.download(), (std::vector<std::int32_t>{2, 2, 2}));
}

TEST_P(Streams, EventsMeasureTime) {
  Stream stream = context->makeStream();
  Event start = context->makeEvent(), end = context->makeEvent();
  stream.record(start);
  stream.call([] { std::this_thread::sleep_for(20ms); });
  stream.record(end);
  end.sync();
  EXPECT_GE(end.elapsedMs(start), 19.0f);
  EXPECT_LE(end.elapsedMs(start), 20000.0f);
  EXPECT_LE(start.elapsedMs(end), -19.0f);
}

TEST_P(Streams, TimesNeedEventsThatAreDone) {
  Stream stream = context->makeStream();
  Event start = context->makeEvent(), end = context->makeEvent();
  auto elapsed = [&] { end.elapsedMs(start); };
  EXPECT_EQ(codeOf(elapsed), ErrorCode::InvalidArgument);
  EXPECT_EQ(messageOf(elapsed), "elapsedMs: the start event was not recorded");
  stream.record(start);
  stream.sync();
  EXPECT_EQ(messageOf(elapsed), "elapsedMs: the end event was not recorded");
  Gate gate;
  gate.hold(stream);
  stream.record(end);
  EXPECT_EQ(codeOf(elapsed), ErrorCode::InvalidArgument);
  EXPECT_EQ(messageOf(elapsed), "elapsedMs: the end event is not done yet");
}

TEST_P(Streams, TransfersWithoutAStreamWaitForTheArraysWork) {
  Stream stream = context->makeStream();
  auto array = context->allocUpload<std::int32_t>({1, 2, 3});
  Gate gate;
  gate.hold(stream);
  array.fillAsync(7, stream);
  std::thread opener([&] {
    std::this_thread::sleep_for(20ms);
    gate.open();
  });
  EXPECT_EQ(array.download(), (std::vector<std::int32_t>{7, 7, 7}));
  opener.join();
}

TEST_P(Streams, EveryTransferWaitsForTheArraysWork) {
  Stream stream = context->makeStream();
  auto array = context->allocUpload<std::int32_t>({1, 2, 3});
  Array<std::int32_t> sameMemory = array.view(0, 3);
  Gate gate;
  gate.hold(stream);
  array.fillAsync(7, stream);
  std::vector<std::int32_t> first;
  std::thread waiter([&] { first = sameMemory.download(); });
  std::thread opener([&] {
    std::this_thread::sleep_for(60ms);
    gate.open();
  });
  std::this_thread::sleep_for(20ms); // until the other thread waits
  EXPECT_EQ(array.download(), (std::vector<std::int32_t>{7, 7, 7}));
  waiter.join();
  opener.join();
  EXPECT_EQ(first, (std::vector<std::int32_t>{7, 7, 7}));
}

TEST_P(Streams, MemoryOutlivesTheWorkThatUsesIt) {
  Stream stream = context->makeStream();
  std::vector<float> source(100000, 3.0f), target(source.size());
  Gate gate;
  {
    auto from = context->allocUpload<float>(source);
    auto to = context->alloc<float>(source.size());
    if (GetParam().backend == Backend::Cpu)
      gate.hold(stream); // in CUDA the destructor of the arrays would wait
    from.copyToAsync(to, stream);
    to.downloadAsync(std::span(target), stream);
  }
  gate.open();
  stream.sync();
  EXPECT_EQ(target, source);
}

TEST_P(Streams, OfManyThreadsUsePartsOfOneAllocation) {
  Module module = load();
  constexpr std::int64_t count = 1025, workers = 8;
  auto x = context->alloc<float>(count * workers), y = context->allocZeros<float>(count * workers);
  std::vector<float> values = numbers(count * workers, 1);
  x.upload(values);
  std::array<int, workers> wrong{};
  std::vector<std::thread> threads;
  std::vector<Array<float>> xs, ys; // one object per thread, for the same memory
  for (std::int64_t t = 0; t < workers; ++t) {
    xs.push_back(x.view(t * count, count));
    ys.push_back(y.view(t * count, count));
  }
  for (std::int64_t t = 0; t < workers; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 10; ++round) {
        Stream stream = context->makeStream();
        context->launchAsync(stream, module["saxpy"], {.global = {count}}, 2.0f, xs[t], ys[t]);
        const std::vector<float> part = ys[t].download(); // waits for the work of all threads
        wrong[t] += part[round] != 2 * (round + 1) * values[t * count + round];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, (std::array<int, workers>{}));
}

TEST_P(Streams, BorrowedMemoryIsGivenBackAfterTheWorkThatUsesIt) {
  // In CUDA the destructor of the array waits.
  const bool isCpu = GetParam().backend == Backend::Cpu;
  Stream stream = context->makeStream();
  auto owner = context->allocUpload<std::int32_t>({1, 2, 3});
  std::atomic<int> released = 0;
  Gate gate;
  {
    auto borrowed = Array<std::int32_t>::borrow(*context, owner.address(), 3, [&] { ++released; });
    if (isCpu)
      gate.hold(stream);
    borrowed.fillAsync(9, stream);
  }
  EXPECT_EQ(released, isCpu ? 0 : 1);
  gate.open();
  stream.sync();
  EXPECT_EQ(released, 1);
  EXPECT_EQ(owner.download(), (std::vector<std::int32_t>{9, 9, 9}));
}

TEST_P(Streams, MayEndWithTheMemoryThatTheyUsed) {
  std::atomic<bool> ran = false;
  Event event = context->makeEvent();
  Gate gate;
  std::optional<Array<std::int32_t>> array;
  std::thread opener;
  {
    Stream last = context->makeStream(), waiting = context->makeStream();
    array = context->alloc<std::int32_t>(3);
    array->fillAsync(1, waiting);
    gate.hold(last);
    array->fillAsync(2, last);
    last.record(event);
    waiting.wait(event);
    waiting.call([&] { ran = true; });
    if (GetParam().backend == Backend::Cpu)
      array.reset(); // destroyed in the last work; in CUDA the destructor would wait here
    opener = std::thread([&] {
      std::this_thread::sleep_for(20ms);
      gate.open();
    });
  }
  EXPECT_TRUE(ran);
  opener.join();
  context->sync();
}

TEST_P(Streams, EndWhatTheirFunctionsHold) {
  Stream stream = context->makeStream();
  std::weak_ptr<void> watched;
  {
    auto array = std::make_shared<Array<float>>(context->allocZeros<float>(3));
    auto event = std::make_shared<Event>(context->makeEvent());
    watched = array;
    stream.call([array, event] {});
  } // the host function is the last owner, and the objects must not be destroyed in a thread of the
    // driver
  stream.sync();
  EXPECT_TRUE(watched.expired());

  auto other = std::make_shared<Array<float>>(context->allocZeros<float>(3));
  watched = other;
  context->defaultStream().call([other = std::move(other)] {});
  context->sync();
  EXPECT_TRUE(watched.expired());
}

TEST_P(Streams, SyncThrowsWhatAFunctionThrew) {
  Stream stream = context->makeStream();
  stream.call([] { throw std::runtime_error("no data"); });
  try {
    stream.sync();
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error &error) {
    EXPECT_STREQ(error.what(), "no data");
  }
  stream.sync(); // the failure was reported once
  EXPECT_TRUE(stream.query());
}

TEST_P(Streams, AnEventThrowsWhatFailedBeforeItAndNothingElse) {
  Stream stream = context->makeStream();
  Event before = context->makeEvent(), after = context->makeEvent(), last = context->makeEvent();
  stream.call([] {});
  stream.record(before);
  stream.call([] { throw std::runtime_error("no data"); });
  stream.record(after);
  stream.record(last);
  while (!stream.query())
    std::this_thread::yield();
  before.sync();
  EXPECT_THROW(after.sync(), std::runtime_error);
  after.sync(); // the failure was reported once
  last.sync();
  stream.sync();
}

TEST_P(Streams, TheContextWaitsForAllOfThem) {
  std::vector<Stream> streams;
  std::atomic<int> ran = 0;
  for (int i = 0; i < 4; ++i) {
    streams.push_back(context->makeStream(i));
    streams.back().call([&] {
      std::this_thread::sleep_for(5ms);
      ++ran;
    });
  }
  context->sync();
  EXPECT_EQ(ran, 4);
}

TEST_P(Streams, TheContextThrowsWhatOneThatEndedThrew) {
  {
    Stream quiet = context->makeStream();
    quiet.call([] {});
    Stream stream = context->makeStream();
    stream.call([] { throw std::runtime_error("no data"); });
  }
  Stream other = context->makeStream();
  other.call([] {});
  other.sync(); // the failure belongs to another stream
  EXPECT_THROW(context->sync(), std::runtime_error);
  context->sync(); // the failure was reported once

  Stream told = context->makeStream();
  told.call([] { throw std::runtime_error("no data"); });
  EXPECT_THROW(told.sync(), std::runtime_error);
  {
    Stream ended = std::move(told);
  }
  context->sync();
}

TEST_P(Streams, FinishTheirWorkWhenTheyEnd) {
  std::atomic<bool> ran = false;
  {
    Stream stream = context->makeStream();
    stream.call([&] {
      std::this_thread::sleep_for(5ms);
      ran = true;
    });
  }
  EXPECT_TRUE(ran) << "its end waits for functions of the host";
  context->sync();
}

TEST_P(Streams, FinishTheirWorkWhenTheyEndAlsoWhereAnArrayWasUsed) {
  std::atomic<bool> ran = false;
  auto array = context->allocZeros<std::int32_t>(3);
  std::vector<std::int32_t> source = {1, 2, 3}, target(3);
  {
    Stream stream = context->makeStream();
    array.fillAsync(9, stream);
    stream.call([&] {
      std::this_thread::sleep_for(20ms);
      ran = true;
    });
    array.uploadAsync(source, stream);
    if (GetParam().backend == Backend::Cpu) // transfers of a GPU may continue
      array.downloadAsync(std::span(target), stream);
  }
  EXPECT_TRUE(ran) << "its end waits for functions of the host";
  if (GetParam().backend == Backend::Cpu)
    EXPECT_EQ(target, source);
  source.assign(3, -1); // it is not read any more
  EXPECT_EQ(array.download(), (std::vector<std::int32_t>{1, 2, 3}));
}

TEST_P(Streams, FinishTheirWorkWhenTheyEndInPoolsGraphsAndEvents) {
  std::atomic<int> ran = 0;
  const auto work = [&] {
    std::this_thread::sleep_for(10ms);
    ++ran;
  };
  MemoryPool pool = context->makePool();
  Event event = context->makeEvent();
  std::optional<Array<std::int32_t>> pooled;
  std::optional<GraphExec> exec;
  {
    Stream stream = context->makeStream();
    pooled = pool.alloc<std::int32_t>(3, stream);
    exec = Graph::capture(stream, [&] {
             pooled->fillAsync(4, stream);
             stream.call(work);
           }).instantiate();
    exec->launch(stream);
    stream.call(work);
    stream.record(event);
  }
  EXPECT_EQ(ran, 2);
  event.sync();
  EXPECT_EQ(pooled->download(), std::vector<std::int32_t>(3, 4));
}

TEST_P(Streams, FillAndCopy) {
  Stream stream = context->makeStream();
  auto check = [&](auto value) {
    auto from = context->alloc<decltype(value)>(1000);
    auto to = context->allocZeros<decltype(value)>(1000);
    from.fillAsync(value, stream);
    from.copyToAsync(to, stream);
    EXPECT_EQ(to.download(), std::vector<decltype(value)>(1000, value));
  };
  check(std::uint8_t{200});
  check(std::int16_t{-30000});
  check(1.5f);
  check(-0.1);
  check(std::array<double, 5>{});
  auto odd = context->alloc<std::array<std::int8_t, 3>>(4);
  EXPECT_EQ(codeOf([&] { odd.fillAsync({1, 2, 3}, stream); }), ErrorCode::InvalidArgument);
}

TEST_P(Streams, RefuseWhatBelongsElsewhere) {
  Context other = Context::make(GetParam().backend);
  Stream stream = context->makeStream(), foreign = other.makeStream();
  Event event = other.makeEvent();
  auto array = context->allocZeros<float>(4);
  std::vector<float> host(4);
  EXPECT_EQ(codeOf([&] { array.uploadAsync(host, foreign); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { array.downloadAsync(std::span(host), foreign); }),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { stream.record(event); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] {
              context->launchAsync(foreign, load()["vector_add"], {.global = {4}}, array, array,
                                   array);
            }),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { context->makeStream(-1); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { stream.call(nullptr); }), ErrorCode::InvalidArgument);
  Stream moved = std::move(stream);
  EXPECT_EQ(codeOf([&] { stream.sync(); }), ErrorCode::InvalidArgument);
}

SPL_ON_EVERY_BACKEND(Streams);
