// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes lower and upper bounds of the integers of a kernel, as polynomials of the arguments and
// sizes of the launch. For example, a global id is at most gpu.global_size(0) - 1. Inside an `if`
// that compares it with a length, it is also less than that length. The client walks through
// structured control flow from top to bottom, and reports the conditions that hold (assume,
// remember, enter). Bounds and proofs are for the current place of that walk.
//
// Bounds are exact numbers, but the kernel's arithmetic wraps. Therefore the analysis must prove
// for each operation that it does not wrap. The proof follows from the bounds, or it needs a
// condition on the launch, which becomes part of the result (Needs).
//
// For the values that a loop carries, the analysis guesses that the bounds of the initial values
// hold in all iterations. It drops the guesses that an iteration does not preserve, until the
// remaining guesses imply each other (Houdini: Flanagan and Leino, FME 2001). It does so for all
// values of a loop together, without conditions on the launch, and then for each value alone, with
// conditions.
//
// The analysis does not fail. A bound that cannot be computed, or not within a limited number of
// steps, is unknown.
#pragma once

#include "mir/bounds/Arithmetic.h"
#include "mir/bounds/PairTables.h"
#include "mir/bounds/Steps.h"
#include "mir/bounds/ValueNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir::bounds {

/// The conditions of which this one is the conjunction.
llvm::SmallVector<mlir::Value> conjuncts(mlir::Value condition);

/// Whether the operation is a sum, difference or product, also by a constant shift.
bool isRingOperation(mlir::Operation *op);

/// The bounds in one kernel, for one walk through it. Meanwhile the kernel must not change, except
/// that operations without results may be erased.
class Analysis {
public:
  explicit Analysis(KernelOp kernel);

  /// The bounds of a value at the current place.
  Bounds of(mlir::Value value);
  /// The bounds of the exact number that the value equals modulo 2^width. This is enough for an
  /// operand if the result of the operation is shown not to wrap.
  Bounds ofUnwrapped(mlir::Value value);
  /// The range of an integer at the current place in every launch.
  Range rangeOf(mlir::Value value);
  /// The conditions on the launch under which the condition has this truth value. They are empty if
  /// that is so in every launch. Returns std::nullopt if nothing can be proved.
  std::optional<Needs> prove(mlir::Value condition, bool truth = true);
  /// Whether the condition is shown to have this truth value in every launch without the facts of
  /// the place. This takes few steps. It is enough if an id and an extent are both fixed.
  bool holdsAnywhere(mlir::Value condition, bool truth);
  /// The same as prove() in another way, for the unsigned comparisons of indices (Elimination.cpp).
  /// It is slower, and may find other conditions.
  std::optional<Needs> proveByElimination(mlir::Value condition);

  /// The conditions that needs refer to.
  const Conditions &launchConditions() const { return conditions; }

  /// The limit of the steps. After a share is used up, values are unknown until the next one.
  Steps steps;

  /// A scope of the walk. Conditions that are reported in it hold until its end.
  class Scope {
  public:
    explicit Scope(Analysis &analysis);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Analysis &analysis;
    const size_t facts, truths;
  };
  /// Reports that a condition is true, or false, from here on.
  void assume(mlir::Value condition, bool truth);
  /// Reports a check that passed. An identical later check is then redundant.
  void remember(mlir::Value condition) { truths.push_back({leader(condition), true}); }
  /// Reports that the walk enters a loop: the body of a for, or the region before the condition of
  /// a while.
  void enter(mlir::Operation *loop);
  /// Reports that the walk enters the region after the condition of a while, where the condition
  /// holds.
  void enterBody(mlir::scf::WhileOp loop);

private:
  /// A comparison that is true at the current place: of subject + offset with other. The sum is
  /// exact.
  struct Fact {
    mlir::Value subject;
    mlir::arith::CmpIPredicate predicate;
    mlir::Value other;
    int64_t offset = 0;
    Needs needs = {}; ///< the conditions under which it is true
  };
  /// What facts say of values (Analysis.cpp).
  class Facts;
  /// Proofs of conditions (Proofs.cpp).
  class Proofs;
  class Elimination;
  /// Bounds of all values that a loop carries (Loops.cpp).
  class Together;
  /// Restores the facts that hold before a loop, while an iteration of it is analysed from another
  /// place.
  class Around;

