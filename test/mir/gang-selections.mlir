// RUN: simple-opt %s --spl-gang-loops="vector-bits=128" | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A short if without effects runs in all lanes, also if no lane takes it. Its sums may then overflow, those that are the
// same for all lanes too.

// CHECK-LABEL: @selected
// CHECK: arith.addi %arg2, %c1_i64 : i64
// CHECK-NOT: overflow<nsw>
// CHECK: arith.select
spl.kernel @selected(%a: !spl.slice<i64>, %out: !spl.slice<i64, mut>, %n: i64, %m: i64, %size: i64) attributes {signature = #spl.signature<"selected()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %last = scf.for %k = %c0 to %m step %c1 iter_args(%v = %c0) -> (i64) : i64 {
      %loaded = spl.load %a[%x] : !spl.slice<i64>
      %isMore = arith.cmpi slt, %n, %loaded : i64
      %next = scf.if %isMore -> (i64) {
        %above = arith.addi %n, %c1 overflow<nsw> : i64
        %sum = arith.addi %above, %loaded : i64
        scf.yield %sum : i64
      } else {
        scf.yield %v : i64
      }
      scf.yield %next : i64
    }
    spl.store %last, %out[%x] : !spl.slice<i64, mut>
  } {spl.work_items = 0 : i64}
  spl.return
}
