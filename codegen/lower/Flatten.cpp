// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/lower/Flatten.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Forwarding.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spl::codegen {
namespace {

constexpr llvm::StringLiteral loopAnnotation = "llvm.loop_annotation";

// Splits the block at a check. The block then ends in a branch with two targets: the code after the
// check, and a block that contains only the check. The second target is marked as unlikely.
struct IsolateCheck : OpRewritePattern<mir::CheckOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(mir::CheckOp check, PatternRewriter &rewriter) const override {
    Location loc = check.getLoc();
    Block *before = check->getBlock();
    Block *after = rewriter.splitBlock(before, std::next(check->getIterator()));
    // The block is not the last one, because the patterns for scf expect a terminator there.
    Block *fault = rewriter.createBlock(after);
    LLVM::UnreachableOp::create(rewriter, loc);
    rewriter.moveOpBefore(check, fault, fault->begin());

    rewriter.setInsertionPointToEnd(before);
    constexpr std::pair<uint32_t, uint32_t> likely{1u << 20, 1};
    LLVM::CondBrOp::create(rewriter, loc, check.getCondition(), after, ValueRange(), fault,
                           ValueRange(), likely);
    return success();
  }
};

/// The maximum size of a loop and the loops in it after unrolling, in operations. A check counts as
/// sizeOfCheck operations, because it is an exit, and LLVM's time grows with the square of the
/// number of a loop's exits.
constexpr uint64_t maxUnrolled = 16384, sizeOfCheck = 32;
/// The maximum number of operations that unrolling may add to one function.
constexpr uint64_t maxInFunction = 4 * maxUnrolled;

/// The unroll factor that a loop requests. 0 forbids unrolling. 1 requests full unrolling of a loop
/// with an unknown trip count.
uint64_t requestedFactor(Operation *loop, int64_t factor) {
  if (auto counted = dyn_cast<scf::ForOp>(loop); counted && factor == 1)
    if (std::optional<APInt> tripCount = counted.getStaticTripCount())
      return std::max<uint64_t>(tripCount->getLimitedValue(), 1);
  return std::max<int64_t>(factor, 0);
}

LLVM::LoopAnnotationAttr annotation(Builder &builder, LLVM::LoopUnrollAttr unroll,
                                    ArrayRef<LLVM::AccessGroupAttr> parallelAccesses) {
  return LLVM::LoopAnnotationAttr::get(builder.getContext(), {}, {}, {}, unroll, {}, {}, {}, {}, {},
                                       {}, {}, {}, {}, {}, parallelAccesses);
}

/// LLVM's annotation for unrolling. LLVM applies an explicit factor even if the code becomes long.
/// If the factor is null, it unrolls fully, but only within a limit of its own.
LLVM::LoopAnnotationAttr unrolling(Builder &builder, bool isForbidden, IntegerAttr factor) {
  auto unroll =
      LLVM::LoopUnrollAttr::get(builder.getContext(), /*disable=*/builder.getBoolAttr(isForbidden),
                                factor, /*runtimeDisable=*/{}, /*full=*/{}, {}, {}, {});
  return annotation(builder, unroll, {});
}

/// Annotates the loops that request unrolling with a factor within the limits, inner loops first.
/// The pattern for scf.for copies the annotation to the back edge.
void boundUnrolling(ModuleOp module) {
  Builder builder(module.getContext());
  DenseMap<Operation *, uint64_t> sizes; // number of operations in an operation after unrolling
  DenseMap<Operation *, uint64_t> grown; // number of operations that unrolling adds to a function
  module.walk([&](Operation *op) {
    uint64_t size = llvm::SaturatingAdd(sizes.lookup(op), isa<mir::CheckOp>(op) ? sizeOfCheck : 1);
    if (auto attribute = op->getAttrOfType<IntegerAttr>(mir::SplDialect::unrollAttr)) {
      const uint64_t requested = requestedFactor(op, attribute.getInt());
      uint64_t &growth = grown[op->getParentOfType<FunctionOpInterface>()];
      const uint64_t maxSize = std::min(maxUnrolled, maxInFunction - growth);
      const uint64_t fitting = std::max<uint64_t>(maxSize / size, 1);
      // A power of two divides more trip counts.
      const uint64_t factor = requested <= fitting ? requested : llvm::bit_floor(fitting);
      op->setDiscardableAttr(
          loopAnnotation,
          unrolling(builder, /*isForbidden=*/requested == 0,
                    requested > 1 ? builder.getI32IntegerAttr(factor) : IntegerAttr()));
      if (factor > 1)
        growth += size * (factor - 1);
      size = llvm::SaturatingMultiply(size, std::max<uint64_t>(factor, 1));
    }
    uint64_t &around = sizes[op->getParentOp()];
    around = llvm::SaturatingAdd(around, size);
  });
}

