// RUN: simple-opt %s --spl-batch-loops --canonicalize | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over a range whose step is not constant, or that has a check, runs in batches of four iterations.

// CHECK-LABEL: @strided
// CHECK: arith.muli %{{.*}}, %c4_i64
// CHECK: arith.cmpi ult, %{{.*}}, %c2305843009213693952_i64
// CHECK: %[[BATCH:.*]] = arith.muli %{{.*}}, %c4_i64
// CHECK: scf.while
// CHECK: arith.cmpi uge, %{{.*}}, %[[BATCH]]
// CHECK: arith.subi %{{.*}}, %[[BATCH]]
// CHECK: spl.load
// CHECK: spl.load
// CHECK: spl.load
// CHECK: spl.load
// CHECK: scf.while
// CHECK: spl.load
// CHECK-NOT: spl.load
spl.kernel @strided(%x: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %first: i64, %step: i64, %more: i1, %left: i64) attributes {signature = #spl.signature<"strided()">} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %r:4 = scf.while (%i = %first, %m = %more, %l = %left, %sum = %zero) : (i64, i1, i64, f32) -> (i64, i1, i64, f32) {
    scf.condition(%m) %i, %m, %l, %sum : i64, i1, i64, f32
  } do {
  ^bb0(%i: i64, %m: i1, %l: i64, %sum: f32):
    %element = spl.load %x[%i] : !spl.slice<f32>
    %added = arith.addf %sum, %element : f32
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %l, %step : i64
    %rest = arith.subi %l, %step : i64
    scf.yield %next, %again, %rest, %added : i64, i1, i64, f32
  }
  spl.store %r#3, %out[%c0] : !spl.slice<f32, mut>
  spl.return
}

// All checks of a batch are one condition. If it does not hold, no batch follows, and the loop after them has the fault.
// CHECK-LABEL: @with_a_check
// CHECK: %[[B:.*]]:3 = scf.while ({{.*}}, %{{.*}} = %true)
// CHECK: arith.andi
// CHECK: } do {
// CHECK: ^bb0
// CHECK: %[[A0:.*]] = arith.cmpi ult
// CHECK: %[[A1:.*]] = arith.cmpi ult
// CHECK: %[[O1:.*]] = arith.andi %[[A0]], %[[A1]]
// CHECK: %[[A2:.*]] = arith.cmpi ult
// CHECK: %[[O2:.*]] = arith.andi %[[O1]], %[[A2]]
// CHECK: %[[A3:.*]] = arith.cmpi ult
// CHECK: %[[O3:.*]] = arith.andi %[[O2]], %[[A3]]
// CHECK: scf.if %[[O3]]
// CHECK-COUNT-4: spl.load
// CHECK: scf.yield {{.*}}, %[[O3]]
// CHECK-NOT: spl.check
// CHECK: scf.while (%{{.*}} = %[[B]]#0, %{{.*}} = %{{.*}}, %{{.*}} = %[[B]]#1, %{{.*}} = %[[B]]#2)
// CHECK: spl.check
spl.kernel @with_a_check(%x: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %first: i64, %step: i64, %more: i1, %left: i64) attributes {signature = #spl.signature<"with_a_check()">} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %length = spl.extent %x, 0 : !spl.slice<f32>
  %r:4 = scf.while (%i = %first, %m = %more, %l = %left, %sum = %zero) : (i64, i1, i64, f32) -> (i64, i1, i64, f32) {
    scf.condition(%m) %i, %m, %l, %sum : i64, i1, i64, f32
  } do {
  ^bb0(%i: i64, %m: i1, %l: i64, %sum: f32):
    %inside = arith.cmpi ult, %i, %length : i64
    spl.check %inside, <"index-out-of-bounds">(%i, %length) {subject = "x"}
    %element = spl.load %x[%i] : !spl.slice<f32>
    %added = arith.addf %sum, %element : f32
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %l, %step : i64
    %rest = arith.subi %l, %step : i64
    scf.yield %next, %again, %rest, %added : i64, i1, i64, f32
  }
  spl.store %r#3, %out[%c0] : !spl.slice<f32, mut>
  spl.return
}

