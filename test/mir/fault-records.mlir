// RUN: simple-opt %s --spl-fault-records | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass marks the kernels and functions in which a check can fail, and no others. Functions may be
// recursive.

// CHECK: spl.kernel @checks() attributes {{.*}}signature = #spl.signature<"#[faults] checks()">{{.*}}spl.fault_record
spl.kernel @checks() attributes {signature = #spl.signature<"checks()">} {
  %true = arith.constant true
  %dynamic = spl.intrinsic "gpu.any"(%true) : (i1) -> i1
  spl.check %dynamic, <"division-by-zero">
  spl.return
}

// CHECK: spl.kernel @calls() attributes {{.*}}signature = #spl.signature<"#[faults] #[gpu(block: [64])] calls()">
spl.kernel @calls() attributes {signature = #spl.signature<"#[gpu(block: [64])] calls()">} {
  spl.call @round() : () -> ()
  spl.return
}

// CHECK: spl.kernel @none() attributes {signature = #spl.signature<"none()">} {
spl.kernel @none() attributes {signature = #spl.signature<"none()">} {
  spl.call @harmless() : () -> ()
  spl.return
}

// CHECK: spl.func @round() attributes {spl.fault_record}
spl.func @round() {
  spl.call @back() : () -> ()
  spl.return
}
// CHECK: spl.func @back() attributes {spl.fault_record}
spl.func @back() {
  spl.call @round() : () -> ()
  spl.call @fails() : () -> ()
  spl.return
}
// CHECK: spl.func @fails() attributes {spl.fault_record}
spl.func @fails() {
  %false = arith.constant false
  spl.check %false, <"trap">
  spl.return
}
// CHECK: spl.func @harmless() {
spl.func @harmless() {
  spl.return
}
