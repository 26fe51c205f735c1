// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of pools, views, memory of the host, peers, DLPack and occupancy.
#include "test/conformance/Conformance.h"

#include <cstring>
#include <dlpack/dlpack.h>
#include <numeric>

using namespace spl;
using namespace spl::test;

namespace {

class Memory : public Conformance {
protected:
  bool isCpu() const { return GetParam().backend == Backend::Cpu; }

  static std::vector<std::int32_t> upTo(std::int32_t end) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(end));
    std::iota(values.begin(), values.end(), 0);
    return values;
  }
};

/// A tensor of another library. It counts how often it is deleted.
struct Foreign {
  std::vector<std::int64_t> shape, strides;
  DLManagedTensor managed{};
  int deleted = 0;

  Foreign(Context &context, std::uint64_t address, std::vector<std::int64_t> shape, DLDataType type)
      : shape(std::move(shape)) {
    const bool isCpu = context.backend() == Backend::Cpu;
    managed.dl_tensor = {.data = reinterpret_cast<void *>(address),
                         .device = isCpu ? DLDevice{kDLCPU, 0} : DLDevice{kDLCUDA, 0},
                         .ndim = static_cast<int>(this->shape.size()),
                         .dtype = type,
                         .shape = this->shape.data(),
                         .strides = nullptr,
                         .byte_offset = 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor *self) {
      ++static_cast<Foreign *>(self->manager_ctx)->deleted;
    };
  }
};

} // namespace

TEST_P(Memory, PoolsGiveAndTakeInTheOrderOfStreams) {
  MemoryPool pool = context->makePool();
  Stream stream = context->makeStream(), other = context->makeStream();
  Event event = context->makeEvent();
  std::vector<std::int32_t> result(1000);
  for (std::int32_t round = 0; round < 20; ++round) {
    auto array = pool.alloc<std::int32_t>(1000, stream);
    array.fillAsync(round, stream);
    stream.record(event);
    other.wait(event);
    array.downloadAsync(std::span(result), other);
    array.free(); // ordered after the work in both streams
    other.sync();
    ASSERT_EQ(result, std::vector<std::int32_t>(1000, round));
  }
  EXPECT_EQ(pool.state().used, 0u);
  EXPECT_EQ(pool.state().arrays, 0u);
  EXPECT_EQ(pool.state().usedHigh, 4000u);
}

TEST_P(Memory, PoolsHaveAHardCap) {
  MemoryPool pool = context->makePool({.maxBytes = 10000}), other = context->makePool();
  Stream stream = context->makeStream();
  auto larger = context->alloc<float>(5000), others = other.alloc<float>(5000, stream);
  auto first = pool.alloc<float>(2000, stream);
  try {
    pool.alloc<float>(600, stream);
    FAIL() << "more than the cap was given";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
    EXPECT_EQ(error.message(), "the pool is at its cap: 2400 bytes asked, 8000 of 10000 used; the "
                               "largest of 1 live arrays: f32[2000], 8000 bytes");
  }
  auto second = pool.alloc<float>(500, stream);
  EXPECT_EQ(pool.state().used, 10000u);
  EXPECT_EQ(pool.state().arrays, 2u);
  first.free();
  second.free();
  stream.sync();
  pool.trim();
  EXPECT_EQ(pool.state().reserved, 0u);
  auto third = pool.alloc<float>(2500, stream);
  EXPECT_EQ(pool.state().usedHigh, 10000u);
}

TEST_P(Memory, PoolsLastAsLongAsTheirMemory) {
  Stream stream = context->makeStream();
  std::optional<MemoryPool> pool = context->makePool();
  auto array = pool->alloc<std::int32_t>(3, stream);
  pool.reset();
  array.fillAsync(5, stream);
  EXPECT_EQ(array.download(), (std::vector<std::int32_t>{5, 5, 5}));
}

TEST_P(Memory, OutOfMemoryNamesTheLargestArrays) {
  auto small = context->alloc<float>(10);
  auto large = context->alloc<double>({100, 20});
  try {
    context->alloc<double>(std::int64_t{1} << 50);
    FAIL() << "8 PiB were allocated";
  } catch (const Error &error) {
    EXPECT_NE(error.message().find(
                  "the largest of 2 live arrays: f64[100 x 20], 16000 bytes; f32[10], 40 bytes"),
              std::string::npos)
        << error.message();
  }
}

