// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the time that the runtime adds to a launch. Each time is the minimum of many batches, so
// that other processes do not make a test fail.
#include "test/conformance/Kernels.h"
#include "test/fakecuda/CudaLibrary.h"
#include "test/unit/Sanitizers.h"

#include <spl/spl.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
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

/// The microseconds of one call, in the fastest of many batches.
template <typename Call> double microseconds(Call call) {
  double best = 1e9;
  for (int batch = 0; batch < 300; ++batch) {
    constexpr int calls = 200;
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i)
      call();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / calls);
  }
  return best;
}

/// The number of allocations in a hundred calls.
template <typename Call> long allocationsIn(Call call) {
  const long before = allocations;
  for (int i = 0; i < 100; ++i)
    call();
  return allocations - before;
}

/// The CUDA backend on the driver that does nothing.
class LaunchCost : public testing::Test {
protected:
  LaunchCost() { test::useCudaLibrary(SPL_EMPTY_CUDA); }
  ~LaunchCost() override { test::useCudaLibrary(nullptr); }
};

constexpr const char *ptx =
    ".version 6.3\n"
    "// spl.kernel axpy(alpha: f32, x: &[f32], n: i64, y: &mut [f32])\n"
    "// spl.kernel sum(n: i64, a: &[f32], b: &[f32], out: &mut [f32]) unchecked if "
    "min(gpu.global_size(0), out.len()) <= a.len() and "
    "min(gpu.global_size(0), out.len()) <= b.len()\n";

} // namespace

TEST_F(LaunchCost, IsLittleOnCuda) {
  SPL_SKIP_UNDER_SANITIZERS("the time of a launch");
  Context context = Context::make(Backend::Cuda);
  Kernel kernel = Module::load(context, ptx)["axpy"];
  auto x = context.alloc<float>(1000), y = context.alloc<float>(1000);
  auto launch = [&] {
    context.launch(kernel, {.global = {1000}, .local = {100}}, 2.0f, x, std::int64_t{1000}, y);
  };
  launch();

  const detail::Driver &driver = *detail::cudaDriver().driver;
  float alpha = 2;
  std::uint64_t addresses[] = {x.address(), y.address()};
  std::int64_t extent = 1000;
  void *params[] = {&alpha, &addresses[0], &extent, &extent, &addresses[1], &extent};
  auto entry = [&] {
    driver.launchKernel.function(nullptr, 10, 1, 1, 100, 1, 1, 0, nullptr, params, nullptr);
  };
  const double facade = microseconds(launch), direct = microseconds(entry);
  RecordProperty("facade", std::to_string(facade));
  RecordProperty("direct", std::to_string(direct));
  std::printf("a launch takes %.3f us, the driver's entry alone %.3f us\n", facade, direct);
  EXPECT_LE(facade - direct, 0.3);
}

TEST_F(LaunchCost, IsLittleWithALaunchContract) {
  SPL_SKIP_UNDER_SANITIZERS("the time of a launch");
  Context context = Context::make(Backend::Cuda);
  Kernel kernel = Module::load(context, ptx)["sum"];
  ASSERT_NE(kernel.signature().contract(), "");
  auto a = context.alloc<float>(1000), b = context.alloc<float>(1000);
  auto out = context.alloc<float>(1000);
  auto launch = [&] {
    context.launch(kernel, {.global = {1000}, .local = {100}}, std::int64_t{1000}, a, b, out);
  };
  launch();

  const detail::Driver &driver = *detail::cudaDriver().driver;
  std::uint64_t addresses[] = {a.address(), b.address(), out.address()};
  std::int64_t extent = 1000;
  void *params[] = {&extent, &addresses[0], &extent, &addresses[1],
                    &extent, &addresses[2], &extent};
  auto entry = [&] {
    driver.launchKernel.function(nullptr, 10, 1, 1, 100, 1, 1, 0, nullptr, params, nullptr);
  };
  const double facade = microseconds(launch), direct = microseconds(entry);
  std::printf("a launch with a contract takes %.3f us, the driver's entry alone %.3f us\n", facade,
              direct);
  EXPECT_LE(facade - direct, 0.3);
  EXPECT_EQ(allocationsIn(launch), 0);
}

