// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the settings of the fake driver: failing calls, driver versions, compute capabilities. Also
// tests that its table of functions is complete.
#include "test/fakecuda/DriverTest.h"
#include "test/unit/Fork.h"

using namespace spl::test;

class FakeFailures : public DriverTest {};

/// The names of the functions that this version of the driver lacks.
static std::vector<std::string> missingFunctions() {
  std::vector<std::string> missing;
  const Driver &driver = *cudaDriver().driver;
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  if (!driver.MEMBER)                                                                              \
    missing.push_back(NAME);
#include "runtime/backends/cuda/DriverTable.def"
  return missing;
}

TEST_F(FakeFailures, EveryRowOfTheTableIsThere) {
  EXPECT_EQ(missingFunctions(), std::vector<std::string>());
}

TEST(FakeVersions, WhatIsNewerThanTheDriverIsNotThere) {
  const std::vector<std::string> pools = {"cuMemPoolCreate",       "cuMemPoolDestroy",
                                          "cuMemPoolSetAttribute", "cuMemPoolGetAttribute",
                                          "cuMemPoolTrimTo",       "cuMemAllocFromPoolAsync",
                                          "cuMemFreeAsync"};
  {
    FakeDriver fake(SPL_FAKE_CUDA_11);
    ASSERT_NE(cudaDriver().driver, nullptr) << cudaDriver().reason;
    EXPECT_EQ(cudaDriver().driver->version, 11040);
    EXPECT_EQ(missingFunctions(), (std::vector<std::string>{"cuFuncLoad"}));
  }
  {
    FakeDriver fake;
    fake->driverVersion = 11010;
    ASSERT_NE(cudaDriver().driver, nullptr) << cudaDriver().reason;
    std::vector<std::string> expected = {"cuDeviceGetUuid"};
    expected.insert(expected.end(), pools.begin(), pools.end());
    expected.insert(expected.end(),
                    {"cuStreamGetCaptureInfo", "cuGraphInstantiateWithFlags", "cuFuncLoad"});
    EXPECT_EQ(missingFunctions(), expected);
  }
  FakeDriver fake;
  fake->driverVersion = 13090;
  ASSERT_NE(cudaDriver().driver, nullptr);
  EXPECT_EQ(cudaDriver().driver->version, 13090);
  EXPECT_EQ(missingFunctions(), std::vector<std::string>());
}

TEST_F(FakeFailures, ComeAtTheCallThatIsAskedFor) {
  const std::vector<const char *> before = fake->callNames;
  EXPECT_EQ(fake->callCount, before.size());
  EXPECT_STREQ(before.back(), "cuCtxPushCurrent");
  fake->failAt = fake->callCount + 2;
  fake->failingResult = 46;
  const CuDevicePtr memory = allocate(4);
  CuDevicePtr other = 0;
  EXPECT_EQ(driver->memAlloc(&other, 4), result(46));
  EXPECT_EQ(other, 0u);
  EXPECT_EQ(driver->memFree(memory), CuResult::Success);
  EXPECT_EQ(fake->callNames.size(), before.size() + 3);
  EXPECT_STREQ(fake->callNames.back(), "cuMemFree");
}

TEST_F(FakeFailures, MayEndTheContext) {
  CuStream stream = makeStream();
  const CuDevicePtr memory = allocate(4);
  driver->memsetD32Async(memory, 1, 1, stream);
  fake->failAt = fake->callCount + 1;
  fake->failingResult = 214;
  EXPECT_EQ(driver->streamQuery(stream), CuResult::EccUncorrectable);
  EXPECT_EQ(driver->streamSynchronize(stream), CuResult::EccUncorrectable);
  CuContext other = open(1);
  EXPECT_EQ(driver->ctxSynchronize(), CuResult::Success) << "another device's";
  CuContext popped;
  driver->ctxPopCurrent(&popped);
  --opened;
  fake->failAt = fake->callCount + 1;
  EXPECT_EQ(driver->ctxPushCurrent(other), CuResult::EccUncorrectable);
  EXPECT_EQ(driver->ctxPushCurrent(other), CuResult::Success);
  EXPECT_EQ(driver->ctxSynchronize(), CuResult::EccUncorrectable);
  driver->ctxPopCurrent(&popped);
}

TEST_F(FakeFailures, MayGoOnAndReleasesAreStillDone) {
  const CuDevicePtr memory = allocate(4);
  CuStream stream = makeStream();
  fake->failAt = fake->callCount + 1;
  fake->failsOnwards = true;
  fake->failingResult = 46;
  EXPECT_EQ(driver->ctxSynchronize(), result(46));
  EXPECT_EQ(driver->memFree(memory), result(46));
  EXPECT_EQ(driver->streamDestroy(stream), result(46));
  EXPECT_EQ(fake->live, (std::map<std::string, int>{{"context", 1}}));
  fake->failAt = 0;
}

