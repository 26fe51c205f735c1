// RUN: simple-opt %s -spl-launch-contracts | FileCheck %s
// RUN: simple-opt %s -spl-launch-contracts=max-conditions=1 | FileCheck %s --check-prefix=ONE
// RUN: simple-opt %s -spl-launch-contracts=max-conditions=0 | FileCheck %s --check-prefix=NONE --implicit-check-not='$unchecked'

// The check of b is proved, that of a is lifted, and the check of a value from memory stays.
// CHECK-LABEL: spl.kernel @all_three(
// CHECK-SAME: signature = #spl.signature<"all_three(a: &[i64], b: &mut [i64]) unchecked if min(b.len(), gpu.global_size(0)) <= a.len()">
// CHECK: scf.if
// CHECK: spl.check %{{.*}}, <"index-out-of-bounds">{{.*}} {subject = "a"}
// CHECK: %[[AT:.*]] = spl.load %a
// CHECK: spl.check %{{.*}}, <"index-out-of-bounds">(%[[AT]], %{{.*}}) {subject = "b"}
// CHECK-NOT: spl.check
// CHECK: spl.return
// CHECK-LABEL: spl.kernel @all_three$unchecked(
// CHECK-SAME: signature = #spl.signature<"all_three(a: &[i64], b: &mut [i64])">, spl.version = 1 : i64
// CHECK: scf.if
// CHECK-NOT: spl.check
// CHECK: %[[AT:.*]] = spl.load %a
// CHECK: spl.check %{{.*}}, <"index-out-of-bounds">(%[[AT]], %{{.*}}) {subject = "b"}
// CHECK-NOT: spl.check
// CHECK: spl.return
// NONE: signature = #spl.signature<"all_three(a: &[i64], b: &mut [i64])">}
spl.kernel @all_three(%a: !spl.slice<i64> {spl.name = "a"}, %b: !spl.slice<i64, mut> {spl.name = "b"})
    attributes {signature = #spl.signature<"all_three(a: &[i64], b: &mut [i64])">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %n = spl.extent %b, 0 : <i64, mut>
  %less = arith.cmpi slt, %i, %n : i64
  scf.if %less {
    %na = spl.extent %a, 0 : <i64>
    %ia = arith.cmpi ult, %i, %na : i64
    spl.check %ia, <"index-out-of-bounds">(%i, %na) {subject = "a"}
    %at = spl.load %a[%i] : <i64>
    %at_in = arith.cmpi ult, %at, %n : i64
    spl.check %at_in, <"index-out-of-bounds">(%at, %n) {subject = "b"}
    spl.store %i, %b[%at] : <i64, mut>
    %nb = spl.extent %b, 0 : <i64, mut>
    %ib = arith.cmpi ult, %i, %nb : i64
    spl.check %ib, <"index-out-of-bounds">(%i, %nb) {subject = "b"}
    spl.store %i, %b[%i] : <i64, mut>
  }
  spl.return
}

// A fact of one iteration does not hold in the next: the index comes from the previous iteration.
// CHECK-LABEL: spl.kernel @rounds(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: spl.check
// CHECK-NOT: @rounds$unchecked
spl.kernel @rounds(%a: !spl.slice<f32, mut> {spl.name = "a"}, %at: !spl.slice<i64> {spl.name = "at"})
    attributes {signature = #spl.signature<"rounds(a: &mut [f32], at: &[i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %x = arith.constant 1.0 : f32
  %n = spl.extent %at, 0 : <i64>
  %last = scf.for %k = %zero to %n step %one iter_args(%before = %zero) -> (i64) : i64 {
    %value = spl.load %at[%k] {unchecked} : <i64>
    %small = arith.cmpi ult, %value, %eight : i64
    scf.if %small {
      %na = spl.extent %a, 0 : <f32, mut>
      %in = arith.cmpi ult, %before, %na : i64
      spl.check %in, <"index-out-of-bounds">(%before, %na) {subject = "a"}
      spl.store %x, %a[%before] : <f32, mut>
    }
    scf.yield %value : i64
  }
  spl.return
}

