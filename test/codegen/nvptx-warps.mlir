// RUN: simple-opt %s -spl-warp-masks -spl-fixed-sizes -spl-to-llvm=target=sm_75 | FileCheck %s
// RUN: simple-opt %s -spl-warp-masks -spl-fixed-sizes -spl-to-llvm=target=sm_80 | FileCheck %s --check-prefix=SM80

// The last warp of a group may have fewer than 32 lanes. The mask names all 32 in any warp.
// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.lanes(
spl.kernel @lanes(%x: f32, %i: i64, %p: i1, %out: !spl.slice<f32, mut>)
    attributes {signature = #spl.signature<"lanes(x: f32, i: i64, p: bool, out: &mut [f32])">} {
  // CHECK: %[[LEFT:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
  // CHECK: %[[EXISTING:.*]] = llvm.lshr %{{.*}}, %{{.*}} : i32
  // CHECK: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32)
  // CHECK-NEXT: %[[LANE:.*]] = llvm.trunc %{{.*}} : i64 to i32
  // CHECK: %[[WORD:.*]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32"(%[[ALL]], %[[WORD]], %[[LANE]], %{{.*}})
  %a = spl.intrinsic "gpu.shuffle"(%x, %i) : (f32, i64) -> f32
  // CHECK: %[[NEAR:.*]] = llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
  // CHECK: %[[D:.*]] = llvm.select %[[NEAR]]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.up.i32"(%{{.*}}, %{{.*}}, %[[D]], %{{.*}})
  %b = spl.intrinsic "gpu.shuffle_up"(%a, %i) : (f32, i64) -> f32
  // CHECK: "llvm.nvvm.shfl.sync.bfly.i32"
  %c = spl.intrinsic "gpu.shuffle_xor"(%b, %i) : (f32, i64) -> f32
  // A sum of all existing lanes: five shuffles, which say whether the other lane exists, and
  // additions with that predicate. Lane 0 broadcasts the result.
  // CHECK: %[[ZEROS:.*]] = llvm.call_intrinsic "llvm.ctlz"
  // CHECK: %[[LAST:.*]] = llvm.sub %{{.*}}, %[[ZEROS]]
  // CHECK: %[[BOTH:.*]] = llvm.call_intrinsic "llvm.nvvm.shfl.sync.down.i32p"(%{{.*}}, %{{.*}}, %{{.*}}, %[[LAST]])
  // CHECK: %[[THERE:.*]] = llvm.extractvalue %[[BOTH]][1]
  // CHECK: llvm.inline_asm "mov.b32 $0, $3;\0A\09@$1 add.rn.f32 $0, $2, $3;", "=&f,b,f,f" %[[THERE]],
  // CHECK: "llvm.nvvm.shfl.sync.down.i32p"
  // CHECK: llvm.inline_asm "mov.b32 $0, $3;\0A\09@$1 add.rn.f32 $0, $2, $3;"
  // CHECK: "llvm.nvvm.shfl.sync.down.i32p"
  // CHECK: llvm.inline_asm "mov.b32 $0, $3;\0A\09@$1 add.rn.f32 $0, $2, $3;"
  // CHECK: "llvm.nvvm.shfl.sync.down.i32p"
  // CHECK: llvm.inline_asm "mov.b32 $0, $3;\0A\09@$1 add.rn.f32 $0, $2, $3;"
  // CHECK: "llvm.nvvm.shfl.sync.down.i32p"
  // CHECK: llvm.inline_asm "mov.b32 $0, $3;\0A\09@$1 add.rn.f32 $0, $2, $3;"
  // CHECK-NOT: "llvm.nvvm.shfl.sync.down
  // CHECK: "llvm.nvvm.shfl.sync.idx.i32"
  %s = spl.intrinsic "gpu.warp_sum"(%c) : (f32) -> f32
  // CHECK: "llvm.nvvm.vote.ballot.sync"(%{{.*}},
  %ballot = spl.intrinsic "gpu.ballot"(%p) : (i1) -> i32
  // CHECK: "llvm.nvvm.vote.any.sync"(%{{.*}},
  %any = spl.intrinsic "gpu.any"(%p) : (i1) -> i1
  // CHECK: "llvm.nvvm.vote.all.sync"(%{{.*}},
  %all = spl.intrinsic "gpu.all"(%p) : (i1) -> i1
  // A value of two words matches if both words match.
  // CHECK-COUNT-2: "llvm.nvvm.match.any.sync.i32"(%{{.*}},
  // CHECK: llvm.and
  %match = spl.intrinsic "gpu.match_any"(%i) : (i64) -> i32
  // CHECK: "llvm.nvvm.bar.warp.sync"(%{{.*}})
  spl.intrinsic "gpu.warp_barrier" : () -> ()
  // CHECK: "llvm.nvvm.barrier.cta.sync.aligned.all"
  spl.intrinsic "gpu.barrier" : () -> ()
  // CHECK: "llvm.nvvm.barrier.cta.red.or.aligned.all"
  %ga = spl.intrinsic "gpu.group_any"(%p) : (i1) -> i1
  // CHECK: "llvm.nvvm.barrier.cta.red.and.aligned.all"
  %gb = spl.intrinsic "gpu.group_all"(%p) : (i1) -> i1
  // CHECK: llvm.fence syncscope("block") seq_cst
  spl.intrinsic "gpu.fence" {scope = #spl<scope group>} : () -> ()
  // CHECK: llvm.fence syncscope("device") seq_cst
  spl.intrinsic "gpu.fence" {scope = #spl<scope device>} : () -> ()
  // CHECK: llvm.fence seq_cst
  spl.intrinsic "gpu.fence" {scope = #spl<scope system>} : () -> ()
  // CHECK: "llvm.nvvm.read.ptx.sreg.clock64"
  %t = spl.intrinsic "gpu.clock" : () -> i64
  spl.store %s, %out[%i] : <f32, mut>
  spl.return
}

// The lanes of a branch: each finds the next lower active lane, unless the mask has all 32.
// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.some(
spl.kernel @some(%out: !spl.slice<vector<2xi32>, mut>, %x: vector<2xi32>)
    attributes {signature = #spl.signature<"some(out: &mut [i32x2], x: i32x2)">} {
  %i = spl.intrinsic "gpu.lane_id" : () -> i64
  %five = arith.constant 5 : i64
  %c = arith.cmpi slt, %i, %five : i64
  // CHECK: %[[MASK:.*]] = llvm.call_intrinsic "llvm.nvvm.vote.ballot.sync"
  scf.if %c {
    // CHECK: %[[IS_WHOLE:.*]] = llvm.icmp "eq" %[[MASK]], %{{.*}} : i32
    // CHECK: llvm.cond_br %[[IS_WHOLE]]
    // CHECK-COUNT-10: "llvm.nvvm.shfl.sync.bfly.i32"
    // CHECK-NOT: bfly
    // CHECK: "llvm.nvvm.read.ptx.sreg.lanemask.lt"
    // CHECK: "llvm.ctlz"
    // Five steps shuffle two words of the value and one of the next lower lane. Then the result of
    // the last lane is broadcast.
    // CHECK-COUNT-17: "llvm.nvvm.shfl.sync.idx.i32"(%[[MASK]],
    // CHECK-NOT: shfl
    // CHECK: llvm.store
    %s = spl.intrinsic "gpu.warp_sum"(%x) : (vector<2xi32>) -> vector<2xi32>
    spl.store %s, %out[%i] : <vector<2xi32>, mut>
  }
  spl.return
}

// All 32 lanes of each warp exist: five butterflies, after which each lane has the result. Integers of
// up to 32 bits take one instruction from sm_80 on, in any lanes.
// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.whole(
spl.kernel @whole(%out: !spl.slice<f32, mut>, %ints: !spl.slice<i16, mut>, %x: f32, %n: i16, %i: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [64])] whole(out: &mut [f32], ints: &mut [i16], x: f32, n: i16, i: i64)">} {
  // CHECK: %[[FULL:.*]] = llvm.mlir.constant(-1 : i32)
  // CHECK-COUNT-5: "llvm.nvvm.shfl.sync.bfly.i32"(%[[FULL]],
  // CHECK-NOT: shfl
  // CHECK: llvm.store
  %s = spl.intrinsic "gpu.warp_sum"(%x) : (f32) -> f32
  spl.store %s, %out[%i] : <f32, mut>
  // SM80: %[[WIDE:.*]] = llvm.sext %{{.*}} : i16 to i32
  // SM80: %[[LEAST:.*]] = llvm.call_intrinsic "llvm.nvvm.redux.sync.min"(%[[WIDE]], %{{.*}})
  // SM80: llvm.trunc %[[LEAST]] : i32 to i16
  %m = spl.intrinsic "gpu.warp_min"(%n) : (i16) -> i16
  spl.store %m, %ints[%i] : <i16, mut>
  %five = arith.constant 5 : i64
  %lane = spl.intrinsic "gpu.lane_id" : () -> i64
  %c = arith.cmpi slt, %lane, %five : i64
  // SM80: %[[SOME:.*]] = llvm.call_intrinsic "llvm.nvvm.vote.ballot.sync"
  scf.if %c {
    // SM80: "llvm.nvvm.redux.sync.umax"(%{{.*}}, %[[SOME]])
    %u = spl.intrinsic "gpu.warp_max"(%m) {isUnsigned} : (i16) -> i16
    spl.store %u, %ints[%i] : <i16, mut>
  }
  spl.return
}

// Only lane 0 uses the sum, so it is not sent to the others.
// CHECK-LABEL: @spl.kernel.to_first_lane
// CHECK-COUNT-10: "llvm.nvvm.shfl.sync.down.i32p"
// CHECK-NOT: shfl
// CHECK: llvm.return
spl.kernel @to_first_lane(%x: i64, %out: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"to_first_lane(x: i64, out: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %lane = spl.intrinsic "gpu.lane_id" : () -> i64
  %sum = spl.intrinsic "gpu.warp_sum"(%x) : (i64) -> i64
  %first = arith.cmpi eq, %lane, %zero : i64
  scf.if %first {
    spl.store %sum, %out[%zero] : !spl.slice<i64, mut>
  }
  spl.return
}
