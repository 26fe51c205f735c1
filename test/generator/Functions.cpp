// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates functions of the program and structs, and calls of generic functions of the prelude.
#include "test/generator/Context.h"

#include <regex>

namespace spl::generator {

const char *const prelude = R"spl(
const TABLE: [i32; 8] = [3, -1, 40, 7, 0, 1000000, -128, 255]

fn flat_id() -> i64:
    return gpu.local_id(0) + gpu.local_size(0) * (
        gpu.local_id(1) + gpu.local_size(1) * gpu.local_id(2))

fn group_size() -> i64:
    return gpu.local_size(0) * gpu.local_size(1) * gpu.local_size(2)

fn flat_group() -> i64:
    return gpu.group_id(0) + gpu.num_groups(0) * (
        gpu.group_id(1) + gpu.num_groups(1) * gpu.group_id(2))

fn flat_item() -> i64:
    return flat_group() * group_size() + flat_id()

fn from_lane[T: Num](x: T, source: i32) -> T:
    val y = gpu.shuffle(x, source)
    return y if (gpu.ballot(true) >> (source & 31)) & 1 == 1 else 7

fn from_xor[T: Num](x: T, m: i32) -> T:
    val y = gpu.shuffle_xor(x, m)
    return y if (gpu.ballot(true) >> ((gpu.lane_id() as i32 ^ m) & 31)) & 1 == 1 else 7

fn from_below[T: Num](x: T, d: i32) -> T:
    val lane = gpu.lane_id() as i32
    val y = gpu.shuffle_up(x, d)
    return y if (gpu.ballot(true) >> (lane - d if d <= lane else lane)) & 1 == 1 else 7

fn from_above[T: Num](x: T, d: i32) -> T:
    val lane = gpu.lane_id() as i32
    val y = gpu.shuffle_down(x, d)
    return y if (gpu.ballot(true) >> (lane + d if lane + d < 32 else lane)) & 1 == 1 else 7

struct Tally:
    count: i32
    seen: [i32; 2]
    fn next(&mut self, by: i32) -> i32:
        self.count += by
        return self.count - by

fn from_tally(x: i32, source: i32) -> i32:
    val y = gpu.shuffle(Tally(source, [source, x]), source)
    return y.seen[1] if (gpu.ballot(true) >> (source & 31)) & 1 == 1 else 7

fn from_segment[T: Num, const W: i64](x: T, by: i32) -> T:
    val lane = gpu.lane_id() as i32
    val sent = (x, [lane, lane + 1])
    var y = gpu.shuffle(sent, by, width: W)
    if by % 4 == 1: y = gpu.shuffle_up(sent, by / 4, width: W)
    if by % 4 == 2: y = gpu.shuffle_down(sent, by / 4, width: W)
    if by % 4 == 3: y = gpu.shuffle_xor(sent, by / 4, width: W)
    val first = lane - lane % (W as i32)
    val inside = lane - first
    val width = W as i32
    var source = by % width
    if by % 4 == 1: source = inside - by / 4 if by / 4 <= inside else inside
    if by % 4 == 2: source = inside + by / 4 if inside + by / 4 < width else inside
    if by % 4 == 3: source = (inside ^ (by / 4)) % width
    if (gpu.ballot(true) >> (first + source)) & 1 != 1: return 7
    return y.0 if y.1[1] == first + source + 1 else 9

fn same[T: Num](x: T) -> T:
    return x

fn not_nan[T: Float](x: T) -> T:
    return x if x == x else 1

fn advanced[T: Num](x: &mut T, by: T) -> T:
    val old = x
    x = old + by
    return old

fn swapped[T: Num](a: &mut T, b: &mut T):
    (a, b) = (b, a)

fn twice[T: Num](x: &mut T, by: &T) -> T:
    val first = advanced(&mut x, by)
    return advanced(&mut x, first)

fn agreed[T: Num](known: T, found: T):
    assert known == found or (known != known and found != found), "a constant of {found} is {known}"
    if T is Float: assert known != 0 or 1 / known == 1 / found, "a constant of {found} is {known}"

fn wrapped(i: i64, n: i64) -> i64:
    if n <= 0: return 0
    val r = i % n
    if r < 0: return r + n
    return r

fn halved(i: i64, most: i64) -> i64:
    var x = i
    while x > most:
        if x < 5: break
        x = x / 2
    return x

fn nearer[T: Int](i: T, n: T) -> T:
    return i if i < n else n - 1

fn polynomial[T: Num, const N: i64](x: T, a: T) -> T:
    var y = a
    for _ in 0..N unroll: y = y * x + a
    if T is Signed and not T is i16: y = -y
    elif T is Int: y = y ^ T.MAX
    return y

enum Level:
    Low
    High = 10
    Top
    Lowest = -3

fn level_of(i: i32) -> Level:
    if i < 0: return Level.Lowest
    match i & 3:
        case 0: return Level.Low
        case 1: return Level.Top
        case _: return Level.High

fn weight_of(level: Level) -> i32:
    match level:
        case Level.Low: return 5
        case Level.Top | Level.Lowest: return (level as i32) * 3
        case Level.High: return -1

struct Span:
    first: i64
    count: i64
    fn at(self, k: i64) -> i64:
        if k < 0 or k >= self.count: return self.first
        return self.first + k
)spl";

