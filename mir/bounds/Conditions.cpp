// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Conditions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

namespace spl::mir::bounds {

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

/// Takes what is added to all of the sums alike away, as far as no number is left below 0: then
/// "i - 1 <= n - 1" is "i <= n", and "0 <= n - 2" is "2 <= n".
static void dropCommonNumber(llvm::SmallVectorImpl<Sum> &a, llvm::SmallVectorImpl<Sum> &b) {
  auto numberIn = [](const Sum &sum) {
    auto place = sum.products().find({});
    return place == sum.products().end() ? 0 : place->second;
  };
  int64_t common = std::numeric_limits<int64_t>::max();
  for (const Sum &sum : llvm::concat<const Sum>(a, b))
    common = std::min(common, numberIn(sum));
  llvm::SmallVector<Sum> shifted;
  for (const Sum &sum : llvm::concat<const Sum>(a, b))
    if (std::optional<Sum> rest = Sum::subtract(sum, Sum::number(common)))
      shifted.push_back(*rest);
  if (shifted.size() != a.size() + b.size()) // a number is too large for it
    return;
  llvm::copy(llvm::ArrayRef(shifted).take_front(a.size()), a.begin());
  llvm::copy(llvm::ArrayRef(shifted).drop_front(a.size()), b.begin());
}

std::string Conditions::listed(llvm::ArrayRef<Sum> sums, llvm::StringRef function) const {
  if (sums.size() == 1)
    return symbols.text(sums.front());
  auto texts = llvm::map_range(sums, [&](const Sum &sum) { return symbols.text(sum); });
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
  if (llvm::none_of(condition.smaller, mayHold))
    return std::nullopt;
  dropCommonNumber(condition.smaller, condition.larger);
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

std::string Conditions::text(const Needs &needs) const {
  // One by one: whatever implied what is gone is there, or implied by what is.
  Needs kept = needs;
  for (unsigned condition : needs)
    if (llvm::any_of(
            kept, [&](unsigned other) { return other != condition && implies(other, condition); }))
      kept.erase(llvm::find(kept, condition));
  return llvm::join(llvm::map_range(kept, [&](unsigned id) { return conditions[id].text; }),
                    separator);
}

size_t Conditions::length(const Needs &needs) const {
  size_t letters = 0;
  for (unsigned condition : needs)
    letters += conditions[condition].text.size() + separator.size();
  return letters;
}

} // namespace spl::mir::bounds
