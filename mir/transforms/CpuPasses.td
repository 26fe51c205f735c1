// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on MIR for the CPU, where a loop runs the work-items of a group. Passes.td includes
// this file.

#ifndef SPL_CPU_PASSES
#define SPL_CPU_PASSES

include "mlir/Pass/PassBase.td"

def NarrowScopes : Pass<"spl-narrow-scopes", "::mlir::ModuleOp"> {
  let summary = "Give atomics on shared memory the scope of the group";
  let description = [{
    No other group can access that memory. On a target where one thread runs a group, such an
    atomic is an ordinary read and write. The pass changes atomics on arrays that are allocated in
    the same function. An atomic on a slice that the function gets as an argument stays as it is.
  }];
}

def WorkItemLoops : Pass<"spl-work-item-loops", "::mlir::ModuleOp"> {
  let summary = "Run all work-items of a group in loops over the local ids";
  let description = [{
    For targets without work-items in hardware. The loops are over z, y and x, with x innermost.
    `gpu.local_id` becomes an induction variable. Uniform values are computed before the loops. For
    a kernel marked `spl.ungrouped`, adjacent groups along x run as one: the innermost loop ends at
    a `gpu.local_size` with that mark.

    A kernel with collectives is split at them (barrier fission). Each parallel region between two
    barriers becomes such loops. If it contains collectives of a warp, it becomes a loop over the
    warps, with loops over the lanes inside. Uniform control flow around a split point is outside
    the loops. Divergent control flow around collectives of a warp becomes masks of lanes. Values
    that a later region needs are computed again, or saved in `spl.scratch`.

    With the option, a kernel whose groups may be small also gets a body for several groups side by
    side (fission/SideBySide.h).

    Functions that need local ids, for example for a check, get them as three additional parameters
    at the end.
  }];
  let options = [Option<"sideBySide", "side-by-side", "bool", "false",
                        "whether small groups run side by side">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def UnrollSteps : Pass<"spl-unroll-steps", "::mlir::ModuleOp"> {
  let summary = "Unroll short while loops around barriers where constants end them";
  let description = [{
    In `while stride < 256` with `stride *= 2` after `stride = 1`, the steps of a tree, each
    iteration becomes code of its own, with a constant stride. The loops over the work-items between
    the barriers then access elements at a constant distance. LLVM would unroll the loop, but for
    CPUs the loops over the work-items are made before LLVM sees it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FlattenStrides : Pass<"spl-flatten-strides", "::mlir::ModuleOp"> {
  let summary = "Run the rounds of a loop that strides over a group as one loop";
  let description = [{
    In a group of fixed size, `for k in me..n step size`, where `me` is the flat id of the
    work-item and `size` the number of work-items, becomes one loop over all `k` below `n`. If the
    body divides `k` by one constant only, as where a group loads a tile with its halo, it becomes
    a loop over rows with a loop over columns: the quotient and the remainder are their variables,
    and adjacent elements are adjacent iterations.

    The loop is all that the work-items do between two barriers. It carries no values, and no
    `break` leaves it. The body stores to another element in each round, and does not load what it
    stores, so that the rounds of a work-item do not depend on each other.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def InterchangeRounds : Pass<"spl-interchange-rounds", "::mlir::ModuleOp"> {
  let summary = "Run each round of a loop for all work-items before the next round";
  let description = [{
    In `for k in 0..4: out[first + me + k * size] = ...`, where all work-items have the same rounds,
    the loop over rounds becomes the outer one. The loop over work-items in it then goes through
    memory in order. Otherwise it would go through four rows at once. Hardware prefetchers follow
    that less well, and the condition `first + me + k * size < n` could not limit the loop.

    The loop over rounds is all that the work-items do between two barriers. It carries no values,
    and no `break` leaves it. In each round, adjacent work-items load adjacent elements or all the
    same, and store to adjacent elements, whose index depends on the round. There are no atomics, so
    no work-item waits for another. What work-items compute before their loop is computed again in
    each round, so that must be a few operations. A work-item runs its rounds in the same order as
    before. Which of several faults is reported may change. Rows of fewer than 64 work-items do not
    change, because they become gangs, in which a condition is a mask.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FixedRounds : Pass<"spl-fixed-rounds", "::mlir::ModuleOp"> {
  let summary = "Replace the end of a loop by a constant where it is the same for all work-items";
  let description = [{
    `for k in me..512 step 128` has four rounds in each work-item of a group of 128. The code
    computes this number from the id `me`. The pass replaces it by the constant, which it gets from
    MLIR's analysis of integer ranges. Gangs then run the loop without masks, or LLVM unrolls it.

    The number is computed from ids, sizes and arguments only. The analysis takes the variable of an
    unsigned loop for a signed number, so ends that depend on one do not change.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LimitLoops : Pass<"spl-limit-loops", "::mlir::ModuleOp"> {
  let summary = "Run only those iterations in which the condition around a loop's body holds";
  let description = [{
    A loop whose body is one `if` is limited to the iterations in which the condition holds. This
    applies to conditions that compare the loop's variable, or its sum with a non-negative offset
    that does not wrap, with a value from before the loop. A part of the condition that does not
    depend on the loop moves out of the loop. A part in a branch, as the second one of
    `if lane == 0 and row == 0`, becomes a part of a conjunction first, if it only compares.

    If the variable has a factor, as in `(me + 1) * stride < n`, the loop ends after the last
    iteration in which the condition holds. The condition stays, because the product may wrap.

    If the sum of the variable and an offset may wrap, a loop over work-items is limited under the
    condition that it does not. Otherwise a copy with the `if` runs.

    A row of at most 32 work-items, whose number is a constant, gets a copy that runs if the
    condition holds for all of them. Most tiles are whole. Such a row is not limited by a sum that
    may wrap. A gang runs that condition with a mask.

    An `if` at the end of the body that holds for one work-item at most, as `if col == pivot`,
    becomes a loop after this one (SingleItems.h).

    With a guard such as `if i < a.len()`, and in a reduction with `if me < width`, the loop over
    work-items then has no branch, and no iterations that do nothing.

    The loop begins at a constant that is not negative, has the step 1, and carries no values.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SplitEdges : Pass<"spl-split-edges", "::mlir::ModuleOp"> {
  let summary = "Run the middle of a row of work-items apart from its edges";
  let description = [{
    In the middle of a row, `math.max(x - 1, 0)` is `x - 1`, `math.min(x + 1, width - 1)` is
    `x + 1`, and a comparison of x with an end of the row has one result. The pass splits a loop
    over work-items along x into two loops. One runs the work-items for which that is so, the
    middle, with a simpler body. The other runs those before and after them, with the old body.
    Adjacent work-items of the middle then access adjacent elements, and have no branches.

    The pass considers signed comparisons, maxima, minima and clamps of a sum with bounds. The sum
    is the loop's variable plus or minus up to 8 terms. Bounds are from before the loop, or can be
    computed there. So are terms, unless they are variables of inner loops with constant bounds. A
    comparison with a constant of at most 8 is at the beginning of the row. A comparison with
    another value of the launch is at its end; for `==` and `!=`, that value is a difference with a
    constant, as `width - 1` is. If a term or bound is so large that a sum might wrap, the middle is
    empty.

    If a group usually has fewer than 64 work-items along x, the loop is not split. If it has a
    maximum, minimum or clamp, it becomes two loops, of which one runs: one with the simpler body,
    if the whole row is in the middle, and one with the old body.

    A loop does not change if its body has more than 1000 operations, or if the body has a check.
    LLVM splits loops with checks itself.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def InterchangeStrides : Pass<"spl-interchange-strides", "::mlir::ModuleOp"> {
  let summary = "Run each round of a strided loop for all work-items before the next round";
  let description = [{
    Where all that work-items do is `for i in gpu.grid_stride(n)`, the loop over rounds becomes the
    outer one. The inner loop runs adjacent work-items, which access adjacent elements. Otherwise
    one work-item, or one gang, would run all of its rounds before the next, and each round accesses
    another page. In each round, work-items may
    - update memory by atomics whose old values are not used. LLVM keeps the inner loop as a simple
      scalar loop, because updates have no vectors.
    - store to adjacent elements, and load such elements or the same one. The inner loop becomes
      vectors.

    The values of the variable go up from work-item to work-item by one, all to the same end. In a
    round, only the first work-items are before the end, so the inner loop has no branch for it. The
    loop carries no values, and no `break` leaves it. What work-items compute before it is computed
    again in each round, so that must be a few operations. Which of several faults is reported may
    change.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def GangLoops : Pass<"spl-gang-loops", "::mlir::ModuleOp"> {
  let summary = "Run adjacent work-items as lanes of vectors, where LLVM would not vectorise";
  let description = [{
    For targets whose work-items run in loops (spl-work-item-loops). LLVM vectorises a loop over
    work-items only if no other loop is in it, and no atomic or store under a condition that it
    would branch around. This pass makes it a loop over gangs of adjacent work-items. Values that
    differ between them are vectors with a lane for each work-item. A loop of the kernel runs once
    for all lanes if its control is uniform. Otherwise it runs while any lane is in it. Loads and
    stores of adjacent elements are `spl.load_lanes` and `spl.store_lanes`, and others
    `spl.gather_lanes` and `spl.scatter_lanes`. Branches in which only some lanes are active run
    with masks. A loop over the lanes of a warp (`spl.warp`) becomes one gang.

    The loop over work-items gets the attribute `spl.independent` instead if its body has no loop
    that LLVM keeps as a loop, no atomic under a condition, stores only adjacent elements, and loads
    only adjacent elements or one element for all work-items. LLVM then vectorises it without tests
    whether addresses overlap.

    docs/mir.md lists what keeps a loop from running in gangs.
  }];
  let options = [Option<"vectorBits", "vector-bits", "unsigned", "512",
                        "bits of a vector register">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // SPL_CPU_PASSES
