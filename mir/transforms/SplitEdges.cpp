// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-split-edges: see CpuPasses.td.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/Comparisons.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/NarrowRows.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace spl::mir {
#define GEN_PASS_DEF_SPLITEDGES
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using arith::CmpIPredicate;
using spl::intrinsics::Id;

namespace {

/// The maximum number of operations of a body, which is copied.
constexpr size_t maxOperations = 1000;
/// The largest constant whose comparison is at the beginning of the row.
constexpr int64_t maxEdge = 8;
/// The limit of the variable and of bounds, and of each term of a sum with at most maxTerms terms.
/// No sum or difference of them wraps.
constexpr int64_t maxBound = int64_t(1) << 60, maxTerm = int64_t(1) << 56;
constexpr size_t maxTerms = 8;
/// The maximum number of operations one after the other that compute a bound or term.
constexpr unsigned maxDepth = 4;

/// A value from before the loop, or the variable of an inner loop with constant bounds.
struct Term {
  Value value;
  bool isSubtracted;
  std::optional<std::pair<int64_t, int64_t>> range; ///< of the variable of an inner loop
};

/// The loop's variable plus terms.
struct Sum {
  Value value;
  SmallVector<Term> terms;
};

/// A value that is known in the middle of the row.
struct Edge {
  Operation *op;
  Sum sum;
  Value bound;               ///< from before the loop
  bool isLow;                ///< the middle is above the bound, and below it otherwise
  bool excludesBound;        ///< the sum does not equal the bound in the middle
  std::optional<bool> truth; ///< of a comparison in the middle; otherwise the sum is the value
};

/// Whether the value is from before the loop, or can be computed there.
bool isInvariant(Value value, scf::ForOp loop) {
  return spl::mir::isInvariant(loop, value, maxDepth);
}

/// Computes an invariant value before the loop.
void hoist(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return;
  for (Value operand : value.getDefiningOp()->getOperands())
    hoist(operand, loop);
  value.getDefiningOp()->moveBefore(loop);
}

/// The least and the largest value of the variable of an inner loop with constant bounds.
std::optional<std::pair<int64_t, int64_t>> rangeOf(Value value, scf::ForOp loop) {
  auto variable = dyn_cast<BlockArgument>(value);
  auto inner = variable ? dyn_cast<scf::ForOp>(variable.getOwner()->getParentOp()) : scf::ForOp();
  APInt first, end;
  if (!inner || !loop->isProperAncestor(inner) || variable != inner.getInductionVar() ||
      !matchPattern(inner.getLowerBound(), m_ConstantInt(&first)) ||
      !matchPattern(inner.getUpperBound(), m_ConstantInt(&end)) || !first.slt(end) ||
      !first.isSignedIntN(32) || !end.isSignedIntN(32))
    return std::nullopt;
  return std::pair(first.getSExtValue(), end.getSExtValue() - 1);
}

bool isTerm(Value value, scf::ForOp loop) {
  return isInvariant(value, loop) || rangeOf(value, loop);
}

/// A maximum, a minimum or both.
struct Clamp {
  Value value;
  Value low, high; ///< from before the loop; either may be a null value
};

std::optional<Clamp> clampAt(Operation *op, scf::ForOp loop) {
  auto intrinsic = dyn_cast_or_null<IntrinsicOp>(op);
  if (!intrinsic || intrinsic.getIsUnsigned())
    return std::nullopt;
  const Id id = intrinsic.getRow().id;
  if ((id != Id::Max && id != Id::Min && id != Id::Clamp) ||
      !op->getResult(0).getType().isInteger(64))
    return std::nullopt;
  Value value = op->getOperand(0), bound = op->getOperand(1);
  if (id == Id::Clamp)
    return isInvariant(bound, loop) && isInvariant(op->getOperand(2), loop)
               ? std::optional(Clamp{value, bound, op->getOperand(2)})
               : std::nullopt;
  if (isInvariant(value, loop))
    std::swap(value, bound);
  if (!isInvariant(bound, loop))
    return std::nullopt;
  return id == Id::Max ? Clamp{value, bound, Value()} : Clamp{value, Value(), bound};
}

/// Returns nothing if the value is not such a sum in the middle, where clamps have no effect.
std::optional<Sum> sumOf(Value value, scf::ForOp loop) {
  Sum sum{value, {}};
  while (value != loop.getInductionVar()) {
    Operation *op = value.getDefiningOp();
    if (const std::optional<Clamp> clamp = clampAt(op, loop)) {
      value = clamp->value;
      continue;
    }
    const bool isDifference = isa_and_present<arith::SubIOp>(op);
    if (sum.terms.size() == maxTerms || !(isDifference || isa_and_present<arith::AddIOp>(op)))
      return std::nullopt;
    Value rest = op->getOperand(0), term = op->getOperand(1);
    if (!isDifference && isTerm(rest, loop))
      std::swap(rest, term);
    if (isTerm(rest, loop) || !isTerm(term, loop))
      return std::nullopt;
    sum.terms.push_back({term, isDifference, rangeOf(term, loop)});
    value = rest;
  }
  return sum;
}

/// Whether the launch determines the value, as it determines the end of a row. The variable of a
/// loop around the row may be anywhere in it.
bool isOfLaunch(Value value, unsigned depth = maxDepth) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<KernelOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return depth != 0 && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isOfLaunch(operand, depth - 1); });
}

