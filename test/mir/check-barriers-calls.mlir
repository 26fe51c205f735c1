// RUN: not simple-opt %s -spl-inline -spl-check-barriers 2>&1 | FileCheck %s --implicit-check-not=error:

// A function with a barrier is checked at each call. If the branch is in the caller, the error is
// reported at the call.
// CHECK: k.spl:12:9: error: all work-items of the group must reach 'gpu.barrier', but not all of them reach this call
// CHECK: k.spl:3:5: note: 'gpu.barrier' is here
// CHECK: k.spl:11:8: note: this condition differs between work-items; put it around the loads and stores only, so that all work-items reach 'gpu.barrier'
// CHECK: k.spl:10:8: note: it comes from gpu.local_id here
spl.kernel @caller(%n: i64) attributes {signature = #spl.signature<"caller(n: i64)">} {
  %size = spl.intrinsic "gpu.local_size" axis 0 : () -> i64 loc("k.spl":9:8)
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64 loc("k.spl":10:8)
  %c = arith.cmpi slt, %i, %n : i64 loc("k.spl":11:8)
  scf.if %c {
    spl.call @outer(%n) : (i64) -> () loc("k.spl":12:9)
  } loc("k.spl":11:8)
  spl.call @outer(%size) : (i64) -> () loc("k.spl":13:9)

  // If the branch is in the function with the barrier, the error is reported at the barrier.
  // CHECK: k.spl:23:5: error: all work-items of the group must reach 'gpu.barrier', but not all of them do
  // CHECK: k.spl:22:5: note: this condition differs between work-items; put it around the loads and stores only, so that all work-items reach 'gpu.barrier'
  // CHECK: k.spl:10:8: note: it comes from gpu.local_id here
  spl.call @branches(%i) : (i64) -> () loc("k.spl":14:9)
  spl.call @branches(%n) : (i64) -> () loc("k.spl":15:9)
  spl.return
}
spl.func private @outer(%n: i64) {
  spl.call @inner() : () -> () loc("k.spl":7:5)
  spl.return
}
spl.func private @inner() {
  spl.intrinsic "gpu.barrier" : () -> () loc("k.spl":3:5)
  spl.return
}
spl.func private @branches(%n: i64) {
  %zero = arith.constant 0 : i64
  %c = arith.cmpi eq, %n, %zero : i64 loc("k.spl":22:5)
  scf.if %c {
    spl.intrinsic "gpu.barrier" : () -> () loc("k.spl":23:5)
  } loc("k.spl":22:5)
  spl.return
}
