// RUN: simple-opt %s --spl-interchange-strides -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A round of updates runs for all work-items before the next round.

// The rounds are those of the first work-item. The others that have a round are before the end.
// CHECK-LABEL: @bins
// CHECK: %[[FIRST:.*]] = arith.addi %arg2, %c2_i64 overflow<nsw, nuw>
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %[[FIRST]], %arg3
// CHECK: %[[FAR:.*]] = arith.subi %arg3, %[[FIRST]]
// CHECK: %[[DISTANCE:.*]] = arith.subi %[[FAR]], %c1_i64
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %c2_i64, %arg5
// CHECK: %[[STARTS:.*]] = arith.select %[[ANY]], %[[SOME]], %false
// CHECK: %[[COUNT:.*]] = arith.subi %arg5, %c2_i64
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT]], %{{.*}} : i64
// CHECK: scf.while (%{{.*}} = %[[FIRST]], %{{.*}} = %[[STARTS]], %{{.*}} = %[[DISTANCE]])
// CHECK: ^bb0(%[[K:.*]]: i64, %{{.*}}: i1, %[[LEFT:.*]]: i64):
// CHECK: %[[HERE:.*]] = arith.minui %[[LEFT]], %[[LAST]]
// CHECK: %[[TO_LAST:.*]] = arith.addi %c2_i64, %[[HERE]]
// CHECK: %[[END:.*]] = arith.addi %[[TO_LAST]], %{{.*}}
// CHECK: scf.for %[[X:.*]] = %c2_i64 to %[[END]] step %c1_i64
// CHECK: %[[BEHIND:.*]] = arith.subi %[[X]], %c2_i64
// CHECK: %[[MINE:.*]] = arith.addi %[[K]], %[[BEHIND]]
// CHECK: %[[BYTE:.*]] = spl.load %arg0[%[[MINE]]]
// CHECK: spl.check {{.*}} work_item(%[[X]],
// CHECK: spl.atomic add
// CHECK: } {spl.work_items = 64 : i64}
// CHECK: arith.addi %[[K]], %arg4
// CHECK: arith.cmpi uge, %[[LEFT]], %arg4
// CHECK: arith.subi %[[LEFT]], %arg4
spl.kernel @bins(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"bins()">} {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c2 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw, nuw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      %n = spl.extent %bins, 0 : !spl.slice<i32, mut>
      %in = arith.cmpi ult, %bin, %n : i64
      spl.check %in, <"index-out-of-bounds">(%bin, %n) work_item(%x, %c1, %c2) {subject = "bins"}
      %old = spl.atomic add %bins[%bin](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 64 : i64}
  spl.return
}

// -----

// Rounds that store rows. Those that store one element in all rounds stay together.
// CHECK-LABEL: @rows
// CHECK: scf.while
// CHECK: scf.for %[[X:.*]] = %c0{{.*}} to %{{.*}} step
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw>
// CHECK: %[[OLD:.*]] = spl.load %arg1[%[[AT]]]
// CHECK: spl.store %{{.*}}, %arg1[%[[AT]]]
// CHECK: } {spl.work_items = 0 : i64}
// CHECK-LABEL: @one_element
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @rows(%a: !spl.slice<f32>, %b: !spl.slice<f32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"rows()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %value = spl.load %a[%k] : !spl.slice<f32>
      %old = spl.load %b[%k] : !spl.slice<f32, mut>
      %sum = arith.addf %old, %value : f32
      spl.store %sum, %b[%k] : !spl.slice<f32, mut>
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @one_element(%a: !spl.slice<f32>, %b: !spl.slice<f32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"one_element()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %value = spl.load %a[%k] : !spl.slice<f32>
      %old = spl.load %b[%x] : !spl.slice<f32, mut>
      %sum = arith.addf %old, %value : f32
      spl.store %sum, %b[%x] : !spl.slice<f32, mut>
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// The first value may wrap between two work-items.
// CHECK-LABEL: @wraps
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @wraps(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"wraps()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      %old = spl.atomic add %bins[%bin](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// The values of adjacent work-items are not adjacent.
// CHECK-LABEL: @spread
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @spread(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"spread()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.muli %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      %old = spl.atomic add %bins[%bin](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Each work-item has an end of its own.
// CHECK-LABEL: @own_end
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @own_end(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"own_end()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %x : i64
    %far = arith.subi %x, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      %old = spl.atomic add %bins[%bin](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Each work-item has a step of its own.
// CHECK-LABEL: @own_step
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @own_step(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"own_step()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      %old = spl.atomic add %bins[%bin](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      %next = arith.addi %k, %x : i64
      %again = arith.cmpi uge, %left, %x : i64
      %rest = arith.subi %left, %x : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A store is not an update.
// CHECK-LABEL: @stores
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @stores(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"stores()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      spl.store %one, %bins[%bin] : !spl.slice<i32, mut>
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A work-item may wait for an old value.
// CHECK-LABEL: @uses_old
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @uses_old(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"uses_old()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      %old = spl.atomic add %bins[%bin](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      spl.store %old, %bins[%k] : !spl.slice<i32, mut>
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// An atomic load may see what another work-item stores.
// CHECK-LABEL: @loads
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @loads(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"loads()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      %old = spl.atomic add %bins[%bin](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      %seen = spl.atomic load %bins[%k] relaxed device : !spl.slice<i32, mut>, () -> i32
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Without updates, gangs are faster.
// CHECK-LABEL: @no_update
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @no_update(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"no_update()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// The work-items do something after the loop.
// CHECK-LABEL: @more
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @more(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"more()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      %old = spl.atomic add %bins[%bin](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
    spl.store %one, %bins[%x] : !spl.slice<i32, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// What is computed before the loop would be computed again in each round.
// CHECK-LABEL: @costly
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @costly(%bytes: !spl.slice<i8>, %bins: !spl.slice<i32, mut>, %base: i64, %end: i64, %step: i64, %size: i64) attributes {signature = #spl.signature<"costly()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.for %x = %c0 to %size step %c1 : i64 {
    %root = spl.intrinsic "math.abs"(%x) : (i64) -> i64
    %first = arith.addi %base, %x overflow<nsw> : i64
    %some = arith.cmpi slt, %first, %end : i64
    %far = arith.subi %end, %first : i64
    %distance = arith.subi %far, %c1 : i64
    %0:3 = scf.while (%k = %first, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
      scf.condition(%more) %k, %more, %left : i64, i1, i64
    } do {
    ^bb0(%k: i64, %more: i1, %left: i64):
      %byte = spl.load %bytes[%k] : !spl.slice<i8>
      %bin = arith.extui %byte : i8 to i64
      %old = spl.atomic add %bins[%root](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
      %next = arith.addi %k, %step : i64
      %again = arith.cmpi uge, %left, %step : i64
      %rest = arith.subi %left, %step : i64
      scf.yield %next, %again, %rest : i64, i1, i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
