// RUN: simple-opt %s --spl-gang-loops="vector-bits=128" -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients and remainders of linear integers by uniform ones are linear in most gangs. A test finds these, which access
// adjacent elements.

// The columns of a torus. The dividend does not wrap between the lanes, and neither does the remainder.
// CHECK-LABEL: @torus
// CHECK: scf.for %[[K:.*]] = %c0_i64 to %arg2
// CHECK: %[[FROM:.*]] = arith.addi %{{.*}}, %[[K]] : i64
// CHECK: %[[WIDTH:.*]] = arith.maxsi %arg2, %c1_i64
// CHECK: %[[BELOW:.*]] = arith.cmpi ule, %[[FROM]], %c9223372036854775792_i64
// CHECK: %[[COLUMN:.*]] = arith.remui %[[FROM]], %[[WIDTH]] : i64
// CHECK: %[[REST:.*]] = arith.subi %[[WIDTH]], %[[COLUMN]]
// CHECK: %[[WITHIN:.*]] = arith.cmpi ugt, %[[REST]], %c15_i64
// CHECK: %[[HOLDS:.*]] = arith.andi %[[BELOW]], %[[WITHIN]]
// CHECK: %[[COLUMNS:.*]] = scf.if %[[HOLDS]] -> (vector<16xi64>) {
// CHECK: vector.broadcast %[[COLUMN]]
// CHECK: } else {
// CHECK: arith.divf
// CHECK: scf.if %[[HOLDS]] -> (vector<16xf32>) {
// CHECK-NEXT: spl.load_lanes %arg0[%[[K]], %[[COLUMN]]] : <f32, rank 2>
// CHECK: } else {
// CHECK: spl.gather_lanes %arg0[%[[K]], %[[COLUMNS]]]
spl.kernel @torus(%a: !spl.slice<f32, rank 2>, %out: !spl.slice<f32, mut>, %width: i64, %size: i64) attributes {signature = #spl.signature<"torus()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %sum = scf.for %k = %c0 to %width step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
      %from = arith.addi %x, %k : i64
      %column = arith.remsi %from, %width : i64
      %v = spl.load %a[%k, %column] : !spl.slice<f32, rank 2>
      %next = arith.addf %acc, %v : f32
      scf.yield %next : f32
    }
    spl.store %sum, %out[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A row and a column of a matrix from the number of an element. The row is the same for all lanes if the test holds, and
// so is where it begins. Lane 0 may be inactive in the rest, so that sums may overflow.
// CHECK-LABEL: @element
// CHECK: %[[ROW:.*]] = arith.divui %{{.*}} : i32
// CHECK: %[[COLUMN:.*]] = arith.remui %{{.*}} : i32
// CHECK: %[[WIDE_ROW:.*]] = arith.extui %[[ROW]] : i32 to i64
// CHECK: %[[WIDE_COLUMN:.*]] = arith.extui %[[COLUMN]] : i32 to i64
// CHECK: %[[SHIFTED:.*]] = arith.addi %[[WIDE_COLUMN]], %{{[^ ]+}} : i64
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK: scf.if %[[BOTH]] {
// CHECK-NEXT: spl.store_lanes %{{.*}}, %arg0[%[[WIDE_ROW]], %[[SHIFTED]]]
// CHECK: } else {
// CHECK: spl.scatter_lanes %{{.*}}, %arg0
spl.kernel @element(%out: !spl.slice<f32, mut, rank 2>, %width: i32, %m: i64, %size: i64) attributes {signature = #spl.signature<"element()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %i = arith.trunci %x : i64 to i32
    %row = arith.divui %i, %width : i32
    %column = arith.remui %i, %width : i32
    %wide_row = arith.extui %row : i32 to i64
    %wide_column = arith.extui %column : i32 to i64
    scf.for %k = %c0 to %m step %c1 : i64 {
      %shifted = arith.addi %wide_column, %k overflow<nsw> : i64
      spl.store %zero, %out[%wide_row, %shifted] : !spl.slice<f32, mut, rank 2>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// The extension of a signed integer may wrap where an unsigned remainder does not: the indices of all lanes are compared.
// A divisor that differs between lanes is not tested.
// CHECK-LABEL: @extended
// CHECK: %[[FOLLOW:.*]] = arith.cmpi eq, %{{.*}} : vector<16xi64>
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[FOLLOW]]
// CHECK: scf.if %[[ALL]]
// CHECK: spl.load_lanes %arg0
// CHECK-LABEL: @divisors
// CHECK-NOT: spl.load_lanes %arg0
// CHECK: spl.gather_lanes %arg0
// CHECK-NOT: spl.load_lanes %arg0
// CHECK: spl.return
spl.kernel @extended(%a: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %width: i32, %m: i64, %size: i64) attributes {signature = #spl.signature<"extended()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %i = arith.trunci %x : i64 to i32
    %column = arith.remui %i, %width : i32
    %wide = arith.extsi %column : i32 to i64
    scf.for %k = %c0 to %m step %c1 : i64 {
      %v = spl.load %a[%wide] : !spl.slice<f32>
      spl.store %v, %out[%x] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @divisors(%a: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %m: i64, %size: i64) attributes {signature = #spl.signature<"divisors()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %k = %c0 to %m step %c1 : i64 {
      %other = arith.remsi %k, %x : i64
      %w = spl.load %a[%other] : !spl.slice<f32>
      spl.store %w, %out[%x] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