/// Whether the value is another one minus a constant, as the last index of a row is. Another value
/// may be anywhere in the row.
bool isLastIndex(Value value) {
  auto difference = value.getDefiningOp<arith::SubIOp>();
  return difference && matchPattern(difference.getRhs(), m_Constant());
}

/// The edge at a comparison: at the beginning of the row for a small constant, and else at its end.
std::optional<Edge> edgeAt(arith::CmpIOp compare, scf::ForOp loop) {
  CmpIPredicate predicate = compare.getPredicate();
  Value tested = compare.getLhs(), bound = compare.getRhs();
  if (isInvariant(tested, loop)) {
    std::swap(tested, bound);
    predicate = swapped(predicate);
  }
  // Only branches and other conditions become simpler.
  const bool isCondition = llvm::all_of(compare->getUsers(), [](Operation *user) {
    return isa<scf::IfOp, arith::SelectOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(user);
  });
  std::optional<Sum> sum;
  if (!isCondition || !tested.getType().isInteger(64) || !isInvariant(bound, loop) ||
      !(sum = sumOf(tested, loop)))
    return std::nullopt;
  APInt number;
  const bool isLow = matchPattern(bound, m_ConstantInt(&number)) && number.sle(maxEdge);
  const bool isEquality = predicate == CmpIPredicate::eq || predicate == CmpIPredicate::ne;
  if (!isLow && (!isOfLaunch(bound) || (isEquality && !isLastIndex(bound))))
    return std::nullopt;
  switch (predicate) {
  case CmpIPredicate::slt:
    return Edge{compare, *sum, bound, isLow, /*excludesBound=*/!isLow, /*truth=*/!isLow};
  case CmpIPredicate::sge:
    return Edge{compare, *sum, bound, isLow, /*excludesBound=*/!isLow, /*truth=*/isLow};
  case CmpIPredicate::sle:
    return Edge{compare, *sum, bound, isLow, /*excludesBound=*/isLow, /*truth=*/!isLow};
  case CmpIPredicate::sgt:
    return Edge{compare, *sum, bound, isLow, /*excludesBound=*/isLow, /*truth=*/isLow};
  case CmpIPredicate::eq:
    return Edge{compare, *sum, bound, isLow, /*excludesBound=*/true, /*truth=*/false};
  case CmpIPredicate::ne:
    return Edge{compare, *sum, bound, isLow, /*excludesBound=*/true, /*truth=*/true};
  default:
    return std::nullopt;
  }
}

/// Appends the edges at a clamp, which has no effect in the middle.
void addEdgesAt(Operation *op, const Clamp &clamp, scf::ForOp loop, SmallVector<Edge> &edges) {
  const std::optional<Sum> sum = sumOf(clamp.value, loop);
  if (!sum)
    return;
  for (auto [bound, isLow] : {std::pair(clamp.low, true), std::pair(clamp.high, false)})
    if (bound)
      edges.push_back({op, *sum, bound, isLow, /*excludesBound=*/false, /*truth=*/std::nullopt});
}

/// Returns no edge if the loop should not be split.
SmallVector<Edge> edgesOf(scf::ForOp loop) {
  SmallVector<Edge> edges;
  size_t operations = 0;
  const WalkResult result = loop.getBody()->walk([&](Operation *op) {
    if (isa<CheckOp>(op) || ++operations > maxOperations)
      return WalkResult::interrupt();
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      if (std::optional<Edge> edge = edgeAt(compare, loop))
        edges.push_back(*edge);
    } else if (std::optional<Clamp> clamp = clampAt(op, loop)) {
      addEdgesAt(op, *clamp, loop, edges);
    }
    return WalkResult::advance();
  });
  return result.wasInterrupted() ? SmallVector<Edge>() : edges;
}

/// Splits one loop.
class Splitter {
public:
  Splitter(scf::ForOp loop, ArrayRef<Edge> edges)
      : loop(loop), edges(edges), builder(loop), loc(loop.getLoc()) {}
  /// Returns the loop over the middle.
  scf::ForOp split();
  /// Returns the loop that runs if the whole row is its middle.
  scf::ForOp branch();

private:
  /// Computes the ends of the middle, and returns a copy of the loop with the body of the middle.
  scf::ForOp copyForMiddle();
  void findMiddle();
  /// Returns the value, and lets the middle be empty unless its magnitude is below the limit.
  Value limited(Value value, int64_t limit);

  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }
  template <typename Op> Value make(Value a, Value b) { return Op::create(builder, loc, a, b); }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  scf::ForOp loop;
  ArrayRef<Edge> edges;
  OpBuilder builder;
  Location loc;
  Value begin, end; ///< of the middle
  Value fits;       ///< whether no bound of the middle wraps
};

