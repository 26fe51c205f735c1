// RUN: simple-opt %s --spl-expand-for=target=cpu --spl-work-item-loops | FileCheck %s
// RUN: simple-opt %s --spl-expand-for=target=sm_75 | FileCheck %s --check-prefix=GPU
// Kernels that use only global ids may run several groups as one. Others may not.
// GPU-NOT: spl.ungrouped

// CHECK-LABEL: spl.kernel @global_ids(
// CHECK-SAME: spl.ungrouped
// CHECK-DAG: %[[BASE:.+]] = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
// CHECK-DAG: %[[ROW:.+]] = spl.intrinsic "gpu.local_size" axis 0 {spl.ungrouped} : () -> i64
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[ROW]]
spl.kernel @global_ids(%out: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"global_ids(out: &mut [i64])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  spl.store %i, %out[%i] : !spl.slice<i64, mut>
  spl.return
}

// CHECK-LABEL: spl.kernel @local_ids(
// CHECK-NOT: spl.ungrouped
spl.kernel @local_ids(%out: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"local_ids(out: &mut [i64])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %l = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  spl.store %l, %out[%i] : !spl.slice<i64, mut>
  spl.return
}

// CHECK-LABEL: spl.kernel @calls(
// CHECK-NOT: spl.ungrouped
spl.func @group() -> i64 {
  %g = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  spl.return %g : i64
}
spl.kernel @calls(%out: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"calls(out: &mut [i64])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %g = spl.call @group() : () -> i64
  spl.store %g, %out[%i] : !spl.slice<i64, mut>
  spl.return
}
