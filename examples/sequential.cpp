// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uploads, computes and downloads each batch before the next one. Events measure the time of each
// stage. They show how much overlapping stages can gain (double_buffering.cpp,
// triple_buffering.cpp).
#include "examples/Example.h"

#include <algorithm>
#include <cmath>

int main(int argc, char **argv) try {
  const auto options =
      example::readOptions(argc, argv, "sequential: upload, compute and download one after another",
                           "examples/logistic.spl");
  auto ctx = spl::Context::makeDefault();
  auto kernels = spl::jit::loadFile(ctx, options.kernels);
  spl::Kernel logistic = kernels["logistic"];
  const example::Bus bus(ctx, options);
  example::Batches batches(ctx, options);
  auto src = ctx.alloc<float>(options.elements);
  auto dst = ctx.alloc<float>(options.elements);
  spl::Stream stream = ctx.makeStream();
  spl::Event points[4] = {ctx.makeEvent(), ctx.makeEvent(), ctx.makeEvent(), ctx.makeEvent()};
  double stageMs[3] = {};

  spl::Trace trace;
  const char *names[3] = {"upload", "compute", "download"};
  const spl::Trace::Lane lanes[3] = {trace.addLane(names[0]), trace.addLane(names[1]),
                                     trace.addLane(names[2])};
  spl::Event origin = ctx.makeEvent();
  stream.record(origin);
  stream.sync();

  const auto start = example::Clock::now();
  for (std::size_t batch = 0; batch < options.batches; ++batch) {
    stream.record(points[0]);
    src.uploadAsync(batches.input(batch), stream);
    bus.use(stream);
    stream.record(points[1]);
    ctx.launchAsync(stream, logistic, {.global = {options.elements}}, std::int64_t(options.rounds),
                    src, dst);
    stream.record(points[2]);
    dst.downloadAsync(batches.result(batch), stream);
    bus.use(stream);
    stream.record(points[3]);
    stream.sync();
    auto timeOf = [&](const spl::Event &point) {
      return start + std::chrono::microseconds(std::llround(1000 * point.elapsedMs(origin)));
    };
    for (int stage = 0; stage < 3; ++stage) {
      stageMs[stage] += points[stage + 1].elapsedMs(points[stage]);
      trace.span(lanes[stage], names[stage], timeOf(points[stage]), timeOf(points[stage + 1]),
                 batch);
    }
  }
  const double wall = example::millisecondsSince(start);
  batches.check();
  if (!options.trace.empty())
    trace.save(options.trace);

  std::printf("sequential on %s: %.1f ms\n", ctx.device().name.c_str(), wall);
  std::printf("upload %.1f ms, compute %.1f ms, download %.1f ms\n", stageMs[0], stageMs[1],
              stageMs[2]);
  std::printf("overlapped it could be %.2f times faster\n",
              wall / *std::max_element(stageMs, stageMs + 3));
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
