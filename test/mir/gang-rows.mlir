// RUN: simple-opt %s --spl-gang-loops="vector-bits=512" -split-input-file | FileCheck %s
// RUN: simple-opt %s --spl-gang-loops="vector-bits=256" -split-input-file | FileCheck %s --check-prefix=NARROW
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of gangs share the loads that are the same for each row.

// Four rows have sums of their own. The rows that are left run one by one, and the work-items that are left at the ends
// of the rows after that. A CPU with sixteen registers has none left for more rows.
// CHECK-LABEL: @product
// CHECK: %[[WHOLE:.*]] = arith.andi %{{.*}}, %c-4_i64
// CHECK: %[[END:.*]] = arith.addi %{{.*}}, %[[WHOLE]]
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %[[END]] step %c4_i64
// CHECK: scf.for %[[X:.*]] = %{{.*}} step %c64_i64
// CHECK: %[[SUMS:.*]]:4 = scf.for %[[K:[^ ]*]] =
// CHECK: %[[SHARED:.*]] = spl.load_lanes %arg1[%[[K]], %[[X]]]
// CHECK-COUNT-4: math.fma
// CHECK-NOT: math.fma
// CHECK-COUNT-4: spl.store_lanes
// CHECK: scf.for %{{.*}} = %[[END]] to %arg3 step
// CHECK: scf.for %{{.*}} step %c64_i64
// CHECK: math.fma
// CHECK: scf.for
// CHECK-NOT: step %c64_i64
// CHECK: spl.store_lanes %{{.*}} mask
// CHECK: spl.return
// NARROW-LABEL: @product
// NARROW-NOT: step %c4_i64
// NARROW: spl.return
spl.kernel @product(%a: !spl.slice<f32, rank 2>, %b: !spl.slice<f32, rank 2>, %out: !spl.slice<f32, mut, rank 2>, %rows: i64, %n: i64, %size: i64) attributes {signature = #spl.signature<"product()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %y = %c0 to %rows step %c1 : i64 {
    scf.for %x = %c0 to %size step %c1 : i64 {
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
        %left = spl.load %a[%y, %k] : <f32, rank 2>
        %right = spl.load %b[%k, %x] : <f32, rank 2>
        %next = math.fma %left, %right, %acc : f32
        scf.yield %next : f32
      }
      spl.store %sum, %out[%y, %x] : <f32, mut, rank 2>
    } {spl.work_items = 0 : i64}
  }
  spl.return
}

// -----

// Nothing is shared if each row loads vectors of its own.
// CHECK-LABEL: @own
// CHECK-NOT: step %c4_i64
// CHECK: spl.return
spl.kernel @own(%b: !spl.slice<f32, rank 2>, %out: !spl.slice<f32, mut, rank 2>, %rows: i64, %n: i64, %size: i64) attributes {signature = #spl.signature<"own()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %y = %c0 to %rows step %c1 : i64 {
    scf.for %x = %c0 to %size step %c1 : i64 {
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
        %at = arith.addi %k, %y : i64
        %v = spl.load %b[%at, %x] : <f32, rank 2>
        %next = arith.addf %v, %acc : f32
        scf.yield %next : f32
      }
      spl.store %sum, %out[%y, %x] : <f32, mut, rank 2>
    } {spl.work_items = 0 : i64}
  }
  spl.return
}

// -----

// The number of iterations differs between rows.
// CHECK-LABEL: @triangle
// CHECK-NOT: step %c4_i64
// CHECK: spl.return
spl.kernel @triangle(%b: !spl.slice<f32, rank 2>, %out: !spl.slice<f32, mut, rank 2>, %rows: i64, %n: i64, %size: i64) attributes {signature = #spl.signature<"triangle()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %y = %c0 to %rows step %c1 : i64 {
    scf.for %x = %c0 to %size step %c1 : i64 {
      %sum = scf.for %k = %c0 to %y step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
        %v = spl.load %b[%k, %x] : <f32, rank 2>
        %next = arith.addf %v, %acc : f32
        scf.yield %next : f32
      }
      spl.store %sum, %out[%y, %x] : <f32, mut, rank 2>
    } {spl.work_items = 0 : i64}
  }
  spl.return
}

// -----

// The loop around the row does something for each row that is no work of a gang.
// CHECK-LABEL: @effects
// CHECK-NOT: step %c4_i64
// CHECK: spl.return
spl.kernel @effects(%b: !spl.slice<f32, rank 2>, %out: !spl.slice<f32, mut, rank 2>, %rows: i64, %n: i64, %size: i64) attributes {signature = #spl.signature<"effects()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %y = %c0 to %rows step %c1 : i64 {
    spl.store %zero, %out[%y, %c0] : <f32, mut, rank 2>
    scf.for %x = %c0 to %size step %c1 : i64 {
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i64 {
        %v = spl.load %b[%k, %x] : <f32, rank 2>
        %next = arith.addf %v, %acc : f32
        scf.yield %next : f32
      }
      spl.store %sum, %out[%y, %x] : <f32, mut, rank 2>
    } {spl.work_items = 0 : i64}
  }
  spl.return
}
