// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates branches, matches, and exits from loops and functions.
#include "test/generator/Context.h"

namespace spl::generator {

Place inside(Place place, bool isUniform) {
  ++place.depth;
  place.isUniform &= isUniform;
  return place;
}

Place inLoop(const Place &place, bool isUniform) {
  Place body = inside(place, isUniform);
  ++body.loops;
  body.mayLeaveLoop = !body.isUniform;
  body.mayLeaveOuter = place.loops == 0 ? body.mayLeaveLoop : place.mayLeaveOuter;
  return body;
}

static std::string leaveFunction(Context &context, const Place &place) {
  if (place.inFunction) // every function of a program returns w
    return "return w\n";
  return !context.is(Flavour::Indices) && context.oneIn(2) ? "finish\nreturn\n" : "return\n";
}

static std::string jump(Context &context, const Place &place) {
  const std::string word = context.oneOf({"break", "continue"});
  return word + (place.mayLeaveOuter && place.loops > 1 && context.oneIn(2) ? " outer\n" : "\n");
}

std::optional<std::string> exitAt(Context &context, const Place &place) {
  if (place.depth == 0 || !context.oneIn(3) || context.is(Flavour::Indices))
    return std::nullopt;
  if (place.loops != 0 && (place.isUniform || place.mayLeaveLoop) && !context.oneIn(3))
    return jump(context, place);
  // A condition that is the same in a group may differ between groups.
  if ((!place.isUniform && !place.mayReturn) || context.hasGridBarriers)
    return std::nullopt;
  return leaveFunction(context, place);
}

std::string leaving(Context &context, const Place &place) {
  const std::string c = condition(context, 1);
  if (place.loops != 0 && place.mayLeaveLoop && !context.oneIn(3))
    return "if " + c + ": " + jump(context, place);
  if (!place.mayReturn)
    return assignment(context);
  return withBody("if " + c, leaveFunction(context, place));
}

std::string branch(Context &context, const Place &place) {
  const bool isUniform = place.isUniform && context.oneIn(2);
  const std::string c =
      isUniform ? "(" + uniformValue(context) + " < " + number(i32, context.below(5)) + ")"
                : condition(context, 2);
  std::string text = withBody("if " + c, block(context, inside(place, isUniform), 3));
  if (context.oneIn(4))
    text += withBody("elif " + condition(context, 1), block(context, inside(place, false), 2));
  if (context.oneIn(2))
    text += withBody(
        "else",
        block(context, inside(place, isUniform && text.find("elif") == std::string::npos), 2));
  return text;
}

std::string matching(Context &context, const Place &place) {
  const Type type = context.is(Flavour::Indices) ? i64 : anyInteger(context);
  const std::string x = value(context, type, 1);
  auto arm = [&](const std::string &pattern) {
    return withBody("case " + pattern, block(context, inside(place, false), 2));
  };
  if (context.oneIn(context.levels.empty() ? 4 : 2))
    return "match " +
           (context.levels.empty() ? "level_of(" + cast(context, x, type, i32) + ")"
            : context.oneIn(2)     ? context.levels.front() // a parameter, if the program has one
                                   : level(context, 1)) +
           ":\n" + indented(arm("Level.Low") + arm("Level.High | Level.Lowest") + arm("Level.Top"));
  if (context.oneIn(2))
    return "match " + x + " & 3:\n" + indented(arm("0") + arm("1 | 2") + arm("_"));
  std::string some = type.isSigned() ? "-2 | 3..=9" : "2 | 3..=9";
  return "match " + x + ":\n" + indented(arm("1") + arm(some) + arm("_"));
}

/// A named index, a branch on it, and accesses at that index.
std::string guarded(Context &context, const Place &place) {
  std::vector<SliceName> fitting;
  for (const SliceName &slice : context.slices)
    if (slice.role != Role::Own)
      fitting.push_back(slice);
  const SliceName slice = context.oneOf(fitting), other = context.oneOf(fitting);
  const Scope scope(context);
  // Sometimes the type is unsigned, or the index is a difference that may wrap.
  Type type = i64;
  std::string x;
  if (context.oneIn(3)) {
    type = {static_cast<Scalar>(context.below(integerCount))};
    const std::string a = cast(context, plain(context, 1), i64, type);
    x = context.oneIn(2) ? a : "(" + a + " - " + cast(context, plainLeaf(context), i64, type) + ")";
  } else {
    x = plain(context, 2);
  }
  const Name at = declare(context, type, false);
  const std::string asIndex = cast(context, at.text, type, i64);
  const std::string length = extent(context, context.oneIn(3) ? other : slice, 0);
  std::string c = asIndex + (context.oneIn(4) ? " <= " : " < ") + length;
  if (context.oneIn(4))
    c = at.text + " < " + cast(context, length, i64, type);
  else if (context.oneIn(6)) // an unsigned comparison tests both bounds
    c = "(" + asIndex + " as u64) < (" + length + " as u64)";
  else if (context.oneIn(6))
    c = asIndex + " < math.min(" + length + ", " + extent(context, other, 0) + ")";
  if (type.isSigned() && !context.oneIn(3)) {
    std::string above = at.text + " >= " + number(type, context.oneIn(5) ? -1 : 0);
    if (context.oneIn(4)) // a negative number is large as an unsigned one
      above = "(" + asIndex + " as u64) " + context.oneOf({"> ", ">= "}) +
              (context.oneIn(2) ? std::to_string(context.below(4)) + "u64"
                                : "(" + plainLeaf(context) + " as u64)");
    c = context.oneIn(2) ? above + " and " + c : c + " and " + above;
  }
  auto indices = [&](const SliceName &of) {
    std::vector<std::string> result = {
        context.oneIn(3) ? "(" + at.text + context.oneOf({" + ", " - "}) + number(type, 1) + ")"
                         : at.text};
    for (unsigned axis = 1; axis != of.rank; ++axis)
      result.insert(context.oneIn(2) ? result.begin() : result.end(), index(context, of, axis));
    return result;
  };
  std::string body = accessAt(context, slice, indices(slice));
  body += context.oneIn(2) ? accessAt(context, other, indices(other))
                           : block(context, inside(place, false), 2);
  return "val " + at.text + " = " + x + "\n" + withBody("if " + c, body);
}

/// A named row or sub-slice, and accesses to it.
std::string part(Context &context, const Place &place) {
  std::vector<SliceName> fitting;
  for (const SliceName &slice : context.slices)
    if (slice.role != Role::Own)
      fitting.push_back(slice);
  if (fitting.empty())
    return branch(context, place);
  const SliceName of = context.oneOf(fitting);
  SliceName made = of;
  made.text = context.fresh("w");
  std::string view = of.text + "[";
  if (of.rank != 1) {
    view += index(context, of, 0);
    --made.rank;
    if (made.rank != 1 && context.oneIn(2)) {
      view += ", " + index(context, of, 1);
      --made.rank;
    }
  } else if (!context.program.mayFault || (!context.is(Flavour::Indices) && !context.oneIn(8))) {
    // The sub-slice is never empty.
    view += "wrapped(" + value(context, i64, 1) + ", " + of.text + ".len())..";
  } else {
    const bool fromStart = context.oneIn(4), toEnd = !fromStart && context.oneIn(4);
    view += (fromStart ? "" : "(" + plain(context, 1) + ")") + std::string("..") +
            (toEnd ? "" : "(" + plain(context, 1) + ")");
  }
  // The name is visible to the end of the enclosing block.
  context.slices.push_back(made);
  std::string body = block(context, inside(place, place.isUniform), 3);
  context.slices.pop_back();
  return "val " + made.text + " = " + view + "]\n" + body;
}

} // namespace spl::generator
