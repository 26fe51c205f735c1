// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs for days must not grow: rounds of allocate, upload, launch, download and free, with and
// without a stream, leave the process as large as it was.
#include "test/runtime/Conformance.h"
#include "test/unit/Sanitizers.h"

#include <fstream>
#include <unistd.h>

using namespace spl;
using namespace spl::test;

namespace {

class FlatMemory : public Conformance {};

/// Of this process, in bytes.
std::size_t residentMemory() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
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
  for (int i = 0; i < 1000; ++i) // until every cache on the way is full
    round();
  const std::size_t before = residentMemory();
  for (int i = 0; i < rounds; ++i)
    round();
  const std::size_t after = residentMemory();
  EXPECT_EQ(result, std::vector<float>(33, 3.0f));
  EXPECT_LE(after, before + (std::size_t{2} << 20));
  std::printf("%d rounds: from %zu to %zu KiB\n", rounds, before >> 10, after >> 10);
}

SPL_ON_EVERY_BACKEND(FlatMemory);
