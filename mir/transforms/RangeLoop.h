// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over ranges, in the forms that frontend/mirgen/Ranges.cpp emits.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace spl::mir {

/// A loop over a range. Its variable changes by the same step in each round. The object refers to
/// operations of the loop, and is valid until they change.
class RangeLoop {
public:
  /// Returns nothing for a loop of another form.
  static std::optional<RangeLoop> match(mlir::Operation *loop);

  mlir::Operation *op() const { return loop; }
  mlir::Block &body() const { return *variable.getOwner(); }
  mlir::BlockArgument variableInBody() const { return variable; }
  mlir::Value firstValue() const { return first; }
  /// What the end of the range depends on.
  mlir::Value boundOfRange() const { return bound->get(); }
  /// Whether the bounds are constants once LLVM has unrolled the loops around the loop, so that it
  /// unrolls this loop too.
  bool hasFixedBounds() const;
  /// Whether a `break` or `return` may leave the loop.
  bool mayBeLeft() const { return running != nullptr; }
  /// Whether the variable goes up by one, and its values are compared without a sign.
  bool isUnsignedRange() const { return isUnsigned; }

  /// The step of a range whose step is known only at run time. Any other loop's variable goes up by
  /// one.
  struct Stride {
    mlir::Value step;     ///< is added to the variable
    mlir::Value size;     ///< its magnitude, an unsigned number of the type of distance
    mlir::Value isUp;     ///< whether it is not negative; null if it never is
    mlir::Value hasRound; ///< whether the range has a round
    mlir::Value distance; ///< from the first value to the last one, or less than a step more; its
                          ///< type may be narrower than that of step (spl-narrow-distances)
  };
  const std::optional<Stride> &stride() const { return unknownStep; }

  /// Emits the number of rounds of a range whose variable goes up by one, as an unsigned number. It
  /// is one too small if it does not fit in the type. The builder is in front of the loop.
  mlir::Value rounds(mlir::OpBuilder &builder) const;
  /// Ends such a range after \p rounds rounds, which is at most \p all, the number of its rounds.
  /// Emits whether it is less. Not for a range with a last value.
  mlir::Value endAfter(mlir::OpBuilder &builder, mlir::Value rounds, mlir::Value all) const;

  /// Whether the variable goes up by one, and the bound is its last value. The range may have one
  /// round more than the largest number of the type.
  bool hasLastValue() const { return form == Form::Rounds; }
  /// Of a range with a last value: whether it has a round.
  mlir::Value hasRound() const { return some->get(); }
  /// Of a range with a last value: emits the number of its last round, from 0 on.
  mlir::Value lastRound(mlir::OpBuilder &builder) const;
  /// Ends such a range at the round \p last, which is at most \p all, or before the first round if
  /// not \p hasRound. Emits whether the range has fewer rounds.
  mlir::Value endAtRound(mlir::OpBuilder &builder, mlir::Value hasRound, mlir::Value last,
                         mlir::Value all) const;
  /// Ends a range with a stride after \p distance, which is at most its own, or before the first
  /// round if not \p hasRound. The builder is in front of the loop, and then behind it. Emits
  /// whether the range has fewer rounds.
  mlir::Value endAt(mlir::OpBuilder &builder, mlir::Value hasRound, mlir::Value distance) const;

  /// Emits whether the loop was not left by a `break` or `return`. Null if it has none. The builder
  /// is behind the loop.
  mlir::Value reachedEnd(mlir::OpBuilder &builder) const;
  /// The arguments of the body in the first round.
  llvm::SmallVector<mlir::Value> firstArguments() const;
  /// Replaces the arguments of the body in the first round.
  void startWith(mlir::ValueRange arguments) const;
  /// The arguments of the body in the round that would be next after the range, if it was reached.
  llvm::SmallVector<mlir::Value> nextArguments() const;

private:
  enum class Form {
    For,     ///< an scf.for
    Below,   ///< an scf.while that compares the variable with the bound before a round
    Rounds,  ///< an scf.while that compares the variable with the bound, its last value, in a round
    Distance ///< an scf.while that compares the distance to the bound with the step
  };
  RangeLoop(Form form, mlir::Operation *loop, mlir::BlockArgument variable, mlir::Value first,
            mlir::OpOperand *bound)
      : form(form), loop(loop), variable(variable), first(first), bound(bound) {}

  static std::optional<RangeLoop> matchWhile(mlir::scf::WhileOp loop);

  Form form;
  mlir::Operation *loop;
  mlir::BlockArgument variable;
  mlir::Value first;
  mlir::OpOperand *bound;
  bool isUnsigned = true;     ///< the comparison of For and Below
  mlir::Value running = {};   ///< in the block of the condition; null if nothing leaves the loop
  mlir::OpOperand *some = {}; ///< of Rounds and Distance: what says whether there is a round
  std::optional<Stride> unknownStep = {};
};

} // namespace spl::mir
