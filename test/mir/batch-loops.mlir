// RUN: simple-opt %s --spl-batch-loops --canonicalize | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over a range whose step is not constant runs in batches of four iterations.

// CHECK-LABEL: @strided
// CHECK: arith.muli %{{.*}}, %c4_i64
// CHECK-NEXT: %[[BATCH:.*]] = arith.muli %{{.*}}, %c4_i64
// CHECK: %[[FITS:.*]] = arith.cmpi ult, %{{.*}}, %c2305843009213693952_i64
// CHECK: scf.while
// CHECK: arith.cmpi uge, %{{.*}}, %[[BATCH]]
// CHECK: spl.load
// CHECK: spl.load
// CHECK: spl.load
// CHECK: spl.load
// CHECK: arith.subi %{{.*}}, %[[BATCH]]
// CHECK: scf.while
// CHECK: spl.load
// CHECK-NOT: spl.load
// CHECK-LABEL: @with_a_check
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

// Its iterations cannot load together, so this loop stays as it is.
// CHECK: scf.while
// CHECK-NOT: scf.while
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
