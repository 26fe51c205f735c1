// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests handles in several threads, in a child made by fork, and after many objects.
#include "test/capi/Fixture.h"
#include "test/unit/Fork.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <set>
#include <thread>

namespace spl::capi::test {
namespace {

using spl::test::holdsInChild;
using spl::test::statusOfChild;

TEST(CHandles, NoneAreLeft) {
  const std::size_t before = spl_handle_count();
  {
    Fixture fixture;
    EXPECT_EQ(spl_handle_count(), before + kinds().size());
  }
  EXPECT_EQ(spl_handle_count(), before);
}

TEST(CHandles, AreNeverUsedAgain) {
  Fixture fixture;
  std::set<spl_event> seen;
  for (int i = 0; i < 5000; ++i) {
    const spl_event event = fixture.make("event");
    EXPECT_TRUE(seen.insert(event).second);
    EXPECT_GT(static_cast<std::int64_t>(event), 0);
    expectOk(spl_event_free(event));
    EXPECT_EQ(spl_event_sync(*seen.begin()), SPL_INVALID_HANDLE);
  }
}

TEST(CHandles, AreMadeByManyThreadsAtOnce) {
  constexpr int threads = 4, rounds = 200, atOnce = 50;
  const std::size_t before = spl_handle_count();
  std::vector<std::vector<spl_trace>> seen(threads);
  std::barrier together(threads);
  std::vector<std::thread> all;
  for (std::vector<spl_trace> &mine : seen)
    all.emplace_back([&] {
      together.arrive_and_wait();
      for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < atOnce; ++i)
          expectOk(spl_trace_make(&mine.emplace_back()));
        for (int i = 0; i < atOnce; ++i)
          expectOk(spl_trace_free(mine[mine.size() - 1 - static_cast<std::size_t>(i)]));
      }
    });
  for (std::thread &thread : all)
    thread.join();
  std::set<spl_trace> different;
  for (const std::vector<spl_trace> &mine : seen)
    different.insert(mine.begin(), mine.end());
  EXPECT_EQ(different.size(), std::size_t{threads} * rounds * atOnce);
  EXPECT_EQ(spl_handle_count(), before);
}

TEST(CHandles, OneOfManyThreadsFrees) {
  Fixture fixture;
  constexpr int threads = 4;
  for (const std::string &kind : kinds()) {
    for (int round = 0; round < 20; ++round) {
      const std::uint64_t handle = fixture.make(kind);
      std::atomic<int> freed = 0, refused = 0;
      std::barrier together(threads);
      std::vector<std::thread> all;
      for (int i = 0; i < threads; ++i)
        all.emplace_back([&] {
          together.arrive_and_wait();
          const spl_status status = Fixture::free(kind, handle);
          ++(status == SPL_OK ? freed : refused);
          if (status != SPL_OK) {
            EXPECT_EQ(status, SPL_INVALID_HANDLE);
            EXPECT_NE(std::string(spl_last_error()).find("was freed"), std::string::npos);
          }
        });
      for (std::thread &thread : all)
        thread.join();
      EXPECT_EQ(freed, 1) << kind;
      EXPECT_EQ(refused, threads - 1) << kind;
    }
  }
}

TEST(CHandles, MayBeFreedWhileTheyAreUsed) {
  Fixture fixture;
  for (int round = 0; round < 100; ++round) {
    const spl_array array = fixture.make("array");
    const spl_stream stream = fixture.make("stream");
    std::barrier together(3);
    auto use = [&] {
      float values[3] = {1, 2, 3};
      together.arrive_and_wait();
      for (int i = 0; i < 20; ++i) {
        const spl_status status = spl_array_upload_async(array, values, sizeof values, stream);
        EXPECT_TRUE(status == SPL_OK || status == SPL_INVALID_HANDLE) << spl_last_error();
        const spl_status waited = spl_stream_sync(stream);
        EXPECT_TRUE(waited == SPL_OK || waited == SPL_INVALID_HANDLE) << spl_last_error();
      }
      expectOk(spl_context_sync(fixture["context"])); // the values are used until this returns
    };
    std::thread first(use), second(use);
    together.arrive_and_wait();
    expectOk(spl_array_free(array));
    expectOk(spl_stream_free(stream));
    first.join();
    second.join();
  }
}

TEST(CHandles, RefuseASecondCallAtATime) {
  Fixture fixture;
  struct Shared {
    spl_pipeline pipeline;
    spl_status inner[3];
  } shared = {};
  const spl_pipeline_stages stages = {.upload = nullptr,
                                      .compute =
                                          [](void *user, std::size_t, std::size_t, spl_stream) {
                                            auto *shared = static_cast<Shared *>(user);
                                            spl_pipeline_info info;
                                            shared->inner[0] =
                                                spl_pipeline_submit(shared->pipeline);
                                            shared->inner[1] =
                                                spl_pipeline_get(shared->pipeline, &info);
                                            // The pipeline ends after this batch.
                                            shared->inner[2] = spl_pipeline_free(shared->pipeline);
                                            return spl_status{SPL_OK};
                                          },
                                      .download = nullptr,
                                      .user = &shared};
  expectOk(spl_pipeline_make(fixture["context"], &stages, 2, 0, &shared.pipeline));
  expectOk(spl_pipeline_run(shared.pipeline, 1));
  EXPECT_EQ(shared.inner[0], SPL_HANDLE_IN_USE);
  EXPECT_EQ(shared.inner[1], SPL_HANDLE_IN_USE);
  EXPECT_EQ(shared.inner[2], SPL_OK);
  EXPECT_EQ(spl_pipeline_free(shared.pipeline), SPL_INVALID_HANDLE);
}

