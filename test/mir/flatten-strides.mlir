// RUN: simple-opt %s --spl-flatten-strides -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that strides over a group of fixed size becomes one loop over all values of its variable.

// The variable is divided by 18 only: rows, and columns of which adjacent ones are adjacent elements.
// CHECK-LABEL: @tile
// CHECK-DAG: %[[WIDTH:.*]] = arith.constant 18
// CHECK: scf.for %[[ROW:.*]] = %c0_i64{{.*}} to %c18_i64
// CHECK: scf.for %[[COLUMN:.*]] = %c0_i64{{.*}} to %c18_i64
// CHECK-NOT: arith.divsi
// CHECK-NOT: arith.remsi
// CHECK: spl.store %{{.*}}, %arg0[%[[ROW]], %[[COLUMN]]]
// CHECK: } {spl.work_items = 18 : i64}
spl.kernel @tile(%tile: !spl.slice<f32, mut, rank 2>, %v: f32) attributes {signature = #spl.signature<"tile()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c18 = arith.constant 18 : i64
  %end = arith.muli %c18, %c18 : i64
  %size = arith.muli %c16, %c16 : i64
  scf.for %z = %c0 to %c1 step %c1 : i64 {
    scf.for %y = %c0 to %c16 step %c1 : i64 {
      scf.for %x = %c0 to %c16 step %c1 : i64 {
        %before = arith.muli %y, %c16 : i64
        %me = arith.addi %before, %x : i64
        %some = arith.cmpi slt, %me, %end : i64
        %far = arith.subi %end, %me : i64
        %distance = arith.subi %far, %c1 : i64
        %0:3 = scf.while (%k = %me, %more = %some, %left = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
          scf.condition(%more) %k, %more, %left : i64, i1, i64
        } do {
        ^bb0(%k: i64, %more: i1, %left: i64):
          %row = arith.divsi %k, %c18 : i64
          %column = arith.remsi %k, %c18 : i64
          spl.store %v, %tile[%row, %column] : <f32, mut, rank 2>
          %next = arith.addi %k, %size : i64
          %again = arith.cmpi uge, %left, %size : i64
          %rest = arith.subi %left, %size : i64
          scf.yield %next, %again, %rest : i64, i1, i64
        }
      } {spl.work_items = 16 : i64}
    }
  }
  spl.return
}

// -----

// A constant step: the loop counts its rounds. The number of the round is a quotient.
// CHECK-LABEL: @rounds
// CHECK: scf.for %[[K:.*]] = %c0_i64{{.*}} to %
// CHECK: %[[ROUND:.*]] = arith.divui %[[K]], %c32_i64
// CHECK: spl.store %[[ROUND]], %arg0[%[[K]]]
// CHECK: } {spl.work_items = 0 : i64}
spl.kernel @rounds(%out: !spl.slice<i64, mut>, %n: i64) attributes {signature = #spl.signature<"rounds()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  scf.for %z = %c0 to %c1 step %c1 : i64 {
    scf.for %y = %c0 to %c1 step %c1 : i64 {
      scf.for %x = %c0 to %c32 step %c1 : i64 {
        %some = arith.cmpi slt, %x, %n : i64
        %far = arith.subi %n, %x : i64
        %distance = arith.subi %far, %c1 : i64
        %last = arith.divui %distance, %c32 : i64
        %count = arith.addi %last, %c1 : i64
        %all = arith.select %some, %count, %c0 : i64
        scf.for unsigned %round = %c0 to %all step %c1 : i64 {
          %offset = arith.muli %round, %c32 : i64
          %k = arith.addi %x, %offset : i64
          spl.store %round, %out[%k] : <i64, mut>
        }
      } {spl.work_items = 32 : i64}
    }
  }
  spl.return
}

// -----

// Other strides stay: a step that is not the size of the group, an id that is not flat, and an end of each work-item.
// CHECK-LABEL: @others
// CHECK-COUNT-3: scf.for unsigned
spl.kernel @others(%out: !spl.slice<i64, mut>, %n: i64) attributes {signature = #spl.signature<"others()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  scf.for %z = %c0 to %c1 step %c1 : i64 {
    scf.for %y = %c0 to %c1 step %c1 : i64 {
      scf.for %x = %c0 to %c32 step %c1 : i64 {
        %some = arith.cmpi slt, %x, %n : i64
        %all = arith.select %some, %n, %c0 : i64
        scf.for unsigned %round = %c0 to %all step %c1 : i64 {
          %offset = arith.muli %round, %c64 : i64
          %k = arith.addi %x, %offset : i64
          spl.store %round, %out[%k] : <i64, mut>
        }
      } {spl.work_items = 32 : i64}
    }
  }
  scf.for %z = %c0 to %c1 step %c1 : i64 {
    scf.for %y = %c0 to %c1 step %c1 : i64 {
      scf.for %x = %c0 to %c32 step %c1 : i64 {
        %me = arith.addi %x, %c1 : i64
        %some = arith.cmpi slt, %me, %n : i64
        %all = arith.select %some, %n, %c0 : i64
        scf.for unsigned %round = %c0 to %all step %c1 : i64 {
          %offset = arith.muli %round, %c32 : i64
          %k = arith.addi %me, %offset : i64
          spl.store %round, %out[%k] : <i64, mut>
        }
      } {spl.work_items = 32 : i64}
    }
  }
  scf.for %z = %c0 to %c1 step %c1 : i64 {
    scf.for %y = %c0 to %c1 step %c1 : i64 {
      scf.for %x = %c0 to %c32 step %c1 : i64 {
        %end = arith.subi %n, %x : i64
        %some = arith.cmpi slt, %x, %end : i64
        %all = arith.select %some, %n, %c0 : i64
        scf.for unsigned %round = %c0 to %all step %c1 : i64 {
          %offset = arith.muli %round, %c32 : i64
          %k = arith.addi %x, %offset : i64
          spl.store %round, %out[%k] : <i64, mut>
        }
      } {spl.work_items = 32 : i64}
    }
  }
  spl.return
}
