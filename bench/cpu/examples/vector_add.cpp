// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

void twin(const float *a, const float *b, float *out, std::int64_t n) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = a[i] + b[i];
}

} // namespace

void vectorAdd(Case &c) {
  const std::int64_t n = c.size(16 << 20, 1001);
  const auto a = c.uniform(n, 0.0f, 1.0f), b = c.uniform(n, 0.0f, 1.0f);
  auto out = c.zeros<float>(n), outTwin = c.zeros<float>(n), outCl = c.zeros<float>(n);
  const spl::Kernel kernel = c.load("examples/vector_add.spl")["vector_add"];
  const auto kernelCl = c.loadOpenCl("vector_add.cl", "vector_add");
  c.measure({.ours = [&] { c.launch(kernel, {.global = {n}}, a, b, out); },
             .twin = [&] { twin(host(a), host(b), host(outTwin), n); },
             .compare = [&] { c.expectEqual("out", out, outTwin); },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {n}, .local = {256}}, a, b, outCl,
                            std::int32_t(n));
                 },
             .compareOpenCl = [&] { c.expectEqual("out", out, outCl); }});
}

} // namespace bench::examples
