// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests what transfers without a stream wait for, and how they go from one backend to another.
#include "test/conformance/Conformance.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace spl;
using namespace spl::test;

namespace {

class Transfers : public Conformance {};

} // namespace

// One of several streams that used the array is held up; others used it before and after.
TEST_P(Transfers, WaitForEachStreamThatUsedTheArray) {
  constexpr int count = 4;
  for (int slow = 0; slow < count; ++slow) {
    auto array = context->allocZeros<std::int32_t>(3);
    std::atomic<bool> isOpen = false;
    std::vector<Stream> streams;
    for (int i = 0; i < count; ++i) {
      streams.push_back(context->makeStream());
      if (i == slow)
        streams.back().call([&] {
          while (!isOpen)
            std::this_thread::yield();
        });
      array.fillAsync(i, streams.back());
    }
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      isOpen = true;
    });
    array.download();
    for (Stream &stream : streams)
      EXPECT_TRUE(stream.query()) << slow;
    opener.join();
  }
}

// Between backends a copy goes through 16 MiB of the host at a time: there is a second piece.
TEST_P(Transfers, ToOtherBackendsGoInPieces) {
  Context cpu = Context::make(Backend::Cpu);
  constexpr std::int64_t piece = (16 << 20) / sizeof(std::int32_t);
  auto here = context->alloc<std::int32_t>(piece + 3), there = cpu.alloc<std::int32_t>(piece + 3);
  const auto edges = [](auto &array) {
    std::vector<std::int32_t> numbers = array.view(0, 2).download();
    const std::vector<std::int32_t> last = array.view(piece - 2, 5).download();
    numbers.insert(numbers.end(), last.begin(), last.end());
    return numbers;
  };
  here.view(0, 2).upload({1, 2});
  here.view(piece - 2, 5).upload({3, 4, 5, 6, 7});
  here.copyToPeer(there);
  EXPECT_EQ(edges(there), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7}));
  there.view(0, 2).upload({8, 9});
  there.view(piece - 2, 5).upload({10, 11, 12, 13, 14});
  there.copyToPeer(here);
  EXPECT_EQ(edges(here), (std::vector<std::int32_t>{8, 9, 10, 11, 12, 13, 14}));
}

SPL_ON_EVERY_BACKEND(Transfers);
