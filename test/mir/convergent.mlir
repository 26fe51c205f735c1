// RUN: simple-opt %s -canonicalize -cse -loop-invariant-code-motion -canonicalize -cse | FileCheck %s
// RUN: simple-opt %s -spl-inline='max-caller=1 max-callee=1' | FileCheck %s --check-prefix=INLINE

// Collectives are neither moved, duplicated nor removed.
// CHECK-LABEL: spl.kernel @kept(
spl.kernel @kept(%a: !spl.slice<i32, mut>, %x: i32, %p: i1, %n: i64)
    attributes {signature = #spl.signature<"kept(a: &mut [i32], x: i32, p: bool, n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: %[[BEFORE:.*]] = spl.load
  // CHECK-NEXT: spl.intrinsic "gpu.barrier"
  // CHECK-NEXT: spl.intrinsic "gpu.barrier"
  // CHECK-NEXT: %[[AFTER:.*]] = spl.load
  %before = spl.load %a[%zero] : <i32, mut>
  spl.intrinsic "gpu.barrier" : () -> ()
  spl.intrinsic "gpu.barrier" : () -> ()
  %after = spl.load %a[%zero] : <i32, mut>
  // CHECK: spl.intrinsic "gpu.fence"
  // CHECK-NEXT: %[[FENCED:.*]] = spl.load
  spl.intrinsic "gpu.fence" {scope = #spl<scope device>} : () -> ()
  %fenced = spl.load %a[%zero] : <i32, mut>
  // CHECK: spl.intrinsic "gpu.warp_barrier"
  // CHECK-NEXT: %[[WARP:.*]] = spl.load
  spl.intrinsic "gpu.warp_barrier" : () -> ()
  %warp = spl.load %a[%zero] : <i32, mut>
  // The same lanes execute both, but other operations decide which lanes these are.
  // CHECK: %[[S0:.*]] = spl.intrinsic "gpu.warp_sum"
  // CHECK-NEXT: %[[S1:.*]] = spl.intrinsic "gpu.warp_sum"
  %s0 = spl.intrinsic "gpu.warp_sum"(%x) : (i32) -> i32
  %s1 = spl.intrinsic "gpu.warp_sum"(%x) : (i32) -> i32
  // CHECK: scf.if
  // CHECK-NEXT: spl.intrinsic "gpu.warp_sum"
  // CHECK: else
  // CHECK-NEXT: spl.intrinsic "gpu.warp_sum"
  %s2 = scf.if %p -> i32 {
    %then = spl.intrinsic "gpu.warp_sum"(%x) : (i32) -> i32
    scf.yield %then : i32
  } else {
    %else = spl.intrinsic "gpu.warp_sum"(%x) : (i32) -> i32
    scf.yield %else : i32
  }
  // CHECK: %[[T0:.*]] = spl.intrinsic "gpu.clock"
  // CHECK-NEXT: %[[T1:.*]] = spl.intrinsic "gpu.clock"
  %t0 = spl.intrinsic "gpu.clock" : () -> i64
  %t1 = spl.intrinsic "gpu.clock" : () -> i64
  %t = arith.subi %t1, %t0 : i64
  // Ids are ordinary values.
  // CHECK-NOT: spl.intrinsic "gpu.lane_id"
  %dead = spl.intrinsic "gpu.lane_id" : () -> i64
  // CHECK: scf.for
  // CHECK-NEXT: spl.intrinsic "gpu.barrier"
  // CHECK-NEXT: spl.intrinsic "gpu.ballot"
  scf.for %i = %zero to %n step %one : i64 {
    spl.intrinsic "gpu.barrier" : () -> ()
    %b = spl.intrinsic "gpu.ballot"(%p) : (i1) -> i32
  }
  // CHECK: spl.store %[[AFTER]]
  spl.store %before, %a[%one] : <i32, mut>
  spl.store %after, %a[%one] : <i32, mut>
  spl.store %fenced, %a[%one] : <i32, mut>
  spl.store %warp, %a[%one] : <i32, mut>
  spl.store %s0, %a[%one] : <i32, mut>
  spl.store %s1, %a[%one] : <i32, mut>
  spl.store %s2, %a[%one] : <i32, mut>
  spl.store %x, %a[%t] : <i32, mut>
  spl.return
}

// Functions with collectives are inlined beyond all limits, also through functions that only call them.
// INLINE-LABEL: spl.kernel @inlined(
// INLINE-COUNT-2: spl.intrinsic "gpu.any"
// INLINE: spl.shared "tile"
// INLINE: spl.call @plain
// INLINE-NOT: spl.func{{.*}} @votes
spl.kernel @inlined(%p: i1) attributes {signature = #spl.signature<"inlined(p: bool)">} {
  %a = spl.call @calls(%p) : (i1) -> i1
  %b = spl.call @calls(%a) : (i1) -> i1
  spl.call @tiles() : () -> ()
  %c = spl.call @plain(%b) : (i1) -> i1
  %d = spl.call @plain(%c) : (i1) -> i1
  spl.return
}
spl.func private @calls(%p: i1) -> i1 {
  %r = spl.call @votes(%p) : (i1) -> i1
  spl.return %r : i1
}
spl.func private @votes(%p: i1) -> i1 {
  %r = spl.intrinsic "gpu.any"(%p) : (i1) -> i1
  spl.return %r : i1
}
spl.func private @tiles() {
  %t = spl.shared "tile"[8] : !spl.slice<f32, mut>
  spl.return
}
spl.func private @plain(%p: i1) -> i1 {
  %r = arith.xori %p, %p : i1
  spl.return %r : i1
}
