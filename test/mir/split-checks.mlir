// RUN: simple-opt %s --spl-split-checks --canonicalize --cse | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over a range ends before the first round in which a check fails. That round is behind the loop.

// CHECK-LABEL: @signed
// CHECK: %[[END:.*]] = arith.maxsi %from, %to
// CHECK: %[[ALL:.*]] = arith.subi %[[END]], %from
// CHECK: %[[N:.*]] = spl.extent %x, 0
// CHECK: %[[LEAST:.*]] = arith.minui %[[N]], %c2147483648_i64
// CHECK: %[[LENGTH:.*]] = arith.trunci %[[LEAST]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %from, %[[LENGTH]]
// CHECK: %[[OWN:.*]] = arith.select %[[INSIDE]], %{{.*}}, %c0_i32
// CHECK: %[[ROUNDS:.*]] = arith.minui %[[ALL]], %[[OWN]]
// CHECK: %[[FAILS:.*]] = arith.cmpi ult, %[[ROUNDS]], %[[ALL]]
// CHECK: %[[TO:.*]] = arith.addi %from, %[[ROUNDS]]
// CHECK: scf.for %[[K:.*]] = %from to %[[TO]]
// CHECK-NEXT: arith.extsi %[[K]]
// CHECK-NEXT: spl.load
// CHECK-NOT: spl.check
// CHECK: scf.if %[[FAILS]]
// CHECK-NEXT: %[[I:.*]] = arith.extsi %[[TO]]
// CHECK-NEXT: spl.check %false, <"index-out-of-bounds">(%[[I]], %[[N]]) {subject = "x"}
// CHECK-NEXT: }
spl.kernel @signed(%x: !spl.slice<f32> {spl.name = "x"}, %out: !spl.slice<f32, mut> {spl.name = "out"}, %from: i32 {spl.name = "from"}, %to: i32 {spl.name = "to"}) attributes {signature = #spl.signature<"signed()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %from to %to step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
    %i = arith.extsi %k : i32 to i64
    %n = spl.extent %x, 0 : !spl.slice<f32>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
    %e = spl.load %x[%i] : !spl.slice<f32>
    %next = arith.addf %sum, %e : f32
    scf.yield %next : f32
  }
  spl.store %r, %out[%c0] : !spl.slice<f32, mut>
  spl.return
}

// Of two checks, the round behind the loop has both, and the store between them. The last one fails if the first did not.
// CHECK-LABEL: @two
// CHECK: %[[FIRST:.*]] = arith.minui
// CHECK: %[[ROUNDS:.*]] = arith.minui %[[FIRST]]
// CHECK: scf.for
// CHECK-NOT: spl.check
// CHECK: spl.store
// CHECK: spl.store
// CHECK: scf.if
// CHECK: spl.check %{{[0-9]+}}, <"index-out-of-bounds">({{.*}}) {subject = "x"}
// CHECK: spl.store
// CHECK: spl.check %false, <"index-out-of-bounds">({{.*}}) {subject = "y"}
// CHECK-NEXT: }
spl.kernel @two(%x: !spl.slice<f32, mut> {spl.name = "x"}, %y: !spl.slice<f32, mut> {spl.name = "y"}, %from: i64 {spl.name = "from"}, %to: i64 {spl.name = "to"}) attributes {signature = #spl.signature<"two()">} {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %k = %from to %to step %c1 : i64 {
    %n = spl.extent %x, 0 : !spl.slice<f32, mut>
    %in = arith.cmpi ult, %k, %n : i64
    spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
    spl.store %zero, %x[%k] : !spl.slice<f32, mut>
    %j = arith.addi %k, %c1 : i64
    %m = spl.extent %y, 0 : !spl.slice<f32, mut>
    %inside = arith.cmpi ult, %j, %m : i64
    spl.check %inside, <"index-out-of-bounds">(%j, %m) {subject = "y"}
    spl.store %zero, %y[%j] : !spl.slice<f32, mut>
  }
  spl.return
}

