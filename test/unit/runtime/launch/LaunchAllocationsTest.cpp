// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch allocates no host memory. What a launch executes is counted by
// test/guards/launch-work.py.
#include "test/unit/runtime/launch/LaunchKinds.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<long> allocations = 0;

void *operator new(std::size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes))
    return memory;
  throw std::bad_alloc();
}
void *operator new(std::size_t bytes, std::align_val_t align) {
  ++allocations;
  const auto unit = static_cast<std::size_t>(align);
  if (void *memory = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

using namespace spl;

namespace {

class LaunchAllocations : public testing::TestWithParam<const char *> {
protected:
  LaunchAllocations() { test::useCudaLibrary(SPL_EMPTY_CUDA); }
  ~LaunchAllocations() override { test::useCudaLibrary(nullptr); }
};

} // namespace

TEST_P(LaunchAllocations, AreNone) {
  test::launchKinds.at(GetParam())([](const std::function<void()> &launch) {
    launch();
    const long before = allocations;
    for (int i = 0; i < 100; ++i)
      launch();
    EXPECT_EQ(allocations, before);
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, LaunchAllocations,
                         testing::Values("cuda", "stream", "contract", "c", "cpu"),
                         [](const auto &info) { return std::string(info.param); });