  static constexpr unsigned maxDepth = 64; ///< beyond it, a value is unknown

  mlir::Value leader(mlir::Value value) const { return numbers.leader(value); }

  Bounds unknown(mlir::Value value);
  /// The bounds of the value, a leader, without what facts say of it. They may say more of its
  /// operands.
  Bounds withoutFacts(mlir::Value value);
  /// Whether the comparison tests, as a division does, if a divisor is -1 that depends only on the
  /// arguments and sizes of the launch. Launches rarely have that divisor.
  bool isOfRareDivisor(mlir::arith::CmpIOp compare);
  void assumePart(mlir::OpResult condition, bool truth,
                  llvm::SmallVectorImpl<std::pair<mlir::Value, bool>> &rest);
  void addFact(Fact fact);

  // Operations (Operations.cpp): the bounds from the operation alone, without facts about its
  // result.
  Bounds compute(mlir::OpResult value);
  Bounds ofExtent(mlir::Value slice, unsigned axis);
  Bounds ofIntrinsic(IntrinsicOp op);
  Bounds ofLarger(mlir::Value a, mlir::Value b);
  Bounds ofSelect(mlir::Value condition, mlir::Value yes, mlir::Value no);
  Bounds computeUnwrapped(mlir::Operation *op);
  Bounds ofDifference(mlir::arith::SubIOp difference);
  std::optional<int64_t> leastDifference(mlir::arith::SubIOp difference) const;
  void narrowByRanges(mlir::OpResult value, Bounds &bounds);

  // Loops (Loops.cpp).
  Bounds compute(mlir::BlockArgument argument);
  Bounds ofResult(mlir::OpResult result);
  Bounds carried(mlir::BlockArgument argument, mlir::Value first, mlir::Value next);
  std::optional<Bounds> summed(mlir::scf::ForOp loop, mlir::BlockArgument argument,
                               mlir::Value first, mlir::Value next);
  bool keepInductive(Bounds &guess, const Bounds &next) const;
  Bounds inductionVariable(mlir::scf::ForOp loop);
  Bounds lowerBounds(mlir::Value value);

  // Loops over ranges (Ranges.cpp).
  struct RangeLoop {
    mlir::scf::WhileOp loop;
    mlir::BlockArgument variable; ///< the argument of its body
    mlir::Value first;
    mlir::arith::AddIOp next;
    mlir::arith::CmpIOp continues; ///< whether there is another iteration
  };
  struct Distance {
    mlir::Value step, bound;
    bool isInclusive; ///< the bound is in the range
  };
  std::optional<Bounds> ofRange(mlir::scf::WhileOp loop, mlir::BlockArgument variable);
  std::optional<RangeLoop> rangeLoop(mlir::scf::WhileOp loop, mlir::BlockArgument variable);
  std::optional<Bounds> ofIterations(const RangeLoop &range);
  std::optional<Bounds> ofDistance(const RangeLoop &range);
  std::optional<Distance> distanceOf(const RangeLoop &range);
  mlir::Value resolvedSelect(mlir::Value value);

  Symbols symbols;
  Conditions conditions;
  Arithmetic arithmetic;

  const ValueNumbers numbers;
  const PairTables pairTables;

  llvm::SmallVector<Fact> facts;
  llvm::SmallVector<std::pair<mlir::Value, bool>> truths; ///< reported conditions
  struct Heights {
    size_t facts = 0, truths = 0;
  };
  /// The facts before each loop around the current place.
  llvm::DenseMap<mlir::Operation *, Heights> entered;
  /// The bounds of what each loop carries, where they hold whenever the loop runs.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Bounds, 0>> together;
  struct Known {
    llvm::DenseMap<mlir::Value, Bounds> values, unwrapped;
  };
  llvm::SmallVector<Known> known; ///< cached bounds of each scope
  /// Bounds that are assumed: of values that loops carry, and of minima in a case of a proof.
  llvm::DenseMap<mlir::Value, Bounds> guesses;
  llvm::SmallVector<mlir::Value> inProgress; ///< values whose facts are being applied
  unsigned depth = 0;
  unsigned cases = 0;     ///< selections and minima that a proof has a case for each value of
  unsigned cyclesCut = 0; ///< number of facts skipped because they depend on a value in progress
};

} // namespace spl::mir::bounds
