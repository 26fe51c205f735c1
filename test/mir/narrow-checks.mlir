// RUN: simple-opt %s --spl-narrow-checks --canonicalize | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index of 32 bits is compared with the length in 32 bits, which is computed before all loops that do not change it.

// CHECK-LABEL: @loops
// CHECK: %[[N:.*]] = spl.extent %x, 0
// CHECK: %[[LEAST:.*]] = arith.minui %[[N]], %c2147483648_i64
// CHECK: %[[LIMIT:.*]] = arith.trunci %[[LEAST]] : i64 to i32
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[AT:.*]] = spl.load %at
// CHECK: %[[I:.*]] = arith.extsi %[[AT]] : i32 to i64
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %[[LIMIT]] : i32
// CHECK: spl.check %[[IN]], <"index-out-of-bounds">(%[[I]], %{{.*}}) {subject = "x"}
// CHECK: scf.if
// CHECK: arith.cmpi ult, %[[AT]], %[[LIMIT]] : i32
spl.kernel @loops(%at: !spl.slice<i32> {spl.name = "at"}, %x: !spl.slice<i32, mut> {spl.name = "x"}, %from: i64 {spl.name = "from"}, %to: i64 {spl.name = "to"}, %some: i1) attributes {signature = #spl.signature<"loops()">} {
  %c1 = arith.constant 1 : i64
  scf.for %j = %from to %to step %c1 : i64 {
    scf.for %k = %from to %j step %c1 : i64 {
      %a = spl.load %at[%k] : !spl.slice<i32>
      %i = arith.extsi %a : i32 to i64
      %n = spl.extent %x, 0 : !spl.slice<i32, mut>
      %in = arith.cmpi ult, %i, %n : i64
      spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
      spl.store %a, %x[%i] : !spl.slice<i32, mut>
      scf.if %some {
        %m = spl.extent %x, 0 : !spl.slice<i32, mut>
        %inside = arith.cmpi ult, %i, %m : i64
        spl.check %inside, <"index-out-of-bounds">(%i, %m) {subject = "x"}
      }
    }
  }
  spl.return
}

// These stay in 64 bits: an index of another type, one without a sign, one outside of loops, and a slice that differs
// between iterations, whose length is computed in each.
// CHECK-LABEL: @stay
// CHECK-NOT: arith.cmpi ult, %{{.*}} : i32
// CHECK: spl.return
spl.kernel @stay(%at: !spl.slice<i32> {spl.name = "at"}, %x: !spl.slice<i64, mut> {spl.name = "x"}, %from: i64, %to: i64, %a: i32, %b: i16) attributes {signature = #spl.signature<"stay()">} {
  %c1 = arith.constant 1 : i64
  %i = arith.extsi %a : i32 to i64
  %n = spl.extent %x, 0 : !spl.slice<i64, mut>
  %in = arith.cmpi ult, %i, %n : i64
  spl.check %in, <"index-out-of-bounds">(%i, %n) {subject = "x"}
  scf.for %k = %from to %to step %c1 : i64 {
    %wide = arith.extui %a : i32 to i64
    %isWide = arith.cmpi ult, %wide, %n : i64
    spl.check %isWide, <"index-out-of-bounds">(%wide, %n) {subject = "x"}
    %short = arith.extsi %b : i16 to i64
    %isShort = arith.cmpi ult, %short, %n : i64
    spl.check %isShort, <"index-out-of-bounds">(%short, %n) {subject = "x"}
    %part = spl.subslice %x[%from to %k] : !spl.slice<i64, mut>
    %length = spl.extent %part, 0 : !spl.slice<i64, mut>
    %isPart = arith.cmpi ult, %i, %length : i64
    spl.check %isPart, <"index-out-of-bounds">(%i, %length) {subject = "part"}
    spl.store %k, %part[%i] : !spl.slice<i64, mut>
  }
  spl.return
}