// The index counts down from a number that the range does not wrap, and a length is more than the type has numbers.
// CHECK-LABEL: @reversed
// CHECK: arith.maxui %first, %rounds
// CHECK: %[[ALWAYS:.*]] = arith.cmpi ugt, %{{.*}}, %c4294967295_i64
// CHECK: scf.for {{.*}}
// CHECK-NOT: spl.check
// CHECK: scf.if
// CHECK: spl.check %false
spl.kernel @reversed(%x: !spl.slice<i32, mut> {spl.name = "x"}, %first: i32 {spl.name = "first"}, %rounds: i32 {spl.name = "rounds"}, %last: i32 {spl.name = "last"}, %wide: i64 {spl.name = "wide"}) attributes {signature = #spl.signature<"reversed()">} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  scf.for unsigned %k = %first to %rounds step %c1 : i32 {
    %at = arith.subi %last, %k : i32
    %triple = arith.muli %k, %c3 : i32
    %more = arith.addi %triple, %last : i32
    %n = spl.extent %x, 0 : !spl.slice<i32, mut>
    %j = arith.extsi %more : i32 to i64
    %is = arith.cmpi ult, %j, %n : i64
    spl.check %is, <"index-out-of-bounds">(%j, %n) {subject = "x"}
    %l = arith.addi %k, %last : i32
    %w = arith.extui %l : i32 to i64
    %inside = arith.cmpi ult, %w, %n : i64
    spl.check %inside, <"index-out-of-bounds">(%w, %n) {subject = "x"}
    %i = arith.extsi %at : i32 to i64
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
    spl.store %k, %x[%i] : !spl.slice<i32, mut>
  }
  spl.return
}

// A sum in 64 bits of the variable of 32 bits. The condition of a check may be the same in all rounds.
// CHECK-LABEL: @offset
// CHECK: %[[START:.*]] = arith.extsi %from : i32 to i64
// CHECK: arith.addi %[[START]], %base
// CHECK: arith.extui %{{.*}} : i32 to i64
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK: arith.select %{{.*}}, %c-1_i32, %c0_i32
// CHECK: scf.for
// CHECK-NOT: spl.check
// CHECK: scf.if
// CHECK: spl.check
// CHECK: spl.check %false, <"division-by-zero">
spl.kernel @offset(%x: !spl.slice<i64, mut> {spl.name = "x"}, %from: i32 {spl.name = "from"}, %to: i32 {spl.name = "to"}, %base: i64 {spl.name = "base"}, %d: i64 {spl.name = "d"}) attributes {signature = #spl.signature<"offset()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i32
  scf.for %k = %from to %to step %c1 : i32 {
    %wide = arith.extsi %k : i32 to i64
    %i = arith.addi %wide, %base : i64
    %n = spl.extent %x, 0 : !spl.slice<i64, mut>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
    %some = arith.cmpi ne, %d, %c0 : i64
    spl.check %some, <"division-by-zero">
    spl.store %i, %x[%i] : !spl.slice<i64, mut>
  }
  spl.return
}

// After a break, the round behind the loop does not run. A check under a condition stays.
// CHECK-LABEL: @breaks
// CHECK: %[[R:.*]]:2 = scf.while (%[[K:.*]] = %from, %{{.*}} = %true)
// CHECK-NEXT: arith.cmpi slt, %[[K]], %[[TO:.*]] :
// CHECK: do
// CHECK-NEXT: ^bb0
// CHECK-NEXT: spl.load
// CHECK: scf.if
// CHECK: spl.check %{{.*}}subject = "y"
// CHECK: scf.yield
// CHECK: %[[FAILS:.*]] = arith.andi %[[R]]#1, %{{.*}} : i1
// CHECK-NEXT: scf.if %[[FAILS]]
// CHECK-NEXT: spl.check %false, <"index-out-of-bounds">(%[[R]]#0, %{{.*}}) {subject = "x"}
// CHECK-NEXT: }
spl.kernel @breaks(%x: !spl.slice<i1, mut> {spl.name = "x"}, %y: !spl.slice<i1, mut> {spl.name = "y"}, %from: i64 {spl.name = "from"}, %to: i64 {spl.name = "to"}) attributes {signature = #spl.signature<"breaks()">} {
  %c1 = arith.constant 1 : i64
  %true = arith.constant true
  %false = arith.constant false
  %r:2 = scf.while (%k = %from, %runs = %true) : (i64, i1) -> (i64, i1) {
    %below = arith.cmpi slt, %k, %to : i64
    %more = arith.andi %runs, %below : i1
    scf.condition(%more) %k, %runs : i64, i1
  } do {
  ^bb0(%k: i64, %runs: i1):
    %n = spl.extent %x, 0 : !spl.slice<i1, mut>
    %in = arith.cmpi ult, %k, %n : i64
    spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
    %stays = spl.load %x[%k] : !spl.slice<i1, mut>
    scf.if %stays {
      %m = spl.extent %y, 0 : !spl.slice<i1, mut>
      %inside = arith.cmpi ult, %k, %m : i64
      spl.check %inside, <"index-out-of-bounds">(%k, %m) {subject = "y"}
      spl.store %false, %y[%k] : !spl.slice<i1, mut>
    }
    %next = arith.addi %k, %c1 : i64
    scf.yield %next, %stays : i64, i1
  }
  spl.return
}

