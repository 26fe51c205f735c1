// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Calculator.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

namespace spl::mir::bounds {

Bounds Bounds::below(const Sum &count) {
  Bounds bounds;
  bounds.least = {Sum()};
  if (std::optional<Sum> last = Sum::subtract(count, Sum::number(1)))
    bounds.most = {*last};
  return bounds;
}

static llvm::SmallVector<Sum> with(llvm::ArrayRef<Sum> sums, const std::optional<Sum> &exact) {
  llvm::SmallVector<Sum> result(sums);
  if (exact && !llvm::is_contained(sums, *exact))
    result.push_back(*exact);
  return result;
}

llvm::SmallVector<Sum> Bounds::lower() const { return with(least, exact); }
llvm::SmallVector<Sum> Bounds::upper() const { return with(most, exact); }

//===-- Lists of bounds --===//

/// So many are kept, those that a launch can be asked about before others.
static constexpr size_t mostSums = 6;

void Calculator::keep(Sums &sums, const Sum &sum) const {
  sums.insert(symbols.isOfLaunch(sum) ? sums.begin() : sums.end(), sum);
  if (sums.size() > mostSums)
    sums.pop_back();
}

/// One that a launch is told by stays, even if another is closer.
bool Calculator::makesIdle(const Sum &closer, const Sum &sum) const {
  return symbols.isOfLaunch(closer) || !symbols.isOfLaunch(sum);
}

/// What a launch tells of a sum that it does not tell.
std::optional<Sum> Calculator::relaxed(const Sum &sum, Symbols::Toward end) const {
  if (symbols.isOfLaunch(sum))
    return std::nullopt;
  std::optional<Sum> other = symbols.withoutQuotients(sum, end);
  return other && symbols.isOfLaunch(*other) ? other : std::nullopt;
}

void Calculator::addMost(Bounds &bounds, const Sum &sum) const {
  if (std::optional<Sum> other = relaxed(sum, Symbols::Toward::Most))
    addMost(bounds, *other);
  auto isCloser = [&](const Sum &a, const Sum &b) {
    return makesIdle(a, b) && conditions.isAtMost(a, b);
  };
  if (llvm::any_of(bounds.most, [&](const Sum &old) { return isCloser(old, sum); }))
    return;
  llvm::erase_if(bounds.most, [&](const Sum &old) { return isCloser(sum, old); });
  keep(bounds.most, sum);
}

void Calculator::addLeast(Bounds &bounds, const Sum &sum) const {
  if (std::optional<Sum> other = relaxed(sum, Symbols::Toward::Least))
    addLeast(bounds, *other);
  auto isCloser = [&](const Sum &a, const Sum &b) {
    return makesIdle(a, b) && conditions.isAtMost(b, a);
  };
  if (llvm::any_of(bounds.least, [&](const Sum &old) { return isCloser(old, sum); }))
    return;
  llvm::erase_if(bounds.least, [&](const Sum &old) { return isCloser(sum, old); });
  keep(bounds.least, sum);
}

//===-- What a number is shown to be --===//

bool Calculator::isNotNegative(const Bounds &bounds) const {
  return llvm::any_of(bounds.least,
                      [&](const Sum &sum) { return conditions.isAtMost(Sum(), sum); });
}

Range Calculator::rangeOf(const Bounds &bounds, unsigned width) const {
  Range range{-(Wide{1} << (width - 1)), (Wide{1} << (width - 1)) - 1};
  for (const Sum &sum : bounds.least)
    if (std::optional<Range> known = symbols.range(sum))
      range.least = std::max(range.least, std::min(known->least, range.most));
  for (const Sum &sum : bounds.most)
    if (std::optional<Range> known = symbols.range(sum))
      range.most = std::min(range.most, std::max(known->most, range.least));
  return range;
}

Bounds Calculator::fitted(Bounds bounds, unsigned width) {
  if (!bounds.isBounded())
    return {};
  const int64_t half = int64_t(1) << (width - 2), largest = half + (half - 1);
  std::optional<Needs> above = conditions.atMost(Sum::number(-largest - 1), bounds.least);
  std::optional<Needs> below = conditions.atMost(bounds.most, Sum::number(largest));
  if (!above || !below)
    return {};
  merge(bounds.needs, *above);
  merge(bounds.needs, *below);
  return bounds;
}

Bounds Calculator::atLeastNumber(Bounds bounds, int64_t number) {
  const Sum wanted = Sum::number(number);
  std::optional<Needs> needs = conditions.atMost(wanted, bounds.least);
  if (!bounds.isBounded() || !needs)
    return {};
  merge(bounds.needs, *needs);
  addLeast(bounds, wanted);
  return bounds;
}

Bounds Calculator::notNegative(Bounds bounds) { return atLeastNumber(std::move(bounds), 0); }

//===-- Arithmetic --===//

/// What is exact in terms of the launch has no other bounds but numbers; what has none is its own.
Bounds Calculator::told(Bounds bounds) const {
  if (bounds.exact) {
    for (auto *sums : {&bounds.least, &bounds.most}) {
      if (symbols.isOfLaunch(*bounds.exact))
        llvm::erase_if(*sums, [](const Sum &sum) { return !sum.asNumber(); });
      else if (!sums->empty())
        continue;
      if (!llvm::is_contained(*sums, *bounds.exact))
        sums->insert(sums->begin(), *bounds.exact);
    }
  }
  return bounds.isBounded() ? bounds : Bounds();
}

/// Of the exact values and of every pair of bounds; what grows too large is left out.
static std::optional<Sum> ofBoth(const std::optional<Sum> &a, const std::optional<Sum> &b,
                                 std::optional<Sum> (*operation)(const Sum &, const Sum &)) {
  return a && b ? operation(*a, *b) : std::nullopt;
}

static Needs together(const Bounds &a, const Bounds &b) {
  Needs needs = a.needs;
  merge(needs, b.needs);
  return needs;
}

Bounds Calculator::add(const Bounds &a, const Bounds &b) {
  Bounds result{ofBoth(a.exact, b.exact, Sum::add), {}, {}, together(a, b)};
  for (const Sum &left : a.lower())
    for (const Sum &right : b.lower())
      if (std::optional<Sum> sum = Sum::add(left, right); sum && sum != result.exact)
        addLeast(result, *sum);
  for (const Sum &left : a.upper())
    for (const Sum &right : b.upper())
      if (std::optional<Sum> sum = Sum::add(left, right); sum && sum != result.exact)
        addMost(result, *sum);
  return told(std::move(result));
}

Bounds Calculator::subtract(const Bounds &a, const Bounds &b) {
  Bounds result{ofBoth(a.exact, b.exact, Sum::subtract), {}, {}, together(a, b)};
  for (const Sum &left : a.lower())
    for (const Sum &right : b.upper())
      if (std::optional<Sum> sum = Sum::subtract(left, right); sum && sum != result.exact)
        addLeast(result, *sum);
  for (const Sum &left : a.upper())
    for (const Sum &right : b.lower())
      if (std::optional<Sum> sum = Sum::subtract(left, right); sum && sum != result.exact)
        addMost(result, *sum);
  return told(std::move(result));
}

Bounds Calculator::scale(const Bounds &a, int64_t by, const Needs &needs) {
  const Sum factor = Sum::number(by);
  Bounds result{ofBoth(a.exact, factor, Sum::multiply), {}, {}, needs};
  for (const Sum &sum : by < 0 ? a.upper() : a.lower())
    if (std::optional<Sum> product = Sum::multiply(sum, factor); product && product != result.exact)
      addLeast(result, *product);
  for (const Sum &sum : by < 0 ? a.lower() : a.upper()) {
    if (std::optional<Sum> product = Sum::multiply(sum, factor); product && product != result.exact)
      addMost(result, *product);
  }
  return told(std::move(result));
}

Bounds Calculator::multiply(const Bounds &a, const Bounds &b) {
  if (std::optional<int64_t> factor = b.exact ? b.exact->asNumber() : std::nullopt)
    return scale(a, *factor, together(a, b));
  if (std::optional<int64_t> factor = a.exact ? a.exact->asNumber() : std::nullopt)
    return scale(b, *factor, together(a, b));
  const Bounds left = notNegative(a), right = notNegative(b);
  if (!left.isBounded() || !right.isBounded())
    return {};
  Bounds result{ofBoth(a.exact, b.exact, Sum::multiply), {Sum()}, {}, together(left, right)};
  for (const Sum &x : left.least)
    for (const Sum &y : right.least)
      if (conditions.isAtMost(Sum(), x) && conditions.isAtMost(Sum(), y))
        if (std::optional<Sum> product = Sum::multiply(x, y))
          addLeast(result, *product);
  for (const Sum &x : left.most)
    for (const Sum &y : right.most)
      if (std::optional<Sum> product = Sum::multiply(x, y))
        addMost(result, *product);
  return told(std::move(result));
}

Bounds Calculator::divide(const Bounds &a, const Bounds &b) {
  const Bounds dividend = notNegative(a), divisor = atLeastNumber(b, 1);
  if (!dividend.isBounded() || !divisor.isBounded())
    return {};
  Bounds result{{}, {Sum()}, {}, together(dividend, divisor)};
  if (a.exact && b.exact)
    result.exact = symbols.quotient(*a.exact, *b.exact);
  for (const Sum &sum : dividend.most) {
    const size_t before = result.most.size();
    for (const Sum &by : divisor.least)
      if (conditions.isAtMost(Sum::number(1), by) || by == b.exact)
        if (std::optional<Sum> quotient = symbols.quotient(sum, by))
          addMost(result, *quotient);
    if (result.most.size() == before) // no less is known
      addMost(result, sum);
  }
  return result;
}

Bounds Calculator::remainder(const Bounds &a, const Bounds &b) {
  const Bounds dividend = notNegative(a), divisor = atLeastNumber(b, 1);
  if (!dividend.isBounded() || !divisor.isBounded())
    return {};
  Bounds result{{}, {Sum()}, {}, together(dividend, divisor)};
  for (const Sum &sum : dividend.most)
    addMost(result, sum);
  for (const Sum &sum : divisor.most)
    if (std::optional<Sum> last = Sum::subtract(sum, Sum::number(1)))
      addMost(result, *last);
  return result;
}

//===-- Choices --===//

Calculator::Sums Calculator::joinedMost(llvm::ArrayRef<Sum> a, llvm::ArrayRef<Sum> b,
                                        Needs &needs) {
  Bounds result;
  for (const Sum &x : a)
    for (const Sum &y : b)
      if (conditions.isAtMost(x, y))
        addMost(result, y);
      else if (conditions.isAtMost(y, x))
        addMost(result, x);
  if (!result.most.empty() || a.empty() || b.empty())
    return result.most;
  // No order in every launch; then in those that have the one that is to be expected.
  for (auto [x, y] : {std::pair(&a.front(), &b.front()), std::pair(&b.front(), &a.front())})
    if (x->asNumber())
      if (std::optional<Needs> order = conditions.atMost(*x, *y)) {
        merge(needs, *order);
        return {*y};
      }
  return {};
}

Calculator::Sums Calculator::joinedLeast(llvm::ArrayRef<Sum> a, llvm::ArrayRef<Sum> b,
                                         Needs &needs) {
  Bounds result;
  for (const Sum &x : a)
    for (const Sum &y : b)
      if (conditions.isAtMost(x, y))
        addLeast(result, x);
      else if (conditions.isAtMost(y, x))
        addLeast(result, y);
  if (!result.least.empty() || a.empty() || b.empty())
    return result.least;
  for (auto [x, y] : {std::pair(&a.front(), &b.front()), std::pair(&b.front(), &a.front())})
    if (x->asNumber())
      if (std::optional<Needs> order = conditions.atMost(*x, *y)) {
        merge(needs, *order);
        return {*x};
      }
  return {};
}

Bounds Calculator::joined(const Bounds &a, const Bounds &b) {
  Bounds result{{}, {}, {}, together(a, b)};
  if (a.exact == b.exact)
    result.exact = a.exact;
  result.least = joinedLeast(a.least, b.least, result.needs);
  result.most = joinedMost(a.most, b.most, result.needs);
  return result;
}

Bounds Calculator::smaller(const Bounds &a, const Bounds &b) {
  Bounds result{{}, {}, a.most, together(a, b)};
  for (const Sum &sum : b.most)
    addMost(result, sum);
  result.least = joinedLeast(a.least, b.least, result.needs);
  return result;
}

Bounds Calculator::larger(const Bounds &a, const Bounds &b) {
  Bounds result{{}, a.least, {}, together(a, b)};
  for (const Sum &sum : b.least)
    addLeast(result, sum);
  result.most = joinedMost(a.most, b.most, result.needs);
  return result;
}

Bounds Calculator::clamped(const Bounds &a, const Bounds &least, const Bounds &most) {
  // Not at the price of a condition: the ends are what is known.
  Bounds above = larger(a.needs.empty() ? a : Bounds(), least);
  if (above.needs.size() > least.needs.size()) {
    above.needs = least.needs;
    above.most.clear();
  }
  return smaller(above, most);
}

} // namespace spl::mir::bounds
