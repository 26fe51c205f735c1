// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates stores. Each slice has one use (Role), so that programs have no races.
#include "test/generator/Context.h"

namespace spl::generator {

static std::string atomic(Context &context, const std::string &place, Type type) {
  // A sum of floats depends on the order.
  const bool isMin = type.isFloat() && context.atomicOperation != "max";
  return "gpu.atomic_" + (isMin ? "min" : context.atomicOperation) + "(&mut " + place + ", " +
         value(context, type, 1) + ")\n";
}

std::string accessAt(Context &context, const SliceName &slice, const std::vector<std::string> &at) {
  const std::string place = element(context, slice, at);
  if (slice.role == Role::Ones)
    return place + " = 1\n";
  if (slice.role == Role::Atomic)
    return atomic(context, place, slice.element);
  return "total += " +
         cast(context, place + (slice.element.isVector() ? ".x" : ""), slice.element.lane(), i64) +
         "\n";
}

std::string access(Context &context) {
  std::vector<SliceName> fitting;
  for (const SliceName &slice : context.slices)
    if (slice.role != Role::Own)
      fitting.push_back(slice);
  const SliceName slice = context.oneOf(fitting);
  std::vector<std::string> at;
  for (unsigned axis = 0; axis != slice.rank; ++axis)
    at.push_back(index(context, slice, axis));
  return accessAt(context, slice, at);
}

std::string storeTotal(Context &context) {
  const std::string at = launchSize(context);
  return "if " + at + " < out.len(): gpu.atomic_" + context.atomicOperation + "(&mut out[" + at +
         "], total)\n";
}

static std::string bound(Context &context, const SliceName &slice) {
  switch (context.below(4)) {
  case 0:
    return extent(context, slice, 0);
  case 1:
    return "n0";
  default:
    return extent(context, context.slices[static_cast<std::size_t>(context.below(6))], 0);
  }
}

// Statements with several bounds for one slice, so that one condition of the contract may imply
// another.
std::string bounded(Context &context) {
  const SliceName slice = context.slices[static_cast<std::size_t>(context.boundedSlice)];
  std::string text;
  for (int count = 1 + context.below(2); count != 0; --count) {
    std::string limit = bound(context, slice);
    for (int more = context.below(3); more != 0; --more)
      limit = "math." + context.oneOf({"min", "min", "max"}) + "(" + limit + ", " +
              bound(context, slice) + ")";
    const std::string i = context.fresh("v");
    std::vector<std::string> at = {i};
    for (unsigned axis = 1; axis != slice.rank; ++axis)
      at.push_back("math.min(" + i + ", " + extent(context, slice, axis) + " - 1)");
    std::string line = "for " + i + " in " +
                       context.oneOf({"gpu.global_id()", "gpu.local_id()", "0"}) + ".." + limit +
                       " step " + context.oneOf({"gpu.global_size()", "7", "64"});
    std::string before;
    if (!context.oneIn(3)) {
      before = "val " + i + " = gpu.global_id()\n";
      line = "if " + i + " < " + limit;
    }
    text += before + withBody(line, accessAt(context, slice, at));
  }
  return text;
}

std::string atomicUpdate(Context &context) {
  for (const SliceName &slice : context.slices)
    if (slice.text == "out")
      return atomic(context,
                    element(context, slice, {"wrapped(" + value(context, i64, 1) + ", out.len())"}),
                    slice.element);
  return assignment(context);
}

std::string ownArray(Context &context) {
  // The index is not constant, because the compiler knows the length.
  std::string at = "(" + value(context, i64, 1) + " & 7)";
  if (context.program.mayFault && context.oneIn(8))
    at = "(" + launchSize(context) + context.oneOf({" + ", " - "}) + leaf(context, i64) + ")";
  if (context.oneIn(2))
    return "own[" + at + "] = " + value(context, i64, 1) + "\n";
  return "total += own[" + at + "]\n";
}

/// Stores to adjacent elements in order or repeatedly, with loads between them.
std::string ownRun(Context &context) {
  const Parameter *own = find(context, "o");
  const bool hasAlias = find(context, "o2");
  std::string text;
  auto place = [&](int k) {
    return (hasAlias && context.oneIn(2) ? "o2[base + " : "o[base + ") + std::to_string(k) + "]";
  };
  const int per = static_cast<int>(own->perItem), first = context.below(per);
  for (int k = first; k != per && (k == first || !context.oneIn(4)); ++k) {
    if (context.oneIn(8)) {
      text += "gpu.store(o, base + " + std::to_string(k) + ", " + value(context, own->type, 1) +
              ", cache: " + context.oneOf({"streaming", "last_use", "keep"}) + ")\n";
      continue;
    }
    text += place(k) + context.oneOf({" = ", " = ", " = ", " += "}) +
            (context.oneIn(5) ? place(context.below(per))
                              : value(context, own->type, context.oneIn(2) ? 0 : 2)) +
            "\n";
  }
  return text;
}

std::string flatStore(Context &context) {
  const Type type = find(context, "z")->type;
  return "z[flat_item()]" + context.oneOf({" = ", " = ", " += "}) + value(context, type, 2) + "\n";
}

std::string wideAccess(Context &context) {
  const Parameter *own = find(context, "o");
  Type vector = own->type;
  if (vector.isVector() || own->perItem % 4 != 0)
    return ownRun(context);
  vector.lanes = vector.bits() == 64 ? 2 : 4;
  context.program.isWide = true;
  if (context.oneIn(2))
    return "gpu.store_vec(o, base, " + value(context, vector, 2) + ")\n";
  const std::string load = "gpu.load_vec[" + vector.name() + "](o, base)";
  const Name made = declare(context, vector, false);
  return "val " + made.text + " = " + load + "\n";
}

std::string laneAssignment(Context &context) {
  for (const Name &name : context.names)
    if (name.isMutable && name.type.isVector() && !context.oneIn(3)) {
      const std::string at = context.oneIn(2) ? ".x"
                                              : "[" + value(context, i32, 1) + " & " +
                                                    std::to_string(name.type.lanes - 1) + "]";
      return name.text + at + context.oneOf({" = ", " += ", " *= "}) +
             value(context, name.type.lane(), 2) + "\n";
    }
  return declaration(context);
}

} // namespace spl::generator
