// RUN: simple-opt %s --spl-gang-loops="vector-bits=512" -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter does not count the round in which its loop breaks. In a gang it does, and is one scalar. The round is subtracted
// after the loop.

// CHECK-LABEL: @steps
// CHECK: scf.while
// CHECK: %[[N:[^ ]*]]:{{[0-9]+}} = scf.while
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: scf.condition
// CHECK: arith.addi %{{.*}}, %c3_i32{{.*}} : i32
// CHECK: scf.yield
// CHECK: %[[THREE:.*]] = vector.broadcast %c3_i32
// CHECK: %[[BEFORE:.*]] = arith.subi %{{.*}}, %[[THREE]] : vector<[[LANES:[0-9]+]]xi32>
// CHECK: %[[STEPS:.*]] = arith.select %{{.*}}, %{{.*}}, %[[BEFORE]] : vector<[[LANES]]xi1>, vector<[[LANES]]xi32>
// CHECK: spl.store_lanes %[[STEPS]], %arg1
// A loop whose flag may be false at first has no round to subtract. A vector is no counter.
// CHECK-LABEL: @may_not_begin
// CHECK-NOT: arith.subi %{{.*}} : vector<{{[0-9]+}}xi32>
// CHECK-LABEL: @vector
// CHECK-NOT: arith.subi %{{.*}} : vector<{{[0-9]+}}xi32>
// CHECK: spl.return
spl.kernel @steps(%a: !spl.slice<f32>, %out: !spl.slice<i32, mut>, %limit: i32, %size: i64) attributes {signature = #spl.signature<"steps()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %true = arith.constant true
  %false = arith.constant false
  %most = arith.constant 4.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %start = spl.load %a[%x] : !spl.slice<f32>
    %0:3 = scf.while (%v = %start, %n = %zero, %inside = %true) : (f32, i32, i1) -> (f32, i32, i1) {
      %below = arith.cmpi slt, %n, %limit : i32
      %more = arith.andi %inside, %below : i1
      scf.condition(%more) %v, %n, %inside : f32, i32, i1
    } do {
    ^bb0(%v: f32, %n: i32, %inside: i1):
      %square = arith.mulf %v, %v : f32
      %stays = arith.cmpf olt, %square, %most : f32
      %1:3 = scf.if %stays -> (f32, i32, i1) {
        %next = arith.addi %n, %three overflow<nsw> : i32
        scf.yield %square, %next, %true : f32, i32, i1
      } else {
        scf.yield %v, %n, %false : f32, i32, i1
      }
      scf.yield %1#0, %1#1, %1#2 : f32, i32, i1
    }
    spl.store %0#1, %out[%x] : !spl.slice<i32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @may_not_begin(%a: !spl.slice<f32>, %out: !spl.slice<i32, mut>, %limit: i32, %begins: i1, %size: i64) attributes {signature = #spl.signature<"may_not_begin()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %true = arith.constant true
  %false = arith.constant false
  %most = arith.constant 4.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %start = spl.load %a[%x] : !spl.slice<f32>
    %0:3 = scf.while (%v = %start, %n = %zero, %inside = %begins) : (f32, i32, i1) -> (f32, i32, i1) {
      %below = arith.cmpi slt, %n, %limit : i32
      %more = arith.andi %inside, %below : i1
      scf.condition(%more) %v, %n, %inside : f32, i32, i1
    } do {
    ^bb0(%v: f32, %n: i32, %inside: i1):
      %square = arith.mulf %v, %v : f32
      %stays = arith.cmpf olt, %square, %most : f32
      %1:3 = scf.if %stays -> (f32, i32, i1) {
        %next = arith.addi %n, %three overflow<nsw> : i32
        scf.yield %square, %next, %true : f32, i32, i1
      } else {
        scf.yield %v, %n, %false : f32, i32, i1
      }
      scf.yield %1#0, %1#1, %1#2 : f32, i32, i1
    }
    spl.store %0#1, %out[%x] : !spl.slice<i32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @vector(%a: !spl.slice<f32>, %out: !spl.slice<vector<2xi32>, mut>, %limit: i32, %size: i64) attributes {signature = #spl.signature<"vector()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %three = arith.constant dense<3> : vector<2xi32>
  %zeros = arith.constant dense<0> : vector<2xi32>
  %true = arith.constant true
  %false = arith.constant false
  %most = arith.constant 4.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %start = spl.load %a[%x] : !spl.slice<f32>
    %0:3 = scf.while (%v = %start, %n = %zeros, %inside = %true) : (f32, vector<2xi32>, i1) -> (f32, vector<2xi32>, i1) {
      scf.condition(%inside) %v, %n, %inside : f32, vector<2xi32>, i1
    } do {
    ^bb0(%v: f32, %n: vector<2xi32>, %inside: i1):
      %square = arith.mulf %v, %v : f32
      %stays = arith.cmpf olt, %square, %most : f32
      %1:3 = scf.if %stays -> (f32, vector<2xi32>, i1) {
        %next = arith.addi %n, %three : vector<2xi32>
        scf.yield %square, %next, %true : f32, vector<2xi32>, i1
      } else {
        scf.yield %v, %n, %false : f32, vector<2xi32>, i1
      }
      scf.yield %1#0, %1#1, %1#2 : f32, vector<2xi32>, i1
    }
    spl.store %0#1, %out[%x] : !spl.slice<vector<2xi32>, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}
