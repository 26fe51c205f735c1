// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests which calls the C++ interface rejects. The errors have the same text on every backend.
#include "test/conformance/Conformance.h"
#include "test/unit/runtime/Thrown.h"

#include <dlpack/dlpack.h>
#include <functional>
#include <pthread.h>
#include <utility>

using namespace spl;
using namespace spl::test;

namespace {

class Refusals : public Conformance {
protected:
  void SetUp() override {
    Conformance::SetUp();
    if (!context)
      return;
    peer.emplace(Context::make(GetParam().backend));
    stream.emplace(context->makeStream());
    foreign.emplace(peer->makeStream());
    const DeviceInfo info = context->device();
    here = std::string(toString(info.backend)) + " device " + std::to_string(info.index) + " (" +
           info.name + ")";
  }
  void TearDown() override {
    foreign.reset();
    stream.reset();
    peer.reset();
    Conformance::TearDown();
  }

  std::optional<Context> peer;           ///< another context of the backend
  std::optional<Stream> stream, foreign; ///< of the context, and of its peer
  std::string here;                      ///< the name of both contexts in messages
};

struct Three {
  std::int32_t x, y, z;
};
using Ints = std::vector<std::int32_t>;

template <typename T> void moveAway(T &object) { T elsewhere = std::move(object); }

} // namespace

TEST_P(Refusals, Arrays) {
  auto array = context->allocZeros<std::int32_t>(4), shorter = context->allocZeros<std::int32_t>(3);
  auto abroad = peer->allocZeros<std::int32_t>(4), gone = context->alloc<std::int32_t>(4);
  auto wide = context->alloc<Three>(2);
  const auto &constant = array;
  EXPECT_EQ(textOf([&] { array.upload({1, 2, 3}); }),
            "upload: the array has 16 bytes; the host memory has 12");
  EXPECT_EQ(textOf([&] { constant.view(0, 2).fill(1); }),
            "fill: the array is a read-only view; take the view of an array that is not const");
  EXPECT_EQ(textOf([&] { array.host(); }),
            "host: the array is in the device's own memory; allocate it as unified or pinned "
            "memory, or download it");
  EXPECT_EQ(textOf([&] { array.view(2, 3); }),
            "view: the array has 4 rows; 3 from 2 on are not all in it");
  EXPECT_EQ(textOf([&] { wide.fillAsync({1, 2, 3}, *stream); }),
            "fillAsync: no device can fill elements of 12 bytes; use fill, or upload the elements");
  EXPECT_EQ(textOf([&] { array.copyTo(shorter); }),
            "copyTo: 4 elements of i32 do not fit an array of 3 of i32");
  EXPECT_EQ(textOf([&] { array.copyTo(array); }), "copyTo: the two arrays share memory");
  EXPECT_EQ(textOf([&] { array.copyTo(abroad); }),
            "copyTo: the arrays belong to two contexts; use copyToPeer");
  EXPECT_EQ(textOf([&] { array.fillAsync(1, *foreign); }),
            "fillAsync: the stream belongs to another context, on " + here +
                "; use a stream of the array's context");
  EXPECT_EQ(textOf([&] { Array<float>(context->allocBuffer(ScalarType::I32, 4)); }),
            "a buffer of i32 cannot become an array of f32");
  gone.free();
  EXPECT_EQ(textOf([&] { gone.download(); }), "download: the array was moved from or freed");
}

