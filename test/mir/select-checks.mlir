// RUN: simple-opt %s -spl-select-checks | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: simple-opt %s -spl-select-checks=kinds=bounds,exponent | FileCheck %s --check-prefixes=CHECK,BOUNDS
// RUN: simple-opt %s -spl-select-checks=kinds=division | FileCheck %s --check-prefixes=CHECK,DIVISION
// RUN: simple-opt %s -spl-select-checks=kinds=none | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: not simple-opt %s -spl-select-checks=kinds=bounds,all 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not simple-opt %s -spl-select-checks=kinds= 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: simple-opt %s -spl-select-checks -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// UNKNOWN: error: 'all' is not a kind of check; write it alone
// EMPTY: error: unknown kind of check ''; the kinds are bounds, division, exponent, assert, all and none

// CHECK-LABEL: spl.kernel @accesses(
spl.kernel @accesses(%a: !spl.slice<f32, mut> {spl.name = "a"},
                     %image: !spl.slice<f32, mut, rank 2> {spl.name = "image"}, %i: i64, %j: i64)
    attributes {signature = #spl.signature<"accesses(a: &mut [f32], image: &mut [f32, 2], i: i64, j: i64)">} {
  // A view has the name of its slice.
  // CHECK: %[[VIEW:.*]] = spl.read_only
  // ALL-NEXT: %[[N:.*]] = spl.extent %[[VIEW]], 0 : <f32>
  // ALL-NEXT: %[[IN:.*]] = arith.cmpi ult, %[[I:.*]], %[[N]] : i64
  // ALL-NEXT: spl.check %[[IN]], <"index-out-of-bounds">(%[[I]], %[[N]]) {subject = "a"}
  // BOUNDS-NEXT: spl.extent
  // BOUNDS-NEXT: arith.cmpi
  // BOUNDS-NEXT: spl.check
  // CHECK-NEXT: %[[X:.*]] = spl.load %[[VIEW]]
  %view = spl.read_only %a : <f32, mut> -> <f32>
  %x = spl.load %view[%i] : <f32> loc("view.spl":7:12)

  // A u64 index is reported as unsigned.
  // ALL: spl.check %{{.*}}, <"index-out-of-bounds">(%[[I]], %{{.*}}) {isUnsigned, subject = "a"}
  // CHECK: spl.load %[[VIEW]]
  %unsigned = spl.load %view[%i] {spl.unsigned = array<i64: 0>} : <f32>

  // One check for each axis.
  // ALL-NEXT: %[[N0:.*]] = spl.extent %[[IMAGE:.*]], 0 : <f32, mut, rank 2>
  // ALL-NEXT: %[[IN0:.*]] = arith.cmpi ult, %[[I]], %[[N0]] : i64
  // ALL-NEXT: spl.check %[[IN0]], <"index-out-of-bounds">(%[[I]], %[[N0]]) {subject = "axis 0 of image"}
  // ALL-NEXT: %[[N1:.*]] = spl.extent %[[IMAGE]], 1 : <f32, mut, rank 2>
  // ALL-NEXT: %[[IN1:.*]] = arith.cmpi ult, %[[J:.*]], %[[N1]] : i64
  // ALL-NEXT: spl.check %[[IN1]], <"index-out-of-bounds">(%[[J]], %[[N1]]) {subject = "axis 1 of image"}
  // BOUNDS-COUNT-2: spl.check
  // CHECK-NEXT: spl.store %[[X]], %{{.*}}[%{{.*}}, %{{.*}}]
  spl.store %x, %image[%i, %j] : <f32, mut, rank 2>

  // CHECK-NEXT: spl.load %{{.*}} {unchecked}
  // CHECK-NEXT: spl.store %{{.*}} {unchecked}
  %y = spl.load %a[%i] {unchecked} : <f32, mut>
  spl.store %y, %a[%j] {unchecked} : <f32, mut>

  // CHECK-NEXT: spl.return
  spl.return
}

// Every inserted operation has the location of the access.
// LOC: spl.extent {{.*}} loc("view.spl":7:12)
// LOC-NEXT: arith.cmpi {{.*}} loc("view.spl":7:12)
// LOC-NEXT: spl.check {{.*}} loc("view.spl":7:12)
// LOC-NEXT: spl.load {{.*}} loc("view.spl":7:12)

// CHECK-LABEL: spl.func @named_access(
spl.func @named_access(%a: !spl.slice<f32>, %b: !spl.slice<f32>, %c: i1, %i: i64) -> f32 {
  // A slice without a name has the name in the access, if there is one.
  // ALL: spl.check %{{.*}}, <"index-out-of-bounds">{{.*}} {subject = "chosen"}
  // BOUNDS: spl.check
  // CHECK: spl.load
  // ALL: spl.check %{{.*}}, <"index-out-of-bounds">(%{{.*}}, %{{[a-z0-9]+}}){{$}}
  // BOUNDS: spl.check
  // CHECK: spl.load
  %chosen = arith.select %c, %a, %b : !spl.slice<f32>
  %x = spl.load %chosen[%i] {spl.name = "chosen"} : <f32>
  %y = spl.load %chosen[%i] : <f32>
  spl.return %x : f32
}

