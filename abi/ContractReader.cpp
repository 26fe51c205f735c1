// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi/ContractReader.h"
#include "abi/LaunchSizes.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace spl::abi {

namespace {

/// Each function reads what it is named after and adds its steps.
class Reader {
public:
  Reader(Scanner &scanner, const std::vector<Parameter> &parameters)
      : scanner(scanner), parameters(parameters) {}

  Contract result;

  void condition() {
    sum();
    scanner.expect("<=");
    sum();
    add({.operation = Operation::AtMost, .operand = group});
  }

  void nextGroup() {
    if (++group == static_cast<std::int64_t>(Contract::maxGroups))
      scanner.fail("at most " + std::to_string(Contract::maxGroups) + " groups of conditions");
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
    const bool isNegated = scanner.take("-");
    primary();
    if (isNegated)
      add({Operation::Negate});
  }

  void primary() {
    const std::size_t begin = scanner.position();
    if (scanner.isAtDigit())
      return add({.operation = Operation::Constant,
                  .operand = scanner.number(0, std::numeric_limits<std::int64_t>::max())});
    if (scanner.take("("))
      return list(Operation::Parentheses, std::nullopt);
    const std::string name = scanner.identifier();
    if (scanner.take("(")) { // no parameter is called so
      if (name != "min" && name != "max")
        return scanner.failAt(begin, "'min' or 'max'");
      return name == "min" ? list(Operation::MinOfFirst, Operation::Min)
                           : list(Operation::MaxOfFirst, Operation::Max);
    }
    if (name == "gpu" && launchSize())
      return;
    parameter(name, begin);
  }

  /// What follows the opening parenthesis: one sum, or more of them with \p joined between.
  void list(Operation first, std::optional<Operation> joined) {
    if (++nesting > Contract::maxNesting)
      scanner.fail("a condition in fewer parentheses");
    sum();
    add({first});
    while (joined && scanner.take(",")) {
      sum();
      add({*joined});
    }
    scanner.expect(")");
    --nesting;
  }

  /// What follows "gpu", unless that is a parameter's name here.
  bool launchSize() {
    const std::size_t begin = scanner.position();
    if (scanner.take("."))
      for (const auto &[name, operation] : launchSizes)
        if (scanner.takeWord(name)) {
          add({.operation = operation, .axis = axis(3)});
          return true;
        }
    scanner.goTo(begin);
    return false;
  }

  /// A number below \p end in parentheses.
  std::uint8_t axis(int end) {
    scanner.expect("(");
    const std::int64_t value = scanner.number(0, end - 1);
    scanner.expect(")");
    return static_cast<std::uint8_t>(value);
  }

  void parameter(std::string name, std::size_t begin) {
    // No parameter's name is the beginning of another's, as in "g" and "g.a".
    auto named = std::ranges::find(parameters, name, &Parameter::name);
    while (named == parameters.end()) {
      if (!scanner.takePart(name))
        return scanner.failAt(begin, "a parameter");
      named = std::ranges::find(parameters, name, &Parameter::name);
    }
    const std::int64_t position = named - parameters.begin();
    const ParameterType &type = named->type;
    if (!type.isSlice() && type.isComposed())
      return part(type.element, position, begin);
    if (!scanner.take(".")) {
      if (!type.isInteger())
        return scanner.failAt(begin, "a parameter of an integer type");
      return add({.operation = Operation::Argument, .operand = position});
    }
    if (scanner.takeWord("len")) {
      if (type.rank != 1)
        return scanner.failAt(begin, "a slice of rank 1");
      scanner.expect("(");
      scanner.expect(")");
      return add({.operation = Operation::Length, .operand = position});
    }
    if (!scanner.takeWord("dim"))
      return scanner.fail("'len' or 'dim'");
    if (!type.isSlice())
      return scanner.failAt(begin, "a slice");
    add({.operation = Operation::Extent, .axis = axis(type.rank), .operand = position});
  }

  /// What follows the name of a parameter of type \p type: the path to an integer in it.
  void part(ElementType type, std::int64_t position, std::size_t begin) {
    std::size_t offset = 0;
    while (true)
      switch (type.kind()) {
      case ElementType::Kind::Struct: {
        scanner.expect(".");
        const std::size_t at = scanner.position();
        const std::string name = scanner.identifier();
        const auto field = std::ranges::find(type.fields(), name, &ElementType::Field::name);
        if (field == type.fields().end())
          return scanner.failAt(at, "a field of '" + type.str() + "'");
        offset += field->offset;
        type = ElementType(field->type);
        break;
      }
      case ElementType::Kind::Vector:
      case ElementType::Kind::Array: {
        scanner.expect("[");
        const std::int64_t index = scanner.number(0, type.length() - 1);
        scanner.expect("]");
        type =
            type.kind() == ElementType::Kind::Array ? ElementType(type.element()) : type.scalar();
        offset += static_cast<std::size_t>(index) * type.size();
        break;
      }
      case ElementType::Kind::Scalar:
      case ElementType::Kind::Enum:
      case ElementType::Kind::Opaque:
        if (!ParameterType{.element = type}.isInteger() ||
            offset > std::numeric_limits<std::uint32_t>::max())
          return scanner.failAt(begin, "an integer");
        return add({.operation = Operation::Part,
                    .offset = static_cast<std::uint32_t>(offset),
                    .operand = position});
      }
  }

  std::optional<Operation> either(const char *token, Operation operation, const char *otherToken,
                                  Operation other) {
    if (scanner.take(token))
      return operation;
    if (scanner.take(otherToken))
      return other;
    return std::nullopt;
  }

  void add(Step step) {
    if (result.steps.size() == Contract::maxSteps)
      return scanner.fail("a shorter contract");
    result.steps.push_back(step);
  }

  Scanner &scanner;
  const std::vector<Parameter> &parameters;
  int nesting = 0;
  std::int64_t group = 0; ///< of the conditions that are read
};

} // namespace

Contract readContract(Scanner &scanner, const std::vector<Parameter> &parameters) {
  Reader reader(scanner, parameters);
  reader.condition();
  while (scanner.takeWord("and")) {
    if (scanner.takeWord("if"))
      reader.nextGroup();
    reader.condition();
  }
  return std::move(reader.result);
}

} // namespace spl::abi
