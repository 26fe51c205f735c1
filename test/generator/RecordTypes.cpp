// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the structs of a program. Some are generic: T is the type of the first field, and K is
// a small number. The program uses one instance of each.
#include "test/generator/Context.h"

namespace spl::generator {

/// The parameters of a generic struct, as in "[T: Num, const K: i64]", and the type in itself.
struct Parameters {
  std::string text;
  std::string self;
  std::string first; ///< the type of the first field
  bool hasNumber = false;
};

/// Makes the record generic, or not. Its name is that of the struct, and its fields are known.
static Parameters chooseParameters(Context &context, Record &record) {
  const Type first = record.fields[0];
  if (!chooseFeature(context, Feature::GenericStruct))
    return {"", record.name, first.name()};
  const std::string bound = context.oneIn(3)   ? ""
                            : context.oneIn(2) ? ": Num"
                            : first.isFloat()  ? ": Float"
                                               : ": Int";
  Parameters made{"[T" + bound, record.name + "[T", "T", context.oneIn(2)};
  std::string arguments = "[" + first.name();
  if (made.hasNumber) {
    made.text += ", const K: i64";
    made.self += ", K";
    arguments += ", " + std::to_string(context.below(4));
  } else {
    record.inferred = record.name;
  }
  made.text += "]";
  made.self += "]";
  record.name += arguments + "]";
  return made;
}

/// The lines that declare the fields f0, f1, ...
static std::string fieldsText(Context &context, const Record &record,
                              const Parameters &parameters) {
  std::string text;
  for (std::size_t k = 0; k != record.fields.size(); ++k) {
    const bool isFirst = k == 0 || (record.fields[k] == record.fields[0] && context.oneIn(2));
    text += "f" + std::to_string(k) + ": " +
            (isFirst ? parameters.first : record.fields[k].name()) + "\n";
  }
  return text;
}

std::string makeRecord(Context &context) {
  const std::string name = "S" + context.program.kernel;
  Record made{name, {}};
  for (int count = 2 + context.below(4); count != 0; --count)
    made.fields.push_back(anyType(context));
  const Parameters parameters = chooseParameters(context, made);
  context.records.push_back(made);
  const std::string change = std::string("made.f0 ") + context.oneOf({"+", "-", "*"}) + "= x\n";
  std::string text = fieldsText(context, made, parameters);
  text += withBody("fn changed(self, x: " + parameters.first + ") -> " + parameters.self,
                   "var made = self\n" +
                       (parameters.hasNumber ? withBody("for _ in 0..K", change) : change) +
                       "return made\n");
  text +=
      withBody("fn change(&mut self, x: " + parameters.first + ")", "advanced(&mut self.f0, x)\n");
  text += withBody("fn first(&self) -> " + parameters.first, "return self.f0\n");
  return "\n" + withBody("struct " + name + parameters.text, text);
}

std::string makeElementStruct(Context &context, Record &record) {
  const std::string name = "Q" + context.program.kernel;
  record.name = name;
  for (int count = 2 + context.below(5); count != 0; --count)
    record.fields.push_back(anyScalar(context));
  const Parameters parameters = chooseParameters(context, record);
  return "\n" +
         withBody("struct " + name + parameters.text, fieldsText(context, record, parameters));
}

} // namespace spl::generator
