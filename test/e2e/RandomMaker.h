// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes random kernels (RandomKernels.h): every expression and statement is its text and,
// beside it, its meaning.
#pragma once

#include "test/e2e/RandomKernels.h"

#include <algorithm>

namespace spl::e2e::random {

/// Numbers, and truths as 0 and 1, of those that evaluate it.
struct Expr {
  std::string text;
  std::function<Values(State &, Items)> values;
};

/// Answers those that come out at its end.
struct Stmt {
  std::string text; ///< lines, each with its end
  std::function<Items(State &, Items)> run;
};

/// What may appear where: how deep, in what loop, and whether the whole group is there.
struct Place {
  int depth = 0, loops = 0;
  bool isUniform = false;
  bool inFunction = false;
  bool mayLeaveLoop = false, mayReturn = false; ///< also where some have gone another way
  std::vector<std::string> names = {};          ///< to read
};

class Maker {
public:
  explicit Maker(std::uint64_t seed) : random(seed), name("k" + std::to_string(seed)) {}
  Kernel make();

private:
  int below(int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); }
  std::string number(const char *prefix) { return prefix + std::to_string(next++); }
  template <class T> const T &oneOf(const std::vector<T> &choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

  static void store(State &state, Items items);

  //===-- RandomExpressions.cpp --===//
  static Expr constant(std::int32_t value);
  static Expr variable(const std::string &name);
  Expr leaf(const Place &place);
  /// The same for the whole group.
  Expr uniform();
  Expr value(const Place &place, int depth);
  Expr binary(Expr a, Expr b);
  static Values parted(State &state, Items items, Items first, const Expr &a, const Expr &b);
  static Expr choice(Expr c, Expr a, Expr b);
  Expr reduction(Expr x);
  static Expr ballot(Expr c);
  static Expr match(Expr x);
  Expr shuffle(Expr x);
  Expr condition(const Place &place, int depth);
  Expr compare(Expr a, Expr b);
  Expr vote(Expr c);

  //===-- RandomKernels.cpp --===//
  struct Function {
    std::string name;
    Stmt body;
  };
  std::string function();
  Expr call(Expr p, Expr q);

  //===-- RandomStatements.cpp --===//
  Stmt block(const Place &place, int most);
  /// Sometimes, at the end of a block inside others, what leaves a loop or the function.
  std::optional<Stmt> exit(const Place &place);
  Stmt statement(const Place &place);
  static Stmt assign(const std::string &target, const Expr &x, bool adds);
  static Place inside(Place place, bool isUniform);
  Stmt branch(const Place &place);
  Stmt matching(const Place &place);
  /// Inside a loop: where the group is to stay together, nobody leaves alone.
  Place inLoop(const Place &place, bool isUniform, const std::string &index);
  /// Goes round as long as more says, which also counts.
  static Items loop(State &state, Items items, const Stmt &body,
                    const std::function<Items(State &, Items)> &more);
  Stmt forLoop(const Place &place);
  Stmt whileLoop(const Place &place);
  /// A loop that counts down in its condition; the body is empty.
  Stmt emptyLoop(const Place &place);
  Stmt meeting(const Place &place);
  Stmt exchange(const Expr &x);
  Stmt groupReduction(const std::string &target, const Expr &x);
  Stmt groupScan(const Expr &x);

  std::mt19937_64 random;
  std::string name;
  int next = 0;
  int budget = 7; ///< of statements with others inside
  bool hasBarriers = false;
  std::vector<Function> functions;
  std::vector<std::string> assignable = {"v0", "v1", "v2", "v3"};
};

//===-- What meanings are made of --===//

template <class F> void forEach(Items items, F &&f) {
  for (std::size_t i = 0; i != maxItems; ++i)
    if (items[i])
      f(i);
}

inline Values each(Items items, const std::function<std::int32_t(std::size_t)> &f) {
  Values values = {};
  forEach(items, [&](std::size_t i) { values[i] = f(i); });
  return values;
}

inline Items where(Items items, const Values &truth) {
  Items found;
  forEach(items, [&](std::size_t i) { found[i] = truth[i] != 0; });
  return found;
}

/// Those of them in the warp of that one.
inline Items warpOf(Items items, std::size_t item) {
  Items all;
  forEach(items, [&](std::size_t i) { all[i] = i / 32 == item / 32; });
  return all;
}

inline std::int32_t wrap(std::int64_t value) { return static_cast<std::int32_t>(value); }

inline std::int32_t fold(Items items, const Values &x, char how) {
  std::int64_t total = 0;
  bool isFirst = true;
  forEach(items, [&](std::size_t i) {
    total = isFirst      ? x[i]
            : how == '+' ? wrap(total + x[i])
            : how == '<' ? std::min<std::int64_t>(total, x[i])
                         : std::max<std::int64_t>(total, x[i]);
    isFirst = false;
  });
  return wrap(total);
}

inline std::int32_t maskOf(Items items) {
  std::uint32_t mask = 0;
  forEach(items, [&](std::size_t i) { mask |= 1u << i % 32; });
  return static_cast<std::int32_t>(mask);
}

inline std::string indented(const std::string &text) {
  std::string result;
  std::size_t at = 0;
  while (at != text.size()) {
    const std::size_t end = text.find('\n', at) + 1;
    result += "    " + text.substr(at, end - at);
    at = end;
  }
  return result;
}

} // namespace spl::e2e::random