// CHECK-LABEL: spl.func @atomic(
spl.func @atomic(%a: !spl.slice<i32, mut> {spl.name = "a"}, %i: i64, %v: i32) {
  // ALL: spl.check %{{.*}}, <"index-out-of-bounds">{{.*}} {subject = "a"}
  // BOUNDS: spl.check
  // CHECK: spl.atomic
  // CHECK-NEXT: spl.atomic
  %old = spl.atomic add %a[%i](%v) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  spl.atomic store %a[%i](%v) relaxed device {unchecked} : !spl.slice<i32, mut>, (i32) -> ()
  spl.return
}

// CHECK-LABEL: spl.func @other_kinds(
spl.func @other_kinds(%c: i1, %i: i64) {
  // ALL-NEXT: spl.check %{{.*}}, <"division-by-zero">
  // ALL-NEXT: spl.check %{{.*}}, <"negative-exponent">
  // BOUNDS-NEXT: spl.check %{{.*}}, <"negative-exponent">
  // DIVISION-NEXT: spl.check %{{.*}}, <"division-by-zero">
  // A trap is an operation of the program and no check.
  // CHECK-NEXT: spl.check %{{.*}}, <trap>
  // CHECK-NEXT: spl.return
  spl.check %c, <"division-by-zero">
  spl.check %c, <"negative-exponent">(%i)
  spl.check %c, <trap>
  spl.return
}
// NONE-NOT: index-out-of-bounds
// NONE-NOT: spl.extent

// Views and copies are checked like loads, each operand separately. For a sub-slice the end is
// checked first, then the start.
// CHECK-LABEL: spl.kernel @views(
// NONE-NOT: spl.check
spl.kernel @views(%m: !spl.slice<f32, rank 3> {spl.name = "m"}, %s: !spl.slice<!spl.struct<f32>, mut> {spl.name = "s"}, %i: i64, %j: i64) attributes {signature = #spl.signature<"views()">} {
  // ALL: %[[E0:.*]] = spl.extent %m, 0
  // ALL: %[[I0:.*]] = arith.cmpi ult, %[[I:.*]], %[[E0]]
  // ALL: spl.check %[[I0]], <"index-out-of-bounds">(%[[I]], %[[E0]]) {subject = "axis 0 of m"}
  // ALL: %[[E1:.*]] = spl.extent %m, 1
  // ALL: %[[I1:.*]] = arith.cmpi ult, %[[J:.*]], %[[E1]]
  // ALL: spl.check %[[I1]], <"index-out-of-bounds">(%[[J]], %[[E1]]) {subject = "axis 1 of m"}
  // ALL-NOT: spl.check
  // ALL: spl.row
  %row = spl.row %m[%i, %j] : !spl.slice<f32, rank 3> -> !spl.slice<f32>
  // ALL: %[[N:.*]] = spl.extent
  // ALL: %[[TO:.*]] = arith.cmpi ule, %[[J]], %[[N]]
  // ALL: spl.check %[[TO]], <"index-out-of-bounds">(%[[J]], %[[N]]) {subject = "row"}
  // ALL: %[[FROM:.*]] = arith.cmpi ule, %[[I]], %[[J]]
  // ALL: spl.check %[[FROM]], <"index-out-of-bounds">(%[[I]], %[[J]]) {subject = "row"}
  // ALL: spl.subslice
  %sub = spl.subslice %row[%i to %j] {spl.name = "row"} : !spl.slice<f32>
  // ALL: spl.check
  // ALL-NEXT: spl.part
  %f = spl.part %s[%i] field 0 : !spl.slice<!spl.struct<f32>, mut> -> !spl.slice<f32, mut>
  // ALL-COUNT-2: spl.check
  // ALL-NEXT: spl.copy
  spl.copy %s[%i], %s[%j] : !spl.slice<!spl.struct<f32>, mut>, !spl.slice<!spl.struct<f32>, mut>
  // ALL-NOT: spl.check
  // ALL: spl.return
  spl.copy %s[%i], %s[%j] {unchecked} : !spl.slice<!spl.struct<f32>, mut>, !spl.slice<!spl.struct<f32>, mut>
  %whole = spl.subslice %row[%i to %j] {unchecked} : !spl.slice<f32>
  spl.return
}

// An index of a row is of a later axis of the slice, unless the row has a name of its own.
// CHECK-LABEL: spl.kernel @rows(
spl.kernel @rows(%m: !spl.slice<f32, rank 3> {spl.name = "m"}, %i: i64, %j: i64) attributes {signature = #spl.signature<"rows()">} {
  // ALL: {subject = "axis 0 of m"}
  %row = spl.row %m[%i] : !spl.slice<f32, rank 3> -> !spl.slice<f32, rank 2>
  // ALL: {subject = "axis 1 of m"}
  %inner = spl.row %row[%j] {spl.name = "m"} : !spl.slice<f32, rank 2> -> !spl.slice<f32>
  // ALL: {subject = "axis 2 of m"}
  %a = spl.load %inner[%j] {spl.name = "m"} : !spl.slice<f32>
  // ALL: {subject = "axis 1 of m"}
  // ALL: {subject = "axis 2 of m"}
  %b = spl.load %row[%i, %j] {spl.name = "m"} : !spl.slice<f32, rank 2>
  // ALL: {subject = "axis 0 of r"}
  // ALL: {subject = "axis 1 of r"}
  %c = spl.load %row[%i, %j] {spl.name = "r"} : !spl.slice<f32, rank 2>
  // ALL: {subject = "r"}
  %d = spl.load %inner[%j] {spl.name = "r"} : !spl.slice<f32>
  spl.return
}