TEST_F(LaunchCost, IsLittleInC) {
  SPL_SKIP_UNDER_SANITIZERS("the time of a launch");
  spl_context context;
  spl_module module;
  spl_kernel kernel;
  spl_array x, y;
  const std::int64_t extent = 1000;
  ASSERT_EQ(spl_context_make("cuda", 0, &context), SPL_OK);
  ASSERT_EQ(spl_module_load(context, ptx, std::strlen(ptx), nullptr, 0, &module), SPL_OK);
  ASSERT_EQ(spl_module_kernel(module, "axpy", &kernel), SPL_OK);
  for (spl_array *array : {&x, &y})
    ASSERT_EQ(spl_array_alloc(context, "f32", 1, &extent, SPL_PLACE_DEVICE, array), SPL_OK);

  const float alpha = 2;
  const spl_launch_config config = {1, {extent, 0, 0}, {100, 0, 0}, 0};
  const spl_argument arguments[] = {{nullptr, 0, 0, "f32", &alpha},
                                    {nullptr, x, 0, nullptr, nullptr},
                                    {nullptr, 0, 0, "i64", &extent},
                                    {nullptr, y, 0, nullptr, nullptr}};
  spl_status status = SPL_OK;
  auto launch = [&] { status |= spl_launch(context, kernel, &config, arguments, 4); };
  launch();
  // The same launch in C++, measured alternately, so that changes of the machine's speed cancel.
  Context cpp = Context::make(Backend::Cuda);
  Kernel axpy = Module::load(cpp, ptx)["axpy"];
  auto a = cpp.alloc<float>(1000), b = cpp.alloc<float>(1000);
  auto launchCpp = [&] {
    cpp.launch(axpy, {.global = {1000}, .local = {100}}, 2.0f, a, std::int64_t{1000}, b);
  };
  launchCpp();
  double facade = 1e9, peer = 1e9;
  for (int turn = 0; turn < 10; ++turn) {
    facade = std::min(facade, microseconds(launch));
    peer = std::min(peer, microseconds(launchCpp));
  }
  std::printf("a launch through C takes %.3f us, in C++ %.3f us\n", facade, peer);
  EXPECT_LE(facade, 2.5 * peer);
  EXPECT_EQ(allocationsIn(launch), 0);
  EXPECT_EQ(status, SPL_OK);

  for (spl_array array : {x, y})
    EXPECT_EQ(spl_array_free(array), SPL_OK);
  EXPECT_EQ(spl_kernel_free(kernel), SPL_OK);
  EXPECT_EQ(spl_module_free(module), SPL_OK);
  EXPECT_EQ(spl_context_free(context), SPL_OK);
}

TEST_F(LaunchCost, IsNoMemoryOnCuda) {
  Context context = Context::make(Backend::Cuda);
  Kernel kernel = Module::load(context, ptx)["axpy"];
  auto x = context.alloc<float>(1000), y = context.alloc<float>(1000);
  Stream stream = context.makeStream();
  auto launch = [&] {
    context.launch(kernel, {.global = {1000}, .local = {100}}, 2.0f, x, std::int64_t{1000}, y);
    context.launchAsync(stream, kernel, {.global = {1000}}, 2.0f, x, std::int64_t{1000}, y);
  };
  launch();
  EXPECT_EQ(allocationsIn(launch), 0);
}

TEST(CpuLaunchCost, IsLittleForOneGroup) {
  SPL_SKIP_UNDER_SANITIZERS("the time of a launch");
  Context context = Context::make(Backend::Cpu);
  Kernel kernel = Module::load(context, HostCode{test::conformanceKernels(), nullptr})["saxpy"];
  auto x = context.allocZeros<float>(64), y = context.allocZeros<float>(64);
  auto launch = [&] { context.launch(kernel, {.global = {64}, .local = {64}}, 2.0f, x, y); };
  launch();
  const double time = microseconds(launch);
  std::printf("a launch of one group takes %.3f us\n", time);
  EXPECT_LE(time, 10.0);
  EXPECT_EQ(allocationsIn(launch), 0);
}
