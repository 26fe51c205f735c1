// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/mir/bounds/IntegerProgram.h"
#include <algorithm>
#include <iterator>

namespace spl::test {

static constexpr unsigned narrow = 8, wide = 16;
static constexpr unsigned numParameters = 2, numInputs = 4;
static const char *const parameterNames[numParameters] = {"n", "m"};

/// The number that the lowest bits are.
static int64_t wrapped(int64_t value, unsigned width) {
  const unsigned unused = 64 - width;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

static uint64_t asUnsigned(int64_t value, unsigned width) {
  return static_cast<uint64_t>(value) & ((uint64_t{1} << width) - 1);
}

static std::string typeOf(unsigned width) { return "i" + std::to_string(width); }

IntegerProgram::IntegerProgram(unsigned seed) : random(seed) {
  addInputs();
  for (unsigned i = 0, count = 2 + below(6); i < count; ++i)
    addValue();
  for (unsigned i = 0, count = below(4); i < count; ++i) {
    facts.push_back(condition());
    factTruths.push_back(!oneIn(3));
    body += "  \"test.fact\"(" + facts.back().name + ") : (i1) -> ()\n";
  }
  for (unsigned i = 0; i < 8; ++i) {
    questions.push_back(condition());
    body += "  \"test.question\"(" + questions.back().name + ") : (i1) -> ()\n";
  }
}

/// The ends of the type and what is around 0, and others besides.
void IntegerProgram::addInputs() {
  std::vector<int64_t> domain{-128, -1, 0, 1, 127};
  for (unsigned i = 0; i < 2; ++i)
    domain.push_back(static_cast<int64_t>(below(256)) - 128);
  size_t count = 1;
  for (unsigned i = 0; i < numInputs; ++i)
    count *= domain.size();
  defined.assign(count, true);
  size_t period = 1;
  for (unsigned input = 0; input < numInputs; ++input, period *= domain.size()) {
    Value value{"%" + std::string(input < numParameters ? parameterNames[input] : ""), narrow, {}};
    for (size_t i = 0; i < count; ++i)
      value.in.push_back(domain[i / period % domain.size()]);
    if (input >= numParameters) {
      value.name = newName();
      body += "  " + value.name + " = \"test.unknown\"() : () -> i8\n";
    }
    values.push_back(std::move(value));
  }
  values.reserve(200); // references to values stay
}

llvm::StringMap<int64_t> IntegerProgram::parameters(size_t combination) const {
  llvm::StringMap<int64_t> numbers;
  for (unsigned i = 0; i < numParameters; ++i)
    numbers[parameterNames[i]] = values[i].in[combination];
  return numbers;
}

std::string IntegerProgram::parameterText() const {
  std::string text;
  for (const char *name : parameterNames)
    text += (text.empty() ? "%" : ", %") + std::string(name) + ": i8 {spl.name = \"" + name + "\"}";
  return text;
}

void IntegerProgram::store(Value value, const std::string &text) {
  body += "  " + value.name + " = " + text + "\n";
  values.push_back(std::move(value));
}

const IntegerProgram::Value &IntegerProgram::constant(int64_t number, unsigned width) {
  store({newName(), width, std::vector<int64_t>(combinations(), number)},
        "arith.constant " + std::to_string(number) + " : " + typeOf(width));
  return values.back();
}

/// A value, more often one of the last, or a constant.
const IntegerProgram::Value &IntegerProgram::pick(unsigned width) {
  if (oneIn(3)) {
    static constexpr int64_t near[] = {0, 1, -1, 2, 3, 7, 127, -128, 100};
    return constant(near[below(std::size(near))], width);
  }
  for (unsigned tries = 0; tries < 20; ++tries) {
    const size_t back = below(oneIn(2) ? 3 : values.size());
    const Value &value = values[values.size() - 1 - std::min(back, values.size() - 1)];
    if (value.width == width)
      return value;
  }
  return width == narrow ? values[below(numInputs)] : constant(below(300), width);
}

void IntegerProgram::addValue() {
  switch (below(8)) {
  case 0:
    return addIntrinsic();
  case 1:
    return addShift();
  case 2:
    return addChoice();
  case 3:
    return addConversion();
  default:
    return addOperation();
  }
}

void IntegerProgram::addOperation() {
  struct Row {
    const char *name;
    int64_t (*compute)(int64_t a, int64_t b, unsigned width);
    bool divides, isSigned;
  };
  static const Row rows[] = {
      {"addi", [](int64_t a, int64_t b, unsigned) { return a + b; }, false, true},
      {"subi", [](int64_t a, int64_t b, unsigned) { return a - b; }, false, true},
      {"subi", [](int64_t a, int64_t b, unsigned) { return a - b; }, false, true},
      {"muli", [](int64_t a, int64_t b, unsigned) { return a * b; }, false, true},
      {"divsi", [](int64_t a, int64_t b, unsigned) { return a / b; }, true, true},
      {"remsi", [](int64_t a, int64_t b, unsigned) { return a % b; }, true, true},
      {"divui",
       [](int64_t a, int64_t b, unsigned w) {
         return static_cast<int64_t>(asUnsigned(a, w) / asUnsigned(b, w));
       },
       true, false},
      {"remui",
       [](int64_t a, int64_t b, unsigned w) {
         return static_cast<int64_t>(asUnsigned(a, w) % asUnsigned(b, w));
       },
       true, false},
      {"minsi", [](int64_t a, int64_t b, unsigned) { return std::min(a, b); }, false, true},
      {"maxsi", [](int64_t a, int64_t b, unsigned) { return std::max(a, b); }, false, true},
      {"minui",
       [](int64_t a, int64_t b, unsigned w) { return asUnsigned(a, w) < asUnsigned(b, w) ? a : b; },
       false, false},
      {"maxui",
       [](int64_t a, int64_t b, unsigned w) { return asUnsigned(a, w) < asUnsigned(b, w) ? b : a; },
       false, false},
      {"andi", [](int64_t a, int64_t b, unsigned) { return a & b; }, false, false},
  };
  const Row &row = rows[below(std::size(rows))];
  const unsigned width = oneIn(5) ? wide : narrow;
  const Value a = pick(width), b = pick(width);
  Value result{newName(), width, {}};
  for (size_t i = 0; i < combinations(); ++i) {
    const bool isUndefined =
        row.divides && (b.in[i] == 0 || (row.isSigned && b.in[i] == -1 &&
                                         a.in[i] == wrapped(int64_t{1} << (width - 1), width)));
    defined[i] = defined[i] && !isUndefined;
    result.in.push_back(isUndefined ? 0 : wrapped(row.compute(a.in[i], b.in[i], width), width));
  }
  store(result,
        std::string("arith.") + row.name + " " + a.name + ", " + b.name + " : " + typeOf(width));
}

void IntegerProgram::addIntrinsic() {
  const unsigned which = below(3); // min, max, clamp
  const bool isSigned = !oneIn(3);
  const Value a = pick(narrow), b = pick(narrow), c = pick(narrow);
  auto less = [&](int64_t x, int64_t y) {
    return isSigned ? x < y : asUnsigned(x, narrow) < asUnsigned(y, narrow);
  };
  auto smaller = [&](int64_t x, int64_t y) { return less(y, x) ? y : x; };
  auto larger = [&](int64_t x, int64_t y) { return less(x, y) ? y : x; };
  Value result{newName(), narrow, {}};
  for (size_t i = 0; i < combinations(); ++i)
    result.in.push_back(which == 0   ? smaller(a.in[i], b.in[i])
                        : which == 1 ? larger(a.in[i], b.in[i])
                                     : smaller(larger(a.in[i], b.in[i]), c.in[i]));
  const std::string flag = isSigned ? "" : " {isUnsigned}";
  if (which == 2)
    store(result, "spl.intrinsic \"math.clamp\"(" + a.name + ", " + b.name + ", " + c.name + ")" +
                      flag + " : (i8, i8, i8) -> i8");
  else
    store(result, std::string("spl.intrinsic \"math.") + (which == 0 ? "min" : "max") + "\"(" +
                      a.name + ", " + b.name + ")" + flag + " : (i8, i8) -> i8");
}

void IntegerProgram::addShift() {
  static const char *const names[] = {"shli", "shrsi", "shrui"};
  const unsigned which = below(3), width = oneIn(4) ? wide : narrow;
  const Value a = pick(width), by = constant(below(width), width);
  const unsigned count = by.in.front();
  Value result{newName(), width, {}};
  for (int64_t value : a.in)
    result.in.push_back(
        wrapped(which == 0 ? value << count
                           : (which == 1 ? value >> count
                                         : static_cast<int64_t>(asUnsigned(value, width) >> count)),
                width));
  store(result, std::string("arith.") + names[which] + " " + a.name + ", " + by.name + " : " +
                    typeOf(width));
}

void IntegerProgram::addChoice() {
  const Condition chosen = condition();
  const Value a = pick(narrow), b = pick(narrow);
  Value result{newName(), narrow, {}};
  for (size_t i = 0; i < combinations(); ++i)
    result.in.push_back(chosen.in[i] ? a.in[i] : b.in[i]);
  store(result, "arith.select " + chosen.name + ", " + a.name + ", " + b.name + " : i8");
}

void IntegerProgram::addConversion() {
  const unsigned which = below(3);
  const unsigned from = which == 2 ? wide : narrow, to = which == 2 ? narrow : wide;
  static const char *const names[] = {"extsi", "extui", "trunci"};
  const Value a = pick(from);
  Value result{newName(), to, {}};
  for (int64_t value : a.in)
    result.in.push_back(which == 1 ? static_cast<int64_t>(asUnsigned(value, from))
                                   : wrapped(value, to));
  store(result, std::string("arith.") + names[which] + " " + a.name + " : " + typeOf(from) +
                    " to " + typeOf(to));
}

IntegerProgram::Condition IntegerProgram::comparison() {
  static const char *const names[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};
  const unsigned which = below(std::size(names));
  const unsigned width = oneIn(5) ? wide : narrow;
  const Value a = pick(width), b = pick(width);
  Condition result{newName(), {}};
  for (size_t i = 0; i < combinations(); ++i) {
    const int64_t x = a.in[i], y = b.in[i];
    const uint64_t ux = asUnsigned(x, width), uy = asUnsigned(y, width);
    const bool holds[] = {x == y,  x != y, x<y, x <= y, x> y, x >= y, ux<uy, ux <= uy, ux> uy,
                          ux >= uy};
    result.in.push_back(holds[which]);
  }
  body += "  " + result.name + " = arith.cmpi " + names[which] + ", " + a.name + ", " + b.name +
          " : " + typeOf(width) + "\n";
  return result;
}

/// A comparison, or two together, or the opposite of one.
IntegerProgram::Condition IntegerProgram::condition() {
  const Condition a = comparison();
  const unsigned which = below(8);
  if (which > 2)
    return a;
  Condition result{newName(), {}};
  if (which == 2) {
    const std::string one = newName();
    body += "  " + one + " = arith.constant true\n";
    body += "  " + result.name + " = arith.xori " + a.name + ", " + one + " : i1\n";
    for (bool value : a.in)
      result.in.push_back(!value);
    return result;
  }
  const Condition b = comparison();
  body += "  " + result.name + (which == 0 ? " = arith.andi " : " = arith.ori ") + a.name + ", " +
          b.name + " : i1\n";
  for (size_t i = 0; i < a.in.size(); ++i)
    result.in.push_back(which == 0 ? a.in[i] && b.in[i] : a.in[i] || b.in[i]);
  return result;
}

} // namespace spl::test
