// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures jit::loadFile in a running process, with a compilation and from the cache. PTX goes to
// the CUDA device. If there is none, it goes to a driver that interprets PTX.
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/TemporaryFolder.h"
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <spl/spl.h>

namespace {

namespace fs = std::filesystem;

/// A cache for this benchmark. The destructor removes it.
class Home {
public:
  Home() {
    setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    setenv("SPL_CACHE", "on", 1);
  }
  void clear() const { fs::remove_all(folder.path() / "spl"); }

private:
  const spl::test::TemporaryFolder folder;
};

const Home &home() {
  static const Home home;
  return home;
}

spl::Context open(spl::Backend backend, benchmark::State &state) {
  static std::optional<spl::test::FakeDriver> fake;
  if (backend == spl::Backend::Cuda && !fake)
    for (const spl::BackendStatus &status : spl::detectBackends())
      if (status.backend == backend && !status.available)
        fake.emplace();
  if (backend == spl::Backend::Cuda)
    state.SetLabel(fake ? "a driver that interprets PTX" : "the CUDA driver");
  return spl::Context::make(backend);
}

void load(benchmark::State &state, spl::Backend backend, const char *file, bool isWarm) {
  home().clear();
  const spl::Context context = open(backend, state);
  const std::string path = std::string(SPL_EXAMPLES) + "/" + file;
  if (isWarm)
    spl::jit::loadFile(context, path);
  for (auto unused : state) {
    std::optional<spl::Module> module = spl::jit::loadFile(context, path);
    benchmark::DoNotOptimize(module);
    state.PauseTiming();
    module.reset();
    if (!isWarm)
      home().clear();
    state.ResumeTiming();
  }
}

void settings(benchmark::internal::Benchmark *bench) {
  bench->Unit(benchmark::kMillisecond)->Repetitions(15)->MinTime(0.05)->UseRealTime();
}

using spl::Backend;
BENCHMARK_CAPTURE(load, cpu_vector_add_warm, Backend::Cpu, "vector_add.spl", true)->Apply(settings);
BENCHMARK_CAPTURE(load, cpu_vector_add_cold, Backend::Cpu, "vector_add.spl", false)
    ->Apply(settings);
BENCHMARK_CAPTURE(load, cpu_matmul_warm, Backend::Cpu, "matmul.spl", true)->Apply(settings);
BENCHMARK_CAPTURE(load, cpu_matmul_cold, Backend::Cpu, "matmul.spl", false)->Apply(settings);
BENCHMARK_CAPTURE(load, ptx_vector_add_warm, Backend::Cuda, "vector_add.spl", true)
    ->Apply(settings);
BENCHMARK_CAPTURE(load, ptx_vector_add_cold, Backend::Cuda, "vector_add.spl", false)
    ->Apply(settings);
BENCHMARK_CAPTURE(load, ptx_matmul_warm, Backend::Cuda, "matmul.spl", true)->Apply(settings);
BENCHMARK_CAPTURE(load, ptx_matmul_cold, Backend::Cuda, "matmul.spl", false)->Apply(settings);

} // namespace

BENCHMARK_MAIN();
