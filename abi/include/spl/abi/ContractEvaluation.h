// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The evaluation of launch contracts: by the runtime at each launch, and by the compiler for
/// launches that it assumes.
#ifndef SPL_ABI_CONTRACT_EVALUATION_H
#define SPL_ABI_CONTRACT_EVALUATION_H

#include "spl/abi/Contract.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace spl::abi {

/// Returns the number of the first condition that does not hold, or nothing if all hold. Arithmetic
/// is exact: a condition does not hold if a value does not fit in i64, and for a division of a
/// negative number or by a number below 1. Allocates nothing.
///
/// \p launch has the values of the launch. These functions write a value and return true, or return
/// false if the launch has none that a contract may use: `scalar(step, value)` for Argument and
/// Part. These return a value: `extent(step)` for Length and Extent, `numGroups(axis)` and
/// `localSize(axis)`.
template <class Launch>
std::optional<std::size_t> firstUnmet(std::span<const Step> steps, const Launch &launch) noexcept {
  std::size_t condition = 0;
  std::array<std::int64_t, Contract::maxDepth> stack;
  std::int64_t *top = stack.data(); // one past the last value
  for (const Step &step : steps) {
    // Of two operands top[-1] is the left one and takes the result, top[0] the right one.
    top -= step.operation >= Operation::Add;
    switch (step.operation) {
    case Operation::Constant:
      *top++ = step.operand;
      break;
    case Operation::Argument:
    case Operation::Part:
      if (!launch.scalar(step, *top++))
        return condition;
      break;
    case Operation::Length:
    case Operation::Extent:
      *top++ = launch.extent(step);
      break;
    case Operation::NumGroups:
      *top++ = launch.numGroups(step.axis);
      break;
    case Operation::LocalSize:
      *top++ = launch.localSize(step.axis);
      break;
    case Operation::GlobalSize:
      if (__builtin_mul_overflow(launch.numGroups(step.axis), launch.localSize(step.axis), top++))
        return condition;
      break;
    case Operation::Parentheses:
    case Operation::MinOfFirst:
    case Operation::MaxOfFirst:
      break;
    case Operation::Negate:
      if (__builtin_sub_overflow(std::int64_t{0}, top[-1], &top[-1]))
        return condition;
      break;
    case Operation::Add:
      if (__builtin_add_overflow(top[-1], top[0], &top[-1]))
        return condition;
      break;
    case Operation::Subtract:
      if (__builtin_sub_overflow(top[-1], top[0], &top[-1]))
        return condition;
      break;
    case Operation::Multiply:
      if (__builtin_mul_overflow(top[-1], top[0], &top[-1]))
        return condition;
      break;
    case Operation::Divide:
      if (top[-1] < 0 || top[0] < 1)
        return condition;
      top[-1] /= top[0];
      break;
    case Operation::Min:
      top[-1] = std::min(top[-1], top[0]);
      break;
    case Operation::Max:
      top[-1] = std::max(top[-1], top[0]);
      break;
    case Operation::AtMost:
      if (top[-1] > top[0])
        return condition;
      --top;
      ++condition;
      break;
    }
  }
  return std::nullopt;
}

/// Returns the groups that have a condition that does not hold, group g as bit g. The parameters
/// are those of firstUnmet.
template <class Launch>
unsigned unmetGroups(std::span<const Step> steps, const Launch &launch) noexcept {
  unsigned unmet = 0;
  while (const std::optional<std::size_t> condition = firstUnmet(steps, launch)) {
    std::size_t end = 0; // of that condition
    for (std::size_t ended = 0; ended <= *condition; ++end)
      ended += steps[end].operation == Operation::AtMost;
    unmet |= 1u << steps[end - 1].operand;
    steps = steps.subspan(end);
  }
  return unmet;
}

} // namespace spl::abi

#endif
