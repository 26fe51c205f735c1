// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over MIR, in the order in which they run. docs/mir.md says why in this order.

#ifndef SPL_PASSES
#define SPL_PASSES

include "mlir/Pass/PassBase.td"

def SelectChecks : Pass<"spl-select-checks", "::mlir::ModuleOp"> {
  let summary = "Insert the bounds checks, and keep only the kinds of check asked for";
  let description = [{
    Every `spl.load`, `spl.store` and `spl.atomic` that is not `unchecked` gets one `spl.check` for
    each axis. Checks of kinds not asked for are erased. Runs once, and before calls are inlined:
    the name that a fault shows is then the one that the faulting line uses.
  }];
  let options = [Option<"kinds", "kinds", "std::string", "\"all\"",
                        "all, none, or names of kinds with commas between them">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InlineCalls : Pass<"spl-inline", "::mlir::ModuleOp"> {
  let summary = "Inline calls, callees first, and erase the private functions no longer called";
  let description = [{
    A function that is called from one place is always inlined there, any other one if it is small
    or marked `spl.inline`, as long as the caller stays within its own limit. Calls beyond the
    limits, and those of functions marked `spl.noinline`, stay calls, but for functions that
    work-items run together, with barriers, operations of warps or shared memory: those are inlined
    always, and where that would be beyond wider limits it is an error.
  }];
  let options = [
    Option<"maxCaller", "max-caller", "unsigned", "20000",
           "operations that a function may grow to">,
    Option<"maxCallee", "max-callee", "unsigned", "1000",
           "operations that a function called from several places may have">,
    Option<"maxDepth", "max-depth", "unsigned", "100",
           "calls inlined into one another; locations nest as deep">,
    Option<"maxTogether", "max-together", "unsigned", "40000",
           "operations that a function may grow to by what must be inlined">,
    Option<"maxTogetherDepth", "max-together-depth", "unsigned", "500",
           "calls inlined into one another that must be">];
}

def CheckBarriers : Pass<"spl-check-barriers", "::mlir::ModuleOp"> {
  let summary = "Refuse barriers that not the whole group comes to";
  let description = [{
    An error at the barrier, or in the function that holds the branch at the call that leads to it;
    notes at the branch, and from its condition back to where the work-items begin to differ. Runs
    after calls are inlined: a function that holds a barrier is judged at each call. The same goes
    for the work-item that `gpu.group_broadcast` names.
  }];
}

def LaunchContracts : Pass<"spl-launch-contracts", "::mlir::ModuleOp"> {
  let summary = "Remove checks that always hold, and lift those that a launch can be tested for";
  let description = [{
    A check that holds in every launch is erased. Of a kernel with checks that hold under conditions
    over its arguments and the sizes of the launch it makes a second, `NAME$unchecked`, without
    them. The conditions go into the signature, as the kernel's launch contract: the runtime takes
    the second kernel for launches that meet it, and the kernel as it was for others.

    `unchecked if min(gpu.global_size(0), out.len()) <= a.len()` of `a[i]` where `i` is a global id
    and below `out.len()`. What bounds say, and how they are found, is in mir/bounds/Analysis.h.
  }];
  let options = [Option<"maxConditions", "max-conditions", "unsigned", "32",
                        "how many a contract has; checks that need more stay">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def InterruptibleLoops : Pass<"spl-interruptible-loops", "::mlir::ModuleOp"> {
  let summary = "Test in each loop, and where a kernel begins, whether the launch may continue";
  let description = [{
    Each `scf.for` and `scf.while`, and each kernel, begins with an `spl.may_run` and an `spl.check`
    of it, at the loop's place in the source. A launch with a time limit then ends in whatever loop
    it is. Runs before passes that make loops of their own. Loops with such a test are not
    vectorised, so this is only done on request.
  }];
}

def CheckWaits : Pass<"spl-check-waits", "::mlir::ModuleOp"> {
  let summary = "Warn of loops that can only end when another work-item stores something";
  let description = [{
    Such a loop reads memory, decides by what it read alone, and neither stores nor computes
    anything that a later round would see: `while gpu.atomic_load(&flag[0]) == 0: pass`. Work-items
    of one group need not make progress while one of them waits (docs/language.md, Progress). A loop
    with another exit, such as one that counts its rounds, and one that changes what it reads, such
    as a compare-and-swap, is not such a loop. Runs after calls are inlined, so that a condition may
    be a function.
  }];
}

def ExpandIntrinsics : Pass<"spl-expand-intrinsics", "::mlir::ModuleOp"> {
  let summary = "Compose intrinsics that the target has no instruction for of others";
  let description = [{
    `gpu.global_id` becomes `group_id * local_size + local_id`, `gpu.global_size` becomes
    `num_groups * local_size`; neither overflows, since a launch has fewer than 2^63 work-items
    along an axis.
    Reductions, scans and broadcasts of a group become those of its warps, with shared memory and
    barriers between, if they are among the rows.
    Functions of floats of 16 bits are computed in f32 and rounded once.
    If work-items are to become loops, it also marks as `spl.ungrouped` the kernels that see of
    their place only global ids. `spl-expand-for=target=T` sets the options as a target does.
  }];
  let options = [
    ListOption<"rows", "rows", "std::string",
               "names of the intrinsics that are composed of others">,
    ListOption<"f64Rows", "f64-rows", "std::string",
               "names of those that are composed of others for f64 only">,
    Option<"workItemsAreLoops", "work-items-are-loops", "bool", "false",
           "whether spl-work-item-loops makes loops over the work-items later">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def WarpMasks : Pass<"spl-warp-masks", "::mlir::ModuleOp"> {
  let summary = "Give each operation of the warp the mask of the lanes that take part";
  let description = [{
    Those are the lanes that came there the same way through the structured control flow: all that
    exist at a kernel's start, at a branch that lanes take differently the ones that a ballot finds
    on its side, in a loop those that still go round. For targets whose instructions ask for the
    mask; runs when nothing after it is inlined.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def WorkItemLoops : Pass<"spl-work-item-loops", "::mlir::ModuleOp"> {
  let summary = "Make a kernel run all work-items of a group, in loops over the local ids";
  let description = [{
    For targets without work-items of their own. The loops are over z, y and x, x innermost;
    `gpu.local_id` becomes an induction variable, and what is one value for the group is computed
    before the loops. Of a kernel marked `spl.ungrouped`, groups side by side along x run as one:
    the innermost loop ends at a `gpu.local_size` with that mark.

    A kernel in which work-items meet is cut there: each stretch between barriers is such loops of
    its own, or where lanes of a warp meet, a loop over the warps with loops over their lanes
    inside. Uniform control flow around a cut is outside the loops; other, around operations of
    the warp, becomes masks of lanes. Values that are needed behind a cut are computed again, or
    kept in `spl.scratch`.

    Functions that need local ids, also for a
    check that they may report, take them as three trailing parameters.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

class Float16Option<string type> : Option<type, type, "::spl::mir::Float16Support",
                                       "::spl::mir::Float16Support::None",
                                       "what the target has for it", [{
    ::llvm::cl::values(
        clEnumValN(::spl::mir::Float16Support::None, "none", "nothing but its bits"),
        clEnumValN(::spl::mir::Float16Support::Conversions, "conversions", "to and from f32"),
        clEnumValN(::spl::mir::Float16Support::Arithmetic, "arithmetic", "arithmetic too"),
        clEnumValN(::spl::mir::Float16Support::Atomics, "atomics", "atomic sums of pairs too"))
  }]>;

def EmulateFloat16 : Pass<"spl-emulate-float16", "::mlir::ModuleOp"> {
  let summary = "Write f16 and bf16 in terms of what the target has for them";
  let description = [{
    Each operation is rounded to its own type once. Sums, differences, products and quotients are
    computed in f32, which has more than twice the digits; fma, and conversions of what f32 does not
    hold, are rounded to odd on the way. Where the target does not convert either, that becomes
    arithmetic on the bits, and the type i16. An atomic sum of a pair becomes a loop around
    compare-and-swap.

    Runs last, so that it sees what other passes make.
  }];
  let options = [Float16Option<"f16">, Float16Option<"bf16">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // SPL_PASSES
