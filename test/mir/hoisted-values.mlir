// What is the same for the whole group is computed once, before the loops over the work-items, and is
// not saved across a barrier. The ids of a work-item are computed again. Other values are saved.
// RUN: simple-opt %s -spl-work-item-loops | FileCheck %s

// CHECK-LABEL: spl.kernel @hoisted(
// CHECK-NOT: scf.for
// CHECK-DAG: spl.intrinsic "gpu.group_id" axis 0
// CHECK-DAG: spl.intrinsic "gpu.group_id" axis 1
// CHECK-DAG: spl.intrinsic "gpu.group_id" axis 2
// CHECK-DAG: spl.intrinsic "gpu.num_groups" axis 0
// CHECK-DAG: spl.intrinsic "gpu.num_groups" axis 1
// CHECK-DAG: spl.intrinsic "gpu.num_groups" axis 2
// CHECK: scf.for
// CHECK-NOT: spl.intrinsic
// CHECK-NOT: spl.load
// CHECK: spl.return
spl.kernel @hoisted(%o: !spl.slice<i64, mut> {spl.name = "o"}) attributes {signature = #spl.signature<"hoisted(o: &mut [i64])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  %y = spl.intrinsic "gpu.group_id" axis 1 : () -> i64
  %z = spl.intrinsic "gpu.group_id" axis 2 : () -> i64
  %a = spl.intrinsic "gpu.num_groups" axis 0 : () -> i64
  %b = spl.intrinsic "gpu.num_groups" axis 1 : () -> i64
  %c = spl.intrinsic "gpu.num_groups" axis 2 : () -> i64
  %l = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  %m = spl.intrinsic "gpu.local_size" axis 1 : () -> i64
  %n = spl.intrinsic "gpu.local_size" axis 2 : () -> i64
  %s0 = arith.addi %x, %y : i64
  %s1 = arith.addi %s0, %z : i64
  %s2 = arith.addi %s1, %a : i64
  %s3 = arith.addi %s2, %b : i64
  %s4 = arith.addi %s3, %c : i64
  %s5 = arith.addi %s4, %l : i64
  %s6 = arith.addi %s5, %m : i64
  %sum = arith.addi %s6, %n : i64
  spl.store %sum, %o[%i] : !spl.slice<i64, mut>
  spl.intrinsic "gpu.barrier" : () -> ()
  spl.store %s4, %o[%i] : !spl.slice<i64, mut>
  spl.return
}

// CHECK-LABEL: spl.kernel @saved(
// CHECK: %[[S:.*]] = spl.scratch
// CHECK: %[[V:.*]] = spl.load %o
// CHECK: spl.store %[[V]], %[[S]]
// CHECK: scf.for
// CHECK: %[[W:.*]] = spl.load %[[S]]
// CHECK: spl.store %[[W]], %o
// CHECK: spl.return
spl.kernel @saved(%o: !spl.slice<i64, mut> {spl.name = "o"}) attributes {signature = #spl.signature<"saved(o: &mut [i64])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %v = spl.load %o[%i] : !spl.slice<i64, mut>
  spl.intrinsic "gpu.barrier" : () -> ()
  spl.store %v, %o[%i] : !spl.slice<i64, mut>
  spl.return
}
