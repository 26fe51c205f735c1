// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of Pipeline: the order of batches, and failures.
#include "test/conformance/Conformance.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace spl;
using namespace spl::test;
using namespace std::chrono_literals;

namespace {

class Pipelines : public Conformance {};

/// Records which stage ran for which batch, in order.
class Diary {
public:
  StageFunction stage(PipelineStage kind) {
    return [this, kind](std::size_t batch, std::size_t, const Stream &stream) {
      stream.call([this, kind, batch] { add(kind, batch); });
    };
  }
  PipelineStages stages() {
    return {stage(PipelineStage::Upload), stage(PipelineStage::Compute),
            stage(PipelineStage::Download)};
  }

  void add(PipelineStage kind, std::size_t batch) {
    std::lock_guard lock(mutex);
    entries.push_back({kind, batch});
  }
  std::size_t size() const {
    std::lock_guard lock(mutex);
    return entries.size();
  }
  /// The position of a stage of a batch in the record, from 0.
  std::size_t find(PipelineStage kind, std::size_t batch) const {
    std::lock_guard lock(mutex);
    const auto at = std::find(entries.begin(), entries.end(), std::pair{kind, batch});
    EXPECT_NE(at, entries.end()) << toString(kind) << " of batch " << batch << " never ran";
    return static_cast<std::size_t>(at - entries.begin());
  }

private:
  mutable std::mutex mutex;
  std::vector<std::pair<PipelineStage, std::size_t>> entries;
};

constexpr std::array stageKinds = {PipelineStage::Upload, PipelineStage::Compute,
                                   PipelineStage::Download};

/// The function of the stage \p kind in \p stages.
StageFunction &stageOf(PipelineStages &stages, PipelineStage kind) {
  return kind == PipelineStage::Upload    ? stages.upload
         : kind == PipelineStage::Compute ? stages.compute
                                          : stages.download;
}

/// The error of a run of 9 batches.
BatchError failureOf(Pipeline &pipeline) {
  try {
    pipeline.run(9);
  } catch (const BatchError &error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return BatchError(1000, PipelineStage::Upload, std::make_exception_ptr(0));
}

} // namespace

TEST_P(Pipelines, ComputeEveryBatchWithAnyNumberOfBuffers) {
  Module module = load();
  const std::size_t count = 1025, batches = 7;
  for (std::size_t buffers : {1, 2, 3, 5, 11}) {
    struct Buffers {
      Array<float> a, b, out;
      std::vector<float> hostA, hostB;
    };
    std::vector<Buffers> sets;
    for (std::size_t i = 0; i < buffers; ++i)
      sets.push_back({context->alloc<float>(count),
                      context->alloc<float>(count),
                      context->alloc<float>(count),
                      {},
                      {}});
    std::vector<std::vector<float>> results(batches, std::vector<float>(count));
    Pipeline pipeline(*context,
                      {.upload =
                           [&](std::size_t batch, std::size_t buffer, const Stream &stream) {
                             Buffers &set = sets[buffer];
                             set.hostA = numbers(count, static_cast<int>(batch));
                             set.hostB = numbers(count, static_cast<int>(batch) + 100);
                             set.a.uploadAsync(set.hostA, stream);
                             set.b.uploadAsync(set.hostB, stream);
                           },
                       .compute =
                           [&](std::size_t, std::size_t buffer, const Stream &stream) {
                             Buffers &set = sets[buffer];
                             context->launchAsync(stream, module["vector_add"], {.global = {count}},
                                                  set.a, set.b, set.out);
                           },
                       .download =
                           [&](std::size_t batch, std::size_t buffer, const Stream &stream) {
                             sets[buffer].out.downloadAsync(std::span(results[batch]), stream);
                           }},
                      {.buffers = buffers});
    pipeline.run(batches);
    EXPECT_EQ(pipeline.stats().batches, batches);
    for (std::size_t batch = 0; batch < batches; ++batch) {
      std::vector<float> a = numbers(count, static_cast<int>(batch));
      std::vector<float> b = numbers(count, static_cast<int>(batch) + 100);
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(results[batch][i], a[i] + b[i])
            << "at " << i << " of batch " << batch << " with " << buffers << " buffers";
    }
  }
}

TEST_P(Pipelines, HandBatchesFromStageToStageAndBuffersFromBatchToBatch) {
  for (std::size_t buffers : {1, 2, 3}) {
    Diary diary;
    const std::size_t batches = 9;
    Pipeline pipeline(*context, diary.stages(), {.buffers = buffers});
    pipeline.run(batches);
    ASSERT_EQ(diary.size(), 3 * batches);
    for (std::size_t batch = 0; batch < batches; ++batch) {
      EXPECT_LT(diary.find(PipelineStage::Upload, batch),
                diary.find(PipelineStage::Compute, batch));
      EXPECT_LT(diary.find(PipelineStage::Compute, batch),
                diary.find(PipelineStage::Download, batch));
      if (batch >= buffers) {
        EXPECT_LT(diary.find(PipelineStage::Download, batch - buffers),
                  diary.find(PipelineStage::Upload, batch));
      }
    }
  }
}

TEST_P(Pipelines, SubmitWaitsOnlyWhileAllBuffersAreInFlight) {
  Diary diary;
  Gate gate;
  PipelineStages stages = diary.stages();
  stages.upload = [&](std::size_t batch, std::size_t buffer, const Stream &stream) {
    if (batch == 0)
      gate.hold(stream);
    diary.stage(PipelineStage::Upload)(batch, buffer, stream);
  };
  Pipeline pipeline(*context, stages, {.buffers = 3});
  for (int i = 0; i < 3; ++i)
    pipeline.submit(); // submit() without a free buffer would block
  EXPECT_EQ(diary.size(), 0u);
  std::atomic<bool> isSubmitting = false, isOpen = false;
  std::thread opener([&] {
    isSubmitting.wait(false);
    std::this_thread::sleep_for(20ms);
    isOpen = true;
    gate.open();
  });
  isSubmitting = true;
  isSubmitting.notify_all();
  pipeline.submit();
  EXPECT_TRUE(isOpen);
  EXPECT_LT(diary.find(PipelineStage::Download, 0), diary.size());
  opener.join();
  pipeline.finish();
  EXPECT_EQ(diary.size(), 12u);
  EXPECT_GE(pipeline.stats().blockedMs, 1);
  EXPECT_LE(pipeline.stats().blockedMs, pipeline.stats().wallMs);
}

TEST_P(Pipelines, SayWhichBatchAStageThrewFor) {
  for (PipelineStage kind : stageKinds)
    for (std::size_t buffers : {1, 2, 3}) {
      Diary diary;
      PipelineStages stages = diary.stages();
      stageOf(stages, kind) = [&](std::size_t batch, std::size_t, const Stream &) {
        if (batch == 4)
          throw std::out_of_range("no such row");
      };
      Pipeline pipeline(*context, stages, {.buffers = buffers});
      const BatchError error = failureOf(pipeline);
      EXPECT_EQ(error.batch(), 4u);
      EXPECT_EQ(error.stage(), kind);
      EXPECT_EQ(error.code(), ErrorCode::CallbackFailed);
      EXPECT_EQ(error.what(), "batch 4, " + std::string(toString(kind)) + ": no such row");
      EXPECT_THROW(std::rethrow_exception(error.cause()), std::out_of_range);
      EXPECT_EQ(pipeline.stats().batches, 4u);
      // Four batches completed. The stages before this one ran for the fifth.
      EXPECT_EQ(diary.size(), 2u * 4 + static_cast<std::size_t>(kind));
    }
}

TEST_P(Pipelines, SayWhichBatchFailedInAStream) {
  for (PipelineStage kind : stageKinds)
    for (std::size_t buffers : {1, 2, 3}) {
      PipelineStages stages = Diary().stages();
      std::atomic<int> begun = 0, done = 0;
      for (PipelineStage other : stageKinds)
        stageOf(stages, other) = [&, other](std::size_t batch, std::size_t, const Stream &stream) {
          ++begun;
          stream.call([&, batch, other] {
            ++done;
            if (batch == 4 && other == kind)
              throw std::runtime_error("the disk is full");
          });
        };
      Pipeline pipeline(*context, stages, {.buffers = buffers});
      const BatchError error = failureOf(pipeline);
      EXPECT_EQ(error.batch(), 4u);
      EXPECT_EQ(error.stage(), kind);
      EXPECT_THROW(std::rethrow_exception(error.cause()), std::runtime_error);
      EXPECT_EQ(static_cast<std::size_t>(begun - done), error.skipped())
          << "something was still in flight";
      EXPECT_LE(begun, 3 * static_cast<int>(5 + buffers)) << "the pipeline did not stop";
    }
}

TEST_P(Pipelines, TheFirstBatchThatFailedIsTheOneThatIsThrown) {
  // Batch 1 fails in its last stage. Before that, the next batches fail in their first stage, one
  // in the stream and one immediately.
  Gate gate;
  Pipeline pipeline(*context,
                    {.upload =
                         [&](std::size_t batch, std::size_t, const Stream &stream) {
                           if (batch == 2)
                             stream.call([] { throw std::runtime_error("second"); });
                           if (batch == 3) {
                             gate.open();
                             throw std::runtime_error("third");
                           }
                         },
                     .download =
                         [&](std::size_t batch, std::size_t, const Stream &stream) {
                           if (batch == 1) {
                             gate.hold(stream);
                             stream.call([] { throw std::runtime_error("first"); });
                           }
                         }},
                    {.buffers = 4});
  const BatchError error = failureOf(pipeline);
  EXPECT_STREQ(error.what(), "batch 1, download: first; 1 other operation failed");
}

TEST_P(Pipelines, OfOneBatchTheFirstStageThatFailedIsTheOneThatIsThrown) {
  Pipeline pipeline(*context,
                    {.upload =
                         [](std::size_t, std::size_t, const Stream &stream) {
                           stream.call([] { throw std::runtime_error("in the stream"); });
                         },
                     .compute = [](std::size_t, std::size_t,
                                   const Stream &) { throw std::runtime_error("at once"); }});
  EXPECT_STREQ(failureOf(pipeline).what(), "batch 0, upload: in the stream");
}

TEST_P(Pipelines, AnErrorOfTheRuntimeKeepsWhatItSays) {
  auto array = context->alloc<float>(4);
  std::vector<float> tooShort(3);
  Pipeline pipeline(*context, {.upload = [&](std::size_t, std::size_t, const Stream &stream) {
    array.uploadAsync(tooShort, stream);
  }});
  const BatchError error = failureOf(pipeline);
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
  EXPECT_THROW(std::rethrow_exception(error.cause()), Error);
  EXPECT_EQ(std::string(error.what()), "batch 0, upload: " + std::string(error.Error::what()));
}

TEST_P(Pipelines, RunAgainAfterAFailure) {
  Diary diary;
  PipelineStages stages = diary.stages();
  bool fails = true;
  stages.compute = [&](std::size_t batch, std::size_t, const Stream &) {
    if (fails && batch == 1)
      throw 7;
  };
  Pipeline pipeline(*context, stages);
  EXPECT_STREQ(failureOf(pipeline).what(),
               "batch 1, compute: the stage threw an exception that is not a std::exception");
  fails = false;
  const std::size_t before = diary.size();
  pipeline.run(5);
  EXPECT_EQ(diary.size() - before, 2u * 5);
  EXPECT_EQ(pipeline.stats().batches, 5u);
}

TEST_P(Pipelines, WhatAFunctionOfAGraphThrewIsTheBatchs) {
  std::atomic<int> runs = 0;
  std::vector<GraphExec> graphs; // one for each buffer
  for (int i = 0; i < 2; ++i) {
    Stream recorded = context->makeStream();
    graphs.push_back(Graph::capture(recorded, [&] {
                       recorded.call([&] {
                         if (runs++ >= 4)
                           throw std::runtime_error("in the graph");
                       });
                     }).instantiate());
  }
  Pipeline pipeline(*context,
                    {.compute = [&](std::size_t, std::size_t buffer,
                                    const Stream &stream) { graphs[buffer].launch(stream); }},
                    {.buffers = 2});
  EXPECT_STREQ(failureOf(pipeline).what(),
               "batch 4, compute: in the graph; 1 operation behind it was skipped");
  context->sync(); // no failure of the run is left to report
  runs = 0;
  pipeline.run(3);
}

TEST_P(Pipelines, WaitForWhatIsInFlightWhenTheyEnd) {
  Diary diary;
  PipelineStages stages = diary.stages();
  stages.compute = [&](std::size_t batch, std::size_t buffer, const Stream &stream) {
    stream.call([] { std::this_thread::sleep_for(5ms); });
    diary.stage(PipelineStage::Compute)(batch, buffer, stream);
  };
  {
    Pipeline pipeline(*context, stages, {.buffers = 2});
    pipeline.submit();
    pipeline.submit();
  }
  EXPECT_EQ(diary.size(), 6u);
}

TEST_P(Pipelines, MeasureTheirStages) {
  auto waits = [](std::chrono::milliseconds time) {
    return [time](std::size_t, std::size_t, const Stream &stream) {
      stream.call([time] { std::this_thread::sleep_for(time); });
    };
  };
  // One buffer, because CUDA may run the host functions of two stages one after the other.
  Pipeline pipeline(*context, {.upload = waits(2ms), .compute = waits(9ms)}, {.buffers = 1});
  pipeline.run(5);
  const PipelineStats &stats = pipeline.stats();
  EXPECT_GE(stats.inStage(PipelineStage::Upload), 9.9);
  EXPECT_GE(stats.inStage(PipelineStage::Compute), 44.9);
  EXPECT_LT(stats.inStage(PipelineStage::Download), 40);
  EXPECT_EQ(stats.bound(), PipelineStage::Compute);
  EXPECT_GE(stats.wallMs, 45);
  EXPECT_GE(stats.overlap(), 0);
  EXPECT_LE(stats.overlap(), 1);
}

TEST_P(Pipelines, RefuseWhatTheyCannotDo) {
  for (std::size_t buffers : {std::size_t{0}, SIZE_MAX / 2, SIZE_MAX})
    EXPECT_EQ(codeOf([&] { Pipeline(*context, {}, {.buffers = buffers}); }),
              ErrorCode::InvalidArgument);
  Pipeline pipeline(*context, {});
  pipeline.finish(); // there are no batches
  pipeline.run(0);
  EXPECT_EQ(pipeline.stats().batches, 0u);
  Pipeline moved = std::move(pipeline);
  EXPECT_EQ(codeOf([&] { pipeline.submit(); }), ErrorCode::InvalidArgument);
  moved.run(4); // stages without functions
  EXPECT_EQ(moved.stats().batches, 4u);
}

TEST_P(Pipelines, AreNotForTheirOwnStages) {
  std::optional<Pipeline> pipeline;
  std::vector<std::size_t> computed;
  std::function<void()> use;
  auto compute = [&](std::size_t batch, std::size_t, const Stream &) {
    computed.push_back(batch);
    if (batch == 2)
      use();
  };
  pipeline.emplace(*context, PipelineStages{.compute = compute});
  const std::function<void()> uses[] = {[&] { pipeline->submit(); }, [&] { pipeline->finish(); },
                                        [&] { pipeline->run(1); }};
  for (const std::function<void()> &each : uses) {
    use = each;
    computed.clear();
    try {
      pipeline->run(7);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const BatchError &error) {
      EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
      EXPECT_EQ(error.batch(), 2u);
    }
    EXPECT_EQ(computed, (std::vector<std::size_t>{0, 1, 2}));
  }
  use = [] {};
  pipeline->run(7);
  EXPECT_EQ(pipeline->stats().batches, 7u);
}

// Only for the CPU. The CUDA driver may run host functions one after the other, so that only
// transfers and kernels overlap.
TEST(PipelineOnTheCpu, StagesOfDifferentBatchesRunAtOnce) {
  Context context = Context::make(Backend::Cpu);
  // With 3 buffers, three stages of three batches wait for each other.
  std::mutex mutex;
  std::condition_variable changed;
  int present = 0;
  auto meet = [&](std::size_t batch, std::size_t ofBatch, const Stream &stream) {
    if (batch == ofBatch)
      stream.call([&] {
        std::unique_lock lock(mutex);
        ++present;
        changed.notify_all();
        if (!changed.wait_for(lock, 20s, [&] { return present == 3; }))
          throw std::runtime_error("the stages ran one after another");
      });
  };
  Pipeline pipeline(context,
                    {.upload = [&](auto batch, auto, auto &stream) { meet(batch, 2, stream); },
                     .compute = [&](auto batch, auto, auto &stream) { meet(batch, 1, stream); },
                     .download = [&](auto batch, auto, auto &stream) { meet(batch, 0, stream); }});
  pipeline.run(3);
  EXPECT_EQ(present, 3);
}

TEST(PipelineStats, SayHowMuchOverlapped) {
  PipelineStats stats{.batches = 10, .stageMs = {30, 50, 20}, .wallMs = 100};
  EXPECT_EQ(stats.sequentialMs(), 100);
  EXPECT_EQ(stats.overlap(), 0);
  EXPECT_EQ(stats.speedup(), 1);
  stats.wallMs = 50;
  EXPECT_EQ(stats.overlap(), 1);
  EXPECT_EQ(stats.speedup(), 2);
  stats.wallMs = 75;
  EXPECT_EQ(stats.overlap(), 0.5);
  EXPECT_EQ(PipelineStats().overlap(), 0);
}

SPL_ON_EVERY_BACKEND(Pipelines);
