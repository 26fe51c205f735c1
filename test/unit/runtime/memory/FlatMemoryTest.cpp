// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that the process does not grow. It runs rounds of allocate, upload, launch, download and
// free, with and without a stream and with new streams. The size of the process and its number of
// threads must stay the same.
#include "test/conformance/Conformance.h"
#include "test/unit/Sanitizers.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

using namespace spl;
using namespace spl::test;

namespace {

class FlatMemory : public Conformance {};

/// The resident memory of this process in bytes.
std::size_t residentMemory() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// The number of threads of this process.
int threadCount() {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word && word != "Threads:") {
  }
  int count = 0;
  file >> count;
  return count;
}

} // namespace

TEST_P(FlatMemory, OverManyRounds) {
  SPL_SKIP_UNDER_SANITIZERS("the memory of the process");
  constexpr int rounds = 100000;
  if (fake)
    (*fake)->records = false;
  Module module = load();
  Kernel kernel = module["saxpy"];
  Stream stream = context->makeStream();
  MemoryPool pool = context->makePool();
  std::vector<float> host(33, 1.0f), result(33);
  auto round = [&] {
    auto x = context->allocUpload<float>(host), y = context->allocZeros<float>(33);
    context->launch(kernel, {.global = {33}, .local = {33}}, 2.0f, x, y);
    y.download(std::span(result));
    auto pooled = pool.alloc<float>(33, stream);
    pooled.uploadAsync(host, stream);
    context->launchAsync(stream, kernel, {.global = {33}, .local = {33}}, 2.0f, x, pooled);
    pooled.downloadAsync(std::span(result), stream);
    stream.sync();
  };
  for (int i = 0; i < 1000; ++i) // until all caches are full
    round();
  const std::size_t before = residentMemory();
  for (int i = 0; i < rounds; ++i)
    round();
  const std::size_t after = residentMemory();
  EXPECT_EQ(result, std::vector<float>(33, 3.0f));
  EXPECT_LE(after, before + (std::size_t{2} << 20));
  std::printf("%d rounds: from %zu to %zu KiB\n", rounds, before >> 10, after >> 10);
}

TEST_P(FlatMemory, OverManyStreamsInTurn) {
  SPL_SKIP_UNDER_SANITIZERS("the memory of the process");
  constexpr int count = 100000;
  if (fake)
    (*fake)->records = false;
  Module module = load();
  Kernel kernel = module["saxpy"];
  // These live longer than every stream, like the tables, results and scratch memory of a server.
  const auto table = context->allocUpload<float>(std::vector<float>(33, 1.0f));
  auto result = context->allocZeros<float>(33), scratch = context->allocZeros<float>(33);
  auto input = context->allocPinned<float>(33), output = context->allocPinned<float>(33);
  std::fill(input.host().begin(), input.host().end(), 5.0f);
  Stream always = context->makeStream();
  Event event = context->makeEvent();
  std::size_t called = 0;
  auto use = [&](int round) {
    Stream stream = context->makeStream();
    stream.wait(event); // the event of the previous round
    scratch.fillAsync(2.0f, stream);
    result.uploadAsync(input.host(), stream);
    context->launchAsync(stream, kernel, {.global = {33}, .local = {33}}, 2.0f, table, result);
    result.downloadAsync(output.host(), stream);
    if (round % 2) // in CUDA the destruction of a stream waits for these uses only
      stream.call([&] { ++called; });
    stream.record(event);
    always.wait(event);
    if (round % 100 == 0) // otherwise the destructor waits
      stream.sync();
  };
  for (int i = 0; i < 1000; ++i) // until all caches are full
    use(i);
  context->sync();
  const std::size_t before = residentMemory();
  const int threads = threadCount();
  int maxThreads = threads;
  for (int i = 0; i < count; ++i) {
    use(i);
    if (i % 100 == 99) {
      maxThreads = std::max(maxThreads, threadCount());
      always.sync();
    }
  }
  const std::size_t after = residentMemory();
  EXPECT_EQ(called, std::size_t{count + 1000} / 2);
  EXPECT_EQ(output.host()[32], 7.0f);
  EXPECT_LE(after, before + (std::size_t{4} << 20));
  EXPECT_LE(maxThreads, threads + 4);
  if (fake)
    EXPECT_LE((*fake)->live["stream"], 4);
  std::printf("%d streams: from %zu to %zu KiB, from %d to %d threads\n", count, before >> 10,
              after >> 10, threads, maxThreads);
}

TEST_P(FlatMemory, OverManyStreamsThatFail) {
  SPL_SKIP_UNDER_SANITIZERS("the memory of the process");
  constexpr int count = 20000;
  if (fake)
    (*fake)->records = false;
  auto array = context->allocZeros<float>(33);
  auto use = [&] {
    Stream stream = context->makeStream();
    array.fillAsync(2.0f, stream);
    stream.call([] { throw std::runtime_error("no data"); });
  };
  for (int i = 0; i < 1000; ++i)
    use();
  const std::size_t before = residentMemory();
  for (int i = 0; i < count; ++i)
    use();
  const std::size_t after = residentMemory();
  EXPECT_LE(after, before + (std::size_t{1} << 20));
  try {
    context->sync();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.others(), std::size_t{count} + 999);
  }
  std::printf("%d streams: from %zu to %zu KiB\n", count, before >> 10, after >> 10);
}

SPL_ON_EVERY_BACKEND(FlatMemory);
