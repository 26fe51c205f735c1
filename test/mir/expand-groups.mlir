// RUN: simple-opt %s -spl-expand-for=target=sm_75 | FileCheck %s
// RUN: simple-opt %s -spl-expand-for=target=cpu | FileCheck %s --check-prefix=CPU

// Each warp stores its sum. The first warp adds these sums, and the first work-item stores the total.
// CHECK-LABEL: spl.kernel @sum(
// CPU-LABEL: spl.kernel @sum(
// CPU-NEXT: spl.intrinsic "gpu.group_sum"
spl.kernel @sum(%x: f32) attributes {signature = #spl.signature<"sum(x: f32)">} {
  // CHECK: %[[LANE:.*]] = spl.intrinsic "gpu.lane_id"
  // CHECK: %[[PARTS:.*]] = spl.shared "group$0"[33] : <f32, mut>
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
  // CHECK: spl.shared "group$4"[33] : <vector<2xf32>, mut>
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
  // CHECK: %[[EX:.*]] = arith.subi %[[IN]], %arg0 : i32
  // CHECK: spl.intrinsic "gpu.barrier"
  // CHECK: %[[BASE:.*]] = spl.load
  // CHECK: arith.addi %[[BASE]], %[[EX]]
  %e = spl.intrinsic "gpu.group_scan"(%x) {exclusive} : (i32) -> i32
  // CHECK: %[[IN:.*]] = spl.intrinsic "gpu.warp_scan"(%{{.*}}) : (f32) -> f32
  // CHECK: %[[BELOW:.*]] = spl.intrinsic "gpu.shuffle_up"(%[[IN]], %{{.*}})
  // CHECK: %[[EX:.*]] = arith.select %{{.*}}, %{{.*}}, %[[BELOW]]
  // CHECK: %[[BASE:.*]] = spl.load
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
