// RUN: simple-opt %s -spl-check-barriers | FileCheck %s --check-prefix=MARK
// RUN: simple-opt %s -spl-check-barriers -spl-work-item-loops | FileCheck %s --check-prefix=LOOPS
// RUN: simple-opt %s -spl-check-barriers -spl-fault-records | FileCheck %s --check-prefix=RECORD

// A kernel with a grid barrier is cooperative. The barrier stays, once for the group, between two loops over its
// work-items. The kernel takes a fault record although it has no checks.
// MARK: signature = #spl.signature<"#[cooperative] meet(a: &mut [i32])">
// LOOPS: spl.kernel @meet
// LOOPS: scf.for
// LOOPS: spl.store
// LOOPS: {{^  }}spl.intrinsic "gpu.grid_barrier" : () -> ()
// LOOPS: scf.for
// LOOPS: spl.store
// RECORD: signature = #spl.signature<"#[faults] #[cooperative] meet(a: &mut [i32])">
spl.kernel @meet(%a: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"meet(a: &mut [i32])">} {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  spl.store %one, %a[%i] : <i32, mut>
  spl.intrinsic "gpu.grid_barrier" : () -> ()
  spl.store %two, %a[%i] : <i32, mut>
  spl.return
}

// A barrier of the group alone does not make it so.
// MARK: signature = #spl.signature<"alone(a: &mut [i32])">
// RECORD: signature = #spl.signature<"alone(a: &mut [i32])">
spl.kernel @alone(%a: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"alone(a: &mut [i32])">} {
  spl.intrinsic "gpu.barrier" : () -> ()
  spl.return
}
