// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Conditions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

namespace spl::mir::bounds {

static constexpr int64_t maxI32 = std::numeric_limits<int32_t>::max();
static constexpr llvm::StringLiteral separator = " and ";

void merge(Needs &needs, const Needs &more) {
  for (unsigned condition : more)
    if (!llvm::is_contained(needs, condition))
      needs.push_back(condition);
}

bool Conditions::isAtMost(const Polynomial &smaller, const Polynomial &larger) const {
  // Constants are a special case: the difference from the limits of a type may exceed 64 bits.
  if (std::optional<int64_t> number = smaller.asConstant()) {
    std::optional<Range> range = symbols.range(larger);
    return range && *number <= range->least;
  }
  if (std::optional<int64_t> number = larger.asConstant()) {
    std::optional<Range> range = symbols.range(smaller);
    return range && range->most <= *number;
  }
  std::optional<Polynomial> distance = Polynomial::subtract(larger, smaller);
  if (!distance)
    return false;
  std::optional<Range> range = symbols.range(*distance);
  if (range && range->least >= 0)
    return true;
  std::optional<Polynomial> below = symbols.withoutQuotients(*distance, Symbols::Toward::Least);
  range = below && below != distance ? symbols.range(*below) : std::nullopt;
  return range && range->least >= 0;
}

/// Subtracts the common terms of all sums. Then adds a number to all sums, so that none is
/// negative. For example, "i - 1 <= n - 1" becomes "i <= n", and "0 <= n - 2" becomes "2 <= n".
static void dropCommon(llvm::SmallVectorImpl<Polynomial> &a, llvm::SmallVectorImpl<Polynomial> &b) {
  auto coefficientOf = [](const Polynomial &sum, const Polynomial::Monomial &monomial) {
    auto place = sum.terms().find(monomial);
    return place == sum.terms().end() ? 0 : place->second;
  };
  llvm::SmallVector<Polynomial::Monomial> all{{}};
  for (const Polynomial &sum : llvm::concat<const Polynomial>(a, b))
    for (const auto &[monomial, coefficient] : sum.terms())
      if (!llvm::is_contained(all, monomial))
        all.push_back(monomial);
  for (const Polynomial::Monomial &monomial : all) {
    int64_t common = std::numeric_limits<int64_t>::max();
    for (const Polynomial &sum : llvm::concat<const Polynomial>(a, b))
      common = std::min(common, coefficientOf(sum, monomial));
    if (common < 0 && !monomial.empty()) // a difference is easier to read than a sum on each side
      continue;
    std::optional<Polynomial> part = Polynomial::constant(common);
    for (Polynomial::SymbolId factor : monomial)
      part = part ? Polynomial::multiply(*part, Polynomial::symbol(factor)) : std::nullopt;
    llvm::SmallVector<Polynomial> shifted;
    for (const Polynomial &sum : llvm::concat<const Polynomial>(a, b))
      if (std::optional<Polynomial> rest = part ? Polynomial::subtract(sum, *part) : std::nullopt)
        shifted.push_back(*rest);
    if (shifted.size() != a.size() + b.size()) // a coefficient would be too large
      continue;
    llvm::copy(llvm::ArrayRef(shifted).take_front(a.size()), a.begin());
    llvm::copy(llvm::ArrayRef(shifted).drop_front(a.size()), b.begin());
  }
}

std::string Conditions::listed(llvm::ArrayRef<Polynomial> sums, llvm::StringRef function) const {
  if (sums.size() == 1)
    return symbols.text(sums.front());
  llvm::SmallVector<std::string> texts(
      llvm::map_range(sums, [&](const Polynomial &sum) { return symbols.text(sum); }));
  llvm::sort(texts); // conditions with the same text are the same
  return (function + "(" + llvm::join(texts, ", ") + ")").str();
}

std::optional<Needs> Conditions::atMost(llvm::ArrayRef<Polynomial> smaller,
                                        llvm::ArrayRef<Polynomial> larger) {
  for (const Polynomial &a : smaller)
    for (const Polynomial &b : larger)
      if (isAtMost(a, b))
        return Needs();
  // Uses only the sums that a launch can evaluate. This makes the condition stronger.
  auto isKnownAtLaunch = [&](const Polynomial &sum) { return symbols.isKnownAtLaunch(sum); };
  Condition condition{Polynomials(llvm::make_filter_range(smaller, isKnownAtLaunch)),
                      Polynomials(llvm::make_filter_range(larger, isKnownAtLaunch)),
                      {}};
  auto mayHold = [&](const Polynomial &a) {
    return llvm::any_of(condition.larger, [&](const Polynomial &b) {
      std::optional<Polynomial> past = Polynomial::add(b, Polynomial::constant(1));
      return !past || !isAtMost(*past, a);
    });
  };
  // No launch has a length of 2^31 - 1 or more. A condition that requires one would never hold.
  auto isSize = [](const Polynomial &sum) { return !(sum.asConstant() >= maxI32); };
  const bool isOfLengths = llvm::none_of(
      condition.larger, [](const Polynomial &sum) { return sum.asConstant().has_value(); });
  if (llvm::none_of(condition.smaller, mayHold) ||
      (isOfLengths && llvm::none_of(condition.smaller, isSize)))
    return std::nullopt;
  dropCommon(condition.smaller, condition.larger);
  condition.text = listed(condition.smaller, "min") + " <= " + listed(condition.larger, "max");
  auto [place, isNew] = numbers.try_emplace(condition.text, conditions.size());
  if (isNew)
    conditions.push_back(std::move(condition));
  return Needs{place->second};
}

bool Conditions::implies(unsigned one, unsigned other) const {
  const Condition &a = conditions[one], &b = conditions[other];
  auto single = [](const Condition &condition) -> std::optional<Polynomial> {
    if (condition.smaller.size() != 1 || condition.larger.size() != 1)
      return std::nullopt;
    return Polynomial::subtract(condition.larger.front(), condition.smaller.front());
  };
  if (std::optional<Polynomial> room = single(a), otherRoom = single(b); room && otherRoom)
    return isAtMost(*room, *otherRoom);
  return llvm::all_of(a.smaller,
                      [&](const Polynomial &x) {
                        return llvm::any_of(b.smaller,
                                            [&](const Polynomial &y) { return isAtMost(y, x); });
                      }) &&
         llvm::all_of(a.larger, [&](const Polynomial &x) {
           return llvm::any_of(b.larger, [&](const Polynomial &y) { return isAtMost(x, y); });
         });
}

bool Conditions::extend(Needs &needs, unsigned condition) const {
  for (unsigned other : needs)
    if (other == condition || implies(other, condition))
      return false;
  llvm::erase_if(needs, [&](unsigned other) { return implies(condition, other); });
  needs.push_back(condition);
  return true;
}

std::string Conditions::text(const Needs &needs) const {
  return llvm::join(llvm::map_range(needs, [&](unsigned id) { return conditions[id].text; }),
                    separator);
}

size_t Conditions::length(const Needs &needs) const {
  size_t letters = 0;
  for (unsigned condition : needs)
    letters += conditions[condition].text.size() + separator.size();
  return letters;
}

} // namespace spl::mir::bounds
