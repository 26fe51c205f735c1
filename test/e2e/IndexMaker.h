// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes random kernels of indices (IndexKernels.h): every expression and statement is its text
// and, beside it, its meaning.
#pragma once

#include "test/e2e/IndexKernels.h"

#include <algorithm>
#include <optional>

namespace spl::e2e::indices {

struct Expr {
  Type type;
  std::string text;
  std::function<Wide(Item &)> value;
};

/// Condition: not a number of the language.
struct Cond {
  std::string text;
  std::function<bool(Item &)> value;
};

struct Stmt {
  std::string text; ///< lines, each with its end
  std::function<Way(Item &)> run;
};

class Maker {
public:
  explicit Maker(std::uint64_t seed) : random(seed), name("k" + std::to_string(seed)) {}
  Kernel make();

private:
  struct Name {
    std::string text;
    Type type;
    std::size_t at; ///< in Item::values
    bool isMutable;
  };
  struct SliceName {
    std::string text;
    std::size_t parameter, at; ///< in Item::views
    unsigned rank;
  };

  int below(int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); }
  bool oneIn(int count) { return below(count) == 0; }
  template <class T> const T &oneOf(const std::vector<T> &choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }
  std::string fresh(const char *prefix) { return prefix + std::to_string(next++); }
  Type anyType();

  //===-- IndexExpressions.cpp --===//
  static Expr number(Type type, Wide value);
  Expr constant(Type type);
  static Expr variable(const Name &name);
  Expr launchSize();
  Expr extent(const SliceName &slice, unsigned axis);
  Expr leaf(Type type);
  Expr value(Type type, int depth);
  static Expr binary(const std::string &op, Expr a, Expr b);
  static Expr cast(Expr x, Type type);
  static Expr choice(Cond c, Expr a, Expr b);
  Expr exception(Type type);
  static Expr minMaxOf(const std::string &function, Expr a, Expr b);
  Expr minMax(Type type, int depth);
  Expr call(int depth);
  Cond compare(int depth);
  static Cond comparison(const std::string &op, const Expr &a, const Expr &b);
  Cond condition(int depth);

  //===-- IndexPlaces.cpp --===//
  /// Of what a launch tells.
  Expr plainLeaf();
  Expr plain(int depth);
  /// One that has a chance to be inside.
  Expr index(const SliceName &slice, unsigned axis);
  /// An element by indices that may have been chosen before.
  struct Place {
    std::string text;
    Type type;
    std::function<std::int64_t &(Item &)> element; ///< checked
  };
  Place place(const SliceName &slice, std::vector<Expr> indices);
  Place place(const SliceName &slice);
  static Expr load(const Place &place);

  //===-- IndexStatements.cpp --===//
  Stmt block(int depth, int max);
  Stmt statement(int depth);
  Name declare(Type type, bool isMutable);
  Stmt declaration();
  Stmt assignment();
  Stmt access();
  Stmt accessAt(const SliceName &slice, const std::vector<Expr> &indices);
  Stmt guarded(int depth);
  Stmt branch(int depth);
  Stmt matching(int depth);
  Stmt part(int depth);
  Stmt ownArray();
  Stmt assertion();
  Stmt leaving();
  Stmt storeTotal();

  //===-- IndexLoops.cpp --===//
  Stmt forLoop(int depth);
  /// A loop, and what it carries from round to round as an index.
  Stmt carryingLoop(int depth);
  Stmt loopBody(int depth);
  Stmt elementLoop(int depth);
  Stmt whileLoop(int depth);
  /// All of its checks are in its condition; the body is empty or leaves.
  Stmt emptyLoop();

  std::mt19937_64 random;
  std::string name;
  Type home =
      oneIn(3) ? i64 : Type{8u << below(oneIn(2) ? 1 : 3), oneIn(2)}; ///< of much in this kernel
  int next = 0;
  int budget = 9; ///< of statements with others inside
  int loops = 0;
  std::optional<Stmt> inLoop; ///< what the body of the next one begins with
  std::vector<Name> names;
  std::vector<SliceName> slices;
  std::size_t values = 0, views = 0;
};

std::string indented(const std::string &text);
/// A line, and indented what is below it.
std::string withBody(const std::string &line, const Stmt &body);

} // namespace spl::e2e::indices
