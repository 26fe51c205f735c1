// RUN: simple-opt %s --spl-split-edges -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The middle of a row of work-items, in which clamped indices are sums and comparisons are known, is a loop of its own.

// CHECK-LABEL: @clamped
// CHECK-DAG: %[[LAST:.*]] = arith.subi %arg2, %{{.*}}
// CHECK-DAG: arith.cmpi ult
// CHECK: scf.for %[[SIDE:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[SIDE]]
// CHECK: %[[FROM:.*]] = arith.select %[[FIRST]], %{{.*}}, %[[END:.*]] : i64
// CHECK: %[[TO:.*]] = arith.select %[[FIRST]], %[[BEGIN:.*]], %arg3 : i64
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]]
// CHECK: spl.intrinsic "math.max"
// CHECK: spl.intrinsic "math.min"
// CHECK: } {spl.unroll = 0 : i64}
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: scf.for %[[X:.*]] = %[[BEGIN]] to %[[END]] step %{{.*}} : i64 {
// CHECK-NEXT: %[[WEST:.*]] = arith.subi %[[X]]
// CHECK-NEXT: %[[EAST:.*]] = arith.addi %[[X]]
// CHECK-NEXT: spl.load %arg0[%[[WEST]]]
// CHECK-NEXT: spl.load %arg0[%[[EAST]]]
// CHECK-NOT: math.m
// CHECK: } {spl.work_items = 0 : i64}
spl.kernel @clamped(%a: !spl.slice<f32>, %b: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"clamped()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %before = arith.subi %x, %c1 : i64
    %west = spl.intrinsic "math.max"(%before, %c0) : (i64, i64) -> i64
    %after = arith.addi %x, %c1 : i64
    %last = arith.subi %n, %c1 : i64
    %east = spl.intrinsic "math.min"(%after, %last) : (i64, i64) -> i64
    %u = spl.load %a[%west] : !spl.slice<f32>
    %v = spl.load %a[%east] : !spl.slice<f32>
    %sum = arith.addf %u, %v : f32
    spl.store %sum, %b[%x] : <f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A row of few work-items is not split. It has a simpler body where all of it is in the middle.
// CHECK-LABEL: @narrow
// CHECK-DAG: %[[FROM_FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK-DAG: %[[TO_LAST:.*]] = arith.cmpi eq, %{{.*}}, %c18
// CHECK: %[[WHOLE:.*]] = arith.andi %[[FROM_FIRST]], %[[TO_LAST]]
// CHECK: scf.if %[[WHOLE]] {
// CHECK-NEXT: scf.for %[[X:.*]] = %c0{{.*}} to %c18{{.*}} step %{{.*}} : i64 {
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[X]], %arg3
// CHECK-NEXT: spl.load %arg0[%[[AT]]]
// CHECK-NOT: math.m
// CHECK: } {spl.work_items = 18 : i64}
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c18{{.*}} step
// CHECK: spl.intrinsic "math.clamp"
// CHECK: } {spl.unroll = 0 : i64}
spl.kernel @narrow(%a: !spl.slice<f32>, %b: !spl.slice<f32, mut>, %n: i64, %left: i64) attributes {signature = #spl.signature<"narrow()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c18 = arith.constant 18 : i64
  scf.for %x = %c0 to %c18 step %c1 : i64 {
    %at = arith.addi %x, %left : i64
    %last = arith.subi %n, %c1 : i64
    %inside = spl.intrinsic "math.clamp"(%at, %c0, %last) : (i64, i64, i64) -> i64
    %u = spl.load %a[%inside] : !spl.slice<f32>
    spl.store %u, %b[%x] : <f32, mut>
  } {spl.work_items = 18 : i64}
  spl.return
}

// -----

// Comparisons alone do not change such a row.
// CHECK-LABEL: @narrow_compared
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @narrow_compared(%a: !spl.slice<f32, mut>, %n: i64, %left: i64) attributes {signature = #spl.signature<"narrow_compared()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c18 = arith.constant 18 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %c18 step %c1 : i64 {
    %at = arith.addi %x, %left : i64
    %inside = arith.cmpi slt, %at, %n : i64
    scf.if %inside {
      spl.store %zero, %a[%x] : <f32, mut>
    }
  } {spl.work_items = 18 : i64}
  spl.return
}

// -----

// A comparison with a small constant is at the beginning of the row, and any other is at its end.
// CHECK-LABEL: @compared
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-3: scf.if
// CHECK: } {spl.unroll = 0 : i64}
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.for %[[X:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NOT: scf.if
// CHECK: spl.store %{{.*}}, %arg0[%[[X]]]
// CHECK-NEXT: spl.store %{{.*}}, %arg1[%[[X]]]
// CHECK-NEXT: spl.store %{{.*}}, %arg1[%[[X]]]
// CHECK-NEXT: } {spl.work_items = 0 : i64}
spl.kernel @compared(%a: !spl.slice<i64, mut>, %b: !spl.slice<i64, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"compared()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %is_first = arith.cmpi eq, %x, %c0 : i64
    scf.if %is_first {
      spl.store %n, %a[%x] : <i64, mut>
    } else {
      spl.store %x, %a[%x] : <i64, mut>
    }
    %inside = arith.cmpi sgt, %n, %x : i64
    scf.if %inside {
      spl.store %x, %b[%x] : <i64, mut>
    }
    %behind = arith.cmpi sge, %x, %n : i64
    scf.if %behind {
    } else {
      spl.store %n, %b[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Not split: a body with a check, a row with few work-items, a product, and what depends on no edge.
// CHECK-LABEL: @unchanged
// CHECK-COUNT-4: spl.work_items
// CHECK-NOT: scf.for
spl.kernel @unchanged(%a: !spl.slice<i64, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"unchanged()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %at = spl.intrinsic "math.min"(%x, %n) : (i64, i64) -> i64
    %inside = arith.cmpi ult, %at, %size : i64
    spl.check %inside, <"index-out-of-bounds">(%at, %size) work_item(%x, %c0, %c0) {subject = "a"}
    spl.store %x, %a[%at] : <i64, mut>
  } {spl.work_items = 0 : i64}
  scf.for %x = %c0 to %size step %c1 : i64 {
    %at = spl.intrinsic "math.min"(%x, %n) : (i64, i64) -> i64
    spl.store %x, %a[%at] : <i64, mut>
  } {spl.work_items = 32 : i64}
  scf.for %x = %c0 to %size step %c1 : i64 {
    %twice = arith.muli %x, %n : i64
    %at = spl.intrinsic "math.min"(%twice, %n) : (i64, i64) -> i64
    spl.store %x, %a[%at] : <i64, mut>
  } {spl.work_items = 0 : i64}
  scf.for %x = %c0 to %size step %c1 : i64 {
    %odd = arith.andi %x, %c1 : i64
    %is = arith.cmpi eq, %odd, %c0 : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Both bounds of a clamp, clamps of clamps, and the variable of an inner loop, of which the middle takes all values.
// CHECK-LABEL: @window
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-3: math.
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NOT: math.
// CHECK: scf.for %[[K:.*]] = %c0
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[K]]
// CHECK: spl.load %arg0[%[[AT]]]
// CHECK-NOT: math.
// CHECK: spl.return
spl.kernel @window(%a: !spl.slice<f32>, %b: !spl.slice<f32, mut>, %last: i64, %size: i64) attributes {signature = #spl.signature<"window()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %sum = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
      %at = arith.addi %x, %k : i64
      %clamped = spl.intrinsic "math.clamp"(%at, %c0, %last) : (i64, i64, i64) -> i64
      %u = spl.load %a[%clamped] : !spl.slice<f32>
      %next = arith.addf %acc, %u : f32
      scf.yield %next : f32
    }
    %low = spl.intrinsic "math.max"(%x, %c1) : (i64, i64) -> i64
    %both = spl.intrinsic "math.min"(%low, %last) : (i64, i64) -> i64
    %v = spl.load %a[%both] : !spl.slice<f32>
    %all = arith.addf %sum, %v : f32
    spl.store %all, %b[%x] : <f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A comparison with 8 is at the beginning of the row, and one with 9 at its end.
// CHECK-LABEL: @constants
// CHECK: arith.maxsi %{{.*}}, %c8_i64
// CHECK: arith.minsi %{{.*}}, %c9_i64
// CHECK: scf.if
// CHECK: scf.if
// CHECK: } {spl.unroll = 0 : i64}
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.for
// CHECK-NOT: scf.if
// CHECK: } {spl.work_items = 0 : i64}
spl.kernel @constants(%a: !spl.slice<i64, mut>, %size: i64) attributes {signature = #spl.signature<"constants()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c9 = arith.constant 9 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %low = arith.cmpi sge, %x, %c8 : i64
    scf.if %low {
      spl.store %x, %a[%x] : <i64, mut>
    }
    %high = arith.cmpi slt, %x, %c9 : i64
    scf.if %high {
      spl.store %c0, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Not split: a comparison that is stored, an unsigned one, and a sum with more than 8 terms. A sum with 8 terms is split.
// CHECK-LABEL: @limits
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: } {spl.work_items
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: } {spl.work_items
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: } {spl.work_items
// CHECK: scf.for
// CHECK: scf.for
// CHECK: } {spl.unroll = 0
// CHECK: } {spl.work_items
spl.kernel @limits(%a: !spl.slice<i64, mut>, %b: !spl.slice<i1, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"limits()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %is = arith.cmpi slt, %x, %n : i64
    spl.store %is, %b[%x] : <i1, mut>
  } {spl.work_items = 0 : i64}
  scf.for %x = %c0 to %size step %c1 : i64 {
    %is = arith.cmpi ult, %x, %n : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  scf.for %x = %c0 to %size step %c1 : i64 {
    %s1 = arith.addi %x, %n : i64
    %s2 = arith.addi %s1, %n : i64
    %s3 = arith.addi %s2, %n : i64
    %s4 = arith.addi %s3, %n : i64
    %s5 = arith.addi %s4, %n : i64
    %s6 = arith.addi %s5, %n : i64
    %s7 = arith.addi %s6, %n : i64
    %s8 = arith.addi %s7, %n : i64
    %s9 = arith.addi %s8, %n : i64
    %is = arith.cmpi slt, %s9, %size : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  scf.for %x = %c0 to %size step %c1 : i64 {
    %s1 = arith.addi %x, %n : i64
    %s2 = arith.addi %s1, %n : i64
    %s3 = arith.addi %s2, %n : i64
    %s4 = arith.addi %s3, %n : i64
    %s5 = arith.addi %s4, %n : i64
    %s6 = arith.addi %s5, %n : i64
    %s7 = arith.addi %s6, %n : i64
    %s8 = arith.addi %s7, %n : i64
    %is = arith.cmpi slt, %s8, %size : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Not at an end of the row: a variable of a loop around, and equality with any value.
// CHECK-LABEL: @within
// CHECK-COUNT-2: scf.if
// CHECK-NOT: scf.if
spl.kernel @within(%a: !spl.slice<i64, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"within()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %step = %c0 to %n step %c1 : i64 {
    scf.for %x = %c0 to %size step %c1 : i64 {
      %is = arith.cmpi slt, %x, %step : i64
      scf.if %is {
        spl.store %x, %a[%x] : <i64, mut>
      }
    } {spl.work_items = 0 : i64}
  }
  scf.for %x = %c0 to %size step %c1 : i64 {
    %is = arith.cmpi eq, %x, %n : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
