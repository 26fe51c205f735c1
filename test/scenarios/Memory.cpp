// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios with pools, memory of the host, and memory of other libraries.
#include "test/scenarios/Scenario.h"

#include <dlpack/dlpack.h>

#include <numeric>
#include <optional>

using namespace spl;
using namespace spl::test;

SPL_SCENARIO(PinnedMemory) {
  Context context = openCuda();
  Stream stream = context.makeStream();
  auto pinned = context.allocPinned<std::int32_t>(3);
  auto array = context.alloc<std::int32_t>(3);
  std::iota(pinned.host().begin(), pinned.host().end(), 1);
  array.uploadAsync(pinned.host(), stream);
  stream.sync();
  require(array.download() == Ints{1, 2, 3}, "the elements");
}

SPL_SCENARIO(PinnedMemoryEndsWhileItIsUsed) {
  Context context = openCuda();
  Stream stream = context.makeStream();
  auto array = context.alloc<std::int32_t>(3);
  {
    auto pinned = context.allocPinned<std::int32_t>(3);
    std::iota(pinned.host().begin(), pinned.host().end(), 1);
    pinned.copyToAsync(array, stream);
  }
  stream.sync();
  require(array.download() == Ints{1, 2, 3}, "the elements");
}

SPL_SCENARIO(UnifiedMemory) {
  Opened opened;
  auto array = opened.context.allocUnified<std::int32_t>(3);
  std::iota(array.host().begin(), array.host().end(), 1);
  opened.context.launch(opened.module["add"], {.global = {3}}, array, 10);
  opened.context.sync();
  require(array.host()[2] == 13 && array.download() == Ints{11, 12, 13}, "the elements");
}

SPL_SCENARIO(PoolsGiveAndTake) {
  Opened opened;
  MemoryPool pool = opened.context.makePool({.keepBytes = 1 << 20});
  Stream stream = opened.context.makeStream();
  for (std::int32_t round = 0; round < 3; ++round) {
    auto array = pool.alloc<std::int32_t>(100, stream);
    array.fillAsync(round, stream);
    opened.add(stream, array, 1);
    require(array.download() == Ints(100, round + 1), "the elements");
  }
  require(pool.state().used == 0 && pool.state().usedHigh == 400, "the pool's state");
}

SPL_SCENARIO(PoolsHaveACap) {
  Context context = openCuda();
  MemoryPool pool = context.makePool({.maxBytes = 1000});
  Stream stream = context.makeStream();
  auto array = pool.alloc<std::int32_t>(200, stream);
  requireError(fake, ErrorCode::OutOfMemory, [&] { pool.alloc<std::int32_t>(51, stream); });
  array.free();
  auto again = pool.alloc<std::int32_t>(250, stream);
  stream.sync();
}

SPL_SCENARIO(PoolMemoryInTwoStreams) {
  Opened opened;
  MemoryPool pool = opened.context.makePool();
  Stream first = opened.context.makeStream(), second = opened.context.makeStream();
  Event event = opened.context.makeEvent();
  auto result = opened.context.alloc<std::int32_t>(50);
  auto other = opened.context.alloc<std::int32_t>(50);
  {
    auto array = pool.alloc<std::int32_t>(50, first);
    array.fillAsync(4, first);
    first.record(event);
    second.wait(event);
    array.copyToAsync(result, second);
    array.copyToAsync(other, first);
  }
  first.sync();
  second.sync();
  require(result.download() == Ints(50, 4) && other.download() == Ints(50, 4), "the elements");
}

SPL_SCENARIO(PoolMemoryOutlivesItsPoolAndStream) {
  std::optional<Context> context = openCuda();
  std::optional<MemoryPool> pool = context->makePool();
  std::optional<Stream> stream = context->makeStream();
  auto array = pool->alloc<std::int32_t>(5, *stream);
  array.fillAsync(2, *stream);
  pool.reset();
  stream.reset();
  context.reset();
  require(array.download() == Ints(5, 2), "the elements");
}

SPL_SCENARIO(TrimAPool) {
  Context context = openCuda();
  MemoryPool pool = context.makePool({.keepBytes = 64 << 20});
  Stream stream = context.makeStream();
  pool.alloc<float>(1 << 20, stream).free();
  stream.sync();
  require(pool.state().reserved >= 4 << 20, "what it keeps");
  pool.trim(1 << 20);
  // The pool keeps memory whose release failed.
  require(hasFailed(fake) || pool.state().reserved <= 2 << 20, "what it keeps when trimmed");
}

SPL_SCENARIO(BorrowMemory) {
  Opened opened;
  auto own = opened.context.allocUpload<std::int32_t>({1, 2});
  int released = 0;
  {
    auto borrowed =
        Array<std::int32_t>::borrow(opened.context, own.address(), 2, [&] { ++released; });
    opened.context.launch(opened.module["add"], {.global = {2}}, borrowed, 5);
    require(borrowed.download() == Ints{6, 7}, "the elements");
  }
  require(released == 1, "how often it was given back");
}

SPL_SCENARIO(BorrowMemoryForAStream) {
  Opened opened;
  Stream stream = opened.context.makeStream();
  auto own = opened.context.allocUpload<std::int32_t>({1, 2});
  int released = 0;
  {
    auto borrowed =
        Array<std::int32_t>::borrow(opened.context, own.address(), 2, [&] { ++released; });
    opened.add(stream, borrowed, 5);
  }
  opened.context.sync();
  require(released == 1 && own.download() == Ints{6, 7}, "the elements");
}

SPL_SCENARIO(GiveATensor) {
  Context context = openCuda();
  auto array = context.allocUpload<std::int32_t>({1, 2, 3});
  struct Deleter {
    void operator()(DLManagedTensor *tensor) const { tensor->deleter(tensor); }
  };
  std::unique_ptr<DLManagedTensor, Deleter> tensor(array.toDLPack());
  array.free();
  require(tensor->dl_tensor.device.device_type == kDLCUDA && tensor->dl_tensor.shape[0] == 3,
          "the tensor");
}

namespace {

struct Foreign {
  std::int64_t shape[1] = {2};
  DLManagedTensor managed{};
  int deleted = 0;

  explicit Foreign(std::uint64_t address) {
    managed.dl_tensor = {.data = reinterpret_cast<void *>(address),
                         .device = {kDLCUDA, 0},
                         .ndim = 1,
                         .dtype = {kDLInt, 32, 1},
                         .shape = shape,
                         .strides = nullptr,
                         .byte_offset = 4};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor *tensor) {
      ++static_cast<Foreign *>(tensor->manager_ctx)->deleted;
    };
  }
};

} // namespace

SPL_SCENARIO(TakeATensor) {
  Opened opened;
  auto own = opened.context.allocUpload<std::int32_t>({1, 2, 3});
  Foreign foreign(own.address());
  {
    Array<std::int32_t> taken(Buffer::fromDLPack(opened.context, &foreign.managed));
    opened.context.launch(opened.module["add"], {.global = {2}}, taken, 7);
  }
  require(foreign.deleted == 1, "how often it was deleted");
  require(own.download() == Ints{1, 9, 10}, "the elements");
}
