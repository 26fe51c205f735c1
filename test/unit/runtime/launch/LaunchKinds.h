// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small launches of several kinds. A unit test counts what they allocate, and a guard what they
// execute.
#pragma once

#include "test/conformance/Kernels.h"
#include "test/fakecuda/CudaLibrary.h"

#include <spl/spl.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace spl::test {

inline constexpr const char *launchedPtx =
    ".version 6.3\n"
    "// spl.kernel axpy(alpha: f32, x: &[f32], n: i64, y: &mut [f32])\n"
    "// spl.kernel sum(n: i64, a: &[f32], b: &[f32], out: &mut [f32]) unchecked if "
    "min(gpu.global_size(0), out.len()) <= a.len() and "
    "min(gpu.global_size(0), out.len()) <= b.len()\n";

/// Calls the function with a launch. The function may call the launch as often as it likes.
using UseLaunch = std::function<void(const std::function<void()> &launch)>;

/// A launch of four arguments by the CUDA backend.
inline void withCudaLaunch(const UseLaunch &use) {
  Context context = Context::make(Backend::Cuda);
  Kernel kernel = Module::load(context, launchedPtx)["axpy"];
  auto x = context.alloc<float>(1000), y = context.alloc<float>(1000);
  use([&] {
    context.launch(kernel, {.global = {1000}, .local = {100}}, 2.0f, x, std::int64_t{1000}, y);
  });
}

/// The same on a stream.
inline void withStreamLaunch(const UseLaunch &use) {
  Context context = Context::make(Backend::Cuda);
  Kernel kernel = Module::load(context, launchedPtx)["axpy"];
  auto x = context.alloc<float>(1000), y = context.alloc<float>(1000);
  Stream stream = context.makeStream();
  use([&] {
    context.launchAsync(stream, kernel, {.global = {1000}}, 2.0f, x, std::int64_t{1000}, y);
  });
}

/// A launch whose contract the runtime tests.
inline void withContractLaunch(const UseLaunch &use) {
  Context context = Context::make(Backend::Cuda);
  Kernel kernel = Module::load(context, launchedPtx)["sum"];
  if (kernel.signature().contract().empty())
    throw std::logic_error("sum has no launch contract");
  auto a = context.alloc<float>(1000), b = context.alloc<float>(1000);
  auto out = context.alloc<float>(1000);
  use([&] {
    context.launch(kernel, {.global = {1000}, .local = {100}}, std::int64_t{1000}, a, b, out);
  });
}

/// The first launch, through the C API.
inline void withCLaunch(const UseLaunch &use) {
  auto check = [](spl_status status) {
    if (status != SPL_OK)
      throw std::runtime_error(spl_last_error());
  };
  spl_context context;
  spl_module module;
  spl_kernel kernel;
  spl_array x, y;
  const std::int64_t extent = 1000;
  check(spl_context_make("cuda", 0, &context));
  check(spl_module_load(context, launchedPtx, std::strlen(launchedPtx), nullptr, 0, &module));
  check(spl_module_kernel(module, "axpy", &kernel));
  for (spl_array *array : {&x, &y})
    check(spl_array_alloc(context, "f32", 1, &extent, SPL_PLACE_DEVICE, array));

  const float alpha = 2;
  const spl_launch_config config = {1, {extent, 0, 0}, {100, 0, 0}, 0};
  const spl_argument arguments[] = {{nullptr, 0, 0, "f32", &alpha},
                                    {nullptr, x, 0, nullptr, nullptr},
                                    {nullptr, 0, 0, "i64", &extent},
                                    {nullptr, y, 0, nullptr, nullptr}};
  use([&] { check(spl_launch(context, kernel, &config, arguments, 4)); });

  for (spl_array array : {x, y})
    check(spl_array_free(array));
  check(spl_kernel_free(kernel));
  check(spl_module_free(module));
  check(spl_context_free(context));
}

/// A launch of one group on the CPU, with what the group executes.
inline void withCpuLaunch(const UseLaunch &use) {
  Context context = Context::make(Backend::Cpu);
  Kernel kernel = Module::load(context, HostCode{conformanceKernels(), nullptr})["saxpy"];
  auto x = context.allocZeros<float>(64), y = context.allocZeros<float>(64);
  use([&] { context.launch(kernel, {.global = {64}, .local = {64}}, 2.0f, x, y); });
}

/// The kinds by their names. Those of CUDA run on a driver whose functions do nothing.
inline const std::map<std::string, void (*)(const UseLaunch &)> launchKinds = {
    {"cuda", withCudaLaunch}, {"stream", withStreamLaunch}, {"contract", withContractLaunch},
    {"c", withCLaunch},       {"cpu", withCpuLaunch},
};

} // namespace spl::test
