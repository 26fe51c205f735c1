// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: split-file %s %t
// RUN: simple-opt %t/good.mlir --spl-to-llvm="target=sm_75" | FileCheck %t/good.mlir
// RUN: not simple-opt %t/large.mlir --spl-to-llvm="target=sm_90" 2>&1 | FileCheck %t/large.mlir
// RUN: not simple-opt %t/large.mlir --spl-to-llvm="target=cpu" 2>&1 | FileCheck %t/large.mlir
// RUN: not simple-opt %t/huge.mlir --spl-to-llvm 2>&1 | FileCheck %t/huge.mlir

//--- good.mlir
// One array for each name, aligned for the widest access. The dynamic array is external.
// CHECK-DAG: llvm.mlir.global internal @spl.shared.k.0({{.*}}) {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1088 x i8>
// CHECK-DAG: llvm.mlir.global internal @spl.shared.k.1({{.*}}) {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i8>
// CHECK-DAG: llvm.mlir.global external @spl$shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK-NOT: llvm.mlir.global
// CHECK: llvm.func
// CHECK: %[[A:.*]] = llvm.mlir.addressof @spl.shared.k.0 : !llvm.ptr<3>
// CHECK: %[[G:.*]] = llvm.addrspacecast %[[A]] : !llvm.ptr<3> to !llvm.ptr
// CHECK: llvm.mlir.constant(16 : i64)
// CHECK: llvm.mlir.constant(17 : i64)
// CHECK: addressof @spl.shared.k.0
// CHECK: addressof @spl.shared.k.1
// CHECK: %[[BYTES:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.dynamic_smem_size"
// CHECK: %[[ALL:.*]] = llvm.zext %[[BYTES]] : i32 to i64
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%[[OFFSET:.*]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: %[[LEFT:.*]] = llvm.sub %[[ALL]], %[[OFFSET]]
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(4 : i64)
// CHECK: llvm.udiv %[[LEFT]], %[[SIZE]]
// CHECK: llvm.getelementptr {{.*}}%[[G]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
spl.kernel @k(%i: i64, %o: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"k()">} {
  %a = spl.shared "k.0"[16, 17] : !spl.slice<f32, mut, rank 2>
  %b = spl.shared "k.0"[16, 17] : !spl.slice<f32, mut, rank 2>
  %c = spl.shared "k.1"[2] : !spl.slice<!spl.struct<f64, i8, i16>, mut>
  %d = spl.shared_dyn %i : !spl.slice<f32, mut>
  %v = spl.load %a[%i, %i] : !spl.slice<f32, mut, rank 2>
  spl.store %v, %b[%i, %i] : !spl.slice<f32, mut, rank 2>
  spl.store %v, %d[%i] : !spl.slice<f32, mut>
  %n = spl.extent %c, 0 : !spl.slice<!spl.struct<f64, i8, i16>, mut>
  spl.store %n, %o[%i] : !spl.slice<i64, mut>
  spl.return
}

//--- large.mlir
// Arrays of a function count once for each kernel that calls it. The limit itself is allowed.
// CHECK: error: the shared arrays of 'k' take 49168 bytes; the maximum is 49152; they are 'tile' 49152, 1 in line [[#]]; make them smaller, or use gpu.shared_dyn
// CHECK-NOT: error
spl.kernel @fits() attributes {signature = #spl.signature<"fits()">} {
  %a = spl.shared "fits.0"[128, 384] : !spl.slice<i8, mut, rank 2>
  spl.return
}
spl.func @f() {
  %a = spl.shared "f.0"[1] : !spl.slice<i8, mut>
  spl.return
}
spl.kernel @k() attributes {signature = #spl.signature<"k()">} {
  %a = spl.shared "k.0"[6144] {spl.name = "tile"} : !spl.slice<f64, mut>
  spl.call @f() : () -> ()
  spl.call @f() : () -> ()
  spl.return
}

//--- huge.mlir
// CHECK: error: the shared arrays of 'k' take at least 4611686018427387904 bytes;
spl.kernel @k() attributes {signature = #spl.signature<"k()">} {
  %a = spl.shared "k.0"[9223372036854775807, 9223372036854775807] : !spl.slice<f64, mut, rank 2>
  spl.return
}
