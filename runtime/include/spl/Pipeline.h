// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Batches of work in three stages that overlap: while one batch computes, the next is uploaded and
/// the one before downloaded. Each stage has a stream of its own, and events hand a batch from
/// stage to stage; the caller owns the memory, one set of it for each buffer. A pipeline is used
/// from one thread at a time.
///
/// With 1 buffer the stages run one after another, with 2 the transfers of one batch hide behind
/// the computing of the other, with 3 all stages run at once. More even out batches of unequal
/// length.
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

/// What gives a stage's work for one batch to \p stream, in memory of which there is one set for
/// each \p buffer, from 0. It is called when the buffer's former batch has left the pipeline, in
/// the thread that submits, and holds up all stages if it waits for anything.
using StageFunction =
    std::function<void(std::size_t batch, std::size_t buffer, const Stream &stream)>;

/// A stage without a function takes no time.
struct PipelineStages {
  StageFunction upload = {};
  StageFunction compute = {};
  StageFunction download = {};
};

/// How many batches are under way at once.
struct PipelineOptions {
  std::size_t buffers = 3; ///< 1 to 65536
  Trace *trace = nullptr;  ///< where to note what ran when; outlives the pipeline
};

/// What a run took, in milliseconds as the device measures; wallMs and blockedMs as the host does.
struct PipelineStats {
  std::size_t batches = 0; ///< that left the pipeline
  std::array<double, 3> stageMs{};
  double wallMs = 0;    ///< from the first submit to the end of finish
  double blockedMs = 0; ///< of that, submit waited for a buffer

  double inStage(PipelineStage stage) const { return stageMs[static_cast<std::size_t>(stage)]; }

  /// What the stages would take one after another, and how much faster it was.
  double sequentialMs() const { return stageMs[0] + stageMs[1] + stageMs[2]; }
  double speedup() const { return wallMs > 0 ? sequentialMs() / wallMs : 1; }

  /// The stage that takes longest: no number of buffers makes a run shorter than that.
  PipelineStage bound() const;

  /// How much of what can overlap did: 0 for none, 1 if the run was as short as its longest stage.
  double overlap() const;
};

/// What a stage threw, or its stream did later. It is an Error like the one that the stage threw;
/// for any other exception it is CallbackFailed with that one's text. what() starts with the batch.
/// skipped() counts the operations of all stages that did not run because of a failure, others()
/// the failures besides this one.
class BatchError : public Error {
public:
  BatchError(std::size_t batch, PipelineStage stage, std::exception_ptr cause,
             const std::vector<Error> &others = {});

  std::size_t batch() const noexcept { return number; }
  PipelineStage stage() const noexcept { return where; }
  /// What the stage threw, or the operation in its stream.
  const std::exception_ptr &cause() const noexcept { return thrown; }
  const char *what() const noexcept override { return text->c_str(); }

private:
  std::size_t number;
  PipelineStage where;
  std::exception_ptr thrown;
  std::shared_ptr<const std::string> text;
};

/// Move-only; used from one thread at a time, and not by its own stages. When it ends, it waits for
/// what is in flight.
class Pipeline {
public:
  /// Throws InvalidArgument for no buffers and for more than 65536.
  Pipeline(const Context &context, PipelineStages stages, const PipelineOptions &options = {});
  Pipeline(Pipeline &&) noexcept;
  Pipeline &operator=(Pipeline &&) noexcept;
  ~Pipeline();

  /// Gives the next batch to the stages; the first of a run is batch 0. Waits only while all
  /// buffers are in flight.
  ///
  /// Once a stage failed, this or finish waits for all that is in flight, ends the run and throws
  /// BatchError for the first batch that failed. What comes next begins a new run.
  void submit();

  /// Waits until every batch has left the pipeline, and ends the run.
  void finish();

  /// A run of \p batches.
  void run(std::size_t batches);

  /// Of this run as far as batches have left, or of the last one.
  const PipelineStats &stats() const;

private:
  struct State;
  State &usable() const;
  State &outsideOfStages() const;

  std::unique_ptr<State> state;
};

} // namespace spl

#endif