// Every operation says so itself, whether the array is its source or its target.
TEST_P(Refusals, ArraysThatWereMovedFromOrFreed) {
  using Ints4 = Array<std::int32_t>;
  auto near = context->allocZeros<std::int32_t>(4), far = peer->allocZeros<std::int32_t>(4);
  Ints host(4);
  struct Row {
    const char *name;
    std::function<void(Ints4 &gone)> call;
  };
  const Row rows[] = {
      {"host", [&](Ints4 &gone) { gone.host(); }},
      {"view", [&](Ints4 &gone) { gone.view(0, 1); }},
      {"reshape", [&](Ints4 &gone) { gone.reshape({2, 2}); }},
      {"upload", [&](Ints4 &gone) { gone.upload(host); }},
      {"download", [&](Ints4 &gone) { gone.download(); }},
      {"uploadAsync", [&](Ints4 &gone) { gone.uploadAsync(host, *stream); }},
      {"downloadAsync", [&](Ints4 &gone) { gone.downloadAsync(host, *stream); }},
      {"fill", [&](Ints4 &gone) { gone.fill(1); }},
      {"fillAsync", [&](Ints4 &gone) { gone.fillAsync(1, *stream); }},
      {"copyToAsync", [&](Ints4 &gone) { gone.copyToAsync(near, *stream); }},
      {"copyToAsync", [&](Ints4 &gone) { near.copyToAsync(gone, *stream); }},
      {"copyTo", [&](Ints4 &gone) { gone.copyTo(near); }},
      {"copyTo", [&](Ints4 &gone) { near.copyTo(gone); }},
      {"copyToPeerAsync", [&](Ints4 &gone) { gone.copyToPeerAsync(far, *stream); }},
      {"copyToPeerAsync", [&](Ints4 &gone) { far.copyToPeerAsync(gone, *foreign); }},
      {"copyToPeer", [&](Ints4 &gone) { gone.copyToPeer(far); }},
      {"copyToPeer", [&](Ints4 &gone) { far.copyToPeer(gone); }},
  };
  for (const Row &row : rows)
    for (bool isFreed : {false, true}) {
      auto gone = context->allocZeros<std::int32_t>(4);
      if (isFreed)
        gone.free();
      else
        moveAway(gone);
      EXPECT_EQ(textOf([&] { row.call(gone); }),
                std::string(row.name) + ": the array was moved from or freed");
    }
}

TEST_P(Refusals, BorrowedMemory) {
  const auto borrow = [&](std::uint64_t address, std::int64_t size) {
    return textOf([&] { Array<std::int32_t>::borrow(*context, address, size); });
  };
  EXPECT_EQ(borrow(0, 4), "borrow: the address is null");
  EXPECT_EQ(borrow(4098, 4), "borrow: the address is not aligned as i32 is");
  EXPECT_EQ(borrow(UINT64_MAX - 7, 4), "borrow: the memory would end beyond all addresses");
}

TEST_P(Refusals, Shapes) {
  const auto alloc = [&](const Shape &shape) {
    return textOf([&] { context->allocBuffer(ScalarType::F64, shape); });
  };
  EXPECT_EQ(alloc({}), "an array of f64 cannot have the shape (): it needs at least one extent");
  EXPECT_EQ(alloc({2, -1}), "an array of f64 cannot have the shape 2 x -1: an extent is negative");
  EXPECT_EQ(
      alloc({0, std::int64_t{1} << 60}),
      "an array of f64 cannot have the shape 0 x 1152921504606846976: an extent above 2^60 - 1 "
      "does not fit the address space");
  EXPECT_EQ(alloc({1 << 30, 1 << 30}), "an array of f64 cannot have the shape 1073741824 x "
                                       "1073741824: its size in bytes does not fit in 63 bits");
}

TEST_P(Refusals, Tensors) {
  auto owner = context->allocZeros<float>(64);
  std::int64_t shape[] = {2, 3, 1, 1, 1}, strides[] = {4, 1};
  const auto take = [&](const std::function<void(DLTensor &)> &change) {
    DLManagedTensor tensor{};
    const bool isCpu = GetParam().backend == Backend::Cpu;
    tensor.dl_tensor = {.data = reinterpret_cast<void *>(owner.address()),
                        .device = {isCpu ? kDLCPU : kDLCUDA, 0},
                        .ndim = 2,
                        .dtype = {kDLFloat, 32, 1},
                        .shape = shape,
                        .strides = nullptr,
                        .byte_offset = 0};
    change(tensor.dl_tensor);
    return textOf([&] { Buffer::fromDLPack(*context, &tensor); });
  };
  EXPECT_EQ(take([](DLTensor &tensor) { tensor.device = {kDLMetal, 3}; }),
            "DLPack: the tensor is on a device of type 8, number 3, not on " + here +
                "; move it there, or make a context for its device");
  EXPECT_EQ(take([](DLTensor &tensor) { tensor.dtype = {kDLFloat, 32, 3}; }),
            "DLPack: elements of type code 2, 32 bits and 3 lanes are of no type of the language");
  EXPECT_EQ(take([](DLTensor &tensor) { tensor.ndim = 5; }),
            "DLPack: the tensor has 5 axes; an array has 1 to 4");
  EXPECT_EQ(take([](DLTensor &tensor) { tensor.shape = nullptr; }),
            "DLPack: the tensor has no shape");
  EXPECT_EQ(take([&](DLTensor &tensor) { tensor.strides = strides; }),
            "DLPack: the stride of axis 0 is 4; a row-major array has 3; pass a contiguous tensor");
  EXPECT_EQ(take([](DLTensor &tensor) { tensor.byte_offset = UINT64_MAX - 3; }),
            "DLPack: the offset 18446744073709551612 is beyond all addresses");
  std::int64_t large[] = {std::int64_t{1} << 32, std::int64_t{1} << 32},
               largeStrides[] = {std::int64_t{1} << 32, 1};
  EXPECT_EQ(take([&](DLTensor &tensor) {
              tensor.shape = large;
              tensor.strides = largeStrides;
            }),
            "DLPack: the shape 4294967296 x 4294967296 is too large");
  EXPECT_EQ(textOf([&] { Buffer::fromDLPack(*context, nullptr); }), "DLPack: there is no tensor");
  EXPECT_EQ(textOf([&] { context->alloc<Three>(2).toDLPack(); }),
            "DLPack: elements of C++ class have no type there; export scalars or vectors");
  EXPECT_EQ(textOf([&] { std::as_const(owner).view(0, 1).toDLPack(); }),
            "DLPack: the array is a read-only view, and DLPack has no read-only tensors");
}

