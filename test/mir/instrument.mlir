// RUN: simple-opt %s --spl-instrument | FileCheck %s
// RUN: simple-opt %s --spl-instrument --spl-expand-for=target=cpu --spl-work-item-loops | FileCheck %s --check-prefix=LOOPS

// Accesses of what the kernel may write are traced, those of what it only reads are not.
// CHECK-LABEL: spl.kernel @add
// CHECK-NOT: spl.trace load %arg0
// CHECK: spl.load %{{.*}} : <f32>
// CHECK: spl.trace store %[[OUT:.*]][%[[I:.*]]] {subject = ""} : !spl.slice<f32, mut>
// CHECK-NEXT: spl.store %{{.*}}, %[[OUT]][%[[I]]]
// LOOPS-LABEL: spl.kernel @add
// LOOPS: spl.trace store %{{.*}}[%{{.*}}] work_item(%{{.*}}, %{{.*}}, %{{.*}})
spl.kernel @add(%a: !spl.slice<f32>, %out: !spl.slice<f32, mut>)
    attributes {signature = #spl.signature<"add(a: &[f32], out: &mut [f32])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <f32>
  spl.store %x, %out[%i] : <f32, mut>
  spl.return
}

// A parameter that may share memory with others is traced too.
// CHECK-LABEL: spl.kernel @aliased
// CHECK: spl.trace load
// CHECK-NEXT: spl.load
spl.kernel @aliased(%a: !spl.slice<f32> {spl.alias}, %out: !spl.slice<f32, mut>)
    attributes {signature = #spl.signature<"aliased(#[alias] a: &[f32], out: &mut [f32])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <f32>
  spl.store %x, %out[%i] : <f32, mut>
  spl.return
}

// Barriers are traced on both sides, and shared arrays by their names.
// CHECK-LABEL: spl.kernel @group
// CHECK: %[[TILE:.*]] = spl.shared "group.0"[64]
// CHECK: spl.trace shared %[[TILE]][] value(%{{.*}}) {detail = array<i32: 0, 0>, subject = "tile"}
// CHECK: spl.trace arrive
// CHECK-NEXT: spl.intrinsic "gpu.barrier"
// CHECK-NEXT: spl.trace leave
// CHECK: spl.trace warp_arrive
// CHECK-NEXT: spl.intrinsic "gpu.warp_barrier"
// CHECK-NEXT: spl.trace warp_leave
// CHECK: spl.intrinsic "gpu.fence"
// CHECK-NEXT: spl.trace fence {scope = #spl<scope device>}
// CHECK: spl.atomic add
// CHECK: spl.trace atomic_update %{{.*}}[%{{.*}}] value(%{{.*}}) {order = #spl<order acq_rel>, scope = #spl<scope group>
// CHECK: spl.trace uniform value(%{{.*}}) {detail = array<i32: 0, 0, 1>}
// CHECK-NEXT: spl.intrinsic "gpu.uniform"
// A local array belongs to the work-item.
// CHECK: spl.local
// CHECK-NOT: spl.trace
// CHECK: spl.return
// LOOPS-LABEL: spl.kernel @group
// LOOPS: spl.trace arrive work_item
// LOOPS: scf.for
// LOOPS: spl.trace leave work_item
spl.kernel @group(%out: !spl.slice<i32, mut>) attributes {signature = #spl.signature<"group(out: &mut [i32])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %one = arith.constant 1 : i32
  %tile = spl.shared "group.0"[64] {spl.name = "tile"} : !spl.slice<i32, mut>
  spl.intrinsic "gpu.barrier" : () -> ()
  spl.intrinsic "gpu.warp_barrier" : () -> ()
  spl.intrinsic "gpu.fence" {scope = #spl<scope device>} : () -> ()
  %old = spl.atomic add %tile[%i](%one) acq_rel group : !spl.slice<i32, mut>, (i32) -> i32
  %same = spl.intrinsic "gpu.uniform"(%old) : (i32) -> i32
  %own = spl.local 4 : !spl.slice<i32, mut>
  spl.store %same, %own[%i] : <i32, mut>
  spl.return
}

// A store of what an operation makes of the loaded element: which atomic does the same.
// CHECK-LABEL: spl.kernel @updates
// CHECK: spl.trace load %arg0[%{{.*}}] {detail = array<i32: 1>, subject = ""}
// CHECK: spl.trace store %arg0[%{{.*}}] {detail = array<i32: 1>, subject = ""}
// CHECK: spl.trace store %arg0[%{{.*}}] {detail = array<i32: 2>, subject = ""}
// CHECK: spl.trace store %arg0[%{{.*}}] {subject = ""}
// CHECK: spl.trace store %arg0[%{{.*}}] {subject = ""}
spl.kernel @updates(%out: !spl.slice<i32, mut>) attributes {signature = #spl.signature<"updates(out: &mut [i32])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i64
  %same = arith.constant 0 : i64
  %a = spl.load %out[%zero] : <i32, mut>
  %sum = arith.addi %one, %a : i32
  spl.store %sum, %out[%same] : <i32, mut>
  %b = spl.load %out[%i] : <i32, mut>
  %difference = arith.subi %b, %one : i32
  spl.store %difference, %out[%i] : <i32, mut>
  %negative = arith.subi %one, %b : i32
  spl.store %negative, %out[%i] : <i32, mut>
  %other = arith.addi %a, %one : i32
  spl.store %other, %out[%i] : <i32, mut>
  spl.return
}
