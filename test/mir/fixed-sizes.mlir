// RUN: simple-opt %s --spl-warp-masks --spl-fixed-sizes | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the size of a group determines is a constant in kernels that fix the size.

// CHECK-LABEL: @whole
spl.kernel @whole(%out: !spl.slice<i64, mut>, %p: i1)
    attributes {signature = #spl.signature<"#[gpu(block: [16, 4])] whole(out: &mut [i64], p: bool)">} {
  // CHECK-DAG: %[[ALL:.*]] = arith.constant -1 : i32
  // CHECK-DAG: %[[X:.*]] = arith.constant 16 : i64
  // CHECK-DAG: %[[Y:.*]] = arith.constant 4 : i64
  // CHECK-DAG: %[[Z:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[IDZ:.*]] = arith.constant 0 : i64
  // CHECK: %[[IDX:.*]] = spl.intrinsic "gpu.local_id" axis 0
  // CHECK: %[[GROUPS:.*]] = spl.intrinsic "gpu.num_groups" axis 0
  // CHECK: spl.intrinsic "gpu.ballot"(%{{.*}}, %[[ALL]])
  // CHECK: spl.store %[[X]]
  // CHECK: spl.store %[[Y]]
  // CHECK: spl.store %[[Z]]
  // CHECK: spl.store %[[IDX]]
  // CHECK: spl.store %[[IDZ]]
  // CHECK: spl.store %[[GROUPS]]
  %c0 = arith.constant 0 : i64
  %x = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  %y = spl.intrinsic "gpu.local_size" axis 1 : () -> i64
  %z = spl.intrinsic "gpu.local_size" axis 2 : () -> i64
  %idx = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %idz = spl.intrinsic "gpu.local_id" axis 2 : () -> i64
  %groups = spl.intrinsic "gpu.num_groups" axis 0 : () -> i64
  %b = spl.intrinsic "gpu.ballot"(%p) : (i1) -> i32
  spl.store %x, %out[%c0] : <i64, mut>
  spl.store %y, %out[%c0] : <i64, mut>
  spl.store %z, %out[%c0] : <i64, mut>
  spl.store %idx, %out[%c0] : <i64, mut>
  spl.store %idz, %out[%c0] : <i64, mut>
  spl.store %groups, %out[%c0] : <i64, mut>
  spl.return
}

// The last warp of each group has 16 lanes.
// CHECK-LABEL: @partial
// CHECK: spl.intrinsic "op.warp_lanes"
spl.kernel @partial(%p: i1) attributes {signature = #spl.signature<"#[gpu(block: [48])] partial(p: bool)">} {
  %b = spl.intrinsic "gpu.ballot"(%p) : (i1) -> i32
  spl.return
}

// CHECK-LABEL: @free
// CHECK: spl.intrinsic "op.warp_lanes"
// CHECK: spl.intrinsic "gpu.local_size"
spl.kernel @free(%out: !spl.slice<i64, mut>, %p: i1)
    attributes {signature = #spl.signature<"free(out: &mut [i64], p: bool)">} {
  %c0 = arith.constant 0 : i64
  %x = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  %b = spl.intrinsic "gpu.ballot"(%p) : (i1) -> i32
  spl.store %x, %out[%c0] : <i64, mut>
  spl.return
}
