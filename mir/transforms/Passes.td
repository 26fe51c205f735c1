// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on MIR. docs/mir.md and codegen/Pipeline.cpp have their order and the reasons for it.

#ifndef SPL_PASSES
#define SPL_PASSES

include "mlir/Pass/PassBase.td"

def SelectChecks : Pass<"spl-select-checks", "::mlir::ModuleOp"> {
  let summary = "Insert bounds checks, and keep only the selected kinds of checks";
  let description = [{
    Inserts one `spl.check` per axis before every `spl.load`, `spl.store` and `spl.atomic` that is
    not `unchecked`. Erases checks of kinds that are not selected. Runs once, before inlining: the
    message of a fault then has the name that the source line uses.
  }];
  let options = [Option<"kinds", "kinds", "std::string", "\"all\"",
                        "all, none, or names of kinds separated by commas">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InlineCalls : Pass<"spl-inline", "::mlir::ModuleOp"> {
  let summary = "Inline calls, callees first, and erase private functions without calls";
  let description = [{
    Inlines a function if it has one call, is small, or is marked `spl.inline`, unless the caller
    would exceed its limit. Does not inline functions that are marked `spl.noinline`.

    Functions with collectives or shared memory must be inlined, also if they are marked
    `spl.noinline`. They have higher limits. A call that exceeds them is an error.
  }];
  let options = [
    Option<"maxCaller", "max-caller", "unsigned", "20000",
           "maximum number of operations of a caller">,
    Option<"maxCallee", "max-callee", "unsigned", "1000",
           "maximum number of operations of a function with several calls">,
    Option<"maxDepth", "max-depth", "unsigned", "100",
           "maximum nesting of inlined calls, which is also that of locations">,
    Option<"maxTogether", "max-together", "unsigned", "40000",
           "maximum number of operations of a caller, for calls that must be inlined">,
    Option<"maxTogetherDepth", "max-together-depth", "unsigned", "500",
           "maximum nesting of calls that must be inlined">];
}

def CheckAtomics : Pass<"spl-check-atomics", "::mlir::ModuleOp"> {
  let summary = "Report atomics on local memory";
  let description = [{
    Atomics need memory that other work-items can reach: PTX has none for local memory. The front
    end reports an atomic on a local variable. This pass reports a call that passes a local variable
    to a function with an atomic on its parameter, also through further calls. Runs before inlining,
    so that the error is at the call in the source.
  }];
}

def CheckBarriers : Pass<"spl-check-barriers", "::mlir::ModuleOp"> {
  let summary = "Report barriers that are not reached by the whole group";
  let description = [{
    A barrier in divergent control flow is an error. The error is at the barrier. If the barrier is
    in a called function and the branch is not, the error is at the call. Notes follow the
    divergence from the condition of the branch back to its source. Runs after inlining, so that a
    function with a barrier is checked for each call. The operand of `gpu.group_broadcast` that
    selects the work-item must be uniform in the same way. `gpu.grid_barrier` must be reached by all
    work-items of the launch. The signature of a kernel with it is marked as cooperative.
  }];
}

def LaunchContracts : Pass<"spl-launch-contracts", "::mlir::ModuleOp"> {
  let summary = "Remove checks that always hold, and replace others by launch contracts";
  let description = [{
    Erases checks that hold in every launch. Some checks hold only under conditions on the arguments
    and sizes of the launch. For a kernel with such checks, the pass creates the kernel
    `NAME$unchecked` without them. The conditions become the launch contract in the kernel's
    signature. The runtime runs `NAME$unchecked` for launches that meet the contract.

    Conditions that the checks of one slice need are in one group. While there are more groups than
    `max-groups`, the two with the fewest checks are joined. If there are several groups, the pass
    also creates a kernel for each of them, `NAME$unmet1` for the first. It has the lifted checks
    that need that group. The runtime runs it for launches that meet all groups but that one. For
    other launches it runs the baseline.

    For example, `a[i]` with a global id `i` below `out.len()` has the contract
    `unchecked if min(gpu.global_size(0), out.len()) <= a.len()`. mir/bounds/Analysis.h says how
    bounds are found.
  }];
  let options = [Option<"maxConditions", "max-conditions", "unsigned", "32",
                        "maximum number of conditions of a contract">,
                 Option<"maxGroups", "max-groups", "unsigned", "3",
                        "maximum number of groups of these conditions, 1 to 3">,
                 Option<"report", "report", "bool", "false",
                        "keep what became of the checks as an attribute of each kernel">,
                 Option<"keepUnused", "keep-unused", "bool", "false",
                        "keep loads whose values are unused, which a checked launch follows">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SmallSizes : Pass<"spl-small-sizes", "::mlir::ModuleOp"> {
  let summary = "Require in launch contracts that sizes fit in 32 bits";
  let description = [{
    Adds a condition to the last group of each launch contract: no slice that the kernel uses has
    more than 2,000,000,000 elements, and no more work-items are along x. Along y and z there are
    always fewer. It marks the versions for launches that meet the condition with `spl.small_sizes`.
    For targets on which an index of 32 bits takes fewer instructions than one of 64 bits.

    With `add-contracts`, kernels without a contract get one, and a version for it. Without the
    option, they stay as they are. A kernel whose contract would have too many steps also stays as
    it is. Runs after spl-launch-contracts.
  }];
  let options = [Option<"addContracts", "add-contracts", "bool", "false",
                        "also add contracts to kernels without one">];
}

def MarkCold : Pass<"spl-mark-cold", "::mlir::ModuleOp"> {
  let summary = "Mark kernels that launches seldom run, so that they are compiled quickly";
  let description = [{
    Marks the versions for launches that do not meet a contract with `spl.cold`. spl-split-checks
    and spl-batch-loops do not change these kernels, and LLVM optimises them with few passes
    (codegen/ColdFunctions.h). For files: a program compiles such a version if a launch needs it.
  }];
}

def NarrowDistances : Pass<"spl-narrow-distances", "::mlir::ModuleOp"> {
  let summary = "Count in 32 bits what is left of a range with a variable step";
  let description = [{
    A loop over a range whose step is known only at run time, such as `gpu.grid_stride`, carries the
    distance that is left to the end of the range, and compares it with the step in each round. In
    kernels with `spl.small_sizes`, the pass changes the type of this distance to i32 if the ends of
    the range show that it is small (mir/bounds/Analysis.h). Runs before spl-expand-intrinsics,
    because the bounds analysis needs the ids of the source. Later bounds analyses do not know the
    variables of these loops. If the step is the global size, no value is negative, and the end is
    below 2^31, the loop gets `spl.small_range`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def CompareVariables : Pass<"spl-compare-variables", "::mlir::ModuleOp"> {
  let summary = "End loops with spl.small_range by their variable, not by what is left";
  let description = [{
    The pass compares the low 32 bits of the variable and of the end as unsigned numbers. It
    disables unrolling, which would make these loops longer and not faster. Runs after
    spl-batch-loops, which needs what is left.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def NarrowDivisions : Pass<"spl-narrow-divisions", "::mlir::ModuleOp"> {
  let summary = "Divide small integers of 64 bits as unsigned integers of 32 bits";
  let description = [{
    Quotients and remainders whose operands are from 0 to 2^32 - 1 in every launch
    (mir/bounds/Analysis.h), such as local ids and the variables of loops with constant bounds. For
    targets on which a division of 64 bits takes many more instructions. Divisions by a power of two
    only become unsigned. Runs before spl-expand-intrinsics, because the bounds analysis needs the
    ids of the source.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InterruptibleLoops : Pass<"spl-interruptible-loops", "::mlir::ModuleOp"> {
  let summary = "Test in each loop and at the start of a kernel whether the launch may continue";
  let description = [{
    Inserts an `spl.may_run` and an `spl.check` of it at the start of each kernel, `scf.for` and
    `scf.while`, with the location of the loop. A launch with a time limit then ends in any loop.
    Runs before passes that create loops. Loops with such a test are not vectorised, so the pass
    runs only on request.
  }];
}

def SplitChecks : Pass<"spl-split-checks", "::mlir::ModuleOp"> {
  let summary = "Move checks of a loop's variable behind the loop";
  let description = [{
    In a loop `for k in from..to`, let the index of a check be k plus or minus a value that is the
    same in all rounds. The check fails in the first round whose index is not below the length. The
    pass computes the number of that round before the loop, ends the loop there, and removes the
    check from it. An `scf.if` behind the loop does what that round does up to the last of these
    checks. So the same check fails, with the same numbers, after the same stores.

    The index may also be a multiple of k, by a constant. Checks whose condition is the same in all
    rounds are moved together with those of the variable. The pass changes innermost loops over
    ranges, with or without other exits. If the step is known only at run time, the index is the
    variable itself, and the loop has no store. The pass does not change loops that synchronise,
    that have constant bounds, or with more than 64 operations up to the last of the checks. For
    targets on which LLVM does not split loops itself.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def Instrument : Pass<"spl-instrument", "::mlir::ModuleOp"> {
  let summary = "Report what work-items do to the detector of a checked launch";
  let description = [{
    Adds an `spl.trace` beside each load, store, copy and atomic of memory that work-items share,
    each barrier and fence, each declaration of shared memory, and each `gpu.uniform`. Memory of one
    work-item and constants get none. Slices that the kernel cannot write get none, unless a
    parameter is `#[alias]`. Runs after calls are inlined, so that the memory of a slice is known,
    and before passes that make accesses of their own.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CheckWaits : Pass<"spl-check-waits", "::mlir::ModuleOp"> {
  let summary = "Warn of loops that can end only if another work-item writes to memory";
  let description = [{
    Such a loop reads memory, and its condition depends only on the values that it reads. It carries
    no value to the next iteration, and writes nothing that it reads: `while
    gpu.atomic_load(&flag[0]) == 0: pass`. Work-items of one group need not make progress while one
    of them waits (docs/language.md, Progress). There is no warning for a loop with another exit,
    such as a limit of iterations, or for a loop that changes what it reads, such as one with a
    compare-and-swap. Runs after inlining, so that the condition may call a function.
  }];
}

def ExpandIntrinsics : Pass<"spl-expand-intrinsics", "::mlir::ModuleOp"> {
  let summary = "Replace intrinsics that the target does not have by others";
  let description = [{
    The options list the intrinsics to replace. `spl-expand-for=target=T` runs the pass with the
    options of a target.

    - `gpu.global_id` becomes `group_id * local_size + local_id`, and `gpu.global_size` becomes
      `num_groups * local_size`. Neither overflows, because a launch has fewer than 2^63 work-items
      along an axis.
    - Reductions, scans and broadcasts of a group become those of its warps, with shared memory and
      barriers. In a group of a fixed size with few warps, each work-item combines their results.
      Where an integer scan is followed by the sum of the same values, the scan computes the sum.
    - Functions of f16 and bf16 are computed in f32 and rounded once.

    If the target has no work-items in hardware, the pass also marks kernels that use only global
    ids as `spl.ungrouped`.
  }];
  let options = [
    ListOption<"rows", "rows", "std::string",
               "names of the intrinsics to replace">,
    ListOption<"f64Rows", "f64-rows", "std::string",
               "names of the intrinsics to replace only for f64">,
    Option<"workItemsAreLoops", "work-items-are-loops", "bool", "false",
           "whether spl-work-item-loops runs later">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def WarpMasks : Pass<"spl-warp-masks", "::mlir::ModuleOp"> {
  let summary = "Add the mask of the active lanes to each collective of a warp";
  let description = [{
    The mask has the active lanes: at the start of a kernel all lanes that exist, in a divergent
    branch those of a ballot of its condition, in a loop those that are still iterating. For targets
    whose instructions need the mask. A reduction or scan in a branch or loop has a version for a
    mask of all lanes. A reduction whose result only lane 0 uses gets `spl.first_lane`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FixedSizes : Pass<"spl-fixed-sizes", "::mlir::ModuleOp"> {
  let summary = "Replace what a fixed size of groups determines by constants";
  let description = [{
    In a kernel with a fixed size of groups: the sizes themselves, the ids along axes of size 1, and
    the mask of the lanes that exist, where all warps are whole. Runs after spl-warp-masks, and
    before and after spl-work-item-loops, which makes loops up to the sizes. The size of the groups
    that run as one (`spl.ungrouped`) is not fixed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def UnrollLocalArrays : Pass<"spl-unroll-local-arrays", "::mlir::ModuleOp"> {
  let summary = "Request unrolling of short loops that index local arrays by their iteration";
  let description = [{
    Local memory whose indices are all constant stays in registers. The loops whose iterations
    index an array get the attribute `spl.unroll` with their number of iterations, if the indices
    of all accesses to it become constants by that. A loop of more than 64 iterations, or of more
    than 4096 operations after unrolling, stays a loop. It keeps its arrays in memory, so the
    other loops over them do not change. If the bounds of a loop depend on the iteration of another
    one, as in `for r in 0..4: for k in r..N`, this pass unrolls the outer loop, because LLVM would
    not find the number of iterations of the inner one. For targets with many registers.
  }];
}

def NarrowChecks : Pass<"spl-narrow-checks", "::mlir::ModuleOp"> {
  let summary = "Compare an index of 32 bits with a length in 32 bits, in loops";
  let description = [{
    An index of type i32 is extended to 64 bits for the check of its bounds. In a loop in which the
    slice is the same, the pass compares it with the smaller one of the length and 2^31, which is
    computed before the loop and fits in 32 bits. For GPUs, which compare 64 bits in two steps, and
    for lanes of vectors, twice as many of which fit in a register.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BatchLoops : Pass<"spl-batch-loops", "::mlir::ModuleOp"> {
  let summary = "Run short loops that load in batches of four or eight iterations";
  let description = [{
    The loads of a batch do not wait for each other. The batches are a loop before the original one,
    which runs the last iterations. A batch tests once whether it has all its iterations. The pass
    changes loops over a range whose step is not constant, or that have a check. LLVM unrolls the
    others itself, because it can compute the number of their iterations without a division. The
    body has at least one load, is short, and has no loop, no division and no function of `math` but
    minima and maxima. Four divisions at once need so many registers that fewer warps run at once.

    A batch first computes what its checks depend on, and then tests all of them together. If one
    fails, the batch does nothing else, and the original loop runs its iterations. The conditions
    of the checks must not depend on what earlier iterations compute.

    If a check depends on a load, and the body has no other effects, batches of eight iterations
    come before those of four. If the body has others, what its checks load must be memory that
    nothing writes while the launch runs, and at least one check must depend on a load. The effects
    then stay in their order, and only these loads and the checks run before them. Atomics must be
    relaxed. A check under a condition stays where it is, unless it compares an index that another
    check of the body compares without one. The pass is for targets with many registers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FaultRecords : Pass<"spl-fault-records", "::mlir::ModuleOp"> {
  let summary = "Mark what takes a fault record: the kernels and functions with checks";
  let description = [{
    The mark is `spl.fault_record`. A function has it where it, or one that it calls, has a check. A
    kernel with the mark has `#[faults]` at the beginning of its signature. For targets whose
    work-items report a failed check through a record in memory; runs when no pass removes checks
    any more.
  }];
}

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

def LimitLoops : Pass<"spl-limit-loops", "::mlir::ModuleOp"> {
  let summary = "Run only those iterations in which the condition around a loop's body holds";
  let description = [{
    A loop whose body is one `if` is limited to the iterations in which the condition holds. This
    applies to conditions that compare the loop's variable, or its sum with a non-negative offset
    that does not wrap, with a value from before the loop. A part of the condition that does not
    depend on the loop moves out of the loop.

    If the variable has a factor, as in `(me + 1) * stride < n`, the loop ends after the last
    iteration in which the condition holds. The condition stays, because the product may wrap.

    If the sum of the variable and an offset may wrap, a loop over work-items is limited under the
    condition that it does not. Otherwise a copy with the `if` runs.

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

    A loop is not split if a group usually has fewer than 64 work-items along x, if its body has
    more than 1000 operations, or if the body has a check. LLVM splits loops with checks itself.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def InterchangeStrides : Pass<"spl-interchange-strides", "::mlir::ModuleOp"> {
  let summary = "Run each round of a loop of updates for all work-items before the next round";
  let description = [{
    Where all that work-items do is `for i in gpu.grid_stride(n)` with updates by atomics, whose old
    values are not used, the loop over rounds becomes the outer one. The inner loop runs adjacent
    work-items, which load adjacent elements. LLVM keeps it as a simple scalar loop, because updates
    have no vectors. Otherwise one work-item would run all of its rounds before the next, and
    each round loads from another page.

    The values of the variable go up from work-item to work-item by one, all to the same end. In a
    round, only the first work-items are before the end, so the inner loop has no branch for it. The
    loop carries no values, no `break` leaves it, and it stores nothing. What work-items compute
    before it is computed again in each round, so that must be a few operations. Which of several
    faults is reported may change.
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

class Float16Option<string type> : Option<type, type, "::spl::mir::Float16Support",
                                       "::spl::mir::Float16Support::None",
                                       "what the target supports", [{
    ::llvm::cl::values(
        clEnumValN(::spl::mir::Float16Support::None, "none", "loads, stores and moves"),
        clEnumValN(::spl::mir::Float16Support::Conversions, "conversions",
                   "conversions to and from f32 too"),
        clEnumValN(::spl::mir::Float16Support::Arithmetic, "arithmetic", "arithmetic too"),
        clEnumValN(::spl::mir::Float16Support::Atomics, "atomics", "atomic additions of pairs too"))
  }]>;

def EmulateFloat16 : Pass<"spl-emulate-float16", "::mlir::ModuleOp"> {
  let summary = "Emulate the operations on f16 and bf16 that the target does not have";
  let description = [{
    The result of each operation is rounded once.

    - Sums, differences, products and quotients are computed in f32, which has more than twice as
      many digits.
    - fma, and conversions of values that f32 cannot represent, round to odd in between.
    - An integer that is too large for f16 becomes infinity by a selection. LLVM assumes that its
      conversion is exact if the integer has few significant bits.
    - If the target has no conversions, they become arithmetic on bits, and the type becomes i16.
    - An atomic addition of a pair becomes a loop around compare-and-swap.

    Runs last, so that it also emulates the operations that other passes create.
  }];
  let options = [Float16Option<"f16">, Float16Option<"bf16">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // SPL_PASSES
