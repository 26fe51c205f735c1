// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time limit of a launch ends an endless kernel on the CPU. The error names the loop. The
// context can still be used.
#include "examples/Example.h"

#include <chrono>
#include <iostream>
#include <spl/spl.h>

namespace {

// A square root by iterations that never reach a tolerance of 0.
const char *const source = R"(#[gpu]
fn solve(a: &[f64], out: &mut [f64], tolerance: f64):
    val i = gpu.global_id()
    if i < out.len():
        var x = a[i]
        while math.abs(x * x - a[i]) > tolerance or tolerance == 0:
            x = (x + a[i] / x) / 2
        out[i] = x
)";

} // namespace

int main(int argc, char **argv) try {
  example::readNoOptions(argc, argv,
                         "time_limit: ends an endless kernel on the CPU after two seconds");
  const auto ctx = spl::Context::make(spl::Backend::Cpu);
  const auto a = ctx.allocUpload<double>({4, 9, 16});
  auto out = ctx.alloc<double>(3);
  const std::int64_t n = 3;
  auto kernels = spl::jit::loadSource(ctx, source, "solve.spl", {.interruptible = true});
  std::cout << "The first launch never ends, on purpose. The error of its time limit:" << std::endl;
  for (double tolerance : {0.0, 1e-9})
    try {
      ctx.launch(kernels["solve"], {.global = {n}, .timeLimit = std::chrono::seconds(2)}, a, out,
                 tolerance);
      for (double root : out.download())
        std::cout << root << ' ';
      std::cout << '\n';
    } catch (const spl::Error &error) {
      std::cout << error.what() << '\n';
    }
  return 0;
} catch (const spl::Error &error) {
  std::cerr << error.what() << '\n';
  return 1;
}