// A loop that counts its rounds up to the last one, included. It has none if the check fails in the first one.
// CHECK-LABEL: @inclusive
// CHECK: %[[SOME:.*]] = arith.andi %some, %[[INSIDE:.*]] :
// CHECK: %[[LAST:.*]] = arith.minui %last, %{{.*}} :
// CHECK: %[[LESS:.*]] = arith.cmpi ult, %[[LAST]], %last :
// CHECK: %[[FAILS:.*]] = arith.select %[[SOME]], %[[LESS]], %some
// CHECK: scf.while (%{{.*}} = %c0_i64, %{{.*}} = %[[SOME]])
// CHECK-NOT: spl.check
// CHECK: arith.cmpi ne, %{{.*}}, %[[LAST]]
// CHECK: scf.if %[[FAILS]]
spl.kernel @inclusive(%x: !spl.slice<i64, mut> {spl.name = "x"}, %from: i64 {spl.name = "from"}, %last: i64 {spl.name = "last"}, %some: i1 {spl.name = "some"}) attributes {signature = #spl.signature<"inclusive()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.while (%round = %c0, %more = %some) : (i64, i1) -> (i64, i1) {
    scf.condition(%more) %round, %more : i64, i1
  } do {
  ^bb0(%round: i64, %more: i1):
    %k = arith.addi %from, %round : i64
    %n = spl.extent %x, 0 : !spl.slice<i64, mut>
    %in = arith.cmpi ult, %k, %n : i64
    spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
    spl.store %round, %x[%k] : !spl.slice<i64, mut>
    %next = arith.addi %round, %c1 : i64
    %again = arith.cmpi ne, %round, %last : i64
    scf.yield %next, %again : i64, i1
  }
  spl.return
}

// The step is known only at run time, and so is whether it goes up. What is left of the range after the last round is
// compared with the step as if the range were as long as before.
// CHECK-LABEL: @strided
// CHECK: %[[UP:.*]] = arith.subi
// CHECK: %[[WAY:.*]] = arith.select %isUp, %{{.*}}, %from
// CHECK: %[[SOME:.*]] = arith.andi %some, %[[INSIDE:.*]] :
// CHECK: %[[DISTANCE:.*]] = arith.minui %distance, %[[WAY]]
// CHECK: %[[LESS:.*]] = arith.subi %distance, %[[DISTANCE]]
// CHECK: %[[R:.*]]:3 = scf.while (%{{.*}} = %from, %{{.*}} = %[[SOME]], %{{.*}} = %[[DISTANCE]], %{{.*}} = %{{.*}})
// CHECK-NOT: spl.check
// CHECK: %[[LEFT:.*]] = arith.addi %[[R]]#1, %[[SIZE:.*]] :
// CHECK: %[[ALL:.*]] = arith.addi %[[LEFT]], %[[LESS]]
// CHECK: %[[MORE:.*]] = arith.cmpi uge, %[[ALL]], %[[SIZE]]
// CHECK: %[[FAILS:.*]] = arith.select %[[SOME]], %[[MORE]], %some
// CHECK: scf.if %[[FAILS]]
// CHECK-NEXT: spl.check %false, <"index-out-of-bounds">(%[[R]]#0, %{{.*}}) {subject = "x"}
spl.kernel @strided(%x: !spl.slice<i64> {spl.name = "x"}, %out: !spl.slice<i64, mut> {spl.name = "out"}, %from: i64 {spl.name = "from"}, %step: i64 {spl.name = "step"}, %isUp: i1 {spl.name = "isUp"}, %some: i1 {spl.name = "some"}, %distance: i64 {spl.name = "distance"}) attributes {signature = #spl.signature<"strided()">} {
  %c0 = arith.constant 0 : i64
  %back = arith.subi %c0, %step : i64
  %size = arith.select %isUp, %step, %back : i64
  %r:4 = scf.while (%k = %from, %more = %some, %left = %distance, %sum = %c0) : (i64, i1, i64, i64) -> (i64, i1, i64, i64) {
    scf.condition(%more) %k, %more, %left, %sum : i64, i1, i64, i64
  } do {
  ^bb0(%k: i64, %more: i1, %left: i64, %sum: i64):
    %n = spl.extent %x, 0 : !spl.slice<i64>
    %in = arith.cmpi ult, %k, %n : i64
    spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
    %e = spl.load %x[%k] : !spl.slice<i64>
    %added = arith.addi %sum, %e : i64
    %next = arith.addi %k, %step : i64
    %again = arith.cmpi uge, %left, %size : i64
    %rest = arith.subi %left, %size : i64
    scf.yield %next, %again, %rest, %added : i64, i1, i64, i64
  }
  spl.store %r#3, %out[%c0] : !spl.slice<i64, mut>
  spl.return
}

