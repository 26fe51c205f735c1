// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads batches ahead from a slow source, such as a disk or a decoder. Without a loader the device
// waits while a batch is read. With a loader the next batches are read meanwhile.
#include "examples/Example.h"

#include <vector>

int main(int argc, char **argv) try {
  const auto options =
      example::readOptions(argc, argv, "data_loader: batches are read while others are computed",
                           "examples/logistic.spl", "--bus-ms");
  auto ctx = spl::Context::makeDefault();
  auto kernels = spl::jit::loadFile(ctx, options.kernels);
  spl::Kernel logistic = kernels["logistic"];
  example::Batches batches(ctx, options);
  auto src = ctx.alloc<float>(options.elements);
  auto dst = ctx.alloc<float>(options.elements);

  // The slow source: returns the number of a batch, or none after the last batch.
  auto read = [&](std::size_t index) -> std::optional<std::size_t> {
    if (index == options.batches)
      return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return index;
  };
  auto compute = [&](std::size_t batch) {
    src.upload(batches.input(batch));
    ctx.launch(logistic, {.global = {options.elements}}, std::int64_t(options.rounds), src, dst);
    dst.download(batches.result(batch));
  };

  auto start = example::Clock::now();
  for (std::size_t i = 0; std::optional<std::size_t> batch = read(i); ++i)
    compute(*batch);
  const double without = example::millisecondsSince(start);
  batches.check();

  spl::Trace trace;
  const spl::Trace::Lane device = trace.addLane("device");
  start = example::Clock::now();
  spl::DataLoader<std::size_t> loader(read, {.prefetch = 4, .workers = 2, .trace = &trace});
  while (std::optional<std::size_t> batch = loader.next()) {
    const auto begin = example::Clock::now();
    compute(*batch);
    trace.span(device, "compute", begin, example::Clock::now(), *batch);
  }
  const double with = example::millisecondsSince(start);
  batches.check();
  if (!options.trace.empty())
    trace.save(options.trace);

  const spl::DataLoaderStats stats = loader.stats();
  std::printf("loader on %s: %.1f ms, %.1f ms without, speed-up %.2f\n", ctx.device().name.c_str(),
              with, without, without / with);
  std::printf("%zu batches: read in %.1f ms, readers waited %.1f ms, the device %.1f ms\n",
              stats.batches, stats.produceMs, stats.producerWaitMs, stats.consumerWaitMs);
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