/// A loop that adds its numbers to w, in an order that counts.
static std::string countedSum(Context &context, Type type) {
  const Type counter = anyInteger(context);
  const bool isDown = counter.isSigned() && context.oneIn(3);
  const std::string from = number(counter, context.below(9)),
                    to = number(counter, context.below(19)),
                    step = std::to_string(1 + context.below(4));
  const std::string at = context.fresh("v");
  std::string range = (isDown ? to : from) + context.oneOf({"..", "..="}) + (isDown ? from : to) +
                      " step " + number(counter, std::stoi(step) * (isDown ? -1 : 1));
  if (context.oneIn(3))
    range = "(" + range + ").reversed()";
  return withBody("for " + at + " in " + range, "w = w * " + number(type.lane(), 3) + " + " +
                                                    cast(context, at, counter, type.lane()) + "\n");
}

/// The body of a function. It uses only parameters and variables of that function.
static std::string functionBody(Context &context, const Callable &made) {
  std::vector<Name> names;
  std::vector<SliceName> slices;
  std::swap(names, context.names);
  std::swap(slices, context.slices);
  if (made.slice)
    context.slices.push_back({"xs", *made.slice, 1, Role::Input});
  for (std::size_t i = 0; i != made.parameters.size(); ++i)
    context.names.push_back({"p" + std::to_string(i), made.parameters[i]});
  const std::string start = value(context, made.result, 1);
  context.names.push_back({"w", made.result, true});
  Place place;
  place.inFunction = place.mayReturn = true;
  std::string text = "var w = " + start + "\n" + block(context, place, 2);
  if (context.isConstant) { // what the front end computes has more statements, and all count
    text += block(context, place, 3) + forLoop(context, place) + countedSum(context, made.result);
    text += block(context, place, 2) + "return w\n";
  } else {
    text += "return " + value(context, made.result, 2) + "\n";
  }
  std::swap(names, context.names);
  std::swap(slices, context.slices);
  return text;
}

std::string makeFunction(Context &context) {
  Callable made;
  made.name = context.program.kernel + context.fresh("f");
  if (context.is(Flavour::Data) && !context.isConstant && context.oneIn(2))
    made.slice = anyScalar(context);
  for (int count = 1 + context.below(3); count != 0; --count)
    made.parameters.push_back(context.is(Flavour::Indices) ? i64 : anyType(context));
  made.result = context.is(Flavour::Indices) ? i64 : anyType(context);
  std::string parameters = made.slice ? "xs: &[" + made.slice->name() + "]" : "";
  for (std::size_t i = 0; i != made.parameters.size(); ++i)
    parameters +=
        (parameters.empty() ? "p" : ", p") + std::to_string(i) + ": " + made.parameters[i].name();
  made.body = functionBody(context, made);
  const std::string attribute = context.oneOf({"", "", "#[noinline]\n", "#[inline]\n"});
  context.functions.push_back(made);
  return "\n" + attribute +
         withBody("fn " + made.name + "(" + parameters + ") -> " + made.result.name(), made.body);
}