TEST_P(Refusals, StreamsAndEvents) {
  Event event = context->makeEvent(), other = peer->makeEvent(), never = context->makeEvent();
  EXPECT_EQ(textOf([&] { context->makeStream(-1); }),
            "makeStream: the priority is -1; 0 is the lowest");
  EXPECT_EQ(textOf([&] { stream->record(other); }),
            "record: the event belongs to another context, on " + here +
                "; use an event of the stream's context");
  EXPECT_EQ(textOf([&] { stream->call({}); }), "call: there is no function");
  EXPECT_EQ(textOf([&] { event.elapsedMs(never); }),
            "elapsedMs: the start event was not recorded; record it in a stream first");
  Gate gate;
  gate.hold(*stream);
  stream->record(event);
  EXPECT_EQ(textOf([&] { event.elapsedMs(event); }),
            "elapsedMs: the start event is not done yet; sync it first");
  gate.open();
  event.sync();
  foreign->record(other);
  other.sync();
  EXPECT_EQ(textOf([&] { event.elapsedMs(other); }),
            "elapsedMs: the events belong to two contexts");
  EXPECT_EQ(textOf([&] { context->launchAsync(*foreign, load()["vector_add"], {.global = {1}}); }),
            "launchAsync: the stream belongs to another context, on " + here +
                "; use a stream of the context that launches");
}

TEST_P(Refusals, Captures) {
  Event captured = context->makeEvent(), outside = context->makeEvent();
  Stream second = context->makeStream(), standard = context->defaultStream();
  MemoryPool pool = context->makePool();
  EXPECT_EQ(textOf([&] { Graph::capture(standard, [] {}); }),
            "capture: the default stream cannot be captured; make a stream and capture that");
  stream->record(outside);
  GraphExec empty = Graph::capture(*stream, [] {}).instantiate();
  Graph::capture(*stream, [&] {
    stream->record(captured);
    EXPECT_EQ(textOf([&] { stream->sync(); }),
              "sync: the stream is being captured; nothing of its work runs yet; wait for the "
              "graph's launch");
    EXPECT_EQ(textOf([&] { context->sync(); }),
              "sync: a stream of the context is being captured; nothing of its work runs yet; end "
              "the capture first, or sync the other streams");
    EXPECT_EQ(textOf([&] { Graph::capture(*stream, [] {}); }),
              "capture: the stream already takes part in one; end that first");
    EXPECT_EQ(textOf([&] { captured.sync(); }),
              "sync: the event was recorded while a graph was captured; record it in a stream that "
              "runs");
    EXPECT_EQ(textOf([&] { stream->wait(outside); }),
              "wait: the event was not recorded in the capture that the stream takes part in; wait "
              "before the capture, or record the event in it");
    EXPECT_EQ(textOf([&] { standard.wait(captured); }),
              "wait: the event was recorded while a graph was captured, where the default stream "
              "takes no part; wait for it in a stream of makeStream");
    EXPECT_EQ(textOf([&] { pool.alloc<float>(1, *stream); }),
              "alloc: the stream is being captured; allocate before the capture");
    EXPECT_EQ(textOf([&] { empty.launch(*stream); }),
              "launch: the stream is being captured, and a graph inside of another is not "
              "supported; give the work itself to the stream");
  });
  EXPECT_EQ(textOf([&] { second.wait(captured); }),
            "wait: the event was recorded while a graph was captured, which is over; record it "
            "again");
  auto array = context->alloc<std::int32_t>(3);
  EXPECT_EQ(textOf([&] {
              Graph::capture(*stream, [&] {
                stream->record(captured);
                second.wait(captured);
                array.fillAsync(1, second);
              });
            }),
            "capture: a stream that took part was not waited for again; record an event after its "
            "work and wait for it in the stream that is captured");
}

