// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Arithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

namespace spl::mir::bounds {

//===-- Lists of bounds --===//

/// The maximum number of lower, or upper, bounds of a value. Bounds that a launch can evaluate are
/// preferred.
static constexpr size_t maxPolynomials = 8;

void Arithmetic::keep(Polynomials &sums, const Polynomial &sum) const {
  sums.insert(symbols.isKnownAtLaunch(sum) ? sums.begin() : sums.end(), sum);
  if (sums.size() > maxPolynomials)
    sums.pop_back();
}

/// Whether \p closer replaces \p sum. A sum that a launch can evaluate is only replaced by another
/// such sum.
bool Arithmetic::supersedes(const Polynomial &closer, const Polynomial &sum) const {
  return symbols.isKnownAtLaunch(closer) || !symbols.isKnownAtLaunch(sum);
}

/// A bound that a launch can evaluate, for a sum that it cannot evaluate.
std::optional<Polynomial> Arithmetic::relaxed(const Polynomial &sum, Symbols::Toward end) const {
  if (symbols.isKnownAtLaunch(sum))
    return std::nullopt;
  std::optional<Polynomial> other = symbols.withoutQuotients(sum, end);
  return other && symbols.isKnownAtLaunch(*other) ? other : std::nullopt;
}

void Arithmetic::addMost(Bounds &bounds, const Polynomial &sum) const {
  if (std::optional<Polynomial> other = relaxed(sum, Symbols::Toward::Most))
    addMost(bounds, *other);
  auto isCloser = [&](const Polynomial &a, const Polynomial &b) {
    return supersedes(a, b) && conditions.isAtMost(a, b);
  };
  if (llvm::any_of(bounds.most, [&](const Polynomial &old) { return isCloser(old, sum); }))
    return;
  llvm::erase_if(bounds.most, [&](const Polynomial &old) { return isCloser(sum, old); });
  keep(bounds.most, sum);
}

void Arithmetic::addLeast(Bounds &bounds, const Polynomial &sum) const {
  if (std::optional<Polynomial> other = relaxed(sum, Symbols::Toward::Least))
    addLeast(bounds, *other);
  auto isCloser = [&](const Polynomial &a, const Polynomial &b) {
    return supersedes(a, b) && conditions.isAtMost(b, a);
  };
  if (llvm::any_of(bounds.least, [&](const Polynomial &old) { return isCloser(old, sum); }))
    return;
  llvm::erase_if(bounds.least, [&](const Polynomial &old) { return isCloser(sum, old); });
  keep(bounds.least, sum);
}

//===-- Ranges --===//

bool Arithmetic::isNotNegative(const Bounds &bounds) const {
  return llvm::any_of(
      bounds.least, [&](const Polynomial &sum) { return conditions.isAtMost(Polynomial(), sum); });
}

Range Arithmetic::rangeOf(const Bounds &bounds, unsigned width) const {
  Range range{-(Wide{1} << (width - 1)), (Wide{1} << (width - 1)) - 1};
  for (const Polynomial &sum : bounds.least)
    if (std::optional<Range> known = symbols.range(sum))
      range.least = std::max(range.least, std::min(known->least, range.most));
  for (const Polynomial &sum : bounds.most)
    if (std::optional<Range> known = symbols.range(sum))
      range.most = std::min(range.most, std::max(known->most, range.least));
  return range;
}

Bounds Arithmetic::fitted(Bounds bounds, unsigned width) {
  if (!bounds.isBounded())
    return {};
  const int64_t half = int64_t(1) << (width - 2), largest = half + (half - 1);
  std::optional<Needs> above = conditions.atMost(Polynomial::constant(-largest - 1), bounds.least);
  std::optional<Needs> below = conditions.atMost(bounds.most, Polynomial::constant(largest));
  if (!above || !below)
    return {};
  merge(bounds.needs, *above);
  merge(bounds.needs, *below);
  return bounds;
}

Bounds Arithmetic::atLeastNumber(Bounds bounds, int64_t number) {
  const Polynomial bound = Polynomial::constant(number);
  std::optional<Needs> needs = conditions.atMost(bound, bounds.least);
  if (!bounds.isBounded() || !needs)
    return {};
  merge(bounds.needs, *needs);
  addLeast(bounds, bound);
  return bounds;
}

Bounds Arithmetic::notNegative(Bounds bounds) { return atLeastNumber(std::move(bounds), 0); }

//===-- Arithmetic --===//

/// Adds the exact value as a bound. If a launch can evaluate it, removes all other bounds that are
/// not constants. If there are no other bounds, the exact value is the only one.
Bounds Arithmetic::normalized(Bounds bounds) const {
  if (bounds.exact) {
    for (auto *sums : {&bounds.least, &bounds.most}) {
      if (symbols.isKnownAtLaunch(*bounds.exact))
        llvm::erase_if(*sums, [](const Polynomial &sum) { return !sum.asConstant(); });
      else if (!sums->empty())
        continue;
      if (!llvm::is_contained(*sums, *bounds.exact))
        sums->insert(sums->begin(), *bounds.exact);
    }
  }
  return bounds.isBounded() ? bounds : Bounds();
}

/// Applies the operation if both operands are known.
static std::optional<Polynomial>
ofBoth(const std::optional<Polynomial> &a, const std::optional<Polynomial> &b,
       std::optional<Polynomial> (*operation)(const Polynomial &, const Polynomial &)) {
  return a && b ? operation(*a, *b) : std::nullopt;
}

static Needs together(const Bounds &a, const Bounds &b) {
  Needs needs = a.needs;
  merge(needs, b.needs);
  return needs;
}

Bounds Arithmetic::add(const Bounds &a, const Bounds &b) {
  Bounds result{ofBoth(a.exact, b.exact, Polynomial::add), {}, {}, together(a, b)};
  for (const Polynomial &left : a.lower())
    for (const Polynomial &right : b.lower())
      if (std::optional<Polynomial> sum = Polynomial::add(left, right); sum && sum != result.exact)
        addLeast(result, *sum);
  for (const Polynomial &left : a.upper())
    for (const Polynomial &right : b.upper())
      if (std::optional<Polynomial> sum = Polynomial::add(left, right); sum && sum != result.exact)
        addMost(result, *sum);
  return normalized(std::move(result));
}

Bounds Arithmetic::subtract(const Bounds &a, const Bounds &b, std::optional<int64_t> least) {
  Bounds result{ofBoth(a.exact, b.exact, Polynomial::subtract), {}, {}, together(a, b)};
  for (const Polynomial &left : a.lower())
    for (const Polynomial &right : b.upper())
      if (std::optional<Polynomial> sum = Polynomial::subtract(left, right);
          sum && sum != result.exact)
        addLeast(result, *sum);
  for (const Polynomial &left : a.upper())
    for (const Polynomial &right : b.lower())
      if (std::optional<Polynomial> sum = Polynomial::subtract(left, right);
          sum && sum != result.exact)
        addMost(result, *sum);
  if (least)
    addLeast(result, Polynomial::constant(*least));
  return normalized(std::move(result));
}

Bounds Arithmetic::scale(const Bounds &a, int64_t by, const Needs &needs) {
  const Polynomial factor = Polynomial::constant(by);
  Bounds result{ofBoth(a.exact, factor, Polynomial::multiply), {}, {}, needs};
  for (const Polynomial &sum : by < 0 ? a.upper() : a.lower())
    if (std::optional<Polynomial> product = Polynomial::multiply(sum, factor);
        product && product != result.exact)
      addLeast(result, *product);
  for (const Polynomial &sum : by < 0 ? a.lower() : a.upper()) {
    if (std::optional<Polynomial> product = Polynomial::multiply(sum, factor);
        product && product != result.exact)
      addMost(result, *product);
  }
  return normalized(std::move(result));
}

Bounds Arithmetic::multiply(const Bounds &a, const Bounds &b) {
  if (std::optional<int64_t> factor = b.exact ? b.exact->asConstant() : std::nullopt)
    return scale(a, *factor, together(a, b));
  if (std::optional<int64_t> factor = a.exact ? a.exact->asConstant() : std::nullopt)
    return scale(b, *factor, together(a, b));
  const Bounds left = notNegative(a), right = notNegative(b);
  if (!left.isBounded() || !right.isBounded())
    return {};
  Bounds result{
      ofBoth(a.exact, b.exact, Polynomial::multiply), {Polynomial()}, {}, together(left, right)};
  // Neither factor is negative. Therefore a bound of one times the exact value of the other is a
  // bound, whatever the launch says of their signs.
  for (const Polynomial &x : left.least)
    for (const Polynomial &y : right.least)
      if (x == left.exact || y == right.exact ||
          (conditions.isAtMost(Polynomial(), x) && conditions.isAtMost(Polynomial(), y)))
        if (std::optional<Polynomial> product = Polynomial::multiply(x, y);
            product && product != result.exact)
          addLeast(result, *product);
  for (const Polynomial &x : left.most)
    for (const Polynomial &y : right.most)
      if (std::optional<Polynomial> product = Polynomial::multiply(x, y))
        addMost(result, *product);
  return normalized(std::move(result));
}

Bounds Arithmetic::divide(const Bounds &a, const Bounds &b) {
  const Bounds dividend = notNegative(a), divisor = atLeastNumber(b, 1);
  if (!dividend.isBounded() || !divisor.isBounded())
    return {};
  Bounds result{{}, {Polynomial()}, {}, together(dividend, divisor)};
  if (a.exact && b.exact)
    result.exact = symbols.quotient(*a.exact, *b.exact);
  const auto isFrom = [&](int64_t number) {
    return [this, number](const Polynomial &sum) {
      return conditions.isAtMost(Polynomial::constant(number), sum);
    };
  };
  // A part of a positive number is below the number. The values of a launch do not need this bound.
  // For those of the kernel it keeps terms in common with others: of low + (high - low) / 2 it
  // shows that it is below high.
  const bool isSmaller =
      llvm::any_of(dividend.least, isFrom(1)) && llvm::any_of(divisor.least, isFrom(2));
  for (const Polynomial &sum : dividend.most) {
    if (isSmaller && !symbols.isKnownAtLaunch(sum))
      if (std::optional<Polynomial> last = Polynomial::subtract(sum, Polynomial::constant(1)))
        addMost(result, *last);
    const size_t before = result.most.size();
    for (const Polynomial &by : divisor.least)
      if (isFrom(1)(by) || by == b.exact)
        if (std::optional<Polynomial> quotient = symbols.quotient(sum, by))
          addMost(result, *quotient);
    if (result.most.size() == before) // the quotient is at most the dividend
      addMost(result, sum);
  }
  return result;
}

Bounds Arithmetic::remainder(const Bounds &a, const Bounds &b) {
  const Bounds dividend = notNegative(a), divisor = atLeastNumber(b, 1);
  if (!dividend.isBounded() || !divisor.isBounded())
    return {};
  Bounds result{{}, {Polynomial()}, {}, together(dividend, divisor)};
  for (const Polynomial &sum : dividend.most)
    addMost(result, sum);
  for (const Polynomial &sum : divisor.most)
    if (std::optional<Polynomial> last = Polynomial::subtract(sum, Polynomial::constant(1)))
      addMost(result, *last);
  return result;
}

//===-- Selections --===//

Arithmetic::Polynomials Arithmetic::joinedMost(llvm::ArrayRef<Polynomial> a,
                                               llvm::ArrayRef<Polynomial> b, Needs &needs) {
  Bounds result;
  for (const Polynomial &x : a)
    for (const Polynomial &y : b)
      if (conditions.isAtMost(x, y))
        addMost(result, y);
      else if (conditions.isAtMost(y, x))
        addMost(result, x);
  if (!result.most.empty() || a.empty() || b.empty())
    return result.most;
  // If no order holds in every launch, but one bound is a constant, assumes that the constant is
  // the smaller bound, under a condition.
  for (auto [x, y] : {std::pair(&a.front(), &b.front()), std::pair(&b.front(), &a.front())})
    if (x->asConstant())
      if (std::optional<Needs> order = conditions.atMost(*x, *y)) {
        merge(needs, *order);
        return {*y};
      }
  return {};
}

/// The lower bounds of one value that are lower bounds of the other one as well, in every launch.
Arithmetic::Polynomials Arithmetic::orderedLeast(llvm::ArrayRef<Polynomial> a,
                                                 llvm::ArrayRef<Polynomial> b) const {
  Bounds result;
  for (const Polynomial &x : a)
    for (const Polynomial &y : b)
      if (conditions.isAtMost(x, y))
        addLeast(result, x);
      else if (conditions.isAtMost(y, x))
        addLeast(result, y);
  return result.least;
}

Arithmetic::Polynomials Arithmetic::joinedLeast(llvm::ArrayRef<Polynomial> a,
                                                llvm::ArrayRef<Polynomial> b, Needs &needs) {
  Polynomials ordered = orderedLeast(a, b);
  if (!ordered.empty() || a.empty() || b.empty())
    return ordered;
  for (auto [x, y] : {std::pair(&a.front(), &b.front()), std::pair(&b.front(), &a.front())})
    if (x->asConstant())
      if (std::optional<Needs> order = conditions.atMost(*x, *y)) {
        merge(needs, *order);
        return {*x};
      }
  return {};
}

Bounds Arithmetic::joined(const Bounds &a, const Bounds &b) {
  Bounds result{{}, {}, {}, together(a, b)};
  if (a.exact == b.exact)
    result.exact = a.exact;
  result.least = joinedLeast(a.least, b.least, result.needs);
  result.most = joinedMost(a.most, b.most, result.needs);
  return result;
}

/// The least number that either value can be, in every launch.
std::optional<Polynomial> Arithmetic::leastOfEither(const Bounds &a, const Bounds &b) const {
  std::optional<Wide> least;
  for (const Bounds *bounds : {&a, &b}) {
    std::optional<Wide> own;
    for (const Polynomial &sum : bounds->lower())
      if (std::optional<Range> range = symbols.range(sum))
        own = std::max(own.value_or(range->least), range->least);
    if (!own)
      return std::nullopt;
    least = std::min(least.value_or(*own), *own);
  }
  return *least == int64_t(*least) ? std::optional(Polynomial::constant(int64_t(*least)))
                                   : std::nullopt;
}

// The lower bound has no condition that says which value is smaller: most uses of a minimum need
// only its upper bounds. Proofs that need more have a case for each value (Proofs.cpp).
Bounds Arithmetic::smaller(const Bounds &a, const Bounds &b) {
  Bounds result{{}, orderedLeast(a.least, b.least), {}, together(a, b)};
  for (const Polynomial &sum : llvm::concat<const Polynomial>(a.upper(), b.upper()))
    addMost(result, sum);
  if (std::optional<Polynomial> least = leastOfEither(a, b))
    addLeast(result, *least);
  return result;
}

Bounds Arithmetic::larger(const Bounds &a, const Bounds &b) {
  Bounds result{{}, a.least, {}, together(a, b)};
  for (const Polynomial &sum : b.least)
    addLeast(result, sum);
  result.most = joinedMost(a.most, b.most, result.needs);
  return result;
}

Bounds Arithmetic::absolute(const Bounds &a, unsigned width) {
  const Bounds negative = fitted(subtract(Bounds::exactly(0), a), width);
  if (!negative.isBounded())
    return {};
  Bounds result = larger(a, negative);
  addLeast(result, Polynomial());
  return result;
}

Bounds Arithmetic::raised(const Bounds &a, const Bounds &least) {
  Bounds above = larger(a.needs.empty() ? a : Bounds(), least);
  if (above.needs.size() > least.needs.size()) {
    above.needs = least.needs;
    above.most.clear();
  }
  return above;
}

Bounds Arithmetic::clamped(const Bounds &a, const Bounds &least, const Bounds &most) {
  return smaller(raised(a, least), most);
}

} // namespace spl::mir::bounds
