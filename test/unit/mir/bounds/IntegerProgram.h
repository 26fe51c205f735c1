// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random straight-line programs of narrow integers. Each program has few inputs, so it is computed
// for every combination of them. A test compares the bounds of a value with all its results.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace spl::test {

class IntegerProgram {
public:
  explicit IntegerProgram(unsigned seed);

  /// The name of a value in the text, and its result for each combination of inputs.
  struct Value {
    std::string name;
    unsigned width;
    std::vector<int64_t> in;
  };
  struct Condition {
    std::string name;
    std::vector<bool> in;
  };

  size_t combinations() const { return defined.size(); }
  /// Whether no operation of the program is undefined there, such as a division by 0.
  bool isDefined(size_t combination) const { return defined[combination]; }
  /// The kernel's parameters, by name.
  llvm::StringMap<int64_t> parameters(size_t combination) const;

  std::string parameterText() const;
  std::string body; ///< marks the facts by "test.fact" and the questions by "test.question"
  std::vector<Condition> facts, questions;
  std::vector<bool> factTruths;

private:
  unsigned below(unsigned count) { return std::uniform_int_distribution<>(0, count - 1)(random); }
  bool oneIn(unsigned count) { return below(count) == 0; }
  std::string newName() { return "%v" + std::to_string(names++); }

  void addInputs();
  const Value &constant(int64_t value, unsigned width);
  const Value &pick(unsigned width);
  void addValue();
  void addOperation();
  void addIntrinsic();
  void addShift();
  void addChoice();
  void addConversion();
  Condition comparison();
  Condition condition();
  void store(Value value, const std::string &text);

  std::mt19937 random;
  std::vector<Value> values; ///< the first are the inputs
  std::vector<bool> defined;
  unsigned names = 0;
};

} // namespace spl::test
