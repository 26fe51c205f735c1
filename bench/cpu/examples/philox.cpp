// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

using Words = std::array<std::uint32_t, 4>;

inline Words philox(Words c, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t(0xD2511F53) * c[0], b = std::uint64_t(0xCD9E8D57) * c[2];
    c = {std::uint32_t(b >> 32) ^ c[1] ^ key0, std::uint32_t(b),
         std::uint32_t(a >> 32) ^ c[3] ^ key1, std::uint32_t(a)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return c;
}

inline Words block(std::uint64_t i, const std::array<std::uint32_t, 2> &seed) {
  return philox({std::uint32_t(i), std::uint32_t(i >> 32), 0, 0}, seed[0], seed[1]);
}

/// n is a multiple of 4.
void twinWords(std::uint32_t *out, std::array<std::uint32_t, 2> seed, std::int64_t n) {
#pragma omp parallel for simd
  for (std::int64_t i = 0; i < n / 4; ++i) {
    const Words words = block(i, seed);
    out[4 * i] = words[0];
    out[4 * i + 1] = words[1];
    out[4 * i + 2] = words[2];
    out[4 * i + 3] = words[3];
  }
}

void twinFloats(float *out, std::array<std::uint32_t, 2> seed, std::int64_t n) {
#pragma omp parallel for simd
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = float(block(i, seed)[0] >> 8) * (1.0f / 16777216);
}

constexpr std::array<std::uint32_t, 2> Seed = {12345, 0xdeadbeef};

} // namespace

void philoxWords(Case &c) {
  const std::int64_t n = c.size(16 << 20, 3000);
  auto out = c.zeros<std::uint32_t>(n), outTwin = c.zeros<std::uint32_t>(n),
       outCl = c.zeros<std::uint32_t>(n);
  const spl::Kernel kernel = c.load("examples/philox.spl")["random_words"];
  const auto kernelCl = c.loadOpenCl("philox.cl", "random_words");
  c.measure({.ours = [&] { c.launch(kernel, {.global = {n / 4}}, out, Seed); },
             .twin = [&] { twinWords(host(outTwin), Seed, n); },
             .compare = [&] { c.expectEqual("out", out, outTwin); },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {n / 4}, .local = {256}}, outCl, Seed,
                            std::int32_t(n));
                 },
             .compareOpenCl = [&] { c.expectEqual("out", out, outCl); }});
}

void philoxFloats(Case &c) {
  const std::int64_t n = c.size(16 << 20, 3001);
  auto out = c.zeros<float>(n), outTwin = c.zeros<float>(n), outCl = c.zeros<float>(n);
  const spl::Kernel kernel = c.load("examples/philox.spl")["random_floats"];
  const auto kernelCl = c.loadOpenCl("philox.cl", "random_floats");
  c.measure({.ours = [&] { c.launch(kernel, {.global = {n}}, out, Seed); },
             .twin = [&] { twinFloats(host(outTwin), Seed, n); },
             .compare = [&] { c.expectEqual("out", out, outTwin); },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {n}, .local = {256}}, outCl, Seed,
                            std::int32_t(n));
                 },
             .compareOpenCl = [&] { c.expectEqual("out", out, outCl); }});
}

} // namespace bench::examples
