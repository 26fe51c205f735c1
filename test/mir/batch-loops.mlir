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
// CHECK: %[[A2:.*]] = arith.cmpi ult
// CHECK: %[[A3:.*]] = arith.cmpi ult
// CHECK: %[[O1:.*]] = arith.andi %[[A0]], %[[A1]]
// CHECK: %[[O2:.*]] = arith.andi %[[O1]], %[[A2]]
// CHECK: %[[O3:.*]] = arith.andi %[[O2]], %[[A3]]
// CHECK: scf.if %[[O3]]
// CHECK-COUNT-4: spl.load
// CHECK: scf.yield {{.*}}, %[[O3]]
// CHECK-NOT: spl.check
// The loop after the batches computes its first value from the distance that is left.
// CHECK: %[[GONE:.*]] = arith.subi %arg5, %[[B]]#1
// CHECK: %[[AT:.*]] = arith.addi %arg2, %[[GONE]]
// CHECK: scf.while (%{{.*}} = %[[AT]], %{{.*}} = %{{.*}}, %{{.*}} = %[[B]]#1, %{{.*}} = %[[B]]#2)
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
// Batches of eight come before those of four, which begin where they end.
// CHECK-LABEL: @gathered
// CHECK: arith.andi %{{.*}}, %c-8_i32
// CHECK: %[[A:.*]]:2 = scf.while (%{{.*}} = %from, %{{.*}} = %{{.*}}, %{{.*}} = %true)
// CHECK-COUNT-8: spl.load %at
// CHECK: scf.if
// CHECK-COUNT-8: spl.load %by
// CHECK: scf.if
// CHECK-COUNT-8: spl.load %x
// CHECK: %[[ROUNDS:.*]] = arith.andi %{{.*}}, %c-4_i32
// CHECK: %[[STOP:.*]] = arith.addi %[[A]]#0, %[[ROUNDS]]
// CHECK: %[[B:.*]]:2 = scf.while (%[[K:.*]] = %[[A]]#0, %{{.*}} = %[[A]]#1, %[[OK:.*]] = %true)
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

// The indices of a batch are loaded and checked before its iterations write. A check under a condition is tested too if
// it compares an index that is checked anyway, and stays otherwise.
// CHECK-LABEL: @updates
// CHECK: scf.while
// CHECK: } do {
// CHECK: %[[I0:.*]] = spl.load %at
// CHECK: %[[A0:.*]] = arith.cmpi ult, %[[I0]], %[[BINS:.*]] : i64
// CHECK: %[[I1:.*]] = spl.load %at
// CHECK: %[[A1:.*]] = arith.cmpi ult, %[[I1]], %[[BINS]] : i64
// CHECK-COUNT-2: spl.load %at
// CHECK: arith.andi %[[A0]], %[[A1]]
// CHECK-NEXT: arith.andi
// CHECK-NEXT: %[[A:.*]] = arith.andi
// CHECK-NEXT: %[[B0:.*]] = arith.cmpi ult, %[[I0]], %[[OUT:.*]] : i64
// CHECK-NEXT: %[[B1:.*]] = arith.cmpi ult, %[[I1]], %[[OUT]] : i64
// CHECK-NEXT: arith.andi %[[B0]], %[[B1]]
// CHECK-COUNT-2: arith.cmpi
// CHECK: %[[ALL:.*]] = arith.andi %[[A]]
// CHECK: scf.if %[[ALL]]
// CHECK-NEXT: %[[OLD:.*]] = spl.atomic add %bins[%[[I0]]]
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: scf.if
// CHECK-NEXT: spl.store %{{.*}}, %out[%[[I0]]]
// CHECK-NEXT: arith.cmpi ult, %[[OLD]]
// CHECK-NEXT: spl.check
// CHECK-NEXT: spl.store
// CHECK: spl.atomic add %bins[%[[I1]]]
// CHECK-COUNT-2: spl.atomic
// CHECK: scf.for
// CHECK: spl.check
// CHECK: spl.atomic
// CHECK: scf.if
// CHECK: spl.check
// CHECK: spl.check
spl.kernel @updates(%at: !spl.slice<i64> {spl.name = "at"}, %bins: !spl.slice<i64, mut> {spl.name = "bins"}, %out: !spl.slice<i64, mut> {spl.name = "out"}, %from: i64, %to: i64) attributes {signature = #spl.signature<"updates()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = spl.extent %bins, 0 : !spl.slice<i64, mut>
  %length = spl.extent %out, 0 : !spl.slice<i64, mut>
  scf.for %k = %from to %to step %c1 : i64 {
    %i = spl.load %at[%k] : !spl.slice<i64>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "bins"}
    %old = spl.atomic add %bins[%i] (%c1) relaxed device : !spl.slice<i64, mut>, (i64) -> i64
    %some = arith.cmpi ne, %old, %c0 : i64
    scf.if %some {
      %also = arith.cmpi ult, %i, %length : i64
      spl.check %also, <"index-out-of-bounds">(%i, %length) {subject = "out"}
      spl.store %k, %out[%i] : !spl.slice<i64, mut>
      %other = arith.cmpi ult, %old, %length : i64
      spl.check %other, <"index-out-of-bounds">(%old, %length) {subject = "out"}
      spl.store %k, %out[%old] : !spl.slice<i64, mut>
    }
  }
  spl.return
}