TEST_P(Refusals, Graphs) {
  const Kernel kernel = load()["saxpy"];
  auto x = context->allocZeros<float>(3), y = context->allocZeros<float>(3);
  Graph graph = Graph::capture(
      *stream, [&] { context->launchAsync(*stream, kernel, {.global = {3}}, 1.0f, x, y); });
  GraphExec exec = graph.instantiate();
  const LaunchConfig none = {.global = {0}};
  const Argument arguments[] = {2.0f, x, y};
  EXPECT_EQ(textOf([&] { exec.launch(*foreign); }),
            "launch: the stream belongs to another context, on " + here +
                "; use a stream of the context that captured the graph");
  EXPECT_EQ(textOf([&] { exec.setArguments(1, 1.0f, x, y); }),
            "the graph has 1 launches; there is no launch 1");
  EXPECT_EQ(textOf([&] { exec.setLaunch(0, &none, arguments); }),
            "a launch of a graph cannot become one without work-items");
  moveAway(graph);
  moveAway(exec);
  EXPECT_EQ(textOf([&] { graph.instantiate(); }), "the graph was moved from");
  EXPECT_EQ(textOf([&] { exec.launch(*stream); }), "the graph was moved from");
}

TEST_P(Refusals, Launches) {
  Module module = load();
  auto a = context->allocZeros<float>(3), b = context->allocZeros<float>(3);
  auto out = context->allocZeros<float>(3), abroad = peer->allocZeros<float>(3);
  const auto launch = [&](const LaunchConfig &config, auto &&...arguments) {
    return textOf([&] { context->launch(module["vector_add"], config, arguments...); });
  };
  EXPECT_EQ(launch({.global = {3}}, a, abroad, out),
            "parameter 'b' of vector_add: the array belongs to another context, on " + here +
                "; allocate it in the context that launches");
  EXPECT_EQ(launch({.global = {3}, .local = {2048}}, a, b, out),
            "launch of vector_add: local x is 2048; the device takes at most 1024; use smaller "
            "groups");
  EXPECT_EQ(launch({.global = {3, 1}, .local = {64, 32}}, a, b, out),
            "launch of vector_add: the size of a group (64 x 32) is 2048; the device takes at most "
            "1024; use smaller groups");
  EXPECT_EQ(launch({.global = {1, 65536}, .local = {1, 1}}, a, b, out),
            "launch of vector_add: the number of groups along y is 65536; the device takes at most "
            "65535; use larger groups or several launches");
  EXPECT_EQ(textOf([&] { peer->launch(module["saxpy"], {.global = {1}}, 1.0f, a, b); }),
            "kernel saxpy was loaded for another context, on " + here +
                "; load its module for this context");
  EXPECT_EQ(textOf([&] { module["saxpy"].occupancy(0); }),
            "occupancy of saxpy: groups of 0 work-items and 0 bytes of shared memory");
  EXPECT_EQ(textOf([&] { module["saxpy"].suggestedGroupSize(-1); }),
            "a group size for saxpy: groups with -1 bytes of shared memory");
}

TEST_P(Refusals, Pools) {
  MemoryPool pool = context->makePool();
  EXPECT_EQ(textOf([&] { pool.alloc<float>(1, *foreign); }),
            "alloc: the stream belongs to another context, on " + here +
                "; use a stream of the pool's context");
  moveAway(pool);
  EXPECT_EQ(textOf([&] { pool.trim(); }), "the pool was moved from");
}