TEST_F(FakeFailures, EveryKindOfHandleIsCounted) {
  CuMemPoolProps props;
  driver->deviceGet(&props.locationId, 0);
  CuMemPool pool = nullptr;
  driver->memPoolCreate(&pool, &props);
  CuDevicePtr fromPool = 0, managed = 0;
  driver->memAllocFromPoolAsync(&fromPool, 4, pool, nullptr);
  driver->memAllocManaged(&managed, 4, 1);
  void *pinned = makePinned(1);
  const CuDevicePtr memory = allocate(4);
  CuStream stream = makeStream();
  CuEvent event = makeEvent();
  CuModule module = load(appendPtx);
  driver->streamBeginCapture(stream, 2);
  CuGraph graph = nullptr;
  CuGraphExec exec = nullptr;
  driver->streamEndCapture(stream, &graph);
  driver->graphInstantiate(&exec, graph, 0);
  EXPECT_EQ(fake->live, (std::map<std::string, int>{{"allocation", 1},
                                                    {"context", 1},
                                                    {"event", 1},
                                                    {"graph", 1},
                                                    {"graph exec", 1},
                                                    {"managed", 1},
                                                    {"module", 1},
                                                    {"pinned", 1},
                                                    {"pool", 1},
                                                    {"pool allocation", 1},
                                                    {"stream", 1}}));
  driver->memFree(memory);
  driver->memFree(managed);
  driver->memFreeHost(pinned);
  driver->memFreeAsync(fromPool, nullptr);
  driver->memPoolDestroy(pool);
  driver->streamDestroy(stream);
  driver->eventDestroy(event);
  driver->moduleUnload(module);
  driver->graphExecDestroy(exec);
  driver->graphDestroy(graph);
}

TEST_F(FakeFailures, AChildMadeByForkIsToldSo) {
  EXPECT_TRUE(holdsInChild(
      [&] { return driver->ctxSynchronize() == result(3) && fake->misuses.size() == 1; }));
}

TEST_F(FakeFailures, RecordsGrowOnlyWhereTheyAreWanted) {
  CuModule module = load(appendPtx);
  CuFunction append = function(module, "append");
  const CuDevicePtr memory = allocate(4);
  driver->memsetD32Async(memory, 1, 1, nullptr);
  launch(append, memory, 2, nullptr);
  EXPECT_EQ(fake->launches.size(), 1u);
  const std::size_t names = fake->callNames.size();
  fake->records = false;
  launch(append, memory, 3, nullptr);
  EXPECT_EQ(download(memory), 123);
  EXPECT_EQ(fake->launches.size(), 1u);
  EXPECT_EQ(fake->callNames.size(), names);
  EXPECT_EQ(fake->callCount, names + 2);
  driver->memFree(memory);
  driver->moduleUnload(module);
}

TEST_F(FakeFailures, OccupancyFollowsTheDevice) {
  CuModule module = load(appendPtx);
  CuFunction append = function(module, "append");
  // Computed by hand from the tables of NVIDIA's programming guide, for 32 registers per thread.
  struct {
    int capability, groupSize;
    std::size_t shared;
    int expected;
  } cases[] = {
      {90, 256, 0, 8},       // limit: 64 warps
      {90, 32, 0, 32},       // limit: 32 groups
      {90, 256, 40960, 5},   // limit: 228 KiB of shared memory, 41 KiB a group
      {80, 1024, 0, 2},      // limit: 64 warps
      {86, 1024, 0, 1},      // limit: 48 warps
      {75, 256, 0, 4},       // limit: 32 warps
      {75, 32, 0, 16},       // limit: 16 groups
      {75, 64, 33 << 10, 1}, // limit: 64 KiB of shared memory
      {89, 33, 0, 24},       // limit: 24 groups of 2 warps
      {90, 2000, 0, 0},
  };
  for (const auto &c : cases) {
    fake->capability = c.capability;
    int groups = -1;
    EXPECT_EQ(driver->occupancyMaxActiveBlocks(&groups, append, c.groupSize, c.shared),
              CuResult::Success);
    EXPECT_EQ(groups, c.expected) << c.capability << ' ' << c.groupSize;
  }
  // 1536 threads: a group of 1024 leaves a third unused, groups of 768 use all.
  fake->capability = 86;
  int grid = 0, block = 0;
  EXPECT_EQ(driver->occupancyMaxPotentialBlockSize(&grid, &block, append, nullptr, 0, 0),
            CuResult::Success);
  EXPECT_EQ(block, 768);
  EXPECT_EQ(grid, 2 * 132);
  int value = 0;
  const int expected[] = {1024, 0, 0, 0, 32, 75, 86};
  for (int attribute = 0; attribute < 7; ++attribute) {
    EXPECT_EQ(driver->funcGetAttribute(&value, attribute, append), CuResult::Success);
    EXPECT_EQ(value, expected[attribute]) << attribute;
  }
  EXPECT_EQ(driver->funcGetAttribute(&value, 99, append), result(1));
  driver->moduleUnload(module);
}
