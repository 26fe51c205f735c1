// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on MIR. Those for targets of one kind are in CpuPasses.td and GpuPasses.td.
// docs/mir.md and codegen/Pipeline.cpp have their order and the reasons for it.

#ifndef SPL_PASSES
#define SPL_PASSES

include "CpuPasses.td"
include "GpuPasses.td"
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
