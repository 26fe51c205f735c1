// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests streams and events: work runs when a call waits for it, not earlier.
#include "test/fakecuda/DriverTest.h"

#include <atomic>
#include <thread>

using namespace spl::test;

class FakeStreams : public DriverTest {};

TEST_F(FakeStreams, DoNothingBeforeSomebodyWaits) {
  CuStream stream = makeStream();
  const CuDevicePtr memory = allocate(12);
  int *host = makePinned(3);
  EXPECT_EQ(driver->memsetD32Async(memory, 42, 3, stream), CuResult::Success);
  EXPECT_EQ(driver->memcpyDtoHAsync(host, memory, 12, stream), CuResult::Success);
  EXPECT_EQ(host[2], 7);
  EXPECT_EQ(driver->streamSynchronize(stream), CuResult::Success);
  EXPECT_EQ(host[2], 42);
  driver->memFree(memory);
  driver->memFreeHost(host);
  driver->streamDestroy(stream);
}

TEST_F(FakeStreams, ReadPageableMemoryAtOnceAndPageLockedMemoryLater) {
  CuStream stream = makeStream();
  const CuDevicePtr first = allocate(4), second = allocate(4);
  int pageable = 1, *pinned = makePinned(1);
  *pinned = 1;
  driver->memcpyHtoDAsync(first, &pageable, 4, stream);
  driver->memcpyHtoDAsync(second, pinned, 4, stream);
  pageable = *pinned = 2;
  driver->streamSynchronize(stream);
  EXPECT_EQ(download(first), 1);
  EXPECT_EQ(download(second), 2);
  driver->memcpyDtoHAsync(&pageable, first, 4, stream);
  EXPECT_EQ(pageable, 1) << "written when the call returns";
  driver->memFree(first);
  driver->memFree(second);
  driver->memFreeHost(pinned);
  driver->streamDestroy(stream);
}

TEST_F(FakeStreams, ProgressByOnePieceWithEachQuery) {
  CuStream stream = makeStream();
  const CuDevicePtr memory = allocate(4);
  EXPECT_EQ(driver->streamQuery(stream), CuResult::Success);
  driver->memsetD32Async(memory, 1, 1, stream);
  driver->memsetD32Async(memory, 2, 1, stream);
  EXPECT_EQ(driver->streamQuery(stream), CuResult::NotReady);
  EXPECT_EQ(driver->streamQuery(stream), CuResult::NotReady);
  EXPECT_EQ(driver->streamQuery(stream), CuResult::Success);
  EXPECT_EQ(download(memory), 2);
  driver->memFree(memory);
  driver->streamDestroy(stream);
}

TEST_F(FakeStreams, AreOrderedByEventsAlone) {
  CuStream first = makeStream(), second = makeStream(), third = makeStream();
  CuEvent event = makeEvent();
  const CuDevicePtr memory = allocate(4);
  int *host = makePinned(2);
  driver->memsetD32Async(memory, 1, 1, first);
  driver->eventRecord(event, first);
  driver->memsetD32Async(memory, 2, 1, first);
  driver->streamWaitEvent(second, event, 0);
  driver->memcpyDtoHAsync(&host[0], memory, 4, second);
  driver->memcpyDtoHAsync(&host[1], memory, 4, third);
  driver->streamSynchronize(second);
  EXPECT_EQ(host[0], 1) << "after the event, before what follows it";
  EXPECT_EQ(driver->eventQuery(event), CuResult::Success);
  EXPECT_EQ(host[1], 7);
  EXPECT_EQ(driver->ctxSynchronize(), CuResult::Success);
  EXPECT_EQ(download(memory), 2);
  for (CuStream stream : {first, second, third})
    driver->streamDestroy(stream);
  driver->eventDestroy(event);
  driver->memFree(memory);
  driver->memFreeHost(host);
}

TEST_F(FakeStreams, WaitForTheDefaultStreamUnlessTheyWereMadeNotTo) {
  CuStream blocking = makeStream(/*flags=*/0), free = makeStream();
  const CuDevicePtr memory = allocate(4);
  int *host = makePinned(2);
  driver->memsetD32Async(memory, 1, 1, nullptr);
  driver->memcpyDtoHAsync(&host[0], memory, 4, blocking);
  driver->memcpyDtoHAsync(&host[1], memory, 4, free);
  driver->streamSynchronize(free);
  EXPECT_EQ(host[0], 7);
  EXPECT_NE(host[1], 1);
  driver->streamSynchronize(blocking);
  EXPECT_EQ(host[0], 1);

  driver->memsetD32Async(memory, 2, 1, blocking);
  driver->memsetD32Async(memory, 3, 1, free);
  EXPECT_EQ(download(memory), 2) << "the default stream waits for the blocking one alone";
  driver->streamDestroy(blocking);
  driver->streamDestroy(free);
  driver->memFree(memory);
  driver->memFreeHost(host);
}

TEST_F(FakeStreams, CallFunctionsOfTheHostThatMayNotCallTheDriver) {
  CuStream stream = makeStream();
  struct Data {
    const Driver *driver;
    CuResult answer = CuResult::Success;
  } data{driver};
  driver->launchHostFunc(
      stream,
      [](void *data) {
        std::size_t free, total;
        static_cast<Data *>(data)->answer =
            static_cast<Data *>(data)->driver->memGetInfo(&free, &total);
      },
      &data);
  EXPECT_EQ(data.answer, CuResult::Success);
  driver->streamSynchronize(stream);
  EXPECT_EQ(data.answer, result(800));
  driver->streamDestroy(stream);
  expectedMisuses = {"cuMemGetInfo in a function that a stream called"};
}

