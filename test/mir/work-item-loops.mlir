// RUN: simple-opt %s -spl-work-item-loops -split-input-file -verify-diagnostics | FileCheck %s
// RUN: simple-opt %s -spl-work-item-loops -split-input-file -verify-diagnostics -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: spl.kernel @loops(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !spl.slice<f32, mut>
spl.kernel @loops(%a: !spl.slice<f32, mut>, %n: i64)
    attributes {signature = #spl.signature<"loops(a: &mut [f32], n: i64)">} {
  // Uniform values are computed once, before the loop.
  // CHECK-DAG: %[[GROUP:.*]] = spl.intrinsic "gpu.group_id" axis 0
  // CHECK-DAG: %[[X:.*]] = spl.intrinsic "gpu.local_size" axis 0
  // CHECK-DAG: %[[Y:.*]] = spl.intrinsic "gpu.local_size" axis 1
  // CHECK-DAG: %[[Z:.*]] = spl.intrinsic "gpu.local_size" axis 2
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK-NOT: spl.intrinsic
  // CHECK: scf.for %[[IZ:.*]] = %[[ZERO]] to %[[Z]] step %[[ONE]] : i64 {
  // CHECK-NEXT: scf.for %[[IY:.*]] = %[[ZERO]] to %[[Y]] step %[[ONE]] : i64 {
  // CHECK-NEXT: scf.for %[[IX:.*]] = %[[ZERO]] to %[[X]] step %[[ONE]] : i64 {
  // CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[GROUP]], %[[X]]
  // CHECK-NEXT: %[[ID:.*]] = arith.addi %[[FIRST]], %[[IX]]
  %group = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  %size = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  %first = arith.muli %group, %size overflow<nsw, nuw> : i64
  %local = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %id = arith.addi %first, %local overflow<nsw, nuw> : i64
  // CHECK-NEXT: %[[IN:.*]] = arith.cmpi
  // CHECK-NEXT: scf.if %[[IN]] {
  %inside = arith.cmpi slt, %id, %n : i64
  scf.if %inside {
    // CHECK-NEXT: %[[XY:.*]] = arith.addi %[[IY]], %[[IZ]]
    // CHECK-NEXT: spl.check %{{.*}}, <"index-out-of-bounds">(%[[XY]], %{{.*}}) work_item(%[[IX]], %[[IY]], %[[IZ]])
    %y = spl.intrinsic "gpu.local_id" axis 1 : () -> i64
    %z = spl.intrinsic "gpu.local_id" axis 2 : () -> i64
    %again = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
    %yz = arith.addi %y, %z : i64
    spl.check %inside, <"index-out-of-bounds">(%yz, %n) loc("loops.spl":9:3)
    // CHECK-NEXT: spl.load %[[A]][%[[GROUP]]]
    %x = spl.load %a[%again] : <f32, mut>
  }
  // CHECK: spl.return
  spl.return
}
// LOC: spl.check {{.*}} loc("loops.spl":9:3)

// -----

// Functions that need local ids, report faults or call such functions have the ids as additional
// last parameters. Other functions do not change.
// CHECK-LABEL: spl.kernel @calls(
// CHECK: scf.for %[[IZ:.*]] = {{.*}} {
// CHECK-NEXT: scf.for %[[IY:.*]] = {{.*}} {
// CHECK-NEXT: scf.for %[[IX:.*]] = {{.*}} {
// CHECK-NEXT: spl.call @caller(%{{.*}}, %[[IX]], %[[IY]], %[[IZ]]) : (i1, i64, i64, i64) -> i64
// CHECK-NEXT: spl.call @pure(%{{.*}}) : (i1) -> ()
// CHECK-NEXT: }
spl.kernel @calls(%c: i1) attributes {signature = #spl.signature<"calls(c: bool)">} {
  %r = spl.call @caller(%c) : (i1) -> i64
  spl.call @pure(%c) : (i1) -> ()
  spl.return
}
// CHECK-LABEL: spl.func private @caller(
// CHECK-SAME: %c: i1 {spl.name = "c"}, %[[X:[a-z0-9]+]]: i64, %[[Y:[a-z0-9]+]]: i64, %[[Z:[a-z0-9]+]]: i64) -> i64 {
// CHECK: spl.call @checks(%c, %[[X]], %[[Y]], %[[Z]])
// CHECK: spl.call @asks(%[[X]], %[[Y]], %[[Z]])
spl.func private @caller(%c: i1 {spl.name = "c"}) -> i64 {
  scf.if %c {
    spl.call @checks(%c) : (i1) -> ()
  }
  %y = spl.call @asks() : () -> i64
  spl.return %y : i64
}
// CHECK-LABEL: spl.func private @checks(
// CHECK: spl.check %{{.*}}, <"division-by-zero"> work_item(%{{.*}}, %{{.*}}, %{{.*}})
spl.func private @checks(%c: i1) {
  spl.check %c, <"division-by-zero">
  spl.return
}
// CHECK-LABEL: spl.func private @asks(
// CHECK-SAME: %[[X:[a-z0-9]+]]: i64, %[[Y:[a-z0-9]+]]: i64, %[[Z:[a-z0-9]+]]: i64) -> i64 {
// CHECK-NEXT: spl.return %[[Y]]
spl.func private @asks() -> i64 {
  %y = spl.intrinsic "gpu.local_id" axis 1 : () -> i64
  spl.return %y : i64
}
// CHECK-LABEL: spl.func private @pure(%arg0: i1) {
spl.func private @pure(%c: i1) {
  spl.return
}

// -----

// CHECK-LABEL: spl.kernel @empty(
// CHECK-COUNT-3: scf.for
// CHECK: spl.return
spl.kernel @empty() attributes {signature = #spl.signature<"empty()">} {
  spl.return
}

// -----

spl.kernel @not_expanded() attributes {signature = #spl.signature<"not_expanded()">} {
  // expected-error @+1 {{'gpu.global_id' must be expanded before spl-work-item-loops}}
  %id = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  spl.return
}

// -----

// For a divergent slice, its address and its extents are saved.
// CHECK-LABEL: spl.kernel @slices
// CHECK: %[[KEPT:.*]] = spl.scratch {{.*}}!spl.slice<i64, mut>, mut>
// CHECK: %[[S:.*]] = scf.if
// CHECK: spl.store %[[S]], %[[KEPT]][
// CHECK: %[[AGAIN:.*]] = spl.load %[[KEPT]][
// CHECK: spl.store %{{.*}}, %[[AGAIN]][
spl.kernel @slices(%a: !spl.slice<i64, mut>, %b: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"slices(a: &mut [i64], b: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %x = spl.load %a[%zero] : <i64, mut>
  %c = arith.cmpi eq, %x, %zero : i64
  %s = scf.if %c -> !spl.slice<i64, mut> {
    scf.yield %a : !spl.slice<i64, mut>
  } else {
    scf.yield %b : !spl.slice<i64, mut>
  }
  spl.intrinsic "gpu.barrier" : () -> ()
  spl.store %x, %s[%zero] : <i64, mut>
  spl.return
}
