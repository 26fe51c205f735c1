// RUN: simple-opt %s -spl-inline -split-input-file | FileCheck %s
// RUN: simple-opt %s -spl-inline -split-input-file -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// Two nested calls in a loop are inlined. The functions are removed, as nothing calls them.
// CHECK-LABEL: spl.kernel @nested(
// CHECK: scf.for
// CHECK-NEXT: %[[X:.*]] = spl.load
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[SQUARE]], %[[X]] : f32
// CHECK-NEXT: spl.store %[[SUM]]
// CHECK: spl.return
// CHECK-NOT: spl.func
// LOC-LABEL: spl.kernel @nested(
// LOC: arith.mulf {{.*}} loc(callsite("square.spl":1:5 at callsite("outer.spl":2:5 at "kernel.spl":3:5)))
// LOC: arith.addf {{.*}} loc(callsite("outer.spl":2:9 at "kernel.spl":3:5))
spl.kernel @nested(%a: !spl.slice<f32, mut>, %n: i64)
    attributes {signature = #spl.signature<"nested(a: &mut [f32], n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %x = spl.load %a[%i] : <f32, mut>
    %y = spl.call @outer(%x) : (f32) -> f32 loc("kernel.spl":3:5)
    spl.store %y, %a[%i] : <f32, mut>
  }
  spl.return
}
spl.func private @outer(%x: f32) -> f32 {
  %square = spl.call @square(%x) : (f32) -> f32 loc("outer.spl":2:5)
  %sum = arith.addf %square, %x : f32 loc("outer.spl":2:9)
  spl.return %sum : f32
}
spl.func private @square(%x: f32) -> f32 {
  %square = arith.mulf %x, %x : f32 loc("square.spl":1:5)
  spl.return %square : f32
}

// -----

// A function without a result, and a function without callers.
// CHECK-LABEL: spl.kernel @effects(
// CHECK-NEXT: arith.constant
// CHECK-NEXT: spl.check %{{.*}}, <"division-by-zero">
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: spl.store
// CHECK-NEXT: spl.return
// CHECK-NOT: spl.func private
// CHECK: spl.func @public(
spl.kernel @effects(%a: !spl.slice<i32, mut>, %c: i1)
    attributes {signature = #spl.signature<"effects(a: &mut [i32], c: bool)">} {
  %x = arith.constant 7 : i32
  spl.call @write(%a, %x, %c) : (!spl.slice<i32, mut>, i32, i1) -> ()
  spl.return
}
spl.func private @write(%a: !spl.slice<i32, mut>, %x: i32, %c: i1) {
  spl.check %c, <"division-by-zero">
  %i = arith.extsi %x : i32 to i64
  spl.store %x, %a[%i] : <i32, mut>
  spl.return
}
spl.func private @uncalled() {
  spl.return
}
spl.func @public() {
  spl.return
}

// -----

// One call of a cycle stays. The frontend rejects recursion, but no pass may hang on it.
// CHECK-LABEL: spl.kernel @circle(
// CHECK: spl.call @even
// CHECK: spl.func private @even
// CHECK-NEXT: spl.call @even
spl.kernel @circle(%n: i64) attributes {signature = #spl.signature<"circle(n: i64)">} {
  %r = spl.call @even(%n) : (i64) -> i64
  %s = spl.call @even(%r) : (i64) -> i64
  spl.return
}
spl.func private @even(%n: i64) -> i64 {
  %r = spl.call @odd(%n) : (i64) -> i64
  spl.return %r : i64
}
spl.func private @odd(%n: i64) -> i64 {
  %r = spl.call @even(%n) : (i64) -> i64
  spl.return %r : i64
}
