// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates loops. In programs of Flavour::Indices the number of iterations is arbitrary, otherwise
// small.
#include "test/generator/Context.h"

#include <utility>

namespace spl::generator {

static std::string loopBody(Context &context, const Place &place, bool isUniform) {
  const std::string first = std::exchange(context.first, "");
  return first + block(context, inLoop(place, isUniform), first.empty() ? 3 : 2);
}

/// The loop, with a label if its body jumps to it.
static std::string loop(const Place &place, const std::string &header, const std::string &body) {
  const bool isNamed = place.loops == 0 && body.find(" outer\n") != std::string::npos;
  return withBody((isNamed ? "outer: " : "") + header, body);
}

/// A copy of the body for each number.
static std::string unrolled(const Name &at, int count, const std::string &body) {
  std::string text;
  for (int k = 0; k != count; ++k)
    text += withBody("if true", "val " + at.text + " = " + number(at.type, k) + "\n" + body);
  return text;
}

static std::string shortFor(Context &context, const Place &place) {
  const bool isUniform = place.isUniform && !context.oneIn(3);
  const bool isOfN = context.isGeneric && !place.inFunction && context.oneIn(2);
  const Type type = isOfN                                      ? i64
                    : isUniform || context.is(Flavour::Groups) ? i32
                                                               : anyInteger(context);
  const std::string bound = isUniform ? uniformValue(context) : value(context, type, 2);
  const Scope scope(context);
  const Name at = declare(context, type, false, isUniform);
  const std::string few = "(" + bound + " & 3)";
  std::string range = "0.." + few;
  if (!isUniform && context.oneIn(4))
    range = few + "..=" + number(type, 4) + " step " + number(type, 2);
  if (!isUniform && type.isSigned() && context.oneIn(4))
    range = few + "..=" + number(type, -2) + " step " + number(type, -2);
  if (context.oneIn(4))
    range = "(" + range + ").reversed()";
  int count = 0;
  if (isOfN) {
    range = "0..N" + context.oneOf({" unroll", " unroll(2)", ""});
  } else if (context.oneIn(3)) {
    count = 1 + context.below(4);
    range = "0.." + number(type, count) + context.oneOf({" unroll", " unroll(2)", ""});
  }
  const std::string body = loopBody(context, place, isUniform);
  if (context.variant == Variant::UnrolledLoops && count != 0 &&
      body.find("break") == std::string::npos && body.find("continue") == std::string::npos)
    return unrolled(at, count, body);
  return loop(place, "for " + at.text + " in " + range, body);
}

std::string forLoop(Context &context, const Place &place) {
  if (!context.is(Flavour::Indices))
    return place.loops < 2 ? shortFor(context, place) : assignment(context);
  const Type type = anyInteger(context);
  auto bound = [&] {
    return context.oneIn(3) ? value(context, type, 1) : cast(context, plain(context, 1), i64, type);
  };
  const bool isGrid = type == i64 && context.oneIn(4), isInclusive = !isGrid && context.oneIn(4);
  std::string from = context.oneIn(2) ? number(type, 0) : bound(), to = bound();
  std::string range = from + (isInclusive ? "..=" : "..") + to;
  if (isGrid) {
    range = "gpu.grid_stride(" + to + ")";
  } else if (context.oneIn(2)) {
    std::string step = context.oneIn(2) ? leaf(context, type) : constant(context, type);
    if (!context.program.mayFault)
      step = "(" + step + " | 1)";
    if (type.isSigned() && context.oneIn(3)) // counts down
      range = to + (isInclusive ? "..=" : "..") + from;
    range += " step " + step;
  }
  const Scope scope(context);
  const Name at = declare(context, type, false);
  return loop(place, "for " + at.text + " in " + range, loopBody(context, place, false));
}

/// A loop that carries a value between iterations and uses it as an index.
std::string carryingLoop(Context &context, const Place &place) {
  const Scope scope(context);
  const std::string start = plain(context, 1);
  const Name at = declare(context, i64, true);
  std::string next = "(" + at.text + " " + context.oneOf({"+", "-", "*", "/", ">>", "%"}) + " " +
                     number(i64, 1 + context.below(3)) + ")";
  if (context.oneIn(3))
    next = "math." + context.oneOf({"min", "max"}) + "(" + next + ", " + plain(context, 1) + ")";
  if (context.oneIn(4))
    next = "(" + next + " if " + compare(context, 1) + " else " + at.text + ")";
  std::vector<SliceName> fitting;
  for (const SliceName &slice : context.slices)
    if (slice.role != Role::Own)
      fitting.push_back(slice);
  const SliceName slice = context.oneOf(fitting);
  std::vector<std::string> indices;
  for (unsigned axis = 0; axis != slice.rank; ++axis)
    indices.push_back(axis != 0 && context.oneIn(2) ? index(context, slice, axis) : at.text);
  context.first = accessAt(context, slice, indices) + at.text + " = " + next + "\n";
  const std::string carrying =
      context.oneIn(4) ? whileLoop(context, place) : forLoop(context, place);
  return "var " + at.text + " = " + start + "\n" + carrying +
         (context.oneIn(2) ? accessAt(context, slice, indices) : "");
}

/// An element of an input, as a small number of another type, or -1.
static std::string smallElement(Context &context, const SliceName &slice, Type type) {
  const std::string of = element(context, slice, {index(context, slice, 0)});
  const std::string small = "(" + cast(context, of, slice.element, type) + " & " +
                            number(type, context.oneOf(std::vector<int>{3, 7, 15})) + ")";
  return context.program.mayFault && context.oneIn(6) ? "(" + small + " - " + number(type, 1) + ")"
                                                      : small;
}

/// An index that is the variable of a loop plus or minus a number, or a multiple of it.
static std::string indexOf(Context &context, const Name &at) {
  switch (context.below(7)) {
  case 0:
    return "(" + at.text + " + " + number(at.type, 1 + context.below(2)) + ")";
  case 1:
    return "(" + at.text + " - " + number(at.type, 1) + ")";
  case 2:
    return "(" + at.text + " * " + number(at.type, 2) + ")";
  case 3:
    return "(" + plainLeaf(context) + context.oneOf({" + ", " - "}) +
           cast(context, at.text, at.type, i64) + ")";
  default:
    return at.text;
  }
}

std::string memoryRange(Context &context, const Place &place) {
  std::vector<SliceName> inputs, fitting;
  for (const SliceName &slice : context.slices) {
    if (slice.rank == 1 && slice.role == Role::Input && !slice.element.isFloat() &&
        !slice.element.isVector())
      inputs.push_back(slice);
    if (slice.rank == 1 && slice.role != Role::Own)
      fitting.push_back(slice);
  }
  if (inputs.empty() || fitting.empty() || place.loops > 1)
    return assignment(context);
  const SliceName bounds = context.oneOf(inputs);
  const Type type = anyInteger(context);
  std::string range = smallElement(context, bounds, type) + context.oneOf({"..", "..", "..="}) +
                      smallElement(context, bounds, type);
  if (context.oneIn(6))
    range += " step " + number(type, 1 + context.below(3));
  if (context.oneIn(6))
    range = "(" + range + ").reversed()";
  const Scope scope(context);
  const Name at = declare(context, type, false);
  for (int count = 1 + context.below(3); count != 0; --count) {
    const SliceName slice = context.oneOf(fitting);
    const std::string own = indexOf(context, at);
    context.first +=
        accessAt(context, slice,
                 {context.program.mayFault ? own
                                           : "wrapped(" + cast(context, own, type, i64) + ", " +
                                                 extent(context, slice, 0) + ")"});
  }
  return loop(place, "for " + at.text + " in " + range, loopBody(context, place, false));
}

std::string elementLoop(Context &context, const Place &place) {
  std::vector<SliceName> fitting;
  for (const SliceName &slice : context.slices)
    if (slice.rank == 1 && slice.role == Role::Input && !slice.element.isVector())
      fitting.push_back(slice);
  if (fitting.empty() || place.loops > 1)
    return assignment(context);
  const SliceName slice = context.oneOf(fitting);
  const Scope scope(context);
  const Name at = declare(context, slice.element, false);
  const std::string of = context.is(Flavour::Indices)
                             ? slice.text
                             : slice.text + "[..math.min(" + slice.text + ".len(), 3)]";
  return loop(place, "for " + at.text + " in " + of, loopBody(context, place, false));
}

static std::string shortWhile(Context &context, const Place &place) {
  const bool isUniform = place.isUniform && !context.oneIn(3);
  const std::string c = isUniform
                            ? "(" + uniformValue(context) + " < " + uniformValue(context) + ")"
                            : condition(context, 2);
  const Scope scope(context);
  const Name at = declare(context, i32, false, isUniform); // only the loop itself may assign it
  return "var " + at.text + " = 0i32\n" +
         loop(place, "while " + at.text + " < 3 and " + c,
              at.text + " += 1\n" + loopBody(context, place, isUniform));
}

std::string whileLoop(Context &context, const Place &place) {
  if (!context.is(Flavour::Indices))
    return place.loops < 2 ? shortWhile(context, place) : assignment(context);
  const Type type = anyInteger(context);
  const std::string start =
      context.oneIn(2) ? value(context, type, 1) : cast(context, leaf(context, i64), i64, type);
  std::string end = value(context, type, 1);
  if (context.oneIn(2))
    end = number(type, context.oneIn(2) ? 0 : 8);
  const bool isUp = context.oneIn(2);
  const Scope scope(context);
  const Name at = declare(context, type, false); // only the loop itself may assign it
  std::string c =
      at.text +
      (isUp ? context.oneOf({" < ", " <= ", " != "}) : context.oneOf({" > ", " >= ", " != "})) +
      end;
  if (context.oneIn(3))
    c += " and " + condition(context, 1);
  const std::string op = isUp ? " + " : context.oneOf({" - ", " - ", " / ", " >> "});
  const std::string step =
      at.text + " = " + at.text + op + number(type, 1 + context.below(3)) + "\n";
  const std::string body = loopBody(context, place, false);
  const bool isFirst = context.oneIn(2) || body.find("continue") != std::string::npos;
  return "var " + at.text + " = " + start + "\n" +
         loop(place, "while " + c, isFirst ? step + body : body + step);
}

/// If the body is empty, the loop ends because its condition is false. The compiler cannot know
/// that.
std::string emptyLoop(Context &context, const Place &place) {
  const std::string c = condition(context, 2);
  const std::string never = " and " + launchSize(context) + " < 0:";
  switch (context.below(5)) {
  case 0:
    return "while " + c + ": break\n";
  case 4:
    if (place.mayReturn)
      return "while " + c + (place.inFunction ? ": return w\n" : ": return\n");
    [[fallthrough]];
  case 1:
    return "while " + c + never + " continue\n";
  case 2:
    return "while " + c + never + "\n    # nothing\n    pass\n";
  default:
    return "while " + c + never + " pass\n";
  }
}

std::string countedLoop(Context &context) {
  const std::string start = value(context, i32, 1);
  const bool isVote = context.oneIn(3);
  const std::string counts = "gpu.atomic_sub(&mut tile[flat], 1) > 0";
  const std::string c =
      isVote ? "gpu.any(" + counts + ")"
             : counts + " and " + (context.oneIn(2) ? "true" : condition(context, 1));
  return "tile[flat] = " + start + " & 3\n" +
         withBody("while " + c, context.oneOf({"pass\n", "continue\n", "# nothing\npass\n"})) +
         "v0 = tile[flat]\n";
}

} // namespace spl::generator
