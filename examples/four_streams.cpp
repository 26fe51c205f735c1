// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four streams: each uploads, computes and downloads every fourth batch. The work of one stream is
// in order. The work of different streams overlaps if possible.
#include "examples/Example.h"

#include <vector>

int main(int argc, char **argv) try {
  const auto options =
      example::readOptions(argc, argv, "four_streams: batches dealt out to four streams",
                           "examples/logistic.spl", "--trace");
  auto ctx = spl::Context::makeDefault();
  auto kernels = spl::jit::loadFile(ctx, options.kernels);
  spl::Kernel logistic = kernels["logistic"];
  const example::Bus bus(ctx, options);
  example::Batches batches(ctx, options);

  auto run = [&](std::size_t count) {
    struct Lane {
      spl::Stream stream;
      spl::Array<float> src, dst;
    };
    std::vector<Lane> lanes;
    for (std::size_t i = 0; i < count; ++i)
      lanes.push_back({ctx.makeStream(), ctx.alloc<float>(options.elements),
                       ctx.alloc<float>(options.elements)});

    const auto start = example::Clock::now();
    for (std::size_t batch = 0; batch < options.batches; ++batch) {
      Lane &lane = lanes[batch % count];
      lane.src.uploadAsync(batches.input(batch), lane.stream);
      bus.use(lane.stream);
      ctx.launchAsync(lane.stream, logistic, {.global = {options.elements}},
                      std::int64_t(options.rounds), lane.src, lane.dst);
      lane.dst.downloadAsync(batches.result(batch), lane.stream);
      bus.use(lane.stream);
    }
    ctx.sync(); // of all streams
    const double wall = example::millisecondsSince(start);
    batches.check();
    return wall;
  };

  const double one = run(1), four = run(4);
  std::printf("four streams on %s: %.1f ms, %.1f ms with one, speed-up %.2f\n",
              ctx.device().name.c_str(), four, one, one / four);
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
