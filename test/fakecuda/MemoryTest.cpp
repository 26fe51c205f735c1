// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the fake driver's memory: devices, pools, peers and the host.
#include "test/fakecuda/DriverTest.h"

using namespace spl::test;

class FakeMemory : public DriverTest {
protected:
  CuMemPool makePool(std::size_t limit) {
    CuMemPoolProps props;
    driver->deviceGet(&props.locationId, 0);
    props.maxSize = limit;
    CuMemPool pool = nullptr;
    EXPECT_EQ(driver->memPoolCreate(&pool, &props), CuResult::Success);
    return pool;
  }

  CuDevicePtr allocateFrom(CuMemPool pool, std::size_t bytes, CuStream stream) {
    CuDevicePtr address = 0;
    EXPECT_EQ(driver->memAllocFromPoolAsync(&address, bytes, pool, stream), CuResult::Success);
    return address;
  }

  std::uint64_t numberOf(CuMemPool pool, int attribute) {
    std::uint64_t number = ~std::uint64_t{0};
    EXPECT_EQ(driver->memPoolGetAttribute(pool, attribute, &number), CuResult::Success);
    return number;
  }
};

TEST_F(FakeMemory, ManagedIsOneForTheHostAndTheDevice) {
  CuModule module = load(appendPtx);
  CuDevicePtr address = 0;
  ASSERT_EQ(driver->memAllocManaged(&address, 4, /*global=*/1), CuResult::Success);
  auto *number = reinterpret_cast<int *>(address);
  *number = 12;
  EXPECT_EQ(launch(function(module, "append"), address, 3, nullptr), CuResult::Success);
  EXPECT_EQ(*number, 12) << "nobody has waited";
  driver->ctxSynchronize();
  EXPECT_EQ(*number, 123);
  EXPECT_EQ(download(address), 123);
  EXPECT_EQ(fake->live["managed"], 1);
  EXPECT_EQ(driver->memFree(address), CuResult::Success);
  EXPECT_EQ(driver->memsetD32Async(address, 0, 1, nullptr), result(1));
  driver->moduleUnload(module);
  expectedMisuses = {"cuMemsetD32Async of memory that is not allocated"};
}

TEST_F(FakeMemory, OfTheHostIsEveryDevices) {
  int *before = makePinned(1);
  CuDevicePtr managed = 0;
  driver->memAllocManaged(&managed, 4, /*global=*/1);
  open(1); // a pool exists before a context is opened
  int *after = makePinned(1);
  for (CuDevicePtr address :
       {reinterpret_cast<CuDevicePtr>(before), managed, reinterpret_cast<CuDevicePtr>(after)}) {
    EXPECT_EQ(driver->memsetD32Async(address, 4, 1, nullptr), CuResult::Success);
    EXPECT_EQ(driver->ctxSynchronize(), CuResult::Success);
    EXPECT_EQ(*reinterpret_cast<int *>(address), 4);
  }
  driver->memFreeHost(after);
  driver->memFreeHost(before);
  driver->ctxPushCurrent(context);
  driver->memFree(managed);
  CuContext popped;
  driver->ctxPopCurrent(&popped);
}

TEST_F(FakeMemory, PageLockedMustStayWhileItIsUsed) {
  CuStream stream = makeStream();
  const CuDevicePtr memory = allocate(8);
  int *host = makePinned(2);
  driver->memcpyHtoDAsync(memory, host, 8, stream);
  EXPECT_EQ(driver->memFreeHost(host), CuResult::Success);
  EXPECT_EQ(driver->memFreeHost(host), result(1));
  driver->streamDestroy(stream);
  driver->memFree(memory);
  expectedMisuses = {"cuMemFreeHost while a copy still uses it",
                     "cuMemFreeHost of an address that is not page-locked"};
}

TEST_F(FakeMemory, AddressesLieInOneAllocationAndAreNeverGivenAgain) {
  const CuDevicePtr memory = allocate(1000);
  EXPECT_EQ(driver->memsetD8Async(memory + 1, 1, 999, nullptr), CuResult::Success);
  EXPECT_EQ(driver->memsetD8Async(memory + 1, 1, 1000, nullptr), result(1));
  EXPECT_EQ(driver->memcpyDtoDAsync(memory, memory + 499, 500, nullptr), result(1));
  driver->memFree(memory);
  EXPECT_EQ(driver->memFree(memory), result(1));
  const CuDevicePtr again = allocate(1000);
  EXPECT_NE(again, memory);
  driver->memFree(again);
  CuDevicePtr none = 0;
  EXPECT_EQ(driver->memAlloc(&none, std::size_t{1} << 31), CuResult::OutOfMemory);
  EXPECT_EQ(driver->memAlloc(&none, 0), result(1));
  expectedMisuses = {"cuMemsetD8Async of memory that is not allocated",
                     "cuMemcpyDtoDAsync between overlapping ranges",
                     "cuMemFree of an address that is not allocated"};
}

