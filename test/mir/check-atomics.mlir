// RUN: not simple-opt %s --spl-check-atomics 2>&1 | FileCheck %s --implicit-check-not=error:
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory must not reach an atomic, also through calls, views and control flow.

spl.func private @add(%a: !spl.slice<i32, mut>) -> i32 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %old = spl.atomic add %a[%zero](%one) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  spl.return %old : i32
}

spl.func private @between(%a: !spl.slice<i32, mut>, %b: !spl.slice<i32, mut>) -> i32 {
  %old = spl.call @add(%b) : (!spl.slice<i32, mut>) -> i32
  spl.return %old : i32
}

spl.kernel @k(%out: !spl.slice<i32, mut>, %which: i1) attributes {signature = #spl.signature<"k()">} {
  %private = spl.local 4 : !spl.slice<i32, mut>
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: 'add' has an atomic on local memory
  %0 = spl.call @add(%private) : (!spl.slice<i32, mut>) -> i32
  %either = scf.if %which -> !spl.slice<i32, mut> {
    scf.yield %private : !spl.slice<i32, mut>
  } else {
    scf.yield %out : !spl.slice<i32, mut>
  }
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: 'between' has an atomic
  %1 = spl.call @between(%out, %either) : (!spl.slice<i32, mut>, !spl.slice<i32, mut>) -> i32
  %2 = spl.call @between(%private, %out) : (!spl.slice<i32, mut>, !spl.slice<i32, mut>) -> i32
  spl.return
}
