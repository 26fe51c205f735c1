// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr int Steps = 126; // of the kernel
constexpr float Rate = 0.06f, Volatility = 0.3f;

enum class Style : std::int32_t { European, American };

struct Option {
  float spot, strike, years;
  Style style;
};

/// The value of a put that is exercised after each number of moves up minus moves down. Nodes of
/// one step are consecutive: they have either even or odd differences.
class Exercised {
public:
  Exercised(const Option &option, float move) {
    for (int i = 0; i <= Steps; ++i) {
      even[i] = std::max(option.strike - option.spot * std::exp(move * float(2 * i - Steps)), 0.0f);
      odd[i] =
          std::max(option.strike - option.spot * std::exp(move * float(2 * i + 1 - Steps)), 0.0f);
    }
  }
  /// Of the nodes with 0 to \p step moves up.
  const float *after(int step) const {
    const int down = Steps - step; // Steps is even
    return down % 2 == 0 ? even + down / 2 : odd + down / 2;
  }

private:
  float even[Steps + 1], odd[Steps + 1];
};

float price(const Option &option) {
  const float years = option.years / Steps;
  const float move = Volatility * std::sqrt(years), discount = std::exp(-Rate * years);
  const float down = std::exp(-move), up = std::exp(move);
  const float pUp = (std::exp(Rate * years) - down) / (up - down);
  const float weightUp = discount * pUp, weightDown = discount * (1 - pUp);
  const Exercised exercised(option, move);
  float values[Steps + 1];
  std::copy_n(exercised.after(Steps), Steps + 1, values);
  for (int step = Steps - 1; step >= 0; --step) {
    const float *now = exercised.after(step);
    if (option.style == Style::American)
      for (int ups = 0; ups <= step; ++ups)
        values[ups] = std::max(weightUp * values[ups + 1] + weightDown * values[ups], now[ups]);
    else
      for (int ups = 0; ups <= step; ++ups)
        values[ups] = weightUp * values[ups + 1] + weightDown * values[ups];
  }
  return values[0];
}

void twin(const Option *options, float *prices, std::int64_t n) {
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t i = 0; i < n; ++i)
    prices[i] = price(options[i]);
}

} // namespace

void binomial(Case &c) {
  const std::int64_t n = c.size(4096, 33);
  std::vector<Option> list(n);
  for (Option &option : list)
    option = {c.draw(20.0f, 60.0f), c.draw(20.0f, 60.0f), c.draw(0.2f, 3.0f),
              static_cast<Style>(c.draw(0, 2))};
  const auto options = c.context().allocUpload(list);
  auto prices = c.zeros<float>(n), pricesTwin = c.zeros<float>(n);
  const spl::Kernel kernel = c.load("programs/binomial/binomial.spl")["price"];
  c.measure(
      {.ours = [&] { c.launch(kernel, {.global = {128 * n}}, options, Rate, Volatility, prices); },
       .twin = [&] { twin(host(options), host(pricesTwin), n); },
       .compare = [&] { c.expectNear("prices", prices, pricesTwin, 2e-5, 60); }});
}

} // namespace bench::programs
