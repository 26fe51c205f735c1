// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of the spl dialect. They express the semantics of the language, independent of
// targets. Control flow is in the dialect scf, arithmetic is in arith and math. docs/mir.md has the
// rationale. MemoryOps.td and LaneOps.td have the operations on memory.

#ifndef SPL_OPS
#define SPL_OPS

include "SplTypes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===-- Functions --===//

class Spl_Op<string mnemonic, list<Trait> traits = []> : Op<SplDialect, mnemonic, traits>;

class Spl_FunctionLike<string mnemonic, list<Trait> traits>
    : Spl_Op<mnemonic, [FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope,
         DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>] # traits> {
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Spl_KernelOp : Spl_FunctionLike<"kernel", []> {
  let summary = "An entry point that every work-item of a launch runs";
  let description = [{
    A kernel has no results. It has one block, which ends with `spl.return`. The attribute
    `spl.name` of an argument is its name in the source. A struct that is passed by value is a
    read-only slice of one element with the attribute `spl.by_value`. The runtime checks arguments
    against `signature`, as in `#spl.signature<"vector_add(a: &[f32], out: &mut [f32])">`. The
    signature also has the fixed group size and the parameters that may overlap others.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
      Spl_SignatureAttr:$signature, OptionalAttr<DictArrayAttr>:$arg_attrs,
      OptionalAttr<DictArrayAttr>:$res_attrs);
  let hasVerifier = 1;
}

def Spl_FuncOp : Spl_FunctionLike<"func", [CallableOpInterface]> {
  let summary = "A function that kernels call; at most one result";
  let description = [{
    A function whose result in the source is a struct, tuple or array has no result. It stores it
    through its last parameter, a mut slice of one element.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
      OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
      OptionalAttr<StrAttr>:$sym_visibility);
  let hasVerifier = 1;
}

def Spl_ReturnOp : Spl_Op<"return", [Pure, ReturnLike, Terminator,
                                     ParentOneOf<["KernelOp", "FuncOp"]>]> {
  let summary = "Ends a kernel or function";
  let arguments = (ins Variadic<Spl_Value>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

def Spl_CallOp : Spl_Op<"call", [CallOpInterface,
                                 DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a spl.func";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Spl_Value>:$operands,
      OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<Spl_Value>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)
  }];
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::mlir::cast<::mlir::FlatSymbolRefAttr>(
          ::mlir::cast<::mlir::SymbolRefAttr>(callee)));
    }
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
  }];
}

include "MemoryOps.td"

//===-- Atomics --===//

def Spl_AtomicKind : I32EnumAttr<"AtomicKind", "operation of an atomic", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">,
    I32EnumAttrCase<"Xor", 6, "xor">, I32EnumAttrCase<"Exchange", 7, "exchange">,
    I32EnumAttrCase<"Cas", 8, "cas">, I32EnumAttrCase<"Load", 9, "load">,
    I32EnumAttrCase<"Store", 10, "store">, I32EnumAttrCase<"Inc", 11, "inc">,
    I32EnumAttrCase<"Dec", 12, "dec">]> {
  let cppNamespace = "::spl::mir";
  let genSpecializedAttr = 0;
}
def Spl_AtomicKindAttr : EnumAttr<SplDialect, Spl_AtomicKind, "atomic_kind">;
def Spl_MemoryOrder : I32EnumAttr<"MemoryOrder", "how an atomic orders other accesses", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]> {
  let cppNamespace = "::spl::mir";
  let genSpecializedAttr = 0;
}
def Spl_MemoryOrderAttr : EnumAttr<SplDialect, Spl_MemoryOrder, "order">;
def Spl_MemoryScope : I32EnumAttr<"MemoryScope", "scope of an atomic or a fence", [
    I32EnumAttrCase<"Group", 0, "group">, I32EnumAttrCase<"Device", 1, "device">,
    I32EnumAttrCase<"System", 2, "system">]> {
  let cppNamespace = "::spl::mir";
  let genSpecializedAttr = 0;
}
def Spl_MemoryScopeAttr : EnumAttr<SplDialect, Spl_MemoryScope, "scope">;

def Spl_AtomicOp : Spl_Op<"atomic", [AttrSizedOperandSegments]> {
  let summary = "Reads and writes slice[indices] atomically; returns the old value";
  let description = [{
    `%old = spl.atomic add %a[%i](%v) relaxed device : !spl.slice<i32, mut> -> i32`. cas has two
    values, the expected and the new one. load has none. store has no result. inc stores 0 if the
    old value is at least the given one, else one more; dec stores the given one if the old value is
    0 or above it, else one less.
  }];
  let arguments = (ins Spl_AtomicKindAttr:$kind, Arg<Spl_Slice, "", [MemRead, MemWrite]>:$slice,
                       Variadic<I64>:$indices, Variadic<Spl_Plain>:$values,
                       Spl_MemoryOrderAttr:$order, Spl_MemoryScopeAttr:$scope,
                       UnitAttr:$isUnsigned, UnitAttr:$unchecked);
  let results = (outs Optional<Spl_Plain>:$result);
  let assemblyFormat = [{
    $kind $slice `[` $indices `]` (`(` $values^ `)`)? $order $scope attr-dict
    `:` type($slice) `,` functional-type($values, $result)
  }];
  let hasVerifier = 1;
}

