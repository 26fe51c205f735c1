// RUN: simple-opt %s --spl-gang-loops="vector-bits=128" -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adjacent vectors of the language are moved at once. With a mask, each component is gathered and scattered.

// CHECK-LABEL: @vectors
// CHECK: %[[FROM:.*]] = spl.part %arg0[%{{.*}}, %{{.*}}] {unchecked} : <vector<4xf32>, rank 2> -> <f32>
// CHECK: %[[ALL:.*]] = spl.load_lanes %[[FROM]][%c0_i64{{.*}}] : <f32> -> vector<64xf32>
// CHECK: %[[X:.*]] = vector.shuffle %[[ALL]], %[[ALL]] [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60]
// CHECK: %[[Y:.*]] = vector.shuffle %[[ALL]], %[[ALL]] [1, 5, 9,
// CHECK: %[[Z:.*]] = vector.shuffle %[[ALL]], %[[ALL]] [2, 6, 10,
// CHECK: %[[W:.*]] = vector.shuffle %[[ALL]], %[[ALL]] [3, 7, 11,
// CHECK: %[[X2:.*]] = arith.addf %[[X]], %[[X]]
// CHECK: %[[Y2:.*]] = arith.addf %[[Y]], %[[Y]]
// CHECK: %[[Z2:.*]] = arith.addf %[[Z]], %[[Z]]
// CHECK: %[[W2:.*]] = arith.addf %[[W]], %[[W]]
// CHECK: %[[XY:.*]] = vector.shuffle %[[X2]], %[[Y2]] [0, 1, 2, 3, {{.*}}, 31] : vector<16xf32>, vector<16xf32>
// CHECK: %[[ZW:.*]] = vector.shuffle %[[Z2]], %[[W2]] [0, 1, 2, 3, {{.*}}, 31] : vector<16xf32>, vector<16xf32>
// CHECK: %[[XYZW:.*]] = vector.shuffle %[[XY]], %[[ZW]] [0, 1, 2, 3, {{.*}}, 63] : vector<32xf32>, vector<32xf32>
// CHECK: %[[LINES:.*]] = vector.shuffle %[[XYZW]], %[[XYZW]] [0, 16, 32, 48, 1, 17, 33, 49, 2, {{.*}}, 63]
// CHECK: %[[TO:.*]] = spl.part %arg1[%{{.*}}] {unchecked} : <vector<4xf32>, mut> -> <f32, mut>
// CHECK: spl.store_lanes %[[LINES]], %[[TO]][%c0_i64{{.*}}] : vector<64xf32>, <f32, mut>
// CHECK: spl.gather_lanes %arg0{{.*}} mask({{.*}}) component 0
// CHECK: spl.scatter_lanes %{{.*}}, %arg1{{.*}} mask({{.*}}) component 3
spl.kernel @vectors(%from: !spl.slice<vector<4xf32>, rank 2>, %to: !spl.slice<vector<4xf32>, mut>, %n: i64, %size: i64) attributes {signature = #spl.signature<"vectors()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    scf.for %k = %c0 to %n step %c1 : i64 {
      %v = spl.load %from[%k, %x] : !spl.slice<vector<4xf32>, rank 2>
      %twice = arith.addf %v, %v : vector<4xf32>
      spl.store %twice, %to[%x] : !spl.slice<vector<4xf32>, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
