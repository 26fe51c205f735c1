// RUN: simple-opt %s --spl-interchange-rounds -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A round of a loop that all work-items run runs for all of them before the next round.

// What work-items compute before their loop is computed in each round.
// CHECK-LABEL: @rows
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %c4{{.*}} step %{{.*}} : i64 {
// CHECK-NEXT: scf.for %[[X:.*]] = %{{.*}} to %arg3 step %{{.*}} : i64 {
// CHECK: %[[MINE:.*]] = arith.addi %arg2, %[[X]]
// CHECK: %[[OFFSET:.*]] = arith.muli %[[K]], %c128{{.*}}
// CHECK: %[[AT:.*]] = arith.addi %[[MINE]], %[[OFFSET]]
// CHECK: spl.load %arg0[%[[AT]]]
// CHECK: spl.store %{{.*}}, %arg1[%[[AT]]]
// CHECK-NEXT: } {spl.work_items = 128 : i64}
spl.kernel @rows(%a: !spl.slice<f32>, %b: !spl.slice<f32, mut>, %first: i64, %size: i64) attributes {signature = #spl.signature<"rows()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %mine = arith.addi %first, %x : i64
    %c4 = arith.constant 4 : i64
    scf.for %k = %c0 to %c4 step %c1 : i64 {
      %offset = arith.muli %k, %c128 : i64
      %at = arith.addi %mine, %offset : i64
      %value = spl.load %a[%at] : !spl.slice<f32>
      spl.store %value, %b[%at] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 128 : i64}
  spl.return
}

// -----

// Each work-item stores to elements of its own that are adjacent in its rounds.
// CHECK-LABEL: @columns
// CHECK: scf.for %{{.*}} to %arg1 step
// CHECK: scf.for %{{.*}} to %c4{{.*}} step
// CHECK: spl.store
spl.kernel @columns(%b: !spl.slice<f32, mut>, %size: i64) attributes {signature = #spl.signature<"columns()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %k = %c0 to %c4 step %c1 : i64 {
      %row = arith.muli %x, %c4 : i64
      %at = arith.addi %row, %k : i64
      spl.store %zero, %b[%at] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 128 : i64}
  spl.return
}

// -----

// The element stays in a register of the work-item if its rounds stay together.
// CHECK-LABEL: @one_element
// CHECK: scf.for %{{.*}} to %arg3 step
// CHECK: scf.for
// CHECK: spl.store
spl.kernel @one_element(%a: !spl.slice<f32>, %b: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"one_element()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %k = %c0 to %n step %c1 : i64 {
      %value = spl.load %a[%k] : !spl.slice<f32>
      %old = spl.load %b[%x] : !spl.slice<f32, mut>
      %sum = arith.addf %old, %value : f32
      spl.store %sum, %b[%x] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A work-item has as many rounds as its number, another one may wait for an update, and a row is narrow.
// CHECK-LABEL: @own_rounds
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %arg1 step
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[X]] step
// CHECK-LABEL: @updates
// CHECK: scf.for %{{.*}} to %arg1 step
// CHECK: scf.for %{{.*}} to %c4{{.*}} step
// CHECK-LABEL: @narrow
// CHECK: scf.for %{{.*}} to %arg1 step
// CHECK: scf.for %{{.*}} to %c4{{.*}} step
spl.kernel @own_rounds(%b: !spl.slice<f32, mut>, %size: i64) attributes {signature = #spl.signature<"own_rounds()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %k = %c0 to %x step %c1 : i64 {
      %at = arith.addi %x, %k : i64
      spl.store %zero, %b[%at] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @updates(%b: !spl.slice<i32, mut>, %size: i64) attributes {signature = #spl.signature<"updates()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %k = %c0 to %c4 step %c1 : i64 {
      %at = arith.addi %x, %k : i64
      %old = spl.atomic add %b[%at](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      spl.store %old, %b[%at] : !spl.slice<i32, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @narrow(%b: !spl.slice<f32, mut>, %size: i64) attributes {signature = #spl.signature<"narrow()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %k = %c0 to %c4 step %c1 : i64 {
      %at = arith.addi %x, %k : i64
      spl.store %zero, %b[%at] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 32 : i64}
  spl.return
}

// -----

// What work-items compute before their loop is a function of math, which would be computed again in each round.
// CHECK-LABEL: @expensive
// CHECK: scf.for %{{.*}} to %arg1 step
// CHECK: scf.for %{{.*}} to %c4{{.*}} step
spl.kernel @expensive(%b: !spl.slice<f32, mut>, %size: i64, %scale: f32) attributes {signature = #spl.signature<"expensive()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %number = arith.sitofp %x : i64 to f32
    %value = spl.intrinsic "math.exp"(%number) : (f32) -> f32
    scf.for %k = %c0 to %c4 step %c1 : i64 {
      %at = arith.addi %x, %k : i64
      spl.store %value, %b[%at] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 128 : i64}
  spl.return
}
