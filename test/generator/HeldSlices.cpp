// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates arrays of slices, and kernels that take some of their parameters in a struct.
#include "test/generator/Context.h"

#include <algorithm>

namespace spl::generator {

std::string rowsStatement(Context &context) {
  std::vector<SliceName> all = readable(context);
  std::erase_if(all, [](const SliceName &slice) { return slice.rank != 1; });
  if (all.empty())
    return declaration(context);
  const SliceName first = context.oneOf(all);
  std::erase_if(all, [&](const SliceName &slice) { return slice.element != first.element; });
  const std::string name = context.fresh("rows"), other = context.oneOf(all).text;
  const bool isMutable = context.oneIn(3);
  auto number = [&] {
    return context.oneIn(3) ? context.oneOf({"0", "1"}) : "(" + plainLeaf(context) + " & 1)";
  };
  std::string text =
      (isMutable ? "var " : "val ") + name + " = [" + first.text + ", " + other + "]\n";
  if (isMutable)
    text += name + "[" + number() + "] = " + context.oneOf(all).text + "\n";
  SliceName row = first;
  row.text = name + "[" + number() + "]";
  context.slices.push_back(row);
  return text;
}

std::optional<HeldParameters> holdParameters(Context &context) {
  const std::vector<Parameter> &parameters = context.program.parameters;
  if (context.isGeneric || !chooseFeature(context, Feature::HeldSlices))
    return std::nullopt;
  HeldParameters held;
  held.first = static_cast<std::size_t>(context.below(static_cast<int>(parameters.size())));
  const std::size_t most = held.first + 1 + static_cast<std::size_t>(context.below(5));
  std::string fields, names;
  bool hasSlice = false;
  for (held.last = held.first; held.last != std::min(most, parameters.size()); ++held.last) {
    const Parameter &parameter = parameters[held.last];
    if (parameter.mayAlias)
      break;
    hasSlice |= parameter.role != Role::Scalar;
    fields += parameter.text() + "\n";
  }
  if (!hasSlice)
    return std::nullopt;
  const std::string type = "H" + context.program.kernel;
  held.declaration = "\n" + withBody("struct " + type, fields);
  held.parameter = "held: " + type;
  std::string from = "held";
  if (!context.is(Flavour::Indices) && context.oneIn(2)) {
    held.names = "var whole = held\nval chosen = held if gpu.num_groups() >= 1 else whole\n";
    from = "chosen";
  }
  for (std::size_t k = held.first; k != held.last; ++k)
    held.names += "val " + parameters[k].name + " = " + from + "." + parameters[k].name + "\n";
  return held;
}

} // namespace spl::generator
