// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests batches that are produced ahead: their order, their number, failures, and every way to
// stop.
#include "test/unit/Fork.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/DataLoader.h>
#include <spl/Trace.h>

#include <atomic>
#include <chrono>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

using namespace spl;
using namespace spl::test;
using namespace std::chrono_literals;

namespace {

/// Waits until \p condition is true. Returns false after a time limit.
template <typename Condition> bool becomesTrue(Condition condition) {
  for (auto end = std::chrono::steady_clock::now() + 20s; std::chrono::steady_clock::now() < end;
       std::this_thread::sleep_for(100us))
    if (condition())
      return true;
  return false;
}

/// Produces the squares of the numbers below \p count. The batches take different times.
DataLoader<std::size_t>::Producer squares(std::size_t count) {
  return [count](std::size_t index) -> std::optional<std::size_t> {
    std::this_thread::sleep_for(std::chrono::microseconds(index * 7919 % 499));
    if (index < count)
      return index * index;
    return std::nullopt;
  };
}

} // namespace

TEST(DataLoader, KeepsTheOrderHoweverManyWorkers) {
  for (std::size_t workers : {1, 2, 3, 7})
    for (std::size_t prefetch : {1, 2, 5, 64}) {
      DataLoader<std::size_t> loader(squares(101), {.prefetch = prefetch, .workers = workers});
      for (std::size_t i = 0; i < 101; ++i)
        ASSERT_EQ(loader.next(), i * i) << workers << " workers, " << prefetch << " ahead";
      EXPECT_EQ(loader.next(), std::nullopt);
      EXPECT_EQ(loader.next(), std::nullopt); // it stays at its end
      EXPECT_EQ(loader.stats().batches, 101u);
    }
}

TEST(DataLoader, OfNoDataEndsAtOnce) {
  DataLoader<int> loader([](std::size_t) { return std::optional<int>(); },
                         {.prefetch = 3, .workers = 2});
  EXPECT_EQ(loader.next(), std::nullopt);
}

TEST(DataLoader, WhatComesAfterTheEndIsDropped) {
  // Batch 5 is the last. Other workers produce batches from 7 on, and finish earlier.
  DataLoader<std::size_t> loader(
      [](std::size_t index) -> std::optional<std::size_t> {
        if (index == 6) {
          std::this_thread::sleep_for(20ms);
          return std::nullopt;
        }
        return index;
      },
      {.prefetch = 8, .workers = 3});
  for (std::size_t i = 0; i < 6; ++i)
    ASSERT_EQ(loader.next(), i);
  EXPECT_EQ(loader.next(), std::nullopt);
  EXPECT_EQ(loader.next(), std::nullopt);
}

TEST(DataLoader, GoesAheadAsFarAsItMayAndNoFurther) {
  std::atomic<std::size_t> made = 0;
  DataLoader<std::size_t> loader(
      [&](std::size_t index) {
        ++made;
        return std::optional(index);
      },
      {.prefetch = 4, .workers = 2});
  ASSERT_TRUE(becomesTrue([&] { return made == 4; }));
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(made, 4u);
  for (std::size_t taken = 1; taken <= 10; ++taken) {
    loader.next();
    ASSERT_TRUE(becomesTrue([&] { return made == 4 + taken; }));
  }
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(made, 14u);
}

TEST(DataLoader, WorkersWorkAtOnce) {
  std::atomic<int> present = 0;
  DataLoader<bool> loader(
      [&](std::size_t index) -> std::optional<bool> {
        if (index >= 3)
          return std::nullopt;
        ++present;
        return becomesTrue([&] { return present == 3; });
      },
      {.prefetch = 3, .workers = 3});
  while (std::optional<bool> met = loader.next())
    EXPECT_TRUE(*met);
}

TEST(DataLoader, ThrowsAtTheBatchThatFailedAndGoesOn) {
  for (std::size_t workers : {1, 3}) {
    DataLoader<std::size_t> loader(
        [](std::size_t index) -> std::optional<std::size_t> {
          if (index % 5 == 2)
            throw std::out_of_range("no row " + std::to_string(index));
          if (index == 11)
            return std::nullopt;
          return index;
        },
        {.prefetch = 4, .workers = workers});
    for (std::size_t i = 0; i < 11; ++i) {
      if (i % 5 != 2) {
        ASSERT_EQ(loader.next(), i);
        continue;
      }
      try {
        loader.next();
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::out_of_range &error) {
        EXPECT_EQ(error.what(), "no row " + std::to_string(i));
      }
    }
    EXPECT_EQ(loader.next(), std::nullopt);
    EXPECT_EQ(loader.stats().batches, 9u);
  }
}

TEST(DataLoader, StopsWhereverItIs) {
  for (std::size_t workers : {1, 2, 5})
    for (int taken : {0, 1, 3, 30}) {
      std::atomic<int> begun = 0, ended = 0;
      {
        DataLoader<std::size_t> loader(
            [&](std::size_t index) {
              ++begun;
              std::this_thread::sleep_for(200us);
              ++ended;
              return std::optional(index);
            },
            {.prefetch = 5, .workers = workers});
        for (int i = 0; i < taken; ++i)
          loader.next();
      }
      EXPECT_EQ(begun, ended);
      EXPECT_LE(ended, taken + 5);
    }
}