//===-- Calls --===//

static std::string sliceArgument(Context &context, Type element) {
  std::vector<std::string> fitting;
  for (const SliceName &slice : context.slices)
    if (slice.element == element && slice.rank == 1 && slice.role == Role::Input)
      fitting.push_back(slice.text);
  if (!fitting.empty())
    return context.oneOf(fitting);
  std::string text = "[";
  for (int i = 0; i != 3; ++i)
    text += (i ? ", " : "") + leaf(context, element);
  return text + "]";
}

static std::string callOf(Context &context, const Callable &callee, int depth) {
  std::string text = callee.slice ? sliceArgument(context, *callee.slice) : "";
  for (const Type &parameter : callee.parameters)
    text += (text.empty() ? "" : ", ") + value(context, parameter, depth);
  return callee.name + "(" + text + ")";
}

static std::string indexCall(Context &context, int depth) {
  auto argument = [&] { return value(context, i64, depth); };
  const std::string two = "(" + argument() + ", " + argument() + ")";
  switch (context.below(4)) {
  case 0:
    return "wrapped" + two;
  case 1:
    return "halved" + two;
  case 2:
    return "nearer" + two;
  default:
    return "Span" + two + ".at(" + argument() + ")";
  }
}

/// The body of a function in place of its call. Its names get the suffix of \p name, the variable
/// for its result.
static std::string inlined(const Callable &callee, const std::vector<std::string> &arguments,
                           const std::string &name) {
  static const std::regex local(R"((^|\.\.|[^.\w])([pstvw][0-9]+|w)\b)");
  auto renamed = [&](const std::string &text) {
    return std::regex_replace(text, local, "$1$2in_" + name);
  };
  std::string text;
  for (std::size_t i = 0; i != arguments.size(); ++i)
    text += renamed("val p" + std::to_string(i)) + ": " + callee.parameters[i].name() + " = " +
            arguments[i] + "\n";
  const std::size_t last = callee.body.rfind("return ");
  return text + renamed(callee.body.substr(0, last)) + "val " + name + " = " +
         renamed(callee.body.substr(last + sizeof "return"));
}

std::string callStatement(Context &context) {
  if (context.functions.empty())
    return assignment(context);
  const Callable callee = context.oneOf(context.functions);
  std::vector<std::string> arguments;
  if (callee.slice)
    arguments.push_back(sliceArgument(context, *callee.slice));
  for (const Type &parameter : callee.parameters)
    arguments.push_back(value(context, parameter, 1));
  const Name made = declare(context, callee.result, false);
  const bool hasOneReturn = callee.body.find("return ") == callee.body.rfind("return ");
  const bool hasLabel = callee.body.find("outer:") != std::string::npos; // may be one of the caller
  if (context.variant == Variant::InlinedCalls && !callee.slice && hasOneReturn && !hasLabel)
    return inlined(callee, arguments, made.text);
  std::string text;
  for (const std::string &argument : arguments)
    text += (text.empty() ? "" : ", ") + argument;
  return "val " + made.text + " = " + callee.name + "(" + text + ")\n";
}

std::string call(Context &context, Type type, int depth) {
  if (!context.functions.empty() && !context.isConstant && !context.oneIn(3)) {
    const Callable callee = context.oneOf(context.functions);
    const std::string text = callOf(context, callee, depth);
    if (!callee.result.isVector())
      return cast(context, text, callee.result, type);
    return cast(context, text + "[1]", callee.result.lane(), type);
  }
  if (context.is(Flavour::Data) && context.oneIn(2))
    return "polynomial[" + type.name() + ", " +
           (context.isGeneric && context.oneIn(2) ? "N" : std::to_string(context.below(4))) + "](" +
           value(context, type, depth) + ", " + value(context, type, depth) + ")";
  return context.is(Flavour::Groups) ? leaf(context, type)
                                     : cast(context, indexCall(context, depth), i64, type);
}

} // namespace spl::generator
