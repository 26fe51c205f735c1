// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs do with CUDA's runtime: pinned memory, streams, events, a graph, and errors.
// docs/cuda.md has the same parts in CUDA C++.
#include "examples/Example.h"

#include <algorithm>
#include <cstdio>
#include <spl/spl.h>
#include <stdexcept>
#include <vector>

constexpr auto source = R"(
#[gpu(block: [256])]
fn saxpy(alpha: f32, x: &[f32], y: &mut [f32]):
    val i = gpu.global_id()
    if i < y.len():
        y[i] += alpha * x[i]

#[gpu]
fn gather(a: &[f32], at: &[i32], out: &mut [f32]):
    for i in gpu.grid_stride(out.len()):
        out[i] = a[at[i]]
)";

static void expect(bool condition, const char *what) {
  if (!condition)
    throw std::runtime_error(what);
}

/// Uploads, computes and downloads in two streams; an event orders them and measures the time.
static float transferAndCompute(const spl::Context &ctx, const spl::Kernel &saxpy, std::size_t n) {
  auto hostX = ctx.allocPinned<float>(n), hostY = ctx.allocPinned<float>(n);
  std::ranges::fill(hostX.host(), 1.0f);
  auto x = ctx.alloc<float>(n), y = ctx.allocZeros<float>(n);
  auto copies = ctx.makeStream(), kernels = ctx.makeStream();
  auto begin = ctx.makeEvent(), uploaded = ctx.makeEvent(), end = ctx.makeEvent();

  copies.record(begin);
  x.uploadAsync(hostX.host(), copies);
  copies.record(uploaded);
  kernels.wait(uploaded);
  ctx.launchAsync(kernels, saxpy, {.global = {n}}, 2.0f, x, y);
  y.downloadAsync(hostY.host(), kernels);
  kernels.record(end);
  end.sync();
  const float milliseconds = end.elapsedMs(begin);

  expect(hostY.host()[n - 1] == 2, "the transfer is wrong");
  return milliseconds;
}

/// Launches the same two kernels in one operation.
static void replay(const spl::Context &ctx, const spl::Kernel &saxpy, std::size_t n) {
  auto stream = ctx.makeStream();
  auto x = ctx.allocZeros<float>(n), y = ctx.allocZeros<float>(n);
  x.fill(1);

  auto graph = spl::Graph::capture(stream, [&] {
    ctx.launchAsync(stream, saxpy, {.global = {n}}, 2.0f, x, y);
    ctx.launchAsync(stream, saxpy, {.global = {n}}, 1.0f, y, x);
  });
  auto exec = graph.instantiate();
  for (int step = 0; step < 3; ++step)
    exec.launch(stream);
  stream.sync();

  expect(x.download()[n - 1] == 41, "the graph is wrong"); // after 3 and 11
}

/// A kernel with an index that is out of bounds. The context works afterwards.
static void fail(const spl::Context &ctx, const spl::Kernel &gather) {
  auto a = ctx.allocUpload<float>({1, 2, 3});
  auto at = ctx.allocUpload<std::int32_t>({0, 2, 7});
  auto out = ctx.alloc<float>(3);

  std::fprintf(stderr, "The next kernel has an index out of bounds on purpose. Its error:\n");
  try {
    ctx.launchAsync(ctx.defaultStream(), gather, {.global = {3}}, a, at, out);
    ctx.sync();
  } catch (const spl::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }

  at.upload(std::vector<std::int32_t>{2, 1, 0});
  ctx.launch(gather, {.global = {3}}, a, at, out);
  expect(out.download() == std::vector<float>{3, 2, 1}, "the context is not usable");
}

int main(int argc, char **argv) try {
  example::readNoOptions(
      argc, argv,
      "from_cuda: streams, events, a graph and an error, as programs for CUDA have them");
  auto ctx = spl::Context::makeDefault();
  auto kernels = spl::jit::loadSource(ctx, source, "kernels.spl");
  const std::size_t n = 1 << 16;
  expect(transferAndCompute(ctx, kernels["saxpy"], n) >= 0, "the time is negative");
  replay(ctx, kernels["saxpy"], n);
  fail(ctx, kernels["gather"]);
  std::printf("passed\n");
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
