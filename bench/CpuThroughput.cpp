// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures vector_add and saxpy of 16 Mi elements on the CPU backend, with all checks and without.
// The baseline is the same loop in C++ with OpenMP, in the same process and on the same arrays.
#include "bench/OpenMpBaseline.h"
#include <benchmark/benchmark.h>
#include <spl/spl.h>

namespace {

constexpr std::int64_t count = std::int64_t(16) << 20;

// All versions use the same arrays, so that the placement of pages affects them equally. On the CPU
// backend the host can access an array's memory.
struct Data {
  spl::Context context = spl::Context::make(spl::Backend::Cpu);
  spl::Array<float> a = context.alloc<float>(count);
  spl::Array<float> b = context.alloc<float>(count);
  spl::Array<float> out = context.alloc<float>(count);
  Data() {
    a.fill(1.5F);
    b.fill(2.25F);
    out.fill(0.0F);
  }
};

Data &data() {
  static Data instance;
  return instance;
}

float *host(const spl::Array<float> &array) { return reinterpret_cast<float *>(array.address()); }

spl::Kernel load(const char *file, const char *kernel, const char *checks) {
  spl::jit::Options options;
  options.checks = checks;
  return spl::jit::loadFile(data().context, std::string(SPL_EXAMPLES) + "/" + file,
                            options)[kernel];
}

void vectorAddSpl(benchmark::State &state, const char *checks) {
  const spl::Kernel kernel = load("vector_add.spl", "vector_add", checks);
  for (auto unused : state)
    data().context.launch(kernel, {.global = {count}}, data().a, data().b, data().out);
  state.SetBytesProcessed(state.iterations() * count * 12);
}

void vectorAddOpenMp(benchmark::State &state) {
  for (auto unused : state)
    openMpVectorAdd(host(data().a), host(data().b), host(data().out), count);
  state.SetBytesProcessed(state.iterations() * count * 12);
}

void saxpySpl(benchmark::State &state, const char *checks) {
  const spl::Kernel kernel = load("saxpy.spl", "saxpy", checks);
  for (auto unused : state)
    data().context.launch(kernel, {.global = {count}}, 1e-6F, data().a, data().out);
  state.SetBytesProcessed(state.iterations() * count * 12);
}

void saxpyOpenMp(benchmark::State &state) {
  for (auto unused : state)
    openMpSaxpy(1e-6F, host(data().a), host(data().out), count);
  state.SetBytesProcessed(state.iterations() * count * 12);
}

void settings(benchmark::internal::Benchmark *bench) {
  bench->UseRealTime()->Unit(benchmark::kMillisecond)->Repetitions(15)->MinTime(0.05);
}

BENCHMARK_CAPTURE(vectorAddSpl, all_checks, "all")->Apply(settings);
BENCHMARK_CAPTURE(vectorAddSpl, no_checks, "none")->Apply(settings);
BENCHMARK(vectorAddOpenMp)->Apply(settings);
BENCHMARK_CAPTURE(saxpySpl, all_checks, "all")->Apply(settings);
BENCHMARK_CAPTURE(saxpySpl, no_checks, "none")->Apply(settings);
BENCHMARK(saxpyOpenMp)->Apply(settings);

} // namespace

BENCHMARK_MAIN();
