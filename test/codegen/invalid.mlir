// RUN: split-file %s %t
// RUN: not simple-opt %t/expand.mlir --spl-to-llvm 2>&1 | FileCheck %t/expand.mlir
// RUN: not simple-opt %t/loops.mlir --spl-to-llvm="target=cpu" 2>&1 | FileCheck %t/loops.mlir
// RUN: not simple-opt %t/loops.mlir --spl-to-llvm="target=sm_1" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not simple-opt %t/source.mlir --spl-to-llvm 2>&1 | FileCheck %t/source.mlir
// RUN: not simple-opt %t/source.mlir --spl-to-llvm="target=cpu" 2>&1 | FileCheck %t/source.mlir
// TARGET: error: unknown target 'sm_1'; the targets are sm_75
// An operation that an earlier pass should have removed, or a name that cannot be emitted, is an error.

//--- expand.mlir
// CHECK: error: 'spl.intrinsic' op should have been expanded by spl-expand-intrinsics
spl.kernel @k(%o: !spl.slice<i64, mut> {spl.name = "o"}) attributes {signature = #spl.signature<"k(o: &mut [i64])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  spl.store %i, %o[%i] : !spl.slice<i64, mut>
  spl.return
}

//--- source.mlir
// CHECK: error: 'spl.intrinsic' op represents other operations, which the frontend makes
spl.kernel @k(%o: !spl.slice<i64, mut> {spl.name = "o"}) attributes {signature = #spl.signature<"k(o: &mut [i64])">} {
  spl.intrinsic "gpu.trap" : () -> ()
  spl.return
}

//--- loops.mlir
// CHECK: error: 'spl.intrinsic' op has no lowering for the CPU; was spl-work-item-loops run?
spl.kernel @k(%o: !spl.slice<i64, mut> {spl.name = "o"}) attributes {signature = #spl.signature<"k(o: &mut [i64])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  spl.store %i, %o[%i] : !spl.slice<i64, mut>
  spl.return
}