TEST_P(Memory, OutOfMemoryNamesBorrowedArraysByTheirType) {
  auto owner = context->alloc<float>({3, 5});
  auto borrowed = Array<std::int32_t>::borrow(*context, owner.address(), {4, 2});
  EXPECT_NE(messageOf([&] {
              context->alloc<double>(std::int64_t{1} << 50);
            }).find("the largest of 2 live arrays: f32[3 x 5], 60 bytes; i32[4 x 2], 32 bytes"),
            std::string::npos);
}

TEST_P(Memory, FillsElementsOfAnySizeInLargeArrays) {
  using Three = std::array<std::int32_t, 3>;
  const std::int64_t size = 3'000'001; // several pieces, of which the last is shorter
  auto array = context->alloc<Three>(size);
  array.fill({1, -2, 3});
  const std::vector<Three> result = array.download();
  for (std::int64_t i : {std::int64_t{0}, size / 2, size - 1})
    EXPECT_EQ(result[static_cast<std::size_t>(i)], (Three{1, -2, 3})) << i;
  if (fake)
    EXPECT_EQ((*fake)->calls["cuMemcpyHtoD"], 3) << "a copy of it all stood on the host";
}

TEST_P(Memory, UnifiedMemoryIsTheHostsToo) {
  Module module = load();
  auto x = context->allocUnified<float>(1000), y = context->allocUnified<float>(1000);
  ASSERT_EQ(x.host().size(), 1000u);
  std::iota(x.host().begin(), x.host().end(), 0.0f);
  std::fill(y.host().begin(), y.host().end(), 1.0f);
  context->launch(module["saxpy"], {.global = {1000}}, 2.0f, x, y);
  context->sync();
  for (std::size_t i = 0; i < 1000; ++i)
    ASSERT_EQ(y.host()[i], 2.0f * float(i) + 1.0f);
}

TEST_P(Memory, PinnedMemoryIsTheHostsToo) {
  auto pinned = context->allocPinned<std::int32_t>(1000);
  std::iota(pinned.host().begin(), pinned.host().end(), 0);
  Stream stream = context->makeStream();
  auto array = context->alloc<std::int32_t>(1000);
  array.uploadAsync(pinned.host(), stream);
  stream.sync();
  std::fill(pinned.host().begin(), pinned.host().end(), -1);
  array.downloadAsync(pinned.host(), stream);
  stream.sync();
  EXPECT_EQ(std::vector<std::int32_t>(pinned.host().begin(), pinned.host().end()), upTo(1000));
}

TEST_P(Memory, TheDevicesOwnMemoryIsNotTheHosts) {
  auto array = context->allocZeros<float>(4);
  EXPECT_FALSE(array.isHostAccessible());
  EXPECT_EQ(codeOf([&] { array.host(); }), ErrorCode::InvalidArgument);
}

TEST_P(Memory, ViewsShareRows) {
  auto array = context->alloc<std::int32_t>({5, 4});
  array.upload(upTo(20));
  Array<std::int32_t> rows = array.view(1, 2);
  EXPECT_EQ(rows.shape(), (Shape{2, 4}));
  EXPECT_EQ(rows.download(), (std::vector<std::int32_t>{4, 5, 6, 7, 8, 9, 10, 11}));
  rows.fill(-1);
  array.free(); // the view still owns the memory
  EXPECT_EQ(rows.download(), std::vector<std::int32_t>(8, -1));
  EXPECT_EQ(rows.view(2, 0).size(), 0);
  for (auto [begin, extent] : {std::pair{-1, 1}, {0, 3}, {3, 0}, {0, -1}})
    EXPECT_EQ(codeOf([&, begin = begin, extent = extent] { rows.view(begin, extent); }),
              ErrorCode::InvalidArgument);
}