/// Whether no two work-items access one element without a race. This is so for parameters, shared
/// memory and scratch memory. It is not so for a local array, which all iterations of a loop use.
bool isFreeOfReuse(Value slice) {
  const Value root = mir::rootOf(slice);
  if (auto argument = dyn_cast<BlockArgument>(root))
    return isa<mir::KernelOp>(argument.getOwner()->getParentOp());
  return isa<mir::SharedOp, mir::SharedDynOp, mir::ConstantDataOp, mir::ScratchOp>(
      root.getDefiningOp());
}

/// Puts the accesses of each loop of independent iterations into a group. The annotation of the
/// loop names the group. If an access of the loop is not in it, LLVM assumes that iterations may
/// depend on each other.
void groupAccesses(ModuleOp module) {
  Builder builder(module.getContext());
  module.walk([&](scf::ForOp loop) {
    if (!loop->hasAttr(mir::SplDialect::independentAttr))
      return;
    auto group = LLVM::AccessGroupAttr::get(module.getContext());
    loop.walk([&](Operation *op) {
      Value slice;
      if (auto load = dyn_cast<mir::LoadOp>(op))
        slice = load.getSlice();
      else if (auto store = dyn_cast<mir::StoreOp>(op))
        slice = store.getSlice();
      if (slice && isFreeOfReuse(slice))
        op->setDiscardableAttr(accessGroups, builder.getArrayAttr(group));
    });
    auto unrolled = loop->getAttrOfType<LLVM::LoopAnnotationAttr>(loopAnnotation);
    loop->setDiscardableAttr(
        loopAnnotation,
        annotation(builder, unrolled ? unrolled.getUnroll() : LLVM::LoopUnrollAttr(), group));
  });
}

/// Finds the edges in the body of a loop after which the next test of the condition is false,
/// because a flag is: those of 'break' and 'return'. They can lead to the end of the loop instead.
/// LLVM does not thread branches for targets with divergent control flow, so without this the loop
/// would select the old or the new value of each variable, and then test the flag.
class Breaks {
public:
  struct Edge {
    Operation *branch;
    unsigned successor;
    SmallVector<Value> results; ///< of the loop, if it ends at this edge
  };

  /// The edges of a loop whose body is already flattened.
  static SmallVector<Edge> of(scf::WhileOp loop) {
    Breaks breaks(loop);
    if (breaks.isSkippable())
      breaks.collect();
    return std::move(breaks.edges);
  }

private:
  explicit Breaks(scf::WhileOp loop) : loop(loop) {
    if (llvm::hasSingleElement(loop.getBefore()))
      addFlags(loop.getConditionOp().getCondition());
  }