// Conditions that no check connects are in groups. Each group has a version with its checks.
// CHECK-LABEL: spl.kernel @two(
// CHECK-SAME: two(a: &mut [f32], b: &mut [f32]) unchecked if 3 <= a.len() and if 3 <= b.len()
// CHECK-LABEL: spl.kernel @two$unchecked(
// CHECK-NOT: spl.check
// CHECK-LABEL: spl.kernel @two$unmet1(
// CHECK-SAME: signature = #spl.signature<"two(a: &mut [f32], b: &mut [f32])">, spl.version = 2 : i64
// CHECK: spl.check {{.*}} {subject = "a"}
// CHECK-NOT: spl.check
// CHECK-LABEL: spl.kernel @two$unmet2(
// CHECK-NOT: subject = "a"
// CHECK: spl.check {{.*}} {subject = "b"}
// At most the allowed number of conditions is lifted. All other checks stay.
// ONE: signature = #spl.signature<"two(a: &mut [f32], b: &mut [f32]) unchecked if 3 <= a.len()">
// ONE-LABEL: spl.kernel @two$unchecked
// ONE-NOT: subject = "a"
// ONE: spl.check %{{.*}} {subject = "b"}
// ONE: spl.return
spl.kernel @two(%a: !spl.slice<f32, mut> {spl.name = "a"}, %b: !spl.slice<f32, mut> {spl.name = "b"})
    attributes {signature = #spl.signature<"two(a: &mut [f32], b: &mut [f32])">} {
  %two = arith.constant 2 : i64
  %x = arith.constant 1.0 : f32
  %na = spl.extent %a, 0 : <f32, mut>
  %ia = arith.cmpi ult, %two, %na : i64
  spl.check %ia, <"index-out-of-bounds">(%two, %na) {subject = "a"}
  spl.store %x, %a[%two] : <f32, mut>
  %nb = spl.extent %b, 0 : <f32, mut>
  %ib = arith.cmpi ult, %two, %nb : i64
  spl.check %ib, <"index-out-of-bounds">(%two, %nb) {subject = "b"}
  spl.store %x, %b[%two] : <f32, mut>
  spl.return
}

// A value without a name cannot be in a contract.
// CHECK-LABEL: spl.kernel @nameless(
// CHECK: spl.check
// CHECK-NOT: @nameless$unchecked
spl.kernel @nameless(%a: !spl.slice<f32, mut>) attributes {signature = #spl.signature<"nameless(a: &mut [f32])">} {
  %two = arith.constant 2 : i64
  %x = arith.constant 1.0 : f32
  %na = spl.extent %a, 0 : <f32, mut>
  %ia = arith.cmpi ult, %two, %na : i64
  spl.check %ia, <"index-out-of-bounds">(%two, %na) {subject = "a"}
  spl.store %x, %a[%two] : <f32, mut>
  spl.return
}

// The product needs what a constant factor needs: the factor is 4 unless n is -1, which a
// condition excludes as it excludes a divisor of -1.
// CHECK-LABEL: spl.kernel @factor(
// CHECK-SAME: unchecked if 0 <= n and 4 * gpu.global_size(0) <= a.len() + 3"
spl.kernel @factor(%a: !spl.slice<f32, mut> {spl.name = "a"}, %n: i64 {spl.name = "n"})
    attributes {signature = #spl.signature<"factor(a: &mut [f32], n: i64)">} {
  %four = arith.constant 4 : i64
  %minus_one = arith.constant -1 : i64
  %seven = arith.constant 7 : i64
  %x = arith.constant 1.0 : f32
  %is_rare = arith.cmpi eq, %n, %minus_one : i64
  %factor = arith.select %is_rare, %seven, %four : i64
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %at = arith.muli %i, %factor : i64
  %na = spl.extent %a, 0 : <f32, mut>
  %in = arith.cmpi ult, %at, %na : i64
  spl.check %in, <"index-out-of-bounds">(%at, %na) {subject = "a"}
  spl.store %x, %a[%at] : <f32, mut>
  spl.return
}

// A fact that holds in the inner loop while y is at least 5 does not hold in other iterations. In those
// z may become less than 5, and so may x in a later iteration.
// CHECK-LABEL: spl.kernel @guess(
// CHECK: scf.for
// CHECK: spl.check
// CHECK: spl.return
spl.kernel @guess(%m: i64 {spl.name = "m"}, %ys: !spl.slice<i64> {spl.name = "ys"})
    attributes {signature = #spl.signature<"guess(m: i64, ys: &[i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %five = arith.constant 5 : i64
  %n = spl.extent %ys, 0 : <i64>
  %rounds:2 = scf.for %r = %zero to %n step %one iter_args(%x = %five, %z = %five)
      -> (i64, i64) : i64 {
    %holds = arith.cmpi sge, %x, %five : i64
    spl.check %holds, <"assertion-failed"> {subject = "x >= 5"}
    %y = spl.load %ys[%r] {unchecked} : <i64>
    %inner:2 = scf.for %t = %zero to %m step %one iter_args(%a = %five, %b = %y)
        -> (i64, i64) : i64 {
      %less = spl.intrinsic "math.min"(%b, %z) : (i64, i64) -> i64
      scf.yield %b, %less : i64, i64
    }
    %is_large = arith.cmpi sge, %y, %five : i64
    %next = arith.select %is_large, %inner#1, %x : i64
    scf.yield %next, %inner#0 : i64, i64
  }
  spl.return
}

