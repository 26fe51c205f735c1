// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/abi/Contract.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace spl::abi {

Expression Expression::constant(std::int64_t value) {
  return Step{.operation = Operation::Constant, .operand = value};
}
Expression Expression::argument(std::size_t position) {
  return Step{.operation = Operation::Argument, .operand = static_cast<std::int64_t>(position)};
}
Expression Expression::part(std::size_t position, std::uint32_t offset) {
  return Step{.operation = Operation::Part,
              .offset = offset,
              .operand = static_cast<std::int64_t>(position)};
}
Expression Expression::length(std::size_t position) {
  return Step{.operation = Operation::Length, .operand = static_cast<std::int64_t>(position)};
}
Expression Expression::extent(std::size_t position, unsigned axis) {
  return Step{.operation = Operation::Extent,
              .axis = static_cast<std::uint8_t>(axis),
              .operand = static_cast<std::int64_t>(position)};
}
Expression Expression::numGroups(unsigned axis) {
  return Step{Operation::NumGroups, static_cast<std::uint8_t>(axis)};
}
Expression Expression::localSize(unsigned axis) {
  return Step{Operation::LocalSize, static_cast<std::uint8_t>(axis)};
}
Expression Expression::globalSize(unsigned axis) {
  return Step{Operation::GlobalSize, static_cast<std::uint8_t>(axis)};
}

Expression Expression::inParentheses() const {
  Expression result = *this;
  result.all.push_back({Operation::Parentheses});
  result.binding = Binding::Primary;
  ++result.levels;
  return result;
}

/// In parentheses, unless it binds as tightly as \p least or more so.
Expression Expression::bound(Binding least) && {
  return binding >= least ? std::move(*this) : inParentheses();
}

Expression Expression::negated() const {
  Expression result = Expression(*this).bound(Binding::Primary);
  result.all.push_back({Operation::Negate});
  result.binding = Binding::Factor;
  return result;
}

Expression Expression::combine(Operation operation, Expression left, Expression right) {
  const bool isSum = operation == Operation::Add || operation == Operation::Subtract;
  const Binding own = isSum ? Binding::Sum : Binding::Product;
  // Operations of one kind are read from left to right.
  Expression result = std::move(left).bound(own);
  right = std::move(right).bound(isSum ? Binding::Product : Binding::Factor);
  result.all.insert(result.all.end(), right.all.begin(), right.all.end());
  result.all.push_back({operation});
  result.binding = own;
  result.levels = std::max(result.levels, right.levels);
  return result;
}

Expression Expression::list(Operation first, Operation next, std::vector<Expression> values) {
  Expression result = std::move(values.front());
  result.all.push_back({first});
  for (std::size_t i = 1; i < values.size(); ++i) {
    result.all.insert(result.all.end(), values[i].all.begin(), values[i].all.end());
    result.all.push_back({next});
    result.levels = std::max(result.levels, values[i].levels);
  }
  result.binding = Binding::Primary;
  ++result.levels;
  return result;
}

Expression Expression::minOf(std::vector<Expression> values) {
  return list(Operation::MinOfFirst, Operation::Min, std::move(values));
}

Expression Expression::maxOf(std::vector<Expression> values) {
  return list(Operation::MaxOfFirst, Operation::Max, std::move(values));
}

void Contract::add(const Expression &smaller, const Expression &larger, std::size_t group) {
  for (const Expression *side : {&smaller, &larger})
    steps.insert(steps.end(), side->steps().begin(), side->steps().end());
  steps.push_back({.operation = Operation::AtMost, .operand = static_cast<std::int64_t>(group)});
}

std::size_t Contract::groupCount() const {
  return steps.empty() ? 1 : static_cast<std::size_t>(steps.back().operand) + 1;
}

std::size_t Contract::versionFor(unsigned unmet) const {
  if (unmet == 0)
    return Unchecked;
  if (groupCount() == 1 || !std::has_single_bit(unmet))
    return Checked;
  return FirstUnmet + static_cast<std::size_t>(std::countr_zero(unmet));
}

} // namespace spl::abi
