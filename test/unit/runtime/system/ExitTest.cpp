// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the exit of a process that has CPU backend objects in static variables and work on all
// threads. For CUDA see test/scenarios.
#include "runtime/backends/cpu/CpuArena.h"
#include "test/conformance/Kernels.h"

#include <spl/spl.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <thread>
#include <unistd.h>

using namespace spl;
using namespace std::chrono_literals;

namespace {

/// One object of each kind, with unfinished work.
struct Everything {
  Context context = Context::make(Backend::Cpu);
  Module module = Module::load(context, HostCode{test::conformanceKernels(), nullptr});
  Stream stream = context.makeStream();
  Event event = context.makeEvent();
  MemoryPool pool = context.makePool();
  Array<float> x = context.allocZeros<float>(100000), y = pool.alloc<float>(100000, stream);
  GraphExec exec = Graph::capture(stream, [this] { launch(); }).instantiate();
  Pipeline pipeline{context, {.compute = [](auto, auto, auto &given) { nap(given); }}};
  DataLoader<int> loader{[](std::size_t) {
                           std::this_thread::sleep_for(1ms);
                           return std::optional(1);
                         },
                         {.prefetch = 100, .workers = 3}};

  Everything() {
    nap(stream);
    y.fillAsync(1, stream);
    launch();
    exec.launch(stream);
    stream.record(event);
    pipeline.submit();
    pipeline.submit();
  }

  void launch() { context.launchAsync(stream, module["saxpy"], {.global = {100000}}, 2.0f, x, y); }
  static void nap(const Stream &given) {
    given.call([] { std::this_thread::sleep_for(5ms); });
  }
};

/// Destroyed after all static objects that were constructed later, also those of the library.
std::optional<Everything> early;

/// An alarm ends the process if it hangs.
[[noreturn]] void endProcess(void (*prepare)()) {
  alarm(20);
  static Everything late;
  early.emplace();
  prepare();
  std::exit(7);
}

class CpuProcessEndsDeathTest : public testing::Test {
protected:
  CpuProcessEndsDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

} // namespace

TEST_F(CpuProcessEndsDeathTest, WithLiveObjects) {
  EXPECT_EXIT(endProcess([] {}), testing::ExitedWithCode(7), "^$");
}

TEST_F(CpuProcessEndsDeathTest, WithFailuresThatNobodyWasToldOf) {
  EXPECT_EXIT(endProcess([] {
                for (int i = 0; i < 3; ++i)
                  early->stream.call([] { throw std::runtime_error("no data"); });
              }),
              testing::ExitedWithCode(7), "^$");
}

TEST_F(CpuProcessEndsDeathTest, InTheMiddleOfACapture) {
  EXPECT_EXIT(endProcess([] {
                Stream stream = early->context.makeStream();
                Graph::capture(stream, [&] {
                  early->x.fillAsync(1, stream);
                  std::exit(7);
                });
              }),
              testing::ExitedWithCode(7), "^$");
}

/// The exit waits for up to a second for the threads inside oneTBB. oneTBB may
/// throw, as this function does.
TEST_F(CpuProcessEndsDeathTest, AtOnceAfterAnExceptionOfTheArena) {
  EXPECT_EXIT(
      {
        static std::chrono::steady_clock::time_point begin;
        // It is called after the arena's function, because it is passed to atexit before that.
        std::atexit([] { _exit(std::chrono::steady_clock::now() - begin < 1s ? 7 : 1); });
        detail::CpuArena arena(2);
        EXPECT_THROW(arena.run(1, 1, {nullptr, [](auto...) { throw std::runtime_error("full"); }}),
                     std::runtime_error);
        begin = std::chrono::steady_clock::now();
        std::exit(1);
      },
      testing::ExitedWithCode(7), "^$");
}

TEST_F(CpuProcessEndsDeathTest, WhileAThreadGoesOn) {
  EXPECT_EXIT(endProcess([] {
                static auto *context = new Context(Context::make(Backend::Cpu));
                static std::atomic<int> rounds{0};
                std::thread([] {
                  for (;; ++rounds)
                    context->allocUpload<float>({1, 2}).download();
                }).detach();
                while (rounds < 10)
                  std::this_thread::yield();
              }),
              testing::ExitedWithCode(7), "^$");
}
