// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/LaunchContract.h"

#include "spl/abi/ContractEvaluation.h"
#include "spl/abi/Limits.h"
#include "spl/abi/SignatureText.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace spl::detail {

using abi::Operation;

static bool changesNoValue(const abi::Step &step) {
  return step.operation == Operation::Parentheses || step.operation == Operation::MinOfFirst ||
         step.operation == Operation::MaxOfFirst;
}

/// The text of a value of the launch, or nothing for other steps.
static std::string nameOf(const abi::Step &step, const abi::Signature &signature) {
  const auto position = static_cast<std::size_t>(step.operand);
  auto text = [&](const abi::Expression &expression) {
    return abi::writeExpression(expression, signature);
  };
  switch (step.operation) {
  case Operation::Argument:
    return text(abi::Expression::argument(position));
  case Operation::Part:
    return text(abi::Expression::part(position, step.offset));
  case Operation::Length:
    return text(abi::Expression::length(position));
  case Operation::Extent:
    return text(abi::Expression::extent(position, step.axis));
  case Operation::NumGroups:
    return text(abi::Expression::numGroups(step.axis));
  case Operation::LocalSize:
    return text(abi::Expression::localSize(step.axis));
  case Operation::GlobalSize:
    return text(abi::Expression::globalSize(step.axis));
  default:
    return "";
  }
}

