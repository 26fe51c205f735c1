// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of failures in streams: which work is skipped, which calls report the failure,
// and that the stream works afterwards.
#include "test/conformance/Conformance.h"
#include "test/unit/runtime/Thrown.h"

#include <mutex>
#include <stdexcept>
#include <vector>

using namespace spl;
using namespace spl::test;
using namespace std::chrono_literals;

namespace {

class StreamFailures : public Conformance {
protected:
  bool isCpu() const { return GetParam().backend == Backend::Cpu; }

  static void failIn(const Stream &stream, const char *text = "no data") {
    stream.call([text] { throw std::runtime_error(text); });
  }
  static std::function<void()> sync(const Stream &stream) {
    return [&stream] { stream.sync(); };
  }
  /// Waits for the work of \p stream, without the report of its failure.
  static void finish(const Stream &stream) {
    while (!stream.query())
      std::this_thread::yield();
  }

  /// A host function that records \p what when it runs.
  std::function<void()> note(int what) {
    return [this, what] {
      std::lock_guard lock(mutex);
      ran.push_back(what);
    };
  }

  std::mutex mutex;
  std::vector<int> ran; ///< guarded by mutex
};

} // namespace

TEST_P(StreamFailures, SkipWhatFollowsInTheStreamUntilAWaitHasThrownThem) {
  Stream stream = context->makeStream();
  stream.call(note(1));
  failIn(stream);
  stream.call(note(2));
  stream.call(note(3));
  const Error error = thrownBy(sync(stream));
  EXPECT_EQ(error.code(), ErrorCode::CallbackFailed);
  EXPECT_EQ(error.message(), "no data");
  EXPECT_STREQ(error.what(), "no data; 2 operations behind it were skipped");
  EXPECT_EQ(error.skipped(), 2u);
  EXPECT_EQ(error.others(), 0u);
  EXPECT_THROW(std::rethrow_exception(error.origin()), std::runtime_error);
  EXPECT_EQ(ran, std::vector<int>{1});
  stream.sync(); // the failure was reported already
  stream.call(note(4));
  stream.sync();
  EXPECT_EQ(ran, (std::vector<int>{1, 4}));
}

TEST_P(StreamFailures, SkipKernelsFillsAndTransfersOnTheCpu) {
  // The CUDA driver has already accepted these and runs them.
  Module module = load();
  Stream stream = context->makeStream();
  auto x = context->allocZeros<float>(3), y = context->allocZeros<float>(3);
  x.fill(1.0f);
  std::vector<float> uploaded(3, 5.0f), downloaded(3, -1.0f);
  auto target = context->allocZeros<float>(3), filled = context->allocZeros<float>(3);
  failIn(stream);
  context->launchAsync(stream, module["saxpy"], {.global = {3}}, 2.0f, x, y);
  filled.fillAsync(7.0f, stream);
  target.uploadAsync(uploaded, stream);
  y.downloadAsync(std::span(downloaded), stream);
  const Error error = thrownBy(sync(stream));
  EXPECT_EQ(error.skipped(), isCpu() ? 4u : 0u);
  EXPECT_EQ(downloaded, std::vector<float>(3, isCpu() ? -1.0f : 2.0f));
  EXPECT_EQ(y.download(), std::vector<float>(3, isCpu() ? 0.0f : 2.0f));
  EXPECT_EQ(filled.download(), std::vector<float>(3, isCpu() ? 0.0f : 7.0f));
  EXPECT_EQ(target.download(), std::vector<float>(3, isCpu() ? 0.0f : 5.0f));
  context->launchAsync(stream, module["saxpy"], {.global = {3}}, 3.0f, x, y);
  EXPECT_EQ(y.download(), std::vector<float>(3, isCpu() ? 3.0f : 5.0f));
}

TEST_P(StreamFailures, LeaveOtherStreamsAlone) {
  Stream failed = context->makeStream(), other = context->makeStream();
  Event before = context->makeEvent();
  failed.call(note(1));
  failed.record(before);
  failIn(failed);
  finish(failed);
  other.wait(before); // the work before the event did not fail
  other.call(note(2));
  other.sync();
  EXPECT_EQ(ran, (std::vector<int>{1, 2}));
  EXPECT_THROW(failed.sync(), Error);
}

TEST_P(StreamFailures, SkipWhatWaitsForAnEventBehindThem) {
  Stream first = context->makeStream(), second = context->makeStream(),
         third = context->makeStream();
  Event event = context->makeEvent(), later = context->makeEvent();
  failIn(first);
  first.record(event);
  second.call(note(1));
  second.wait(event);
  second.call(note(2));
  second.record(later);
  third.wait(later);
  third.call(note(3));
  third.call(note(4));
  const Error error = thrownBy(sync(third));
  EXPECT_EQ(error.message(), "no data");
  EXPECT_EQ(error.skipped(), 3u); // in both streams
  EXPECT_EQ(error.others(), 0u);
  // The second stream waits for all earlier work.
  second.sync();
  first.sync();
  EXPECT_EQ(ran, std::vector<int>{1});
  for (Stream *stream : {&first, &second, &third})
    stream->call(note(5));
  context->sync();
  EXPECT_EQ(ran, (std::vector<int>{1, 5, 5, 5}));
}

TEST_P(StreamFailures, AreToldByEachStreamThatTheyReachedAndWasNotWaitedFor) {
  Stream first = context->makeStream(), second = context->makeStream();
  Event event = context->makeEvent();
  failIn(first);
  first.record(event);
  second.wait(event);
  second.call(note(1));
  const Error told = thrownBy(sync(first));
  EXPECT_EQ(told.skipped(), 0u);
  second.call(note(2));
  const Error again = thrownBy(sync(second));
  EXPECT_EQ(again.skipped(), 2u);
  EXPECT_EQ(again.origin(), told.origin());
  EXPECT_EQ(ran, std::vector<int>());
  second.call(note(3));
  context->sync();
  EXPECT_EQ(ran, std::vector<int>{3});
}

TEST_P(StreamFailures, ReachOtherContexts) {
  Context peer = Context::make(GetParam().backend);
  Stream first = context->makeStream(), second = peer.makeStream();
  Event event = context->makeEvent();
  failIn(first);
  first.record(event);
  second.wait(event);
  second.call(note(1));
  EXPECT_EQ(thrownBy([&] { peer.sync(); }).message(), "no data");
  EXPECT_EQ(ran, std::vector<int>());
  context->sync(); // the failure was reported already
}

TEST_P(StreamFailures, AnEventBehindThemIsReachedAndTellsOnce) {
  Stream stream = context->makeStream(), other = context->makeStream();
  Event event = context->makeEvent();
  failIn(stream);
  stream.call(note(1));
  stream.record(event);
  while (!event.query())
    std::this_thread::yield();
  const Error error = thrownBy([&] { event.sync(); });
  EXPECT_STREQ(error.what(), "no data; 1 operation behind it was skipped");
  event.sync();
  stream.sync();
  EXPECT_GE(event.elapsedMs(event), 0.0f);
  // The failure was reported, but the wait for the event still fails.
  other.wait(event);
  other.call(note(2));
  other.sync();
  EXPECT_EQ(ran, std::vector<int>{2});
}

TEST_P(StreamFailures, SkipAlsoWhatTheTimeHasNotComeForWhenTheyAreTold) {
  Stream stream = context->makeStream(), held = context->makeStream();
  Event event = context->makeEvent(), free = context->makeEvent();
  Gate gate;
  gate.hold(held);
  held.record(free);
  failIn(stream);
  stream.record(event);
  stream.wait(free);
  stream.call(note(1)); // this thread has no report of the failure
  EXPECT_EQ(thrownBy([&] { event.sync(); }).skipped(), 1u);
  stream.call(note(2));
  gate.open();
  stream.sync();
  EXPECT_EQ(ran, std::vector<int>{2});
}

