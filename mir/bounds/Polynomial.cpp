// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

namespace spl::mir::bounds {

/// Limits above what index expressions need. Larger results are dropped.
static constexpr size_t maxTerms = 12, maxFactors = 4;

bool Polynomial::addTerm(const Monomial &monomial, Wide coefficient) {
  auto [place, isNew] = coefficients.try_emplace(monomial, 0);
  coefficient += place->second;
  if (coefficient < std::numeric_limits<int64_t>::min() ||
      coefficient > std::numeric_limits<int64_t>::max())
    return false;
  place->second = static_cast<int64_t>(coefficient);
  if (coefficient == 0)
    coefficients.erase(place);
  return coefficients.size() <= maxTerms && monomial.size() <= maxFactors;
}

Polynomial Polynomial::constant(int64_t value) {
  Polynomial sum;
  if (value != 0)
    sum.coefficients[{}] = value;
  return sum;
}

Polynomial Polynomial::symbol(SymbolId id) {
  Polynomial sum;
  sum.coefficients[{id}] = 1;
  return sum;
}

Polynomial Polynomial::product(const Monomial &monomial, int64_t coefficient) {
  Polynomial sum;
  if (coefficient != 0)
    sum.coefficients[monomial] = coefficient;
  return sum;
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (coefficients.empty())
    return 0;
  if (coefficients.size() == 1 && coefficients.begin()->first.empty())
    return coefficients.begin()->second;
  return std::nullopt;
}

std::optional<Polynomial> Polynomial::addScaled(const Polynomial &a, const Polynomial &b,
                                                int64_t scale) {
  Polynomial result = a;
  for (const auto &[monomial, coefficient] : b.coefficients)
    if (!result.addTerm(monomial, Wide{coefficient} * scale))
      return std::nullopt;
  return result;
}

std::optional<Polynomial> Polynomial::add(const Polynomial &a, const Polynomial &b) {
  return addScaled(a, b, 1);
}
std::optional<Polynomial> Polynomial::subtract(const Polynomial &a, const Polynomial &b) {
  return addScaled(a, b, -1);
}

std::optional<Polynomial> Polynomial::multiply(const Polynomial &a, const Polynomial &b) {
  Polynomial result;
  for (const auto &[left, leftCoefficient] : a.coefficients)
    for (const auto &[right, rightCoefficient] : b.coefficients) {
      Monomial monomial = left;
      monomial.append(right);
      llvm::sort(monomial);
      if (!result.addTerm(monomial, Wide{leftCoefficient} * rightCoefficient))
        return std::nullopt;
    }
  return result;
}

} // namespace spl::mir::bounds