//===-- Checks and intrinsics --===//

// The resource that collectives access in addition to memory, so that they keep their order and
// their branch.
def Spl_ConvergenceResource : Resource<"::spl::mir::ConvergenceResource">;

// The resource that faults write. They are ordered only among each other, but no pass may remove
// one.
def Spl_FaultResource : Resource<"::spl::mir::FaultResource">;

def Spl_CheckOp : Spl_Op<"check", [MemoryEffects<[MemWrite<Spl_FaultResource>]>,
                                   AttrSizedOperandSegments]> {
  let summary = "Ends the launch with a fault unless the condition holds";
  let description = [{
    `spl.check %ok, <"index-out-of-bounds">(%i, %n) {subject = "src"}` reports the index, the length
    and the name of the slice. The details are the numbers in the message: a value and its bound, or
    a value, or none. With `isUnsigned` the value is a u64. `work_item(%x, %y, %z)` are the local
    ids of the work-item, for targets without work-items in hardware. spl-work-item-loops adds them.
  }];
  let arguments = (ins I1:$condition, Spl_FaultKindAttr:$kind, Variadic<I64>:$details,
                       Variadic<I64>:$workItem, OptionalAttr<StrAttr>:$subject,
                       UnitAttr:$isUnsigned);
  let builders = [OpBuilder<(ins "::mlir::Value":$condition, "::spl::FaultKind":$kind,
                                 "::mlir::ValueRange":$details,
                                 CArg<"::mlir::StringAttr", "{}">:$subject), [{
    build($_builder, $_state, condition, kind, details, ::mlir::ValueRange(), subject);
  }]>];
  let assemblyFormat = [{
    $condition `,` $kind (`(` $details^ `)`)? (`work_item` `(` $workItem^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

// The numbers are those of spl_cpu_trace_kind.
def Spl_TraceKind : I32EnumAttr<"TraceKind", "what a checked launch is told", [
    I32EnumAttrCase<"Load", 0, "load">, I32EnumAttrCase<"Store", 1, "store">,
    I32EnumAttrCase<"AtomicLoad", 2, "atomic_load">,
    I32EnumAttrCase<"AtomicStore", 3, "atomic_store">,
    I32EnumAttrCase<"AtomicUpdate", 4, "atomic_update">,
    I32EnumAttrCase<"Fence", 5, "fence">, I32EnumAttrCase<"Arrive", 6, "arrive">,
    I32EnumAttrCase<"Leave", 7, "leave">, I32EnumAttrCase<"WarpArrive", 8, "warp_arrive">,
    I32EnumAttrCase<"WarpLeave", 9, "warp_leave">, I32EnumAttrCase<"Uniform", 10, "uniform">,
    I32EnumAttrCase<"Shared", 11, "shared">,
    I32EnumAttrCase<"GridUniform", 12, "grid_uniform">]> {
  let cppNamespace = "::spl::mir";
  let genSpecializedAttr = 0;
}
def Spl_TraceKindAttr : EnumAttr<SplDialect, Spl_TraceKind, "trace_kind">;

def Spl_TraceOp : Spl_Op<"trace", [MemoryEffects<[MemWrite<Spl_FaultResource>]>,
                                   AttrSizedOperandSegments]> {
  let summary = "Tells the detector of a checked launch what the work-item does";
  let description = [{
    `spl.trace load %a[%i] {subject = "a"} : !spl.slice<f32>` before a load of a[i];
    `spl.trace arrive` before a barrier and `spl.trace leave` after it. The value is of
    `atomic_update` whether it stores, of `uniform` the bits that must be the same for the group, of
    `grid_uniform` those that must be the same for the launch, and of `shared` the number of
    elements of the slice. The detail of `load` and `store` is an spl_cpu_trace_update.
    spl-instrument makes the traces.
    `work_item(%x, %y, %z)` is as for `spl.check`.
  }];
  let arguments = (ins Spl_TraceKindAttr:$kind, Variadic<Spl_Slice>:$slice,
                       Variadic<I64>:$indices, Variadic<I64>:$value, Variadic<I64>:$workItem,
                       OptionalAttr<Spl_MemoryOrderAttr>:$order,
                       OptionalAttr<Spl_MemoryScopeAttr>:$scope, OptionalAttr<StrAttr>:$subject,
                       OptionalAttr<DenseI32ArrayAttr>:$detail);
  let assemblyFormat = [{
    $kind ($slice^ `[` $indices `]`)? (`value` `(` $value^ `)`)?
    (`work_item` `(` $workItem^ `)`)? attr-dict (`:` type($slice)^)?
  }];
}

def Spl_MayRunOp : Spl_Op<"may_run", [MemoryEffects<[MemRead, MemWrite<Spl_FaultResource>]>]> {
  let summary = "Whether the launch may continue: false after its time limit or once it has failed";
  let description = [{
    `%ok = spl.may_run` comes before a check of kind "time-limit-exceeded". It is evaluated each
    time: no pass merges it with another one or moves it out of a loop. spl-interruptible-loops
    creates it.
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

def Spl_PrintOp : Spl_Op<"print", [MemoryEffects<[MemWrite<Spl_FaultResource>]>]> {
  let summary = "Writes a line of texts and the values between them to standard output";
  let description = [{
    `spl.print ["x = ", ", y = ", ""](%x, %y) "if" [-1, 3] : i64, f32`. A letter for each value is
    its type in the source: `i` is i64, `u` is u64, `b` is bool, `h` is f16, `t` is bf16, `f` is
    f32, `d` is f64. A number for each value is the number of digits after the point, or -1 for the
    fewest digits that read back as the same value. With `isMessage` the line is the message of the
    failed assertion that comes next.
  }];
  let arguments = (ins StrArrayAttr:$texts, Variadic<Spl_Plain>:$values, StrAttr:$kinds,
                       DenseI32ArrayAttr:$precisions, UnitAttr:$isMessage);
  let assemblyFormat = [{
    $texts `(` $values `)` $kinds $precisions attr-dict (`:` type($values)^)?
  }];
  let hasVerifier = 1;
}

def Spl_IntrinsicOp : Spl_Op<"intrinsic", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "A row of the intrinsics table";
  let description = [{
    `spl.intrinsic "gpu.global_id" axis 0 : () -> i64`, `spl.intrinsic "math.max"(%a, %b)
    {isUnsigned} : (i32, i32) -> i32`, `spl.intrinsic "gpu.fence" {scope = #spl<scope device>} : ()
    -> ()`, `spl.intrinsic "gpu.warp_scan"(%x) {exclusive} : (f32) -> f32`. The types must match the
    signature of the row: a barrier has no result, and math.sincos has two. `isUnsigned` says that
    integers are unsigned, for rows for which that matters. `width` says that segments of so many
    lanes take part instead of the warp: `spl.intrinsic "gpu.warp_sum"(%x) {width = 8 : i64}`.

    A collective of the warp may have one more operand than its row, an i32: the mask of the lanes
    that take part. spl-warp-masks adds it, for targets whose instructions need it.
  }];
  let arguments = (ins StrAttr:$name, Variadic<Spl_Plain>:$operands,
                       OptionalAttr<I64Attr>:$axis, UnitAttr:$isUnsigned, UnitAttr:$exclusive,
                       OptionalAttr<Spl_MemoryScopeAttr>:$scope, OptionalAttr<I64Attr>:$width);
  let results = (outs Variadic<Spl_Plain>:$results);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::StringRef":$name,
                                 CArg<"::mlir::ValueRange", "{}">:$operands,
                                 CArg<"::mlir::IntegerAttr", "{}">:$axis,
                                 CArg<"bool", "false">:$isUnsigned), [{
    build($_builder, $_state, results, name, operands, axis, isUnsigned, /*exclusive=*/false,
          /*scope=*/{}, /*width=*/{});
  }]>];
  let extraClassDeclaration = [{
    /// The lanes of a segment: the width, or those of a warp.
    int64_t segment();
    /// The result of a row with one result.
    ::mlir::Value getResult() { return getResults().front(); }
    ::mlir::Type getType() { return getResult().getType(); }
    /// The row of the name. The verifier ensures that it exists.
    const ::spl::intrinsics::Row &getRow();
    /// The mask of the lanes that take part, or null before spl-warp-masks.
    ::mlir::Value getMask();
  }];
  let assemblyFormat = [{
    $name (`(` $operands^ `)`)? (`axis` $axis^)? attr-dict
    `:` functional-type($operands, $results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===-- Conversions --===//

def Spl_FloatToIntOp : Spl_Op<"float_to_int", [Pure]> {
  let summary = "Truncates toward zero and saturates; NaN becomes 0";
  let arguments = (ins Spl_Plain:$operand, UnitAttr:$isUnsigned);
  let results = (outs Spl_Plain:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

include "LaneOps.td"

#endif // SPL_OPS
