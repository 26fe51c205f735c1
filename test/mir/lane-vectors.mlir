// RUN: simple-opt %s -spl-work-item-loops -canonicalize | FileCheck %s
// Scans, and operations of warps whose rows are whole, are a few steps on vectors. They are not loops over lanes.

// Four steps for 16 work-items at a time. The sum of those before them is carried.
// CHECK-LABEL: spl.kernel @group_scan(
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (i32)
// CHECK-NEXT: %[[S0:.*]] = spl.load_lanes %{{.*}}[%[[I]]] : {{.*}} -> vector<16xi32>
// CHECK-NEXT: %[[M1:.*]] = vector.shuffle %[[S0]], %{{.*}} [16, 0, 1, 2, 3,
// CHECK-NEXT: %[[S1:.*]] = arith.addi %[[M1]], %[[S0]]
// CHECK-NEXT: %[[M2:.*]] = vector.shuffle %[[S1]], %{{.*}} [16, 17, 0, 1,
// CHECK-NEXT: %[[S2:.*]] = arith.addi %[[M2]], %[[S1]]
// CHECK-NEXT: %[[M3:.*]] = vector.shuffle %[[S2]], %{{.*}} [16, 17, 18, 19, 0,
// CHECK-NEXT: %[[S3:.*]] = arith.addi %[[M3]], %[[S2]]
// CHECK-NEXT: %[[M4:.*]] = vector.shuffle %[[S3]]
// CHECK-NEXT: %[[S4:.*]] = arith.addi %[[M4]], %[[S3]]
// CHECK-NEXT: %[[ALL:.*]] = vector.broadcast %[[BEFORE]]
// CHECK-NEXT: %[[SUMS:.*]] = arith.addi %[[ALL]], %[[S4]]
// CHECK-NEXT: spl.store_lanes %[[SUMS]]
// CHECK-NEXT: %[[LAST:.*]] = vector.extract %[[S4]][15]
// CHECK-NEXT: %[[AFTER:.*]] = arith.addi %[[BEFORE]], %[[LAST]]
// CHECK-NEXT: scf.yield %[[AFTER]]
spl.kernel @group_scan(%a: !spl.slice<i32>, %out: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"group_scan(a: &[i32], out: &mut [i32])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <i32>
  %s = spl.intrinsic "gpu.group_scan"(%x) : (i32) -> i32
  spl.store %s, %out[%i] : <i32, mut>
  spl.return
}

// Segments of four begin anew, so that two steps are enough and nothing is carried.
// CHECK-LABEL: spl.kernel @segments(
// CHECK: %[[S0:.*]] = spl.load_lanes %{{.*}} -> vector<16xi32>
// CHECK-NEXT: %[[M1:.*]] = vector.shuffle %[[S0]], %{{.*}} [16, 0, 1, 2, 20, 4, 5, 6,
// CHECK-NEXT: %[[S1:.*]] = arith.addi %[[M1]], %[[S0]]
// CHECK-NEXT: %[[M2:.*]] = vector.shuffle %[[S1]], %{{.*}} [16, 17, 0, 1, 20, 21, 4, 5,
// CHECK-NEXT: %[[S2:.*]] = arith.addi %[[M2]], %[[S1]]
// CHECK-NEXT: %[[MOVED:.*]] = vector.shuffle %[[S2]], %{{.*}} [16, 0, 1, 2, 20, 4, 5, 6,
// CHECK-NOT: vector.extract
spl.kernel @segments(%a: !spl.slice<i32>, %out: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"segments(a: &[i32], out: &mut [i32])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <i32>
  %s = spl.intrinsic "gpu.warp_scan"(%x) {exclusive, width = 4 : i64} : (i32) -> i32
  spl.store %s, %out[%i] : <i32, mut>
  spl.return
}

// CHECK-LABEL: spl.kernel @shuffle(
// CHECK: %[[V:.*]] = spl.load_lanes %{{.*}} -> vector<32xi32>
// CHECK-NEXT: %[[X1:.*]] = vector.shuffle %[[V]], %[[V]] [1, 0, 3, 2,
// CHECK-NEXT: %[[X5:.*]] = vector.shuffle %[[X1]], %[[X1]] [4, 5, 6, 7, 0, 1, 2, 3,
// CHECK-NEXT: spl.store_lanes %[[X5]]
spl.kernel @shuffle(%a: !spl.slice<i32>, %out: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"shuffle(a: &[i32], out: &mut [i32])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <i32>
  %five = arith.constant 5 : i64
  %s = spl.intrinsic "gpu.shuffle_xor"(%x, %five) : (i32, i64) -> i32
  spl.store %s, %out[%i] : <i32, mut>
  spl.return
}

