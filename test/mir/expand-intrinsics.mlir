// RUN: simple-opt %s -spl-expand-for=target=sm_75 | FileCheck %s
// RUN: simple-opt %s -spl-expand-for=target=cpu | FileCheck %s
// RUN: simple-opt %s -spl-expand-for=target=cpu -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: simple-opt %s -spl-expand-intrinsics=rows=gpu.global_id,gpu.global_size | FileCheck %s
// RUN: not simple-opt %s -spl-expand-intrinsics=rows=gpu.abacus 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not simple-opt %s -spl-expand-for=target=abacus 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: unknown target 'abacus'
// ROW: there is no intrinsic 'gpu.abacus'

// CHECK-LABEL: spl.kernel @ids(
spl.kernel @ids(%out: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"ids(out: &mut [i64])">} {
  // CHECK-NEXT: %[[GROUP:.*]] = spl.intrinsic "gpu.group_id" axis 1
  // CHECK-NEXT: %[[SIZE:.*]] = spl.intrinsic "gpu.local_size" axis 1
  // CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[GROUP]], %[[SIZE]] overflow<nsw, nuw> : i64
  // CHECK-NEXT: %[[LOCAL:.*]] = spl.intrinsic "gpu.local_id" axis 1
  // CHECK-NEXT: %[[ID:.*]] = arith.addi %[[FIRST]], %[[LOCAL]] overflow<nsw, nuw> : i64
  %id = spl.intrinsic "gpu.global_id" axis 1 : () -> i64 loc("ids.spl":3:9)

  // CHECK-NEXT: %[[GROUPS:.*]] = spl.intrinsic "gpu.num_groups" axis 0
  // CHECK-NEXT: %[[SIZE0:.*]] = spl.intrinsic "gpu.local_size" axis 0
  // CHECK-NEXT: %[[ALL:.*]] = arith.muli %[[GROUPS]], %[[SIZE0]] overflow<nsw, nuw> : i64
  %all = spl.intrinsic "gpu.global_size" axis 0 : () -> i64

  // Intrinsics that the target has stay as they are.
  // CHECK-NEXT: %[[OWN:.*]] = spl.intrinsic "gpu.local_id" axis 2
  %own = spl.intrinsic "gpu.local_id" axis 2 : () -> i64

  // CHECK-NEXT: spl.store %[[ALL]], %{{.*}}[%[[ID]]]
  // CHECK-NEXT: spl.store %[[OWN]]
  spl.store %all, %out[%id] : <i64, mut>
  spl.store %own, %out[%id] : <i64, mut>
  spl.return
}
// LOC-COUNT-5: loc("ids.spl":3:9)

// CHECK-LABEL: spl.func @in_function(
// CHECK-NOT: global_id
// CHECK: spl.return
spl.func @in_function() -> i64 {
  %id = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  spl.return %id : i64
}