Value Splitter::limited(Value value, int64_t limit) {
  if (APInt number; matchPattern(value, m_ConstantInt(&number)) && number.abs().ult(limit))
    return value;
  const Value moved = make<arith::AddIOp>(value, constant(limit));
  const Value isWithin =
      arith::CmpIOp::create(builder, loc, CmpIPredicate::ult, moved, constant(2 * limit));
  fits = fits ? make<arith::AndIOp>(fits, isWithin) : isWithin;
  return value;
}

void Splitter::findMiddle() {
  const Value first = loop.getLowerBound(), last = loop.getUpperBound();
  begin = first;
  end = make<arith::MinSIOp>(last, constant(maxBound));
  for (const Edge &edge : edges) {
    // The variable at which the sum equals the bound.
    Value place = limited(edge.bound, maxBound);
    for (const Term &term : edge.sum.terms) {
      // The sum is above the bound for all values of an inner loop if it is so for the least sum.
      const Value value =
          term.range
              ? constant(edge.isLow != term.isSubtracted ? term.range->first : term.range->second)
              : limited(term.value, maxTerm);
      place =
          term.isSubtracted ? make<arith::AddIOp>(place, value) : make<arith::SubIOp>(place, value);
    }
    if (edge.isLow == edge.excludesBound)
      place = make<arith::AddIOp>(place, constant(1));
    if (edge.isLow)
      begin = make<arith::MaxSIOp>(begin, place);
    else
      end = make<arith::MinSIOp>(end, place);
  }
  begin = make<arith::MinSIOp>(begin, last);
  end = make<arith::MaxSIOp>(end, begin);
  if (fits) {
    begin = select(fits, begin, first);
    end = select(fits, end, first);
  }
}

scf::ForOp Splitter::copyForMiddle() {
  for (const Edge &edge : edges) {
    hoist(edge.bound, loop);
    for (const Term &term : edge.sum.terms)
      if (!term.range)
        hoist(term.value, loop);
  }
  findMiddle();
  IRMapping mapping;
  auto middle = cast<scf::ForOp>(builder.clone(*loop, mapping));
  // The last one first, because it may clamp the result of another one.
  for (const Edge &edge : llvm::reverse(edges)) {
    builder.setInsertionPointToStart(middle.getBody());
    Value known = edge.truth
                      ? arith::ConstantOp::create(builder, loc, builder.getBoolAttr(*edge.truth))
                      : mapping.lookup(edge.sum.value);
    mapping.lookup(edge.op->getResult(0)).replaceAllUsesWith(known);
  }
  builder.setInsertionPoint(loop);
  return middle;
}

scf::ForOp Splitter::split() {
  scf::ForOp middle = copyForMiddle();
  middle.setLowerBound(begin);
  middle.setUpperBound(end);

  // Both ends of the row share one body. The order of the work-items stays.
  auto sides = scf::ForOp::create(builder, loc, constant(0), constant(2), constant(1));
  builder.setInsertionPointToStart(sides.getBody());
  const Value isFirst = arith::CmpIOp::create(builder, loc, CmpIPredicate::eq,
                                              sides.getInductionVar(), sides.getLowerBound());
  loop.setLowerBound(select(isFirst, loop.getLowerBound(), end));
  loop.setUpperBound(select(isFirst, begin, loop.getUpperBound()));
  loop->moveBefore(sides.getBody()->getTerminator());
  loop->removeDiscardableAttr(SplDialect::workItemsAttr);
  for (scf::ForOp rolled : {sides, loop})
    rolled->setDiscardableAttr(SplDialect::unrollAttr, builder.getI64IntegerAttr(0));
  builder.setInsertionPointAfter(loop);
  auto between = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  middle->moveBefore(between.thenBlock()->getTerminator());
  return middle;
}

scf::ForOp Splitter::branch() {
  scf::ForOp middle = copyForMiddle();
  runIfWhole(builder, loop, middle, begin, end);
  return middle;
}

struct SplitEdgesPass : spl::mir::impl::SplitEdgesBase<SplitEdgesPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> rows;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr(SplDialect::workItemsAttr))
        rows.push_back(loop);
    });
    RewritePatternSet patterns(&getContext());
    arith::SelectOp::getCanonicalizationPatterns(patterns, &getContext());
    scf::IfOp::getCanonicalizationPatterns(patterns, &getContext());
    const FrozenRewritePatternSet simplifications(std::move(patterns));
    for (scf::ForOp row : rows) {
      const SmallVector<Edge> edges = edgesOf(row);
      const int64_t usual = row->getAttrOfType<IntegerAttr>(SplDialect::workItemsAttr).getInt();
      // A gang runs comparisons alone with masks.
      const bool isNarrow = usual != 0 && usual < leastWide;
      if (edges.empty() ||
          (isNarrow && llvm::all_of(edges, [](const Edge &edge) { return edge.truth; })))
        continue;
      Splitter splitter(row, edges);
      scf::ForOp middle = isNarrow ? splitter.branch() : splitter.split();
      (void)applyPatternsGreedily(middle.getRegion(), simplifications);
    }
  }
};

} // namespace
