// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests process exit with live objects, children made by fork, and many threads in one context.
#include "test/scenarios/Scenario.h"
#include "test/unit/Fork.h"

#include <spl/Graph.h>

#include <gtest/gtest.h>

#include <thread>
#include <unistd.h>

using namespace spl;
using namespace spl::test;

namespace {

/// One object of each kind, with unfinished work.
struct Everything {
  Opened opened;
  Stream stream = opened.context.makeStream();
  Event event = opened.context.makeEvent();
  MemoryPool pool = opened.context.makePool();
  Array<std::int32_t> array = opened.context.allocZeros<std::int32_t>(3);
  Array<std::int32_t> ofPool = pool.alloc<std::int32_t>(3, stream);
  Array<std::int32_t> pinned = opened.context.allocPinned<std::int32_t>(3);
  Array<std::int32_t> unified = opened.context.allocUnified<std::int32_t>(3);
  Graph graph = Graph::capture(stream, [this] { opened.add(stream, array, 1); });
  GraphExec exec = graph.instantiate();

  explicit Everything(bool withWork = true) {
    if (!withWork)
      return;
    ofPool.fillAsync(1, stream);
    opened.add(stream, ofPool, 2);
    stream.call([] {});
    exec.launch(stream);
    stream.record(event);
  }
};

/// Destroyed before the static objects of the library, and after them.
std::optional<Everything> early;

/// Ends the process after \p prepare. An alarm ends it if it hangs.
[[noreturn]] void endProcess(void (*prepare)(FakeDriver &fake)) {
  alarm(20);
  static auto *fake = new FakeDriver; // never destroyed, as later destructors use the driver
  static Everything late;
  early.emplace();
  prepare(*fake);
  std::exit(7);
}

class ProcessEnds : public testing::Test {
protected:
  ProcessEnds() { GTEST_FLAG_SET(death_test_style, "threadsafe"); } // runs in a separate process
};

} // namespace

using ProcessEndsDeathTest = ProcessEnds;

TEST_F(ProcessEndsDeathTest, WithLiveObjects) {
  EXPECT_EXIT(endProcess([](FakeDriver &) {}), testing::ExitedWithCode(7), "");
}

TEST_F(ProcessEndsDeathTest, WithADriverThatIsGone) {
  EXPECT_EXIT(endProcess([](FakeDriver &fake) {
                fake->failAt = fake->callCount + 1;
                fake->failsOnwards = true;
                fake->failingResult = 4; // CUDA_ERROR_DEINITIALIZED
              }),
              testing::ExitedWithCode(7), "");
}

TEST_F(ProcessEndsDeathTest, WithALostDevice) {
  EXPECT_EXIT(endProcess([](FakeDriver &) {
                early->opened.context.launch(early->opened.module["fail"], {.global = {1}},
                                             early->array);
                EXPECT_THROW(early->opened.context.sync(), Error);
              }),
              testing::ExitedWithCode(7), "");
}

TEST_F(ProcessEndsDeathTest, WhileAThreadGoesOn) {
  EXPECT_EXIT(endProcess([](FakeDriver &) {
                // Belongs to the thread and is never destroyed.
                static auto *context = new Context(openCuda());
                static std::atomic<int> rounds{0};
                std::thread([] {
                  for (;; ++rounds)
                    context->allocUpload<std::int32_t>({1, 2}).download();
                }).detach();
                while (rounds < 10)
                  std::this_thread::yield();
              }),
              testing::ExitedWithCode(7), "");
}

TEST_F(ProcessEndsDeathTest, InTheMiddleOfACapture) {
  EXPECT_EXIT(endProcess([](FakeDriver &) {
                Stream stream = early->opened.context.makeStream();
                Graph::capture(stream, [&] { std::exit(7); });
              }),
              testing::ExitedWithCode(7), "");
}

TEST(ForkWithEverything, TheChildIsToldAndTouchesNothing) {
  FakeDriver fake;
  std::optional<Everything> all(std::in_place);
  EXPECT_TRUE(holdsInChild([&] {
    const std::uint64_t before = fake->callCount;
    const std::function<void()> calls[] = {
        [&] { all->opened.context.makeStream(); },
        [&] { all->opened.context.makeEvent(); },
        [&] { all->opened.context.makePool(); },
        [&] { all->opened.context.allocPinned<float>(1); },
        [&] { all->stream.sync(); },
        [&] { all->stream.query(); },
        [&] { all->stream.call([] {}); },
        [&] { all->event.sync(); },
        [&] { all->pool.alloc<float>(1, all->stream); },
        [&] { all->array.fillAsync(1, all->stream); },
        [&] { all->ofPool.download(); },
        [&] { all->graph.instantiate(); },
        [&] { all->exec.launch(all->stream); },
        [&] { Graph::capture(all->stream, [] {}); },
        [&] { all->opened.module["add"].occupancy(256); },
    };
    bool isRefused = true;
    for (std::size_t i = 0; i < std::size(calls); ++i)
      try {
        calls[i]();
        throw Error({.message = "nothing was thrown"});
      } catch (const Error &error) {
        if (error.code() == ErrorCode::ForkedProcess)
          continue;
        isRefused = false;
        std::fprintf(stderr, "call %zu: %s\n", i, error.what());
      }
    all.reset();
    const bool isUntouched = fake->callCount == before && fake->misuses.empty();
    return isRefused && isUntouched;
  }));
  all->stream.sync();
  EXPECT_EQ(all->ofPool.download(), Ints(3, 3)) << "the parent continues";
  all.reset();
  EXPECT_EQ(fake.complaints(), "");
}

TEST(Threads, ShareAContextWithAllThatTheyMakeInIt) {
  FakeDriver fake;
  fake->seed = 5;
  {
    Opened opened;
    auto shared = opened.context.allocUpload<std::int32_t>({1, 2, 3});
    std::atomic<int> right{0};
    std::vector<std::jthread> threads;
    for (std::int32_t each = 0; each < 8; ++each)
      threads.emplace_back([&, each] {
        for (std::int32_t round = 0; round < 20; ++round) {
          Stream stream = opened.context.makeStream();
          Event event = opened.context.makeEvent();
          MemoryPool pool = opened.context.makePool();
          auto array = pool.alloc<std::int32_t>(3, stream);
          array.fillAsync(each, stream);
          opened.add(stream, array, round);
          stream.record(event);
          event.sync();
          right += array.download() == Ints(3, each + round);
        }
      });
    threads.clear();
    EXPECT_EQ(right, 160);
    EXPECT_EQ(shared.download(), (Ints{1, 2, 3}));
  }
  EXPECT_EQ(fake.complaints(), "");
}
