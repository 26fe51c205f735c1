// RUN: simple-opt %s --spl-join-checks --split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that follow each other share one branch, at most 16 of them. In it, the last one fails if no other does.

// The load of a comes after the branch. What the condition of b needs stays in front of it.
// CHECK-LABEL: @two
// CHECK-NOT: spl.check
// CHECK-NOT: spl.load
// CHECK: %[[A:.*]] = arith.cmpi ult, %i, %{{.*}} : i64
// CHECK-NOT: spl.load
// CHECK: %[[J:.*]] = arith.addi %i, %c1_i64
// CHECK: %[[B:.*]] = arith.cmpi ult, %[[J]], %[[M:.*]] : i64
// CHECK-NEXT: %[[ALL:.*]] = arith.andi %[[A]], %[[B]]
// CHECK: %[[FAILS:.*]] = arith.xori %[[ALL]], %true
// CHECK-NEXT: scf.if %[[FAILS]] {
// CHECK-NEXT: spl.check %[[A]], <"index-out-of-bounds">(%i, %{{.*}}) {subject = "a"}
// CHECK-NEXT: spl.check %false{{.*}}, <"index-out-of-bounds">(%[[J]], %[[M]]) {subject = "b"}
// CHECK-NEXT: }
// CHECK-NEXT: %[[X:.*]] = spl.load %a[%i]
// CHECK-NEXT: arith.addf %[[X]], %[[X]]
// CHECK-NEXT: spl.load %b[%[[J]]]
// CHECK-NOT: spl.check
spl.kernel @two(%a: !spl.slice<f32> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"}, %out: !spl.slice<f32, mut> {spl.name = "out"}, %i: i64 {spl.name = "i"}) attributes {signature = #spl.signature<"two()">} {
  %n = spl.extent %a, 0 : !spl.slice<f32>
  %in_a = arith.cmpi ult, %i, %n : i64
  spl.check %in_a, <"index-out-of-bounds">(%i, %n) {subject = "a"}
  %x = spl.load %a[%i] : !spl.slice<f32>
  %double = arith.addf %x, %x : f32
  %one = arith.constant 1 : i64
  %j = arith.addi %i, %one : i64
  %m = spl.extent %b, 0 : !spl.slice<f32>
  %in_b = arith.cmpi ult, %j, %m : i64
  spl.check %in_b, <"index-out-of-bounds">(%j, %m) {subject = "b"}
  %y = spl.load %b[%j] : !spl.slice<f32>
  %sum = arith.addf %double, %y : f32
  %zero = arith.constant 0 : i64
  spl.store %sum, %out[%zero] : !spl.slice<f32, mut>
  spl.return
}

// -----

// The index of the second check is loaded behind the first one. The third one joins the second.
// CHECK-LABEL: @depends
// CHECK: spl.check %{{.*}} {subject = "at"}
// CHECK-NEXT: spl.load %at
// CHECK-NOT: spl.check
// CHECK: scf.if
// CHECK-NEXT: spl.check %{{.*}} {subject = "a"}
// CHECK-NEXT: spl.check %false{{.*}} {subject = "b"}
// CHECK-NEXT: }
// CHECK-NOT: spl.check
spl.kernel @depends(%at: !spl.slice<i64> {spl.name = "at"}, %a: !spl.slice<f32> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"}, %out: !spl.slice<f32, mut> {spl.name = "out"}, %i: i64 {spl.name = "i"}) attributes {signature = #spl.signature<"depends()">} {
  %n = spl.extent %at, 0 : !spl.slice<i64>
  %in_at = arith.cmpi ult, %i, %n : i64
  spl.check %in_at, <"index-out-of-bounds">(%i, %n) {subject = "at"}
  %k = spl.load %at[%i] : !spl.slice<i64>
  %l = spl.extent %a, 0 : !spl.slice<f32>
  %in_a = arith.cmpi ult, %k, %l : i64
  spl.check %in_a, <"index-out-of-bounds">(%k, %l) {subject = "a"}
  %x = spl.load %a[%k] : !spl.slice<f32>
  %m = spl.extent %b, 0 : !spl.slice<f32>
  %in_b = arith.cmpi ult, %k, %m : i64
  spl.check %in_b, <"index-out-of-bounds">(%k, %m) {subject = "b"}
  %zero = arith.constant 0 : i64
  spl.store %x, %out[%zero] : !spl.slice<f32, mut>
  spl.return
}

// -----