// A maximum is one instruction.
// CHECK-LABEL: @largest
// CHECK-COUNT-4: "math.max"
// CHECK: scf.while
// CHECK: "math.max"
spl.kernel @largest(%x: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %first: i64, %step: i64, %more: i1, %left: i64) attributes {signature = #spl.signature<"largest()">} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %r:4 = scf.while (%i = %first, %m = %more, %l = %left, %largest = %zero) : (i64, i1, i64, f32) -> (i64, i1, i64, f32) {
    scf.condition(%m) %i, %m, %l, %largest : i64, i1, i64, f32
  } do {
  ^bb0(%i: i64, %m: i1, %l: i64, %largest: f32):
    %element = spl.load %x[%i] : !spl.slice<f32>
    %larger = spl.intrinsic "math.max"(%largest, %element) : (f32, f32) -> f32
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %l, %step : i64
    %rest = arith.subi %l, %step : i64
    scf.yield %next, %again, %rest, %larger : i64, i1, i64, f32
  }
  spl.store %r#3, %out[%c0] : !spl.slice<f32, mut>
  spl.return
}

// These stay as they are: a check of what the iteration before loads, an index that the loop may write, a store whose
// check needs no load, an atomic that orders other accesses, a loop that LLVM unrolls, and one that it unrolls as a whole.
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
    %i = spl.load %out[%k] : !spl.slice<i64, mut>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "out"}
    spl.store %k, %out[%i] : !spl.slice<i64, mut>
  }
  scf.for %k = %from to %to step %c1 : i64 {
    %in = arith.cmpi ult, %k, %n : i64
    spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
    %i = spl.load %x[%k] : !spl.slice<i64>
    spl.store %i, %out[%k] : !spl.slice<i64, mut>
  }
  scf.for %k = %from to %to step %c1 : i64 {
    %i = spl.load %x[%k] : !spl.slice<i64>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "out"}
    %old = spl.atomic add %out[%i] (%c1) acq_rel device : !spl.slice<i64, mut>, (i64) -> i64
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

// With #[alias] the indices may be what the loop writes.
// CHECK-LABEL: @overlapping
// CHECK-NOT: scf.while
spl.kernel @overlapping(%at: !spl.slice<i64> {spl.name = "at"}, %out: !spl.slice<i64, mut> {spl.name = "out"}, %from: i64 {spl.name = "from"}, %to: i64 {spl.name = "to"}) attributes {signature = #spl.signature<"overlapping(#[alias] at: &[i64], out: &mut [i64], from: i64, to: i64)">} {
  %c1 = arith.constant 1 : i64
  %n = spl.extent %out, 0 : !spl.slice<i64, mut>
  scf.for %k = %from to %to step %c1 : i64 {
    %i = spl.load %at[%k] : !spl.slice<i64>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "out"}
    spl.store %k, %out[%i] : !spl.slice<i64, mut>
  }
  spl.return
}
