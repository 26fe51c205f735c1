// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: simple-opt %s --spl-to-llvm="target=sm_75" | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: simple-opt %s --spl-to-llvm="target=sm_90a" | FileCheck %s --check-prefixes=CHECK,GPU,NEW
// RUN: simple-opt %s --spl-to-llvm="target=cpu" | FileCheck %s --check-prefixes=CHECK,CPU
// Relaxed atomics with device scope use LLVM's operations. LLVM 22 drops other orders and scopes
// for NVIDIA GPUs, so those are inline assembly.

// CHECK-LABEL: llvm.func {{.*}}@spl.{{kernel|body}}.integers(
// GPU: llvm.atomicrmw add %{{.*}} syncscope("device") monotonic {alignment = 4
// CPU: llvm.atomicrmw add %{{.*}}, %{{[^ ]*}} monotonic {alignment = 4
// CHECK: %[[Z:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[N:.*]] = llvm.sub %[[Z]], %{{.*}} : i32
// CHECK: llvm.atomicrmw add %{{.*}}, %[[N]]
// CHECK: llvm.atomicrmw min
// CHECK: llvm.atomicrmw umin
// GPU: llvm.atomicrmw umax {{.*}} syncscope("block") monotonic
// CPU: llvm.atomicrmw umax {{.*}} syncscope("singlethread") monotonic
// CHECK: llvm.atomicrmw _and
// CHECK: llvm.atomicrmw _or
// GPU: "red.release.gpu.xor.b32 [$0], $1;", "l,r,~{memory}"
// CPU: llvm.atomicrmw _xor {{.*}} release
// GPU: has_side_effects {{.*}}"atom.acq_rel.sys.exch.b32 $0, [$1], $2;", "=r,l,r,~{memory}"
// CPU: llvm.atomicrmw xchg {{.*}} acq_rel
// GPU: "red.relaxed.sys.add.u32 [$0], $1;"
// CPU: llvm.atomicrmw add
// GPU: "atom.acquire.cta.min.s32 $0, [$1], $2;"
// CPU: llvm.atomicrmw min {{.*}} syncscope("singlethread") acquire
spl.kernel @integers(%a: !spl.slice<i32, mut>, %v: i32) attributes {signature = #spl.signature<"integers()">} {
  %i = arith.constant 1 : i64
  %0 = spl.atomic add %a[%i](%v) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  %1 = spl.atomic sub %a[%i](%0) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  %2 = spl.atomic min %a[%i](%1) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  %3 = spl.atomic min %a[%i](%2) relaxed device {isUnsigned} : !spl.slice<i32, mut>, (i32) -> i32
  %4 = spl.atomic max %a[%i](%3) relaxed group {isUnsigned} : !spl.slice<i32, mut>, (i32) -> i32
  %5 = spl.atomic and %a[%i](%4) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  %6 = spl.atomic or %a[%i](%5) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  %7 = spl.atomic xor %a[%i](%6) release device : !spl.slice<i32, mut>, (i32) -> i32
  %8 = spl.atomic exchange %a[%i](%v) acq_rel system : !spl.slice<i32, mut>, (i32) -> i32
  %9 = spl.atomic add %a[%i](%v) relaxed system : !spl.slice<i32, mut>, (i32) -> i32
  %10 = spl.atomic min %a[%i](%v) acquire group : !spl.slice<i32, mut>, (i32) -> i32
  spl.return
}

// CHECK-LABEL: llvm.func {{.*}}@spl.{{kernel|body}}.floats(
// GPU: llvm.atomicrmw fadd %{{.*}} syncscope("device") monotonic {alignment = 8
// CPU: llvm.atomicrmw fadd %{{.*}} monotonic {alignment = 8
// CHECK: %[[N:.*]] = llvm.fneg %{{.*}} : f64
// GPU: llvm.bitcast %[[N]] : f64 to i64
// GPU: "red.release.cta.add.f64 [$0], $1;", "l,l,~{memory}"
// CPU: llvm.atomicrmw fadd %{{.*}}, %[[N]] syncscope("singlethread") release
// CHECK: llvm.atomicrmw xchg
// CHECK: %[[PAIR:.*]] = llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} release monotonic
// CHECK: llvm.extractvalue %[[PAIR]][0]
// CHECK: llvm.bitcast %{{.*}} : i64 to f64
// CHECK: llvm.cmpxchg %{{.*}} acq_rel acquire
// CHECK: llvm.load %{{.*}} atomic {{.*}}acquire {alignment = 8
// CHECK: llvm.store %{{.*}} atomic {{.*}}release {alignment = 8
spl.kernel @floats(%a: !spl.slice<f64, mut>, %v: f64) attributes {signature = #spl.signature<"floats()">} {
  %i = arith.constant 1 : i64
  %0 = spl.atomic add %a[%i](%v) relaxed device : !spl.slice<f64, mut>, (f64) -> f64
  %1 = spl.atomic sub %a[%i](%0) release group : !spl.slice<f64, mut>, (f64) -> f64
  %2 = spl.atomic exchange %a[%i](%v) relaxed device : !spl.slice<f64, mut>, (f64) -> f64
  %3 = spl.atomic cas %a[%i](%2, %v) release system : !spl.slice<f64, mut>, (f64, f64) -> f64
  %4 = spl.atomic cas %a[%i](%3, %v) acq_rel system : !spl.slice<f64, mut>, (f64, f64) -> f64
  %5 = spl.atomic load %a[%i] acquire system : !spl.slice<f64, mut>, () -> f64
  spl.atomic store %a[%i](%5) release system : !spl.slice<f64, mut>, (f64) -> ()
  spl.return
}

