// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates structs and tuples.
#include "test/generator/Context.h"

namespace spl::generator {

static std::string newRecord(Context &context, const Record &record) {
  std::string text;
  for (const Type &field : record.fields)
    text += (text.empty() ? "" : ", ") + value(context, field, 1);
  const bool isInferred = !record.inferred.empty() && context.oneIn(2);
  return (isInferred ? record.inferred : record.name) + "(" + text + ")";
}

std::string recordStatement(Context &context) {
  if (context.records.empty())
    return declaration(context);
  if (context.recordNames.empty() || context.oneIn(4)) {
    const Record record = context.oneOf(context.records);
    const std::string name = context.fresh("s");
    std::string text = "var " + name + " = ";
    text += context.recordNames.empty() || context.oneIn(2) ? newRecord(context, record)
                                                            : context.recordNames.back().first;
    context.recordNames.emplace_back(name, record);
    return text + "\n";
  }
  const auto [name, record] = context.oneOf(context.recordNames);
  const int field = context.below(static_cast<int>(record.fields.size()));
  const Type type = record.fields[static_cast<std::size_t>(field)];
  const std::string place = name + ".f" + std::to_string(field);
  switch (context.below(5)) {
  case 0: {
    const Name made = declare(context, type, context.oneIn(2));
    return (made.isMutable ? "var " : "val ") + made.text + " = " + place + "\n";
  }
  case 2:
    return name + ".change(" + value(context, record.fields[0], 1) + ")\n";
  case 1:
    return name + " = " + context.oneOf(context.recordNames).first + ".changed(" +
           value(context, record.fields[0], 1) + ")\n";
  default:
    return place + context.oneOf({" = ", " += ", " -= "}) + value(context, type, 2) + "\n";
  }
}

std::string structElement(Context &context) {
  const Parameter *q = find(context, "q");
  if (!q)
    return recordStatement(context);
  const auto field = static_cast<std::size_t>(context.below(static_cast<int>(q->fields.size())));
  const Type type = q->fields[field];
  const std::string place = "q[number].f" + std::to_string(field);
  switch (context.below(5)) {
  case 0: {
    const Name made = declare(context, type, context.oneIn(2));
    return (made.isMutable ? "var " : "val ") + made.text + " = " + place + "\n";
  }
  case 1: {
    std::string all;
    for (const Type &each : q->fields)
      all += (all.empty() ? "" : ", ") + value(context, each, 1);
    return "q[number] = " + q->typeName + "(" + all + ")\n";
  }
  case 2: { // stores to adjacent fields
    std::string text;
    for (std::size_t k = field; k != q->fields.size(); ++k)
      text += "q[number].f" + std::to_string(k) + " = " + value(context, q->fields[k], 1) + "\n";
    return text;
  }
  default:
    return place + context.oneOf({" = ", " += ", " -= "}) + value(context, type, 2) + "\n";
  }
}

std::string pairStatement(Context &context) {
  const Type first = anyType(context), second = anyType(context);
  const std::string text = "(" + value(context, first, 2) + ", " + value(context, second, 2) + ")";
  const Name a = declare(context, first, false), b = declare(context, second, false);
  if (context.oneIn(2))
    return "val (" + a.text + ", " + b.text + ") = " + text + "\n";
  const std::string pair = context.fresh("t");
  return "val " + pair + " = " + text + "\nval " + a.text + " = " + pair + ".0\nval " + b.text +
         " = " + pair + ".1\n";
}

std::pair<std::string, Type> anyPlace(Context &context, bool inKernel) {
  const bool hasArray = inKernel && !context.is(Flavour::Groups);
  std::vector<Name> targets;
  for (const Name &name : context.names)
    if (name.isMutable)
      targets.push_back(name);
  if (hasArray && (targets.empty() || context.oneIn(3)))
    return {"own[" + value(context, i64, 1) + " & 7]", i64};
  if (targets.empty())
    return {"_", anyType(context)};
  const Name target = context.oneOf(targets);
  if (target.type.isVector() && context.oneIn(2))
    return {target.text + "[" + value(context, i32, 1) + " & " +
                std::to_string(target.type.lanes - 1) + "]",
            target.type.lane()};
  return {target.text, target.type};
}

std::string tupleAssignment(Context &context, bool inKernel) {
  std::string places, values, others;
  std::vector<std::pair<std::string, Type>> targets;
  for (int count = 2 + context.below(2); count != 0; --count)
    targets.push_back(anyPlace(context, inKernel));
  for (const auto &[place, type] : targets) {
    places += (places.empty() ? "" : ", ") + place;
    // Often the value of another place, as in a swap.
    const auto &[other, otherType] = context.oneOf(targets);
    const bool isSwap = other != "_" && otherType == type && context.oneIn(2);
    values += (values.empty() ? "" : ", ") + (isSwap ? other : value(context, type, 2));
    others += (others.empty() ? "" : ", ") + value(context, type, 1);
  }
  if (context.oneIn(4))
    return "(_, (" + places + ")) = (" + value(context, i32, 1) + ", (" + values + "))\n";
  if (context.oneIn(4))
    return "(" + places + ") = (" + values + ") if " + condition(context, 1) + " else (" + others +
           ")\n";
  return "(" + places + ") = (" + values + ")\n";
}

} // namespace spl::generator
