// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How small and how large the integers of a kernel can be, in terms of what its launch is given: a
// global id is at most gpu.global_size(0) - 1, and below an `if` that asks for it, less than a
// length too. Follows structured control flow from top to bottom: whoever asks has told which
// conditions hold at the place that is asked about.
//
// Everything here is about exact numbers, while the kernel's arithmetic wraps. So each operation is
// shown not to wrap: by its bounds, or by a condition on the launch that what is said of it needs.
// Of loops it is guessed that what holds at first stays so, and the guesses that a round does not
// keep are dropped until the rest keep one another (Houdini: Flanagan and Leino, FME 2001).
//
// Never fails: what cannot be told is unknown, and so is what comes after so many steps.
#pragma once

#include "mir/bounds/Arithmetic.h"
#include "mir/bounds/ValueNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir::bounds {

/// The bounds in one kernel, whose owner keeps it as it is meanwhile, but for operations without
/// results that are erased. Lives as long as one pass over the kernel.
class Analysis {
public:
  explicit Analysis(KernelOp kernel);

  /// At the place that the scopes tell.
  Bounds of(mlir::Value value);
  /// The same of the exact number that the value is, but for what is beyond its type: enough where
  /// what is made of it is bounded.
  Bounds ofUnwrapped(mlir::Value value);
  /// Under what the condition is true, or false: nothing if it always is. No answer if that cannot
  /// be told.
  std::optional<Needs> prove(mlir::Value condition, bool truth = true);

  /// Adds a condition, if none implies it, in place of those that it implies; whether it did.
  bool extend(Needs &needs, unsigned condition) const {
    return conditions.extend(needs, condition);
  }
  /// The conditions as a signature has them.
  std::string text(const Needs &needs) const { return conditions.text(needs); }
  /// The most letters that it has.
  size_t length(const Needs &needs) const { return conditions.length(needs); }

  /// What is told within it is forgotten at its end.
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
  /// Tells that a condition is true, or false, from here on.
  void assume(mlir::Value condition, bool truth);
  /// Tells that a check has found the condition to hold: for checks of the same.
  void remember(mlir::Value condition) { truths.push_back({leader(condition), true}); }
  /// Tells that what follows is in the loop: its body, or of a while what comes before the
  /// condition.
  void enter(mlir::Operation *loop);
  /// Tells that it is what comes behind the condition of a while, as it held.
  void enterBody(mlir::scf::WhileOp loop);

private:
  /// The values of a comparison that held.
  struct Fact {
    mlir::Value subject;
    mlir::arith::CmpIPredicate predicate;
    mlir::Value other;
  };
  /// What holds around a loop alone, while one of its rounds is looked at from elsewhere.
  class Around;

  mlir::Value leader(mlir::Value value) const { return numbers.leader(value); }

  Bounds unknown(mlir::Value value);
  void apply(const Fact &fact, Bounds &bounds);
  void assumePart(mlir::OpResult condition, bool truth,
                  llvm::SmallVectorImpl<std::pair<mlir::Value, bool>> &rest);
  void addFact(mlir::Value subject, mlir::arith::CmpIPredicate predicate, mlir::Value other);
  std::optional<Needs> proveCompare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                                    mlir::Value b);
  std::optional<Needs> proveLess(const Bounds &a, const Bounds &b, int64_t by);

  // Operations (Operations.cpp): as of, but for the facts about the value itself.
  Bounds compute(mlir::OpResult value);
  Bounds ofExtent(mlir::Value slice, unsigned axis);
  Bounds ofIntrinsic(IntrinsicOp op);
  Bounds ofChoice(mlir::Value condition, mlir::Value yes, mlir::Value no);
  static bool isRingOperation(mlir::Operation *op);
  Bounds computeUnwrapped(mlir::Operation *op);
  Bounds ofDifference(mlir::arith::SubIOp difference);
  std::optional<int64_t> leastDifference(mlir::arith::SubIOp difference) const;
  void narrowByRanges(mlir::OpResult value, Bounds &bounds);

  // Loops (Loops.cpp).
  Bounds compute(mlir::BlockArgument argument);
  Bounds ofResult(mlir::OpResult result);
  Bounds carried(mlir::BlockArgument argument, mlir::Value first, mlir::Value next);
  bool keepInductive(Bounds &guess, const Bounds &next) const;
  Bounds inductionVariable(mlir::scf::ForOp loop);
  /// The conditions that all must be true for this one to be.
  static llvm::SmallVector<mlir::Value> conjuncts(mlir::Value condition);

  // Loops over ranges (Ranges.cpp).
  struct RangeLoop {
    mlir::scf::WhileOp loop;
    mlir::BlockArgument variable; ///< of its body
    mlir::Value first;
    mlir::arith::AddIOp next;
    mlir::arith::CmpIOp goesOn; ///< whether there is another round
  };
  struct Distance {
    mlir::Value step, bound;
  };
  std::optional<Bounds> ofRange(mlir::scf::WhileOp loop, mlir::BlockArgument variable);
  std::optional<RangeLoop> rangeLoop(mlir::scf::WhileOp loop, mlir::BlockArgument variable);
  std::optional<Bounds> ofRounds(const RangeLoop &range);
  std::optional<Bounds> ofDistance(const RangeLoop &range);
  std::optional<Distance> distanceOf(const RangeLoop &range);
  mlir::Value resolvedSelect(mlir::Value value);

  Symbols symbols;
  Conditions conditions;
  Arithmetic arithmetic;

  const ValueNumbers numbers;

  llvm::SmallVector<Fact> facts;
  llvm::SmallVector<std::pair<mlir::Value, bool>> truths; ///< conditions that were told
  struct Heights {
    size_t facts, truths;
  };
  llvm::DenseMap<mlir::Operation *, Heights> entered; ///< what held before each loop we are in
  struct Known {
    llvm::DenseMap<mlir::Value, Bounds> values, unwrapped;
  };
  llvm::SmallVector<Known> known; ///< of each scope
  llvm::DenseMap<mlir::Value, Bounds> guesses;
  llvm::SmallVector<mlir::Value> inProgress; ///< whose facts are being looked at
  unsigned depth = 0, effort = 0;
  unsigned cyclesCut = 0; ///< facts that were asked for while they were being looked at
};

} // namespace spl::mir::bounds
