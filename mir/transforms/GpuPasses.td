// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on MIR for GPUs. Passes.td includes this file.

#ifndef SPL_GPU_PASSES
#define SPL_GPU_PASSES

include "mlir/Pass/PassBase.td"

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
    Marks the versions for launches that do not meet a contract with `spl.cold`. spl-split-checks,
    spl-batch-loops and spl-join-checks do not change these kernels, and LLVM optimises them with
    few passes (codegen/ColdFunctions.h). For files: a program compiles such a version if a launch
    needs it.
  }];
}

def NarrowDistances : Pass<"spl-narrow-distances", "::mlir::ModuleOp"> {
  let summary = "Count in 32 bits what is left of a range with a variable step";
  let description = [{
    A loop over a range whose step is known only at run time, such as `gpu.grid_stride`, carries the
    distance that is left to the end of the range, and compares it with the step in each round. The
    pass changes the type of this distance to i32 if the ends of the range show that it is small
    (mir/bounds/Analysis.h). This is mostly in kernels with `spl.small_sizes`, and in others where
    the ends are ids in the group and constants. Kernels with `spl.cold` stay. Runs before
    spl-expand-intrinsics, because the bounds analysis needs the ids of the source. Later bounds
    analyses do not know the variables of these loops. With `spl.small_sizes`, if the step is the
    global size, no value is negative, and the end is below 2^31, the loop gets `spl.small_range`.
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

def JoinChecks : Pass<"spl-join-checks", "::mlir::ModuleOp"> {
  let summary = "Let checks that follow each other share one branch";
  let description = [{
    Before: `spl.check %a; load; spl.check %b; load`. After: one branch if not both conditions hold,
    then the loads. The branch runs the same checks in their order, so the fault is the same. The
    checks are in one block, with only loads and operations without effects between them. No later
    condition depends on such a load, or on what may trap. The loads then do not wait for a branch
    between them. At most 16 checks share a branch. A check that is the same in all rounds of
    its loop keeps its own, because LLVM moves it out of the loop.
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

#endif // SPL_GPU_PASSES