// These stay: bounds that unrolling makes constant, a loop around another one, a barrier, an index that is not a sum,
// a sum that may wrap before it is extended with the other sign, a length that changes, a check that is the same in all
// rounds and alone, and a store in a loop whose step is known only at run time.
// CHECK-LABEL: @stay
// CHECK-NOT: scf.if
// CHECK: spl.return
spl.kernel @stay(%x: !spl.slice<i64, mut> {spl.name = "x"}, %from: i64 {spl.name = "from"}, %to: i64 {spl.name = "to"}, %first: i32 {spl.name = "first"}, %last: i32 {spl.name = "last"}, %some: i1 {spl.name = "some"}) attributes {signature = #spl.signature<"stay()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c9 = arith.constant 9 : i64
  %one = arith.constant 1 : i32
  %n = spl.extent %x, 0 : !spl.slice<i64, mut>
  scf.for %j = %c0 to %c9 step %c1 : i64 {
    %end = arith.subi %c9, %j : i64
    scf.for %k = %c0 to %end step %c1 : i64 {
      %in = arith.cmpi ult, %k, %n : i64
      spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
      spl.store %k, %x[%k] : !spl.slice<i64, mut>
    }
  }
  scf.for %k = %from to %to step %c1 : i64 {
    %in = arith.cmpi ult, %k, %n : i64
    spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
    scf.for %j = %from to %to step %c1 : i64 {
      spl.store %j, %x[%k] : !spl.slice<i64, mut>
    }
  }
  scf.for %k = %from to %to step %c1 : i64 {
    %in = arith.cmpi ult, %k, %n : i64
    spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
    spl.intrinsic "gpu.barrier" : () -> ()
    spl.store %k, %x[%k] : !spl.slice<i64, mut>
  }
  scf.for %k = %from to %to step %c1 : i64 {
    %i = arith.muli %k, %k : i64
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
    spl.store %k, %x[%i] : !spl.slice<i64, mut>
  }
  scf.for %k = %first to %last step %one : i32 {
    %wide = arith.extui %k : i32 to i64
    %i = arith.addi %wide, %from : i64
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
    spl.store %i, %x[%i] : !spl.slice<i64, mut>
  }
  scf.for %k = %from to %to step %c1 : i64 {
    %m = spl.load %x[%c0] : !spl.slice<i64, mut>
    %in = arith.cmpi ult, %k, %m : i64
    spl.check %in, <"index-out-of-bounds">(%k, %m) {subject = "x"}
    spl.store %k, %x[%c0] : !spl.slice<i64, mut>
  }
  scf.for %k = %from to %to step %c1 : i64 {
    %in = arith.cmpi ult, %from, %n : i64
    spl.check %in, <"index-out-of-bounds">(%from, %n) {subject = "x"}
    spl.store %k, %x[%from] : !spl.slice<i64, mut>
  }
  %r:3 = scf.while (%k = %c0, %more = %some, %left = %from) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %k, %more, %left : i64, i1, i64
  } do {
  ^bb0(%k: i64, %more: i1, %left: i64):
    %in = arith.cmpi ult, %k, %n : i64
    spl.check %in, <"index-out-of-bounds">(%k, %n) {subject = "x"}
    spl.store %k, %x[%k] : !spl.slice<i64, mut>
    %next = arith.addi %k, %to : i64
    %again = arith.cmpi uge, %left, %to : i64
    %rest = arith.subi %left, %to : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}