LaunchContract::LaunchContract(const abi::Signature &signature)
    : contract(*signature.contract), conditions(abi::writeConditions(signature)) {
  std::erase_if(contract.steps, changesNoValue);
  std::vector<std::size_t> firsts; // of each parameter, among those of the kernel ABI
  std::size_t next = 0;
  for (const Parameter &parameter : signature.parameters) {
    firsts.push_back(next);
    next += 1 + static_cast<std::size_t>(parameter.type.rank);
  }
  for (abi::Step &step : contract.steps) {
    names.push_back(nameOf(step, signature));
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
  const LaunchContract &owner;
  std::span<void *const> params;
  const Geometry &geometry;

  bool scalar(const abi::Step &step, std::int64_t &value) const {
    const Scalar &scalar = owner.scalars[static_cast<std::size_t>(step.operand)];
    return load(scalar.type, static_cast<const char *>(params[scalar.first]) + scalar.offset,
                value);
  }
  std::int64_t extent(const abi::Step &step) const {
    return read<std::int64_t>(params[static_cast<std::size_t>(step.operand)]);
  }
  std::int64_t numGroups(unsigned axis) const { return geometry.numGroups[axis]; }
  std::int64_t localSize(unsigned axis) const { return geometry.localSize[axis]; }

  bool isScalar(const abi::Step &step) const {
    return step.operation == Operation::Argument || step.operation == Operation::Part;
  }
  /// The value of a step that is no number of groups, as the host passed it, or the largest number
  /// of 64 bits if it is larger.
  std::int64_t present(const abi::Step &step) const {
    if (!isScalar(step))
      return step.operation == Operation::LocalSize ? localSize(step.axis) : extent(step);
    std::int64_t value = 0;
    if (scalar(step, value))
      return value;
    const int bits = 8 * static_cast<int>(sizeOf(scalarOf(step).type)); // of an unsigned type
    return bits == 64 ? std::numeric_limits<std::int64_t>::max()
                      : value + (std::int64_t{1} << bits);
  }
  /// The least and the largest number that the value may have in a launch that meets a contract and
  /// does something.
  std::pair<std::int64_t, std::int64_t> range(const abi::Step &step) const {
    if (step.operation == Operation::LocalSize)
      return {1, abi::maxGroupSize};
    if (!isScalar(step)) // an extent or a number of groups
      return {1, std::int64_t{1} << 40};
    const ScalarType type = scalarOf(step).type;
    const std::int64_t most =
        std::numeric_limits<std::int64_t>::max() >> (64 - 8 * static_cast<int>(sizeOf(type)));
    const bool isSigned = type == ScalarType::I8 || type == ScalarType::I16 ||
                          type == ScalarType::I32 || type == ScalarType::I64;
    return {isSigned ? -most - 1 : 0, most};
  }
  const Scalar &scalarOf(const abi::Step &step) const {
    return owner.scalars[static_cast<std::size_t>(step.operand)];
  }
};

std::size_t LaunchContract::version(std::span<void *const> params,
                                    const Geometry &geometry) const noexcept {
  return contract.versionFor(abi::unmetGroups(contract.steps, Launch{*this, params, geometry}));
}

const std::string *LaunchContract::firstUnmet(std::span<void *const> params,
                                              const Geometry &geometry) const noexcept {
  const std::optional<std::size_t> unmet =
      abi::firstUnmet(contract.steps, Launch{*this, params, geometry});
  return unmet ? &conditions[*unmet] : nullptr;
}

//===-- What would meet a condition --===//

/// Looks for values that make a condition hold, and all conditions before it.
class LaunchContract::Search {
public:
  Search(const Launch &launch, std::size_t condition) : launch(launch), condition(condition) {}

  /// The value of \p step at the launch: "1024".
  std::string valueOf(const abi::Step &step) const {
    if (isGroups(step))
      return std::to_string(shown(step, groups(step)));
    return std::to_string(launch.present(step));
  }

  /// The nearest value of \p step for which the condition holds, if the other values stay. Tries
  /// distances that double, then halves the last one, so a value that is nearer may be missed where
  /// the condition holds for some of those between.
  std::optional<std::int64_t> nearest(const abi::Step &step) const {
    const auto [least, most] = launch.range(step);
    const std::int64_t present = isGroups(step) ? groups(step) : launch.present(step);
    const std::int64_t from = std::clamp(present, least, most);
    if (from != present && holdsWith(step, from))
      return shown(step, from);
    std::optional<std::int64_t> best;
    for (std::int64_t end : {most, least}) {
      std::int64_t fails = from;
      for (int power = 0; fails != end; ++power) {
        const std::int64_t by = std::int64_t{1} << power;
        const bool isUp = end == most;
        const bool isLast = power == 62 || (isUp ? from > end - by : from < end + by);
        std::int64_t holds = isLast ? end : isUp ? from + by : from - by;
        if (!holdsWith(step, holds)) {
          fails = holds;
          continue;
        }
        while (std::max(fails, holds) - std::min(fails, holds) > 1) {
          const std::int64_t middle = fails + (holds - fails) / 2;
          (holdsWith(step, middle) ? holds : fails) = middle;
        }
        if (!best || distance(holds, from) < distance(*best, from))
          best = holds;
        break;
      }
    }
    return best ? std::optional(shown(step, *best)) : best;
  }

private:
  static std::uint64_t distance(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(std::max(a, b)) - static_cast<std::uint64_t>(std::min(a, b));
  }

  /// The launch with another value of a step.
  struct Changed {
    const Launch &launch;
    const abi::Step &step;
    std::int64_t number;

    bool scalar(const abi::Step &of, std::int64_t &value) const {
      if (of != step)
        return launch.scalar(of, value);
      value = number;
      return true;
    }
    std::int64_t extent(const abi::Step &of) const {
      return of == step ? number : launch.extent(of);
    }
    std::int64_t numGroups(unsigned axis) const {
      return isGroups(step) && step.axis == axis ? number : launch.numGroups(axis);
    }
    std::int64_t localSize(unsigned axis) const {
      return step.operation == Operation::LocalSize && step.axis == axis ? number
                                                                         : launch.localSize(axis);
    }
  };

  /// Of the sizes of the launch, the number of groups changes, not the group size.
  static bool isGroups(const abi::Step &step) {
    return step.operation == Operation::NumGroups || step.operation == Operation::GlobalSize;
  }
  std::int64_t groups(const abi::Step &step) const { return launch.numGroups(step.axis); }
  std::int64_t shown(const abi::Step &step, std::int64_t number) const {
    return step.operation == Operation::GlobalSize ? number * launch.localSize(step.axis) : number;
  }
  bool holdsWith(const abi::Step &step, std::int64_t number) const {
    const std::optional<std::size_t> unmet =
        abi::firstUnmet(launch.owner.contract.steps, Changed{launch, step, number});
    return !unmet || *unmet > condition;
  }

  const Launch &launch;
  const std::size_t condition;
};

std::optional<UnmetContract> LaunchContract::explain(std::span<void *const> params,
                                                     const Geometry &geometry) const {
  const Launch launch{*this, params, geometry};
  const std::vector<abi::Step> &steps = contract.steps;
  const std::optional<std::size_t> unmet = abi::firstUnmet(steps, launch);
  if (!unmet)
    return std::nullopt;
  UnmetContract result{.condition = conditions[*unmet],
                       .values = "",
                       .remedy = "",
                       .allChecks = version(params, geometry) == abi::Contract::Checked};
  const Search search(launch, *unmet);
  std::size_t condition = 0;
  std::vector<std::string> told;
  for (std::size_t k = 0; k != steps.size(); ++k) {
    condition += steps[k].operation == Operation::AtMost;
    if (condition != *unmet || names[k].empty() ||
        std::find(told.begin(), told.end(), names[k]) != told.end())
      continue;
    told.push_back(names[k]);
    result.values +=
        (result.values.empty() ? "" : ", ") + names[k] + " = " + search.valueOf(steps[k]);
    if (const std::optional<std::int64_t> other = search.nearest(steps[k]))
      result.remedy +=
          (result.remedy.empty() ? "" : ", or ") + names[k] + " = " + std::to_string(*other);
  }
  return result;
}

} // namespace spl::detail