// A load that a check guards is after the conditions of all iterations. So is the condition that it gives.
// CHECK-LABEL: @gathered
// CHECK: %[[ROUNDS:.*]] = arith.andi %{{.*}}, %c-4_i32
// CHECK: %[[STOP:.*]] = arith.addi %from, %[[ROUNDS]]
// CHECK: %[[B:.*]]:2 = scf.while (%[[K:.*]] = %from, %{{.*}} = %{{.*}}, %[[OK:.*]] = %true)
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ne, %[[K]], %[[STOP]]
// CHECK-NEXT: arith.andi %[[OK]], %[[MORE]]
// CHECK: } do {
// CHECK-COUNT-4: spl.load %at
// CHECK: scf.if
// CHECK-COUNT-4: spl.load %by
// CHECK: scf.if
// CHECK-COUNT-4: spl.load %x
// CHECK: scf.yield
// CHECK: } else {
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %[[B]]#0 to %to step %c1_i32 iter_args(%{{.*}} = %[[B]]#1)
// CHECK: spl.check
// CHECK: spl.check
spl.kernel @gathered(%at: !spl.slice<i64> {spl.name = "at"}, %by: !spl.slice<i64> {spl.name = "by"}, %x: !spl.slice<f32> {spl.name = "x"}, %out: !spl.slice<f32, mut> {spl.name = "out"}, %from: i32 {spl.name = "from"}, %to: i32 {spl.name = "to"}) attributes {signature = #spl.signature<"gathered()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %n = spl.extent %x, 0 : !spl.slice<f32>
  %m = spl.extent %by, 0 : !spl.slice<i64>
  %r = scf.for %k = %from to %to step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
    %i = arith.extsi %k : i32 to i64
    %j = spl.load %at[%i] : !spl.slice<i64>
    %in = arith.cmpi ult, %j, %m : i64
    spl.check %in, <"index-out-of-bounds">(%j, %m) {subject = "by"}
    %h = spl.load %by[%j] : !spl.slice<i64>
    %inside = arith.cmpi ult, %h, %n : i64
    spl.check %inside, <"index-out-of-bounds">(%h, %n) {subject = "x"}
    %e = spl.load %x[%h] : !spl.slice<f32>
    %next = arith.addf %sum, %e : f32
    scf.yield %next : f32
  }
  spl.store %r, %out[%c0] : !spl.slice<f32, mut>
  spl.return
}

// These stay as they are: a check of what the iteration before loads, a store, a loop that LLVM unrolls, and one that it
// unrolls as a whole.
// CHECK-LABEL: @stay
// CHECK-NOT: scf.while
spl.kernel @stay(%x: !spl.slice<i64>, %out: !spl.slice<i64, mut>, %from: i64, %to: i64) attributes {signature = #spl.signature<"stay()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %n = spl.extent %x, 0 : !spl.slice<i64>
  %r = scf.for %k = %from to %to step %c1 iter_args(%i = %c0) -> (i64) : i64 {
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
    %next = spl.load %x[%i] : !spl.slice<i64>
    scf.yield %next : i64
  }
  scf.for %k = %from to %to step %c1 : i64 {
    %i = spl.load %x[%k] : !spl.slice<i64>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "out"}
    spl.store %k, %out[%i] : !spl.slice<i64, mut>
  }
  %s = scf.for %k = %from to %to step %c1 iter_args(%sum = %c0) -> (i64) : i64 {
    %i = spl.load %x[%k] : !spl.slice<i64>
    %next = arith.addi %sum, %i : i64
    scf.yield %next : i64
  }
  %t = scf.for %k = %c0 to %c3 step %c1 iter_args(%sum = %c0) -> (i64) : i64 {
    %in = arith.cmpi ult, %k, %n : i64
    spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
    %i = spl.load %x[%k] : !spl.slice<i64>
    %next = arith.addi %sum, %i : i64
    scf.yield %next : i64
  }
  spl.store %r, %out[%c0] : !spl.slice<i64, mut>
  spl.store %s, %out[%c1] : !spl.slice<i64, mut>
  spl.store %t, %out[%c3] : !spl.slice<i64, mut>
  spl.return
}
