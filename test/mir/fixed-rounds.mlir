// RUN: simple-opt %s --spl-fixed-rounds -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of rounds is computed from the id of a work-item, and is the same for all.

// CHECK-LABEL: @fixed
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %c128
// CHECK-NEXT: %[[ROUNDS:.*]] = arith.constant 4 : i64
// CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %[[ROUNDS]] step
// CHECK-NOT: arith.divui
// CHECK: spl.return
spl.kernel @fixed(%b: !spl.slice<f32, mut>) attributes {signature = #spl.signature<"fixed()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %c511 = arith.constant 511 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %c128 step %c1 : i64 {
    %left = arith.subi %c511, %x : i64
    %whole = arith.divui %left, %c128 : i64
    %rounds = arith.addi %whole, %c1 : i64
    scf.for %k = %c0 to %rounds step %c1 : i64 {
      spl.store %zero, %b[%k] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 128 : i64}
  spl.return
}

// -----

// The last work-items have a round less. The end of a loop that does not depend on the id along x stays.
// CHECK-LABEL: @differs
// CHECK: %[[ROUNDS:.*]] = arith.addi
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ROUNDS]] step
// CHECK-LABEL: @uniform
// CHECK: %[[END:.*]] = arith.addi
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
spl.kernel @differs(%b: !spl.slice<f32, mut>) attributes {signature = #spl.signature<"differs()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %c500 = arith.constant 500 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %c128 step %c1 : i64 {
    %left = arith.subi %c500, %x : i64
    %whole = arith.divui %left, %c128 : i64
    %rounds = arith.addi %whole, %c1 : i64
    scf.for %k = %c0 to %rounds step %c1 : i64 {
      spl.store %zero, %b[%k] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 128 : i64}
  spl.return
}
spl.kernel @uniform(%b: !spl.slice<f32, mut>) attributes {signature = #spl.signature<"uniform()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %zero = arith.constant 0.0 : f32
  %end = arith.addi %c1, %c1 : i64
  scf.for %x = %c0 to %c128 step %c1 : i64 {
    scf.for %k = %c0 to %end step %c1 : i64 {
      spl.store %zero, %b[%k] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 128 : i64}
  spl.return
}

// -----

// MLIR takes the variable of an unsigned loop, here of up to 200 rounds, for a number of at most 126.
// So may the variable of a signed loop in it be.
// CHECK-LABEL: @unsigned
// CHECK: %[[END:.*]] = arith.addi
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
// CHECK-LABEL: @inside_unsigned
// CHECK: scf.for unsigned
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[END:.*]] = arith.addi %[[I]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
spl.kernel @unsigned(%b: !spl.slice<f32, mut>, %n: i8) attributes {signature = #spl.signature<"unsigned()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %zero8 = arith.constant 0 : i8
  %one8 = arith.constant 1 : i8
  %half8 = arith.constant 128 : i8
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %c128 step %c1 : i64 {
    scf.for unsigned %j = %zero8 to %n step %one8 : i8 {
      %high = arith.divui %j, %half8 : i8
      %wide = arith.extui %high : i8 to i64
      %whole = arith.divui %x, %c128 : i64
      %end = arith.addi %wide, %whole : i64
      scf.for %k = %c0 to %end step %c1 : i64 {
        spl.store %zero, %b[%k] : !spl.slice<f32, mut>
      }
    }
  } {spl.work_items = 128 : i64}
  spl.return
}
spl.kernel @inside_unsigned(%b: !spl.slice<f32, mut>, %n: i8) attributes {signature = #spl.signature<"inside_unsigned()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %zero8 = arith.constant 0 : i8
  %one8 = arith.constant 1 : i8
  %half8 = arith.constant 128 : i8
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %c128 step %c1 : i64 {
    scf.for unsigned %j = %zero8 to %n step %one8 : i8 {
      %high = arith.divui %j, %half8 : i8
      %wide = arith.extui %high : i8 to i64
      %bound = arith.addi %wide, %c1 : i64
      scf.for %i = %c0 to %bound step %c1 : i64 {
        %whole = arith.divui %x, %c128 : i64
        %end = arith.addi %i, %whole : i64
        scf.for %k = %c0 to %end step %c1 : i64 {
          spl.store %zero, %b[%k] : !spl.slice<f32, mut>
        }
      }
    }
  } {spl.work_items = 128 : i64}
  spl.return
}
