// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/LaunchContract.h"

#include "spl/abi/SignatureText.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace spl::detail {

using abi::Operation;

static bool changesNoValue(const abi::Step &step) {
  return step.operation == Operation::Parentheses || step.operation == Operation::MinOfFirst ||
         step.operation == Operation::MaxOfFirst;
}

LaunchContract::LaunchContract(const abi::Signature &signature)
    : steps(signature.contract->steps), conditions(abi::writeConditions(signature)) {
  std::erase_if(steps, changesNoValue);
  std::size_t first = 0;
  for (const Parameter &parameter : signature.parameters) {
    places.push_back({first, parameter.type.element.scalar()});
    first += 1 + static_cast<std::size_t>(parameter.type.rank);
  }
  for (const std::string &condition : conditions)
    text += (text.empty() ? "" : " and ") + condition;
}

namespace {

template <typename T> T read(const void *argument) {
  T value;
  std::memcpy(&value, argument, sizeof value);
  return value;
}

/// Writes the argument to \p value, unless it is one that compiled code takes for a negative
/// number.
bool load(ScalarType type, const void *argument, std::int64_t &value) {
  switch (type) {
  case ScalarType::I8:
    value = read<std::int8_t>(argument);
    return true;
  case ScalarType::I16:
    value = read<std::int16_t>(argument);
    return true;
  case ScalarType::I32:
    value = read<std::int32_t>(argument);
    return true;
  case ScalarType::I64:
    value = read<std::int64_t>(argument);
    return true;
  case ScalarType::U8:
    value = read<std::int8_t>(argument);
    return value >= 0;
  case ScalarType::U16:
    value = read<std::int16_t>(argument);
    return value >= 0;
  case ScalarType::U32:
    value = read<std::int32_t>(argument);
    return value >= 0;
  case ScalarType::U64:
    value = read<std::int64_t>(argument);
    return value >= 0;
  case ScalarType::Bool:
  case ScalarType::F16:
  case ScalarType::BF16:
  case ScalarType::F32:
  case ScalarType::F64:
    break; // no contract has these
  }
  return false;
}

} // namespace

const std::string *LaunchContract::firstUnmet(std::span<void *const> params,
                                              const Geometry &geometry) const noexcept {
  const std::string *current = conditions.data();
  std::array<std::int64_t, abi::Contract::maxDepth> stack;
  std::int64_t *top = stack.data(); // one past what is there
  for (const abi::Step &step : steps) {
    const auto position = static_cast<std::size_t>(step.operand);
    // Of two operands top[-1] is the left one and takes the result, top[0] the right one.
    top -= step.operation >= Operation::Add;
    switch (step.operation) {
    case Operation::Constant:
      *top++ = step.operand;
      break;
    case Operation::Argument:
      if (!load(places[position].type, params[places[position].first], *top++))
        return current;
      break;
    case Operation::Length:
    case Operation::Extent: // the extents come after the address
      *top++ = read<std::int64_t>(params[places[position].first + 1 + step.axis]);
      break;
    case Operation::NumGroups:
      *top++ = geometry.numGroups[step.axis];
      break;
    case Operation::LocalSize:
      *top++ = geometry.localSize[step.axis];
      break;
    case Operation::GlobalSize:
      if (__builtin_mul_overflow(geometry.numGroups[step.axis], geometry.localSize[step.axis],
                                 top++))
        return current;
      break;
    case Operation::Parentheses:
    case Operation::MinOfFirst:
    case Operation::MaxOfFirst:
      break; // are not in steps
    case Operation::Negate:
      if (__builtin_sub_overflow(std::int64_t{0}, top[-1], &top[-1]))
        return current;
      break;
    case Operation::Add:
      if (__builtin_add_overflow(top[-1], top[0], &top[-1]))
        return current;
      break;
    case Operation::Subtract:
      if (__builtin_sub_overflow(top[-1], top[0], &top[-1]))
        return current;
      break;
    case Operation::Multiply:
      if (__builtin_mul_overflow(top[-1], top[0], &top[-1]))
        return current;
      break;
    case Operation::Divide:
      if (top[-1] < 0 || top[0] < 1)
        return current;
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
        return current;
      --top;
      ++current;
      break;
    }
  }
  return nullptr;
}

} // namespace spl::detail
