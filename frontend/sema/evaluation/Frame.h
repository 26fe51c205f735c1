// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The locals of a function while a constant is evaluated that calls it. Values are trees of
// constants, as the Evaluator makes them. Only a local's own parts are changed in place: a value
// that is read as a whole is shared, and is copied before its next change.
#pragma once

#include "frontend/sema/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"

namespace spl::sema {

struct Frame;

/// A local, or the part of it at the end of a path of numbers of parts.
struct FramePlace {
  Frame *frame;
  const Local *local;
  llvm::SmallVector<uint64_t, 4> path = {};
};

/// What a slice of an array or a reference refers to: `length` elements of the array at `array`,
/// or, if `isElement` is set, the place itself.
struct FrameView {
  FramePlace place;
  bool isElement = false;
  uint64_t offset = 0, length = 1;
};

struct Frame {
  struct Slot {
    const Expr *value = nullptr;
    /// The parts of the value, if no other value shares them.
    llvm::MutableArrayRef<const Expr *> parts = {};
  };
  llvm::DenseMap<const Local *, Slot> values;
  llvm::DenseMap<const Local *, FrameView> views; ///< of slices and references
  const FramePlace *assigned = nullptr;           ///< the place of a compound assignment
  const Expr *result = nullptr;

  bool contains(const Local *local) const {
    return values.contains(local) || views.contains(local);
  }
};

/// One part of an aggregate or a vector. A BuildExpr may have one part for all of its elements.
const Expr *partOf(const Expr *whole, uint64_t number);

/// The evaluation of one call from outside of functions, with all calls inside it.
struct Execution {
  static constexpr uint64_t maxSteps = 2'000'000;
  static constexpr unsigned maxDepth = 64; ///< of calls in calls
  /// Holds all values. The result is copied out of it.
  llvm::BumpPtrAllocator arena;
  uint64_t steps = 0;
  unsigned depth = 0;
  bool isTooLong = false; ///< reported
};

/// A value of a variable of integer type.
const Expr *makeInteger(Execution &execution, const Local &variable, llvm::APInt value);
/// The value of a place.
const Expr *read(const FramePlace &place);
/// Changes the value of a place. Copied parts count as operations.
void write(Execution &execution, const FramePlace &place, const Expr &value);

} // namespace spl::sema
