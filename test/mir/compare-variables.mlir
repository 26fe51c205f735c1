// RUN: simple-opt %s -spl-narrow-distances -spl-compare-variables | FileCheck %s
// RUN: simple-opt %s -spl-narrow-distances -spl-batch-loops -spl-compare-variables | FileCheck %s --check-prefix=BATCH
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In kernels with small sizes, a loop over gpu.grid_stride ends by its variable. The distance does not change.

// CHECK-LABEL: spl.kernel @fill$unchecked(
// CHECK: %[[FIRST:.*]] = spl.intrinsic "gpu.global_id"
// CHECK: %[[LOW:.*]] = arith.trunci %[[FIRST]] : i64 to i32
// CHECK: %[[LAST:.*]] = arith.addi %[[LOW]], %{{.*}} : i32
// CHECK: %[[END:.*]] = arith.addi %[[LAST]], %c1_i32
// CHECK: ^bb0(%{{.*}}: i64, %{{.*}}: i1, %[[SAME:.*]]: i32):
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}} : i64
// CHECK: %[[NEXTLOW:.*]] = arith.trunci %[[NEXT]] : i64 to i32
// CHECK: %[[AGAIN:.*]] = arith.cmpi ult, %[[NEXTLOW]], %[[END]] : i32
// CHECK: scf.yield %[[NEXT]], %[[AGAIN]], %[[SAME]]
// CHECK: attributes {spl.small_range, spl.unroll = 0 : i64}
spl.kernel @fill$unchecked(%a: !spl.slice<f32, mut> {spl.name = "a"})
    attributes {signature = #spl.signature<"fill(a: &mut [f32])">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %first = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %step = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %end = spl.extent %a, 0 : <f32, mut>
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %first, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}

// The rest behind batches is short. It continues with what the batches left.
// BATCH-LABEL: spl.kernel @sum$unchecked(
// BATCH: scf.while
// BATCH: scf.while
// BATCH: arith.cmpi uge, %{{.*}}, %{{.*}} : i32
// BATCH: arith.subi %{{.*}}, %{{.*}} : i32
// BATCH: attributes {spl.unroll = 0 : i64}
spl.kernel @sum$unchecked(%a: !spl.slice<f32> {spl.name = "a"}, %out: !spl.slice<f32, mut> {spl.name = "out"})
    attributes {signature = #spl.signature<"sum(a: &[f32], out: &mut [f32])">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %first = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %step = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %end = spl.extent %a, 0 : <f32>
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  %all:4 = scf.while (%i = %first, %more = %some, %left = %last, %sum = %zero) : (i64, i1, i64, f32) -> (i64, i1, i64, f32) {
    scf.condition(%more) %i, %more, %left, %sum : i64, i1, i64, f32
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64, %sum: f32):
    %x = spl.load %a[%i] : <f32>
    %added = arith.addf %sum, %x : f32
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest, %added : i64, i1, i64, f32
  }
  spl.store %all#3, %out[%first] : <f32, mut>
  spl.return
}

// A `break` may leave the loop, too, and a factor of unrolling stays.
// CHECK-LABEL: spl.kernel @breaks$unchecked(
// CHECK: arith.andi
// CHECK: arith.cmpi ult, %{{.*}} : i32
// CHECK: attributes {spl.small_range, spl.unroll = 2 : i64}
spl.kernel @breaks$unchecked(%a: !spl.slice<f32, mut> {spl.name = "a"})
    attributes {signature = #spl.signature<"breaks(a: &mut [f32])">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %first = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %step = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %end = spl.extent %a, 0 : <f32, mut>
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  %true = arith.constant true
  scf.while (%i = %first, %more = %some, %left = %last, %runs = %true) : (i64, i1, i64, i1) -> (i64, i1, i64, i1) {
    %both = arith.andi %runs, %more : i1
    scf.condition(%both) %i, %more, %left, %runs : i64, i1, i64, i1
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64, %runs: i1):
    %old = spl.load %a[%i] : <f32, mut>
    %stays = arith.cmpf une, %old, %zero : f32
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest, %stays : i64, i1, i64, i1
  } attributes {spl.unroll = 2 : i64}
  spl.return
}

// Without the attribute, the sum of the variable and the step may need more bits.
// CHECK-LABEL: spl.kernel @large(
// CHECK: arith.cmpi uge, %{{.*}} : i64
spl.kernel @large(%a: !spl.slice<f32, mut> {spl.name = "a"}) attributes {signature = #spl.signature<"large(a: &mut [f32])">} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %first = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %step = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %end = spl.extent %a, 0 : <f32, mut>
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %first, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}
