// RUN: simple-opt %s -spl-interruptible-loops -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// Each kernel and loop begins with a test, which has its own location.
// CHECK-LABEL: spl.kernel @loops(
// CHECK: %[[RUNS:.*]] = spl.may_run loc("k.spl":1:4)
// CHECK-NEXT: spl.check %[[RUNS]], <"time-limit-exceeded"> loc("k.spl":1:4)
// CHECK: scf.for
// CHECK-NEXT: %[[FOR:.*]] = spl.may_run loc("k.spl":2:5)
// CHECK-NEXT: spl.check %[[FOR]], <"time-limit-exceeded"> loc("k.spl":2:5)
// CHECK: scf.while
// CHECK-NEXT: %[[WHILE:.*]] = spl.may_run loc("k.spl":3:9)
// CHECK-NEXT: spl.check %[[WHILE]], <"time-limit-exceeded"> loc("k.spl":3:9)
// CHECK: scf.condition
spl.kernel @loops(%go: !spl.slice<i1, mut> {spl.name = "go"}) attributes {signature = #spl.signature<"loops(go: &mut [bool])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = spl.extent %go, 0 : <i1, mut>
  scf.for %i = %zero to %n step %one : i64 {
    scf.while : () -> () {
      %c = spl.load %go[%i] : <i1, mut>
      scf.condition(%c)
    } do {
      scf.yield
    } loc("k.spl":3:9)
  } loc("k.spl":2:5)
  spl.return
} loc("k.spl":1:4)

// A function has no test of its own, but its loops have.
// CHECK-LABEL: spl.func @none(
// CHECK-NOT: spl.may_run
// CHECK: spl.return
spl.func @none() {
  spl.return
}
