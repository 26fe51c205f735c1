// The groups of the conditions of a launch contract.
// RUN: simple-opt %s -spl-launch-contracts | FileCheck %s
// RUN: simple-opt %s -spl-launch-contracts=max-groups=1 | FileCheck %s --check-prefix=ONE --implicit-check-not='$unmet'

// A check that needs two conditions puts them into one group. A version for one group only would
// be the baseline.
// CHECK-LABEL: spl.kernel @connected(
// CHECK-SAME: unchecked if 0 <= n and n + 1 <= a.len()">
// CHECK-LABEL: spl.kernel @connected$unchecked(
// CHECK-NOT: $unmet
spl.kernel @connected(%a: !spl.slice<f32, mut> {spl.name = "a"}, %n: i64 {spl.name = "n"})
    attributes {signature = #spl.signature<"connected(a: &mut [f32], n: i64)">} {
  %x = arith.constant 1.0 : f32
  %na = spl.extent %a, 0 : <f32, mut>
  %in = arith.cmpi ult, %n, %na : i64
  spl.check %in, <"index-out-of-bounds">(%n, %na) {subject = "a"}
  spl.store %x, %a[%n] : <f32, mut>
  spl.return
}

// The condition for a[4] implies that for a[2], so that both checks are in its group.
// CHECK-LABEL: spl.kernel @implied(
// CHECK-SAME: unchecked if 3 <= b.len() and if 5 <= a.len()">
// ONE-LABEL: spl.kernel @implied(
// ONE-SAME: unchecked if 3 <= b.len() and 5 <= a.len()">
// ONE-LABEL: spl.kernel @implied$unchecked(
// ONE-NOT: spl.check
// CHECK-LABEL: spl.kernel @implied$unmet1(
// CHECK: spl.check {{.*}} {subject = "b"}
// CHECK-NOT: spl.check
// CHECK-LABEL: spl.kernel @implied$unmet2(
// CHECK: spl.check {{.*}} {subject = "a"}
// CHECK: spl.check {{.*}} {subject = "last"}
// CHECK-NOT: spl.check
spl.kernel @implied(%a: !spl.slice<f32, mut> {spl.name = "a"}, %b: !spl.slice<f32, mut> {spl.name = "b"})
    attributes {signature = #spl.signature<"implied(a: &mut [f32], b: &mut [f32])">} {
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %na = spl.extent %a, 0 : <f32, mut>
  %first = arith.cmpi ult, %two, %na : i64
  spl.check %first, <"index-out-of-bounds">(%two, %na) {subject = "a"}
  %nb = spl.extent %b, 0 : <f32, mut>
  %ib = arith.cmpi ult, %two, %nb : i64
  spl.check %ib, <"index-out-of-bounds">(%two, %nb) {subject = "b"}
  %last = arith.cmpi ult, %four, %na : i64
  spl.check %last, <"index-out-of-bounds">(%four, %na) {subject = "last"}
  spl.return
}

// There are at most three groups. Those with the fewest checks are joined.
// ONE-LABEL: spl.kernel @four(
// CHECK-LABEL: spl.kernel @four(
// CHECK-SAME: unchecked if 3 <= b.len() and if 3 <= c.len() and 3 <= a.len() and if 3 <= d.len()">
// CHECK-LABEL: spl.kernel @four$unmet1(
// CHECK-COUNT-2: spl.check {{.*}} {subject = "b"}
// CHECK-NOT: spl.check
// CHECK-LABEL: spl.kernel @four$unmet2(
// CHECK: spl.check {{.*}} {subject = "a"}
// CHECK: spl.check {{.*}} {subject = "c"}
// CHECK-NOT: spl.check
// CHECK-LABEL: spl.kernel @four$unmet3(
// CHECK-COUNT-2: spl.check {{.*}} {subject = "d"}
// CHECK-NOT: spl.check
// CHECK: spl.return
spl.kernel @four(%a: !spl.slice<f32> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"},
                 %c: !spl.slice<f32> {spl.name = "c"}, %d: !spl.slice<f32> {spl.name = "d"})
    attributes {signature = #spl.signature<"four(a: &[f32], b: &[f32], c: &[f32], d: &[f32])">} {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %na = spl.extent %a, 0 : <f32>
  %ia = arith.cmpi ult, %two, %na : i64
  spl.check %ia, <"index-out-of-bounds">(%two, %na) {subject = "a"}
  %nb = spl.extent %b, 0 : <f32>
  %ib = arith.cmpi ult, %two, %nb : i64
  spl.check %ib, <"index-out-of-bounds">(%two, %nb) {subject = "b"}
  %jb = arith.cmpi ult, %one, %nb : i64
  spl.check %jb, <"index-out-of-bounds">(%one, %nb) {subject = "b"}
  %nc = spl.extent %c, 0 : <f32>
  %ic = arith.cmpi ult, %two, %nc : i64
  spl.check %ic, <"index-out-of-bounds">(%two, %nc) {subject = "c"}
  %nd = spl.extent %d, 0 : <f32>
  %id = arith.cmpi ult, %two, %nd : i64
  spl.check %id, <"index-out-of-bounds">(%two, %nd) {subject = "d"}
  %jd = arith.cmpi ult, %one, %nd : i64
  spl.check %jd, <"index-out-of-bounds">(%one, %nd) {subject = "d"}
  spl.return
}

// The conditions for the axes of a slice are in one group.
// CHECK-LABEL: spl.kernel @axes(
// CHECK-SAME: unchecked if 3 <= a.dim(0) and 3 <= a.dim(1) and if 3 <= b.len()">
// CHECK-LABEL: spl.kernel @axes$unmet1(
// CHECK-COUNT-2: spl.check {{.*}} {subject = "a"}
// CHECK-NOT: spl.check
// CHECK-LABEL: spl.kernel @axes$unmet2(
spl.kernel @axes(%a: !spl.slice<f32, rank 2> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"})
    attributes {signature = #spl.signature<"axes(a: &[f32, 2], b: &[f32])">} {
  %two = arith.constant 2 : i64
  %rows = spl.extent %a, 0 : <f32, rank 2>
  %in = arith.cmpi ult, %two, %rows : i64
  spl.check %in, <"index-out-of-bounds">(%two, %rows) {subject = "a"}
  %nb = spl.extent %b, 0 : <f32>
  %ib = arith.cmpi ult, %two, %nb : i64
  spl.check %ib, <"index-out-of-bounds">(%two, %nb) {subject = "b"}
  %columns = spl.extent %a, 1 : <f32, rank 2>
  %column = arith.cmpi ult, %two, %columns : i64
  spl.check %column, <"index-out-of-bounds">(%two, %columns) {subject = "a"}
  spl.return
}
