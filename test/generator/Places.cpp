// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates indices and elements. Most indices use values that the launch determines, which
// contracts can express.
#include "test/generator/Context.h"

namespace spl::generator {

std::string extent(Context &context, const SliceName &slice, unsigned axis) {
  return slice.text +
         (slice.rank == 1 && context.oneIn(2) ? ".len()" : ".dim(" + std::to_string(axis) + ")");
}

std::string plainLeaf(Context &context) {
  switch (context.below(10)) {
  case 0:
    return number(i64, context.below(6));
  case 1:
  case 2:
  case 3:
  case 4: {
    std::vector<std::string> fitting;
    for (const Name &name : context.names)
      if (!name.type.isFloat() && !name.type.isVector() && name.text != "total")
        fitting.push_back(cast(context, name.text, name.type, i64));
    if (fitting.empty())
      return launchSize(context);
    return context.oneIn(2) ? fitting.back() : context.oneOf(fitting);
  }
  case 5:
    if (!context.slices.empty()) {
      const SliceName &slice = context.oneOf(context.slices);
      return extent(context, slice, static_cast<unsigned>(context.below(int(slice.rank))));
    }
    [[fallthrough]];
  default:
    return launchSize(context);
  }
}

std::string plain(Context &context, int depth) {
  if (depth <= 0 || context.oneIn(4))
    return plainLeaf(context);
  const std::string x = plain(context, depth - 1), small = number(i64, 1 + context.below(4));
  auto with = [&](const std::string &op, const std::string &y) {
    return "(" + x + " " + op + " " + y + ")";
  };
  auto positive = [&] {
    return context.oneIn(2) ? small : "math.max(" + plainLeaf(context) + ", 1i64)";
  };
  switch (context.below(14)) {
  case 0:
  case 1:
    return with("+", context.oneIn(2) ? small : plainLeaf(context));
  case 2:
    return with("-", context.oneIn(2) ? small : plainLeaf(context));
  case 3:
    return with("*", context.oneIn(3) ? plainLeaf(context) : small);
  case 4:
    return "math.min(" + x + ", " + plain(context, depth - 1) + ")";
  case 5:
    return "math.max(" + x + ", " + plain(context, depth - 1) + ")";
  case 6:
    return with("%", positive());
  case 7:
    return with("/", positive());
  case 8:
    return with(context.oneOf({">>", "&"}), small);
  case 9:
  case 10:
    return "(" + x + " if " + plainLeaf(context) +
           context.oneOf({" < ", " <= ", " > ", " >= ", " != "}) +
           (context.oneIn(2) ? small : plainLeaf(context)) + " else " + plain(context, depth - 1) +
           ")";
  case 11:
    return "nearer(" + x + ", " + plainLeaf(context) + ")";
  default: { // casts to the preferred type and back
    const Type home = context.home.isFloat() ? Type{Scalar::U8} : context.home;
    std::string there = cast(context, x, i64, home);
    if (context.oneIn(2))
      there = "(" + there + " + " + number(home, context.below(3)) + ")";
    return cast(context, there, home, i64);
  }
  }
}

std::string index(Context &context, const SliceName &slice, unsigned axis) {
  const std::string length = extent(context, slice, axis);
  if (!context.program.mayFault || (!context.is(Flavour::Indices) && !context.oneIn(8)))
    return "wrapped(" + value(context, i64, 1) + ", " + length + ")";
  switch (context.below(16)) {
  case 0:
  case 1:
    return launchSize(context);
  case 2:
    return "math.min(" + launchSize(context) + ", " + length + " - 1)";
  case 3:
    return "(" + length + " - 1 - " + plainLeaf(context) + ")";
  case 4:
    return "wrapped(" + value(context, i64, 1) + ", " + length + ")";
  case 5:
    return "math.clamp(" + value(context, i64, 1) + ", 0, " + length + " - 1)";
  case 6:
    return number(i64, context.below(4));
  case 7: {
    const Type home = context.home.isFloat() ? i64 : context.home;
    return context.oneIn(3) ? value(context, home, 2) : leaf(context, home);
  }
  case 8:
    if (context.is(Flavour::Indices))
      return "(" + launchSize(context) + " % " + length + ")";
    [[fallthrough]];
  default:
    return plain(context, 1 + context.below(2));
  }
}

std::string element(Context &context, const SliceName &slice, const std::vector<std::string> &at) {
  std::string text = slice.text + "[" + at[0];
  for (std::size_t axis = 1; axis != at.size(); ++axis)
    text += context.oneOf({"][", ", "}) + at[axis];
  return text + "]";
}

const Parameter *find(const Context &context, const std::string &name) {
  for (const Parameter &parameter : context.program.parameters)
    if (parameter.name == name)
      return &parameter;
  return nullptr;
}

std::vector<SliceName> readable(const Context &context) {
  std::vector<SliceName> found;
  for (const SliceName &slice : context.slices)
    if (slice.role == Role::Input)
      found.push_back(slice);
  return found;
}

std::string load(Context &context, Type type) {
  const std::vector<SliceName> from = readable(context);
  if (from.empty())
    return leaf(context, type);
  const SliceName slice = context.oneOf(from);
  std::vector<std::string> at;
  for (unsigned axis = 0; axis != slice.rank; ++axis)
    at.push_back(index(context, slice, axis));
  if (slice.rank == 1 && !slice.element.isVector() && context.oneIn(6))
    return cast(context,
                "gpu.load(" + slice.text + ", " + at[0] +
                    ", cache: " + context.oneOf({"streaming", "last_use", "keep"}) + ")",
                slice.element, type);
  if (slice.element.isVector())
    return cast(context, element(context, slice, at) + ".x", slice.element.lane(), type);
  return cast(context, element(context, slice, at), slice.element, type);
}

} // namespace spl::generator
