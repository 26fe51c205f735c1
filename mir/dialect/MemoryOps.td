// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations on slices and memory: accesses, extents, views, and local, shared and constant
// memory.

#ifndef SPL_MEMORY_OPS
#define SPL_MEMORY_OPS

def Spl_LoadOp : Spl_Op<"load", [
    TypesMatchWith<"the result is the slice's element", "slice", "result",
                   "::mlir::cast<SliceType>($_self).getElement()">]> {
  let summary = "Reads slice[indices]; undefined if an index is outside the extents";
  let arguments = (ins Arg<Spl_Slice, "", [MemRead]>:$slice, Variadic<I64>:$indices,
                       UnitAttr:$unchecked);
  let results = (outs Spl_Value:$result);
  let assemblyFormat = "$slice `[` $indices `]` attr-dict `:` type($slice)";
  let hasVerifier = 1;
}

def Spl_StoreOp : Spl_Op<"store", [
    TypesMatchWith<"the value is the slice's element", "slice", "value",
                   "::mlir::cast<SliceType>($_self).getElement()">]> {
  let summary = "Writes slice[indices]; undefined if an index is outside the extents";
  let arguments = (ins Spl_Value:$value, Arg<Spl_Slice, "", [MemWrite]>:$slice,
                       Variadic<I64>:$indices, UnitAttr:$unchecked);
  let assemblyFormat = "$value `,` $slice `[` $indices `]` attr-dict `:` type($slice)";
  let hasVerifier = 1;
}

def Spl_PrefetchOp : Spl_Op<"prefetch"> {
  let summary = "Lets the machine fetch the cache line of slice[indices]";
  let description = [{
    Gangs on the CPU have it. The indices may be outside of the extents, and the slice may be
    read-only. The operation changes no memory. It has the effect of a store, so that no pass
    removes it.
  }];
  let arguments = (ins Arg<Spl_Slice, "", [MemWrite]>:$slice, Variadic<I64>:$indices);
  let assemblyFormat = "$slice `[` $indices `]` attr-dict `:` type($slice)";
  let hasVerifier = 1;
}

def Spl_ExtentOp : Spl_Op<"extent", [Pure]> {
  let summary = "The extent of a slice along an axis, in elements; never negative";
  let arguments = (ins Spl_Slice:$slice, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs I64:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$slice, "int64_t":$axis), [{
    build($_builder, $_state, $_builder.getI64Type(), slice, axis);
  }]>];
  let assemblyFormat = "$slice `,` $axis attr-dict `:` type($slice)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Spl_ReadOnlyOp : Spl_Op<"read_only", [Pure]> {
  let summary = "A read-only view of a mut slice";
  let arguments = (ins Spl_Slice:$slice);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = "$slice attr-dict `:` type($slice) `->` type($result)";
  let hasVerifier = 1;
}

def Spl_RowOp : Spl_Op<"row", [Pure]> {
  let summary = "slice[indices] with fewer indices than axes: the slice of the remaining axes";
  let description = [{
    `%row = spl.row %m[%i] : !spl.slice<f32, rank 2> -> !spl.slice<f32>`. The result is undefined if
    an index is outside the extents.
  }];
  let arguments = (ins Spl_Slice:$slice, Variadic<I64>:$indices, UnitAttr:$unchecked);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = "$slice `[` $indices `]` attr-dict `:` type($slice) `->` type($result)";
  let hasVerifier = 1;
}

def Spl_SubsliceOp : Spl_Op<"subslice", [Pure, AllTypesMatch<["slice", "result"]>]> {
  let summary = "slice[from..to] of rank 1; undefined unless 0 <= from <= to <= the extent";
  let arguments = (ins Spl_Slice:$slice, I64:$from, I64:$to, UnitAttr:$unchecked);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = "$slice `[` $from `to` $to `]` attr-dict `:` type($slice)";
  let hasVerifier = 1;
}

