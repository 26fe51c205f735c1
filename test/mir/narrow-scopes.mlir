// RUN: simple-opt %s --spl-narrow-scopes | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on shared memory get the scope of the group, also through views. Others keep theirs.

// CHECK: spl.atomic {{ *}}add %{{.*}}[%{{.*}}] (%{{.*}}) {{ *}}relaxed {{ *}}group
// CHECK: spl.atomic {{ *}}exchange %{{.*}}[%{{.*}}] (%{{.*}}) {{ *}}acq_rel {{ *}}group
// CHECK: spl.atomic {{ *}}add %{{.*}}[%{{.*}}] (%{{.*}}) {{ *}}relaxed {{ *}}device
spl.kernel @scopes(%out: !spl.slice<i32, mut>, %x: i32) attributes {signature = #spl.signature<"scopes(out: &mut [i32], x: i32)">} {
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %shared = spl.shared "tile"[4] : !spl.slice<i32, mut>
  %part = spl.subslice %shared[%c0 to %c2] : !spl.slice<i32, mut>
  %a = spl.atomic add %shared[%c0](%x) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  %b = spl.atomic exchange %part[%c0](%x) acq_rel system : !spl.slice<i32, mut>, (i32) -> i32
  %c = spl.atomic add %out[%c0](%x) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  spl.return
}
