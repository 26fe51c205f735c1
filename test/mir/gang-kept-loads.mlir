// RUN: simple-opt %s --spl-gang-loops="vector-bits=128" -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an inner loop gathers in each iteration of an outer one is kept by its first iteration.

// The last of the 33 rows is for what does not fit.
// CHECK-LABEL: @nearest
// CHECK: %[[KEPT:.*]] = spl.local 528 {spl.lanes = 16 : i64} : <f32, mut>
// CHECK: scf.for %[[C:.*]] = %c0_i64{{.*}} to %arg3
// CHECK: %[[FEATURES:.*]] = spl.extent %arg0, 1
// CHECK: %[[LATER:.*]] = arith.cmpi ne, %[[C]], %c0_i64
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[FEATURES]], %c32_i64
// CHECK: %[[BOTH:.*]] = arith.andi %[[LATER]], %[[FITS]]
// CHECK: scf.if %[[BOTH]] -> (vector<16xf32>) {
// CHECK: scf.for %[[K:.*]] = %c0_i64{{.*}} to %[[FEATURES]]
// CHECK: %[[AT:.*]] = arith.muli %[[K]], %c16_i64
// CHECK-NEXT: spl.load_lanes %[[KEPT]][%[[AT]]] : <f32, mut> -> vector<16xf32>
// CHECK: } else {
// CHECK: scf.for %[[K:.*]] = %c0_i64{{.*}} to %[[FEATURES]]
// CHECK: %[[LANES:.*]] = spl.gather_lanes %arg0[%{{.*}}, %[[K]]]
// CHECK: %[[ROW:.*]] = arith.minui %[[K]], %c32_i64
// CHECK: %[[AT:.*]] = arith.muli %[[ROW]], %c16_i64
// CHECK: spl.store_lanes %[[LANES]], %[[KEPT]][%[[AT]]]
// The work-items that are left run with a mask, and keep nothing.
// CHECK-NOT: spl.local
// CHECK: spl.gather_lanes %arg0[%{{.*}}, %{{.*}}] mask
spl.kernel @nearest(%points: !spl.slice<f32, rank 2>, %centres: !spl.slice<f32, rank 2>, %out: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"nearest()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %least = scf.for %c = %c0 to %n step %c1 iter_args(%best = %zero) -> (f32) : i64 {
      %features = spl.extent %points, 1 : !spl.slice<f32, rank 2>
      %sum = scf.for %k = %c0 to %features step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
        %p = spl.load %points[%x, %k] : !spl.slice<f32, rank 2>
        %q = spl.load %centres[%c, %k] : !spl.slice<f32, rank 2>
        %next = math.fma %p, %q, %acc : f32
        scf.yield %next : f32
      }
      %better = arith.minimumf %sum, %best : f32
      scf.yield %better : f32
    }
    spl.store %least, %out[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Not kept: the outer loop stores, its variable is in the index, or the inner loop is not the same in each iteration.
// CHECK-LABEL: @others
// CHECK-NOT: spl.local
// CHECK: spl.gather_lanes %arg0
// CHECK-NOT: spl.local
// CHECK: spl.return
spl.kernel @others(%points: !spl.slice<f32, rank 2>, %out: !spl.slice<f32, mut, rank 2>, %n: i64, %m: i64, %size: i64) attributes {signature = #spl.signature<"others()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %c = %c0 to %n step %c1 : i64 {
      scf.for %k = %c0 to %m step %c1 : i64 {
        %p = spl.load %points[%x, %k] : !spl.slice<f32, rank 2>
        spl.store %p, %out[%x, %c] : !spl.slice<f32, mut, rank 2>
      }
    }
    %sum = scf.for %c = %c0 to %n step %c1 iter_args(%all = %zero) -> (f32) : i64 {
      %first = scf.for %k = %c0 to %m step %c1 iter_args(%acc = %all) -> (f32) : i64 {
        %row = arith.addi %x, %c : i64
        %p = spl.load %points[%row, %k] : !spl.slice<f32, rank 2>
        %next = arith.addf %p, %acc : f32
        scf.yield %next : f32
      }
      %second = scf.for %k = %c0 to %c step %c1 iter_args(%acc = %first) -> (f32) : i64 {
        %p = spl.load %points[%x, %k] : !spl.slice<f32, rank 2>
        %next = arith.addf %p, %acc : f32
        scf.yield %next : f32
      }
      scf.yield %second : f32
    }
    spl.store %sum, %out[%x, %c0] : !spl.slice<f32, mut, rank 2>
  } {spl.work_items = 0 : i64}
  spl.return
}
