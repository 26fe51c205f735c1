// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/LaunchContract.h"

#include "spl/abi/ContractEvaluation.h"
#include "spl/abi/SignatureText.h"

#include <cstring>

namespace spl::detail {

using abi::Operation;

static bool changesNoValue(const abi::Step &step) {
  return step.operation == Operation::Parentheses || step.operation == Operation::MinOfFirst ||
         step.operation == Operation::MaxOfFirst;
}

LaunchContract::LaunchContract(const abi::Signature &signature)
    : steps(signature.contract->steps), conditions(abi::writeConditions(signature)) {
  std::erase_if(steps, changesNoValue);
  std::vector<std::size_t> firsts; // of each parameter, among those of the kernel ABI
  std::size_t next = 0;
  for (const Parameter &parameter : signature.parameters) {
    firsts.push_back(next);
    next += 1 + static_cast<std::size_t>(parameter.type.rank);
  }
  for (abi::Step &step : steps) {
    const auto position = static_cast<std::size_t>(step.operand);
    if (step.operation == Operation::Argument || step.operation == Operation::Part) {
      const ElementType &type = signature.parameters[position].type.element;
      step.operand = static_cast<std::int64_t>(scalars.size());
      scalars.push_back({firsts[position], step.offset, scalarAt(type, step.offset)->type});
    } else if (step.operation == Operation::Length || step.operation == Operation::Extent) {
      // The extents come after the address.
      step.operand = static_cast<std::int64_t>(firsts[position]) + 1 + step.axis;
    }
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

struct LaunchContract::Launch {
  const LaunchContract &contract;
  std::span<void *const> params;
  const Geometry &geometry;

  bool scalar(const abi::Step &step, std::int64_t &value) const {
    const Scalar &scalar = contract.scalars[static_cast<std::size_t>(step.operand)];
    return load(scalar.type, static_cast<const char *>(params[scalar.first]) + scalar.offset,
                value);
  }
  std::int64_t extent(const abi::Step &step) const {
    return read<std::int64_t>(params[static_cast<std::size_t>(step.operand)]);
  }
  std::int64_t numGroups(unsigned axis) const { return geometry.numGroups[axis]; }
  std::int64_t localSize(unsigned axis) const { return geometry.localSize[axis]; }
};

const std::string *LaunchContract::firstUnmet(std::span<void *const> params,
                                              const Geometry &geometry) const noexcept {
  const std::optional<std::size_t> unmet = abi::firstUnmet(steps, Launch{*this, params, geometry});
  return unmet ? &conditions[*unmet] : nullptr;
}

} // namespace spl::detail
