// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs that an index is in bounds by the elimination of what a launch does not determine: the
// index is one polynomial, and each unknown value in it is replaced by its lower or its upper
// bound, as the sign of its coefficient demands. Bounds.h's bounds of each subexpression lose what
// terms have in common: of i + j n - n with j >= 1 they only know that it is at least -n.
#include "mir/bounds/Analysis.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spl::mir::bounds {

/// Bounds that are tried for the unknown values of one proof.
static constexpr unsigned maxTries = 64;

class Analysis::Elimination {
public:
  explicit Elimination(Analysis &analysis) : analysis(analysis) {}

  std::optional<Polynomial> exactly(Value value, unsigned depth = 0);
  std::optional<Needs> notNegative(Polynomial sum, const Needs &needs);

private:
  struct Part {
    Polynomial coefficient, rest;
  };
  static std::optional<Part> split(const Polynomial &sum, Polynomial::SymbolId symbol);
  /// 1 or -1, with the conditions under which the coefficient is not negative, or not positive.
  std::optional<std::pair<int, Needs>> signOf(const Polynomial &coefficient);

  Analysis &analysis;
  unsigned tries = 0;
};

/// The polynomial that the value equals modulo 2^width.
std::optional<Polynomial> Analysis::Elimination::exactly(Value value, unsigned depth) {
  value = analysis.leader(value);
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) && depth < 16) {
    const std::optional<Polynomial> a = exactly(op->getOperand(0), depth + 1),
                                    b = exactly(op->getOperand(1), depth + 1);
    if (!a || !b)
      return std::nullopt;
    return isa<arith::AddIOp>(op)   ? Polynomial::add(*a, *b)
           : isa<arith::SubIOp>(op) ? Polynomial::subtract(*a, *b)
                                    : Polynomial::multiply(*a, *b);
  }
  const Bounds bounds = analysis.of(value);
  if (bounds.exact && bounds.needs.empty())
    return bounds.exact;
  return analysis.symbols.unknown(value);
}

std::optional<Analysis::Elimination::Part>
Analysis::Elimination::split(const Polynomial &sum, Polynomial::SymbolId symbol) {
  Part part;
  for (const auto &[monomial, coefficient] : sum.terms()) {
    const auto count = llvm::count(monomial, symbol);
    if (count > 1)
      return std::nullopt;
    std::optional<Polynomial> term = Polynomial::constant(coefficient);
    for (Polynomial::SymbolId factor : monomial)
      if (term && factor != symbol)
        term = Polynomial::multiply(*term, Polynomial::symbol(factor));
    Polynomial &to = count == 1 ? part.coefficient : part.rest;
    std::optional<Polynomial> next = term ? Polynomial::add(to, *term) : std::nullopt;
    if (!next)
      return std::nullopt;
    to = *next;
  }
  return part;
}

std::optional<std::pair<int, Needs>> Analysis::Elimination::signOf(const Polynomial &coefficient) {
  const Polynomial zero;
  const auto isPositive = [](const auto &term) { return term.second > 0; };
  if (llvm::all_of(coefficient.terms(), isPositive)) {
    if (std::optional<Needs> needs = analysis.conditions.atMost(zero, coefficient))
      return std::pair(1, *needs);
  } else if (llvm::none_of(coefficient.terms(), isPositive)) {
    if (std::optional<Needs> needs = analysis.conditions.atMost(coefficient, zero))
      return std::pair(-1, *needs);
  }
  return std::nullopt;
}

/// The conditions under which the sum is not negative, and \p needs.
std::optional<Needs> Analysis::Elimination::notNegative(Polynomial sum, const Needs &needs) {
  if (++tries > maxTries)
    return std::nullopt;
  if (analysis.conditions.isAtMost(Polynomial(), sum))
    return needs;
  // A launch cannot evaluate a quotient of other values, which may also be in the rest of the sum.
  if (!analysis.symbols.isKnownAtLaunch(sum))
    sum = analysis.symbols.withoutQuotients(sum, Symbols::Toward::Least).value_or(sum);
  std::optional<Polynomial::SymbolId> symbol;
  for (const auto &[monomial, coefficient] : sum.terms())
    for (Polynomial::SymbolId factor : monomial)
      if (analysis.symbols.valueOf(factor))
        symbol = std::max(symbol.value_or(0), factor);
  if (!symbol) {
    // The terms with a minus sign are on the left, as a person would write it.
    Polynomial left, right;
    for (const auto &[monomial, coefficient] : sum.terms()) {
      std::optional<Polynomial> term = Polynomial::constant(coefficient < 0 ? -1 : 1);
      term = Polynomial::multiply(*term, Polynomial::constant(coefficient));
      for (Polynomial::SymbolId factor : monomial)
        term = term ? Polynomial::multiply(*term, Polynomial::symbol(factor)) : std::nullopt;
      Polynomial &side = coefficient < 0 ? left : right;
      term = term ? Polynomial::add(side, *term) : std::nullopt;
      if (!term)
        return std::nullopt;
      side = *term;
    }
    std::optional<Needs> own = analysis.conditions.atMost(left, right);
    if (own)
      merge(*own, needs);
    return own;
  }
  const std::optional<Part> part = split(sum, *symbol);
  const auto sign = part ? signOf(part->coefficient) : std::nullopt;
  if (!sign)
    return std::nullopt;
  const Bounds bounds = analysis.of(analysis.symbols.valueOf(*symbol));
  // First the bounds that may have terms in common with the rest.
  for (bool isOfLaunch : {false, true})
    for (const Polynomial &bound : sign->first > 0 ? bounds.least : bounds.most) {
      const std::optional<Part> again = split(bound, *symbol);
      if (analysis.symbols.isKnownAtLaunch(bound) != isOfLaunch ||
          (again && !again->coefficient.terms().empty()))
        continue;
      std::optional<Polynomial> next = Polynomial::multiply(part->coefficient, bound);
      if (next)
        next = Polynomial::add(*next, part->rest);
      if (!next)
        continue;
      Needs all = needs;
      merge(all, sign->second);
      merge(all, bounds.needs);
      if (std::optional<Needs> found = notNegative(*next, all))
        return found;
    }
  return std::nullopt;
}

std::optional<Needs> Analysis::proveByElimination(Value condition) {
  auto compare = leader(condition).getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      compare.getLhs().getType().getIntOrFloatBitWidth() != 64)
    return std::nullopt;
  // 0 <= a < b shows that the polynomial is the value itself.
  Elimination below(*this), above(*this);
  const std::optional<Polynomial> a = below.exactly(compare.getLhs());
  const Bounds b = of(compare.getRhs());
  if (!a || !b.exact)
    return std::nullopt;
  const std::optional<Polynomial> last = Polynomial::subtract(*b.exact, Polynomial::constant(1));
  const std::optional<Polynomial> distance = last ? Polynomial::subtract(*last, *a) : std::nullopt;
  if (!distance)
    return std::nullopt;
  std::optional<Needs> needs = below.notNegative(*a, b.needs);
  if (needs)
    needs = above.notNegative(*distance, *needs);
  return needs && !needs->empty() && pairTables.isIndexed(condition) ? std::nullopt : needs;
}

} // namespace spl::mir::bounds