TEST_P(StreamFailures, AWaitThatNobodyHasWaitedForIsKept) {
  Stream stream = context->makeStream(), other = context->makeStream();
  Event own = context->makeEvent(), others = context->makeEvent();
  Gate gate;
  gate.hold(other);
  failIn(other, "no room");
  other.record(others);
  failIn(stream);
  stream.record(own);
  stream.wait(others);
  EXPECT_EQ(thrownBy([&] { own.sync(); }).message(), "no data");
  stream.call(note(1)); // follows the other's failure, which is not reported yet
  gate.open();
  EXPECT_EQ(thrownBy(sync(stream)).message(), "no room");
  EXPECT_EQ(ran, std::vector<int>());
  context->sync();
}

TEST_P(StreamFailures, TheFirstOfSeveralIsThrownWithTheNumberOfTheOthers) {
  std::vector<Stream> streams;
  for (const char *text : {"first", "second", "third"}) {
    streams.push_back(context->makeStream());
    failIn(streams.back(), text);
    streams.back().call(note(1));
    finish(streams.back());
  }
  const Error error = thrownBy([&] { context->sync(); });
  EXPECT_STREQ(error.what(),
               "first; 3 operations behind it were skipped; 2 other operations failed");
  EXPECT_EQ(error.others(), 2u);
  context->sync();
  for (Stream &stream : streams)
    stream.sync();
  EXPECT_EQ(ran, std::vector<int>());
}

TEST_P(StreamFailures, TheOneThatReachedAStreamFirstIsThrown) {
  for (bool waitsFirst : {false, true}) {
    Stream stream = context->makeStream(), other = context->makeStream();
    Event event = context->makeEvent();
    const auto failAndFinish = [](const Stream &failed, const char *text) {
      failIn(failed, text);
      finish(failed);
    };
    if (!waitsFirst)
      failAndFinish(stream, "its own");
    failAndFinish(other, "another's");
    other.record(event);
    stream.wait(event);
    if (waitsFirst)
      failAndFinish(stream, "its own"); // is skipped
    stream.call(note(1));
    finish(stream);
    const Error error = thrownBy(sync(stream));
    EXPECT_EQ(error.message(), waitsFirst ? "another's" : "its own");
    EXPECT_EQ(error.others(), waitsFirst ? 0u : 1u);
    stream.sync();
  }
  EXPECT_EQ(ran, std::vector<int>());
}

TEST_P(StreamFailures, TransfersThrowThoseOfAllStreamsThatUsedTheArray) {
  auto array = context->allocZeros<std::int32_t>(3);
  Stream first = context->makeStream(), second = context->makeStream();
  for (Stream *stream : {&first, &second}) {
    array.fillAsync(7, *stream);
    failIn(*stream, stream == &first ? "first" : "second");
    finish(*stream);
  }
  const Error error = thrownBy([&] { array.download(); });
  EXPECT_EQ(error.message(), "first");
  EXPECT_EQ(error.others(), 1u);
  EXPECT_EQ(array.download(), std::vector<std::int32_t>(3, 7));
  context->sync();
}

TEST_P(StreamFailures, OfStreamsThatHaveEndedAreToldByTheContext) {
  auto array = context->allocZeros<std::int32_t>(3);
  for (int i = 0; i < 100; ++i) {
    Stream stream = context->makeStream();
    array.fillAsync(i, stream);
    failIn(stream, i == 0 ? "first" : "later");
    for (int skipped = 0; skipped < i % 3; ++skipped)
      stream.call(note(i));
  }
  const Error error = thrownBy([&] { context->sync(); });
  EXPECT_EQ(error.message(), "first");
  EXPECT_EQ(error.others(), 99u);
  EXPECT_EQ(error.skipped(), 99u);
  EXPECT_EQ(ran, std::vector<int>());
  context->sync();
  EXPECT_EQ(array.download(), std::vector<std::int32_t>(3, 99));
}

TEST_P(StreamFailures, OfAnEndedStreamAreToldByATransferOfItsArray) {
  auto array = context->allocZeros<std::int32_t>(3);
  {
    Stream stream = context->makeStream();
    array.fillAsync(1, stream);
    failIn(stream);
  }
  {
    Stream stream = context->makeStream();
    array.fillAsync(2, stream);
  }
  EXPECT_EQ(thrownBy([&] { array.download(); }).message(), "no data");
  EXPECT_EQ(array.download(), std::vector<std::int32_t>(3, 2));
  context->sync(); // the failure was reported once
}

