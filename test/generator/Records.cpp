// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates structs and tuples.
#include "test/generator/Context.h"

namespace spl::generator {

static std::string newRecord(Context &context, const Record &record) {
  std::string text;
  for (const Type &field : record.fields)
    text += (text.empty() ? "" : ", ") + value(context, field, 1);
  return record.name + "(" + text + ")";
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
  switch (context.below(4)) {
  case 0: {
    const Name made = declare(context, type, context.oneIn(2));
    return (made.isMutable ? "var " : "val ") + made.text + " = " + place + "\n";
  }
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

} // namespace spl::generator