// A distance that is the same for all lanes selects steps of powers of two. Lanes past the end keep their value.
// CHECK-LABEL: spl.kernel @shuffle_down(
// CHECK-SAME: %[[D:[a-z0-9]+]]: i64
// CHECK: %[[V:.*]] = spl.load_lanes %{{.*}} -> vector<32xf32>
// CHECK: vector.shuffle %[[V]], %[[V]] [1, 2, 3,
// CHECK: arith.select
// CHECK: vector.shuffle
// CHECK: arith.select
// CHECK: vector.shuffle
// CHECK: arith.select
// CHECK: vector.shuffle
// CHECK: arith.select
// CHECK: vector.shuffle
// CHECK: %[[MOVED:.*]] = arith.select
// CHECK: %[[ALL:.*]] = vector.broadcast %[[D]] : i64 to vector<32xi64>
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi ult, %[[ALL]], %{{.*}}
// CHECK-NEXT: %[[R:.*]] = arith.select %[[INSIDE]], %[[MOVED]], %[[V]]
// CHECK-NEXT: spl.store_lanes %[[R]]
spl.kernel @shuffle_down(%d: i64, %a: !spl.slice<f32>, %out: !spl.slice<f32, mut>)
    attributes {signature = #spl.signature<"shuffle_down(d: i64, a: &[f32], out: &mut [f32])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <f32>
  %s = spl.intrinsic "gpu.shuffle_down"(%x, %d) : (f32, i64) -> f32
  spl.store %s, %out[%i] : <f32, mut>
  spl.return
}

// The first lane of each segment of four, in every lane of it.
// CHECK-LABEL: spl.kernel @broadcast(
// CHECK: %[[V:.*]] = spl.load_lanes %{{.*}} -> vector<32xi32>
// CHECK-NEXT: %[[A:.*]] = vector.shuffle %[[V]], %[[V]] [0, 0, 2, 2, 4, 4,
// CHECK-NEXT: %[[B:.*]] = vector.shuffle %[[A]], %[[A]] [0, 1, 0, 1, 4, 5, 4, 5,
// CHECK-NEXT: spl.store_lanes %[[B]]
spl.kernel @broadcast(%a: !spl.slice<i32>, %out: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"broadcast(a: &[i32], out: &mut [i32])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <i32>
  %zero = arith.constant 0 : i64
  %s = spl.intrinsic "gpu.shuffle"(%x, %zero) {width = 4 : i64} : (i32, i64) -> i32
  spl.store %s, %out[%i] : <i32, mut>
  spl.return
}

// CHECK-LABEL: spl.kernel @warp_max(
// CHECK: %[[V:.*]] = spl.load_lanes %{{.*}} -> vector<32xi32>
// CHECK-NEXT: %[[M:.*]] = vector.shuffle %[[V]], %[[V]] [16, 17,
// CHECK-NEXT: spl.intrinsic "math.max"(%[[V]], %[[M]])
// CHECK-COUNT-4: vector.shuffle
// CHECK: vector.extract %{{.*}}[0]
spl.kernel @warp_max(%a: !spl.slice<i32>, %out: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"warp_max(a: &[i32], out: &mut [i32])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <i32>
  %s = spl.intrinsic "gpu.warp_max"(%x) : (i32) -> i32
  spl.store %s, %out[%i] : <i32, mut>
  spl.return
}

// CHECK-LABEL: spl.kernel @match_any(
// CHECK: %[[OWN:.*]] = vector.broadcast %{{.*}} : i32 to vector<32xi32>
// CHECK-NEXT: %[[SAME:.*]] = arith.cmpi eq, %{{.*}}, %[[OWN]] : vector<32xi32>
// CHECK-NEXT: vector.bitcast %[[SAME]] : vector<32xi1> to vector<1xi32>
spl.kernel @match_any(%a: !spl.slice<i32>, %out: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"match_any(a: &[i32], out: &mut [i32])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <i32>
  %s = spl.intrinsic "gpu.match_any"(%x) : (i32) -> i32
  spl.store %s, %out[%i] : <i32, mut>
  spl.return
}
