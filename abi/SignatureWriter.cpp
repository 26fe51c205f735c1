// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi/LaunchSizes.h"
#include "spl/abi/SignatureText.h"

#include <algorithm>
#include <utility>

namespace spl::abi {

namespace {

/// Appends elements to a text, with ", " between them.
class List {
public:
  explicit List(std::string &text) : text(text) {}
  List &operator+=(const std::string &element) {
    text += std::exchange(separator, ", ") + element;
    return *this;
  }

private:
  std::string &text;
  std::string separator;
};

std::string definitionText(const ElementType &definition) {
  const bool isStruct = definition.kind() == ElementType::Kind::Struct;
  std::string text = (isStruct ? "struct " : "enum ") + definition.str() + "(";
  List list(text);
  if (isStruct)
    for (const auto &[name, type, offset] : definition.fields())
      list += name + ": " + type.str();
  else
    for (const auto &[name, value] : definition.members())
      list += name + " = " + std::to_string(value);
  return text + ") ";
}

/// Writes steps in postfix order as text. Owns the texts of the values that are on the stack.
class StepWriter {
public:
  explicit StepWriter(const Signature &signature) : signature(signature) {}

  void write(const Step &step) {
    switch (step.operation) {
    case Operation::Constant:
      return push(std::to_string(step.operand));
    case Operation::Argument:
      return push(nameOf(step));
    case Operation::Part:
      return push(nameOf(step) + pathOf(step));
    case Operation::Length:
      return push(nameOf(step) + ".len()");
    case Operation::Extent:
      return push(nameOf(step) + ".dim(" + std::to_string(step.axis) + ")");
    case Operation::NumGroups:
    case Operation::LocalSize:
    case Operation::GlobalSize:
      return push("gpu." + launchSize(step.operation) + "(" + std::to_string(step.axis) + ")");
    case Operation::Parentheses:
      return wrap("(", ")");
    case Operation::MinOfFirst:
      return wrap("min(", ")");
    case Operation::MaxOfFirst:
      return wrap("max(", ")");
    case Operation::Negate:
      return wrap("-", "");
    case Operation::Add:
      return join(" + ");
    case Operation::Subtract:
      return join(" - ");
    case Operation::Multiply:
      return join(" * ");
    case Operation::Divide:
      return join(" / ");
    case Operation::Min:
    case Operation::Max: {
      std::string value = pop();
      values.back().back() = ','; // in place of the parenthesis
      values.back() += " " + std::move(value) + ")";
      return;
    }
    case Operation::AtMost:
      return join(" <= ");
    }
  }

  std::string pop() {
    std::string text = std::move(values.back());
    values.pop_back();
    return text;
  }

private:
  static std::string launchSize(Operation operation) {
    return std::string(std::ranges::find(launchSizes, operation, &LaunchSize::operation)->name);
  }
  const Parameter &parameterOf(const Step &step) const {
    return signature.parameters[static_cast<std::size_t>(step.operand)];
  }
  const std::string &nameOf(const Step &step) const { return parameterOf(step).name; }
  std::string pathOf(const Step &step) const {
    return scalarAt(parameterOf(step).type.element, step.offset)->path;
  }
  void push(std::string text) { values.push_back(std::move(text)); }
  void wrap(const char *before, const char *after) { push(before + pop() + after); }
  void join(const char *operation) {
    const std::string right = pop();
    values.back() += operation + right;
  }

  const Signature &signature;
  std::vector<std::string> values;
};

} // namespace

std::string writeExpression(const Expression &expression, const Signature &signature) {
  StepWriter writer(signature);
  for (const Step &step : expression.steps())
    writer.write(step);
  return writer.pop();
}

std::vector<std::string> writeConditions(const Signature &signature) {
  std::vector<std::string> conditions;
  if (!signature.contract)
    return conditions;
  StepWriter writer(signature);
  for (const Step &step : signature.contract->steps) {
    writer.write(step);
    if (step.operation == Operation::AtMost)
      conditions.push_back(writer.pop());
  }
  return conditions;
}

std::string writePrototype(const Signature &signature) {
  std::string text;
  if (!signature.block.empty()) {
    text += "#[gpu(block: [";
    List list(text);
    for (std::int64_t extent : signature.block)
      list += std::to_string(extent);
    text += "])] ";
  }
  text += signature.name + "(";
  List list(text);
  for (const Parameter &parameter : signature.parameters)
    list += (parameter.isAlias ? "#[alias] " : "") + parameter.name + ": " + parameter.type.str();
  return text + ")";
}

std::string writeSignature(const Signature &signature) {
  std::string text = signature.takesFaultRecord ? "#[faults] " : "";
  if (signature.isCooperative)
    text += "#[cooperative] ";
  for (const ElementType &definition : signature.definitions)
    text += definitionText(definition);
  text += writePrototype(signature);
  const std::vector<std::string> conditions = writeConditions(signature);
  if (conditions.empty())
    return text;
  text += " unchecked if ";
  std::int64_t group = 0;
  auto condition = conditions.begin();
  for (const Step &step : signature.contract->steps) {
    if (step.operation != Operation::AtMost)
      continue;
    if (condition != conditions.begin())
      text += step.operand == group ? " and " : " and if ";
    group = step.operand;
    text += *condition++;
  }
  return text;
}

} // namespace spl::abi
