// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the cost of a launch through the runtime, and through the driver's own function. Both
// are in the same process and use the same kernel of four arguments. Without a CUDA device the
// driver's functions do nothing. The difference is the time of the runtime in both cases. On the
// CPU the baseline is a parallel loop of OpenMP, if the compiler has it.
#include "driver/Compilation.h"
#include "test/fakecuda/CudaLibrary.h"
#include <benchmark/benchmark.h>
#include <chrono>
#include <spl/spl.h>

namespace {

using Clock = std::chrono::steady_clock;

const char *const source = R"(
#[gpu]
fn axpy(alpha: f32, x: &[f32], n: i64, y: &mut [f32]):
    val i = gpu.global_id()
    if i < n:
        y[i] += alpha * x[i]
)";

std::string ptx() {
  spl::driver::CompileOptions options;
  options.codegen.target = llvm::cantFail(spl::codegen::TargetSpec::parse("sm_75"));
  spl::driver::Compilation compilation(options);
  llvm::SmallVector<char, 0> text;
  if (!compilation.setText("axpy.spl", source) || !compilation.emit("ptx", text))
    std::abort();
  return {text.begin(), text.end()};
}

/// A small kernel that can be launched through the runtime and through the driver.
class Cuda {
public:
  Cuda() : context(open()), module(spl::Module::load(context, ptx())) {
    using spl::detail::CuResult;
    // The launches of this bench meet the launch contract, so the runtime launches this function
    // too.
    spl::detail::CuDevice device = 0;
    if (driver.deviceGet(&device, 0) != CuResult::Success ||
        driver.primaryCtxRetain(&primary, device) != CuResult::Success ||
        driver.ctxPushCurrent(primary) != CuResult::Success ||
        driver.moduleLoadDataEx(&loaded, ptx().c_str(), 0, nullptr, nullptr) != CuResult::Success ||
        driver.moduleGetFunction(&function, loaded, "axpy$unchecked") != CuResult::Success)
      std::abort();
  }

  void launch() const { context.launch(kernel, {.global = {64}, .local = {64}}, 2.0f, x, n, y); }
  void launchIn(const spl::Stream &stream) const {
    context.launchAsync(stream, kernel, {.global = {64}, .local = {64}}, 2.0f, x, n, y);
  }

  /// Calls the driver in the same way as launch().
  void enter() {
    float alpha = 2;
    std::uint64_t addresses[] = {x.address(), y.address()};
    std::int64_t extent = n;
    void *params[] = {&alpha, &addresses[0], &extent, &extent, &addresses[1], &extent};
    driver.launchKernel.function(function, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr);
  }
  void wait() const { driver.ctxSynchronize(); }

  const char *label() const { return isEmpty() ? "a driver that does nothing" : name.c_str(); }

private:
  static bool isEmpty() {
    static const bool isMissing = !spl::detectBackend(spl::Backend::Cuda).available;
    return isMissing;
  }
  static spl::Context open() {
    if (isEmpty())
      spl::test::useCudaLibrary(SPL_EMPTY_CUDA);
    return spl::Context::make(spl::Backend::Cuda);
  }

  spl::Context context;
  spl::Module module;
  const spl::Kernel kernel = module["axpy"];
  const std::int64_t n = 64;
  const spl::Array<float> x = context.allocZeros<float>(n);
  mutable spl::Array<float> y = context.allocZeros<float>(n);
  const std::string name = context.device().name;
  const spl::detail::Driver &driver = *spl::detail::cudaDriver().driver;
  spl::detail::CuContext primary = nullptr;
  spl::detail::CuModule loaded = nullptr;
  spl::detail::CuFunction function = nullptr;

public:
  const spl::Stream stream = context.makeStream();
};

Cuda &cuda() {
  static Cuda &cuda = *new Cuda; // never destroyed, because the driver is unloaded before static
                                 // objects are destroyed
  return cuda;
}

/// Measures \p call without the wait for its work. Launches are made in batches, so that the queue
/// of the device does not fill.
template <typename Call> void measure(benchmark::State &state, Call call) {
  constexpr int batch = 200;
  state.SetLabel(cuda().label());
  while (state.KeepRunningBatch(batch)) {
    const auto start = Clock::now();
    for (int i = 0; i < batch; ++i)
      call();
    const std::chrono::duration<double> time = Clock::now() - start;
    cuda().wait();
    state.SetIterationTime(time.count());
  }
}

void launchSpl(benchmark::State &state) {
  measure(state, [] { cuda().launch(); });
}
void launchDriver(benchmark::State &state) {
  measure(state, [] { cuda().enter(); });
}
void launchAndWaitSpl(benchmark::State &state) {
  measure(state, [] { cuda().launch(), cuda().wait(); });
}
void launchAndWaitDriver(benchmark::State &state) {
  measure(state, [] { cuda().enter(), cuda().wait(); });
}

void tenLaunchesSpl(benchmark::State &state) {
  measure(state, [] {
    for (int i = 0; i < 10; ++i)
      cuda().launchIn(cuda().stream);
  });
}
void graphOfTenSpl(benchmark::State &state) {
  const spl::GraphExec graph = spl::Graph::capture(cuda().stream, [] {
                                 for (int i = 0; i < 10; ++i)
                                   cuda().launchIn(cuda().stream);
                               }).instantiate();
  measure(state, [&] { graph.launch(cuda().stream); });
}

void oneGroupSpl(benchmark::State &state) {
  const spl::Context context = spl::Context::make(spl::Backend::Cpu);
  const spl::Module module = spl::jit::loadSource(context, source);
  const spl::Kernel kernel = module["axpy"];
  const auto x = context.allocZeros<float>(64);
  auto y = context.allocZeros<float>(64);
  for (auto unused : state)
    context.launch(kernel, {.global = {64}, .local = {64}}, 2.0f, x, std::int64_t(64), y);
}
#ifdef _OPENMP
void oneGroupOpenMp(benchmark::State &state) {
  std::vector<float> x(64), y(64);
  for (auto unused : state) {
#pragma omp parallel for
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] += 2.0f * x[i];
    benchmark::ClobberMemory();
  }
}
#endif

void settings(benchmark::internal::Benchmark *bench) {
  bench->Unit(benchmark::kMicrosecond)->Repetitions(15)->MinTime(0.02);
}
void manual(benchmark::internal::Benchmark *bench) { bench->Apply(settings)->UseManualTime(); }

BENCHMARK(launchSpl)->Apply(manual);
BENCHMARK(launchDriver)->Apply(manual);
BENCHMARK(launchAndWaitSpl)->Apply(manual);
BENCHMARK(launchAndWaitDriver)->Apply(manual);
BENCHMARK(tenLaunchesSpl)->Apply(manual);
BENCHMARK(graphOfTenSpl)->Apply(manual);
BENCHMARK(oneGroupSpl)->Apply(settings);
#ifdef _OPENMP
BENCHMARK(oneGroupOpenMp)->Apply(settings);
#endif

} // namespace

BENCHMARK_MAIN();
