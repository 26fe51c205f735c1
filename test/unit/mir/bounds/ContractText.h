// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch contract says of given numbers, read from its text: "0 <= n and min(n, m) <= 3 *
// k". Written from the language alone, for tests of what makes such texts.
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace spl::test {

/// Parses and evaluates in one go. Throws std::runtime_error where the text is none of a contract.
class ContractText {
public:
  using Numbers = llvm::StringMap<int64_t>;

  static bool holds(llvm::StringRef text, const Numbers &numbers) {
    if (text.empty())
      return true;
    ContractText reader(text, numbers);
    bool all = reader.condition();
    while (reader.eat(" and "))
      all &= reader.condition();
    if (!reader.rest.empty())
      throw std::runtime_error("cannot read '" + reader.rest.str() + "'");
    return all;
  }

private:
  ContractText(llvm::StringRef text, const Numbers &numbers) : rest(text), numbers(numbers) {}

  bool eat(llvm::StringRef word) { return rest.consume_front(word); }

  bool condition() {
    const int64_t smaller = side();
    if (!eat(" <= "))
      throw std::runtime_error("no '<=' at '" + rest.str() + "'");
    return smaller <= side();
  }

  int64_t side() {
    const bool isMin = eat("min(");
    if (!isMin && !eat("max("))
      return sum();
    int64_t result = sum();
    while (eat(", "))
      result = isMin ? std::min(result, sum()) : std::max(result, sum());
    close();
    return result;
  }

  int64_t sum() {
    int64_t result = eat("-") ? -product() : product();
    while (true) {
      if (eat(" + "))
        result += product();
      else if (eat(" - "))
        result -= product();
      else
        return result;
    }
  }

  int64_t product() {
    int64_t result = operand();
    while (true) {
      if (eat(" * "))
        result *= operand();
      else if (eat(" / "))
        result = quotient(result, operand());
      else
        return result;
    }
  }

  /// Rounded down. One by what is not above 0 is in no launch: another condition excludes it.
  static int64_t quotient(int64_t a, int64_t b) {
    return b <= 0 ? 0 : a / b - (a % b != 0 && a < 0);
  }

  int64_t operand() {
    if (eat("(")) {
      const int64_t result = sum();
      close();
      return result;
    }
    llvm::StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c); });
    rest = rest.drop_front(word.size());
    int64_t number = 0;
    if (!word.getAsInteger(10, number))
      return number;
    auto found = numbers.find(word);
    if (found == numbers.end())
      throw std::runtime_error("no number is called '" + word.str() + "'");
    return found->second;
  }

  void close() {
    if (!eat(")"))
      throw std::runtime_error("no ')' at '" + rest.str() + "'");
  }

  llvm::StringRef rest;
  const Numbers &numbers;
};

} // namespace spl::test