TEST_F(FakeStreams, LetOtherThreadsCallWhileAFunctionOfTheHostRuns) {
  CuStream stream = makeStream(), idle = makeStream();
  struct Data {
    std::atomic<bool> isIn{false}, mayLeave{false};
  } data;
  driver->launchHostFunc(
      stream,
      [](void *argument) {
        auto &data = *static_cast<Data *>(argument);
        data.isIn = true;
        data.isIn.notify_all();
        data.mayLeave.wait(false);
      },
      &data);
  const CuDevicePtr memory = allocate(4);
  driver->memsetD32Async(memory, 5, 1, stream);
  std::thread waiting([&] {
    driver->ctxPushCurrent(context);
    driver->streamSynchronize(stream);
    CuContext popped;
    driver->ctxPopCurrent(&popped);
  });
  data.isIn.wait(false);
  EXPECT_EQ(driver->streamQuery(idle), CuResult::Success);
  data.mayLeave = true;
  data.mayLeave.notify_all();
  driver->streamSynchronize(stream); // waits for the work that the other thread runs
  EXPECT_EQ(download(memory), 5);
  waiting.join();
  driver->memFree(memory);
  driver->streamDestroy(stream);
  driver->streamDestroy(idle);
}

TEST_F(FakeStreams, MeasureTime) {
  CuStream stream = makeStream();
  CuEvent start = makeEvent(), end = makeEvent(), untimed = makeEvent(/*flags=*/2);
  float milliseconds = -1;
  EXPECT_EQ(driver->eventElapsedTime(&milliseconds, start, end), result(400)) << "not recorded";
  driver->eventRecord(start, stream);
  driver->launchHostFunc(
      stream, [](void *) { std::this_thread::sleep_for(std::chrono::milliseconds(3)); }, nullptr);
  driver->eventRecord(end, stream);
  driver->eventRecord(untimed, stream);
  EXPECT_EQ(driver->eventElapsedTime(&milliseconds, start, end), CuResult::NotReady);
  driver->eventSynchronize(end);
  EXPECT_EQ(driver->eventElapsedTime(&milliseconds, start, end), CuResult::Success);
  EXPECT_GE(milliseconds, 3);
  EXPECT_LT(milliseconds, 3000);
  EXPECT_EQ(driver->eventElapsedTime(&milliseconds, start, untimed), result(400));
  for (CuEvent event : {start, end, untimed})
    driver->eventDestroy(event);
  driver->streamDestroy(stream);
}

TEST_F(FakeStreams, KnowStaleAndForeignHandles) {
  CuStream stream = makeStream();
  CuEvent event = makeEvent();
  driver->streamDestroy(stream);
  EXPECT_EQ(driver->streamSynchronize(stream), result(400));
  EXPECT_EQ(driver->eventQuery(reinterpret_cast<CuEvent>(stream)), result(400));
  open(1);
  EXPECT_EQ(driver->eventQuery(event), result(400));
  CuStream other = makeStream();
  EXPECT_EQ(driver->streamWaitEvent(other, event, 0), CuResult::Success) << "of any context";
  driver->streamDestroy(other);
  CuContext popped;
  driver->ctxPopCurrent(&popped);
  --opened;
  driver->eventDestroy(event);
  expectedMisuses = {"cuStreamSynchronize in what is no stream", "cuEventQuery of what is no event",
                     "cuEventQuery of an event of another context"};
}

/// Two streams append to one number, with or without an event between them. Returns the number.
static int orderOf(const Driver *driver, CuFunction append, CuDevicePtr memory, CuStream first,
                   CuStream second, CuEvent event) {
  driver->memsetD32Async(memory, 0, 1, nullptr);
  driver->ctxSynchronize();
  auto launch = [&](int number, CuStream stream) {
    CuDevicePtr address = memory;
    void *params[] = {&address, &number};
    EXPECT_EQ(driver->launchKernel(append, 1, 1, 1, 1, 1, 1, 0, stream, params, nullptr),
              CuResult::Success);
  };
  launch(1, first);
  launch(2, first);
  if (event) {
    driver->eventRecord(event, first);
    driver->streamWaitEvent(second, event, 0);
  }
  launch(3, second);
  launch(4, second);
  int value = 0;
  driver->ctxSynchronize();
  driver->memcpyDtoH(&value, memory, 4);
  return value;
}

TEST_F(FakeStreams, TakeEveryOrderThatIsAllowedAndNoOther) {
  CuStream first = makeStream(), second = makeStream();
  CuEvent event = makeEvent();
  CuModule module = load(appendPtx);
  CuFunction append = function(module, "append");
  const CuDevicePtr memory = allocate(4);
  std::set<int> ordered, unordered;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    fake->seed = seed;
    ordered.insert(orderOf(driver, append, memory, first, second, event));
    unordered.insert(orderOf(driver, append, memory, first, second, nullptr));
  }
  EXPECT_EQ(ordered, (std::set<int>{1234}));
  EXPECT_EQ(unordered, (std::set<int>{1234, 1324, 1342, 3124, 3142, 3412}));
  fake->seed.reset();
  driver->memFree(memory);
  driver->moduleUnload(module);
  driver->eventDestroy(event);
  driver->streamDestroy(first);
  driver->streamDestroy(second);
}
