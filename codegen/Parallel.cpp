// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Parallel.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Threading.h"
#include <atomic>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace spl::codegen {
namespace {

/// The steps, and the results of those that have run.
class Steps {
public:
  Steps(size_t count, llvm::function_ref<llvm::Error(size_t)> step) : step(step) {
    for (size_t number = 0; number != count; ++number)
      results.push_back(llvm::Error::success());
  }

  /// Runs steps that no thread has begun, until there are none.
  void run() {
    for (size_t number; (number = next++) < results.size();) {
      llvm::CrashRecoveryContext context;
      if (!context.RunSafely([&] { runOne(number); }))
        results[number] = llvm::createStringError("it crashed");
    }
  }

  /// The error of the lowest number. The others are dropped. Throws what a step has thrown.
  llvm::Error takeResult() {
    llvm::Error first = llvm::Error::success();
    for (llvm::Error &result : results)
      if (result && !first)
        first = std::move(result);
      else
        llvm::consumeError(std::move(result));
    if (thrown) {
      llvm::consumeError(std::move(first));
      std::rethrow_exception(thrown);
    }
    return first;
  }

private:
  /// Keeps an exception for the thread that takes the result: in another thread it would end the
  /// process. No step begins after it.
  void runOne(size_t number) {
    try {
      results[number] = step(number);
    } catch (...) {
      const std::lock_guard lock(mutex);
      thrown = std::current_exception();
      next = results.size();
    }
  }

  llvm::function_ref<llvm::Error(size_t)> step;
  std::vector<llvm::Error> results;
  std::atomic<size_t> next = 0;
  std::mutex mutex; ///< guards what follows
  std::exception_ptr thrown;
};

void *runSteps(void *steps) {
  static_cast<Steps *>(steps)->run();
  return nullptr;
}

/// The size of a main thread's stack, by default. LLVM recurses on deep code.
constexpr size_t stackBytes = 8 << 20;

} // namespace

llvm::Error forEachInParallel(size_t count, llvm::function_ref<llvm::Error(size_t)> step) {
  Steps steps(count, step);
  const size_t threads =
      std::min<size_t>(count, llvm::hardware_concurrency().compute_thread_count());
  // llvm::thread would end the process if the system has no more threads.
  std::vector<pthread_t> helpers;
  helpers.reserve(threads); // an exception must not leave them running
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  for (pthread_t helper; helpers.size() + 1 < threads; helpers.push_back(helper))
    if (pthread_create(&helper, &attributes, runSteps, &steps) != 0)
      break; // the system has no more threads, and those that there are do all steps
  pthread_attr_destroy(&attributes);
  steps.run();
  for (pthread_t helper : helpers)
    pthread_join(helper, nullptr);
  return steps.takeResult();
}

} // namespace spl::codegen