TEST_P(Refusals, PipelinesAndLoaders) {
  EXPECT_EQ(textOf([&] { Pipeline(*context, {}, {.buffers = 0}); }),
            "the pipeline has 0 buffers, not 1 to 65536; 1 is sequential, 2 double, 3 triple "
            "buffering");
  Pipeline *itself = nullptr;
  Pipeline pipeline(
      *context, {.compute = [&](std::size_t, std::size_t, const Stream &) { itself->submit(); }});
  itself = &pipeline;
  EXPECT_EQ(textOf([&] { pipeline.run(1); }),
            "a stage uses its own pipeline; submit and finish from outside of the stages");
  moveAway(pipeline);
  EXPECT_EQ(textOf([&] { pipeline.submit(); }), "the pipeline was moved from");
  DataLoader<int> loader([](std::size_t) { return std::optional<int>(); });
  moveAway(loader);
  EXPECT_EQ(textOf([&] { loader.next(); }), "the data loader was moved from");
}

TEST_P(Refusals, WhatWasMovedFrom) {
  Context here = Context::make(GetParam().backend);
  Stream moved = here.makeStream();
  Event event = here.makeEvent();
  moveAway(event);
  EXPECT_EQ(textOf([&] { moved.record(event); }), "the event was moved from");
  EXPECT_EQ(textOf([&] { moved.wait(event); }), "the event was moved from");
  moveAway(moved);
  moveAway(here);
  EXPECT_EQ(textOf([&] { event.sync(); }), "the event was moved from");
  EXPECT_EQ(textOf([&] { moved.sync(); }), "the stream was moved from");
  EXPECT_EQ(textOf([&] { here.sync(); }), "the context was moved from");
  // The arguments are copied.
  Module module = load();
  Kernel kernel = module["saxpy"];
  Error error({.message = "wrong"});
  moveAway(kernel);
  moveAway(module);
  moveAway(error);
  EXPECT_EQ(module["saxpy"].name(), kernel.name());
  EXPECT_EQ(error.message(), "wrong");
}

SPL_ON_EVERY_BACKEND(Refusals);

TEST(RefusalsOfOneBackend, WhatBelongsToAnother) {
  FakeDriver fake;
  const Context cpu = Context::make(Backend::Cpu), cuda = Context::make(Backend::Cuda);
  const auto described = [](const Context &context) {
    return std::string(toString(context.backend())) + " device 0 (" + context.device().name + ")";
  };
  for (auto [one, other] : {std::pair(&cpu, &cuda), std::pair(&cuda, &cpu)}) {
    Stream stream = one->makeStream();
    Event event = other->makeEvent();
    auto array = one->alloc<float>(3), target = other->alloc<float>(3);
    EXPECT_EQ(textOf([&] { stream.wait(event); }),
              "wait: the event belongs to another backend, on " + described(*other) +
                  "; wait for it on the host, with its sync");
    EXPECT_EQ(textOf([&] { array.copyToPeerAsync(target, stream); }),
              "copyToPeerAsync: the arrays are of two backends, on " + described(*one) + " and " +
                  described(*other) + "; use copyToPeer, which goes through the host");
  }
}

/// Makes thread creation fail: no process has room for such a stack.
class WithoutThreads : public testing::Test {
protected:
  WithoutThreads() {
    pthread_getattr_default_np(&before);
    pthread_attr_t large = before;
    pthread_attr_setstacksize(&large, std::size_t{1} << 50);
    pthread_setattr_default_np(&large);
  }
  ~WithoutThreads() override { pthread_setattr_default_np(&before); }
  pthread_attr_t before;
};

TEST_F(WithoutThreads, StreamsAndLoadersSaySo) {
  Context context = Context::make(Backend::Cpu);
  Stream stream = context.makeStream();
  const auto refusal = [](const std::function<void()> &call) {
    const Error error = thrownBy(call);
    EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
    EXPECT_EQ(error.call(), "pthread_create");
    return error.message() + "; " + error.hint();
  };
  EXPECT_EQ(refusal([&] { stream.call([] {}); }),
            "the system cannot start a thread for a stream; use fewer streams");
  EXPECT_EQ(refusal([] { DataLoader<int>([](std::size_t) { return std::optional<int>(); }); }),
            "the system cannot start a thread for a data loader; use fewer workers");
}
