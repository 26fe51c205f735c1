// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Conditions.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

namespace spl::mir::bounds {

static constexpr int64_t maxI32 = std::numeric_limits<int32_t>::max();

void merge(Needs &needs, const Needs &more) {
  for (unsigned condition : more)
    if (!llvm::is_contained(needs, condition))
      needs.push_back(condition);
}

bool Conditions::isAtMost(const Polynomial &smaller, const Polynomial &larger) const {
  // Constants are a special case: the difference from the limits of a type may exceed 64 bits.
  if (std::optional<int64_t> number = smaller.asConstant()) {
    std::optional<Range> range = symbols.range(larger);
    if (range && *number <= range->least)
      return true;
  }
  if (std::optional<int64_t> number = larger.asConstant()) {
    std::optional<Range> range = symbols.range(smaller);
    if (range && range->most <= *number)
      return true;
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
    int64_t common = std::numeric_limits<int64_t>::max(), most = -common;
    for (const Polynomial &sum : llvm::concat<const Polynomial>(a, b)) {
      common = std::min(common, coefficientOf(sum, monomial));
      most = std::max(most, coefficientOf(sum, monomial));
    }
    const auto areAllAbove = [](llvm::ArrayRef<Polynomial> sums, int64_t number) {
      return llvm::all_of(sums, [&](const Polynomial &sum) { return sum.asConstant() >= number; });
    };
    const int64_t least = std::numeric_limits<int64_t>::min();
    if (common < 0 && monomial.empty()) {
      // A number alone stays alone, because sums with the limits of a type exceed 64 bits.
      if (areAllAbove(a, least))
        for (common = least; const Polynomial &sum : b)
          common = std::max(common, coefficientOf(sum, monomial));
    } else if (common < 0) {
      // A difference is easier to read than a sum on each side, but not than one sum and 0.
      // The limits of the type stay alone here too.
      const bool areNumbers = areAllAbove(a, least / 2);
      if (most < 0)
        common = most;
      else if (!areNumbers)
        continue;
    }
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

/// Writes "s <= max(n - a, n - b)" as "min(s + a, s + b) <= n". Other conditions stay.
static void preferMinimum(llvm::SmallVectorImpl<Polynomial> &smaller,
                          llvm::SmallVectorImpl<Polynomial> &larger) {
  if (smaller.size() != 1 || larger.size() < 2)
    return;
  std::optional<Polynomial> common;
  llvm::SmallVector<Polynomial> rests;
  for (const Polynomial &sum : larger) {
    const std::optional<Polynomial> room = Polynomial::subtract(sum, smaller.front());
    Polynomial positive;
    if (room)
      for (const auto &[monomial, coefficient] : room->terms())
        if (coefficient > 0)
          positive = *Polynomial::add(positive, Polynomial::product(monomial, coefficient));
    const std::optional<Polynomial> rest =
        room ? Polynomial::subtract(positive, *room) : std::nullopt;
    if (!rest || rest->terms().empty() || (common && *common != positive))
      return;
    common = positive;
    rests.push_back(*rest);
  }
  smaller.assign(rests.begin(), rests.end());
  larger.assign({*common});
}

abi::Expression Conditions::joined(llvm::ArrayRef<Polynomial> sums, Join join) const {
  if (sums.size() == 1)
    return symbols.expression(sums.front());
  // Sorted by their text, so that equal conditions have equal steps.
  std::multimap<std::string, abi::Expression> sorted;
  for (const Polynomial &sum : sums) {
    abi::Expression expression = symbols.expression(sum);
    sorted.emplace(symbols.text(expression), expression);
  }
  auto values = llvm::make_second_range(sorted);
  return join({values.begin(), values.end()});
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
  preferMinimum(condition.smaller, condition.larger);
  const abi::Expression least = joined(condition.smaller, abi::Expression::minOf),
                        most = joined(condition.larger, abi::Expression::maxOf);
  if (std::max(least.nesting(), most.nesting()) > abi::Contract::maxNesting)
    return std::nullopt;
  abi::Contract alone;
  alone.add(least, most);
  condition.steps = std::move(alone.steps);
  auto [place, isNew] = numbers.try_emplace(condition.steps, conditions.size());
  if (isNew)
    conditions.push_back(std::move(condition));
  return Needs{place->second};
}

namespace {
/// By how much one sum is larger than another: a sum without a number, and a number, which may
/// exceed 64 bits.
struct Room {
  Polynomial sum;
  Wide number;
};
} // namespace

static std::optional<Room> roomBetween(const Polynomial &smaller, const Polynomial &larger) {
  auto numberOf = [](const Polynomial &sum) {
    auto number = sum.terms().find({});
    return number == sum.terms().end() ? 0 : number->second;
  };
  auto rest = [&](const Polynomial &sum) {
    return Polynomial::subtract(sum, Polynomial::constant(numberOf(sum)));
  };
  std::optional<Polynomial> sum = Polynomial::subtract(*rest(larger), *rest(smaller));
  if (!sum)
    return std::nullopt;
  return Room{*sum, Wide(numberOf(larger)) - numberOf(smaller)};
}

bool Conditions::implies(unsigned one, unsigned other) const {
  if (one == other)
    return true;
  const Condition &a = conditions[one], &b = conditions[other];
  auto single = [](const Condition &condition) -> std::optional<Room> {
    if (condition.smaller.size() != 1 || condition.larger.size() != 1)
      return std::nullopt;
    return roomBetween(condition.smaller.front(), condition.larger.front());
  };
  if (std::optional<Room> room = single(a), otherRoom = single(b); room && otherRoom) {
    const Wide by = room->number - otherRoom->number;
    if (room->sum == otherRoom->sum)
      return by <= 0;
    std::optional<Polynomial> moved =
        by == int64_t(by) ? Polynomial::add(room->sum, Polynomial::constant(int64_t(by)))
                          : std::nullopt;
    return moved && isAtMost(*moved, otherRoom->sum);
  }
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
    if (implies(other, condition))
      return false;
  llvm::erase_if(needs, [&](unsigned other) { return implies(condition, other); });
  needs.push_back(condition);
  return true;
}

abi::Contract Conditions::contract(const Needs &needs) const {
  return contract(llvm::ArrayRef<Needs>(needs));
}

abi::Contract Conditions::contract(llvm::ArrayRef<Needs> groups) const {
  abi::Contract contract;
  for (auto [number, needs] : llvm::enumerate(groups))
    for (unsigned condition : needs) {
      llvm::append_range(contract.steps, conditions[condition].steps);
      contract.steps.back().operand = int64_t(number); // of its AtMost
    }
  return contract;
}

size_t Conditions::stepCount(const Needs &needs) const {
  size_t count = 0;
  for (unsigned condition : needs)
    count += conditions[condition].steps.size();
  return count;
}

} // namespace spl::mir::bounds
