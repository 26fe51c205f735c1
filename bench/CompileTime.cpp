// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the time from source text to PTX in a warm process. If libnvrtc is installed, NVRTC
// compiles the CUDA version of the same kernel in the same run.
#include "bench/Nvrtc.h"
#include "driver/Compilation.h"
#include <benchmark/benchmark.h>

namespace {

const char *const source = R"(
#[gpu]
fn vector_add(a: &[f32], b: &[f32], out: &mut [f32]):
    val idx = gpu.global_id()
    if idx < out.len():
        out[idx] = a[idx] + b[idx]
)";

const char *const baseline = R"(
extern "C" __global__ void vector_add(const float *__restrict__ a, long long an,
                                      const float *__restrict__ b, long long bn,
                                      float *__restrict__ out, long long on) {
  long long idx = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < on)
    out[idx] = a[idx] + b[idx];
}
)";

void vectorAddSpl(benchmark::State &state, const char *checks) {
  for (auto unused : state) {
    spl::driver::CompileOptions options;
    options.codegen.target = llvm::cantFail(spl::codegen::TargetSpec::parse("sm_75"));
    options.codegen.checks = llvm::cantFail(spl::mir::CheckKinds::parse(checks));
    spl::driver::Compilation compilation(options);
    llvm::SmallVector<char, 0> ptx;
    if (!compilation.setText("vector_add.spl", source) || !compilation.emit("ptx", ptx))
      state.SkipWithError("the kernel does not compile");
    benchmark::DoNotOptimize(ptx.data());
  }
}

void vectorAddNvrtc(benchmark::State &state) {
  const auto nvrtc = spl::bench::Nvrtc::open();
  if (!nvrtc)
    return state.SkipWithError("libnvrtc is not installed");
  state.SetLabel("NVRTC " + nvrtc->version());
  for (auto unused : state)
    if (nvrtc->compile(baseline, {"--gpu-architecture=compute_75"}).empty())
      state.SkipWithError("the baseline does not compile");
}

void settings(benchmark::internal::Benchmark *bench) {
  bench->Unit(benchmark::kMillisecond)->Repetitions(15)->MinTime(0.05);
}

BENCHMARK_CAPTURE(vectorAddSpl, all_checks, "all")->Apply(settings);
BENCHMARK_CAPTURE(vectorAddSpl, no_checks, "none")->Apply(settings);
BENCHMARK(vectorAddNvrtc)->Apply(settings);

} // namespace

BENCHMARK_MAIN();