// A remainder may trap, so it stays behind the check of its divisor, with the check that depends on it.
// CHECK-LABEL: @remainder
// CHECK-NOT: arith.remui
// CHECK: spl.check %{{.*}}, <"division-by-zero">
// CHECK: arith.remui
// CHECK: spl.check %{{[^f].*}} {subject = "a"}
// CHECK-NOT: scf.if
spl.kernel @remainder(%a: !spl.slice<f32, mut> {spl.name = "a"}, %i: i64 {spl.name = "i"}, %d: i64 {spl.name = "d"}) attributes {signature = #spl.signature<"remainder()">} {
  %zero = arith.constant 0 : i64
  %ok = arith.cmpi ne, %d, %zero : i64
  spl.check %ok, <"division-by-zero">
  %k = arith.remui %i, %d : i64
  %n = spl.extent %a, 0 : !spl.slice<f32, mut>
  %in_a = arith.cmpi ult, %k, %n : i64
  spl.check %in_a, <"index-out-of-bounds">(%k, %n) {subject = "a"}
  %x = arith.constant 0.0 : f32
  spl.store %x, %a[%k] : !spl.slice<f32, mut>
  spl.return
}

// -----

// A store is between the first two, and must have run if the second fails. An `if` is between the others.
// CHECK-LABEL: @effects
// CHECK: spl.check %in_a
// CHECK-NEXT: spl.store
// CHECK-NEXT: spl.check %in_b
// CHECK-NEXT: scf.if %p
// CHECK-NEXT: spl.store
// CHECK-NEXT: }
// CHECK-NEXT: spl.check %in_c
spl.kernel @effects(%a: !spl.slice<f32, mut> {spl.name = "a"}, %x: f32 {spl.name = "x"}, %p: i1 {spl.name = "p"}, %in_a: i1 {spl.name = "in_a"}, %in_b: i1 {spl.name = "in_b"}, %in_c: i1 {spl.name = "in_c"}) attributes {signature = #spl.signature<"effects()">} {
  %zero = arith.constant 0 : i64
  spl.check %in_a, <"division-by-zero">
  spl.store %x, %a[%zero] : !spl.slice<f32, mut>
  spl.check %in_b, <"division-by-zero">
  scf.if %p {
    spl.store %x, %a[%zero] : !spl.slice<f32, mut>
  }
  spl.check %in_c, <"division-by-zero">
  spl.return
}

// -----

// LLVM moves the check of b out of the loop, so it has its own branch. The others join behind it.
// CHECK-LABEL: @loop
// CHECK: scf.for
// CHECK: spl.check %{{.*}} {subject = "a"}
// CHECK: spl.check %in_b
// CHECK-NOT: spl.check
// CHECK: scf.if
// CHECK-NEXT: spl.check %{{.*}} {subject = "c"}
// CHECK-NEXT: spl.check %false{{.*}} {subject = "d"}
// CHECK-NOT: spl.check
spl.kernel @loop(%a: !spl.slice<f32, mut> {spl.name = "a"}, %n: i64 {spl.name = "n"}, %in_b: i1 {spl.name = "in_b"}, %l: i64 {spl.name = "l"}) attributes {signature = #spl.signature<"loop()">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = arith.constant 0.0 : f32
  scf.for %k = %zero to %n step %one : i64 {
    %in_a = arith.cmpi ult, %k, %l : i64
    spl.check %in_a, <"index-out-of-bounds">(%k, %l) {subject = "a"}
    spl.check %in_b, <"division-by-zero">
    %in_c = arith.cmpi ugt, %k, %one : i64
    spl.check %in_c, <"index-out-of-bounds">(%k, %l) {subject = "c"}
    %in_d = arith.cmpi ne, %k, %n : i64
    spl.check %in_d, <"index-out-of-bounds">(%k, %l) {subject = "d"}
    spl.store %x, %a[%k] : !spl.slice<f32, mut>
  }
  spl.return
}

// -----

// A version that seldom runs stays as it is.
// CHECK-LABEL: @cold
// CHECK: spl.check %p
// CHECK-NEXT: spl.check %q
spl.kernel @cold(%p: i1 {spl.name = "p"}, %q: i1 {spl.name = "q"}) attributes {signature = #spl.signature<"cold()">, spl.cold} {
  spl.check %p, <"division-by-zero">
  spl.check %q, <"division-by-zero">
  spl.return
}

// -----

