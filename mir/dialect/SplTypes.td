// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spl dialect itself: its attributes by name, its types, and the kinds of faults. SplOps.td has
// the operations.

#ifndef SPL_TYPES
#define SPL_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def SplDialect : Dialect {
  let name = "spl";
  let cppNamespace = "::spl::mir";
  let summary = "The meaning of the Simple kernel language";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// The source name of a function's argument, or of the slice that an access touches.
    static constexpr ::llvm::StringLiteral nameAttr = "spl.name";
    /// Of a kernel's argument: the slice is one struct that is passed by value.
    static constexpr ::llvm::StringLiteral byValueAttr = "spl.by_value";
    /// Of a load or store: what is known of the element's further use, "streaming", "last_use" or
    /// "keep". It changes no result.
    static constexpr ::llvm::StringLiteral cacheAttr = "spl.cache";
    /// Of a kernel: it sees only global ids, so groups may run as one. Of a gpu.local_size: it is
    /// the size of all the groups that do. spl-expand-intrinsics sets it, for the CPU.
    static constexpr ::llvm::StringLiteral ungroupedAttr = "spl.ungrouped";
    /// Of a kernel, an array of i64: the group size that every launch has, one to three extents;
    /// and an i64: the groups that a multiprocessor shall hold at once.
    static constexpr ::llvm::StringLiteral blockAttr = "spl.block";
    static constexpr ::llvm::StringLiteral minBlocksAttr = "spl.min_blocks";
    /// On a kernel: without the checks that the launch contract of another, which has its name
    /// but for abi::uncheckedSuffix, speaks for.
    static constexpr ::llvm::StringLiteral uncheckedAttr = "spl.unchecked";
    /// Of a function: inline it wherever it fits, or never.
    static constexpr ::llvm::StringLiteral inlineAttr = "spl.inline", noinlineAttr = "spl.noinline";
    /// Of a kernel's argument: it may overlap any other.
    static constexpr ::llvm::StringLiteral aliasAttr = "spl.alias";
    /// Of an intrinsic: approximations are allowed, as --fast-math allows them for all.
    static constexpr ::llvm::StringLiteral fastMathAttr = "spl.fast_math";
    /// Of a sub-slice, the source's name for what its beginning must be inside: "a[..j]".
    static constexpr ::llvm::StringLiteral rangeAttr = "spl.range";
    /// Of an access, an array of i64: the positions of the indices that are meant as u64, counted
    /// over all of them; of a sub-slice its beginning is 0 and its end 1.
    static constexpr ::llvm::StringLiteral unsignedAttr = "spl.unsigned";
    /// Of a loop, how it is unrolled: 0 not, 1 all rounds, else so many at a time.
    static constexpr ::llvm::StringLiteral unrollAttr = "spl.unroll";
  }];
}

//===-- Types --===//

def Spl_Slice : TypeDef<SplDialect, "Slice"> {
  let mnemonic = "slice";
  let summary = "A view of consecutive elements: an address and one extent an axis";
  let description = [{
    `!spl.slice<f32>` is read-only, `!spl.slice<f32, mut>` read-write; rank 1 unless
    `rank N` says otherwise: `!spl.slice<f32, mut, rank 2>`. Extents are i64 and never negative.
    An element of i1 takes one byte in memory. spl-work-item-loops keeps slices in slices of such.
  }];
  let parameters = (ins "::mlir::Type":$element, "bool":$isMut, "unsigned":$rank);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Spl_Struct : TypeDef<SplDialect, "Struct"> {
  let mnemonic = "struct";
  let summary = "The fields of a struct or tuple, in memory only, laid out as C does";
  let description = [{
    `!spl.struct<vector<4xf32>, f32>`. Structs and arrays are never values of their own: they are
    elements of slices, and `spl.local` gives one a place.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$fields);
  let assemblyFormat = "`<` $fields `>`";
  let genVerifyDecl = 1;
}
def Spl_Array : TypeDef<SplDialect, "Array"> {
  let mnemonic = "array";
  let summary = "So many elements side by side, in memory only: !spl.array<3 x f32>";
  let parameters = (ins "uint64_t":$count, "::mlir::Type":$element);
  let assemblyFormat = "`<` $count `x` $element `>`";
  let genVerifyDecl = 1;
}

def Spl_Integer : AnyTypeOf<[I8, I16, I32, I64]>;
def Spl_Float : AnyTypeOf<[F16, BF16, F32, F64]>;
// A scalar or a vector of 2 to 16 lanes; masks are vectors of i1.
def Spl_Plain : Type<CPred<"::spl::mir::isPlain($_self)">, "scalar or vector of the language">;
def Spl_Value : AnyTypeOf<[Spl_Plain, Spl_Slice]>;

//===-- Faults --===//

// The names are the diagnostics' of a fault (docs/cli.md).
def Spl_FaultKind : I32EnumAttr<"FaultKind", "what a failing check reports", [
    I32EnumAttrCase<"IndexOutOfBounds", 0, "index-out-of-bounds">,
    I32EnumAttrCase<"DivisionByZero", 1, "division-by-zero">,
    I32EnumAttrCase<"AssertionFailed", 2, "assertion-failed">,
    I32EnumAttrCase<"Trap", 3, "trap">,
    I32EnumAttrCase<"StepZero", 4, "step-zero">,
    I32EnumAttrCase<"NegativeExponent", 5, "negative-exponent">,
    I32EnumAttrCase<"MisalignedVector", 6, "misaligned-vector">,
    I32EnumAttrCase<"TimeLimit", 7, "time-limit-exceeded">]> {
  let cppNamespace = "::spl::mir";
  let genSpecializedAttr = 0;
}
def Spl_FaultKindAttr : EnumAttr<SplDialect, Spl_FaultKind, "fault"> {
  // The enum's own printer quotes names with dashes, which EnumAttr's would not.
  let parameters = (ins "::spl::mir::FaultKind":$value);
  let assemblyFormat = "`<` $value `>`";
}

#endif // SPL_TYPES
