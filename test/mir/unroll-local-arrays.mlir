// RUN: simple-opt %s --spl-unroll-local-arrays | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops are unrolled if all indices of a local array become constants by that.

!a = !spl.array<12 x f32>
!m = !spl.array<4 x !spl.array<4 x f32>>

// CHECK-LABEL: @indexed
spl.kernel @indexed(%out: !spl.slice<f32, mut>, %n: i64) attributes {signature = #spl.signature<"indexed()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %c12 = arith.constant 12 : i64
  %c65 = arith.constant 65 : i64
  %x = arith.constant 1.0 : f32
  %a = spl.local 1 : !spl.slice<!a, mut>
  %e = spl.part %a[%c0] : !spl.slice<!a, mut> -> !spl.slice<f32, mut>
  // CHECK: scf.for %{{.*}} = %c0_i64 to %c12_i64
  // CHECK: } {spl.unroll = 12 : i64}
  scf.for %i = %c0 to %c12 step %c1 : i64 {
    %j = arith.subi %c12, %i : i64
    %k = arith.subi %j, %c1 : i64
    spl.store %x, %e[%k] : !spl.slice<f32, mut>
  }
  // The loop around does not index the array. It has a request of its own.
  // CHECK: scf.for %{{.*}} = %c0_i64 to %c3_i64
  // CHECK: scf.for %{{.*}} = %c0_i64 to %c4_i64
  // CHECK: } {spl.unroll = 4 : i64}
  // CHECK: } {spl.unroll = 0 : i64}
  scf.for %r = %c0 to %c3 step %c1 : i64 {
    scf.for %i = %c0 to %c4 step %c1 : i64 {
      %k = arith.muli %i, %c2 : i64
      %v = spl.load %e[%k] : !spl.slice<f32, mut>
      spl.store %v, %out[%r] : !spl.slice<f32, mut>
    }
  } {spl.unroll = 0 : i64}

  // Both loops index an array of arrays.
  %m = spl.local 1 : !spl.slice<!m, mut>
  %rows = spl.part %m[%c0] : !spl.slice<!m, mut> -> !spl.slice<!spl.array<4 x f32>, mut>
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: } {spl.unroll = 4 : i64}
  // CHECK: } {spl.unroll = 4 : i64}
  scf.for %i = %c0 to %c4 step %c1 : i64 {
    scf.for %j = %c0 to %c4 step %c1 : i64 {
      %row = spl.part %rows[%i] : !spl.slice<!spl.array<4 x f32>, mut> -> !spl.slice<f32, mut>
      spl.store %x, %row[%j] : !spl.slice<f32, mut>
    }
  }
  spl.return
}

// Loops with an exit: the range is tested before an iteration, or at its end.
// CHECK-LABEL: @exits
spl.kernel @exits(%out: !spl.slice<f32, mut>, %n: i64) attributes {signature = #spl.signature<"exits()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c12 = arith.constant 12 : i64
  %true = arith.constant true
  %x = arith.constant 1.0 : f32
  %a = spl.local 12 : !spl.slice<f32, mut>
  // CHECK: scf.while
  // CHECK: attributes {spl.unroll = 12 : i64}
  %before:2 = scf.while (%i = %c0, %runs = %true) : (i64, i1) -> (i64, i1) {
    %inside = arith.cmpi slt, %i, %c12 : i64
    %both = arith.andi %runs, %inside : i1
    scf.condition(%both) %i, %runs : i64, i1
  } do {
  ^bb0(%i: i64, %runs: i1):
    %v = spl.load %a[%i] : !spl.slice<f32, mut>
    %is = arith.cmpf olt, %v, %x : f32
    %next = arith.addi %i, %c1 : i64
    scf.yield %next, %is : i64, i1
  }
  // CHECK: scf.while
  // CHECK: attributes {spl.unroll = 13 : i64}
  %b = spl.local 16 : !spl.slice<f32, mut>
  %after:2 = scf.while (%i = %c0, %inside = %true) : (i64, i1) -> (i64, i1) {
    scf.condition(%inside) %i, %inside : i64, i1
  } do {
  ^bb0(%i: i64, %inside: i1):
    spl.store %x, %b[%i] : !spl.slice<f32, mut>
    %next = arith.addi %i, %c1 : i64
    %isNot = arith.cmpi ne, %i, %c12 : i64
    scf.yield %next, %isNot : i64, i1
  }
  // CHECK: scf.while
  // CHECK-NOT: spl.unroll
  %d = spl.local 16 : !spl.slice<f32, mut>
  %unknown:2 = scf.while (%i = %c0, %runs = %true) : (i64, i1) -> (i64, i1) {
    scf.condition(%runs) %i, %runs : i64, i1
  } do {
  ^bb0(%i: i64, %runs: i1):
    %v = spl.load %d[%i] : !spl.slice<f32, mut>
    %is = arith.cmpf olt, %v, %x : f32
    %next = arith.addi %i, %c1 : i64
    scf.yield %next, %is : i64, i1
  }
  spl.return
}

// CHECK-LABEL: @stays
// CHECK-NOT: spl.unroll
spl.kernel @stays(%out: !spl.slice<f32, mut>, %n: i64) attributes {signature = #spl.signature<"stays()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c12 = arith.constant 12 : i64
  %c65 = arith.constant 65 : i64
  %x = arith.constant 1.0 : f32
  // One access has an index that is known only at run time.
  %a = spl.local 1 : !spl.slice<!a, mut>
  %e = spl.part %a[%c0] : !spl.slice<!a, mut> -> !spl.slice<f32, mut>
  scf.for %i = %c0 to %c12 step %c1 : i64 {
    spl.store %x, %e[%i] : !spl.slice<f32, mut>
  }
  %v = spl.load %e[%n] : !spl.slice<f32, mut>
  spl.store %v, %out[%c0] : !spl.slice<f32, mut>
  // Too many iterations, an unknown number, and no local array.
  %b = spl.local 72 : !spl.slice<f32, mut>
  scf.for %i = %c0 to %c65 step %c1 : i64 {
    spl.store %x, %b[%i] : !spl.slice<f32, mut>
  }
  %d = spl.local 72 : !spl.slice<f32, mut>
  scf.for %i = %c0 to %n step %c1 : i64 {
    spl.store %x, %d[%i] : !spl.slice<f32, mut>
  }
  scf.for %i = %c0 to %c12 step %c1 : i64 {
    spl.store %x, %out[%i] : !spl.slice<f32, mut>
  }
  // A sub-slice of a function's argument may be any part.
  %f = spl.local 12 : !spl.slice<f32, mut>
  %s = spl.subslice %f[%c0 to %c12] : !spl.slice<f32, mut>
  scf.for %i = %c0 to %c12 step %c1 : i64 {
    spl.store %x, %s[%i] : !spl.slice<f32, mut>
  }
  spl.return
}
