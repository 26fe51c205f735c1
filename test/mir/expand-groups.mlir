// RUN: simple-opt %s -spl-expand-for=target=sm_75 | FileCheck %s
// RUN: simple-opt %s -spl-expand-for=target=cpu | FileCheck %s --check-prefix=CPU

// Each warp stores its sum. The first warp adds these sums, and the first work-item stores the total.
// CHECK-LABEL: spl.kernel @sum(
// CPU-LABEL: spl.kernel @sum(
// CPU-NEXT: spl.intrinsic "gpu.group_sum"
spl.kernel @sum(%x: f32) attributes {signature = #spl.signature<"sum(x: f32)">} {
  // CHECK: %[[LANE:.*]] = spl.intrinsic "gpu.lane_id"
  // CHECK: %[[PARTS:.*]] = spl.shared "sum$group0"[33] : <f32, mut>
  // CHECK: %[[WHOLE:.*]] = arith.constant 32
  // CHECK: %[[PART:.*]] = spl.intrinsic "gpu.warp_sum"(%{{.*}}) : (f32)
  // CHECK: scf.if
  // CHECK-NEXT: spl.store %[[PART]], %[[PARTS]]
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: %[[IS:.*]] = arith.cmpi ult, %[[LANE]], %[[WARPS:.*]] : i64
  // CHECK: %[[MINE:.*]] = scf.if %[[IS]]
  // CHECK-NEXT: spl.load %[[PARTS]][%[[LANE]]]
  // CHECK: else
  // CHECK-NEXT: arith.constant -0.000000e+00
  // CHECK: %[[ALL:.*]] = spl.intrinsic "gpu.warp_sum"(%[[MINE]])
  // CHECK: spl.store %[[ALL]], %[[PARTS]][%[[WHOLE]]]
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: spl.load %[[PARTS]][%[[WHOLE]]]
  %s = spl.intrinsic "gpu.group_sum"(%x) : (f32) -> f32
  spl.return
}

// The identities: the maximum for min, signed or unsigned, and for floats the value that min ignores.
// CHECK-LABEL: spl.kernel @identities(
spl.kernel @identities(%i: i32, %f: vector<2xf32>) attributes {signature = #spl.signature<"identities(i: u32, f: f32x2)">} {
  // CHECK: "gpu.warp_min"(%{{.*}}) {isUnsigned}
  // CHECK: arith.constant -1 : i32
  // CHECK: "gpu.warp_min"(%{{.*}}) {isUnsigned}
  %a = spl.intrinsic "gpu.group_min"(%i) {isUnsigned} : (i32) -> i32
  // CHECK: arith.constant 2147483647 : i32
  %b = spl.intrinsic "gpu.group_min"(%i) : (i32) -> i32
  // CHECK: arith.constant -2147483648 : i32
  %c = spl.intrinsic "gpu.group_max"(%i) : (i32) -> i32
  // CHECK: spl.shared "identities$group3"[33] : <vector<2xf32>, mut>
  // CHECK: arith.constant dense<0x7FC00000> : vector<2xf32>
  %d = spl.intrinsic "gpu.group_max"(%f) : (vector<2xf32>) -> vector<2xf32>
  spl.return
}

// CHECK-LABEL: spl.kernel @scans(
spl.kernel @scans(%x: i32, %id: i64, %y: f32) attributes {signature = #spl.signature<"scans(x: i32, id: i64, y: f32)">} {
  // CHECK: %[[IN:.*]] = spl.intrinsic "gpu.warp_scan"(%{{.*}}) : (i32) -> i32
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: spl.intrinsic "gpu.warp_scan"(%{{.*}}) {exclusive}
  // Without the own value the inclusive scan is the exclusive one: integers wrap.
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: %[[BASE:.*]] = spl.load
  // CHECK: %[[EX:.*]] = arith.subi %[[IN]], %arg0 : i32
  // CHECK: arith.addi %[[BASE]], %[[EX]]
  %e = spl.intrinsic "gpu.group_scan"(%x) {exclusive} : (i32) -> i32
  // CHECK: %[[IN:.*]] = spl.intrinsic "gpu.warp_scan"(%{{.*}}) : (f32) -> f32
  // CHECK: %[[PARTS:.*]] = spl.intrinsic "gpu.warp_scan"(%{{.*}}) : (f32) -> f32
  // CHECK: spl.intrinsic "gpu.shuffle_up"(%[[PARTS]], %{{.*}})
  // CHECK: %[[LOADED:.*]] = spl.load
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[BASE:.*]] = arith.addf %[[ZERO]], %[[LOADED]]
  // CHECK: %[[BELOW:.*]] = spl.intrinsic "gpu.shuffle_up"(%[[IN]], %{{.*}})
  // CHECK: %[[EX:.*]] = arith.select %{{.*}}, %{{.*}}, %[[BELOW]]
  // CHECK: arith.addf %[[BASE]], %[[EX]]
  %f = spl.intrinsic "gpu.group_scan"(%y) {exclusive} : (f32) -> f32
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: scf.if
  // CHECK: spl.store %{{.*}}, %[[CELL:.*]][
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: spl.load %[[CELL]]
  %b = spl.intrinsic "gpu.group_broadcast"(%x, %id) : (i32, i64) -> i32
  // CHECK: spl.intrinsic "gpu.group_any"
  %c = arith.constant true
  %d = spl.intrinsic "gpu.group_any"(%c) : (i1) -> i1
  // CHECK: arith.constant 32 : i64
  %w = spl.intrinsic "gpu.warp_size" : () -> i64
  // CHECK-DAG: spl.intrinsic "gpu.local_id" axis 2
  // CHECK-DAG: spl.intrinsic "gpu.local_id" axis 0
  // CHECK: arith.shrui
  // CHECK-NOT: gpu.warp_id
  // CPU: spl.intrinsic "gpu.warp_id"
  %i = spl.intrinsic "gpu.warp_id" : () -> i64
  spl.return
}

