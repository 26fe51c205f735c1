// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training loop with a loader and a pipeline. The loader makes batches on its own thread. At the
// same time the pipeline uploads one batch, computes the gradient of another, and downloads the
// loss of a third. The result is the line around which the points of the batches lie.
#include "examples/Example.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

constexpr float weight = 3, bias = -2;

struct Batch {
  std::vector<float> x, y;
};

/// Makes batch \p index slowly: points around the line, the same in every run.
Batch makeBatch(std::size_t index, std::size_t elements) {
  std::this_thread::sleep_for(std::chrono::milliseconds(4));
  Batch batch{std::vector<float>(elements), std::vector<float>(elements)};
  for (std::size_t i = 0; i < elements; ++i) {
    const std::size_t seed = index * elements + i;
    const float noise = static_cast<float>(seed * 7919 % 1009) / 1009 - 0.5f;
    batch.x[i] = static_cast<float>(seed * 6007 % 10007) / 5000 - 1;
    batch.y[i] = weight * batch.x[i] + bias + 0.1f * noise;
  }
  return batch;
}

/// One training. The model starts at zero.
class Training {
public:
  Training(const spl::Context &ctx, const spl::Module &kernels, const example::Options &options,
           std::size_t buffers, spl::Trace *trace)
      : ctx(ctx), options(options), gradient(kernels["gradient"]), descend(kernels["descend"]),
        pipeline(ctx, stages(), {.buffers = buffers, .trace = trace}) {
    for (std::size_t i = 0; i < buffers; ++i)
      sets.push_back({{},
                      ctx.alloc<float>(options.elements),
                      ctx.alloc<float>(options.elements),
                      ctx.alloc<float>(3),
                      ctx.allocPinned<float>(3)});
  }

  void step(Batch batch) {
    next = std::move(batch);
    pipeline.submit();
  }

  void finish() {
    pipeline.finish();
    for (std::size_t batch = options.batches - std::min(sets.size(), options.batches);
         batch < options.batches; ++batch)
      keepLoss(batch);
  }

  std::vector<float> found() const { return model.download(); }
  float firstLoss() const { return losses.front(); }
  float lastLoss() const { return losses.back(); }

private:
  spl::PipelineStages stages() {
    return {.upload =
                [this](std::size_t batch, std::size_t buffer, const spl::Stream &stream) {
                  Buffers &set = sets[buffer];
                  if (batch >= sets.size())
                    keepLoss(batch - sets.size());
                  set.host = std::move(next);
                  set.x.uploadAsync(set.host.x, stream);
                  set.y.uploadAsync(set.host.y, stream);
                  bus.use(stream);
                },
            .compute =
                [this](std::size_t, std::size_t buffer, const spl::Stream &stream) {
                  Buffers &set = sets[buffer];
                  set.sums.fillAsync(0, stream);
                  ctx.launchAsync(stream, gradient, {.global = {options.elements}}, set.x, set.y,
                                  model, set.sums);
                  ctx.launchAsync(stream, descend, {.global = {2}}, 0.3f,
                                  static_cast<float>(options.elements), set.sums, model);
                },
            .download =
                [this](std::size_t, std::size_t buffer, const spl::Stream &stream) {
                  sets[buffer].sums.downloadAsync(sets[buffer].hostSums.host(), stream);
                }};
  }

  /// Stores the loss of the batch that used these buffers last.
  void keepLoss(std::size_t batch) {
    losses[batch] = sets[batch % sets.size()].hostSums.host()[2] / options.elements;
  }

  struct Buffers {
    Batch host; // must live until the upload is done
    spl::Array<float> x, y, sums, hostSums;
  };

  const spl::Context &ctx;
  const example::Options &options;
  const spl::Kernel gradient, descend;
  const example::Bus bus{ctx, options};
  spl::Array<float> model = ctx.allocZeros<float>(2);
  std::vector<float> losses = std::vector<float>(options.batches);
  std::vector<Buffers> sets; // one for each buffer
  Batch next;
  spl::Pipeline pipeline; // destroyed first, because its work uses the others
};

} // namespace

int main(int argc, char **argv) try {
  const auto options =
      example::readOptions(argc, argv, "training_loop: a loader, a pipeline and a model",
                           "examples/linear_regression.spl", "--rounds");
  auto ctx = spl::Context::makeDefault();
  auto kernels = spl::jit::loadFile(ctx, options.kernels);

  // One batch after another. Each is made when it is needed.
  auto start = example::Clock::now();
  Training sequential(ctx, kernels, options, 1, nullptr);
  for (std::size_t batch = 0; batch < options.batches; ++batch)
    sequential.step(makeBatch(batch, options.elements));
  sequential.finish();
  const double sequentialMs = example::millisecondsSince(start);

  // Batches are made ahead, and three are processed at the same time.
  spl::Trace trace;
  start = example::Clock::now();
  Training overlapped(ctx, kernels, options, 3, &trace);
  spl::DataLoader<Batch> loader(
      [&](std::size_t index) -> std::optional<Batch> {
        if (index == options.batches)
          return std::nullopt;
        return makeBatch(index, options.elements);
      },
      {.prefetch = 4, .workers = 2, .trace = &trace});
  while (std::optional<Batch> batch = loader.next())
    overlapped.step(std::move(*batch));
  overlapped.finish();
  const double overlappedMs = example::millisecondsSince(start);
  if (!options.trace.empty())
    trace.save(options.trace);

  const std::vector<float> line = overlapped.found(), other = sequential.found();
  std::printf("training on %s: %.1f ms, %.1f ms one after another, speed-up %.2f\n",
              ctx.device().name.c_str(), overlappedMs, sequentialMs, sequentialMs / overlappedMs);
  std::printf("loss from %.4f to %.4f, y = %.2f x + %.2f\n", overlapped.firstLoss(),
              overlapped.lastLoss(), line[0], line[1]);
  // The order of a float sum on a device varies, so the results of two runs are close but not
  // equal.
  for (std::size_t i = 0; i < 2; ++i)
    if (!(std::abs(line[i] - other[i]) < 1e-2f)) {
      std::fprintf(stderr, "the runs found different lines\n");
      return 1;
    }
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
