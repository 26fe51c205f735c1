// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Pipeline.h"

#include "runtime/system/Checks.h"
#include "spl/Context.h"
#include "spl/Trace.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace spl {

using Clock = Trace::Clock;

static double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

std::string_view toString(PipelineStage stage) {
  switch (stage) {
  case PipelineStage::Upload:
    return "upload";
  case PipelineStage::Compute:
    return "compute";
  case PipelineStage::Download:
    return "download";
  }
  return "unknown";
}

// Statistics.

PipelineStage PipelineStats::bound() const {
  return static_cast<PipelineStage>(std::max_element(stageMs.begin(), stageMs.end()) -
                                    stageMs.begin());
}

double PipelineStats::overlap() const {
  const double longest = inStage(bound()), possible = sequentialMs() - longest;
  return possible > 0 ? std::clamp((sequentialMs() - wallMs) / possible, 0.0, 1.0) : 0;
}

// Errors.

/// Converts \p cause to an Error, with the numbers of other errors and of skipped operations in the
/// pipeline.
static Error errorOf(const std::exception_ptr &cause, const std::vector<Error> &others) {
  ErrorInfo info =
      detail::errorOf(cause, "the stage threw an exception that is not a std::exception").info();
  std::vector<std::exception_ptr> known = {info.origin, nullptr};
  for (const Error &other : others) {
    info.skipped += other.skipped();
    info.others += other.others();
    if (std::find(known.begin(), known.end(), other.origin()) == known.end()) {
      ++info.others;
      known.push_back(other.origin());
    }
  }
  return Error(std::move(info));
}

BatchError::BatchError(std::size_t batch, PipelineStage stage, std::exception_ptr cause,
                       const std::vector<Error> &others)
    : Error(errorOf(cause, others)), number(batch), where(stage),
      thrown(origin() ? origin() : std::move(cause)),
      text(std::make_shared<const std::string>("batch " + std::to_string(batch) + ", " +
                                               std::string(toString(stage)) + ": " +
                                               Error::what())) {}

// The pipeline.

/// A larger number is an error of the caller. Each buffer needs events of its own.
static constexpr std::size_t maxBuffers = 65536;

struct Pipeline::State {
  State(const Context &context, PipelineStages given, const PipelineOptions &options);

  /// One stage, with the events of its begin and its end for the batch of each buffer.
  struct Stage {
    PipelineStage kind;
    StageFunction give;
    Stream stream;
    std::vector<Event> begin, end;
    std::optional<Trace::Lane> lane;
  };

  struct Failure {
    std::size_t batch;
    PipelineStage stage;
    std::exception_ptr cause;
  };

  void start();
  void submit();
  void finish();
  void drain(std::vector<Error> *failures = nullptr) noexcept;
  std::optional<Failure> give(std::size_t batch);
  std::optional<Failure> retire(std::size_t stageCount);
  [[noreturn]] void fail(Failure failure);
  void note(const Stage &stage, std::size_t buffer);

  std::vector<Stage> stages;
  std::size_t buffers;
  Trace *trace;
  std::optional<Trace::Lane> hostLane;

  bool isInStage = false; ///< set while a stage's function runs
  bool isRunning = false;
  std::size_t next = 0; ///< the next batch
  std::size_t left = 0; ///< the number of batches that have left the pipeline
  PipelineStats stats;

  /// The start of the run: the host's time and the device's event.
  Clock::time_point started;
  Event origin;
  Clock::time_point originTime;
};

Pipeline::State::State(const Context &context, PipelineStages given, const PipelineOptions &options)
    : buffers(options.buffers), trace(options.trace), origin(context.makeEvent()) {
  if (buffers == 0 || buffers > maxBuffers)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "the pipeline has " + std::to_string(buffers) + " buffers, not 1 to " +
                            std::to_string(maxBuffers),
                 .hint = "1 is sequential, 2 double, 3 triple buffering"});
  auto add = [&](PipelineStage kind, StageFunction &function) {
    stages.push_back({kind, std::move(function), context.makeStream(), {}, {}, {}});
    Stage &stage = stages.back();
    for (std::size_t i = 0; i < buffers; ++i) {
      stage.begin.push_back(context.makeEvent());
      stage.end.push_back(context.makeEvent());
    }
    if (trace)
      stage.lane = trace->addLane(std::string(toString(kind)));
  };
  if (trace)
    hostLane = trace->addLane("host");
  add(PipelineStage::Upload, given.upload);
  add(PipelineStage::Compute, given.compute);
  add(PipelineStage::Download, given.download);
}

void Pipeline::State::start() {
  next = left = 0;
  stats = {};
  if (trace) {
    const Stream &stream = stages.front().stream;
    stream.record(origin); // the first use of a stream takes longer than later ones
    origin.sync();
    const Clock::time_point before = Clock::now();
    stream.record(origin);
    origin.sync();
    originTime = before + (Clock::now() - before) / 2;
  }
  started = Clock::now();
  isRunning = true;
}

/// Enqueues the work of \p batch in all streams.
std::optional<Pipeline::State::Failure> Pipeline::State::give(std::size_t batch) {
  const std::size_t buffer = batch % buffers;
  const Event *former = nullptr;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    Stage &stage = stages[i];
    try {
      if (former)
        stage.stream.wait(*former);
      stage.stream.record(stage.begin[buffer]);
      if (stage.give) {
        isInStage = true;
        stage.give(batch, buffer, stage.stream);
        isInStage = false;
      }
      stage.stream.record(stage.end[buffer]);
    } catch (...) {
      isInStage = false;
      Failure thrown{batch, stage.kind, std::current_exception()};
      // Errors of earlier batches and of earlier stages of this batch take precedence.
      while (left < batch)
        if (std::optional<Failure> earlier = retire(stages.size()))
          return earlier;
      std::optional<Failure> earlier = retire(i);
      return earlier ? earlier : thrown;
    }
    former = &stage.end[buffer];
  }
  return std::nullopt;
}

/// Waits for \p stageCount stages of the oldest batch in flight, and adds their times to the
/// statistics.
std::optional<Pipeline::State::Failure> Pipeline::State::retire(std::size_t stageCount) {
  const std::size_t buffer = left % buffers;
  for (std::size_t i = 0; i < stageCount; ++i) {
    Stage &stage = stages[i];
    try {
      stage.end[buffer].sync();
      stats.stageMs[i] += stage.end[buffer].elapsedMs(stage.begin[buffer]);
      note(stage, buffer);
    } catch (...) {
      return Failure{left, stage.kind, std::current_exception()};
    }
  }
  ++left;
  if (stageCount == stages.size())
    stats.batches = left;
  return std::nullopt;
}

void Pipeline::State::note(const Stage &stage, std::size_t buffer) {
  if (!trace)
    return;
  auto timeOf = [&](const Event &event) {
    return originTime + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double, std::milli>(event.elapsedMs(origin)));
  };
  trace->span(*stage.lane, std::string(toString(stage.kind)) + " " + std::to_string(left),
              timeOf(stage.begin[buffer]), timeOf(stage.end[buffer]), left);
}

/// Waits for all batches in flight. Adds their errors to \p failures unless that is null.
void Pipeline::State::drain(std::vector<Error> *failures) noexcept {
  for (const Stage &stage : stages)
    try {
      stage.stream.sync();
    } catch (const Error &error) {
      try {
        if (failures)
          failures->push_back(error);
      } catch (...) { // no memory for the error, so it is dropped
      }
    } catch (...) { // the stream's work is done; the error is dropped
    }
  isRunning = false;
}

void Pipeline::State::fail(Failure failure) {
  std::vector<Error> others;
  others.reserve(stages.size());
  drain(&others);
  stats.wallMs = milliseconds(Clock::now() - started);
  throw BatchError(failure.batch, failure.stage, std::move(failure.cause), others);
}

void Pipeline::State::submit() {
  if (!isRunning)
    start();
  if (next - left == buffers) {
    const Clock::time_point begin = Clock::now();
    std::optional<Failure> failure = retire(stages.size());
    const Clock::time_point end = Clock::now();
    stats.blockedMs += milliseconds(end - begin);
    if (trace)
      trace->span(*hostLane, "wait for a buffer", begin, end, next);
    if (failure)
      fail(std::move(*failure));
  }
  if (std::optional<Failure> failure = give(next))
    fail(std::move(*failure));
  ++next;
}

void Pipeline::State::finish() {
  if (!isRunning)
    return;
  const Clock::time_point begin = Clock::now();
  while (left < next)
    if (std::optional<Failure> failure = retire(stages.size()))
      fail(std::move(*failure));
  const Clock::time_point end = Clock::now();
  if (trace)
    trace->span(*hostLane, "wait for the last batches", begin, end);
  isRunning = false;
  stats.wallMs = milliseconds(end - started);
}

Pipeline::Pipeline(const Context &context, PipelineStages stages, const PipelineOptions &options)
    : state(std::make_unique<State>(context, std::move(stages), options)) {}

Pipeline::Pipeline(Pipeline &&) noexcept = default;

Pipeline &Pipeline::operator=(Pipeline &&other) noexcept {
  if (this != &other) {
    if (state)
      state->drain();
    state = std::move(other.state);
  }
  return *this;
}

Pipeline::~Pipeline() {
  if (state && state->isRunning)
    state->drain();
}

Pipeline::State &Pipeline::usable() const {
  if (!state)
    throw Error({.code = ErrorCode::InvalidArgument, .message = "the pipeline was moved from"});
  return *state;
}

/// Throws InvalidArgument in a function of a stage, because the call would change the run in
/// progress.
Pipeline::State &Pipeline::outsideOfStages() const {
  if (usable().isInStage)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "a stage uses its own pipeline",
                 .hint = "submit and finish from outside of the stages"});
  return *state;
}

void Pipeline::submit() { outsideOfStages().submit(); }

void Pipeline::finish() { outsideOfStages().finish(); }

void Pipeline::run(std::size_t batches) {
  if (!outsideOfStages().isRunning)
    state->start();
  for (std::size_t i = 0; i < batches; ++i)
    submit();
  finish();
}

const PipelineStats &Pipeline::stats() const { return usable().stats; }

} // namespace spl
