// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A pipeline runs batches of work in three overlapping stages. While one batch computes, the next
/// one is uploaded and the previous one is downloaded. Each stage has its own stream, and events
/// order the stages of a batch. The caller owns the memory: one set of arrays for each buffer. Only
/// one thread at a time may use a pipeline.
///
/// - With 1 buffer the stages run one after another.
/// - With 2 buffers the transfers of one batch overlap with the computation of the other.
/// - With 3 buffers all three stages run at the same time, each on a different batch.
/// - More buffers compensate for batches of unequal length.
#ifndef SPL_PIPELINE_H
#define SPL_PIPELINE_H

#include <spl/Cxx20.h>

#include <spl/Error.h>
#include <spl/Stream.h>

#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace spl {

class Context;
class Trace;

enum class PipelineStage { Upload, Compute, Download };

std::string_view toString(PipelineStage stage);

/// Enqueues a stage's work for one batch in \p stream. The work uses the memory of \p buffer, which
/// is numbered from 0. The function is called in the thread that calls submit, after the buffer's
/// previous batch has left the pipeline. If it blocks, it delays all stages.
using StageFunction =
    std::function<void(std::size_t batch, std::size_t buffer, const Stream &stream)>;

/// The functions of the stages. A stage without a function does nothing.
struct PipelineStages {
  StageFunction upload = {};
  StageFunction compute = {};
  StageFunction download = {};
};

/// The options of a pipeline.
struct PipelineOptions {
  std::size_t buffers = 3; ///< the number of batches in flight at once, 1 to 65536
  Trace *trace = nullptr;  ///< records the timeline; must outlive the pipeline
};

/// The times of a run in milliseconds. The device measures stageMs, the host wallMs and blockedMs.
struct PipelineStats {
  std::size_t batches = 0; ///< batches that left the pipeline
  std::array<double, 3> stageMs{};
  double wallMs = 0;    ///< from the first submit to the end of finish
  double blockedMs = 0; ///< the part of wallMs in which submit waited for a buffer

  double inStage(PipelineStage stage) const { return stageMs[static_cast<std::size_t>(stage)]; }

  /// The sum of the stages' times, and that sum divided by the time of the run.
  double sequentialMs() const { return stageMs[0] + stageMs[1] + stageMs[2]; }
  double speedup() const { return wallMs > 0 ? sequentialMs() / wallMs : 1; }

  /// The stage with the longest time. A run cannot be shorter than this stage, whatever the number
  /// of buffers.
  PipelineStage bound() const;

  /// The overlap as a part of the possible overlap. 0 means none. 1 means that the run was as short
  /// as its longest stage.
  double overlap() const;
};

/// The error of a stage. Either the stage's function threw it, or it is an asynchronous error of
/// the stage's stream. If the exception is an Error, this error has its parts. Otherwise the code
/// is CallbackFailed with the exception's text. what() starts with the batch. skipped() is the
/// number of operations of all stages that did not run. others() is the number of other errors.
class BatchError : public Error {
public:
  BatchError(std::size_t batch, PipelineStage stage, std::exception_ptr cause,
             const std::vector<Error> &others = {});

  std::size_t batch() const noexcept { return number; }
  PipelineStage stage() const noexcept { return where; }
  /// The exception of the stage's function, or of the operation in its stream.
  const std::exception_ptr &cause() const noexcept { return thrown; }
  const char *what() const noexcept override { return text->c_str(); }

private:
  std::size_t number;
  PipelineStage where;
  std::exception_ptr thrown;
  std::shared_ptr<const std::string> text;
};

/// A pipeline. Move-only. Only one thread at a time may use it, and its own stages may not. The
/// destructor waits for all batches in flight.
class Pipeline {
public:
  /// Throws InvalidArgument unless there are 1 to 65536 buffers.
  Pipeline(const Context &context, PipelineStages stages, const PipelineOptions &options = {});
  Pipeline(Pipeline &&) noexcept;
  Pipeline &operator=(Pipeline &&) noexcept;
  ~Pipeline();

  /// Calls the stages' functions for the next batch. The first batch of a run is 0. Waits only
  /// while all buffers are in flight.
  ///
  /// If a stage has failed, submit or finish waits for all batches in flight, ends the run and
  /// throws BatchError for the first batch that failed. The next submit begins a new run.
  void submit();

  /// Waits until every batch has left the pipeline, and ends the run.
  void finish();

  /// Submits \p batches batches and finishes.
  void run(std::size_t batches);

  /// The times of the current run, for the batches that have left the pipeline. Between two runs,
  /// the times of the last run.
  const PipelineStats &stats() const;

private:
  struct State;
  State &usable() const;
  State &outsideOfStages() const;

  std::unique_ptr<State> state;
};

} // namespace spl

#endif