TEST_P(Memory, ShapesChangeWithoutACopy) {
  auto array = context->allocUpload<std::int32_t>(upTo(12), {4, 3});
  EXPECT_EQ(array.shape(), (Shape{4, 3}));
  auto rows = array.view(1, 3).reshape({1, 9});
  EXPECT_EQ(rows.shape(), (Shape{1, 9}));
  rows.fill(7);
  array.free(); // the reshaped array still owns the memory
  EXPECT_EQ(rows.reshape(9).view(0, 2).download(), (std::vector<std::int32_t>{7, 7}));
  EXPECT_EQ(rows.view(0, 0).reshape({5, 0}).shape(), (Shape{5, 0}));
  for (const Shape &shape : {Shape{8}, Shape{3, 4}, Shape{-9}, Shape{}})
    EXPECT_EQ(codeOf([&] { rows.reshape(shape); }), ErrorCode::InvalidArgument) << shape.str();
  EXPECT_EQ(codeOf([&] { std::as_const(rows).reshape(9).fill(0); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { context->allocUpload<float>({1, 2, 3}, {2, 2}); }),
            ErrorCode::InvalidArgument);
}

TEST_P(Memory, UploadsTakeTheElementTypeOfTheirSource) {
  struct Point {
    float x, y;
  };
  const std::vector<std::int32_t> values = {3, 1, 2};
  const std::array<double, 2> doubles = {0.5, 1.5};
  std::vector<float> floats = {1, 2, 3, 4};
  const std::int16_t shorts[] = {7, -8};
  const std::vector<bool> flags = {true, false, true};
  const std::vector<Point> points = {{1, 2}, {3, 4}};
  Array<std::int32_t> ofVector = context->allocUpload(values);
  Array<double> ofArray = context->allocUpload(doubles);
  Array<float> ofSpan = context->allocUpload(std::span(floats).subspan(1));
  Array<std::int16_t> ofCArray = context->allocUpload(shorts);
  Array<bool> ofBits = context->allocUpload(flags);
  Array<Point> ofStructs = context->allocUpload(points);
  Array<float> ofList = context->allocUpload({1.5f, 2.5f});
  Array<float> shaped = context->allocUpload(floats, {2, 2});
  Array<bool> shapedBits = context->allocUpload(flags, {3, 1});
  EXPECT_EQ(ofVector.download(), values);
  EXPECT_EQ(ofArray.download(), (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(ofSpan.download(), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(ofCArray.download(), (std::vector<std::int16_t>{7, -8}));
  EXPECT_EQ(ofBits.download(), flags);
  EXPECT_EQ(ofStructs.download()[1].x, 3);
  EXPECT_EQ(ofList.download(), (std::vector<float>{1.5, 2.5}));
  EXPECT_EQ(shaped.shape(), Shape(2, 2));
  EXPECT_EQ(shapedBits.shape(), Shape(3, 1));
  ofBits.upload(std::vector<bool>{false, false, true});
  EXPECT_EQ(ofBits.download(), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(codeOf([&] { ofBits.upload(std::vector<bool>{true}); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { context->allocUpload(flags, {2, 2}); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { context->allocUpload(values, 4); }), ErrorCode::InvalidArgument);
}

TEST_P(Memory, PartsCanBeNamedWhereTheyAreUsed) {
  Module module = load();
  Stream stream = context->makeStream();
  auto x = context->allocUpload<float>({1, 2, 3, 4}), y = context->allocZeros<float>(4);
  context->launch(module["saxpy"], {.global = {2}}, 2.0f, x.view(2, 2), y.view(0, 2));
  context->launchAsync(stream, module["saxpy"], {.global = {1}}, Argument("alpha", 3.0f),
                       Argument("x", x.view(0, 1)), Argument("y", y.view(3, 1)));
  stream.sync();
  EXPECT_EQ(y.download(), (std::vector<float>{6, 8, 0, 3}));
  x.view(0, 2).copyTo(y.view(1, 2));
  x.view(1, 1).copyToAsync(y.view(0, 1), stream);
  stream.sync();
  EXPECT_EQ(y.download(), (std::vector<float>{2, 1, 2, 3}));
  EXPECT_EQ(codeOf([&] {
              context->launch(module["saxpy"], {.global = {1}}, 1.0f, x,
                              std::as_const(y).view(0, 1));
            }),
            ErrorCode::InvalidArgument);
}

TEST_P(Memory, ExtentsAreLimitedAlsoInEmptyArrays) {
  const std::int64_t largest = (std::int64_t{1} << 60) - 1;
  EXPECT_EQ(context->alloc<float>({0, largest}).shape(), (Shape{0, largest}));
  for (const Shape &shape : {Shape{0, largest + 1}, Shape{largest + 1, 0}})
    EXPECT_EQ(codeOf([&] { context->alloc<float>(shape); }), ErrorCode::InvalidArgument);
}

TEST_P(Memory, ViewsOfConstArraysAreReadOnly) {
  Module module = load();
  const auto array = context->allocUpload<float>({1, 2, 3, 4});
  Array<float> view = array.view(1, 2);
  EXPECT_TRUE(view.isReadOnly());
  EXPECT_EQ(codeOf([&] { view.fill(0); }), ErrorCode::InvalidArgument);
  auto out = context->alloc<float>(2);
  EXPECT_EQ(codeOf([&] { out.copyTo(view); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { context->launch(module["saxpy"], {.global = {2}}, 1.0f, out, view); }),
            ErrorCode::InvalidArgument);
  context->launch(module["vector_add"], {.global = {2}}, view, view, out);
  EXPECT_EQ(out.download(), (std::vector<float>{4, 6}));
}

TEST_P(Memory, OverlapsAreSeenThroughViews) {
  Module module = load();
  auto array = context->allocZeros<float>(12);
  auto low = array.view(0, 4), middle = array.view(3, 4), high = array.view(4, 4);
  EXPECT_EQ(codeOf([&] { context->launch(module["saxpy"], {.global = {4}}, 1.0f, low, middle); }),
            ErrorCode::OverlappingArguments);
  EXPECT_EQ(codeOf([&] { low.copyTo(middle); }), ErrorCode::InvalidArgument);
  context->launch(module["saxpy"], {.global = {4}}, 1.0f, low, high);
  low.copyTo(high);
  context->sync();
}

TEST_P(Memory, CopiesNeedTheSameElements) {
  auto array = context->allocUpload<float>({1, 2, 3});
  auto same = context->allocZeros<float>(3), longer = context->allocZeros<float>(4);
  auto ints = context->allocZeros<std::int32_t>(3);
  array.copyTo(same);
  EXPECT_EQ(same.download(), array.download());
  EXPECT_EQ(codeOf([&] { array.copyTo(longer); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { array.copyTo(ints); }), ErrorCode::InvalidArgument);
}

TEST_P(Memory, CopiesToPeersOfEveryBackend) {
  Context peer = Context::make(GetParam().backend), cpu = Context::make(Backend::Cpu);
  auto array = context->alloc<std::int32_t>(100000);
  array.upload(upTo(100000));
  EXPECT_EQ(codeOf([&] {
              auto target = peer.alloc<std::int32_t>(100000);
              array.copyTo(target);
            }),
            ErrorCode::InvalidArgument);
  for (Context *other : {&peer, &cpu}) {
    auto there = other->alloc<std::int32_t>(100000), back = context->alloc<std::int32_t>(100000);
    array.copyToPeer(there);
    there.copyToPeer(back);
    EXPECT_EQ(back.download(), upTo(100000));
  }
  Stream stream = context->makeStream();
  auto there = peer.alloc<std::int32_t>(100000);
  array.copyToPeerAsync(there, stream);
  EXPECT_EQ(there.download(), upTo(100000));
  EXPECT_TRUE(context->enablePeerAccess(peer)); // a device may always access itself
}

TEST_P(Memory, BorrowsAndGivesBackOnce) {
  auto owner = context->allocUpload<std::int32_t>({1, 2, 3, 4});
  int released = 0;
  {
    auto borrowed =
        Array<std::int32_t>::borrow(*context, owner.address() + 4, 3, [&] { ++released; });
    auto view = borrowed.view(1, 2);
    borrowed.fill(9);
    borrowed.free();
    EXPECT_EQ(released, 0);
    EXPECT_EQ(view.download(), (std::vector<std::int32_t>{9, 9}));
  }
  EXPECT_EQ(released, 1);
  EXPECT_EQ(owner.download(), (std::vector<std::int32_t>{1, 9, 9, 9}));
  EXPECT_EQ(codeOf([&] { Array<float>::borrow(*context, 0, 4); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { Array<float>::borrow(*context, owner.address() + 2, 1); }),
            ErrorCode::InvalidArgument);
}

TEST_P(Memory, ElementsMayHaveNoSize) {
  const ElementType empty = ElementType::structure("Empty", {});
  Buffer array = context->allocBuffer(empty, {5}), other = context->allocBuffer(empty, {5});
  EXPECT_EQ(array.size(), 5);
  EXPECT_EQ(array.sizeBytes(), 0u);
  Stream stream = context->makeStream();
  char none = 0;
  array.fillBytes(&none);
  array.fillBytesAsync(&none, stream);
  array.uploadBytes(&none, 0);
  array.copyTo(other);
  array.copyToAsync(other, stream);
  array.copyToPeer(other);
  array.copyToPeerAsync(other, stream);
  array.view(1, 3).downloadBytes(&none, 0);
  EXPECT_EQ(array.hostData(), nullptr);
  stream.sync();
}

TEST_P(Memory, TheEndOfBorrowedMemoryLeavesErrorsToTheirStream) {
  auto owner = context->allocZeros<std::int32_t>(10);
  Stream stream = context->makeStream();
  {
    auto borrowed = Array<std::int32_t>::borrow(*context, owner.address(), 10);
    borrowed.fillAsync(8, stream);
    stream.call([] { throw std::runtime_error("no data"); });
    while (!stream.query())
      std::this_thread::yield();
  }
  EXPECT_THROW(stream.sync(), std::runtime_error);
}

TEST_P(Memory, TakesTensorsOfOthers) {
  auto owner = context->alloc<std::int32_t>(24);
  owner.upload(upTo(24));
  Foreign tensor(*context, owner.address(), {2, 3, 3}, {kDLInt, 32, 1});
  tensor.managed.dl_tensor.byte_offset = 8;
  {
    Array<std::int32_t> array(Buffer::fromDLPack(*context, &tensor.managed));
    EXPECT_EQ(array.shape(), (Shape{2, 3, 3}));
    EXPECT_EQ(array.download().front(), 2);
    EXPECT_EQ(array.download().back(), 19);
    EXPECT_EQ(tensor.deleted, 0);
  }
  EXPECT_EQ(tensor.deleted, 1);
}

TEST_P(Memory, TensorsHaveEveryElementTypeAndTheMemoryItself) {
  auto owner = context->allocZeros<double>(64);
  struct Case {
    DLDataType type;
    const char *name;
  };
  for (const Case &each : {Case{{6, 8, 1}, "bool"},
                           {{kDLInt, 8, 1}, "i8"},
                           {{kDLInt, 16, 1}, "i16"},
                           {{kDLInt, 32, 1}, "i32"},
                           {{kDLInt, 64, 1}, "i64"},
                           {{kDLUInt, 8, 1}, "u8"},
                           {{kDLUInt, 16, 1}, "u16"},
                           {{kDLUInt, 32, 1}, "u32"},
                           {{kDLUInt, 64, 1}, "u64"},
                           {{kDLFloat, 16, 1}, "f16"},
                           {{kDLBfloat, 16, 1}, "bf16"},
                           {{kDLFloat, 32, 1}, "f32"},
                           {{kDLFloat, 64, 1}, "f64"},
                           {{kDLFloat, 32, 4}, "f32x4"},
                           {{kDLUInt, 8, 16}, "u8x16"}}) {
    Foreign tensor(*context, owner.address(), {2}, each.type);
    {
      const Buffer taken = Buffer::fromDLPack(*context, &tensor.managed);
      EXPECT_EQ(taken.elementType().str(), each.name);
      EXPECT_EQ(taken.address(), owner.address());
      DLManagedTensor *given = taken.toDLPack();
      const DLTensor &out = given->dl_tensor;
      EXPECT_EQ(out.data, reinterpret_cast<void *>(owner.address())) << each.name;
      EXPECT_EQ(out.byte_offset, 0u);
      EXPECT_EQ(out.dtype.code, each.type.code) << each.name;
      EXPECT_EQ(out.dtype.bits, each.type.bits) << each.name;
      EXPECT_EQ(out.dtype.lanes, each.type.lanes) << each.name;
      given->deleter(given);
      EXPECT_EQ(tensor.deleted, 0);
    }
    EXPECT_EQ(tensor.deleted, 1);
  }
}

TEST_P(Memory, RefusesTensorsThatDoNotFitAndLeavesThem) {
  auto owner = context->allocZeros<float>(64);
  auto refused = [&](auto change) {
    Foreign tensor(*context, owner.address(), {2, 3}, {kDLFloat, 32, 1});
    change(tensor);
    EXPECT_EQ(codeOf([&] { Buffer::fromDLPack(*context, &tensor.managed); }),
              ErrorCode::InvalidArgument);
    EXPECT_EQ(tensor.deleted, 0);
  };
  auto strides = [](std::vector<std::int64_t> values) {
    return [values](Foreign &tensor) {
      tensor.strides = values;
      tensor.managed.dl_tensor.strides = tensor.strides.data();
    };
  };
  refused(strides({1, 2}));
  refused(strides({4, 1}));
  refused(strides({-3, 1}));
  refused([](Foreign &tensor) { tensor.managed.dl_tensor.dtype = {kDLComplex, 64, 1}; });
  refused([](Foreign &tensor) { tensor.managed.dl_tensor.dtype = {kDLFloat, 32, 3}; });
  refused([](Foreign &tensor) { tensor.managed.dl_tensor.device = {kDLMetal, 0}; });
  refused([](Foreign &tensor) { tensor.managed.dl_tensor.ndim = 5; });
  refused([](Foreign &tensor) { tensor.shape[0] = -1; });
  refused([](Foreign &tensor) { tensor.managed.dl_tensor.data = nullptr; });
  refused([](Foreign &tensor) {
    tensor.managed.dl_tensor.data = nullptr;
    tensor.managed.dl_tensor.byte_offset = 64;
  });
  refused([](Foreign &tensor) { tensor.managed.dl_tensor.byte_offset = UINT64_MAX - 3; });
  refused([&](Foreign &tensor) { // the end exceeds the address space
    tensor.managed.dl_tensor.byte_offset = UINT64_MAX - owner.address() - 7;
  });
  refused([](Foreign &tensor) { tensor.managed.dl_tensor.shape = nullptr; });

  Foreign plain(*context, owner.address(), {1, 3}, {kDLFloat, 32, 1});
  strides({77, 1})(plain); // a single row may have any stride
  EXPECT_EQ(Buffer::fromDLPack(*context, &plain.managed).size(), 3);
  EXPECT_EQ(codeOf([&] { Buffer::fromDLPack(*context, nullptr); }), ErrorCode::InvalidArgument);
}

TEST_P(Memory, GivesTensorsToOthers) {
  DLManagedTensor *tensor = nullptr;
  {
    auto array = context->alloc<std::int32_t>({2, 3});
    array.upload(upTo(6));
    tensor = array.toDLPack();
    EXPECT_EQ(codeOf([&] { std::as_const(array).view(0, 1).toDLPack(); }),
              ErrorCode::InvalidArgument);
  }
  EXPECT_EQ(tensor->dl_tensor.ndim, 2);
  EXPECT_EQ(tensor->dl_tensor.device.device_type, isCpu() ? kDLCPU : kDLCUDA);
  EXPECT_EQ(tensor->dl_tensor.dtype.bits, 32);
  {
    Array<std::int32_t> back(Buffer::fromDLPack(*context, tensor)); // deletes it when destroyed
    EXPECT_EQ(back.download(), upTo(6));
  }
  auto structs = context->alloc<Body>(2);
  EXPECT_EQ(codeOf([&] { structs.toDLPack(); }), ErrorCode::InvalidArgument);
}

TEST_P(Memory, KernelsTellWhatTheyTake) {
  Module module = load();
  Kernel kernel = module["vector_add"];
  EXPECT_GE(kernel.attributes().groupSize, 256);
  EXPECT_GE(kernel.suggestedGroupSize(), 1);
  EXPECT_LE(kernel.suggestedGroupSize(), kernel.attributes().groupSize);
  EXPECT_GE(kernel.occupancy(128).groupsPerUnit, 1);
  EXPECT_GT(kernel.occupancy(128).ofWorkItems, 0.0);
  EXPECT_LE(kernel.occupancy(128).ofWorkItems, 1.0);
  EXPECT_EQ(kernel.occupancy(100000).groupsPerUnit, 0);
  EXPECT_EQ(codeOf([&] { kernel.occupancy(0); }), ErrorCode::InvalidArgument);
}

SPL_ON_EVERY_BACKEND(Memory);
