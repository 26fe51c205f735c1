// RUN: simple-opt %s --spl-mark-cold | FileCheck %s
// RUN: simple-opt %s --spl-mark-cold --spl-split-checks | FileCheck %s --check-prefix=SPLIT
// RUN: simple-opt %s --spl-mark-cold --spl-batch-loops | FileCheck %s --check-prefix=BATCH
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that launches run only if they do not meet its contract is cold: its loops stay as they are.

// CHECK: spl.kernel @sum({{.*}}spl.cold
// SPLIT-LABEL: spl.kernel @sum(
// SPLIT-COUNT-1: spl.check
// SPLIT-NOT: scf.if
// BATCH-LABEL: spl.kernel @sum(
// BATCH-COUNT-1: spl.load
// BATCH-NOT: spl.load
spl.kernel @sum(%x: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %from: i32 {spl.name = "from"}, %to: i32) attributes {signature = #spl.signature<"sum(from: i32) unchecked if 1 <= from">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %from to %to step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
    %i = arith.extsi %k : i32 to i64
    %n = spl.extent %x, 0 : !spl.slice<f32>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
    %e = spl.load %x[%i] : !spl.slice<f32>
    %next = arith.addf %sum, %e : f32
    scf.yield %next : f32
  }
  spl.store %r, %out[%c0] : !spl.slice<f32, mut>
  spl.return
}

// CHECK-NOT: spl.cold
// CHECK: spl.kernel @sum$unchecked(
// CHECK-NOT: spl.cold
// SPLIT-LABEL: spl.kernel @sum$unchecked(
// SPLIT: scf.if
// BATCH-LABEL: spl.kernel @sum$unchecked(
// BATCH-COUNT-5: spl.load
spl.kernel @sum$unchecked(%x: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %from: i32 {spl.name = "from"}, %to: i32) attributes {signature = #spl.signature<"sum()">, spl.version = 1 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %from to %to step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
    %i = arith.extsi %k : i32 to i64
    %n = spl.extent %x, 0 : !spl.slice<f32>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
    %e = spl.load %x[%i] : !spl.slice<f32>
    %next = arith.addf %sum, %e : f32
    scf.yield %next : f32
  }
  spl.store %r, %out[%c0] : !spl.slice<f32, mut>
  spl.return
}

// All launches run a kernel without a contract.
// CHECK: spl.kernel @plain(
// CHECK-NOT: spl.cold
// SPLIT-LABEL: spl.kernel @plain(
// SPLIT: scf.if
// BATCH-LABEL: spl.kernel @plain(
// BATCH-COUNT-5: spl.load
spl.kernel @plain(%x: !spl.slice<f32>, %out: !spl.slice<f32, mut>, %from: i32 {spl.name = "from"}, %to: i32) attributes {signature = #spl.signature<"plain()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %from to %to step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
    %i = arith.extsi %k : i32 to i64
    %n = spl.extent %x, 0 : !spl.slice<f32>
    %in = arith.cmpi ult, %i, %n : i64
    spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
    %e = spl.load %x[%i] : !spl.slice<f32>
    %next = arith.addf %sum, %e : f32
    scf.yield %next : f32
  }
  spl.store %r, %out[%c0] : !spl.slice<f32, mut>
  spl.return
}