// Each work-item combines the partial results of few warps. There is no second barrier if the operation is executed once.
// CHECK-LABEL: spl.kernel @few_warps(
spl.kernel @few_warps(%x: f32, %some: i1) attributes {signature = #spl.signature<"#[gpu(block: [96])] few_warps(x: f32, some: bool)">} {
  // CHECK: %[[PART:.*]] = spl.intrinsic "gpu.warp_max"
  // CHECK: %[[PARTS:.*]] = spl.shared "few_warps$group0"[3]
  // CHECK: spl.store %[[PART]], %[[PARTS]]
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: %[[A:.*]] = spl.load %[[PARTS]]
  // CHECK: %[[B:.*]] = spl.load %[[PARTS]]
  // CHECK: %[[C:.*]] = spl.load %[[PARTS]]
  // CHECK: %[[AB:.*]] = spl.intrinsic "math.max"(%[[A]], %[[B]])
  // CHECK: %[[ALL:.*]] = spl.intrinsic "math.max"(%[[AB]], %[[C]])
  // CHECK-NOT: gpu.barrier
  // CHECK: scf.if
  %m = spl.intrinsic "gpu.group_max"(%x) : (f32) -> f32
  scf.if %some {
    // In a branch it is executed at most once too.
    // CHECK: spl.intrinsic "gpu.barrier"
    // CHECK-NOT: gpu.barrier
    // CHECK: scf.while
    %s = spl.intrinsic "gpu.group_sum"(%x) : (f32) -> f32
  }
  scf.while : () -> () {
    scf.condition(%some)
  } do {
    // CHECK: spl.intrinsic "gpu.barrier"
    // CHECK: arith.addf
    // CHECK: spl.intrinsic "gpu.barrier"
    // CHECK: scf.yield
    %s = spl.intrinsic "gpu.group_sum"(%x) : (f32) -> f32
    scf.yield
  }
  spl.return
}

// A group of one warp needs no shared memory, but its operations are barriers, and its sum is uniform.
// CHECK-LABEL: spl.kernel @one_warp(
// CHECK-NOT: spl.shared
spl.kernel @one_warp(%x: i32, %y: f32) attributes {signature = #spl.signature<"#[gpu(block: [8, 4])] one_warp(x: i32, y: f32)">} {
  // CHECK: %[[SUM:.*]] = spl.intrinsic "gpu.warp_sum"
  // CHECK-NEXT: spl.intrinsic "gpu.barrier"
  // CHECK-NEXT: spl.intrinsic "gpu.uniform"(%[[SUM]])
  %s = spl.intrinsic "gpu.group_sum"(%x) : (i32) -> i32
  // CHECK: %[[SCAN:.*]] = spl.intrinsic "gpu.warp_scan"
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK-NOT: spl.intrinsic "gpu.barrier"
  // CHECK: %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f32
  // CHECK: arith.addf %[[NOTHING]], %[[SCAN]]
  %e = spl.intrinsic "gpu.group_scan"(%y) : (f32) -> f32
  // CHECK: spl.return
  spl.return
}