/// The status of \p call in a new thread.
spl_status elsewhere(const std::function<spl_status()> &call) {
  spl_status status = SPL_OK;
  std::thread([&] { status = call(); }).join();
  return status;
}

TEST(CHandles, StreamsOfACaptureAreItsThreadsAlone) {
  struct Shared {
    Fixture fixture;
    spl_stream joining = fixture.make("stream");
    spl_event event = fixture.make("event"), back = fixture.make("event");
    std::vector<spl_status> inner;

    spl_status use(spl_stream stream) {
      return spl_array_fill_async(fixture["array"], "\0\0\0\0\0\0\0", 4, stream);
    }
  } shared;
  const auto work = [](void *user) {
    auto &[fixture, joining, event, back, inner] = *static_cast<Shared *>(user);
    Shared &self = *static_cast<Shared *>(user);
    const spl_stream stream = fixture["stream"];
    inner.push_back(elsewhere([&] { return self.use(stream); }));
    inner.push_back(elsewhere([&] { return spl_stream_sync(stream); }));
    // The stream does not capture yet.
    inner.push_back(elsewhere([&] { return self.use(joining); }));
    inner.push_back(spl_stream_record(stream, event));
    inner.push_back(spl_stream_wait(joining, event));
    inner.push_back(elsewhere([&] { return self.use(joining); }));
    inner.push_back(self.use(joining));
    inner.push_back(spl_stream_record(joining, back));
    inner.push_back(spl_stream_wait(stream, back));
    return spl_status{SPL_OK};
  };
  spl_graph graph;
  expectOk(spl_graph_capture(shared.fixture["stream"], work, &shared, &graph));
  expectOk(spl_graph_free(graph));
  EXPECT_EQ(shared.inner,
            (std::vector<spl_status>{SPL_HANDLE_IN_USE, SPL_HANDLE_IN_USE, SPL_OK, SPL_OK, SPL_OK,
                                     SPL_HANDLE_IN_USE, SPL_OK, SPL_OK, SPL_OK}));
  for (spl_stream stream : {shared.fixture["stream"], shared.joining})
    EXPECT_EQ(elsewhere([&] { return shared.use(stream); }), SPL_OK);
  expectOk(spl_stream_free(shared.joining));
  expectOk(spl_event_free(shared.event));
  expectOk(spl_event_free(shared.back));
}

TEST(CHandles, OfAParentAreRefusedInAChild) {
  Fixture fixture;
  float values[3];
  // Each failed step is a bit of the exit status.
  EXPECT_EQ(
      statusOfChild([&] {
        int wrong = 0;
        wrong |= (spl_context_sync(fixture["context"]) != SPL_FORKED_PROCESS) << 0;
        wrong |= (spl_array_download(fixture["array"], values, sizeof values) != SPL_FORKED_PROCESS)
                 << 1;
        wrong |= (spl_stream_sync(fixture["stream"]) != SPL_FORKED_PROCESS) << 2;
        void *batch;
        std::int32_t there;
        wrong |= (spl_loader_next(fixture["loader"], &batch, &there) != SPL_FORKED_PROCESS) << 3;
        for (const std::string &kind : kinds())
          wrong |= (Fixture::free(kind, fixture[kind]) != SPL_OK) << 4;
        wrong |= (spl_context_sync(fixture["context"]) != SPL_INVALID_HANDLE) << 5;
        return wrong;
      }),
      0);
}

TEST(CHandles, OfTheSmallSetCanBeMadeInAChild) {
  if (spl_gpu_available())
    GTEST_SKIP() << "a child of a process that used CUDA cannot use it";
  const spl_array before = spl_gpu_alloc_ones("i32", 3);
  ASSERT_NE(before, 0u) << spl_last_error();
  EXPECT_EQ(statusOfChild([&] {
              std::int32_t values[3] = {};
              int wrong = spl_array_download(before, values, sizeof values) != SPL_FORKED_PROCESS;
              const spl_array ones = spl_gpu_alloc_ones("i32", 3);
              wrong |= (spl_array_download(ones, values, sizeof values) != SPL_OK) << 1;
              return wrong | (values[2] != 1) << 2;
            }),
            0);
  EXPECT_EQ(spl_gpu_free(before), 0);
}

TEST(CHandles, CanBeMadeInAChildOfAThreadThatMakesThem) {
  Fixture fixture;
  std::atomic<bool> ends = false;
  std::thread busy([&] {
    while (!ends)
      expectOk(spl_event_free(fixture.make("event")));
  });
  for (int round = 0; round < 50; ++round)
    EXPECT_TRUE(holdsInChild([] {
      spl_trace trace;
      return spl_trace_make(&trace) == SPL_OK && spl_trace_free(trace) == SPL_OK;
    }));
  ends = true;
  busy.join();
}

} // namespace
} // namespace spl::capi::test
