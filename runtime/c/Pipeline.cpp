// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/pipeline.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"
#include "spl/Pipeline.h"

#include <algorithm>
#include <optional>
#include <string>

using namespace spl;
using namespace spl::capi;

struct spl::capi::PipelineObject : OneAtATime {
  std::shared_ptr<TraceObject> trace; ///< outlives the pipeline
  /// Made after this object, because the stages refer to the object.
  std::optional<Pipeline> pipeline;
};

namespace {

/// A handle of a stage's stream that exists while the stage's function runs.
class StageStream {
public:
  StageStream(const std::shared_ptr<PipelineObject> &owner, const Stream &stream)
      : handle(makeHandle(
            std::make_shared<StreamObject>(std::shared_ptr<const Stream>(owner, &stream)))) {}
  ~StageStream() {
    try {
      freeHandle<StreamObject>(handle);
    } catch (const Error &) { // the function has freed the handle
    }
  }
  StageStream(const StageStream &) = delete;
  StageStream &operator=(const StageStream &) = delete;

  const spl_stream handle;
};

} // namespace

/// Wraps \p function for the C++ pipeline. Refers to \p owner weakly, because the owner owns the
/// pipeline.
static StageFunction stageOf(spl_stage_function function, void *user, PipelineStage stage,
                             const std::weak_ptr<PipelineObject> &owner) {
  if (!function)
    return {};
  return [=, who = "the " + std::string(toString(stage)) +
                   " stage"](std::size_t batch, std::size_t buffer, const Stream &stream) {
    const StageStream in(owner.lock(), stream);
    callBack(who.c_str(), [&] { return function(user, batch, buffer, in.handle); });
  };
}

extern "C" {

spl_status spl_pipeline_make(spl_context context, const spl_pipeline_stages *stages, size_t buffers,
                             spl_trace trace, spl_pipeline *pipeline) {
  return call([&] {
    requirePointer(pipeline, "pipeline");
    requirePointer(stages, "stages");
    const auto in = object<ContextObject>(context);
    const auto made = std::make_shared<PipelineObject>();
    if (trace != 0)
      made->trace = object<TraceObject>(trace);
    using enum PipelineStage;
    made->pipeline.emplace(
        in->context,
        PipelineStages{.upload = stageOf(stages->upload, stages->user, Upload, made),
                       .compute = stageOf(stages->compute, stages->user, Compute, made),
                       .download = stageOf(stages->download, stages->user, Download, made)},
        PipelineOptions{.buffers = buffers, .trace = made->trace ? &made->trace->trace : nullptr});
    *pipeline = makeHandle(made);
  });
}

spl_status spl_pipeline_submit(spl_pipeline pipeline) {
  return call([&] { ExclusiveUse<PipelineObject>(pipeline)->pipeline->submit(); });
}

spl_status spl_pipeline_finish(spl_pipeline pipeline) {
  return call([&] { ExclusiveUse<PipelineObject>(pipeline)->pipeline->finish(); });
}

spl_status spl_pipeline_run(spl_pipeline pipeline, size_t batches) {
  return call([&] { ExclusiveUse<PipelineObject>(pipeline)->pipeline->run(batches); });
}

spl_status spl_pipeline_get(spl_pipeline pipeline, spl_pipeline_info *info) {
  return call([&] {
    requirePointer(info, "info");
    const PipelineStats stats = ExclusiveUse<PipelineObject>(pipeline)->pipeline->stats();
    *info = {.batches = stats.batches,
             .stage_ms = {},
             .wall_ms = stats.wallMs,
             .blocked_ms = stats.blockedMs,
             .sequential_ms = stats.sequentialMs(),
             .speedup = stats.speedup(),
             .overlap = stats.overlap(),
             .bound = static_cast<std::int32_t>(stats.bound())};
    std::copy(stats.stageMs.begin(), stats.stageMs.end(), info->stage_ms);
  });
}

spl_status spl_pipeline_free(spl_pipeline pipeline) {
  return call([&] { freeHandle<PipelineObject>(pipeline); });
}

} // extern "C"