// An exclusive scan begins with 0, also before sums of -0. There is a second barrier only in a loop.
// CHECK-LABEL: spl.kernel @scans_of_few_warps(
spl.kernel @scans_of_few_warps(%y: f32, %some: i1) attributes {signature = #spl.signature<"#[gpu(block: [128])] scans_of_few_warps(y: f32, some: bool)">} {
  // CHECK: spl.shared "scans_of_few_warps$group0"[4]
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK-COUNT-4: spl.load
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[A:.*]] = arith.select
  // CHECK: %[[B:.*]] = arith.select
  // CHECK: %[[C:.*]] = arith.select
  // CHECK: %[[AB:.*]] = arith.addf %[[A]], %[[B]]
  // CHECK: %[[BASE:.*]] = arith.addf %[[AB]], %[[C]]
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: arith.addf %[[ZERO]], %[[BASE]]
  // CHECK-NOT: gpu.barrier
  // CHECK: scf.while
  %e = spl.intrinsic "gpu.group_scan"(%y) {exclusive} : (f32) -> f32
  scf.while : () -> () {
    scf.condition(%some)
  } do {
    // CHECK: spl.intrinsic "gpu.barrier"
    // CHECK-COUNT-4: spl.load
    // CHECK: spl.intrinsic "gpu.barrier"
    // CHECK: scf.yield
    %f = spl.intrinsic "gpu.group_scan"(%y) : (f32) -> f32
    scf.yield
  }
  spl.return
}

// More warps than a work-item combines itself.
// CHECK-LABEL: spl.kernel @many_warps(
spl.kernel @many_warps(%x: f32, %i: i32) attributes {signature = #spl.signature<"#[gpu(block: [288])] many_warps(x: f32, i: i32)">} {
  // CHECK: "gpu.warp_sum"
  // CHECK: "gpu.warp_sum"
  %s = spl.intrinsic "gpu.group_sum"(%x) : (f32) -> f32
  // CHECK: "gpu.warp_scan"
  // CHECK: "gpu.warp_scan"
  %e = spl.intrinsic "gpu.group_scan"(%i) : (i32) -> i32
  spl.return
}

// The sum of what a scan adds comes from the scan. As a barrier the sum stays, and replaces the second one of the scan.
// CHECK-LABEL: spl.kernel @scan_and_sum(
spl.kernel @scan_and_sum(%x: i32, %out: !spl.slice<i32, mut>, %at: i64) attributes {signature = #spl.signature<"#[gpu(block: [64])] scan_and_sum(x: i32, out: &mut [i32], at: i64)">} {
  // CHECK: %[[IN:.*]] = spl.intrinsic "gpu.warp_scan"(%arg0)
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: %[[A:.*]] = spl.load
  // CHECK: %[[B:.*]] = spl.load
  // CHECK: %[[TOTAL:.*]] = arith.addi %[[A]], %[[B]] : i32
  // CHECK: %[[BASE:.*]] = arith.select %{{.*}}, %[[A]], %{{.*}} : i32
  // CHECK: arith.addi %[[BASE]],
  // CHECK: spl.store
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK-NEXT: spl.store %[[TOTAL]]
  // CHECK-NOT: gpu.barrier
  // CHECK: spl.return
  %e = spl.intrinsic "gpu.group_scan"(%x) {exclusive} : (i32) -> i32
  spl.store %e, %out[%at] : !spl.slice<i32, mut>
  %s = spl.intrinsic "gpu.group_sum"(%x) : (i32) -> i32
  spl.store %s, %out[%at] : !spl.slice<i32, mut>
  spl.return
}

// In groups of any size, the total is what is before the last warp, and that of the last warp.
// CHECK-LABEL: spl.kernel @scan_and_sum_of_any(
spl.kernel @scan_and_sum_of_any(%x: i32, %out: !spl.slice<i32, mut>, %at: i64, %y: f32, %some: i1) attributes {signature = #spl.signature<"scan_and_sum_of_any(x: i32, out: &mut [i32], at: i64, y: f32, some: bool)">} {
  // CHECK-COUNT-2: "gpu.warp_scan"
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: %[[BEFORE:.*]] = spl.load
  // CHECK: %[[LAST:.*]] = spl.load
  // CHECK: %[[TOTAL:.*]] = arith.addi %[[BEFORE]], %[[LAST]] : i32
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK-NEXT: spl.store %[[TOTAL]]
  %e = spl.intrinsic "gpu.group_scan"(%x) : (i32) -> i32
  %s = spl.intrinsic "gpu.group_sum"(%x) : (i32) -> i32
  spl.store %s, %out[%at] : !spl.slice<i32, mut>
  // Not the sum of floats, whose zero may have a sign, and not one in a branch.
  // CHECK-COUNT-2: "gpu.warp_scan"
  // CHECK-COUNT-2: "gpu.warp_sum"
  %f = spl.intrinsic "gpu.group_scan"(%y) : (f32) -> f32
  %g = spl.intrinsic "gpu.group_sum"(%y) : (f32) -> f32
  // CHECK-COUNT-2: "gpu.warp_scan"
  // CHECK: scf.if
  // CHECK-COUNT-2: "gpu.warp_sum"
  %h = spl.intrinsic "gpu.group_scan"(%x) : (i32) -> i32
  scf.if %some {
    %i = spl.intrinsic "gpu.group_sum"(%x) : (i32) -> i32
  }
  spl.return
}
