// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Conditions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

namespace spl::mir::bounds {

static constexpr int64_t largestI32 = std::numeric_limits<int32_t>::max();
static constexpr llvm::StringLiteral separator = " and ";

void merge(Needs &needs, const Needs &more) {
  for (unsigned condition : more)
    if (!llvm::is_contained(needs, condition))
      needs.push_back(condition);
}

bool Conditions::isAtMost(const Sum &smaller, const Sum &larger) const {
  // Numbers apart: the distance to the ends of a type may be no number of 64 bits.
  if (std::optional<int64_t> number = smaller.asNumber()) {
    std::optional<Range> range = symbols.range(larger);
    return range && *number <= range->least;
  }
  if (std::optional<int64_t> number = larger.asNumber()) {
    std::optional<Range> range = symbols.range(smaller);
    return range && range->most <= *number;
  }
  std::optional<Sum> distance = Sum::subtract(larger, smaller);
  if (!distance)
    return false;
  std::optional<Range> range = symbols.range(*distance);
  if (range && range->least >= 0)
    return true;
  std::optional<Sum> below = symbols.withoutQuotients(*distance, Symbols::Toward::Least);
  range = below && below != distance ? symbols.range(*below) : std::nullopt;
  return range && range->least >= 0;
}

/// Takes what is added to all of the sums alike away, and adds numbers until none is below 0: then
/// "i - 1 <= n - 1" is "i <= n", and "0 <= n - 2" is "2 <= n".
static void dropCommon(llvm::SmallVectorImpl<Sum> &a, llvm::SmallVectorImpl<Sum> &b) {
  auto countIn = [](const Sum &sum, const Sum::Factors &factors) {
    auto place = sum.products().find(factors);
    return place == sum.products().end() ? 0 : place->second;
  };
  llvm::SmallVector<Sum::Factors> all{{}};
  for (const Sum &sum : llvm::concat<const Sum>(a, b))
    for (const auto &[factors, count] : sum.products())
      if (!llvm::is_contained(all, factors))
        all.push_back(factors);
  for (const Sum::Factors &factors : all) {
    int64_t common = std::numeric_limits<int64_t>::max();
    for (const Sum &sum : llvm::concat<const Sum>(a, b))
      common = std::min(common, countIn(sum, factors));
    if (common < 0 && !factors.empty()) // a difference reads better than a sum on either side
      continue;
    std::optional<Sum> part = Sum::number(common);
    for (Sum::SymbolId factor : factors)
      part = part ? Sum::multiply(*part, Sum::symbol(factor)) : std::nullopt;
    llvm::SmallVector<Sum> shifted;
    for (const Sum &sum : llvm::concat<const Sum>(a, b))
      if (std::optional<Sum> rest = part ? Sum::subtract(sum, *part) : std::nullopt)
        shifted.push_back(*rest);
    if (shifted.size() != a.size() + b.size()) // a number is too large for it
      continue;
    llvm::copy(llvm::ArrayRef(shifted).take_front(a.size()), a.begin());
    llvm::copy(llvm::ArrayRef(shifted).drop_front(a.size()), b.begin());
  }
}

std::string Conditions::listed(llvm::ArrayRef<Sum> sums, llvm::StringRef function) const {
  if (sums.size() == 1)
    return symbols.text(sums.front());
  llvm::SmallVector<std::string> texts(
      llvm::map_range(sums, [&](const Sum &sum) { return symbols.text(sum); }));
  llvm::sort(texts); // conditions are told apart by their text
  return (function + "(" + llvm::join(texts, ", ") + ")").str();
}

std::optional<Needs> Conditions::atMost(llvm::ArrayRef<Sum> smaller, llvm::ArrayRef<Sum> larger) {
  for (const Sum &a : smaller)
    for (const Sum &b : larger)
      if (isAtMost(a, b))
        return Needs();
  // Those that a launch tells stand for all: there are fewer to choose from then.
  auto isOfLaunch = [&](const Sum &sum) { return symbols.isOfLaunch(sum); };
  Condition condition{Sums(llvm::make_filter_range(smaller, isOfLaunch)),
                      Sums(llvm::make_filter_range(larger, isOfLaunch)),
                      {}};
  auto mayHold = [&](const Sum &a) {
    return llvm::any_of(condition.larger, [&](const Sum &b) {
      std::optional<Sum> past = Sum::add(b, Sum::number(1));
      return !past || !isAtMost(*past, a);
    });
  };
  // A length that is at least what a type of 32 bits holds is none that launches have.
  auto isSize = [](const Sum &sum) { return !(sum.asNumber() >= largestI32); };
  const bool isOfLengths =
      llvm::none_of(condition.larger, [](const Sum &sum) { return sum.asNumber().has_value(); });
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
  auto single = [](const Condition &condition) -> std::optional<Sum> {
    if (condition.smaller.size() != 1 || condition.larger.size() != 1)
      return std::nullopt;
    return Sum::subtract(condition.larger.front(), condition.smaller.front());
  };
  if (std::optional<Sum> room = single(a), otherRoom = single(b); room && otherRoom)
    return isAtMost(*room, *otherRoom);
  return llvm::all_of(a.smaller,
                      [&](const Sum &x) {
                        return llvm::any_of(b.smaller,
                                            [&](const Sum &y) { return isAtMost(y, x); });
                      }) &&
         llvm::all_of(a.larger, [&](const Sum &x) {
           return llvm::any_of(b.larger, [&](const Sum &y) { return isAtMost(x, y); });
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
