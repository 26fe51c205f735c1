// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

namespace programs {
namespace {

struct System {
  std::size_t size;
  std::vector<float> a, b;
};

/// A system whose diagonal is large, so that it needs no pivoting.
System makeSystem(Run &run) {
  System system{run.scaledSide(83), {}, {}};
  for (std::size_t i = 0; i < system.size; ++i) {
    for (std::size_t j = 0; j < system.size; ++j)
      system.a.push_back(run.between(-1.0f, 1.0f));
    system.a[i * system.size + i] += static_cast<float>(system.size);
    system.b.push_back(run.between(-9.0f, 9.0f));
  }
  return system;
}

/// The system after elimination, with the roundings of the kernels: products are fused.
System reference(System system) {
  auto &[size, a, b] = system;
  for (std::size_t pivot = 0; pivot < size; ++pivot)
    for (std::size_t row = pivot + 1; row < size; ++row) {
      const float factor = a[row * size + pivot] / a[pivot * size + pivot];
      for (std::size_t col = pivot; col < size; ++col)
        a[row * size + col] = std::fma(-factor, a[pivot * size + col], a[row * size + col]);
      b[row] = std::fma(-factor, b[pivot], b[row]);
    }
  return system;
}

} // namespace

void gaussian(Run &run) {
  const System system = makeSystem(run);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto size = static_cast<std::int64_t>(system.size);
  auto a = context.allocUpload(system.a, {size, size});
  auto b = context.allocUpload(system.b);
  auto factor = context.alloc<float>(size);
  for (std::int64_t pivot = 0; pivot + 1 < size; ++pivot) {
    const auto at = static_cast<std::int32_t>(pivot);
    const std::int64_t rest = size - pivot;
    run.launch(kernels["fan1"], {.global = {rest - 1}, .local = {64}}, a, at, factor);
    run.launch(kernels["fan2"], {.global = {rest, rest - 1}}, factor, at, a, b);
  }
  const System expected = reference(system);
  run.expectEqual("a", a.download(), expected.a);
  run.expectEqual("b", b.download(), expected.b);
}

} // namespace programs