// No target has a float minimum that ignores NaN and orders -0 before +0. It is a loop.
// CHECK-LABEL: llvm.func {{.*}}@spl.{{kernel|body}}.minimum(
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} atomic {{.*}}monotonic {{.*}}-> i32
// CHECK: llvm.br ^[[LOOP:.*]](%[[FIRST]] : i32)
// CHECK: ^[[LOOP]](%[[OLD:.*]]: i32)
// CHECK: %[[F:.*]] = llvm.bitcast %[[OLD]] : i32 to f32
// CHECK: %[[M:.*]] = llvm.call_intrinsic "llvm.minimumnum"(%[[F]], %{{.*}})
// CHECK: %[[NEW:.*]] = llvm.bitcast %[[M]] : f32 to i32
// CHECK: %[[PAIR:.*]] = llvm.cmpxchg %{{.*}}, %[[OLD]], %[[NEW]] {{.*}}monotonic monotonic
// CHECK: %[[FOUND:.*]] = llvm.extractvalue %[[PAIR]][0]
// CHECK: %[[DONE:.*]] = llvm.extractvalue %[[PAIR]][1]
// CHECK: llvm.cond_br %[[DONE]], ^[[AFTER:.*]], ^[[LOOP]](%[[FOUND]] : i32)
// CHECK: ^[[AFTER]]:
// CHECK: llvm.bitcast %[[OLD]] : i32 to f32
spl.kernel @minimum(%a: !spl.slice<f32, mut>, %v: f32) attributes {signature = #spl.signature<"minimum()">} {
  %i = arith.constant 1 : i64
  %0 = spl.atomic min %a[%i](%v) relaxed device : !spl.slice<f32, mut>, (f32) -> f32
  spl.store %0, %a[%i] : !spl.slice<f32, mut>
  spl.return
}

// CHECK-LABEL: @spl.fn.pairs(
// GPU: "atom.relaxed.gpu.add.noftz.f16x2 $0, [$1], $2;", "=r,l,r,~{memory}"
// NEW: "red.relaxed.gpu.add.noftz.bf16x2 [$0], $1;"
// CHECK-LABEL: @spl.fn.pairs_swapped(
// CHECK: llvm.load %{{.*}} atomic {{.*}}monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xi16>
// CHECK: llvm.cmpxchg %{{.*}} : !llvm.ptr, i32
spl.func @pairs(%a: !spl.slice<vector<2xf16>, mut>, %b: !spl.slice<vector<2xbf16>, mut>, %v: vector<2xf16>, %w: vector<2xbf16>) {
  %i = arith.constant 1 : i64
  %0 = spl.atomic add %a[%i](%v) relaxed device : !spl.slice<vector<2xf16>, mut>, (vector<2xf16>) -> vector<2xf16>
  spl.store %0, %a[%i] : !spl.slice<vector<2xf16>, mut>
  %1 = spl.atomic add %b[%i](%w) relaxed device : !spl.slice<vector<2xbf16>, mut>, (vector<2xbf16>) -> vector<2xbf16>
  spl.return
}
spl.func @pairs_swapped(%a: !spl.slice<vector<2xi16>, mut>, %v: vector<2xi16>) -> vector<2xi16> {
  %i = arith.constant 1 : i64
  %0 = spl.atomic load %a[%i] relaxed device : !spl.slice<vector<2xi16>, mut>, () -> vector<2xi16>
  %1 = spl.atomic cas %a[%i](%0, %v) relaxed device : !spl.slice<vector<2xi16>, mut>, (vector<2xi16>, vector<2xi16>) -> vector<2xi16>
  spl.return %1 : vector<2xi16>
}
