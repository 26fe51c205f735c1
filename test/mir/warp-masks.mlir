// RUN: simple-opt %s -spl-warp-masks | FileCheck %s

// In uniform control flow all existing lanes take part.
// CHECK-LABEL: spl.kernel @uniform(
spl.kernel @uniform(%x: f32, %n: i64) attributes {signature = #spl.signature<"uniform(x: f32, n: i64)">} {
  // CHECK-NEXT: %[[ALL:.*]] = spl.intrinsic "op.warp_lanes" : () -> i32
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: spl.intrinsic "gpu.warp_sum"(%{{.*}}, %[[ALL]]) : (f32, i32) -> f32
  %s = spl.intrinsic "gpu.warp_sum"(%x) : (f32) -> f32
  %c = arith.cmpi slt, %zero, %n : i64
  scf.if %c {
    // CHECK: scf.if
    // CHECK-NEXT: scf.for
    // CHECK-NEXT: spl.intrinsic "gpu.warp_barrier"(%[[ALL]])
    scf.for %i = %zero to %n step %one : i64 {
      spl.intrinsic "gpu.warp_barrier" : () -> ()
    }
  }
  // A barrier belongs to the group and needs no mask.
  // CHECK: spl.intrinsic "gpu.barrier" : () -> ()
  spl.intrinsic "gpu.barrier" : () -> ()
  spl.return
}

// A branch splits the mask. After the branch the previous mask is valid again.
// CHECK-LABEL: spl.kernel @branches(
spl.kernel @branches(%p: i1) attributes {signature = #spl.signature<"branches(p: bool)">} {
  // CHECK: %[[ALL:.*]] = spl.intrinsic "op.warp_lanes"
  %lane = spl.intrinsic "gpu.lane_id" : () -> i64
  %two = arith.constant 2 : i64
  %c = arith.cmpi slt, %lane, %two : i64
  %d = arith.cmpi eq, %lane, %two : i64
  // CHECK: %[[THEN:.*]] = spl.intrinsic "gpu.ballot"(%[[C:.*]], %[[ALL]]) : (i1, i32) -> i32
  // CHECK-NEXT: %[[ELSE:.*]] = arith.xori %[[ALL]], %[[THEN]]
  // CHECK-NEXT: scf.if %[[C]]
  scf.if %c {
    // CHECK-NEXT: spl.intrinsic "gpu.any"(%{{.*}}, %[[THEN]])
    %a = spl.intrinsic "gpu.any"(%p) : (i1) -> i1
    // CHECK: %[[INNER:.*]] = spl.intrinsic "gpu.ballot"(%[[D:.*]], %[[THEN]])
    // CHECK-NEXT: scf.if %[[D]]
    // CHECK-NEXT: spl.intrinsic "gpu.any"(%{{.*}}, %[[INNER]])
    scf.if %d {
      %b = spl.intrinsic "gpu.any"(%p) : (i1) -> i1
    }
    // CHECK: spl.intrinsic "gpu.any"(%{{.*}}, %[[THEN]])
    %e = spl.intrinsic "gpu.any"(%p) : (i1) -> i1
  } else {
    // CHECK: else
    // CHECK-NEXT: spl.intrinsic "gpu.all"(%{{.*}}, %[[ELSE]])
    %b = spl.intrinsic "gpu.all"(%p) : (i1) -> i1
  }
  // CHECK: spl.intrinsic "gpu.all"(%{{.*}}, %[[ALL]])
  %b = spl.intrinsic "gpu.all"(%p) : (i1) -> i1
  // A branch without warp collectives computes no masks.
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: arith.addi
  scf.if %d {
    %no = arith.addi %lane, %two : i64
  }
  spl.return
}

