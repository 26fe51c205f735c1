// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spl dialect: the names of its attributes, its types, and the kinds of faults. SplOps.td has
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
  let summary = "The semantics of the Simple kernel language";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// On a function's argument or an access: the name of the argument, or of the accessed slice,
    /// in the source.
    static constexpr ::llvm::StringLiteral nameAttr = "spl.name";
    /// On a kernel's argument: the slice is a struct that is passed by value.
    static constexpr ::llvm::StringLiteral byValueAttr = "spl.by_value";
    /// On a load or store: the cache hint "streaming", "last_use" or "keep". It does not change
    /// results.
    static constexpr ::llvm::StringLiteral cacheAttr = "spl.cache";
    /// On a kernel: it uses only global ids, so that several groups may run as one. On a
    /// gpu.local_size: it is the size of all groups that run as one, or the number of groups that
    /// run side by side. spl-expand-intrinsics and spl-work-item-loops set it for the CPU.
    static constexpr ::llvm::StringLiteral ungroupedAttr = "spl.ungrouped";
    /// On a kernel for the CPU, an array: how many small groups run side by side at most, and how
    /// many work-items one of them has at most. On a loop: it is over these groups.
    /// spl-work-item-loops sets it.
    static constexpr ::llvm::StringLiteral sideBySideAttr = "spl.side_by_side";
    /// On a kernel, an i64: the minimum number of groups that reside on a multiprocessor.
    static constexpr ::llvm::StringLiteral minBlocksAttr = "spl.min_blocks";
    /// On a kernel, an i64: the number of the version that it is (abi::Contract::Version). Its name
    /// is that of the baseline with abi::versionSuffix. The baseline does not have the attribute.
    static constexpr ::llvm::StringLiteral versionAttr = "spl.version";
    /// On a version of a kernel: in its launches, no slice has more than maxSmallSize elements and
    /// no axis more than maxSmallSize work-items (mir/dialect/SmallSizes.h). spl-small-sizes sets
    /// it.
    static constexpr ::llvm::StringLiteral smallSizesAttr = "spl.small_sizes";
    /// On a kernel: it is compiled quickly rather than optimised, because launches seldom run it.
    /// spl-mark-cold sets it.
    static constexpr ::llvm::StringLiteral coldAttr = "spl.cold";
    /// On a kernel or a function: it takes the address of a fault record after its own parameters,
    /// because a check in it or in a function that it calls may fail. spl-fault-records sets it.
    static constexpr ::llvm::StringLiteral faultRecordAttr = "spl.fault_record";
    /// On a function: inline it wherever it fits, or never.
    static constexpr ::llvm::StringLiteral inlineAttr = "spl.inline", noinlineAttr = "spl.noinline";
    /// On a reduction of a warp: only lane 0 uses the result. spl-warp-masks sets it.
    static constexpr ::llvm::StringLiteral firstLaneAttr = "spl.first_lane";
    /// On an intrinsic: approximations are allowed, as with --fast-math.
    static constexpr ::llvm::StringLiteral fastMathAttr = "spl.fast_math";
    /// On a sub-slice: the text in the source for the range that must contain its beginning, as in
    /// "a[..j]".
    static constexpr ::llvm::StringLiteral rangeAttr = "spl.range";
    /// On an access: an array of i64 with the positions of the indices that are u64 in the source,
    /// counted over all indices. The beginning of a sub-slice is 0, its end is 1.
    static constexpr ::llvm::StringLiteral unsignedAttr = "spl.unsigned";
    /// On a loop over the work-items of a group along x, or over groups side by side, an i64: how
    /// many iterations there usually are, or 0 for any number. spl-work-item-loops sets it,
    /// spl-split-edges reads it, and spl-gang-loops removes it.
    static constexpr ::llvm::StringLiteral workItemsAttr = "spl.work_items";
    /// On a loop whose iterations are work-items between the same two barriers: no iteration
    /// depends on what another one stores, because that would be a race. Local arrays are excepted:
    /// all iterations use the same memory for them. spl-gang-loops sets it.
    static constexpr ::llvm::StringLiteral independentAttr = "spl.independent";
    /// On a loop over the 32 lanes of a warp, all of which exist and are adjacent along x. The size
    /// of the group along x is a multiple of 32. spl-work-item-loops sets it. spl-limit-loops
    /// removes it from loops that it limits, and spl-gang-loops from all others.
    static constexpr ::llvm::StringLiteral warpAttr = "spl.warp";
    /// On memory of a gang (spl-gang-loops): the number of the gang's lanes. The memory consists of
    /// rows of that many elements.
    static constexpr ::llvm::StringLiteral lanesAttr = "spl.lanes";
    /// On a loop: the unroll factor. 0 disables unrolling, 1 unrolls fully.
    static constexpr ::llvm::StringLiteral unrollAttr = "spl.unroll";
    /// On an scf.while over a range whose step is the global size: the values of the variable, and
    /// the value after the last one, are from 0 to 2^32 - 1. spl-narrow-distances sets it.
    static constexpr ::llvm::StringLiteral smallRangeAttr = "spl.small_range";
  }];
}

//===-- Types --===//

def Spl_Slice : TypeDef<SplDialect, "Slice"> {
  let mnemonic = "slice";
  let summary = "A view of consecutive elements: an address and one extent per axis";
  let description = [{
    `!spl.slice<f32>` is read-only, `!spl.slice<f32, mut>` is read-write. The rank is 1 unless the
    type has `rank N`, as in `!spl.slice<f32, mut, rank 2>`. Extents are i64 and never negative. An
    element of type i1 is one byte in memory. spl-work-item-loops creates slices whose elements are
    slices.
  }];
  let parameters = (ins "::mlir::Type":$element, "bool":$isMut, "unsigned":$rank);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Spl_Struct : TypeDef<SplDialect, "Struct"> {
  let mnemonic = "struct";
  let summary = "The fields of a struct or tuple, only in memory, with the layout of C";
  let description = [{
    `!spl.struct<vector<4xf32>, f32>`. Structs and arrays are not SSA values. They are elements of
    slices. `spl.local` allocates memory for one.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$fields);
  let assemblyFormat = "`<` $fields `>`";
  let genVerifyDecl = 1;
}
def Spl_Array : TypeDef<SplDialect, "Array"> {
  let mnemonic = "array";
  let summary = "Consecutive elements, only in memory: !spl.array<3 x f32>";
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

// The kinds and their names are those of spl/FaultKinds.def.
def Spl_FaultKindAttr : AttrDef<SplDialect, "FaultKind"> {
  let mnemonic = "fault";
  let summary = "What a failing check reports: <\"index-out-of-bounds\">";
  let parameters = (ins "::spl::FaultKind":$value);
  let hasCustomAssemblyFormat = 1;
  let returnType = "::spl::FaultKind";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::spl::mir::FaultKindAttr::get($_builder.getContext(), $0)";
}

//===-- Signatures --===//

def Spl_SignatureAttr : AttrDef<SplDialect, "Signature"> {
  let mnemonic = "signature";
  let summary = "The signature of a kernel, with its launch contract";
  let description = [{
    `#spl.signature<"scale(a: &mut [f32], k: f32)">`. The text has the form that images contain
    (spl/abi/SignatureText.h). Malformed text is an error, with its column.
  }];
  let parameters = (ins AttrParameter<"::spl::abi::Signature", "the signature as data",
                                      "const ::spl::abi::Signature &">:$value);
  let hasCustomAssemblyFormat = 1;
  let returnType = "const ::spl::abi::Signature &";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::spl::mir::SignatureAttr::get($_builder.getContext(), $0)";
}

#endif // SPL_TYPES