// The same for conditions: the index is 100 in an iteration whose previous value was not small.
// CHECK-LABEL: spl.kernel @conditions(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: spl.check
// CHECK: spl.return
spl.kernel @conditions(%at: !spl.slice<i64> {spl.name = "at"})
    attributes {signature = #spl.signature<"conditions(at: &[i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %seven = arith.constant 7 : i64
  %eight = arith.constant 8 : i64
  %hundred = arith.constant 100 : i64
  %x = arith.constant 1.0 : f32
  %tile = spl.shared "conditions.0"[8] : !spl.slice<f32, mut>
  %n = spl.extent %at, 0 : <i64>
  %last = scf.for %k = %zero to %n step %one iter_args(%before = %seven) -> (i64) : i64 {
    %value = spl.load %at[%k] {unchecked} : <i64>
    %small = arith.cmpi ult, %value, %eight : i64
    scf.if %small {
      %in = arith.cmpi ult, %before, %eight : i64
      spl.check %in, <"index-out-of-bounds">(%before, %eight) {subject = "tile"}
      spl.store %x, %tile[%before] : <f32, mut>
    }
    %next = arith.select %small, %seven, %hundred : i64
    scf.yield %next : i64
  }
  spl.return
}

// The number of iterations is counted only if the bound is the same in all of them. Here it is not.
// CHECK-LABEL: spl.kernel @last_changes(
// CHECK: scf.while
// CHECK: spl.check
// CHECK: spl.return
spl.kernel @last_changes(%at: !spl.slice<i64> {spl.name = "at"})
    attributes {signature = #spl.signature<"last_changes(at: &[i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %seven = arith.constant 7 : i64
  %eight = arith.constant 8 : i64
  %true = arith.constant true
  %x = arith.constant 1.0 : f32
  %tile = spl.shared "last_changes.0"[8] : !spl.slice<f32, mut>
  %end:2 = scf.while (%round = %zero, %some = %true) : (i64, i1) -> (i64, i1) {
    scf.condition(%some) %round, %some : i64, i1
  } do {
  ^bb0(%round: i64, %some: i1):
    %in = arith.cmpi ult, %round, %eight : i64
    spl.check %in, <"index-out-of-bounds">(%round, %eight) {subject = "tile"}
    spl.store %x, %tile[%round] : <f32, mut>
    %value = spl.load %at[%zero] {unchecked} : <i64>
    %last = arith.remui %value, %eight : i64
    %last7 = arith.andi %last, %seven : i64
    %next = arith.addi %round, %one : i64
    %more = arith.cmpi ne, %round, %last7 : i64
    scf.yield %next, %more : i64, i1
  }
  spl.return
}

// The maximum of unsigned numbers may be negative as a signed number.
// CHECK-LABEL: spl.kernel @unsigned_max(
// CHECK: spl.check
// CHECK: spl.return
spl.kernel @unsigned_max(%at: !spl.slice<i32> {spl.name = "at"})
    attributes {signature = #spl.signature<"unsigned_max(at: &[u32])">} {
  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i32
  %sixteen = arith.constant 16 : i64
  %x = arith.constant 1.0 : f32
  %tile = spl.shared "unsigned_max.0"[16] : !spl.slice<f32, mut>
  %value = spl.load %at[%zero] {unchecked} : <i32>
  %max = spl.intrinsic "math.max"(%value, %seven) {isUnsigned} : (i32, i32) -> i32
  %k = arith.extsi %max : i32 to i64
  %less = arith.cmpi slt, %k, %sixteen : i64
  scf.if %less {
    %in = arith.cmpi ult, %k, %sixteen : i64
    spl.check %in, <"index-out-of-bounds">(%k, %sixteen) {subject = "tile"}
    spl.store %x, %tile[%k] : <f32, mut>
  }
  spl.return
}
