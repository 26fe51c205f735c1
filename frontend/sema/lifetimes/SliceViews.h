// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds for each slice which part of which memory it views. Two slices certainly overlap if they
// share elements, provided that they are not empty and not out of bounds.
#pragma once

#include "frontend/sema/lifetimes/AliasCheck.h"

namespace spl::sema {

/// An index in the form symbol + offset. `symbol` is null for a constant.
struct Linear {
  const Expr *symbol;
  int64_t offset;
};
using Bound = std::optional<Linear>; ///< nothing if it is not known

/// One step from memory to a part of it: to the element, row or field at `from`, or to a range of
/// elements.
struct Step {
  enum class Kind : uint8_t { Element, Range, Rest };
  Kind kind; ///< Rest is the range from `from` to the end
  Bound from = {};
  Bound to = {}; ///< the end of a Range
};

/// The memory that a slice views: a local, and the steps to the part of it. `root` is null if the
/// memory is not known.
struct View {
  const Local *root = nullptr;
  llvm::SmallVector<Step, 2> steps = {};
};
using Views = llvm::SmallVector<View, 2>; ///< a conditional has the views of both arms

/// Returns the slice without its implicit conversions to a read-only slice, or from an array to a
/// slice.
const Expr &withoutCast(const Expr &slice);

class ViewFinder {
public:
  /// `vals` has the initial values of vals, which replace the vals; or it is null.
  ViewFinder(Session &session, const SliceVals *vals) : session(session), vals(vals) {}
  bool overlap(const Expr &a, const Expr &b);
  /// Whether the slices overlap for every choice of their conditionals, those in vals included.
  bool alwaysOverlap(const Expr &a, const Expr &b);

private:
  Views viewsOf(const Expr &place);
  Views viewsOfLocal(const Local &local);
  Views viewsOfPart(const SubsliceExpr &part);
  const Expr *partOf(const Expr &whole, const Bound &part);
  const Expr *builtFrom(const Expr &place);
  void take(Views &views, const Step &step);
  Bound bound(const Expr &index);
  bool isSame(const Expr *a, const Expr *b);
  /// Returns a - b if it is known.
  std::optional<int64_t> distance(const Bound &a, const Bound &b);
  Bound sum(const Bound &a, const Bound &b);
  bool isEmpty(const Step &step);
  /// Whether the index is certainly the length of the slice, or more.
  bool isEndOf(const Bound &index, const Expr &slice);
  bool startsBeforeEnd(const Step &a, const Step &b);
  bool overlap(const Step &a, const Step &b);
  bool overlap(const View &a, const View &b);

  Session &session;
  const SliceVals *vals;
  bool hasAllChoices = false; ///< whether a val with several views is replaced by all of them
};

} // namespace spl::sema
