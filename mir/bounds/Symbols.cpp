// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Symbols.h"
#include "mir/dialect/GroupSize.h"
#include "mir/dialect/SmallSizes.h"
#include "spl/abi/Limits.h"
#include "spl/abi/SignatureText.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir;

namespace spl::mir::bounds {

//===-- Ranges --===//

/// The limit of ranges. No useful sum exceeds it, and sums of such numbers do not overflow.
static constexpr Wide farthest = Wide{1} << 120;

static std::optional<Range> within(Wide least, Wide most) {
  if (least < -farthest || most > farthest)
    return std::nullopt;
  return Range{least, most};
}

static std::optional<Range> multiply(Range a, Range b) {
  Wide corners[4];
  if (__builtin_mul_overflow(a.least, b.least, &corners[0]) ||
      __builtin_mul_overflow(a.least, b.most, &corners[1]) ||
      __builtin_mul_overflow(a.most, b.least, &corners[2]) ||
      __builtin_mul_overflow(a.most, b.most, &corners[3]))
    return std::nullopt;
  return within(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4));
}

std::optional<Range> Symbols::range(const Polynomial &sum) const { return range(sum, {}); }

std::optional<Range> Symbols::range(const Polynomial &sum,
                                    function_ref<Range(Value)> rangeOf) const {
  Range total{0, 0};
  for (const auto &[monomial, coefficient] : sum.terms()) {
    std::optional<Range> product = Range{coefficient, coefficient};
    for (Polynomial::SymbolId factor : monomial)
      if (product)
        product =
            multiply(*product, rangeOf && symbols[factor].value ? rangeOf(symbols[factor].value)
                                                                : symbols[factor].range);
    if (!product)
      return std::nullopt;
    std::optional<Range> next = within(total.least + product->least, total.most + product->most);
    if (!next)
      return std::nullopt;
    total = *next;
  }
  return total;
}

//===-- Symbols --===//

Polynomial Symbols::ofLaunch(const abi::Expression &expression, Range range) {
  auto [place, isNew] = bySteps.try_emplace(expression.steps(), symbols.size());
  if (isNew)
    symbols.push_back({.expression = expression, .range = range});
  return Polynomial::symbol(place->second);
}

Polynomial Symbols::numGroups(unsigned axis) {
  Polynomial sum = ofLaunch(abi::Expression::numGroups(axis), {1, abi::maxGroups[axis]});
  symbols[sum.terms().begin()->first.front()].numGroupsAxis = axis;
  return sum;
}

Polynomial Symbols::localSize(unsigned axis) {
  if (const std::optional fixed = fixedGroupSize(kernel.getSignature()))
    return Polynomial::constant((*fixed)[axis]);
  Polynomial sum = ofLaunch(abi::Expression::localSize(axis), {1, abi::maxLocalSize[axis]});
  symbols[sum.terms().begin()->first.front()].localSizeAxis = axis;
  return sum;
}

/// The position of the argument's parameter in the signature, or std::nullopt.
std::optional<size_t> Symbols::positionOf(BlockArgument argument) {
  auto name = kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), SplDialect::nameAttr);
  return name ? kernel.getSignature().indexOf(name.getValue()) : std::nullopt;
}

Polynomial Symbols::extent(BlockArgument slice, unsigned axis) {
  if (kernel.getArgAttr(slice.getArgNumber(), SplDialect::byValueAttr))
    return Polynomial::constant(1);
  const std::optional<size_t> position = positionOf(slice);
  const int rank = int(cast<SliceType>(slice.getType()).getRank());
  if (!position || kernel.getSignature().parameters[*position].type.rank != rank)
    return unknown(slice, axis);
  return ofLaunch(rank == 1 ? abi::Expression::length(*position)
                            : abi::Expression::extent(*position, axis),
                  {0, hasSmallSizes(kernel) ? maxSmallSize : abi::maxExtent});
}