TEST_F(FakeMemory, GoesBetweenDevicesWhoseAddressesDiffer) {
  const CuDevicePtr here = allocate(4);
  driver->memsetD32Async(here, 77, 1, nullptr);
  CuContext other = open(1);
  const CuDevicePtr there = allocate(4);
  EXPECT_NE(here, there);
  EXPECT_EQ(driver->memcpyPeerAsync(there, other, here, context, 4, nullptr), CuResult::Success);
  EXPECT_EQ(download(there), static_cast<int>(0xcbcbcbcb)) << "not ordered with the other device";
  driver->ctxPushCurrent(context);
  driver->ctxSynchronize();
  CuContext popped;
  driver->ctxPopCurrent(&popped);
  driver->memcpyPeerAsync(there, other, here, context, 4, nullptr);
  EXPECT_EQ(download(there), 77);

  CuDevice first = 0, second = 0;
  driver->deviceGet(&first, 0);
  driver->deviceGet(&second, 1);
  int can = -1;
  driver->deviceCanAccessPeer(&can, second, first);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(driver->ctxEnablePeerAccess(context, 0), result(217));
  fake->peers.insert({1, 0});
  driver->deviceCanAccessPeer(&can, second, first);
  EXPECT_EQ(can, 1);
  driver->deviceCanAccessPeer(&can, first, second);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(driver->ctxEnablePeerAccess(context, 0), CuResult::Success);
  EXPECT_EQ(driver->ctxEnablePeerAccess(context, 0), CuResult::PeerAccessAlreadyEnabled);
  driver->memFree(there);
  driver->ctxPushCurrent(context);
  driver->memFree(here);
  driver->ctxPopCurrent(&popped);
}

TEST_F(FakeMemory, OfAPoolComesAndGoesInTheOrderOfStreams) {
  CuMemPool pool = makePool(0);
  CuStream first = makeStream(), second = makeStream();
  const CuDevicePtr early = allocateFrom(pool, 4, first);
  driver->memsetD32Async(early, 5, 1, first);
  driver->streamSynchronize(first);
  EXPECT_EQ(download(early), 5);
  EXPECT_EQ(driver->memFreeAsync(early, first), CuResult::Success);
  EXPECT_EQ(driver->memsetD32Async(early, 5, 1, first), result(1)) << "used after its release";
  EXPECT_EQ(driver->memFreeAsync(early, first), result(1));

  // A stream uses memory of another stream without waiting for it.
  const CuDevicePtr late = allocateFrom(pool, 4, first);
  EXPECT_EQ(driver->memsetD32Async(late, 6, 1, second), CuResult::Success);
  EXPECT_EQ(driver->streamSynchronize(second), CuResult::IllegalAddress);
  driver->streamDestroy(first);
  driver->memPoolDestroy(pool);
  expectedMisuses = {"cuMemsetD32Async of memory that is not allocated",
                     "cuMemFreeAsync of an address that is not allocated",
                     "a fill runs when its memory is not there"};
}

TEST_F(FakeMemory, APoolKeepsToItsLimitAndCounts) {
  CuMemPool pool = makePool(5 << 20);
  CuStream stream = makeStream();
  std::uint64_t keep = 3 << 20;
  driver->memPoolSetAttribute(pool, 4, &keep);
  EXPECT_EQ(numberOf(pool, 4), keep);
  const CuDevicePtr first = allocateFrom(pool, 3 << 20, stream);
  const CuDevicePtr second = allocateFrom(pool, 2 << 20, stream);
  EXPECT_EQ(numberOf(pool, 7), 5u << 20);
  CuDevicePtr none = 0;
  EXPECT_EQ(driver->memAllocFromPoolAsync(&none, 1, pool, stream), CuResult::OutOfMemory);
  driver->memFreeAsync(first, stream);
  // It reuses the address of the first.
  const CuDevicePtr third = allocateFrom(pool, 1 << 20, stream);
  EXPECT_EQ(numberOf(pool, 7), 3u << 20);
  EXPECT_EQ(numberOf(pool, 8), 5u << 20) << "the most so far";
  driver->memFreeAsync(second, stream);
  driver->memFreeAsync(third, stream);
  EXPECT_EQ(fake->live.count("pool allocation"), 0u);
  EXPECT_EQ(numberOf(pool, 5), 6u << 20) << "kept until somebody waits";
  driver->ctxSynchronize();
  EXPECT_EQ(numberOf(pool, 5), keep);
  driver->memPoolTrimTo(pool, 0);
  EXPECT_EQ(numberOf(pool, 5), 0u);
  std::uint64_t zero = 0;
  driver->memPoolSetAttribute(pool, 8, &zero);
  EXPECT_EQ(numberOf(pool, 8), 0u);
  EXPECT_EQ(driver->memPoolSetAttribute(pool, 7, &zero), result(1));
  driver->memPoolDestroy(pool);
  EXPECT_EQ(driver->memPoolGetAttribute(pool, 7, &zero), result(1));
  driver->streamDestroy(stream);
  expectedMisuses = {"cuMemPoolSetAttribute of what cannot be set",
                     "cuMemPoolGetAttribute of what is no pool"};
}

TEST_F(FakeMemory, DriversBefore122KnowNoLimitOfAPool) {
  fake->driverVersion = 12010;
  CuMemPool pool = makePool(1 << 20);
  const CuDevicePtr memory = allocateFrom(pool, 2 << 20, nullptr);
  EXPECT_EQ(driver->memPoolDestroy(pool), CuResult::Success) << "with memory that is still used";
  EXPECT_EQ(driver->memFree(memory), CuResult::Success);
}