  /// Collects the flags that must all be true for the condition to hold.
  void addFlags(Value condition) {
    if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
      addFlags(both.getLhs());
      addFlags(both.getRhs());
    } else if (isArgument(condition)) {
      flags.push_back(cast<BlockArgument>(condition).getArgNumber());
    }
  }

  bool isArgument(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == loop.getBeforeBody();
  }

  /// Whether the test of the condition can be skipped: it has no effect, and computes no result of
  /// the loop.
  bool isSkippable() {
    if (flags.empty())
      return false;
    for (Operation &op : loop.getBeforeBody()->without_terminator())
      if (isa<mir::IntrinsicOp>(op) || !isPure(&op)) // lanes may have to arrive at an intrinsic
        return false;
    return llvm::all_of(loop.getConditionOp().getArgs(), [&](Value result) {
      return isArgument(result) || result.getParentBlock() != loop.getBeforeBody();
    });
  }

  void collect() {
    Block &end = loop.getAfter().back();
    const ValueRange next = end.getTerminator()->getOperands();
    const auto results =
        llvm::map_to_vector(loop.getConditionOp().getArgs(), [&](Value result) -> Value {
          return isArgument(result) ? next[cast<BlockArgument>(result).getArgNumber()] : result;
        });
    for (unsigned flag : flags)
      collectInto(end, next[flag], /*truth=*/false, results);
  }

  /// If \p flag is \p truth at the end of \p join, the loop ends with \p results. Collects the
  /// edges to \p join on which that is known.
  void collectInto(Block &join, Value flag, bool truth, ArrayRef<Value> results) {
    if (!llvm::hasSingleElement(join))
      return;
    for (auto from = join.pred_begin(); from != join.pred_end(); ++from) {
      auto branch = dyn_cast<BranchOpInterface>((*from)->getTerminator());
      if (!branch)
        continue;
      const unsigned successor = from.getSuccessorIndex();
      const SuccessorOperands passed = branch.getSuccessorOperands(successor);
      auto alongEdge = [&](Value value) -> Value {
        auto argument = dyn_cast<BlockArgument>(value);
        return argument && argument.getOwner() == &join ? passed[argument.getArgNumber()] : value;
      };
      const SmallVector<Value> ownResults(llvm::map_range(results, alongEdge));
      const Value ownFlag = alongEdge(flag);
      auto choice = dyn_cast<cf::CondBranchOp>((*from)->getTerminator());
      const bool isKnown = choice && choice.getCondition() == ownFlag;
      if (isKnown ? (successor == 0) == truth
                  : matchPattern(ownFlag, m_Constant()) && matchPattern(ownFlag, m_One()) == truth)
        add({branch, successor, ownResults});
      else if (!choice)
        collectInto(**from, ownFlag, truth, ownResults);
    }
  }

  /// Adds an edge, and the edges before it from which control always takes it.
  void add(Edge edge) {
    auto isSame = [&](const Edge &other) {
      return other.branch == edge.branch && other.successor == edge.successor;
    };
    if (llvm::any_of(edges, isSame))
      return;
    edges.push_back(edge);
    if (auto choice = dyn_cast<cf::CondBranchOp>(edge.branch))
      return collectInto(*choice->getBlock(), choice.getCondition(), edge.successor == 0,
                         edge.results);
    // The block of the branch has no effect. An edge on which the test before it is known to lead
    // there can end the loop too.
    Block *block = edge.branch->getBlock();
    Block *test = block->getSinglePredecessor();
    if (!test || !llvm::all_of(*block, [](Operation &op) {
          return op.hasTrait<OpTrait::IsTerminator>() || isPure(&op);
        }))
      return;
    auto choice = dyn_cast<cf::CondBranchOp>(test->getTerminator());
    if (choice && choice.getTrueDest() != choice.getFalseDest() &&
        llvm::none_of(edge.results, [&](Value result) { return result.getParentBlock() == block; }))
      collectInto(*test, choice.getCondition(), choice.getTrueDest() == block, edge.results);
  }

  scf::WhileOp loop;
  SmallVector<unsigned> flags; ///< the positions of the operands of the loop that are flags
  SmallVector<Edge> edges;
};

// Replaces MLIR's patterns WhileLowering and DoWhileLowering, which read the operands of the
// condition after erasing it. That is safe only in the dialect conversion, which erases operations
// at the end. MLIR's patterns have the benefits 1 and 2. That of this one is higher.
struct FlattenWhile : OpRewritePattern<scf::WhileOp> {
  explicit FlattenWhile(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/3) {}
  LogicalResult matchAndRewrite(scf::WhileOp loop, PatternRewriter &rewriter) const override {
    Location loc = loop.getLoc();
    const SmallVector<Breaks::Edge> breaks = Breaks::of(loop);
    Block *entering = loop->getBlock();
    Block *rest = rewriter.splitBlock(entering, loop->getIterator());
    Block *condition = loop.getBeforeBody(), *conditionEnd = &loop.getBefore().back();
    Block *body = loop.getAfterBody(), *bodyEnd = &loop.getAfter().back();
    rewriter.inlineRegionBefore(loop.getBefore(), rest);
    rewriter.inlineRegionBefore(loop.getAfter(), rest);

    rewriter.setInsertionPointToEnd(entering);
    cf::BranchOp::create(rewriter, loc, condition, loop.getInits());
    auto test = cast<scf::ConditionOp>(conditionEnd->getTerminator());
    SmallVector<Value> results(test.getArgs()), passed;
    if (!breaks.empty()) {
      passed = results;
      rest->addArguments(loop.getResultTypes(), SmallVector<Location>(passed.size(), loc));
      results.assign(rest->args_begin(), rest->args_end());
    }
    for (const Breaks::Edge &edge : breaks)
      leave(edge, rest, rewriter);
    rewriter.setInsertionPoint(test);
    cf::CondBranchOp::create(rewriter, test.getLoc(), test.getCondition(), body, test.getArgs(),
                             rest, passed);
    auto yield = cast<scf::YieldOp>(bodyEnd->getTerminator());
    rewriter.setInsertionPoint(yield);
    auto back = rewriter.replaceOpWithNewOp<cf::BranchOp>(yield, condition, yield.getOperands());
    if (Attribute annotation = loop->getDiscardableAttr(loopAnnotation))
      back->setDiscardableAttr(loopAnnotation, annotation);
    rewriter.replaceOp(loop, results);
    rewriter.eraseOp(test);
    return success();
  }

  /// Lets the edge lead to the end of the loop.
  static void leave(const Breaks::Edge &edge, Block *rest, PatternRewriter &rewriter) {
    rewriter.modifyOpInPlace(edge.branch, [&] {
      cast<BranchOpInterface>(edge.branch)
          .getSuccessorOperands(edge.successor)
          .getMutableForwardedOperands()
          .assign(edge.results);
      edge.branch->setSuccessor(rest, edge.successor);
    });
  }
};

} // namespace

// The conversion of cf.br keeps the annotation as a discardable attribute. llvm.br has an attribute
// of its own for it.
void annotateLoops(ModuleOp module) {
  module.walk([](LLVM::BrOp branch) {
    if (auto annotation = branch->getAttrOfType<LLVM::LoopAnnotationAttr>(loopAnnotation)) {
      branch->removeDiscardableAttr(loopAnnotation);
      branch.setLoopAnnotationAttr(annotation);
    }
  });
}

LogicalResult flattenControlFlow(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  patterns.add<IsolateCheck, FlattenWhile>(module.getContext());
  const FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();

  boundUnrolling(module); // first, because these two need the structured loops
  groupAccesses(module);
  // Every pattern splits a block and moves the operations after the split. This loop goes from the
  // last operation to the first, so that few operations move each time. A driver that goes forward,
  // or that records each move as the dialect conversion does, needs quadratic time and memory for a
  // long block.
  SmallVector<Operation *> structured;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<mir::CheckOp, scf::IfOp, scf::ForOp, scf::WhileOp>(op))
      structured.push_back(op);
  });
  PatternRewriter rewriter(module.getContext());
  for (Operation *op : llvm::reverse(structured)) {
    rewriter.setInsertionPoint(op);
    if (failed(applicator.matchAndRewrite(op, rewriter)))
      return op->emitError("has no lowering to branches");
  }
  // If every iteration of a loop breaks, the block with its back edge is unreachable.
  (void)eraseUnreachableBlocks(rewriter, module->getRegions()); // fails if there are none
  return success();
}

} // namespace spl::codegen
