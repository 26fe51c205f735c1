// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph: the work of a step is captured once, and then launched for every step with another
// argument. For comparison, the same steps are launched kernel by kernel.
#include "examples/Example.h"

int main(int argc, char **argv) try {
  const auto options = example::readOptions(
      argc, argv, "graph_replay: a step that is recorded once, and replayed for each batch",
      "examples/saxpy.spl", "--rounds --bus-ms --trace");
  auto ctx = spl::Context::makeDefault();
  auto kernels = spl::jit::loadFile(ctx, options.kernels);
  spl::Kernel saxpy = kernels["saxpy"];
  const spl::LaunchConfig items = {.global = {options.elements}};
  auto stream = ctx.makeStream();
  auto x = ctx.alloc<float>(options.elements), y = ctx.alloc<float>(options.elements),
       sum = ctx.alloc<float>(options.elements);

  auto step = [&](float alpha) {
    ctx.launchAsync(stream, saxpy, items, alpha, x, y);  // y += alpha * x
    ctx.launchAsync(stream, saxpy, items, 1.0f, y, sum); // sum += y
  };
  auto alphaOf = [](std::size_t batch) { return static_cast<float>(batch % 7); };

  auto run = [&](auto &&give) {
    x.fill(1);
    y.fill(0);
    sum.fill(0);
    const auto start = example::Clock::now();
    for (std::size_t batch = 0; batch < options.batches; ++batch)
      give(alphaOf(batch));
    stream.sync();
    const double wall = example::millisecondsSince(start);
    float expectedY = 0, expected = 0;
    for (std::size_t batch = 0; batch < options.batches; ++batch)
      expected += expectedY += alphaOf(batch);
    for (const float value : sum.download())
      if (value != expected) {
        std::fprintf(stderr, "an element is %g, not %g\n", value, expected);
        std::exit(1);
      }
    return wall;
  };

  run(step); // warm-up
  const double launched = run(step);
  auto graph = spl::Graph::capture(stream, [&] { step(0); });
  auto exec = graph.instantiate();
  const double replayed = run([&](float alpha) {
    exec.setArguments(0, alpha, x, y); // of the first launch; the second does not change
    exec.launch(stream);
  });
  std::printf("%zu replays on %s: %.2f ms, %.2f ms launch by launch\n", options.batches,
              ctx.device().name.c_str(), replayed, launched);
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
