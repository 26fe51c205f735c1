// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>

namespace programs {
namespace {

constexpr int Steps = 126; // of the kernel
constexpr float Rate = 0.06f, Volatility = 0.3f;

enum class Style : std::int32_t { European, American };

struct Option {
  float spot, strike, years;
  Style style;
};

/// By backward induction over the whole tree, in double precision.
float reference(const Option &option) {
  const double years = double(option.years) / Steps;
  const double up = std::exp(Volatility * std::sqrt(years));
  const double growth = std::exp(Rate * years);
  const double pUp = (growth - 1 / up) / (up - 1 / up);
  const auto exercised = [&](int ups, int steps) {
    return std::max(option.strike - option.spot * std::pow(up, 2 * ups - steps), 0.0);
  };
  std::vector<double> values;
  for (int ups = 0; ups <= Steps; ++ups)
    values.push_back(exercised(ups, Steps));
  for (int step = Steps - 1; step >= 0; --step)
    for (int ups = 0; ups <= step; ++ups) {
      values[ups] = (pUp * values[ups + 1] + (1 - pUp) * values[ups]) / growth;
      if (option.style == Style::American)
        values[ups] = std::max(values[ups], exercised(ups, step));
    }
  return static_cast<float>(values[0]);
}

} // namespace

void binomial(Run &run) {
  std::vector<Option> options(run.scaled(23));
  std::vector<float> expected;
  for (Option &option : options) {
    option = {run.between(20.0f, 60.0f), run.between(20.0f, 60.0f), run.between(0.2f, 3.0f),
              static_cast<Style>(run.below(2))};
    expected.push_back(reference(option));
  }
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();
  const auto list = context.allocUpload(options);
  auto prices = context.alloc<float>(options.size());
  run.launch(kernels["price"], {.global = {128 * options.size()}}, list, Rate, Volatility, prices);
  // Prices of spots of up to 60, with 126 roundings one after the other.
  run.expectNear("prices", prices.download(), expected, 1e-5, 60);
}

} // namespace programs
