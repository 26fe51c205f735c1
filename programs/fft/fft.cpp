// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <array>
#include <complex>
#include <numbers>

namespace programs {
namespace {

using Complex = std::array<float, 2>;
using Signals = std::vector<Complex>; // a row of numbers for each signal

std::vector<float> flat(const Signals &signals) {
  std::vector<float> result;
  for (const Complex &value : signals)
    result.insert(result.end(), value.begin(), value.end());
  return result;
}

/// By the definition.
Signals transformed(const Signals &signals, std::size_t length) {
  std::vector<std::complex<double>> roots;
  for (std::size_t k = 0; k < length; ++k)
    roots.push_back(std::polar(1.0, -2 * std::numbers::pi * double(k) / double(length)));
  Signals result;
  for (std::size_t first = 0; first < signals.size(); first += length)
    for (std::size_t frequency = 0; frequency < length; ++frequency) {
      std::complex<double> sum = 0;
      for (std::size_t k = 0; k < length; ++k)
        sum += std::complex<double>(signals[first + k][0], signals[first + k][1]) *
               roots[frequency * k % length];
      result.push_back({float(sum.real()), float(sum.imag())});
    }
  return result;
}

/// Transforms there and back.
void check(Run &run, const spl::Kernel &kernel, std::int64_t batch, std::int64_t length) {
  Signals signals(batch * length);
  for (Complex &value : signals)
    value = {run.between(-1.0f, 1.0f), run.between(-1.0f, 1.0f)};
  const auto source = run.context().allocUpload(signals, {batch, length});
  auto spectra = run.context().alloc<Complex>({batch, length});
  auto back = run.context().alloc<Complex>({batch, length});
  const spl::LaunchConfig all{.global = {batch * length / 4}};
  run.launch(kernel, all, source, spectra, -1.0f);
  run.launch(kernel, all, spectra, back, 1.0f);

  // The error of a step is about that of float, relative to the length of the spectrum.
  const double size = std::sqrt(double(length));
  run.expectNear("spectra", flat(spectra.download()), flat(transformed(signals, length)), 2e-6,
                 size);
  for (Complex &value : signals)
    value = {value[0] * float(length), value[1] * float(length)};
  run.expectNear("signals", flat(back.download()), flat(signals), 2e-6, double(length));
}

} // namespace

void fft(Run &run) {
  const spl::Module kernels = run.load({"fft[64]", "fft[1024]"});
  const auto batch = static_cast<std::int64_t>(run.scaled(3));
  check(run, kernels["fft[64]"], 7 * batch, 64);
  check(run, kernels["fft[1024]"], batch, 1024);
}

} // namespace programs