// A lane that leaves the loop tells the others before.
// CHECK-LABEL: spl.kernel @loops(
spl.kernel @loops(%n: i64) attributes {signature = #spl.signature<"loops(n: i64)">} {
  // CHECK: %[[ALL:.*]] = spl.intrinsic "op.warp_lanes"
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK: %[[LANE:.*]] = spl.intrinsic "gpu.lane_id"
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %lane = spl.intrinsic "gpu.lane_id" : () -> i64
  // CHECK: %[[SOME:.*]] = arith.cmpi slt, %[[ZERO:.*]], %[[LANE]]
  // CHECK-NEXT: %[[IN:.*]] = spl.intrinsic "gpu.ballot"(%[[SOME]], %[[ALL]])
  // CHECK-NEXT: %{{.*}}:2 = scf.for %[[I:.*]] = %[[ZERO]] to %[[LANE]] step %[[ONE]] iter_args(%[[SUM:.*]] = %[[ZERO]], %[[GO:.*]] = %[[IN]])
  // CHECK: %[[S:.*]] = scf.if
  // CHECK: spl.intrinsic "gpu.warp_sum"(%[[I]], %[[GO]])
  // CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[ONE]]
  // CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[LANE]]
  // CHECK-NEXT: %[[LEFT:.*]] = spl.intrinsic "gpu.ballot"(%[[MORE]], %[[GO]])
  // CHECK-NEXT: scf.yield %[[S]], %[[LEFT]]
  %r = scf.for %i = %zero to %lane step %one iter_args(%sum = %zero) -> (i64) : i64 {
    %s = spl.intrinsic "gpu.warp_sum"(%i) : (i64) -> i64
    scf.yield %s : i64
  }
  // CHECK: %{{.*}}:2 = scf.while (%[[K:.*]] = %{{.*}}#0, %[[GO:.*]] = %[[ALL]])
  // CHECK: %[[M:.*]] = scf.if
  // CHECK: spl.intrinsic "gpu.warp_max"(%[[K]], %[[GO]])
  // CHECK: %[[MORE:.*]] = arith.cmpi slt
  // CHECK-NEXT: %[[LEFT:.*]] = spl.intrinsic "gpu.ballot"(%[[MORE]], %[[GO]])
  // CHECK-NEXT: scf.condition(%[[MORE]]) %[[M]], %[[LEFT]]
  // CHECK: ^bb0(%[[K:.*]]: i64, %[[STAY:.*]]: i32):
  // CHECK: spl.intrinsic "gpu.warp_min"(%{{.*}}, %[[STAY]])
  // CHECK: scf.yield %{{.*}}, %[[STAY]]
  %w = scf.while (%k = %r) : (i64) -> (i64) {
    %m = spl.intrinsic "gpu.warp_max"(%k) : (i64) -> i64
    %more = arith.cmpi slt, %k, %lane : i64
    scf.condition(%more) %m : i64
  } do {
  ^bb0(%k: i64):
    %next = arith.addi %k, %one : i64
    %m = spl.intrinsic "gpu.warp_min"(%next) : (i64) -> i64
    scf.yield %m : i64
  }
  // CHECK: spl.intrinsic "gpu.warp_scan"(%{{.*}}#0, %[[ALL]]) {exclusive} : (i64, i32) -> i64
  %e = spl.intrinsic "gpu.warp_scan"(%w) {exclusive} : (i64) -> i64
  spl.return
}

// A kernel without warp collectives does not change.
// CHECK-LABEL: spl.kernel @none(
// CHECK-NEXT: spl.return
spl.kernel @none() attributes {signature = #spl.signature<"none()">} {
  spl.return
}

