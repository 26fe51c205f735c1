// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the races and other errors of a kernel that is compiled for checked launches.
#include "examples/Example.h"

#include <iostream>
#include <spl/spl.h>

namespace {

// The work-items of a group read what the others store, without a barrier between.
const char *const source = R"(#[gpu]
fn reverse(out: &mut [f32]):
    val tile = gpu.shared[f32](64)
    val i = gpu.local_id()
    tile[i] = i as f32
    out[i] = tile[63 - i]
)";

} // namespace

int main(int argc, char **argv) try {
  example::readNoOptions(argc, argv,
                         "checked_launch: lists the races and other errors of a kernel on the CPU");
  std::cout << "The kernel has a race on purpose. The check reports it:\n";
  auto ctx = spl::Context::make(spl::Backend::Cpu); // only the CPU can check
  auto kernels = spl::jit::loadSource(ctx, source, "reverse.spl", {.instrument = true});
  auto out = ctx.alloc<float>(64);
  try {
    ctx.launch(kernels["reverse"], {.global = {64}, .local = {64}}, out);
  } catch (const spl::Error &error) {
    for (const spl::Finding &finding : error.findings())
      std::cout << finding.diagnostic() << '\n';
  }
} catch (const spl::Error &error) {
  std::cerr << error.what() << '\n';
  return 1;
}
