// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/LaunchContract.h"

#include "runtime/launch/SignatureReader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace spl::detail {

/// Each function reads what it is named after and adds its steps and its text.
class LaunchContract::Parser {
public:
  Parser(SignatureReader &reader, const std::vector<Parameter> &parameters, LaunchContract &result)
      : reader(reader), parameters(parameters), result(result) {}

  void condition() {
    sum();
    reader.expect("<=");
    result.text += " <= ";
    sum();
    add({Operation::AtMost});
  }

private:
  void sum() {
    product();
    while (std::optional<Operation> taken = either("+", Operation::Add, "-", Operation::Subtract)) {
      product();
      add({*taken});
    }
  }

  void product() {
    factor();
    while (std::optional<Operation> taken =
               either("*", Operation::Multiply, "/", Operation::Divide)) {
      factor();
      add({*taken});
    }
  }

  void factor() {
    const bool isNegated = reader.take("-");
    if (isNegated)
      result.text += '-';
    primary();
    if (isNegated)
      add({Operation::Negate});
  }

  void primary() {
    const std::size_t begin = reader.position();
    if (reader.isAtDigit())
      return constant();
    if (reader.take("("))
      return list(std::nullopt);
    const std::string name = reader.identifier();
    if (reader.take("(")) { // no parameter is called so
      if (name != "min" && name != "max")
        failAt(begin, "'min' or 'max'");
      result.text += name;
      return list(name == "min" ? Operation::Min : Operation::Max);
    }
    if (name == "gpu" && launchSize())
      return;
    parameter(name, begin);
  }

  void constant() {
    const std::int64_t value = reader.number(0, std::numeric_limits<std::int64_t>::max());
    result.text += std::to_string(value);
    add({Operation::Constant, ScalarType::I64, value});
  }

  /// What follows the opening parenthesis: one sum, or more of them with \p joined between.
  void list(std::optional<Operation> joined) {
    if (++nesting > maxNesting)
      reader.fail("a condition in fewer parentheses");
    result.text += '(';
    sum();
    while (joined && reader.take(",")) {
      result.text += ", ";
      sum();
      add({*joined});
    }
    reader.expect(")");
    result.text += ')';
    --nesting;
  }

  /// What follows "gpu", unless that is a parameter's name here.
  bool launchSize() {
    const std::size_t begin = reader.position();
    const std::pair<const char *, Operation> sizes[] = {{"num_groups", Operation::NumGroups},
                                                        {"local_size", Operation::LocalSize},
                                                        {"global_size", Operation::GlobalSize}};
    if (reader.take("."))
      for (const auto &[name, operation] : sizes)
        if (reader.takeWord(name)) {
          result.text += std::string("gpu.") + name;
          add({operation, ScalarType::I64, index(3)});
          return true;
        }
    reader.goTo(begin);
    return false;
  }

  /// A number below \p end in parentheses.
  std::int64_t index(int end) {
    reader.expect("(");
    const std::int64_t value = reader.number(0, end - 1);
    reader.expect(")");
    result.text += '(' + std::to_string(value) + ')';
    return value;
  }

  void parameter(const std::string &name, std::size_t begin) {
    std::int64_t place = 0; // among the parameters of the kernel ABI
    auto named = parameters.begin();
    for (; named != parameters.end() && named->name != name; ++named)
      place += 1 + named->type.rank;
    if (named == parameters.end())
      failAt(begin, "a parameter");
    result.text += name;
    const ParameterType &type = named->type;
    if (!reader.take(".")) {
      if (type.isSlice() || !isInteger(type.element))
        failAt(begin, "a parameter of an integer type");
      return add({Operation::Argument, type.element.scalar(), place});
    }
    if (reader.takeWord("len")) {
      if (type.rank != 1)
        failAt(begin, "a slice of rank 1");
      reader.expect("(");
      reader.expect(")");
      result.text += ".len()";
      return add({Operation::Argument, ScalarType::I64, place + 1});
    }
    if (!reader.takeWord("dim"))
      reader.fail("'len' or 'dim'");
    if (!type.isSlice())
      failAt(begin, "a slice");
    result.text += ".dim";
    const std::int64_t axis = index(type.rank);
    add({Operation::Argument, ScalarType::I64, place + 1 + axis});
  }

  /// An enum is one, of i32.
  static bool isInteger(const ElementType &type) {
    return type.kind() == ElementType::Kind::Enum ||
           (type.isScalar() && type.scalar() >= ScalarType::I8 && type.scalar() <= ScalarType::U64);
  }

  std::optional<Operation> either(const char *token, Operation operation, const char *otherToken,
                                  Operation other) {
    for (const auto &[text, taken] : {std::pair{token, operation}, std::pair{otherToken, other}})
      if (reader.take(text)) {
        result.text += std::string(" ") + text + " ";
        return taken;
      }
    return std::nullopt;
  }

  void add(Step step) {
    if (result.steps.size() == maxSteps)
      reader.fail("a shorter contract");
    result.steps.push_back(step);
  }

  [[noreturn]] void failAt(std::size_t position, const std::string &expected) {
    reader.goTo(position);
    reader.fail(expected);
  }

  SignatureReader &reader;
  const std::vector<Parameter> &parameters;
  LaunchContract &result;
  int nesting = 0;
};

LaunchContract::LaunchContract(SignatureReader &reader, const std::vector<Parameter> &parameters) {
  Parser parser(reader, parameters, *this);
  do {
    text += conditions.empty() ? "" : " and ";
    const std::size_t begin = text.size();
    parser.condition();
    conditions.push_back(text.substr(begin));
  } while (reader.takeWord("and"));
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
    break; // the parser refuses these
  }
  return false;
}

} // namespace

const std::string *LaunchContract::firstUnmet(std::span<void *const> params,
                                              const Geometry &geometry) const noexcept {
  const std::string *current = conditions.data();
  std::array<std::int64_t, maxDepth> stack;
  std::int64_t *top = stack.data(); // one past what is there
  for (const Step &step : steps) {
    const auto index = static_cast<std::size_t>(step.operand);
    // Of two operands top[-1] is the left one and takes the result, top[0] the right one.
    top -= step.operation >= Operation::Add;
    switch (step.operation) {
    case Operation::Constant:
      *top++ = step.operand;
      break;
    case Operation::Argument:
      if (!load(step.type, params[index], *top++))
        return current;
      break;
    case Operation::NumGroups:
      *top++ = geometry.numGroups[index];
      break;
    case Operation::LocalSize:
      *top++ = geometry.localSize[index];
      break;
    case Operation::GlobalSize:
      if (__builtin_mul_overflow(geometry.numGroups[index], geometry.localSize[index], top++))
        return current;
      break;
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
