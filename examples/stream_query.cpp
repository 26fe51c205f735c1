// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host works while the device is busy. A query of the stream says whether its work is done,
// without waiting. Between queries the host does a piece of its own work.
#include "examples/Example.h"

#include <cmath>

namespace {

/// A piece of the host's work: a term of a series.
double piece(std::size_t number) {
  double sum = 0;
  for (std::size_t i = 1; i <= 20'000; ++i)
    sum += std::sin(static_cast<double>(number + i)) / static_cast<double>(i);
  return sum;
}

} // namespace

int main(int argc, char **argv) try {
  const auto options =
      example::readOptions(argc, argv, "stream_query: the host works while a stream does",
                           "examples/logistic.spl", "--trace");
  auto ctx = spl::Context::makeDefault();
  auto kernels = spl::jit::loadFile(ctx, options.kernels);
  spl::Kernel logistic = kernels["logistic"];
  const example::Bus bus(ctx, options);
  example::Batches batches(ctx, options);
  auto src = ctx.alloc<float>(options.elements);
  auto dst = ctx.alloc<float>(options.elements);
  spl::Stream stream = ctx.makeStream();

  auto give = [&] {
    for (std::size_t batch = 0; batch < options.batches; ++batch) {
      src.uploadAsync(batches.input(batch), stream);
      bus.use(stream);
      ctx.launchAsync(stream, logistic, {.global = {options.elements}},
                      std::int64_t(options.rounds), src, dst);
      dst.downloadAsync(batches.result(batch), stream);
      bus.use(stream);
    }
  };

  spl::Event begin = ctx.makeEvent(), end = ctx.makeEvent();
  stream.record(begin);
  give();
  stream.record(end);
  stream.sync();
  const double deviceAlone = end.elapsedMs(begin); // by the clock of the device
  batches.check();

  // Both together: the host does pieces while the stream works.
  double sum = 0;
  std::size_t pieces = 0;
  auto start = example::Clock::now();
  give();
  do
    sum += piece(pieces++);
  while (!stream.query());
  stream.sync(); // nothing is left to wait for; throws the error of failed work
  const double together = example::millisecondsSince(start);
  batches.check();

  // The same pieces without the stream.
  double again = 0;
  start = example::Clock::now();
  for (std::size_t i = 0; i < pieces; ++i)
    again += piece(i);
  const double hostAlone = example::millisecondsSince(start);
  if (again != sum) {
    std::fprintf(stderr, "the host's sums differ\n");
    return 1;
  }

  std::printf("host and %s: %.1f ms for %zu pieces and %zu batches\n", ctx.device().name.c_str(),
              together, pieces, options.batches);
  std::printf("the device alone %.1f ms, the host alone %.1f ms, speed-up %.2f\n", deviceAlone,
              hostAlone, (deviceAlone + hostAlone) / together);
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