TEST_P(StreamFailures, TheDefaultStreamThrowsThemWhereItWaits) {
  Stream stream = context->makeStream(), defaultStream = context->defaultStream();
  Event event = context->makeEvent();
  failIn(stream);
  stream.record(event);
  EXPECT_EQ(thrownBy([&] {
              defaultStream.wait(event); // on the CPU this call blocks
              defaultStream.sync();
            }).message(),
            "no data");
  defaultStream.call(note(1));
  defaultStream.sync();
  stream.sync();
  EXPECT_EQ(ran, std::vector<int>{1});
}

TEST_P(StreamFailures, OfAGraphAreThoseOfTheStreamItRunsIn) {
  Stream stream = context->makeStream(), other = context->makeStream();
  bool fails = true;
  GraphExec exec = Graph::capture(stream, [&] {
                     stream.call(note(1));
                     stream.call([&] {
                       if (fails)
                         throw std::runtime_error("in the graph");
                     });
                     stream.call(note(2));
                   }).instantiate();
  exec.launch(stream);
  exec.launch(stream);
  stream.call(note(3));
  const Error error = thrownBy(sync(stream));
  EXPECT_STREQ(error.what(), "in the graph; 2 operations behind it were skipped");
  EXPECT_EQ(ran, std::vector<int>{1});
  context->sync();
  fails = false;
  exec.launch(other);
  other.sync();
  EXPECT_EQ(ran, (std::vector<int>{1, 1, 2}));

  failIn(stream);
  exec.launch(stream);
  EXPECT_EQ(thrownBy(sync(stream)).skipped(), 1u);
  EXPECT_EQ(ran, (std::vector<int>{1, 1, 2}));
  exec.launch(stream);
  stream.sync();
  EXPECT_EQ(ran, (std::vector<int>{1, 1, 2, 1, 2}));
}

TEST_P(StreamFailures, KeepAFailedBatchFromTheConsumerOfAPipeline) {
  for (std::size_t buffers : {1, 2, 3}) {
    bool fails = true;
    ran.clear();
    Pipeline pipeline(
        *context,
        {.compute =
             [&](std::size_t batch, std::size_t, const Stream &stream) {
               if (fails && batch == 2)
                 failIn(stream);
             },
         .download = [&](std::size_t batch, std::size_t,
                         const Stream &stream) { stream.call(note(static_cast<int>(batch))); }},
        {.buffers = buffers});
    try {
      pipeline.run(9);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const BatchError &error) {
      EXPECT_EQ(error.batch(), 2u);
      EXPECT_EQ(error.stage(), PipelineStage::Compute);
      EXPECT_EQ(error.skipped(), buffers) << "the consumers of the batches in flight";
      EXPECT_EQ(error.others(), 0u);
      EXPECT_THROW(std::rethrow_exception(error.cause()), std::runtime_error);
    }
    EXPECT_EQ(ran, (std::vector<int>{0, 1}));
    fails = false;
    pipeline.run(3);
    EXPECT_EQ(ran, (std::vector<int>{0, 1, 0, 1, 2}));
  }
}

TEST_P(StreamFailures, ManyWaitsForEachOtherAreNoBurden) {
  Stream first = context->makeStream(), second = context->makeStream();
  Event there = context->makeEvent(), back = context->makeEvent();
  for (int round = 0; round < 1000; ++round) {
    first.call([] {});
    first.record(there);
    second.wait(there);
    second.call([] {});
    second.record(back);
    first.wait(back);
  }
  failIn(first);
  first.record(there);
  second.wait(there);
  second.call(note(1));
  EXPECT_EQ(thrownBy(sync(second)).message(), "no data");
  EXPECT_EQ(ran, std::vector<int>());
  context->sync();
}

SPL_ON_EVERY_BACKEND(StreamFailures);