// Three checks: the branch is on all conditions, and the first two checks keep theirs.
// CHECK-LABEL: @three
// CHECK: %[[PQ:.*]] = arith.andi %p, %q
// CHECK: %[[PQR:.*]] = arith.andi %[[PQ]], %r
// CHECK: %[[FAILS:.*]] = arith.xori %[[PQR]], %true
// CHECK: scf.if %[[FAILS]]
// CHECK-NEXT: spl.check %p
// CHECK-NEXT: spl.check %q
// CHECK-NEXT: spl.check %false
// CHECK-NEXT: }
spl.func private @three(%p: i1 {spl.name = "p"}, %q: i1 {spl.name = "q"}, %r: i1 {spl.name = "r"}) {
  spl.check %p, <"division-by-zero">
  spl.check %q, <"division-by-zero">
  spl.check %r, <"division-by-zero">
  spl.return
}

// -----

// A quotient may trap. The length that the last check reports is loaded, though its condition is not.
// CHECK-LABEL: @quotient
// CHECK: spl.check %{{.*}}, <"division-by-zero">
// CHECK-NEXT: arith.divsi
// CHECK: spl.check %in_a
// CHECK-NEXT: %[[LOADED:.*]] = spl.load
// CHECK-NEXT: spl.check %in_b, <"index-out-of-bounds">(%{{.*}}, %[[LOADED]])
// CHECK-NOT: scf.if
spl.kernel @quotient(%a: !spl.slice<i64> {spl.name = "a"}, %i: i64 {spl.name = "i"}, %d: i64 {spl.name = "d"}, %in_a: i1 {spl.name = "in_a"}, %in_b: i1 {spl.name = "in_b"}) attributes {signature = #spl.signature<"quotient()">} {
  %zero = arith.constant 0 : i64
  %ok = arith.cmpi ne, %d, %zero : i64
  spl.check %ok, <"division-by-zero">
  %k = arith.divsi %i, %d : i64
  spl.check %in_a, <"index-out-of-bounds">(%k, %zero) {subject = "a"}
  %n = spl.load %a[%zero] : !spl.slice<i64>
  spl.check %in_b, <"index-out-of-bounds">(%zero, %n) {subject = "b"}
  spl.return
}

// -----

// An atomic and an operation of the warp come between checks.
// CHECK-LABEL: @ordered
// CHECK: spl.check %p
// CHECK: spl.atomic
// CHECK-NEXT: spl.check %q
// CHECK-NEXT: "gpu.warp_sum"
// CHECK-NEXT: spl.check %r
spl.kernel @ordered(%a: !spl.slice<i32, mut> {spl.name = "a"}, %x: i32 {spl.name = "x"}, %p: i1 {spl.name = "p"}, %q: i1 {spl.name = "q"}, %r: i1 {spl.name = "r"}) attributes {signature = #spl.signature<"ordered()">} {
  %zero = arith.constant 0 : i64
  spl.check %p, <"division-by-zero">
  %old = spl.atomic add %a[%zero] (%x) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  spl.check %q, <"division-by-zero">
  %sum = spl.intrinsic "gpu.warp_sum"(%x) : (i32) -> i32
  spl.check %r, <"division-by-zero">
  spl.return
}

// -----

// In an `if` in a loop, the check of b is the same in all rounds. The two before it share a branch.
// CHECK-LABEL: @branch
// CHECK: scf.for
// CHECK: scf.if %p
// CHECK: scf.if
// CHECK-NEXT: spl.check %{{.*}} {subject = "c"}
// CHECK-NEXT: spl.check %false{{.*}} {subject = "d"}
// CHECK-NEXT: }
// CHECK-NEXT: spl.load
// CHECK-NEXT: spl.check %in_b
spl.kernel @branch(%a: !spl.slice<f32, mut> {spl.name = "a"}, %n: i64 {spl.name = "n"}, %p: i1 {spl.name = "p"}, %in_b: i1 {spl.name = "in_b"}) attributes {signature = #spl.signature<"branch()">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %k = %zero to %n step %one : i64 {
    scf.if %p {
      %in_c = arith.cmpi ugt, %k, %one : i64
      spl.check %in_c, <"index-out-of-bounds">(%k, %n) {subject = "c"}
      %x = spl.load %a[%k] : !spl.slice<f32, mut>
      %in_d = arith.cmpi ne, %k, %n : i64
      spl.check %in_d, <"index-out-of-bounds">(%k, %n) {subject = "d"}
      spl.check %in_b, <"division-by-zero">
      spl.store %x, %a[%k] : !spl.slice<f32, mut>
    }
  }
  spl.return
}
