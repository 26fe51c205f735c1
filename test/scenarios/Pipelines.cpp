// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios with pipelines, with and without a loader.
#include "test/scenarios/Scenario.h"

#include <array>
#include <optional>

using namespace spl;
using namespace spl::test;

namespace {

/// A pipeline that adds 10 to its input, with its buffers and its output.
struct Adder {
  explicit Adder(const Opened &opened, std::size_t count) : opened(opened) {
    for (std::size_t i = 0; i < count; ++i)
      buffers.push_back(opened.context.alloc<std::int32_t>(3));
  }

  PipelineStages stages() {
    return {.upload =
                [this](std::size_t batch, std::size_t buffer, const Stream &stream) {
                  given.resize(std::max(given.size(), batch + 1));
                  given[batch] = Ints(3, static_cast<std::int32_t>(batch));
                  buffers[buffer].uploadAsync(given[batch], stream);
                },
            .compute = [this](std::size_t, std::size_t buffer,
                              const Stream &stream) { opened.add(stream, buffers[buffer], 10); },
            .download =
                [this](std::size_t batch, std::size_t buffer, const Stream &stream) {
                  results[batch].resize(3);
                  buffers[buffer].downloadAsync(std::span(results[batch]), stream);
                }};
  }

  void requireResults(std::size_t batches) const {
    for (std::size_t i = 0; i < batches; ++i)
      require(results[i] == Ints(3, static_cast<std::int32_t>(10 + i)), "a batch's elements");
  }

  const Opened &opened;
  std::vector<Array<std::int32_t>> buffers;
  std::vector<Ints> given;
  std::array<Ints, 5> results;
};

} // namespace

SPL_SCENARIO(RunAPipeline) {
  Opened opened;
  Adder adder(opened, 2);
  Trace trace;
  Pipeline pipeline(opened.context, adder.stages(), {.buffers = 2, .trace = &trace});
  pipeline.run(3);
  adder.requireResults(3);
  require(pipeline.stats().batches == 3, "the batches that are counted");
}

SPL_SCENARIO(EndAPipelineWithBatchesInFlight) {
  Opened opened;
  Adder adder(opened, 3);
  {
    Pipeline pipeline(opened.context, adder.stages());
    pipeline.submit();
    pipeline.submit();
  }
  adder.requireResults(2);
}

SPL_SCENARIO(RunAPipelineAgainAfterAStageThrew) {
  Opened opened;
  Adder adder(opened, 1);
  bool throws = true;
  PipelineStages stages = adder.stages();
  stages.download = [&, download = stages.download](std::size_t batch, std::size_t buffer,
                                                    const Stream &stream) {
    if (throws && batch == 1)
      throw std::runtime_error("no room");
    download(batch, buffer, stream);
  };
  Pipeline pipeline(opened.context, stages, {.buffers = 1});
  requireError(fake, ErrorCode::CallbackFailed, [&] { pipeline.run(2); });
  throws = false;
  pipeline.run(2);
  adder.requireResults(2);
}

SPL_SCENARIO(LoadAheadOfAPipeline) {
  Opened opened;
  Adder adder(opened, 2);
  Pipeline pipeline(opened.context, adder.stages(), {.buffers = 2});
  DataLoader<int> loader(
      [](std::size_t index) { return index < 3 ? std::optional(1) : std::nullopt; });
  while (loader.next())
    pipeline.submit();
  pipeline.finish();
  adder.requireResults(3);
}