TEST(DataLoader, DropsWhatNobodyTook) {
  auto token = std::make_shared<int>(7);
  {
    DataLoader<std::shared_ptr<int>> loader([&](std::size_t) { return std::optional(token); },
                                            {.prefetch = 6});
    EXPECT_TRUE(becomesTrue([&] { return token.use_count() >= 7; }));
    EXPECT_EQ(**loader.next(), 7);
  }
  EXPECT_EQ(token.use_count(), 1);
}

TEST(DataLoader, TakesBatchesThatOnlyMove) {
  DataLoader<std::unique_ptr<std::string>> loader(
      [](std::size_t index) { return std::optional(std::make_unique<std::string>(index, 'x')); });
  EXPECT_EQ(**loader.next(), "");
  EXPECT_EQ(**loader.next(), "x");
  auto moved = std::move(loader);
  EXPECT_EQ(**moved.next(), "xx");
  EXPECT_EQ(thrownBy([&] { loader.next(); }).code(), ErrorCode::InvalidArgument);
  moved = DataLoader<std::unique_ptr<std::string>>(
      [](std::size_t) { return std::optional(std::make_unique<std::string>("other")); });
  EXPECT_EQ(**moved.next(), "other");
}

TEST(DataLoader, SaysWhoWaitedForWhom) {
  auto take = [](std::chrono::milliseconds producer, std::chrono::milliseconds consumer) {
    DataLoader<int> loader([=](std::size_t index) -> std::optional<int> {
      std::this_thread::sleep_for(producer);
      if (index < 10)
        return 1;
      return std::nullopt;
    });
    while (loader.next())
      std::this_thread::sleep_for(consumer);
    return loader.stats();
  };
  // On a busy machine each may wait for the other. Longer waits make this effect smaller.
  bool isTold = false;
  for (std::chrono::milliseconds slow = 6ms; !isTold && slow < 100ms; slow *= 2) {
    const DataLoaderStats slowProducer = take(slow, 0ms), slowConsumer = take(0ms, slow);
    const auto half = static_cast<double>(5 * slow.count());
    EXPECT_GE(slowProducer.produceMs, 2 * half - 1);
    isTold = slowProducer.consumerWaitMs > half && slowConsumer.producerWaitMs > half &&
             slowProducer.consumerWaitMs > slowConsumer.consumerWaitMs &&
             slowConsumer.producerWaitMs > slowProducer.producerWaitMs;
  }
  EXPECT_TRUE(isTold);
}

TEST(DataLoader, WritesToATrace) {
  Trace trace;
  DataLoader<std::size_t> loader(squares(3), {.prefetch = 1, .workers = 1, .trace = &trace});
  while (loader.next()) {
  }
  std::ostringstream out;
  trace.write(out);
  for (const char *expected : {"\"loader's consumer\"", "\"loader 0\"", "\"batch 2\""})
    EXPECT_NE(out.str().find(expected), std::string::npos) << expected;
}

TEST(DataLoader, RefusesWhatItCannotDo) {
  auto none = [](std::size_t) { return std::optional<int>(); };
  EXPECT_EQ(textOf([&] { DataLoader<int>(nullptr); }), "the data loader has no producer");
  EXPECT_EQ(textOf([&] { DataLoader<int>(none, {.prefetch = 0}); }),
            "the data loader has no batches ahead: prefetch is 0");
  EXPECT_EQ(textOf([&] { DataLoader<int>(none, {.workers = 0}); }),
            "the data loader has no workers");
  EXPECT_EQ(textOf([&] { DataLoader<int>(none, {.prefetch = 65537}); }),
            "the data loader has too many batches ahead: prefetch is 65537, and at most 65536 are "
            "possible");
  DataLoader<int>(none, {.prefetch = 65536}).next();
  EXPECT_EQ(thrownBy([&] { DataLoader<int>(none, {.prefetch = SIZE_MAX}); }).code(),
            ErrorCode::InvalidArgument);
}

TEST(DataLoader, IsNotForItsOwnProducer) {
  std::atomic<DataLoader<int> *> own{nullptr};
  DataLoader<int> loader([&](std::size_t index) -> std::optional<int> {
    while (!own)
      std::this_thread::yield();
    return index == 1 ? *own.load()->next() : 7;
  });
  own = &loader;
  EXPECT_EQ(loader.next(), 7);
  EXPECT_EQ(textOf([&] { loader.next(); }), "the data loader's own producer asks it for a batch");
  EXPECT_EQ(loader.next(), 7);
}

TEST(DataLoader, IsRefusedInAChildMadeByFork) {
  std::optional<DataLoader<std::string>> loader(
      std::in_place,
      [](std::size_t index) { return std::optional(std::string(100, char('a' + index % 26))); },
      DataLoaderOptions{.prefetch = 3, .workers = 2});
  EXPECT_EQ(loader->next(), std::string(100, 'a'));
  EXPECT_TRUE(holdsInChild([&] {
    const Error error = thrownBy([&] { loader->next(); });
    loader.reset();
    return error.code() == ErrorCode::ForkedProcess;
  }));
  EXPECT_EQ(loader->next(), std::string(100, 'b'));
}