static Range rangeOf(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  unsigned bits = integer ? integer.getWidth() : 64;
  return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

Polynomial Symbols::argument(BlockArgument scalar) {
  const std::optional<size_t> position = positionOf(scalar);
  if (!position || !kernel.getSignature().parameters[*position].type.isInteger())
    return unknown(scalar);
  return ofLaunch(abi::Expression::argument(*position), rangeOf(scalar.getType()));
}

/// The offset in bytes of the scalar at the end of the path, or std::nullopt if there is none.
static std::optional<uint32_t> offsetOf(ElementType type, ArrayRef<int64_t> path) {
  size_t offset = 0;
  for (int64_t number : path) {
    const bool isStruct = type.kind() == ElementType::Kind::Struct;
    if (number < 0 || number >= (isStruct ? int64_t(type.fields().size()) : type.length()))
      return std::nullopt;
    if (isStruct)
      offset += type.fields()[number].offset;
    type = ElementType(isStruct                                  ? type.fields()[number].type
                       : type.kind() == ElementType::Kind::Array ? type.element()
                                                                 : ElementType(type.scalar()));
    if (!isStruct)
      offset += size_t(number) * type.size();
  }
  if (!ParameterType{type}.isInteger() || offset > std::numeric_limits<uint32_t>::max())
    return std::nullopt;
  return uint32_t(offset);
}

Polynomial Symbols::part(BlockArgument composed, ArrayRef<int64_t> path, Value value) {
  const std::optional<size_t> position = positionOf(composed);
  if (!position || !kernel.getSignature().parameters[*position].type.isComposed())
    return unknown(value);
  const ElementType &type = kernel.getSignature().parameters[*position].type.element;
  const std::optional<uint32_t> offset = offsetOf(type, path);
  if (!offset)
    return unknown(value);
  return ofLaunch(abi::Expression::part(*position, *offset), rangeOf(value.getType()));
}

Polynomial Symbols::unknown(Value value, std::optional<unsigned> axis) {
  auto [place, isNew] = byValue.try_emplace({value, axis.value_or(~0u)}, symbols.size());
  if (isNew)
    symbols.push_back({.range = axis ? Range{0, abi::maxExtent} : rangeOf(value.getType()),
                       .value = axis ? Value() : value});
  return Polynomial::symbol(place->second);
}

std::optional<Polynomial> Symbols::quotient(const Polynomial &of, const Polynomial &by) {
  if (std::optional<int64_t> divisor = by.asConstant(); divisor && *divisor > 0) {
    // For example, (4 n + 7) / 4 is n + 1 for each n.
    Polynomial result;
    bool isWhole = true;
    for (const auto &[monomial, coefficient] : of.terms()) {
      const bool isNumber = monomial.empty();
      isWhole &= isNumber || coefficient % *divisor == 0;
      int64_t part = coefficient / *divisor - (isNumber && coefficient % *divisor < 0);
      Polynomial term = Polynomial::constant(part);
      for (Polynomial::SymbolId factor : monomial)
        term = *Polynomial::multiply(term, Polynomial::symbol(factor));
      result = *Polynomial::add(result, term);
    }
    if (isWhole)
      return result;
  }
  std::optional<Range> above = range(of), below = range(by);
  if (!above)
    return std::nullopt;
  Wide least = below ? std::max<Wide>(below->least, 1) : 1;
  const bool isKnownAtLaunch = this->isKnownAtLaunch(of) && this->isKnownAtLaunch(by);
  auto known = llvm::find_if(
      symbols, [&](const Symbol &symbol) { return symbol.quotient == std::pair(of, by); });
  Polynomial::SymbolId id = known - symbols.begin();
  if (known == symbols.end())
    symbols.push_back({.expression = isKnownAtLaunch
                                         ? std::optional(abi::Expression::combine(
                                               abi::Operation::Divide, operand(of), operand(by)))
                                         : std::nullopt,
                       .range = {0, std::max<Wide>(above->most, 0) / least},
                       .quotient = std::pair(of, by)});
  return Polynomial::symbol(id);
}

std::optional<Polynomial> Symbols::withoutQuotients(const Polynomial &sum, Toward end) const {
  std::optional<Polynomial> result = sum;
  for (const auto &[monomial, coefficient] : sum.terms()) {
    if (monomial.size() != 1 || !symbols[monomial.front()].quotient)
      continue;
    const auto &[of, by] = *symbols[monomial.front()].quotient;
    std::optional<int64_t> divisor = by.asConstant();
    const bool isWhole = divisor && coefficient % *divisor == 0;
    const bool isUpper = (coefficient > 0) == (end == Toward::Most); // the quotient's upper bound
    if (!divisor || !(isWhole || isUpper))
      continue;
    // (of / by) * by is at most of, and at least of - (by - 1). Because of is not negative, a part
    // of it is at most of too.
    const int64_t times = coefficient / *divisor + (isWhole ? 0 : (coefficient > 0 ? 1 : -1));
    std::optional<Polynomial> whole =
        isUpper ? std::optional(of) : Polynomial::subtract(of, Polynomial::constant(*divisor - 1));
    whole = whole ? Polynomial::multiply(*whole, Polynomial::constant(times)) : std::nullopt;
    std::optional<Polynomial> gone = Polynomial::multiply(Polynomial::symbol(monomial.front()),
                                                          Polynomial::constant(coefficient));
    result = result ? Polynomial::subtract(*result, *gone) : std::nullopt;
    result = result && whole ? Polynomial::add(*result, *whole) : std::nullopt;
  }
  return result;
}

bool Symbols::isKnownAtLaunch(const Polynomial &sum) const {
  return llvm::all_of(sum.terms(), [&](const auto &product) {
    return llvm::all_of(product.first, [&](Polynomial::SymbolId factor) {
      return symbols[factor].expression.has_value();
    });
  });
}

//===-- Expressions --===//

/// The sum as an operand: in parentheses if it is more than one symbol or number.
abi::Expression Symbols::operand(const Polynomial &sum) const {
  const auto &products = sum.terms();
  const bool isOne =
      sum.asConstant() >= 0 || (products.size() == 1 && products.begin()->first.size() == 1 &&
                                products.begin()->second == 1);
  return isOne ? expression(sum) : expression(sum).inParentheses();
}

abi::Expression Symbols::term(const Polynomial::Monomial &monomial, int64_t coefficient,
                              bool isNegated) const {
  Polynomial::Monomial rest = monomial;
  llvm::SmallVector<abi::Expression> factors;
  if (coefficient != 1 || monomial.empty())
    factors.push_back(abi::Expression::constant(coefficient));
  // The number of groups times the group size is the global size.
  for (unsigned axis : {0u, 1u, 2u}) {
    auto groups = llvm::find_if(rest, [&](auto id) { return symbols[id].numGroupsAxis == axis; });
    auto local = llvm::find_if(rest, [&](auto id) { return symbols[id].localSizeAxis == axis; });
    if (groups == rest.end() || local == rest.end())
      continue;
    const Polynomial::SymbolId pair[] = {*groups, *local};
    for (Polynomial::SymbolId id : pair)
      rest.erase(llvm::find(rest, id));
    factors.push_back(abi::Expression::globalSize(axis));
  }
  for (Polynomial::SymbolId id : rest)
    factors.push_back(symbols[id].quotient ? symbols[id].expression->inParentheses()
                                           : *symbols[id].expression);
  abi::Expression product = isNegated ? factors.front().negated() : factors.front();
  for (const abi::Expression &factor : llvm::drop_begin(factors))
    product = abi::Expression::combine(abi::Operation::Multiply, product, factor);
  return product;
}

abi::Expression Symbols::expression(const Polynomial &sum) const {
  std::optional<abi::Expression> result;
  auto add = [&](const Polynomial::Monomial &monomial, int64_t coefficient) {
    result =
        result ? abi::Expression::combine(abi::Operation::Add, *result, term(monomial, coefficient))
               : term(monomial, coefficient);
  };
  auto subtract = [&](const Polynomial::Monomial &monomial, int64_t coefficient) {
    result = result ? abi::Expression::combine(abi::Operation::Subtract, *result,
                                               term(monomial, coefficient))
                    : term(monomial, coefficient, /*isNegated=*/true);
  };
  // The order is: positive terms, then negative terms; in each, products of symbols, then the
  // number.
  for (bool isSum : {true, false})
    for (const auto &[monomial, coefficient] : llvm::reverse(sum.terms())) {
      if (isSum != (coefficient > 0))
        continue;
      if (isSum) {
        add(monomial, coefficient);
      } else if (coefficient == std::numeric_limits<int64_t>::min()) { // its negative overflows
        subtract(monomial, -(coefficient + 1));
        subtract(monomial, 1);
      } else {
        subtract(monomial, -coefficient);
      }
    }
  return result ? *result : abi::Expression::constant(0);
}

std::string Symbols::text(const abi::Expression &expression) const {
  return writeExpression(expression, KernelOp(kernel).getSignature());
}

} // namespace spl::mir::bounds