// Lanes that reduce or scan have to find each other, unless the mask has all lanes. Then the mask is constant. For
// small integers there is an instruction, and for a mask of all existing lanes there is nothing to find.
// CHECK-LABEL: spl.kernel @whole_warps(
spl.kernel @whole_warps(%x: f32, %n: i32, %out: !spl.slice<f32, mut>)
    attributes {signature = #spl.signature<"whole_warps(x: f32, n: i32, out: &mut [f32])">} {
  // CHECK: %[[ALL:.*]] = spl.intrinsic "op.warp_lanes"
  %lane = spl.intrinsic "gpu.lane_id" : () -> i64
  %two = arith.constant 2 : i64
  %c = arith.cmpi slt, %lane, %two : i64
  // CHECK: %[[THEN:.*]] = spl.intrinsic "gpu.ballot"
  // CHECK-NEXT: scf.if
  scf.if %c {
    // CHECK-NEXT: %[[WHOLE:.*]] = arith.constant -1 : i32
    // CHECK-NEXT: %[[IS_WHOLE:.*]] = arith.cmpi eq, %[[THEN]], %[[WHOLE]]
    // CHECK-NEXT: %[[SCAN:.*]] = scf.if %[[IS_WHOLE]] -> (f32) {
    // CHECK-NEXT: %[[FAST:.*]] = spl.intrinsic "gpu.warp_scan"(%{{.*}}, %[[WHOLE]]) {exclusive} : (f32, i32) -> f32
    // CHECK-NEXT: scf.yield %[[FAST]]
    // CHECK-NEXT: else
    // CHECK-NEXT: %[[SLOW:.*]] = spl.intrinsic "gpu.warp_scan"(%{{.*}}, %[[THEN]]) {exclusive} : (f32, i32) -> f32
    // CHECK-NEXT: scf.yield %[[SLOW]]
    // CHECK: spl.store %[[SCAN]],
    %s = spl.intrinsic "gpu.warp_scan"(%x) {exclusive} : (f32) -> f32
    spl.store %s, %out[%lane] : <f32, mut>
    // CHECK-NEXT: spl.intrinsic "gpu.warp_sum"(%{{.*}}, %[[THEN]]) : (i32, i32) -> i32
    %m = spl.intrinsic "gpu.warp_sum"(%n) : (i32) -> i32
  }
  // CHECK: spl.intrinsic "gpu.warp_scan"(%{{.*}}, %[[ALL]]) : (f32, i32) -> f32
  %t = spl.intrinsic "gpu.warp_scan"(%x) : (f32) -> f32
  spl.store %t, %out[%lane] : <f32, mut>
  spl.return
}

// Only lane 0 uses the sums. All lanes use the maximum, those with another id the minimum, and the loop yields
// the bits that all lanes have. Lane 1 uses the last result.
// CHECK-LABEL: spl.kernel @first_lane(
// CHECK: spl.intrinsic "gpu.warp_sum"({{.*}}) {spl.first_lane} : (f32, i32) -> f32
// CHECK: spl.intrinsic "gpu.warp_sum"({{.*}}) {spl.first_lane} : (i32, i32) -> i32
// CHECK: spl.intrinsic "gpu.warp_max"(%{{.*}}, %{{.*}}) : (f32, i32) -> f32
// CHECK: spl.intrinsic "gpu.warp_min"(%{{.*}}, %{{.*}}) : (f32, i32) -> f32
// CHECK: spl.intrinsic "gpu.warp_and"(%{{.*}}, %{{.*}}) : (i32, i32) -> i32
// CHECK: spl.intrinsic "gpu.warp_or"(%{{.*}}, %{{.*}}) : (i32, i32) -> i32
spl.kernel @first_lane(%x: f32, %b: i32, %ints: !spl.slice<i32, mut>, %out: !spl.slice<f32, mut>) attributes {signature = #spl.signature<"first_lane(x: f32, b: i32, ints: &mut [i32], out: &mut [f32])">} {
  %zero = arith.constant 0 : i64
  %lane = spl.intrinsic "gpu.lane_id" : () -> i64
  %sum = spl.intrinsic "gpu.warp_sum"(%x) : (f32) -> f32
  %nested = spl.intrinsic "gpu.warp_sum"(%b) : (i32) -> i32
  %max = spl.intrinsic "gpu.warp_max"(%x) : (f32) -> f32
  %min = spl.intrinsic "gpu.warp_min"(%x) : (f32) -> f32
  %first = arith.cmpi eq, %lane, %zero : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %yielded = scf.for %i = %zero to %four step %one iter_args(%old = %b) -> (i32) : i64 {
    %and = spl.intrinsic "gpu.warp_and"(%old) : (i32) -> i32
    scf.yield %and : i32
  }
  %or = spl.intrinsic "gpu.warp_or"(%b) : (i32) -> i32
  %second = arith.cmpi eq, %lane, %one : i64
  scf.if %second {
    spl.store %or, %ints[%zero] : !spl.slice<i32, mut>
  }
  scf.if %first {
    scf.for %i = %zero to %four step %one : i64 {
      spl.store %nested, %ints[%i] : !spl.slice<i32, mut>
    }
    spl.store %yielded, %ints[%zero] : !spl.slice<i32, mut>
    spl.store %sum, %out[%zero] : !spl.slice<f32, mut>
    spl.store %max, %out[%zero] : !spl.slice<f32, mut>
  } else {
    spl.store %min, %out[%zero] : !spl.slice<f32, mut>
  }
  spl.store %max, %out[%lane] : !spl.slice<f32, mut>
  spl.return
}
