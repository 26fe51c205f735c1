// RUN: simple-opt %s --spl-unroll-steps -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops around barriers become straight-line code where constants determine their iterations.

// The stride is a constant in each of the three iterations. What the loop returns is what it passes at its end.
// CHECK-LABEL: @tree
// CHECK-NOT: scf.while
// CHECK: spl.intrinsic "gpu.barrier"
// CHECK: spl.load %arg0[%c1_i64
// CHECK: spl.intrinsic "gpu.barrier"
// CHECK: spl.load %arg0[%c2_i64
// CHECK: spl.intrinsic "gpu.barrier"
// CHECK: spl.load %arg0[%c4_i64
// CHECK-NOT: gpu.barrier
// CHECK: spl.store %{{.*}}, %arg0[%c8_i64
spl.kernel @tree(%a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"tree()">} {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %eight = arith.constant 8 : i64
  %last:2 = scf.while (%stride = %one, %sum = %eight) : (i64, i64) -> (i64, i64) {
    %runs = arith.cmpi slt, %stride, %eight : i64
    scf.condition(%runs) %stride, %sum : i64, i64
  } do {
  ^bb0(%stride: i64, %sum: i64):
    spl.intrinsic "gpu.barrier"() : () -> ()
    %v = spl.load %a[%stride] : !spl.slice<i64, mut>
    %next = arith.addi %sum, %v : i64
    %twice = arith.muli %stride, %two : i64
    scf.yield %twice, %next : i64, i64
  }
  spl.store %last#1, %a[%last#0] : !spl.slice<i64, mut>
  spl.return
}

// -----

// Ten iterations are unrolled, and a loop without iterations is removed.
// CHECK-LABEL: @ten
// CHECK-NOT: scf.while
// CHECK-COUNT-10: spl.intrinsic "gpu.barrier"
// CHECK-NOT: spl.intrinsic
// CHECK: spl.return
// CHECK-LABEL: @none
// CHECK-NOT: scf.while
// CHECK-NOT: spl.intrinsic
// CHECK: spl.return
spl.kernel @ten(%a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"ten()">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.constant 10 : i64
  %last = scf.while (%k = %zero) : (i64) -> i64 {
    %runs = arith.cmpi slt, %k, %end : i64
    scf.condition(%runs) %k : i64
  } do {
  ^bb0(%k: i64):
    spl.intrinsic "gpu.barrier"() : () -> ()
    %next = arith.addi %k, %one : i64
    scf.yield %next : i64
  }
  spl.return
}
spl.kernel @none(%a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"none()">} {
  %one = arith.constant 1 : i64
  %last = scf.while (%k = %one) : (i64) -> i64 {
    %runs = arith.cmpi slt, %k, %one : i64
    scf.condition(%runs) %k : i64
  } do {
  ^bb0(%k: i64):
    spl.intrinsic "gpu.barrier"() : () -> ()
    scf.yield %k : i64
  }
  spl.return
}

// -----

// A loop with another loop around a barrier in it stays. The inner one depends on the outer one.
// CHECK-LABEL: @nested
// CHECK: scf.while
// CHECK: scf.while
// CHECK: spl.intrinsic "gpu.barrier"
// CHECK-NOT: spl.intrinsic
// CHECK: spl.return
spl.kernel @nested(%a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"nested()">} {
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %last = scf.while (%k = %one) : (i64) -> i64 {
    %runs = arith.cmpi slt, %k, %four : i64
    scf.condition(%runs) %k : i64
  } do {
  ^bb0(%k: i64):
    %inner = scf.while (%n = %k) : (i64) -> i64 {
      %again = arith.cmpi slt, %n, %four : i64
      scf.condition(%again) %n : i64
    } do {
    ^bb1(%n: i64):
      spl.intrinsic "gpu.barrier"() : () -> ()
      %more = arith.addi %n, %one : i64
      scf.yield %more : i64
    }
    %next = arith.addi %k, %one : i64
    scf.yield %next : i64
  }
  spl.return
}

// -----

// The number of iterations is not known, is 11, or there is no barrier.
// CHECK-LABEL: @unknown
// CHECK: scf.while
// CHECK-LABEL: @many
// CHECK: scf.while
// CHECK-LABEL: @alone
// CHECK: scf.while
spl.kernel @unknown(%a: !spl.slice<i64, mut>, %end: i64) attributes {signature = #spl.signature<"unknown()">} {
  %one = arith.constant 1 : i64
  %last = scf.while (%stride = %one) : (i64) -> i64 {
    %runs = arith.cmpi slt, %stride, %end : i64
    scf.condition(%runs) %stride : i64
  } do {
  ^bb0(%stride: i64):
    spl.intrinsic "gpu.barrier"() : () -> ()
    %twice = arith.addi %stride, %stride : i64
    scf.yield %twice : i64
  }
  spl.return
}
spl.kernel @many(%a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"many()">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.constant 11 : i64
  %last = scf.while (%k = %zero) : (i64) -> i64 {
    %runs = arith.cmpi slt, %k, %end : i64
    scf.condition(%runs) %k : i64
  } do {
  ^bb0(%k: i64):
    spl.intrinsic "gpu.barrier"() : () -> ()
    %next = arith.addi %k, %one : i64
    scf.yield %next : i64
  }
  spl.return
}
spl.kernel @alone(%a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"alone()">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.constant 3 : i64
  %last = scf.while (%k = %zero) : (i64) -> i64 {
    %runs = arith.cmpi slt, %k, %end : i64
    scf.condition(%runs) %k : i64
  } do {
  ^bb0(%k: i64):
    spl.store %k, %a[%k] : !spl.slice<i64, mut>
    %next = arith.addi %k, %one : i64
    scf.yield %next : i64
  }
  spl.return
}
