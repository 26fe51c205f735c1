// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests ownership in the types: handles can be moved but not copied, modules are shared, and no
// destructor throws.
#include <spl/spl.h>

#include <gtest/gtest.h>

#include <type_traits>

using namespace spl;

namespace {

template <typename T>
constexpr bool isMoveOnly =
    std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T> &&
    !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T> &&
    std::is_nothrow_destructible_v<T>;

template <typename T>
constexpr bool isShared = std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T> &&
                          std::is_nothrow_destructible_v<T>;

static_assert(isMoveOnly<Context>);
static_assert(isMoveOnly<Buffer> && isMoveOnly<Array<float>>);
static_assert(isMoveOnly<Stream> && isMoveOnly<Event>);
static_assert(isMoveOnly<MemoryPool>);
static_assert(isMoveOnly<Graph> && isMoveOnly<GraphExec>);
static_assert(isMoveOnly<Pipeline> && isMoveOnly<DataLoader<int>>);
static_assert(isShared<Module> && isShared<Kernel> && isShared<Config> && isShared<Error>);

} // namespace

TEST(Ownership, WhatWasMovedFromIsRefusedAndEndsQuietly) {
  Context context = Context::make(Backend::Cpu);
  Stream stream = context.makeStream();
  Event event = context.makeEvent();
  MemoryPool pool = context.makePool();
  auto array = context.allocZeros<float>(3);
  Graph graph = Graph::capture(stream, [] {});
  GraphExec exec = graph.instantiate();
  {
    const Stream otherStream = std::move(stream);
    const Event otherEvent = std::move(event);
    const MemoryPool otherPool = std::move(pool);
    const auto otherArray = std::move(array);
    const GraphExec otherExec = std::move(exec);
    const Graph otherGraph = std::move(graph);
  }
  EXPECT_THROW(stream.sync(), Error);
  EXPECT_THROW(event.query(), Error);
  EXPECT_THROW(pool.state(), Error);
  EXPECT_THROW(array.download(), Error);
  EXPECT_THROW(graph.instantiate(), Error);
  EXPECT_THROW(exec.launch(context.defaultStream()), Error);
}