def Spl_PartOp : Spl_Op<"part", [Pure]> {
  let summary = "The parts of the element slice[indices], as a slice";
  let description = [{
    For a struct, the result is a slice of one element: the field with that number. For an array, it
    is a slice of its elements. For a vector, it is a slice of its lanes. If the result has elements
    of the type of the element, it is a slice of that one element.

    `%mass = spl.part %ps[%i] field 1
        : !spl.slice<!spl.struct<vector<4xf32>, f32>, mut> -> !spl.slice<f32, mut>`
    `%lanes = spl.part %vs[%i] : !spl.slice<vector<4xf32>> -> !spl.slice<f32>`
    `%place = spl.part %a[%i] : !spl.slice<f32, mut> -> !spl.slice<f32, mut>`
    The result is mut if the slice is. It is undefined if an index is outside the extents.
  }];
  let arguments = (ins Spl_Slice:$slice, Variadic<I64>:$indices, OptionalAttr<I64Attr>:$field,
                       UnitAttr:$unchecked);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = [{
    $slice `[` $indices `]` (`field` $field^)? attr-dict `:` type($slice) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// Whether the result is the element itself.
    bool isWhole() {
      return !getField() && getType().getElement() == getSlice().getType().getElement();
    }
  }];
  let hasVerifier = 1;
}

def Spl_VectorsOp : Spl_Op<"vectors", [Pure]> {
  let summary = "A slice of scalars as a slice of vectors, without a rest at the end";
  let description = [{
    `%v = spl.vectors %a : !spl.slice<f32, mut> -> !spl.slice<vector<4xf32>, mut>`. Accesses are
    undefined unless the slice is aligned for such vectors, which spl.is_aligned tests.
  }];
  let arguments = (ins Spl_Slice:$slice);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = "$slice attr-dict `:` type($slice) `->` type($result)";
  let hasVerifier = 1;
}

def Spl_IsAlignedOp : Spl_Op<"is_aligned", [Pure]> {
  let summary = "Whether the address of the slice is aligned for its elements";
  let arguments = (ins Spl_Slice:$slice);
  let results = (outs I1:$result);
  let assemblyFormat = "$slice attr-dict `:` type($slice)";
}

def Spl_CopyOp : Spl_Op<"copy", [AttrSizedOperandSegments]> {
  let summary = "to[toIndices] = from[fromIndices], for an element that is a struct or an array";
  let arguments = (ins Arg<Spl_Slice, "", [MemRead]>:$from, Variadic<I64>:$fromIndices,
                       Arg<Spl_Slice, "", [MemWrite]>:$to, Variadic<I64>:$toIndices,
                       UnitAttr:$unchecked);
  let assemblyFormat = [{
    $from `[` $fromIndices `]` `,` $to `[` $toIndices `]` attr-dict `:` type($from) `,` type($to)
  }];
  let hasVerifier = 1;
}

def Spl_LocalOp : Spl_Op<"local", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Local memory: count elements with undefined contents";
  let description = [{
    `%p = spl.local 1 : !spl.slice<!spl.struct<f32, i32>, mut>`. The memory is valid for one
    execution of its block. mirgen creates one for each variable and temporary that is a struct, a
    tuple or an array.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$count);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = "$count attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Spl_ScratchOp : Spl_Op<"scratch", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Memory for all work-items of a group, for targets that run them in one thread";
  let description = [{
    `%kept = spl.scratch 1024 : !spl.slice<f32, mut>`. The contents are undefined at first.
    spl-work-item-loops creates one for each value of the saved context, with one element for each
    work-item of the largest group.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$count);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = "$count attr-dict `:` type($result)";
}

def Spl_SharedOp : Spl_Op<"shared", [Pure]> {
  let summary = "An array in the group's shared memory, undefined at first";
  let description = [{
    `%tile = spl.shared "k.0"[16, 17] : !spl.slice<f32, mut, rank 2>`. The name identifies the place
    in the source. Operations with the same name, which inlining creates, are the same array.
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$extents);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = "$name `` $extents attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Spl_SharedDynOp : Spl_Op<"shared_dyn", [Pure]> {
  let summary = "Dynamic shared memory from a byte offset on, with as many elements as fit";
  let arguments = (ins I64:$offset);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = "$offset attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Spl_ConstantDataOp : Spl_Op<"constant_data", [Pure]> {
  let summary = "A constant array, read at run-time indices, in constant memory";
  let description = [{
    `%w = spl.constant_data [0.25 : f32, 0.5 : f32] : !spl.slice<f32>`. An element that is a struct,
    array or vector is an array attribute of its parts.
  }];
  let arguments = (ins ArrayAttr:$elements);
  let results = (outs Spl_Slice:$result);
  let assemblyFormat = "$elements attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif
