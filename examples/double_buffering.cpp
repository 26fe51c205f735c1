// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two buffers: while the device computes with one, the other is downloaded and filled again. A
// batch waits for the batch before the previous one, so two of the three stages overlap.
#include "examples/Example.h"

#include <vector>

int main(int argc, char **argv) try {
  const auto options = example::readOptions(
      argc, argv, "double_buffering: transfers hide behind computing, with two buffers",
      "examples/logistic.spl");
  auto ctx = spl::Context::makeDefault();
  auto kernels = spl::jit::loadFile(ctx, options.kernels);
  spl::Kernel logistic = kernels["logistic"];
  const example::Bus bus(ctx, options);
  example::Batches batches(ctx, options);

  // Runs all batches with this number of buffers. Returns the time.
  auto run = [&](std::size_t buffers, spl::Trace *trace) {
    std::vector<spl::Array<float>> src, dst; // one of each for each buffer
    for (std::size_t i = 0; i < buffers; ++i) {
      src.push_back(ctx.alloc<float>(options.elements));
      dst.push_back(ctx.alloc<float>(options.elements));
    }
    spl::Pipeline pipeline(
        ctx,
        {.upload =
             [&](std::size_t batch, std::size_t buffer, const spl::Stream &stream) {
               src[buffer].uploadAsync(batches.input(batch), stream);
               bus.use(stream);
             },
         .compute =
             [&](std::size_t, std::size_t buffer, const spl::Stream &stream) {
               ctx.launchAsync(stream, logistic, {.global = {options.elements}},
                               std::int64_t(options.rounds), src[buffer], dst[buffer]);
             },
         .download =
             [&](std::size_t batch, std::size_t buffer, const spl::Stream &stream) {
               dst[buffer].downloadAsync(batches.result(batch), stream);
               bus.use(stream);
             }},
        {.buffers = buffers, .trace = trace});
    pipeline.run(options.batches);
    batches.check();
    return pipeline.stats();
  };

  spl::Trace trace;
  const spl::PipelineStats sequential = run(1, nullptr), overlapped = run(2, &trace);
  if (!options.trace.empty())
    trace.save(options.trace);

  std::printf("two buffers on %s: %.1f ms, %.1f ms with one buffer\n", ctx.device().name.c_str(),
              overlapped.wallMs, sequential.wallMs);
  std::printf("speed-up %.2f, overlap %.0f %%, bound by %s\n",
              sequential.wallMs / overlapped.wallMs, 100 * overlapped.overlap(),
              std::string(toString(overlapped.bound())).c_str());
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
