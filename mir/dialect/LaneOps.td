// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to memory by the lanes of a gang (docs/mir.md). Each moves a vector with an element for
// each lane.

#ifndef SPL_LANE_OPS
#define SPL_LANE_OPS

def Spl_Mask : VectorOfRankAndType<[1], [I1]>;

def Spl_LoadLanesOp : Spl_Op<"load_lanes", [AttrSizedOperandSegments]> {
  let summary = "Reads adjacent elements, slice[indices] and those after it, as a vector";
  let description = [{
    `spl.load_lanes %a[%i] mask(%m) : <f32>, vector<16xi1> -> vector<16xf32>`. The elements follow
    each other along the last axis. Lanes that the mask does not select are 0.
  }];
  let arguments = (ins Arg<Spl_Slice, "", [MemRead]>:$slice, Variadic<I64>:$indices,
                       Optional<Spl_Mask>:$mask);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{ $slice `[` $indices `]` (`mask` `(` $mask^ `)`)? attr-dict
                          `:` type($slice) (`,` type($mask)^)? `->` type($result) }];
  let hasVerifier = 1;
}
def Spl_StoreLanesOp : Spl_Op<"store_lanes", [AttrSizedOperandSegments]> {
  let summary = "Writes the lanes that the mask selects to adjacent elements";
  let arguments = (ins AnyVectorOfNonZeroRank:$value, Arg<Spl_Slice, "", [MemWrite]>:$slice,
                       Variadic<I64>:$indices, Optional<Spl_Mask>:$mask);
  let assemblyFormat = [{ $value `,` $slice `[` $indices `]` (`mask` `(` $mask^ `)`)? attr-dict
                          `:` type($value) `,` type($slice) (`,` type($mask)^)? }];
  let hasVerifier = 1;
}

def Spl_LaneIndex : AnyTypeOf<[I64, VectorOfRankAndType<[1], [I64]>]>;

def Spl_GatherLanesOp : Spl_Op<"gather_lanes", [AttrSizedOperandSegments]> {
  let summary = "Reads an element for each lane, as a vector";
  let description = [{
    `spl.gather_lanes %a[%i, %j] mask(%m)
        : <f32, rank 2>[i64, vector<16xi64>], vector<16xi1> -> vector<16xf32>`.
    An index that is a scalar is the same for all lanes. If the elements are vectors of the
    language, `component` is the number of the scalar that is read. Lanes that the mask does
    not select are 0, and their indices may be poison.
  }];
  let arguments = (ins Arg<Spl_Slice, "", [MemRead]>:$slice, Variadic<Spl_LaneIndex>:$indices,
                       Optional<Spl_Mask>:$mask, OptionalAttr<I64Attr>:$component);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{ $slice `[` $indices `]` (`mask` `(` $mask^ `)`)?
                          (`component` $component^)? attr-dict
                          `:` type($slice) `[` type($indices) `]` (`,` type($mask)^)?
                          `->` type($result) }];
  let hasVerifier = 1;
}
def Spl_ScatterLanesOp : Spl_Op<"scatter_lanes", [AttrSizedOperandSegments]> {
  let summary = "Writes the lanes that the mask selects, each to an element of its own";
  let description = [{ The operands are those of `spl.gather_lanes`. }];
  let arguments = (ins AnyVectorOfNonZeroRank:$value, Arg<Spl_Slice, "", [MemWrite]>:$slice,
                       Variadic<Spl_LaneIndex>:$indices, Optional<Spl_Mask>:$mask,
                       OptionalAttr<I64Attr>:$component);
  let assemblyFormat = [{ $value `,` $slice `[` $indices `]` (`mask` `(` $mask^ `)`)?
                          (`component` $component^)? attr-dict
                          `:` type($value) `,` type($slice) `[` type($indices) `]`
                          (`,` type($mask)^)? }];
  let hasVerifier = 1;
}

def Spl_FreezeOp : Spl_Op<"freeze", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "Returns the vector with any number in place of poison";
  let arguments = (ins AnyVectorOfNonZeroRank:$value);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif
