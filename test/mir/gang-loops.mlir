// RUN: simple-opt %s --spl-gang-loops="vector-bits=128" -split-input-file | FileCheck %s
// RUN: simple-opt %s --spl-gang-loops="vector-bits=512" -split-input-file | FileCheck %s --check-prefix=WIDE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over work-items becomes one over gangs, where loops are in it.

// The loop's control is uniform, and its guard is not. Scalars tell whether all lanes are active, for which there is code
// without masks. The work-items that are left after whole gangs run with masks.
// CHECK-LABEL: @product
// CHECK: %[[WHOLE:.*]] = arith.andi %{{.*}}, %c-16_i64
// CHECK: %[[END:.*]] = arith.addi %c0_i64, %[[WHOLE]]
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %[[END]] step %c16_i64
// CHECK: %[[MASK:.*]] = arith.cmpi slt, %{{.*}} : vector<16xi64>
// CHECK: %[[LAST:.*]] = arith.addi %[[X]], %c15_i64
// CHECK-DAG: %[[AT_FIRST:.*]] = arith.cmpi slt, %[[X]], %arg3 : i64
// CHECK-DAG: %[[AT_LAST:.*]] = arith.cmpi slt, %[[LAST]], %arg3 : i64
// CHECK-DAG: %[[NO_WRAP:.*]] = arith.cmpi sge, %[[LAST]], %[[X]] : i64
// CHECK-DAG: %[[ENDS:.*]] = arith.andi %[[AT_FIRST]], %[[AT_LAST]] : i1
// CHECK: %[[ALL:.*]] = arith.andi %[[ENDS]], %[[NO_WRAP]] : i1
// CHECK: scf.if %[[ALL]] {
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<16xf32>)
// CHECK-NEXT: %[[A:.*]] = spl.load %arg0[%[[K]]]
// CHECK-NEXT: %[[B:.*]] = spl.load_lanes %arg1[%[[K]], %[[X]]] : <f32, rank 2> -> vector<16xf32>
// CHECK-NEXT: %[[AS:.*]] = vector.broadcast %[[A]] : f32 to vector<16xf32>
// CHECK-NEXT: math.fma %[[AS]], %[[B]], %[[ACC]] : vector<16xf32>
// CHECK: spl.store_lanes %[[SUM]], %arg2[%[[X]]] : vector<16xf32>
// CHECK: } else {
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[MASK]]
// CHECK: scf.if %[[ANY]] {
// CHECK: scf.for
// CHECK: spl.load_lanes %arg1[%{{.*}}, %[[X]]] mask(%[[MASK]])
// CHECK: spl.store_lanes %{{.*}}, %arg2[%[[X]]] mask(%[[MASK]])
// CHECK: %[[REST:.*]] = arith.cmpi slt, %[[END]], %arg5
// CHECK: scf.if %[[REST]] {
// CHECK: %[[ACTIVE:.*]] = arith.cmpi slt, %{{.*}} : vector<16xi32>
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}} : vector<16xi64>
// CHECK: %[[BOTH:.*]] = arith.select %[[ACTIVE]], %[[INSIDE]], %{{.*}} : vector<16xi1>
// CHECK-NOT: vector.reduction <and>
// CHECK: spl.store_lanes %{{.*}}, %arg2[%[[END]]] mask(%[[BOTH]])
// WIDE-LABEL: @product
// WIDE: step %c64_i64
spl.kernel @product(%a: !spl.slice<f32>, %b: !spl.slice<f32, rank 2>, %c: !spl.slice<f32, mut>, %n: i64, %m: i64, %size: i64) attributes {signature = #spl.signature<"product()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %inside = arith.cmpi slt, %x, %n : i64
    scf.if %inside {
      %sum = scf.for %k = %c0 to %m step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
        %av = spl.load %a[%k] : !spl.slice<f32>
        %bv = spl.load %b[%k, %x] : !spl.slice<f32, rank 2>
        %next = math.fma %av, %bv, %acc : f32
        scf.yield %next : f32
      }
      spl.store %sum, %c[%x] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A gang strides over a range: it fetches the cache lines of later rounds. Those of a loop over gpu.grid_stride are far away.
// CHECK-LABEL: @stride
// CHECK: scf.while (%[[K:[^ ]*]] =
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %c1024_i64{{.*}} : i64
// CHECK: %[[LINE:.*]] = arith.addi %[[AT]], %c0_i64
// CHECK: spl.prefetch %arg0[%[[LINE]]] : <f32>
// CHECK: spl.load_lanes %arg0[%{{.*}}] : <f32> -> vector<16xf32>
// CHECK-NOT: spl.prefetch
// CHECK-LABEL: @grid
// CHECK-NOT: spl.prefetch
// CHECK: spl.return
// WIDE-LABEL: @stride
// WIDE-COUNT-8: spl.prefetch
// WIDE-LABEL: @grid
spl.kernel @stride(%a: !spl.slice<f32>, %c: !spl.slice<f32, mut>, %n: i64, %size: i64, %step: i64) attributes {signature = #spl.signature<"stride()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %some = arith.cmpi slt, %x, %n : i64
    %far = arith.subi %n, %x : i64
    %distance = arith.subi %far, %c1 : i64
    %0:4 = scf.while (%k = %x, %more = %some, %left = %distance, %sum = %zero) : (i64, i1, i64, f32) -> (i64, i1, i64, f32) {
      scf.condition(%more) %k, %more, %left, %sum : i64, i1, i64, f32
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64, %sum: f32):
      %value = spl.load %a[%k] : !spl.slice<f32>
      %new = arith.addf %sum, %value : f32
      %next = arith.addi %k, %c128 : i64
      %again = arith.cmpi uge, %left, %c128 : i64
      %rest = arith.subi %left, %c128 : i64
      scf.yield %next, %again, %rest, %new : i64, i1, i64, f32
    }
    spl.store %0#3, %c[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 128 : i64}
  spl.return
}
spl.kernel @grid(%a: !spl.slice<f32>, %c: !spl.slice<f32, mut>, %n: i64, %size: i64, %step: i64) attributes {signature = #spl.signature<"grid()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %some = arith.cmpi slt, %x, %n : i64
    %far = arith.subi %n, %x : i64
    %distance = arith.subi %far, %c1 : i64
    %0:4 = scf.while (%k = %x, %more = %some, %left = %distance, %sum = %zero) : (i64, i1, i64, f32) -> (i64, i1, i64, f32) {
      scf.condition(%more) %k, %more, %left, %sum : i64, i1, i64, f32
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64, %sum: f32):
      %value = spl.load %a[%k] : !spl.slice<f32>
      %new = arith.addf %sum, %value : f32
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest, %new : i64, i1, i64, f32
    }
    spl.store %0#3, %c[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 128 : i64}
  spl.return
}

// -----

// What the lanes load selects them, so that a vector tells whether all are active. The loop alone is emitted without masks.
// CHECK-LABEL: @chosen
// CHECK: %[[MASK:.*]] = arith.cmpi sgt, %{{.*}} : vector<16xi32>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[MASK]]
// CHECK: scf.if %[[ANY]] {
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[MASK]]
// CHECK: %[[SUM:.*]] = scf.if %[[ALL]] -> (vector<16xf32>) {
// CHECK: spl.load_lanes %arg1[%{{.*}}, %{{.*}}] : <f32, rank 2>
// CHECK: } else {
// CHECK: spl.load_lanes %arg1[%{{.*}}, %{{.*}}] mask(%[[MASK]])
// CHECK: spl.store_lanes %[[SUM]], %arg2[%{{.*}}] mask(%[[MASK]])
// WIDE-LABEL: @chosen
spl.kernel @chosen(%a: !spl.slice<i32>, %b: !spl.slice<f32, rank 2>, %c: !spl.slice<f32, mut>, %m: i64, %size: i64) attributes {signature = #spl.signature<"chosen()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %av = spl.load %a[%x] : !spl.slice<i32>
    %inside = arith.cmpi sgt, %av, %none : i32
    scf.if %inside {
      %sum = scf.for %k = %c0 to %m step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
        %bv = spl.load %b[%k, %x] : !spl.slice<f32, rank 2>
        %next = arith.addf %bv, %acc : f32
        scf.yield %next : f32
      }
      spl.store %sum, %c[%x] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A load under a condition, as that of a tile with its halo, is a reason for a gang in a row of few work-items.
// CHECK-LABEL: @tile
// CHECK: spl.load_lanes %arg0[%{{.*}}] : <f32> -> vector<8xf32>
// CHECK: spl.load_lanes %arg0[%{{.*}}] mask(%{{.*}})
// CHECK-LABEL: @row
// CHECK-NOT: spl.load_lanes
// CHECK: spl.return
// WIDE-LABEL: @tile
// WIDE-LABEL: @row
spl.kernel @tile(%a: !spl.slice<f32>, %c: !spl.slice<f32, mut>, %n: i64) attributes {signature = #spl.signature<"tile()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %c16 step %c1 : i64 {
    %inside = arith.cmpi slt, %x, %n : i64
    %value = scf.if %inside -> (f32) {
      %loaded = spl.load %a[%x] : !spl.slice<f32>
      scf.yield %loaded : f32
    } else {
      scf.yield %zero : f32
    }
    spl.store %value, %c[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 16 : i64}
  spl.return
}
spl.kernel @row(%a: !spl.slice<f32>, %c: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"row()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %inside = arith.cmpi slt, %x, %n : i64
    %value = scf.if %inside -> (f32) {
      %loaded = spl.load %a[%x] : !spl.slice<f32>
      scf.yield %loaded : f32
    } else {
      scf.yield %zero : f32
    }
    spl.store %value, %c[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 64 : i64}
  spl.return
}

// -----

// A group of 12 work-items is not split in gangs of 16 for vectors of 128 bits, and is one gang of 16
// for those of 512 bits.
// CHECK-LABEL: @narrow
// CHECK: step %c4_i64
// WIDE-LABEL: @narrow
// WIDE: step %c16_i64
spl.kernel @narrow(%a: !spl.slice<f32>, %c: !spl.slice<f32, mut>, %m: i64, %size: i64) attributes {signature = #spl.signature<"narrow()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %k = %c0 to %m step %c1 : i64 {
      %old = spl.load %c[%x] : !spl.slice<f32, mut>
      %av = spl.load %a[%k] : !spl.slice<f32>
      %next = arith.mulf %av, %old : f32
      spl.store %next, %c[%x] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 12 : i64}
  spl.return
}

// -----

// A divergent loop runs while any lane does. All lanes that are in it have run as many iterations, so
// the count is a scalar. The result of a lane is what it was when the lane left the loop. A branch
// without effects becomes a selection.
// CHECK-LABEL: @escape
// CHECK: %[[R:.*]]:4 = scf.while (%[[M:.*]] = %{{.*}}, %[[Z:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}, %[[KEPT:.*]] = %{{.*}}) : (vector<8xi1>, vector<8xf32>, i32, vector<8xi32>)
// CHECK: %[[IN:.*]] = arith.cmpf olt, %[[Z]], %{{.*}} : vector<8xf32>
// CHECK: %[[STAYS:.*]] = arith.select %[[M]], %[[IN]], %{{.*}} : vector<8xi1>
// CHECK: %[[NS:.*]] = vector.broadcast %[[N]] : i32 to vector<8xi32>
// CHECK: %[[NOW:.*]] = arith.select %[[M]], %[[NS]], %[[KEPT]]
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[STAYS]]
// CHECK: scf.condition(%[[ANY]]) %[[STAYS]], %[[Z]], %[[N]], %[[NOW]]
// CHECK-NOT: scf.if
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: spl.store_lanes %[[R]]#3
spl.kernel @escape(%start: !spl.slice<f32>, %out: !spl.slice<i32, mut>, %size: i64) attributes {signature = #spl.signature<"escape()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 4.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = spl.load %start[%x] : !spl.slice<f32>
    %r:2 = scf.while (%z = %first, %n = %none) : (f32, i32) -> (f32, i32) {
      %in = arith.cmpf olt, %z, %limit : f32
      scf.condition(%in) %z, %n : f32, i32
    } do {
    ^bb0(%z: f32, %n: i32):
      %big = arith.cmpf ogt, %z, %first : f32
      %next = scf.if %big -> (f32) {
        %square = arith.mulf %z, %z : f32
        scf.yield %square : f32
      } else {
        %double = arith.addf %z, %z : f32
        scf.yield %double : f32
      }
      %more = arith.addi %n, %one : i32
      scf.yield %next, %more : f32, i32
    }
    spl.store %r#1, %out[%x] : !spl.slice<i32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// The iterations that all lanes run have no masks. Two scalar comparisons find them.
// CHECK-LABEL: @ranges
// CHECK: scf.while (%[[I:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) : (i64, vector<8xf32>)
// CHECK: %[[LAST:.*]] = arith.addi %[[I]], %c7_i64
// CHECK-DAG: arith.cmpi slt, %[[I]], %arg2
// CHECK-DAG: arith.cmpi slt, %[[LAST]], %arg2
// CHECK-DAG: arith.cmpi sge, %[[LAST]], %[[I]]
// CHECK: spl.load_lanes %arg0[%{{.*}}] : <f32> -> vector<8xf32>
// CHECK: scf.while (%[[M:.*]] = %{{.*}}, %[[J:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) : (vector<8xi1>, i64, vector<8xf32>)
// CHECK: spl.load_lanes %arg0[%{{.*}}] mask(%{{.*}})
spl.kernel @ranges(%a: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"ranges()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %sum = scf.for %i = %x to %n step %c64 iter_args(%acc = %zero) -> (f32) : i64 {
      %av = spl.load %a[%i] : !spl.slice<f32>
      %next = arith.addf %av, %acc : f32
      scf.yield %next : f32
    }
    spl.store %sum, %out[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Each scalar of a variable in local memory has an element for each lane. Inactive lanes keep theirs.
// CHECK-LABEL: @variable
// CHECK: scf.if
// CHECK: %[[A:.*]] = spl.local 16 {spl.lanes = 16 : i64} : <f32, mut>
// CHECK: %[[B:.*]] = spl.local 16 {spl.lanes = 16 : i64} : <i32, mut>
// CHECK: scf.for
// CHECK: %[[OLD:.*]] = spl.load_lanes %[[B]][%{{.*}}] : <i32, mut> -> vector<16xi32>
// CHECK: %[[NEW:.*]] = arith.addi %[[OLD]],
// CHECK: %[[KEPT:.*]] = spl.load_lanes %[[B]]
// CHECK: %[[BOTH:.*]] = arith.select %{{.*}}, %[[NEW]], %[[KEPT]] : vector<16xi1>, vector<16xi32>
// CHECK: spl.store_lanes %[[BOTH]], %[[B]]
spl.kernel @variable(%a: !spl.slice<i32>, %out: !spl.slice<i32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"variable()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %v = spl.local 1 : !spl.slice<!spl.struct<f32, i32>, mut>
    scf.for %i = %c0 to %n step %c1 : i64 {
      %b = spl.part %v[%c0] field 1 : !spl.slice<!spl.struct<f32, i32>, mut> -> !spl.slice<i32, mut>
      %old = spl.load %b[%c0] : !spl.slice<i32, mut>
      %av = spl.load %a[%x] : !spl.slice<i32>
      %next = arith.addi %old, %av : i32
      spl.store %next, %b[%c0] : !spl.slice<i32, mut>
    }
    %b = spl.part %v[%c0] field 1 : !spl.slice<!spl.struct<f32, i32>, mut> -> !spl.slice<i32, mut>
    %sum = spl.load %b[%c0] : !spl.slice<i32, mut>
    spl.store %sum, %out[%x] : !spl.slice<i32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A loop that is short and calls no function of math does not change.
// CHECK-LABEL: @unchanged
// CHECK-NOT: vector
// CHECK-NOT: lanes
// CHECK-NOT: spl.work_items
// CHECK: spl.return
spl.kernel @unchanged(%a: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %size: i64) attributes {signature = #spl.signature<"unchanged()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
      %av = spl.load %a[%x] : !spl.slice<f32>
      %next = arith.addf %av, %acc : f32
      scf.yield %next : f32
    }
    spl.store %sum, %out[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A check fails if it does in an active lane. The fault is that of the first such lane. Without a mask, the comparison of
// the first and the last lane is tested first.
// CHECK-LABEL: @checked
// CHECK: scf.for
// CHECK: arith.cmpi ult, %[[FIRST:.*]], %arg2
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK: %[[HOLDS:.*]] = arith.andi %[[BOTH]], %{{.*}}
// CHECK: %[[FAILS:.*]] = arith.cmpi eq, %[[HOLDS]], %false
// CHECK: scf.if %[[FAILS]] {
// CHECK: %[[ANY:.*]] = vector.reduction <or>
// CHECK: scf.if %[[ANY]] {
// CHECK: %[[LANE:.*]] = vector.reduction <minui>
// CHECK: spl.check %false, <"index-out-of-bounds">(%{{.*}}, %arg2)
// CHECK: spl.load_lanes %arg0
spl.kernel @checked(%a: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"checked()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
      %in = arith.cmpi ult, %x, %n : i64
      spl.check %in, <"index-out-of-bounds">(%x, %n)
      %av = spl.load %a[%x] : !spl.slice<f32>
      %next = arith.addf %av, %acc : f32
      scf.yield %next : f32
    }
    spl.store %sum, %out[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Atomics run in a loop over the lanes, whose operands are in memory.
// CHECK-LABEL: @turns
// CHECK: scf.for
// CHECK: %[[MEMORY:.*]] = spl.local 16 {spl.lanes = 16 : i64} : <i32, mut>
// CHECK: spl.store_lanes %{{.*}}, %[[MEMORY]]
// CHECK: scf.for %[[LANE:.*]] = %{{.*}} to %c16_i64
// CHECK: %[[V:.*]] = spl.load %[[MEMORY]][%[[LANE]]]
// CHECK: spl.atomic add %arg1[%{{.*}}] (%[[V]])
spl.kernel @turns(%a: !spl.slice<i32>, %counts: !spl.slice<i32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"turns()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %v = spl.load %a[%x] : !spl.slice<i32>
      %size_of_v = spl.intrinsic "math.abs"(%v) : (i32) -> i32
      %old = spl.atomic add %counts[%i](%size_of_v) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
// Less work than that does not make up for taking vectors apart.
// CHECK-LABEL: @mostly_updates
// CHECK-NOT: lanes
// CHECK: spl.return
// An update under a condition may be rare.
// CHECK-LABEL: @rare_updates
// CHECK: spl.load_lanes
spl.kernel @mostly_updates(%a: !spl.slice<i32>, %counts: !spl.slice<i32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"mostly_updates()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %v = spl.load %a[%x] : !spl.slice<i32>
      %twice = arith.addi %v, %v : i32
      %old = spl.atomic add %counts[%i](%twice) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @rare_updates(%a: !spl.slice<i32>, %counts: !spl.slice<i32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"rare_updates()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %v = spl.load %a[%x] : !spl.slice<i32>
      %twice = arith.addi %v, %v : i32
      %found = arith.cmpi slt, %twice, %v : i32
      scf.if %found {
        %old = spl.atomic add %counts[%i](%twice) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      }
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
// The result of an atomic in a loop may be what the loop waits for.
// CHECK-LABEL: @waits
// CHECK-NOT: lanes
// CHECK: spl.return
spl.kernel @waits(%flags: !spl.slice<i32, mut>, %size: i64) attributes {signature = #spl.signature<"waits()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.while : () -> () {
      %old = spl.atomic add %flags[%x](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      %again = arith.cmpi slt, %old, %one : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// An index that skips elements now and then. A test shows whether the elements of a gang are adjacent. What an inactive
// lane computes may be poison.
// CHECK-LABEL: @skipping
// CHECK: %[[INDEX:.*]] = arith.subi %{{.*}} : vector<8xi64>
// CHECK: %[[FIRST:.*]] = vector.extract %[[INDEX]][0]
// CHECK: %[[FOLLOW:.*]] = arith.cmpi eq, %[[INDEX]], %{{.*}} : vector<8xi64>
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[FOLLOW]]
// CHECK: scf.if %[[ALL]] -> (vector<8xi32>) {
// CHECK: spl.load_lanes %arg0[%[[FIRST]]] : <i32> -> vector<8xi32>
// CHECK: } else {
// CHECK: spl.gather_lanes %arg0[%[[INDEX]]]
// CHECK: scf.if
// CHECK: %[[NUMBERS:.*]] = spl.freeze %{{.*}} : vector<8xi64>
// CHECK: %[[START:.*]] = vector.extract %[[NUMBERS]][0]
// CHECK: %[[IN_ORDER:.*]] = arith.cmpi eq, %[[NUMBERS]], %{{.*}}
// CHECK: arith.select %{{.*}}, %[[IN_ORDER]], %{{.*}} : vector<8xi1>, vector<8xi1>
// CHECK: spl.load_lanes %arg0[%[[START]]] mask(
spl.kernel @skipping(%a: !spl.slice<i32>, %b: !spl.slice<i32, mut>, %half: i64, %size: i64) attributes {signature = #spl.signature<"skipping()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %twice = arith.addi %x, %x : i64
    %low = arith.andi %x, %half : i64
    %index = arith.subi %twice, %low : i64
    %v = spl.load %a[%index] : !spl.slice<i32>
    spl.store %v, %b[%x] : !spl.slice<i32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Writes under a condition that differs between lanes, without a loop: a store with a mask, and one atomic for all
// lanes, because it may run several times. One that adds may not, and keeps the loop as it is.
// CHECK-LABEL: @conditional
// CHECK: scf.for
// CHECK: %[[MASK:.*]] = arith.cmpi ne, %{{.*}} : vector<8xi8>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[MASK]]
// CHECK: scf.if %[[ANY]] {
// CHECK: spl.store_lanes %{{.*}}, %arg1[%{{.*}}] mask(%[[MASK]])
// CHECK-NEXT: spl.atomic store %arg2[%c0_i64] (%c1_i32)
// CHECK-LABEL: @counted
// CHECK-NOT: lanes
// CHECK: spl.atomic add
// CHECK-NOT: lanes
// CHECK: spl.return
spl.kernel @conditional(%a: !spl.slice<i8>, %b: !spl.slice<i8, mut>, %flag: !spl.slice<i32, mut>, %size: i64) attributes {signature = #spl.signature<"conditional()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %v = spl.load %a[%x] : !spl.slice<i8>
    %set = arith.cmpi ne, %v, %zero : i8
    scf.if %set {
      spl.store %v, %b[%x] : !spl.slice<i8, mut>
      spl.atomic store %flag[%c0](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> ()
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @counted(%a: !spl.slice<i8>, %count: !spl.slice<i32, mut>, %size: i64) attributes {signature = #spl.signature<"counted()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %v = spl.load %a[%x] : !spl.slice<i8>
    %set = arith.cmpi ne, %v, %zero : i8
    scf.if %set {
      %old = spl.atomic add %count[%c0](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Elements that are not adjacent. An index in i32 may wrap between two lanes: the elements are adjacent if it does not.
// CHECK-LABEL: @scattered
// CHECK: spl.gather_lanes %arg0[%{{.*}}] : <f32>[vector<16xi64>] -> vector<16xf32>
// CHECK: spl.gather_lanes %arg1[%{{.*}}, %{{.*}}] component 1 : <vector<2xf32>, rank 2>[i64, vector<16xi64>] -> vector<16xf32>
// CHECK: %[[FIRST:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[LAST:.*]] = arith.addi %[[FIRST]], %c15_i32
// CHECK: %[[IN_ORDER:.*]] = arith.cmpi sge, %[[LAST]], %[[FIRST]]
// CHECK: scf.if %[[IN_ORDER]] -> (vector<16xf32>) {
// CHECK: spl.load_lanes %arg0
// CHECK: } else {
// CHECK: spl.gather_lanes %arg0
// CHECK: spl.scatter_lanes %{{.*}}, %arg2[%{{.*}}] : vector<16xf32>, <f32, mut>[vector<16xi64>]
spl.kernel @scattered(%a: !spl.slice<f32>, %b: !spl.slice<vector<2xf32>, rank 2>, %out: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"scattered()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %at = arith.muli %x, %n : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %place = arith.addi %at, %i : i64
      %av = spl.load %a[%place] : !spl.slice<f32>
      %bv = spl.load %b[%i, %at] : !spl.slice<vector<2xf32>, rank 2>
      %y = vector.extract %bv[1] : f32 from vector<2xf32>
      %narrow = arith.trunci %x : i64 to i32
      %wide = arith.extsi %narrow : i32 to i64
      %cv = spl.load %a[%wide] : !spl.slice<f32>
      %sum = arith.addf %av, %y : f32
      %all = arith.addf %sum, %cv : f32
      spl.store %all, %out[%place] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// An array in local memory has a row of lanes for each of its elements. The element may differ between lanes.
// CHECK-LABEL: @array
// CHECK: %[[ROWS:.*]] = spl.local 32 {spl.lanes = 8 : i64} : <f32, mut>
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c8_i64
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[ROW]]
// CHECK: spl.load_lanes %[[ROWS]][%[[AT]]]
// CHECK: spl.gather_lanes %[[ROWS]][%{{.*}}] : <f32, mut>[vector<8xi64>]
spl.kernel @array(%out: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"array()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %v = spl.local 1 : !spl.slice<!spl.array<4 x f32>, mut>
    scf.for %i = %c0 to %n step %c1 : i64 {
      %part = spl.part %v[%c0] : !spl.slice<!spl.array<4 x f32>, mut> -> !spl.slice<f32, mut>
      %one = spl.load %part[%i] : !spl.slice<f32, mut>
      %other = spl.load %part[%x] : !spl.slice<f32, mut>
      %next = arith.addf %one, %other : f32
      spl.store %next, %part[%i] : !spl.slice<f32, mut>
    }
    %part = spl.part %v[%c0] : !spl.slice<!spl.array<4 x f32>, mut> -> !spl.slice<f32, mut>
    %first = spl.load %part[%c0] : !spl.slice<f32, mut>
    spl.store %first, %out[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A loop over the lanes of a warp is one gang. Its slots stay in registers, because no access to them has a mask. A
// function of math is vectorised without a loop in the body too.
// CHECK-LABEL: @warp
// CHECK: %[[SLOTS:.*]] = spl.local 32 : <f32, mut>
// CHECK-NOT: scf.for
// CHECK: %[[V:.*]] = spl.load_lanes %arg0[%c0_i64{{.*}}] : <f32> -> vector<32xf32>
// CHECK: scf.if
// CHECK: %[[OLD:.*]] = spl.load_lanes %[[SLOTS]][%{{.*}}] : <f32, mut> -> vector<32xf32>
// CHECK: %[[NEW:.*]] = arith.select %{{.*}}, %[[V]], %[[OLD]] : vector<32xi1>, vector<32xf32>
// CHECK: spl.store_lanes %[[NEW]], %[[SLOTS]][%{{.*}}] : vector<32xf32>, <f32, mut>
// CHECK-LABEL: @call
// CHECK: spl.intrinsic "math.exp"(%{{.*}}) : (vector<8xf32>) -> vector<8xf32>
// CHECK: spl.scatter_lanes
spl.kernel @warp(%a: !spl.slice<f32>, %n: i64) attributes {signature = #spl.signature<"warp()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %slots = spl.local 32 : !spl.slice<f32, mut>
  scf.for %lane = %c0 to %c32 step %c1 : i64 {
    %v = spl.load %a[%lane] : !spl.slice<f32>
    %in = arith.cmpi slt, %lane, %n : i64
    scf.if %in {
      spl.store %v, %slots[%lane] : !spl.slice<f32, mut>
    }
  } {spl.warp}
  spl.return
}
spl.kernel @call(%a: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"call()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %v = spl.load %a[%x] : !spl.slice<f32>
    %e = spl.intrinsic "math.exp"(%v) : (f32) -> f32
    %at = arith.muli %x, %n : i64
    spl.store %e, %out[%at] : !spl.slice<f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// The lanes of the variables would take too much of the stack.
// CHECK-LABEL: @many_variables
// CHECK-NOT: lanes
// CHECK: spl.return
spl.kernel @many_variables(%a: !spl.slice<f32>, %n: i64, %size: i64) attributes {signature = #spl.signature<"many_variables()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %v = spl.local 1 : !spl.slice<!spl.struct<vector<16xi8>, vector<16xi8>>, mut>
    %w = spl.local 1 : !spl.slice<!spl.struct<vector<16xi8>, vector<16xi8>>, mut>
    %y = spl.local 1 : !spl.slice<!spl.struct<vector<16xi8>, vector<16xi8>>, mut>
    %z = spl.local 1 : !spl.slice<!spl.struct<vector<16xi8>, vector<16xi8>>, mut>
    %t = spl.local 1 : !spl.slice<f32, mut>
    scf.for %i = %c0 to %n step %c1 : i64 {
      %av = spl.load %a[%x] : !spl.slice<f32>
      spl.store %av, %t[%c0] : !spl.slice<f32, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// LLVM vectorises a loop that combines integers over its own iterations. It may not change the order of
// a sum of floats.
// CHECK-LABEL: @integers
// CHECK-NOT: vector
// CHECK: spl.return
// CHECK-LABEL: @floats
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>)
spl.kernel @integers(%a: !spl.slice<i32>, %out: !spl.slice<i32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"integers()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %own = spl.load %out[%x] : !spl.slice<i32, mut>
    %all = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %own) -> (i32) : i64 {
      %av = spl.load %a[%i] : !spl.slice<i32>
      %next = arith.xori %av, %acc : i32
      scf.yield %next : i32
    }
    spl.store %all, %out[%x] : !spl.slice<i32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @floats(%a: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"floats()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %own = spl.load %out[%x] : !spl.slice<f32, mut>
    %all = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %own) -> (f32) : i64 {
      %av = spl.load %a[%i] : !spl.slice<f32>
      %next = arith.addf %av, %acc : f32
      scf.yield %next : f32
    }
    spl.store %all, %out[%x] : !spl.slice<f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A body without a loop is left to LLVM, which may take the work-items for independent if they access adjacent elements.
// CHECK-LABEL: @independent
// CHECK: } {spl.independent}
// CHECK: spl.store %{{.*}}, %{{.*}}[%c0{{.*}}]
// CHECK-NEXT: }
// CHECK-NEXT: spl.return
spl.kernel @independent(%a: !spl.slice<f32, mut>, %b: !spl.slice<f32, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"independent()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %u = spl.load %a[%n] : !spl.slice<f32, mut>
    %v = spl.load %a[%x] : !spl.slice<f32, mut>
    %sum = arith.addf %u, %v : f32
    spl.store %sum, %a[%x] : <f32, mut>
  } {spl.work_items = 0 : i64}
  scf.for %x = %c0 to %size step %c1 : i64 {
    %v = spl.load %a[%x] : !spl.slice<f32, mut>
    spl.store %v, %b[%c0] : <f32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// The last iterations of a loop of a warp over a range are emitted for 32 lanes, and as one iteration of 8 lanes if it is
// the only one that is left. A test of scalars shows that, for the state in which the loop begins and for the state after the
// iterations of all lanes. The results of the other lanes are those of that state. A check of an index that is linear first
// tests lane 0 with a limit for all lanes.
// CHECK-LABEL: @tail
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %c1_i32 : i32
// CHECK: %[[SMALL:.*]] = arith.cmpi ult, %[[LEFT]], %c8_i32 : i32
// CHECK: %[[NO_WRAP:.*]] = arith.cmpi slt, %[[FIRST:.*]], %c2147483616_i32 : i32
// CHECK: %[[ONCE:.*]] = arith.cmpi sge, %c32_i32, %c8_i32{{.*}} : i32
// CHECK: %[[BOTH:.*]] = arith.andi %[[SMALL]], %[[NO_WRAP]]
// CHECK: %[[SHORT:.*]] = arith.andi %[[BOTH]], %[[ONCE]]
// CHECK: %[[STATE:.*]]:5 = scf.if %[[SHORT]] -> (i32, vector<32xi1>, i32, vector<32xf32>, i1) {
// CHECK: scf.yield %[[FIRST]], %{{.*}}, %[[LEFT]], %{{.*}}, %true
// CHECK: } else {
// CHECK: %[[WHOLE:.*]]:4 = scf.if
// CHECK: arith.cmpi ult, %[[WHOLE]]#2, %c8_i32{{.*}} : i32
// CHECK: arith.cmpi slt, %[[WHOLE]]#0, %c2147483616_i32{{.*}} : i32
// CHECK: scf.yield %[[WHOLE]]#0, %[[WHOLE]]#1, %[[WHOLE]]#2, %[[WHOLE]]#3, %{{.*}}
// CHECK: scf.if %[[STATE]]#4 -> (vector<32xi32>, vector<32xf32>) {
// CHECK: %[[BEGIN:.*]] = vector.broadcast %[[STATE]]#0 : i32 to vector<32xi32>
// CHECK: %[[COUNTERS:.*]] = arith.addi %[[BEGIN]], %{{.*}} : vector<32xi32>
// CHECK: %[[LAST:.*]] = vector.broadcast %[[STATE]]#2 : i32 to vector<8xi32>
// CHECK: %[[MASK:.*]] = arith.cmpi ule, %{{.*}}, %[[LAST]] : vector<8xi32>
// CHECK: %[[SUM:.*]] = vector.extract_strided_slice %[[STATE]]#3 {offsets = [0], sizes = [8], strides = [1]} : vector<32xf32> to vector<8xf32>
// CHECK-NOT: scf.while
// CHECK: %[[MAX:.*]] = arith.maxui %{{.*}}, %c7_i32
// CHECK: %[[LIMIT:.*]] = arith.subi %[[MAX]], %c7_i32
// CHECK: arith.cmpi ult, %{{.*}}, %[[LIMIT]] : i32
// CHECK: %[[OUTSIDE:.*]] = arith.select %[[MASK]], %{{.*}} : vector<8xi1>, vector<8xi1>
// CHECK: vector.reduction <or>, %[[OUTSIDE]]
// CHECK: spl.load_lanes %arg0[%{{.*}}] mask(%[[MASK]]) : <f32>, vector<8xi1> -> vector<8xf32>
// CHECK: %[[MORE:.*]] = arith.addf %[[SUM]], %{{.*}} : vector<8xf32>
// CHECK: %[[ENDS:.*]] = arith.select %[[MASK]], %{{.*}} : vector<8xi1>, vector<8xi32>
// CHECK: %[[SUMS:.*]] = arith.select %[[MASK]], %[[MORE]], %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK: vector.insert_strided_slice %[[ENDS]], %[[COUNTERS]] {offsets = [0], strides = [1]} : vector<8xi32> into vector<32xi32>
// CHECK: vector.insert_strided_slice %[[SUMS]], %[[STATE]]#3 {offsets = [0], strides = [1]} : vector<8xf32> into vector<32xf32>
// CHECK: } else {
// CHECK: scf.while
// CHECK: spl.load_lanes %arg0[%{{.*}}] mask({{.*}}) : <f32>, vector<32xi1> -> vector<32xf32>
// CHECK-NOT: scf.while
// CHECK: spl.return
spl.kernel @tail(%a: !spl.slice<f32>, %sums: !spl.slice<f32, mut>, %ends: !spl.slice<i32, mut>, %start: i32, %end: i32, %n: i32) attributes {signature = #spl.signature<"tail()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %step = arith.constant 32 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %size = spl.extent %a, 0 : !spl.slice<f32>
  scf.for %lane = %c0 to %c32 step %c1 : i64 {
    %number = arith.trunci %lane : i64 to i32
    %first = arith.addi %start, %number : i32
    %enters = arith.cmpi slt, %first, %end : i32
    %distance = arith.subi %end, %first : i32
    %left = arith.subi %distance, %one : i32
    %0:4 = scf.while (%k = %first, %goes = %enters, %rest = %left, %sum = %zero) : (i32, i1, i32, f32) -> (i32, i1, i32, f32) {
      scf.condition(%goes) %k, %goes, %rest, %sum : i32, i1, i32, f32
    } do {
    ^bb0(%k: i32, %goes: i1, %rest: i32, %sum: f32):
      %at = arith.extsi %k : i32 to i64
      %fits = arith.cmpi ult, %k, %n : i32
      spl.check %fits, <"index-out-of-bounds">(%at, %size) {subject = "a"}
      %v = spl.load %a[%at] : !spl.slice<f32>
      %more = arith.addf %sum, %v : f32
      %next = arith.addi %k, %step : i32
      %again = arith.cmpi uge, %rest, %step : i32
      %fewer = arith.subi %rest, %step : i32
      scf.yield %next, %again, %fewer, %more : i32, i1, i32, f32
    }
    spl.store %0#3, %sums[%lane] : !spl.slice<f32, mut>
    spl.store %0#0, %ends[%lane] : !spl.slice<i32, mut>
  } {spl.warp}
  spl.return
}
